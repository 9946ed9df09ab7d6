//! The runs that the tests of the picture draw: every diagram's, told in its steps.
#![allow(dead_code, reason = "each test file uses its part")]

#[path = "../course_site/mod.rs"]
mod course_site;
pub mod ink;

use mountpath::scene::{Layout, Scene, scene};
use mountpath::trace::{Run, SCENARIOS, StepGroup, Trace, group, record};
use std::sync::{Arc, OnceLock};

/// The runs of the diagrams that have their sentences, told in their steps, by slug.
pub fn runs() -> Vec<(String, Run)> {
    let run = |d: mountpath::course::Diagram| {
        let trace = course_site::trace_of(&d);
        let steps: Vec<_> = d.steps.into_iter().map(|s| (s.actions, s.key)).collect();
        (d.slug, group(trace, &steps).unwrap())
    };
    course_site::site().diagrams.into_iter().map(run).collect()
}

/// The run of every scenario, told action by action: the diagrams, and whatever else may become one.
pub fn action_by_action() -> Vec<(String, Run)> {
    SCENARIOS.iter().map(|(name, _)| ((*name).to_owned(), by_action(record(name).unwrap()))).collect()
}

/// A step of a run, drawn in a layout.
pub struct Drawn {
    /// Where it is from, for messages.
    pub place: String,
    /// The name of its run.
    pub name: String,
    /// The run.
    pub run: Arc<Run>,
    /// The step, from 1.
    pub step: usize,
    /// The scene.
    pub scene: Scene,
}

/// Every step of every run in both layouts: the diagrams as they are told, and every scenario action by
/// action.
pub fn drawn() -> &'static [Drawn] {
    static ALL: OnceLock<Vec<Drawn>> = OnceLock::new();
    ALL.get_or_init(|| {
        let told = runs().into_iter().map(|(name, run)| (format!("{name}, as told"), run));
        let mut all = Vec::new();
        for (name, run) in told.chain(action_by_action()) {
            let run = Arc::new(run);
            for layout in [Layout::Wide, Layout::Narrow] {
                all.extend((1..=run.groups.len()).map(|step| Drawn {
                    place: format!("{name}, step {step}, {layout:?}"),
                    name: format!("{name}, {layout:?}"),
                    run: run.clone(),
                    step,
                    scene: scene(&run, step, layout),
                }));
            }
        }
        all
    })
}

/// A run in as many steps as it has actions that do something; those that do nothing belong to the next.
pub fn by_action(trace: Trace) -> Run {
    let mut steps: Vec<(Vec<String>, String)> = Vec::new();
    let mut told = Vec::new();
    for step in &trace.steps {
        told.push(step.id.clone());
        if !step.effects.is_empty() {
            steps.push((std::mem::take(&mut told), step.id.clone()));
        }
    }
    if let Some(last) = steps.last_mut() {
        last.0.append(&mut told);
    }
    group(trace, &steps).unwrap()
}

/// A scenario's run, told so many actions a step.
pub fn told(name: &str, actions: usize) -> Run {
    let trace = record(name).unwrap_or_else(|e| panic!("{name}: {e}"));
    let all = trace.steps.len();
    let step = |i: usize| StepGroup { cues: i..(i + actions).min(all), key: i };
    Run { groups: (0..all).step_by(actions).map(step).collect(), trace }
}
