//! Small worlds, explored with stateright: what never happens, what comes about where, and that all ends well.
//!
//! `MOUNTPATH_EXPLORE=large cargo test --release --no-default-features --test explore -- --nocapture` explores more: see
//! `pairs` and `faults`.

#[path = "../claims_world/mod.rs"]
mod claims_world;
mod worlds;

mod attach;
mod claims;
mod failures;
mod faults;
mod grow;
mod harms;
mod node;
mod one;
mod pairs;
