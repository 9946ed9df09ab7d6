//! The runs that the tests of the picture draw: every diagram's, told in its steps.
#![allow(dead_code, reason = "each test file uses its part")]

#[path = "../course_site/mod.rs"]
mod course_site;
pub mod ink;

use mountpath::trace::{Run, StepGroup, group, record};

/// Every diagram's run, by the diagram's slug.
pub fn runs() -> Vec<(String, Run)> {
    let run = |d: mountpath::course::Diagram| {
        let steps: Vec<_> = d.steps.into_iter().map(|s| (s.actions, s.key)).collect();
        (d.slug, group(record(&d.scenario).unwrap(), &steps).unwrap())
    };
    course_site::site().diagrams.into_iter().map(run).collect()
}

/// A scenario's run, told so many actions a step.
pub fn told(name: &str, actions: usize) -> Run {
    let trace = record(name).unwrap_or_else(|e| panic!("{name}: {e}"));
    let all = trace.steps.len();
    let step = |i: usize| StepGroup { cues: i..(i + actions).min(all), key: i };
    Run { groups: (0..all).step_by(actions).map(step).collect(), trace }
}
