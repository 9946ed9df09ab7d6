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
    /// The StorageClass was created before.
    ClassExists,
    /// The StorageClass is not there.
    ClassMissing,
    /// The claim is there, or was.
    ClaimExists,
    /// The claim is not there.
    ClaimMissing,
    /// A claim of that name was not made for the Pod.
    ClaimOfAnother,
    /// The claim has a deletionTimestamp.
    ClaimDeleting,
    /// The claim has no deletionTimestamp.
    ClaimNotDeleting,
    /// The claim lacks the finalizer.
    ClaimNotProtected,
    /// A Pod with a Node uses the claim.
    ClaimInUse,
    /// The claim is bound.
    ClaimBound,
    /// The claim is not bound.
    ClaimNotBound,
    /// The claim has lost its PersistentVolume.
    ClaimLost,
    /// The claim keeps the Pod from every Node.
    ClaimNotReady,
    /// The PersistentVolume is there, or was.
    VolumeExists,
    /// The PersistentVolume is not there.
    VolumeMissing,
    /// The PersistentVolume is Bound.
    VolumeBound,
    /// The PersistentVolume is not Bound.
    VolumeNotBound,
    /// The PersistentVolume is Released.
    VolumeReleased,
    /// The PersistentVolume is not Released.
    VolumeNotReleased,
    /// The PersistentVolume is Available.
    VolumeAvailable,
    /// The PersistentVolume names a claim.
    VolumeClaimed,
    /// The PersistentVolume does not name the claim.
    VolumeUnclaimed,
    /// The PersistentVolume is another claim's.
    VolumeTaken,
    /// The PersistentVolume is not what the claim asks for.
    VolumeMismatched,
    /// There is a PersistentVolume to bind.
    VolumeFits,
    /// No PersistentVolume fits, and no class is set.
    NoVolumeFits,
    /// The PersistentVolume lacks the finalizer.
    VolumeNotProtected,
    /// The PersistentVolume is to be kept.
    VolumeRetained,
    /// The PersistentVolume is not to be kept.
    VolumeNotRetained,
    /// The claim is for a provisioner.
    AwaitsProvisioner,
    /// The claim is to get the default class.
    AwaitsDefaultClass,
    /// The provisioner was asked before.
    ProvisionerAsked,
    /// The claim has no annotation that asks a provisioner.
    ProvisionerNotAsked,
    /// The class names another provisioner.
    OtherProvisioner,
    /// The world knows no volume to make for the claim.
    NothingToProvision,
    /// The topology of the selected Node is known.
    TopologyKnown,
    /// The topology of the selected Node is not known.
    TopologyUnknown,
    /// The driver is not in the CSINode.
    DriverNotRegistered,
    /// No Node was selected for the claim.
    NodeNotSelected,
    /// The scheduler has chosen a Node, or another one.
    NodeChosen,
    /// The scheduler has chosen no Node.
    NodeNotChosen,
    /// The Node will not do for the Pod.
    NodeRefused,
    /// A Node will do for the Pod.
    NodeFits,
    /// The claim is on its way to a volume.
    BindingUnderWay,
    /// The volume is declared inline in a Pod.
    InlineVolume,
    /// The PersistentVolume's node affinity does not admit the Node.
    NodeNotAdmitted,
    /// Another Pod has the ReadWriteOncePod volume.
    InUseByAnotherPod,
    /// kubelet knows the driver.
    DriverRegistered,
    /// The CSIDriver does not admit inline volumes.
    DriverNotEphemeral,
    /// The CSIDriver does not have `requiresRepublish`.
    NoRepublish,
    /// No such error is what stands in the way.
    NoSuchError,
    /// kubelet does not unmount yet after its restart.
    NotReadyToUnmount,
    /// kubelet has not looked at its disk since its start, or has nothing to resolve.
    NotReconstructed,
    /// kubelet has looked at its disk.
    Reconstructed,
    /// A Pod of the Node has a volume that the populator has not added yet.
    PopulatorBehind,
    /// Something is still mounted from the staging path.
    MountedByOthers,
    /// There is no `vol_data.json` beside what is mounted.
    NoVolumeData,
    /// The registrar's socket is not there.
    NoSocket,
    /// The registrar's socket is there.
    Socket,
    /// The PersistentVolume is not bound to the claim.
    VolumeNotOfClaim,
    /// The namespace is not being deleted.
    NamespaceStays,
    /// There are Pods left in the namespace.
    PodsLeft,
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
    /// The claim's source can be used.
    SourceUsable,
    /// The claim's source cannot be used.
    SourceUnusable,
    /// The claim's source is held.
    SourceProtected,
    /// The claim's source is not held.
    SourceNotProtected,
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
            Unmet::AttachImpossible => "something keeps the external-attacher from calling ControllerPublishVolume",
            Unmet::DetachImpossible => "something keeps the external-attacher from calling ControllerUnpublishVolume",
            Unmet::NothingInTheWay => "nothing keeps the external-attacher from its call",
            Unmet::OtherAttacher => "spec.attacher names another driver",
            Unmet::NoAttacher => "no external-attacher runs for the driver",
            Unmet::AttacherThere => "an external-attacher works on the VolumeAttachment",
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
            Unmet::ClassExists => "the StorageClass was created already",
            Unmet::ClassMissing => "the StorageClass does not exist",
            Unmet::ClaimExists => "the claim exists, or did",
            Unmet::ClaimMissing => "the claim does not exist",
            Unmet::ClaimOfAnother => "a claim of that name belongs to somebody else",
            Unmet::ClaimDeleting => "the claim has a deletionTimestamp",
            Unmet::ClaimNotDeleting => "the claim has no deletionTimestamp",
            Unmet::ClaimNotProtected => "the claim lacks the finalizer",
            Unmet::ClaimInUse => "a Pod that has a Node uses the claim",
            Unmet::ClaimBound => "the claim is bound",
            Unmet::ClaimNotBound => "the claim is not bound",
            Unmet::ClaimLost => "the claim has lost its PersistentVolume",
            Unmet::ClaimNotReady => "the claim keeps the Pod from every Node",
            Unmet::VolumeExists => "the PersistentVolume exists, or did",
            Unmet::VolumeMissing => "the PersistentVolume does not exist",
            Unmet::VolumeBound => "the PersistentVolume is Bound",
            Unmet::VolumeNotBound => "the PersistentVolume is not Bound",
            Unmet::VolumeReleased => "the PersistentVolume is Released",
            Unmet::VolumeNotReleased => "the PersistentVolume is not Released",
            Unmet::VolumeAvailable => "the PersistentVolume is Available",
            Unmet::VolumeClaimed => "the PersistentVolume names a claim",
            Unmet::VolumeUnclaimed => "the PersistentVolume does not name the claim",
            Unmet::VolumeTaken => "the PersistentVolume is another claim's",
            Unmet::VolumeMismatched => "the PersistentVolume is not what the claim asks for",
            Unmet::VolumeFits => "there is a PersistentVolume to bind",
            Unmet::NoVolumeFits => "no PersistentVolume fits, and no class is set",
            Unmet::VolumeNotProtected => "the PersistentVolume lacks the finalizer",
            Unmet::VolumeRetained => "the PersistentVolume has the reclaim policy Retain",
            Unmet::VolumeNotRetained => "the PersistentVolume has the reclaim policy Delete",
            Unmet::AwaitsProvisioner => "the claim is for a provisioner",
            Unmet::AwaitsDefaultClass => "the claim is to get the default class",
            Unmet::ProvisionerAsked => "the provisioner is asked already",
            Unmet::ProvisionerNotAsked => "the claim has no annotation that asks a provisioner",
            Unmet::OtherProvisioner => "the class names another provisioner",
            Unmet::NothingToProvision => "the scenario has no volume for the claim, so add one",
            Unmet::TopologyKnown => "the topology of the selected Node is known",
            Unmet::TopologyUnknown => "the CSINode of the selected Node lacks the driver's topology",
            Unmet::DriverNotRegistered => "the driver is not in the CSINode",
            Unmet::NodeNotSelected => "no Node was selected for the claim",
            Unmet::NodeChosen => "the scheduler has chosen a Node, or another one",
            Unmet::NodeNotChosen => "the scheduler has chosen no Node",
            Unmet::NodeRefused => "the Node does not fit the Pod",
            Unmet::NodeFits => "a Node fits the Pod",
            Unmet::BindingUnderWay => "the claim is on its way to a volume",
            Unmet::InlineVolume => "the volume is declared inline in a Pod",
            Unmet::NodeNotAdmitted => "the PersistentVolume's node affinity does not admit the Node",
            Unmet::InUseByAnotherPod => "another Pod has the ReadWriteOncePod volume",
            Unmet::DriverRegistered => "the driver is in kubelet's list of registered drivers",
            Unmet::DriverNotEphemeral => "the CSIDriver does not list the mode Ephemeral",
            Unmet::NoRepublish => "the CSIDriver does not have requiresRepublish: true",
            Unmet::NoSuchError => "no such error is what stands in the way",
            Unmet::NotReadyToUnmount => "kubelet has just started and does not unmount yet",
            Unmet::NotReconstructed => "kubelet is not at this point of its start",
            Unmet::Reconstructed => "kubelet has looked at its disk since it started",
            Unmet::PopulatorBehind => "the populator has not been round since kubelet started",
            Unmet::MountedByOthers => "something is still mounted from the staging path",
            Unmet::NoVolumeData => "there is no vol_data.json beside what is mounted",
            Unmet::NoSocket => "the registrar's socket is not there",
            Unmet::Socket => "the registrar's socket is there",
            Unmet::VolumeNotOfClaim => "the PersistentVolume's spec.claimRef is not the claim",
            Unmet::NamespaceStays => "the namespace is not being deleted",
            Unmet::PodsLeft => "there are Pods left in the namespace",
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
            Unmet::SourceUsable => "the claim's source can be used",
            Unmet::SourceUnusable => "the claim's source cannot be used",
            Unmet::SourceProtected => "the claim's source is held",
            Unmet::SourceNotProtected => "the claim's source is not held",
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
