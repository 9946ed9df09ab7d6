//! The runs of the diagrams, told as their content tells them, or each action as a step where there is no content yet.

use mountpath::trace::{Run, SCENARIOS, StepGroup, Trace, group, record};

#[path = "../course_site/mod.rs"]
mod course_site;

/// How many of the scenarios are those of the diagrams; they stand first.
const DIAGRAMS: usize = 20;

/// A scenario's run.
pub fn run_of(name: &str) -> Trace {
    record(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The run with each of its actions as a step.
pub fn by_action(trace: Trace) -> Run {
    let groups = (0..trace.steps.len()).map(|at| StepGroup { cues: at..at + 1, key: at }).collect();
    Run { trace, groups }
}

/// Every diagram's run, by its slug.
pub fn diagrams() -> Vec<(String, Run)> {
    let content = course_site::site().diagrams;
    let run = |name: &str| match content.iter().find(|d| d.slug == name) {
        Some(d) => {
            let steps: Vec<_> = d.steps.iter().map(|s| (s.actions.clone(), s.key.clone())).collect();
            group(run_of(&d.scenario), &steps).unwrap_or_else(|error| panic!("{name}: {error}"))
        }
        None => by_action(run_of(name)),
    };
    SCENARIOS.iter().take(DIAGRAMS).map(|(name, _)| ((*name).to_owned(), run(name))).collect()
}
