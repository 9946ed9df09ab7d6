//! Small worlds in which something fails, by name: `failures.txt` says which failure shows in which of them.

mod attach;
mod claims;
mod ends;
mod grows;
mod node;

use super::Explored;

/// Makes a world.
pub type Made = fn() -> Explored;

/// Every such world.
pub fn all() -> impl Iterator<Item = &'static (&'static str, Made)> {
    [claims::WORLDS, attach::WORLDS, node::WORLDS, grows::WORLDS, ends::WORLDS].into_iter().flatten()
}
