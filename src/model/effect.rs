//! What a rule does, in small ids: writes with their writer, calls, events, mounts and devices.

use super::NodeReady;
use super::attacher::Wrong;
use super::nodes::TaintSet;
use super::{
    AccessMode, ActorId, ClaimId, ClaimPhase, ClassId, Code, Container, EventId, FaultId, FinalizerSet, Link,
    NodeId, ObjectId, Phase, PodId, SnapshotId, VolumeId, VolumePhase, VolumeSet,
};

/// A field of an API object that some rule writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Field {
    /// Pod `spec.nodeName`
    NodeName,
    /// Pod, claim, PersistentVolume `status.phase`
    Phase,
    /// Pod `status.reason`
    Reason,
    /// Pod `status.containerStatuses`
    ContainerStatuses,
    /// `metadata.deletionTimestamp`
    DeletionTimestamp,
    /// `metadata.finalizers`
    Finalizers,
    /// VolumeAttachment `spec.attacher`
    AttacherName,
    /// VolumeAttachment `spec.nodeName`
    AttachmentNode,
    /// VolumeAttachment `spec.source.persistentVolumeName`
    SourceVolume,
    /// VolumeAttachment annotation with the driver's id of the Node.
    NodeIdAnnotation,
    /// VolumeAttachment `status.attached`
    Attached,
    /// VolumeAttachment `status.attachError`
    AttachError,
    /// VolumeAttachment `status.detachError`
    DetachError,
    /// Node `status.volumesAttached`
    VolumesAttached,
    /// Node `status.volumesInUse`
    VolumesInUse,
    /// Node `status.conditions`, `Ready`
    Ready,
    /// Node `spec.taints`
    Taints,
    /// CSINode `spec.drivers`
    Drivers,
    /// claim `spec.storageClassName`
    ClassName,
    /// claim, PersistentVolume `spec.accessModes`
    AccessModes,
    /// claim `spec.volumeName`
    VolumeName,
    /// claim annotation that the binding is complete.
    BindCompleted,
    /// claim annotation with the driver that is to provision.
    StorageProvisioner,
    /// claim annotation with the Node that the scheduler chose.
    SelectedNode,
    /// claim `spec.resources.requests.storage`
    Request,
    /// claim `status.capacity.storage`
    StatusCapacity,
    /// claim `status.allocatedResourceStatuses.storage`
    AllocatedStatus,
    /// claim `status.conditions`
    Conditions,
    /// claim `spec.volumeAttributesClassName`
    AttributesClass,
    /// PersistentVolume `spec.capacity.storage`
    Capacity,
    /// PersistentVolume `spec.claimRef`
    ClaimRef,
    /// PersistentVolume `spec.csi.driver`
    CsiDriverName,
    /// PersistentVolume `spec.csi.volumeHandle`
    VolumeHandle,
    /// PersistentVolume annotation with the driver that made it.
    ProvisionedBy,
    /// PersistentVolume `spec.persistentVolumeReclaimPolicy`
    ReclaimPolicy,
    /// VolumeSnapshot `status.boundVolumeSnapshotContentName`
    BoundContent,
    /// VolumeSnapshot, VolumeSnapshotContent `status.readyToUse`
    ReadyToUse,
    /// VolumeSnapshotContent `status.snapshotHandle`
    SnapshotHandle,
}

