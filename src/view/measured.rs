//! Seen on a real cluster: when what a diagram tells happened there, step by step, and what really took long; every
//! line of it stands in a file of its own, for a page stays small.

use super::drawn::Drawn;
use super::pages::Asset;
use crate::course::{Diagram, Inline, Measured, Milestone, Site};
use leptos::prelude::*;

/// A gap of at least this many milliseconds is worth pointing out.
const LONG_MS: u64 = 400;
/// At most so many gaps are pointed out.
const LONGEST: usize = 3;

/// What was measured for a diagram, as a table: where each of its steps begins, and what took longest.
pub fn view(
    drawn: &Drawn,
    diagram: &Diagram,
    measured: &Measured,
    conditions: &Inline,
) -> impl IntoView + use<> {
    let timed = timed(&measured.milestones);
    let long = longest(&timed);
    let rows: Vec<_> = (1..=diagram.steps.len())
        .flat_map(|n| of_step(drawn, &timed, n).enumerate().map(move |(place, told)| (n, place, told)))
        .map(|(n, place, (m, gap))| (n, place, m, *gap, *gap >= LONG_MS && long.contains(gap)))
        .filter(|(_, place, _, _, long)| *place == 0 || *long)
        .map(|(n, _, m, gap, long)| row(n, m, gap, long))
        .collect();
    let all = format!("All {} lines of recording {}", timed.len(), measured.recording);
    view! {
        <p inner_html=conditions.html.clone()></p>
        <div class="scroll" tabindex="0" role="region" aria-label="Measured times">
            <table class="measured">
                <thead>
                    <tr>
                        <th scope="col">"First seen of each step, and what took longest"</th>
                        <th scope="col">"At"</th>
                        <th scope="col">"Since the line before"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <p>
            <a href=path(&drawn.address)>{all}</a>
        </p>
    }
}

/// What was measured of a diagram's scenario.
pub fn of<'s>(site: &'s Site, diagram: &Diagram) -> Option<&'s Measured> {
    site.measured.iter().find(|m| m.scenario == diagram.scenario)
}

fn path(address: &str) -> String {
    format!("{address}measured.txt")
}

/// Every line that was measured, as a file: when, how long after the line before, who, what.
pub fn file(site: &Site, diagram: &Diagram) -> Option<Asset> {
    let measured = of(site, diagram)?;
    let line = |(m, gap): &(Milestone, u64)| {
        format!("{:>11}  {:>11}  {:<24}  {}\n", seconds(m.ms), format!("+{}", seconds(*gap)), m.by, m.shows)
    };
    let lines: String = timed(&measured.milestones).iter().map(line).collect();
    Some(Asset { path: path(&diagram.address()), bytes: lines.into_bytes() })
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

fn row(step: usize, milestone: &Milestone, gap: u64, long: bool) -> impl IntoView + use<> {
    let after = format!("+{}", seconds(gap));
    let after = if long { view! { <mark>{after}</mark> }.into_any() } else { after.into_any() };
    view! {
        <tr>
            <td>{format!("{step}. {} ", milestone.shows)}<span class="place">{milestone.by.clone()}</span></td>
            <td>{seconds(milestone.ms)}</td>
            <td>{after}</td>
        </tr>
    }
}

/// Milliseconds as the recording has them, in seconds.
fn seconds(ms: u64) -> String {
    format!("{}.{:03} s", ms / 1000, ms % 1000)
}
