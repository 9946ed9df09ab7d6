//! Seen on a real cluster: when what a diagram tells happened there, step by step, and what really took long.

use super::drawn::Drawn;
use crate::course::{Diagram, Inline, Measured, Milestone};
use leptos::prelude::*;

/// A gap of at least this many milliseconds is worth pointing out.
const LONG_MS: u64 = 400;
/// At most so many gaps are pointed out.
const LONGEST: usize = 3;

/// What was measured for a diagram, as a table with a group of rows for each of its steps.
pub fn view(
    drawn: &Drawn,
    diagram: &Diagram,
    measured: &Measured,
    conditions: &Inline,
) -> impl IntoView + use<> {
    let timed = timed(&measured.milestones);
    let long = longest(&timed);
    let steps: Vec<_> = diagram
        .steps
        .iter()
        .zip(1..)
        .filter_map(|(step, n)| {
            let told =
                of_step(drawn, &timed, n).map(|(m, gap)| row(m, *gap, *gap >= LONG_MS && long.contains(gap)));
            let rows: Vec<_> = told.collect();
            let title = format!("{n}. {}", step.title);
            (!rows.is_empty()).then(
                || view! { <tbody><tr><th colspan="3" scope="rowgroup">{title}</th></tr>{rows}</tbody> },
            )
        })
        .collect();
    view! {
        <p inner_html=conditions.html.clone()></p>
        <div class="scroll" tabindex="0" role="region" aria-label="Measured times">
            <table class="measured">
                <thead>
                    <tr>
                        <th scope="col">"Seen"</th>
                        <th scope="col">"At"</th>
                        <th scope="col">"After"</th>
                    </tr>
                </thead>
                {steps}
            </table>
        </div>
        <p class="place">{format!("Recording {}", measured.recording)}</p>
    }
}

/// Milestones in the order of time, each with the milliseconds since the one before.
fn timed(all: &[Milestone]) -> Vec<(Milestone, u64)> {
    let mut before = 0;
    let gap = |m: &Milestone| m.ms.saturating_sub(std::mem::replace(&mut before, m.ms));
    let gaps: Vec<u64> = all.iter().map(gap).collect();
    all.iter().cloned().zip(gaps).collect()
}

/// The milestones of a reader's step (from 1).
fn of_step<'t>(
    drawn: &Drawn,
    all: &'t [(Milestone, u64)],
    step: usize,
) -> impl Iterator<Item = &'t (Milestone, u64)> {
    let group = drawn.run.groups.get(step.wrapping_sub(1));
    let steps = group.and_then(|g| drawn.run.trace.steps.get(g.cues.clone())).unwrap_or_default();
    all.iter().filter(|(m, _)| steps.iter().any(|s| s.id == m.action))
}

/// The longest gaps, in milliseconds.
fn longest(all: &[(Milestone, u64)]) -> Vec<u64> {
    let mut gaps: Vec<u64> = all.iter().map(|(_, gap)| *gap).collect();
    gaps.sort_unstable_by(|a, b| b.cmp(a));
    gaps.truncate(LONGEST);
    gaps
}

fn row(milestone: &Milestone, gap: u64, long: bool) -> impl IntoView + use<> {
    let after = format!("+{}", seconds(gap));
    let after = if long { view! { <mark>{after}</mark> }.into_any() } else { after.into_any() };
    view! {
        <tr>
            <td>{milestone.shows.clone()}" "<span class="place">{milestone.by.clone()}</span></td>
            <td>{seconds(milestone.ms)}</td>
            <td>{after}</td>
        </tr>
    }
}

/// Milliseconds as the recording has them, in seconds.
fn seconds(ms: u64) -> String {
    format!("{}.{:03} s", ms / 1000, ms % 1000)
}
