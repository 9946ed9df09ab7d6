//! Why a rule does not let an action happen: the rule, and the one thing that it lacks.

use super::Action;
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
    /// Something keeps the external-attacher from the attach.
    AttachImpossible,
    /// Something keeps the external-attacher from the detach.
    DetachImpossible,
    /// Nothing keeps the external-attacher from its call.
    NothingInTheWay,
    /// The VolumeAttachment is another driver's.
    OtherAttacher,
    /// No external-attacher runs for the driver.
    NoAttacher,
    /// An external-attacher works on it.
    AttacherThere,
    /// The driver does not refuse.
    DriverAgrees,
    /// The driver refuses.
    DriverRefuses,
    /// The driver lacks LIST_VOLUMES_PUBLISHED_NODES.
    NoPublishedNodes,
    /// The VolumeAttachment shows no failure.
    NothingWrong,
    /// The VolumeAttachment shows a failure.
    SomethingWrong,
    /// The Node object is gone.
    NodeMissing,
    /// The Node is ready.
    NodeHealthy,
    /// The Node is not ready.
    NodeUnready,
    /// The Node lacks the taint node.kubernetes.io/out-of-service.
    NotOutOfService,
    /// kube-controller-manager has --disable-force-detach-on-timeout.
    ForceDetachDisabled,
    /// The Node has the taint already.
    Tainted,
    /// The Node lacks the taint.
    NotTainted,
    /// The Pod is not due for eviction.
    NotEvicting,
    /// `status.attachError` has no code RESOURCE_EXHAUSTED, or the driver's limits are not updated.
    NoAttachLimit,
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
            Unmet::AttachImpossible => "something keeps the external-attacher from calling ControllerPublishVolume",
            Unmet::DetachImpossible => "something keeps the external-attacher from calling ControllerUnpublishVolume",
            Unmet::NothingInTheWay => "nothing keeps the external-attacher from its call",
            Unmet::OtherAttacher => "spec.attacher names another driver",
            Unmet::NoAttacher => "no external-attacher runs for the driver",
            Unmet::AttacherThere => "an external-attacher works on the VolumeAttachment",
            Unmet::DriverAgrees => "the driver does not refuse the call",
            Unmet::DriverRefuses => "the driver refuses the call",
            Unmet::NoPublishedNodes => "the driver lacks LIST_VOLUMES_PUBLISHED_NODES",
            Unmet::NothingWrong => "the VolumeAttachment shows no failure",
            Unmet::SomethingWrong => "the VolumeAttachment shows a failure",
            Unmet::NodeMissing => "the Node is gone",
            Unmet::NodeHealthy => "the Node is ready",
            Unmet::NodeUnready => "the Node is not ready",
            Unmet::NotOutOfService => "the Node lacks the taint node.kubernetes.io/out-of-service",
            Unmet::ForceDetachDisabled => "kube-controller-manager runs with --disable-force-detach-on-timeout",
            Unmet::Tainted => "the Node has the taint already",
            Unmet::NotTainted => "the Node lacks the taint",
            Unmet::NotEvicting => "the Pod is not due for eviction",
            Unmet::NoAttachLimit => "no attachError says that the Node's volume attachment limit is reached, or the CSIDriver lacks nodeAllocatableUpdatePeriodSeconds",
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
