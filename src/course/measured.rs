//! What was measured on a real cluster: a TOML file a scenario, made from a recording, and one for the conditions.

use super::diagram::{Reader, toml};
use super::links::Link;
use super::origin::Origin;
use super::{ContentError, Inline, Measured, Milestone};
use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMeasured {
    recording: String,
    milestones: Vec<RawMilestone>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMilestone {
    action: String,
    by: String,
    shows: String,
    ms: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawConditions {
    text: Spanned<String>,
}

/// Reads `content/measured/SCENARIO.toml`.
pub(super) fn read(origin: Origin<'_>) -> Result<Measured, ContentError> {
    let scenario = origin.slug()?;
    let raw: RawMeasured = toml(origin, 0, origin.text)?;
    let milestones = raw.milestones.into_iter().map(|m| {
        let RawMilestone { action, by, shows, ms } = m;
        Milestone { action, by, shows, ms }
    });
    Ok(Measured { scenario, recording: raw.recording, milestones: milestones.collect() })
}

/// Reads `content/measured/conditions.toml`.
pub(super) fn read_conditions(origin: Origin<'_>, links: &mut Vec<Link>) -> Result<Inline, ContentError> {
    let raw: RawConditions = toml(origin, 0, origin.text)?;
    Reader { origin, start: 0, page: "/diagrams/", links }.inline("text", &raw.text)
}
