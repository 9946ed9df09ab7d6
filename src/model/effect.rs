//! What a rule does, in small ids: writes with their writer, calls, events, mounts and devices.

use super::NodeReady;
use super::attacher::Wrong;
use super::growth::Conditions;
pub use super::method::Method;
use super::nodes::TaintSet;
use super::{
    AccessMode, ActorId, AttributesId, ClaimId, ClaimPhase, ClassId, Code, Container, EventId, FaultId,
    FinalizerSet, Link, NodeId, ObjectId, Phase, PodId, SnapshotId, VolumeId, VolumePhase, VolumeSet,
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
    /// claim `spec.volumeMode`
    VolumeMode,
    /// StorageClass `provisioner`
    Provisioner,
    /// StorageClass `volumeBindingMode`
    BindingMode,
    /// StorageClass `reclaimPolicy`
    ClassReclaimPolicy,
    /// StorageClass `allowVolumeExpansion`
    Expansion,
    /// Node annotation with what drivers call the Node.
    NodeIdOnNode,
    /// claim annotation that nothing is left to do on a Node.
    NodeExpansionNotRequired,
    /// claim `status.currentVolumeAttributesClassName`
    CurrentAttributesClass,
    /// claim `status.modifyVolumeStatus.status`
    ModifyStatus,
    /// VolumeSnapshotContent annotation that the driver is at it.
    BeingCreated,
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
            Field::VolumeMode => "spec.volumeMode",
            Field::Provisioner => "provisioner",
            Field::BindingMode => "volumeBindingMode",
            Field::ClassReclaimPolicy => "reclaimPolicy",
            Field::Expansion => "allowVolumeExpansion",
            Field::NodeIdOnNode => "metadata.annotations[csi.volume.kubernetes.io/nodeid]",
            Field::NodeExpansionNotRequired => {
                "metadata.annotations[volume.kubernetes.io/node-expansion-not-required]"
            }
            Field::CurrentAttributesClass => "status.currentVolumeAttributesClassName",
            Field::ModifyStatus => "status.modifyVolumeStatus.status",
            Field::BeingCreated => {
                "metadata.annotations[snapshot.storage.kubernetes.io/volumesnapshot-being-created]"
            }
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
    /// The message of an error of attaching or detaching this.
    Failure(Failure, Link),
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
    /// The `provisioner` of a StorageClass.
    Provisioner(ClassId),
    /// A claim's conditions; absent when there are none.
    Conditions(Conditions),
    /// A VolumeAttributesClass's name.
    AttributesClass(AttributesId),
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
    /// The plugin's process is down: nobody listens on its socket.
    Unreachable,
    /// CreateVolume has made less than it was asked for.
    TooSmall,
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

impl About {
    /// The Node that it names, if it names one.
    pub fn node(self) -> Option<NodeId> {
        match self {
            About::Link(link) | About::Target(link, _) => Some(link.node),
            About::Node(node) => Some(node),
            About::Claim(_) | About::Volume(_) | About::Snapshot(_) => None,
        }
    }
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
    /// Where kubelet itself binds a raw device for one Pod.
    Map(PodId),
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
