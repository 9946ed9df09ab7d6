//! What the controllers of claims remember, so that an Event is sent once and not at every look.

use super::Event;

/// What is remembered of a claim. An Event that is sent again only counts up, and nobody reacts to that.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Binder {
    /// The PersistentVolume controller's last Event about the claim.
    pub told: Option<Event>,
    /// The ephemeral volume controller has said that the claim's name is taken.
    pub told_not_owner: bool,
}
