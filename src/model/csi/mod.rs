//! The CSI specification as a pure state machine: which code each call gets in which state.
//!
//! A call is described by what its arguments name ([`Request`]) and by what the driver finds when it arrives
//! ([`Found`]); [`answer`] gives the code. The specification's four lifecycle figures stand in [`edges`].

mod access;
mod answer;
mod lifecycle;
mod rpc;

pub use access::{CsiMode, second_publish};
pub use answer::{Arg, Existing, Found, Request, StagedAt, answer};
pub use lifecycle::{Edge, State, edges, step};
pub use rpc::{Abilities, Gate, Rpc};
