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
    /// The Pod's container does not end by itself.
    PodDoesNotComplete,
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
    /// The VolumeSnapshotContent is to be kept.
    ContentRetained,
    /// The selected Node is there.
    NodeThere,
    /// The driver has made what it was asked for.
    VolumeLargeEnough,
    /// The driver has made less than it was asked for.
    VolumeTooSmall,
    /// A secret that the PersistentVolume names is not there.
    SecretMissing,
    /// kubelet does not give the volume's files to the Pod's group.
    NoOwnerChange,
    /// The file system does not let kubelet give its files away.
    OwnerRefused,
    /// The volume is wanted with another SELinux label.
    OtherLabel,
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