impl Field {
    /// The field's path.
    pub fn path(self) -> &'static str {
        match self {
            Field::NodeName | Field::AttachmentNode => "spec.nodeName",
            Field::Phase => "status.phase",
            Field::Reason => "status.reason",
            Field::ContainerStatuses => "status.containerStatuses",
            Field::DeletionTimestamp => "metadata.deletionTimestamp",
            Field::Finalizers => "metadata.finalizers",
            Field::AttacherName => "spec.attacher",
            Field::SourceVolume => "spec.source.persistentVolumeName",
            Field::NodeIdAnnotation => "metadata.annotations[csi.alpha.kubernetes.io/node-id]",
            Field::Attached => "status.attached",
            Field::AttachError => "status.attachError",
            Field::DetachError => "status.detachError",
            Field::VolumesAttached => "status.volumesAttached",
            Field::VolumesInUse => "status.volumesInUse",
            Field::Ready => "status.condition Ready",
            Field::Taints => "spec.taints",
            Field::Drivers => "spec.drivers",
            Field::ClassName => "spec.storageClassName",
            Field::AccessModes => "spec.accessModes",
            Field::VolumeName => "spec.volumeName",
            Field::BindCompleted => "metadata.annotations[pv.kubernetes.io/bind-completed]",
            Field::StorageProvisioner => "metadata.annotations[volume.kubernetes.io/storage-provisioner]",
            Field::SelectedNode => "metadata.annotations[volume.kubernetes.io/selected-node]",
            Field::Request => "spec.resources.requests.storage",
            Field::StatusCapacity => "status.capacity.storage",
            Field::AllocatedStatus => "status.allocatedResourceStatuses.storage",
            Field::Conditions => "status.conditions",
            Field::AttributesClass => "spec.volumeAttributesClassName",
            Field::Capacity => "spec.capacity.storage",
            Field::ClaimRef => "spec.claimRef",
            Field::CsiDriverName => "spec.csi.driver",
            Field::VolumeHandle => "spec.csi.volumeHandle",
            Field::ProvisionedBy => "metadata.annotations[pv.kubernetes.io/provisioned-by]",
            Field::ReclaimPolicy => "spec.persistentVolumeReclaimPolicy",
            Field::BoundContent => "status.boundVolumeSnapshotContentName",
            Field::ReadyToUse => "status.readyToUse",
            Field::SnapshotHandle => "status.snapshotHandle",
        }
    }
}

/// The value of a field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    /// The field is not there.
    Absent,
    /// It is there; which time it holds does not matter.
    Set,
    /// `true` or `false`
    Bool(bool),
    /// A Node's name.
    Node(NodeId),
    /// The driver's id of a Node.
    DriverNodeId(NodeId),
    /// The driver's name.
    DriverName,
    /// A PersistentVolume's name.
    VolumeName(VolumeId),
    /// A claim's name, with its namespace.
    ClaimName(ClaimId),
    /// A StorageClass's name.
    ClassName(ClassId),
    /// A volume's handle.
    Handle(VolumeId),
    /// The handle of a snapshot.
    SnapshotHandle(SnapshotId),
    /// The name of a VolumeSnapshotContent.
    ContentName(SnapshotId),
    /// Finalizers; absent when there are none.
    Finalizers(FinalizerSet),
    /// An access mode.
    Mode(AccessMode),
    /// So many GiB.
    Size(u16),
    /// What is written the same in every world, such as `yes`.
    Text(&'static str),
    /// A claim's phase.
    ClaimPhase(ClaimPhase),
    /// A PersistentVolume's phase.
    VolumePhase(VolumePhase),
    /// The message of an error.
    Failure(Failure),
    /// Unique volume names.
    Volumes(VolumeSet),
    /// A Pod's phase.
    Phase(Phase),
    /// A container's state.
    Container(Container),
    /// The status of a Node's condition `Ready`.
    Ready(NodeReady),
    /// A Node's taints.
    Taints(TaintSet),
}

/// A CSI method.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Method {
    /// CSI "CreateVolume"
    CreateVolume,
    /// CSI "DeleteVolume"
    DeleteVolume,
    /// CSI "ControllerPublishVolume"
    ControllerPublishVolume,
    /// CSI "ControllerUnpublishVolume"
    ControllerUnpublishVolume,
    /// CSI "ControllerExpandVolume"
    ControllerExpandVolume,
    /// CSI "ControllerModifyVolume"
    ControllerModifyVolume,
    /// CSI "CreateSnapshot"
    CreateSnapshot,
    /// CSI "DeleteSnapshot"
    DeleteSnapshot,
    /// CSI "NodeStageVolume"
    NodeStageVolume,
    /// CSI "NodeUnstageVolume"
    NodeUnstageVolume,
    /// CSI "NodePublishVolume"
    NodePublishVolume,
    /// CSI "NodeUnpublishVolume"
    NodeUnpublishVolume,
    /// CSI "NodeExpandVolume"
    NodeExpandVolume,
    /// CSI "NodeGetInfo"
    NodeGetInfo,
}

impl Method {
    /// Every method.
    pub const ALL: [Method; 14] = [
        Method::CreateVolume,
        Method::DeleteVolume,
        Method::ControllerPublishVolume,
        Method::ControllerUnpublishVolume,
        Method::ControllerExpandVolume,
        Method::ControllerModifyVolume,
        Method::CreateSnapshot,
        Method::DeleteSnapshot,
        Method::NodeStageVolume,
        Method::NodeUnstageVolume,
        Method::NodePublishVolume,
        Method::NodeUnpublishVolume,
        Method::NodeExpandVolume,
        Method::NodeGetInfo,
    ];

