//! Why a rule does not let an action happen: the rule, and the one thing that it lacks.

use super::csi::Rpc;
use super::{Action, Code};
use std::fmt;

/// The first guard that does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Unmet {
    /// The Pod object is not there.
    PodMissing,
    /// The Pod was created before.
    PodExists,
    /// The Pod has no `spec.nodeName`.
    PodUnbound,
    /// The Pod has a `spec.nodeName`.
    PodBound,
    /// The Pod has a deletionTimestamp.
    PodDeleting,
    /// The Pod has no deletionTimestamp.
    PodNotDeleting,
    /// The Pod counts as terminated.
    PodTerminated,
    /// The Pod does not count as terminated.
    PodNotTerminated,
    /// kubelet has written a container status.
    ContainerReported,
    /// kubelet has not written `ContainerCreating`.
    ContainerNotWaiting,
    /// The Pod's containers are not in the state that this ends.
    ContainersNotThere,
    /// The driver has `attachRequired: false`.
    AttachNotRequired,
    /// The driver has `attachRequired: true`.
    AttachRequired,
    /// The driver lacks PUBLISH_UNPUBLISH_VOLUME.
    NoControllerPublish,
    /// The driver has PUBLISH_UNPUBLISH_VOLUME.
    ControllerPublish,
    /// The driver lacks STAGE_UNSTAGE_VOLUME.
    NoNodeStage,
    /// It is in the desired state already.
    AlreadyWanted,
    /// It is not in the desired state.
    NotWanted,
    /// It is still in the desired state.
    StillWanted,
    /// It is in the actual state already.
    AlreadyAttached,
    /// It is not in the actual state.
    NotAttached,
    /// Another operation on the volume is under way.
    OperationPending,
    /// No such operation is under way.
    NoOperation,
    /// The volume is attached to another Node and may not have two.
    AttachedElsewhere,
    /// The volume is attached nowhere else.
    NotAttachedElsewhere,
    /// The event was sent for this entry.
    AlreadyTold,
    /// There is no VolumeAttachment.
    AttachmentMissing,
    /// There is a VolumeAttachment.
    AttachmentExists,
    /// The VolumeAttachment has a deletionTimestamp.
    AttachmentDeleting,
    /// The VolumeAttachment has no deletionTimestamp.
    AttachmentNotDeleting,
    /// `status.attached` is true.
    AttachmentAttached,
    /// `status.attached` is not true.
    AttachmentNotAttached,
    /// The VolumeAttachment has the external-attacher's finalizer.
    AttachmentFinalized,
    /// The VolumeAttachment lacks the external-attacher's finalizer.
    AttachmentNotFinalized,
    /// The PersistentVolume has the external-attacher's finalizer.
    VolumeFinalized,
    /// The PersistentVolume lacks the external-attacher's finalizer.
    VolumeNotFinalized,
    /// The PersistentVolume has a deletionTimestamp.
    VolumeDeleting,
    /// The PersistentVolume has no deletionTimestamp.
    VolumeNotDeleting,
    /// The volume is in `status.volumesAttached`.
    Listed,
    /// The volume is not in `status.volumesAttached`.
    NotListed,
    /// The volume is not to be listed in `status.volumesAttached`.
    NotToBeListed,
    /// The volume is in use, as far as the actor knows.
    InUse,
    /// The volume is not in use, as far as the actor knows.
    NotInUse,
    /// The actor knows already.
    NothingNew,
    /// kubelet has not reported the volume in `status.volumesInUse`.
    NotReportedInUse,
    /// The device is not staged.
    NotStaged,
    /// The device is staged.
    Staged,
    /// The volume is mounted for the Pod.
    Mounted,
    /// The volume is not mounted for the Pod.
    NotMounted,
    /// The call has not left, or its reply is not due.
    NoSuchCall,
    /// The world has no such fault in store, or no more of it.
    NoSuchFault,
    /// The process is down.
    ActorDown,
    /// The process is up.
    ActorUp,
    /// The claim is not there.
    ClaimMissing,
    /// The claim is not bound.
    ClaimNotBound,
    /// The claim is bound.
    ClaimBound,
    /// The claim has a deletionTimestamp.
    ClaimDeleting,
    /// The claim has the finalizer.
    ClaimFinalized,
    /// The claim lacks the finalizer.
    ClaimNotFinalized,
    /// The claim's StorageClass does not allow expansion.
    ExpansionForbidden,
    /// The size is not above `status.capacity`.
    BelowCapacity,
    /// The volume has the size already.
    LargeEnough,
    /// Nobody calls ControllerExpandVolume.
    NoExpansion,
    /// The Node has nothing to do, or cannot.
    NoNodeExpansion,
    /// The Node has the rest to do, and can.
    NodeExpansion,
    /// The claim's status forbids to try on the Node.
    ResizeInfeasible,
    /// The Pod has the volume read-only.
    ReadOnly,
    /// The Pod has the volume for writing.
    NotReadOnly,
    /// Nobody calls ControllerModifyVolume.
    NoModification,
    /// The VolumeAttributesClass is not there.
    AttributesMissing,
    /// The VolumeAttributesClass is there.
    AttributesThere,
    /// The driver itself would answer OK.
    DriverAgrees,
    /// The VolumeSnapshot is not there.
    SnapshotMissing,
    /// The VolumeSnapshot was created before.
    SnapshotExists,
    /// The VolumeSnapshot has a deletionTimestamp.
    SnapshotDeleting,
    /// The VolumeSnapshot has no deletionTimestamp.
    SnapshotNotDeleting,
    /// The VolumeSnapshot has the finalizer.
    SnapshotFinalized,
    /// The VolumeSnapshot lacks the finalizer.
    SnapshotNotFinalized,
    /// The VolumeSnapshot names its content.
    SnapshotIsBound,
    /// The VolumeSnapshot names no content.
    SnapshotNotBound,
    /// The snapshot is ready.
    SnapshotReady,
    /// A snapshot is not ready.
    SnapshotNotReady,
    /// The driver may still be at the snapshot.
    SnapshotBeingCreated,
    /// The content has a snapshot's handle.
    SnapshotHandle,
    /// The content has no snapshot's handle.
    NoSnapshotHandle,
    /// The driver makes no snapshots.
    NoSnapshots,
    /// There is no VolumeSnapshotContent.
    ContentMissing,
    /// There is a VolumeSnapshotContent.
    ContentExists,
    /// The VolumeSnapshotContent has a deletionTimestamp.
    ContentDeleting,
    /// The VolumeSnapshotContent has no deletionTimestamp.
    ContentNotDeleting,
    /// The VolumeSnapshotContent has the finalizer.
    ContentFinalized,
    /// The VolumeSnapshotContent lacks the finalizer.
    ContentNotFinalized,
    /// The driver itself answers with this code.
    DriverRefuses(Rpc, Code),
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unmet::PodMissing => "the Pod does not exist",
            Unmet::PodExists => "the Pod was created already",
            Unmet::PodUnbound => "the Pod has no spec.nodeName",
            Unmet::PodBound => "the Pod has a spec.nodeName",
            Unmet::PodDeleting => "the Pod has a deletionTimestamp",
            Unmet::PodNotDeleting => "the Pod has no deletionTimestamp",
            Unmet::PodTerminated => "the Pod counts as terminated",
            Unmet::PodNotTerminated => "the Pod does not count as terminated",
            Unmet::ContainerReported => "status.containerStatuses is written already",
            Unmet::ContainerNotWaiting => "the container is not waiting in ContainerCreating",
            Unmet::ContainersNotThere => "the Pod's containers are not in the state that this follows",
            Unmet::AttachNotRequired => "the CSIDriver has attachRequired: false",
            Unmet::AttachRequired => "the CSIDriver has attachRequired: true",
            Unmet::NoControllerPublish => "the driver lacks PUBLISH_UNPUBLISH_VOLUME",
            Unmet::ControllerPublish => "the driver has PUBLISH_UNPUBLISH_VOLUME",
            Unmet::NoNodeStage => "the driver lacks STAGE_UNSTAGE_VOLUME",
            Unmet::AlreadyWanted => "the desired state has it already",
            Unmet::NotWanted => "the desired state does not have it",
            Unmet::StillWanted => "the desired state still has it",
            Unmet::AlreadyAttached => "the actual state has it as attached",
            Unmet::NotAttached => "the actual state does not have it as attached",
            Unmet::OperationPending => "another operation on the volume is pending",
            Unmet::NoOperation => "no such operation is pending",
            Unmet::AttachedElsewhere => "the volume is attached to another Node",
            Unmet::NotAttachedElsewhere => "the volume is attached to no other Node",
            Unmet::AlreadyTold => "the event was sent already",
            Unmet::AttachmentMissing => "there is no VolumeAttachment",
            Unmet::AttachmentExists => "there is a VolumeAttachment",
            Unmet::AttachmentDeleting => "the VolumeAttachment has a deletionTimestamp",
            Unmet::AttachmentNotDeleting => "the VolumeAttachment has no deletionTimestamp",
            Unmet::AttachmentAttached => "status.attached is true",
            Unmet::AttachmentNotAttached => "status.attached is not true",
            Unmet::AttachmentFinalized => "the VolumeAttachment has the external-attacher's finalizer",
            Unmet::AttachmentNotFinalized => "the VolumeAttachment lacks the external-attacher's finalizer",
            Unmet::VolumeFinalized => "the PersistentVolume has the external-attacher's finalizer",
            Unmet::VolumeNotFinalized => "the PersistentVolume lacks the external-attacher's finalizer",
            Unmet::VolumeDeleting => "the PersistentVolume has a deletionTimestamp",
            Unmet::VolumeNotDeleting => "the PersistentVolume has no deletionTimestamp",
            Unmet::Listed => "the volume is in the Node's status.volumesAttached",
            Unmet::NotListed => "the volume is not in the Node's status.volumesAttached",
            Unmet::NotToBeListed => "the volume is not to be listed in the Node's status.volumesAttached",
            Unmet::InUse => "the volume is in use by the Node",
            Unmet::NotInUse => "the volume is not in use by the Node",
            Unmet::NothingNew => "there is nothing new to report or to learn",
            Unmet::NotReportedInUse => "the volume is not in the Node's status.volumesInUse yet",
            Unmet::NotStaged => "the volume is not staged on the Node",
            Unmet::Staged => "the volume is staged on the Node",
            Unmet::Mounted => "the volume is mounted for the Pod",
            Unmet::NotMounted => "the volume is not mounted for the Pod",
            Unmet::NoSuchCall => "no such call is at this point",
            Unmet::NoSuchFault => "no such fault is in store",
            Unmet::ActorDown => "the process is down",
            Unmet::ActorUp => "the process is up",
            Unmet::ClaimMissing => "the claim does not exist",
            Unmet::ClaimNotBound => "the claim is not bound",
            Unmet::ClaimBound => "the claim is bound",
            Unmet::ClaimDeleting => "the claim has a deletionTimestamp",
            Unmet::ClaimFinalized => "the claim has the finalizer",
            Unmet::ClaimNotFinalized => "the claim lacks the finalizer",
            Unmet::ExpansionForbidden => "the claim's StorageClass has no allowVolumeExpansion: true",
            Unmet::BelowCapacity => "the size is not above the claim's status.capacity",
            Unmet::LargeEnough => "the volume is as large as is asked for",
            Unmet::NoExpansion => "the driver has no external-resizer or lacks EXPAND_VOLUME",
            Unmet::NoNodeExpansion => "no expansion on the Node is needed or possible",
            Unmet::NodeExpansion => "the expansion goes on on the Node",
            Unmet::ResizeInfeasible => "status.allocatedResourceStatuses forbids to expand on the Node",
            Unmet::ReadOnly => "the Pod mounts the volume read-only",
            Unmet::NotReadOnly => "the Pod mounts the volume for writing",
            Unmet::NoModification => "the driver has no external-resizer or lacks MODIFY_VOLUME",
            Unmet::AttributesMissing => "the VolumeAttributesClass does not exist",
            Unmet::AttributesThere => "the VolumeAttributesClass exists",
            Unmet::DriverAgrees => "the driver itself answers OK",
            Unmet::SnapshotMissing => "the VolumeSnapshot does not exist",
            Unmet::SnapshotExists => "the VolumeSnapshot was created already",
            Unmet::SnapshotDeleting => "the VolumeSnapshot has a deletionTimestamp",
            Unmet::SnapshotNotDeleting => "the VolumeSnapshot has no deletionTimestamp",
            Unmet::SnapshotFinalized => "the VolumeSnapshot has the finalizer",
            Unmet::SnapshotNotFinalized => "the VolumeSnapshot lacks the finalizer",
            Unmet::SnapshotIsBound => "the VolumeSnapshot is bound",
            Unmet::SnapshotNotBound => "the VolumeSnapshot is not bound",
            Unmet::SnapshotReady => "the snapshot is ready to use",
            Unmet::SnapshotNotReady => "a snapshot is not ready to use",
            Unmet::SnapshotBeingCreated => "the driver may still be creating the snapshot",
            Unmet::SnapshotHandle => "the VolumeSnapshotContent has a snapshotHandle",
            Unmet::NoSnapshotHandle => "the VolumeSnapshotContent has no snapshotHandle",
            Unmet::NoSnapshots => "the driver lacks CREATE_DELETE_SNAPSHOT",
            Unmet::ContentMissing => "there is no VolumeSnapshotContent",
            Unmet::ContentExists => "there is a VolumeSnapshotContent",
            Unmet::ContentDeleting => "the VolumeSnapshotContent has a deletionTimestamp",
            Unmet::ContentNotDeleting => "the VolumeSnapshotContent has no deletionTimestamp",
            Unmet::ContentFinalized => "the VolumeSnapshotContent has the finalizer",
            Unmet::ContentNotFinalized => "the VolumeSnapshotContent lacks the finalizer",
            Unmet::DriverRefuses(rpc, code) => {
                return write!(f, "the driver answers {} with {}", rpc.name(), code.name());
            }
        })
    }
}

/// An action that cannot happen now.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Refusal {
    /// The action.
    pub action: Action,
    /// What it lacks.
    pub unmet: Unmet,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (rule {}): {}", self.action.name(), self.action.rule(), self.unmet)
    }
}

impl std::error::Error for Refusal {}
