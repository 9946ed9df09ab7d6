//! One run as data: its steps, who wrote what, and what the cluster looked like after each of them.
mod effect;
mod player;
mod record;
mod render;
mod run;
mod scenario;
mod snapshot;

pub use effect::{Code, Effect, EventType};
pub use player::{Event, Machine, Order, PlayState, Speed};
pub use record::{RecordError, record, record_scenario};
pub use run::{GroupError, Run, Step, StepGroup, Trace, group};
pub use scenario::{Act, Cue, Moment, SCENARIOS, Scenario, scenario};
pub use snapshot::{FieldView, ObjectView, Snapshot};