    /// The method's name in the CSI specification.
    pub fn name(self) -> &'static str {
        match self {
            Method::CreateVolume => "CreateVolume",
            Method::DeleteVolume => "DeleteVolume",
            Method::ControllerPublishVolume => "ControllerPublishVolume",
            Method::ControllerUnpublishVolume => "ControllerUnpublishVolume",
            Method::ControllerExpandVolume => "ControllerExpandVolume",
            Method::ControllerModifyVolume => "ControllerModifyVolume",
            Method::CreateSnapshot => "CreateSnapshot",
            Method::DeleteSnapshot => "DeleteSnapshot",
            Method::NodeStageVolume => "NodeStageVolume",
            Method::NodeUnstageVolume => "NodeUnstageVolume",
            Method::NodePublishVolume => "NodePublishVolume",
            Method::NodeUnpublishVolume => "NodeUnpublishVolume",
            Method::NodeExpandVolume => "NodeExpandVolume",
            Method::NodeGetInfo => "NodeGetInfo",
        }
    }

    /// Whether the node plugin answers it; else the controller plugin does.
    pub fn is_of_node(self) -> bool {
        match self {
            Method::NodeStageVolume
            | Method::NodeUnstageVolume
            | Method::NodePublishVolume
            | Method::NodeUnpublishVolume
            | Method::NodeExpandVolume
            | Method::NodeGetInfo => true,
            Method::CreateVolume
            | Method::DeleteVolume
            | Method::ControllerPublishVolume
            | Method::ControllerUnpublishVolume
            | Method::ControllerExpandVolume
            | Method::ControllerModifyVolume
            | Method::CreateSnapshot
            | Method::DeleteSnapshot => false,
        }
    }
}

/// Why something did not succeed, as small as an id; a world spells its message out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Failure {
    /// A fault of the world's list answered.
    Fault(FaultId),
    /// The caller's deadline passed.
    Deadline,
    /// The driver itself answers with this code, as its state demands.
    Driver(Code),
    /// The external-attacher cannot go on with a volume and a Node, or the driver will not.
    Attach(Wrong, Link),
}

/// What a call is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum About {
    /// A volume that a claim asks for.
    Claim(ClaimId),
    /// A volume.
    Volume(VolumeId),
    /// A volume and a Node.
    Link(Link),
    /// A volume's path for a Pod on a Node.
    Target(Link, PodId),
    /// A snapshot.
    Snapshot(SnapshotId),
    /// A Node.
    Node(NodeId),
}

/// The reply to a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Reply {
    /// Code `OK`.
    Ok,
    /// An error.
    Failed(Failure),
}

/// A path on a Node where a volume is mounted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum MountPoint {
    /// The volume's one staging path on the Node.
    Staging,
    /// The volume's path for one Pod.
    Target(PodId),
}

/// One thing that an action did.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Change {
    /// A field got another value.
    Write {
        /// The object.
        object: ObjectId,
        /// The field.
        field: Field,
        /// The value before.
        from: Value,
        /// The value after.
        to: Value,
        /// Who wrote it.
        by: ActorId,
    },
    /// An API object came to be.
    Create {
        /// The object.
        object: ObjectId,
        /// Who created it.
        by: ActorId,
    },
    /// An API object is gone.
    Delete {
        /// The object.
        object: ObjectId,
        /// Whose write let it go.
        by: ActorId,
    },
    /// A CSI call left (`reply: None`), or its reply arrived.
    Call {
        /// The method.
        method: Method,
        /// What it is about.
        about: About,
        /// Who called.
        caller: ActorId,
        /// Who answers.
        callee: ActorId,
        /// The reply.
        reply: Option<Reply>,
    },
    /// An Event about an object.
    Event {
        /// The object.
        object: ObjectId,
        /// Which event.
        event: EventId,
        /// Who reported it.
        by: ActorId,
    },
    /// A mount appeared, or (`present: false`) went.
    Mount {
        /// The volume and the Node.
        link: Link,
        /// Where.
        at: MountPoint,
        /// Whether it is there now.
        present: bool,
    },
    /// The volume's device appeared on the Node, or (`present: false`) went.
    Device {
        /// The volume and the Node.
        link: Link,
        /// Whether it is there now.
        present: bool,
    },
}
