//! What kube-scheduler remembers of a Pod.

use super::Why;
use crate::model::NodeId;

/// What kube-scheduler remembers of a Pod that has no Node yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Scheduling {
    /// The Node that it has chosen, while its volumes are bound there.
    pub assumed: Option<NodeId>,
    /// Why its last try failed, as its Event says: one that is sent again only counts up.
    pub told: Option<Why>,
}
