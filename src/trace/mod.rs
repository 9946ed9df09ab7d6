//! One run as data: its steps, who wrote what, and what the cluster looked like after each of them.
mod effect;
mod player;
mod run;
mod snapshot;

pub use effect::{Code, Effect, EventType};
pub use player::PlayState;
pub use run::{GroupError, Run, Step, StepGroup, Trace};
pub use snapshot::{FieldView, ObjectView, Snapshot};
