//! The scenarios: a world, and what its user does when.

use super::scenario_file::{ScenarioError, read_scenario};
use crate::model::{Action, Subject, World};

/// What a user waits for before acting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// Nothing: the start of the run.
    Start,
    /// That an action of this name has happened, to this where something is named.
    After(&'static str, Option<Subject>),
}

/// One line of a user's script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cue {
    /// What comes first.
    pub moment: Moment,
    /// The time after that, in milliseconds.
    pub wait_ms: u64,
    /// What the user does, or what happens to the cluster.
    pub action: Action,
}

/// A run to record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scenario {
    /// Its name.
    pub name: String,
    /// Its world.
    pub world: World,
    /// What happens from outside, in order.
    pub script: Vec<Cue>,
    /// The last action that counts as given, where not all is told: the recorded steps begin after it.
    pub given_until: Option<&'static str>,
}

/// The scenarios that have names, each the text of a scenario file.
pub const SCENARIOS: [(&str, &str); 1] =
    [("volume-attachment", include_str!("scenarios/volume-attachment.toml"))];

/// The scenario of this name, if there is one.
///
/// # Errors
/// When its text is no scenario.
pub fn scenario(name: &str) -> Option<Result<Scenario, ScenarioError>> {
    SCENARIOS.iter().find(|row| row.0 == name).map(|(name, text)| read_scenario(name, text))
}
