//! One run as data: its steps, who wrote what, and what the cluster looked like after each of them.
#![deny(clippy::disallowed_types)]

mod effect;
#[cfg(not(target_arch = "wasm32"))]
mod facets;
#[cfg(not(target_arch = "wasm32"))]
mod goal;
#[cfg(not(target_arch = "wasm32"))]
mod json;
mod ledger;
mod player;
#[cfg(not(target_arch = "wasm32"))]
mod record;
#[cfg(not(target_arch = "wasm32"))]
mod recording;
#[cfg(not(target_arch = "wasm32"))]
mod render;
#[cfg(not(target_arch = "wasm32"))]
mod replay;
#[cfg(not(target_arch = "wasm32"))]
mod replay_alike;
#[cfg(not(target_arch = "wasm32"))]
mod replay_faults;
#[cfg(not(target_arch = "wasm32"))]
mod replay_fit;
#[cfg(not(target_arch = "wasm32"))]
mod replay_focus;
#[cfg(not(target_arch = "wasm32"))]
mod replay_growth;
#[cfg(not(target_arch = "wasm32"))]
mod replay_lines;
#[cfg(not(target_arch = "wasm32"))]
mod replay_match;
#[cfg(not(target_arch = "wasm32"))]
mod replay_nearest;
#[cfg(not(target_arch = "wasm32"))]
mod replay_place;
#[cfg(not(target_arch = "wasm32"))]
mod replay_pods;
#[cfg(not(target_arch = "wasm32"))]
mod replay_search;
#[cfg(not(target_arch = "wasm32"))]
mod replay_trail;
#[cfg(not(target_arch = "wasm32"))]
mod replay_world;
mod run;
#[cfg(not(target_arch = "wasm32"))]
mod scenario;
#[cfg(not(target_arch = "wasm32"))]
mod scenario_fault;
#[cfg(not(target_arch = "wasm32"))]
mod scenario_file;
#[cfg(not(target_arch = "wasm32"))]
mod scenario_parts;
#[cfg(not(target_arch = "wasm32"))]
mod scenario_raw;
mod snapshot;
#[cfg(not(target_arch = "wasm32"))]
mod standing;
mod text;
mod touched;
#[cfg(not(target_arch = "wasm32"))]
mod vocabulary;
#[cfg(not(target_arch = "wasm32"))]
mod why;
#[cfg(not(target_arch = "wasm32"))]
mod why_json;

#[cfg(not(target_arch = "wasm32"))]
mod measured;
#[cfg(not(target_arch = "wasm32"))]
mod why_now;
#[cfg(not(target_arch = "wasm32"))]
mod why_text;
#[cfg(not(target_arch = "wasm32"))]
mod yaml;
#[cfg(not(target_arch = "wasm32"))]
mod yaml_fields;
#[cfg(not(target_arch = "wasm32"))]
mod yaml_lines;
#[cfg(not(target_arch = "wasm32"))]
mod yaml_manifest;
#[cfg(not(target_arch = "wasm32"))]
mod yaml_node;
#[cfg(not(target_arch = "wasm32"))]
mod yaml_pack;
#[cfg(not(target_arch = "wasm32"))]
mod yaml_pods;
#[cfg(not(target_arch = "wasm32"))]
mod yaml_sheet;
#[cfg(not(target_arch = "wasm32"))]
mod yaml_volumes;

pub use crate::model::{Code, EventType};
pub use effect::Effect;
pub use ledger::{Change, Fate};
pub use player::{Event, Machine, Order, PlayState, Speed};
pub use run::{GroupError, Run, Step, StepGroup, Trace, group};
pub use snapshot::{FieldView, ObjectView, Snapshot};
pub use text::{listing, transcript};
pub use touched::Touched;
#[cfg(not(target_arch = "wasm32"))]
pub use vocabulary::vocabulary;
#[cfg(not(target_arch = "wasm32"))]
pub use why::Why;

#[cfg(not(target_arch = "wasm32"))]
pub use measured::{Milestone, milestones};
#[cfg(not(target_arch = "wasm32"))]
pub use why_now::Causes;

#[cfg(not(target_arch = "wasm32"))]
pub use facets::Facets;
#[cfg(not(target_arch = "wasm32"))]
pub use goal::{FORMS, GoalError, goal_text, read_goal};
#[cfg(not(target_arch = "wasm32"))]
pub use json::json;
#[cfg(not(target_arch = "wasm32"))]
pub use record::{RecordError, record, record_moments, record_scenario};
#[cfg(not(target_arch = "wasm32"))]
pub use recording::{Observation, ReadError, Seen, read};
#[cfg(not(target_arch = "wasm32"))]
pub use render::effect;
#[cfg(not(target_arch = "wasm32"))]
pub use replay::{
    Accepted, Explained, ReplayError, Standing, Unexplained, explained, replay, replay_until, replay_with,
};
#[cfg(not(target_arch = "wasm32"))]
pub use replay_nearest::Nearest;
#[cfg(not(target_arch = "wasm32"))]
pub use replay_world::UnknownWorld;
#[cfg(not(target_arch = "wasm32"))]
pub use scenario::{Cue, Moment, SCENARIOS, Scenario, scenario};
#[cfg(not(target_arch = "wasm32"))]
pub use scenario_file::{Problem, ScenarioError, read_scenario};
#[cfg(not(target_arch = "wasm32"))]
pub use yaml::{Line, ObjectYaml, Section, objects};
#[cfg(not(target_arch = "wasm32"))]
pub use yaml_manifest::Manifest;
#[cfg(not(target_arch = "wasm32"))]
pub use yaml_sheet::{Sheet, Shown, ShownLine, ShownSection};
