//! The runs that the tests of the picture draw: every diagram's, told in its steps.
#![allow(dead_code, reason = "each test file uses its part")]

#[path = "../course_site/mod.rs"]
mod course_site;
pub mod ink;

use mountpath::trace::{Run, group, record};

/// Every diagram's run, by the diagram's slug.
pub fn runs() -> Vec<(String, Run)> {
    let run = |d: mountpath::course::Diagram| {
        let steps: Vec<_> = d.steps.into_iter().map(|s| (s.actions, s.key)).collect();
        (d.slug, group(record(&d.scenario).unwrap(), &steps).unwrap())
    };
    course_site::site().diagrams.into_iter().map(run).collect()
}
