//! What the external-provisioner is doing about a claim, and about a PersistentVolume that is to go.

use crate::model::{Failure, NodeId};

/// How far provisioning for a claim is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Provision {
    /// Nothing is under way.
    #[default]
    Idle,
    /// CreateVolume has left.
    Called,
    /// The driver has made the volume; its reply is under way.
    Done,
    /// The reply is there, and the PersistentVolume is to be created.
    Received,
    /// The volume was too small, and DeleteVolume has left.
    CleanupCalled,
    /// The driver has deleted it; its reply is under way.
    CleanupDone,
}

/// The external-provisioner's work for a claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Provisioner {
    /// How far it is.
    pub step: Provision,
    /// It is in the list of claims in progress: CreateVolume is called until the driver gives a final answer,
    /// even when the claim is gone.
    pub in_progress: bool,
    /// The Event that it began was sent.
    pub told: bool,
    /// The last try failed, and its Event was sent.
    pub failed: Option<Failure>,
    /// The Event was sent that a Node has no topology.
    pub told_no_topology: bool,
}

/// How far the deletion of a volume is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Deletion {
    /// Nothing is under way.
    #[default]
    Idle,
    /// DeleteVolume has left.
    Called,
    /// The driver has deleted the volume; its reply is under way.
    Done,
    /// The reply is there, and the PersistentVolume is to be deleted.
    Received,
    /// It is, and the finalizer is to come off.
    ObjectDeleted,
}

/// The external-provisioner's work about the end of a volume.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Deleter {
    /// How far it is.
    pub step: Deletion,
    /// Its last Event about the PersistentVolume.
    pub told: Option<Told>,
}

/// Why a volume could not be deleted, as its last Event says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Told {
    /// A VolumeAttachment to this Node names it.
    StillAttached(NodeId),
    /// DeleteVolume failed.
    DeleteFailed(Failure),
}
