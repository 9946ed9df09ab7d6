//! What a rule does, in small ids: writes with their writer, calls, events, mounts and devices.

use super::cluster::{Container, Phase};
use super::{ActorId, Link, NodeId, ObjectId, PodId, PodSet, VolumeId, VolumeSet};

/// A field of an API object that some rule writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Field {
    /// Pod `spec.nodeName`
    NodeName,
    /// Pod `status.phase`
    Phase,
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
    /// Node `status.volumesAttached`
    VolumesAttached,
    /// Node `status.volumesInUse`
    VolumesInUse,
}

impl Field {
    /// The field's path.
    pub fn path(self) -> &'static str {
        match self {
            Field::NodeName | Field::AttachmentNode => "spec.nodeName",
            Field::Phase => "status.phase",
            Field::ContainerStatuses => "status.containerStatuses",
            Field::DeletionTimestamp => "metadata.deletionTimestamp",
            Field::Finalizers => "metadata.finalizers",
            Field::AttacherName => "spec.attacher",
            Field::SourceVolume => "spec.source.persistentVolumeName",
            Field::NodeIdAnnotation => "metadata.annotations[csi.alpha.kubernetes.io/node-id]",
            Field::Attached => "status.attached",
            Field::VolumesAttached => "status.volumesAttached",
            Field::VolumesInUse => "status.volumesInUse",
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
    /// The finalizers of a PersistentVolume, with or without the external-attacher's.
    VolumeFinalizers(VolumeId, bool),
    /// The external-attacher's finalizer alone.
    AttacherFinalizer,
    /// Unique volume names.
    Volumes(VolumeSet),
    /// A Pod's phase.
    Phase(Phase),
    /// A container's state.
    Container(Container),
}

/// A CSI method.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Method {
    /// CSI "ControllerPublishVolume"
    ControllerPublishVolume,
    /// CSI "ControllerUnpublishVolume"
    ControllerUnpublishVolume,
    /// CSI "NodeStageVolume"
    NodeStageVolume,
    /// CSI "NodeUnstageVolume"
    NodeUnstageVolume,
    /// CSI "NodePublishVolume"
    NodePublishVolume,
    /// CSI "NodeUnpublishVolume"
    NodeUnpublishVolume,
}

impl Method {
    /// The method's name in the CSI specification.
    pub fn name(self) -> &'static str {
        match self {
            Method::ControllerPublishVolume => "ControllerPublishVolume",
            Method::ControllerUnpublishVolume => "ControllerUnpublishVolume",
            Method::NodeStageVolume => "NodeStageVolume",
            Method::NodeUnstageVolume => "NodeUnstageVolume",
            Method::NodePublishVolume => "NodePublishVolume",
            Method::NodeUnpublishVolume => "NodeUnpublishVolume",
        }
    }
}

/// A Kubernetes Event that some rule sends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum EventId {
    /// The scheduler bound the Pod to this Node.
    Scheduled(NodeId),
    /// The attach-detach controller saw the volume attached.
    SuccessfulAttachVolume(VolumeId),
    /// The volume is attached to another Node, where these Pods use it.
    MultiAttach(VolumeId, PodSet),
    /// kubelet found the image.
    Pulled,
    /// kubelet created the container.
    Created,
    /// kubelet started the container.
    Started,
    /// kubelet told the container to stop.
    Killing,
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
    /// A CSI call left (`replied: false`), or its reply, `OK`, arrived.
    Call {
        /// The method.
        method: Method,
        /// The volume and the Node.
        link: Link,
        /// The Pod it is for, where the method names a target path.
        pod: Option<PodId>,
        /// Who called.
        caller: ActorId,
        /// Who answers.
        callee: ActorId,
        /// Whether this is the reply.
        replied: bool,
    },
    /// An Event about a Pod.
    Event {
        /// The Pod.
        pod: PodId,
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
