//! API objects on the volume path: the fields that some actor reads or writes.

use super::growth::{Backing, Growth};
use super::{Agent, ClaimId, ClassId, Failure, FinalizerSet, LateAtBackend, NodeId, VolumeId};

/// Whether an API object is there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Presence {
    /// Not created yet.
    #[default]
    NotYet,
    /// There.
    Here,
    /// There once, gone now.
    Gone,
}

/// `status.phase` of a Pod.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Phase {
    /// `Pending`
    #[default]
    Pending,
    /// `Running`
    Running,
    /// `Succeeded`
    Succeeded,
    /// `Failed`
    Failed,
}

/// How a container ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Exit {
    /// With code 0, in time.
    Completed,
    /// With another code, or killed at the end of the grace period.
    Error,
    /// It never ran.
    Unknown,
}

/// The state of a Pod's one container in `status.containerStatuses`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Container {
    /// No status written yet.
    #[default]
    None,
    /// `waiting`, reason `ContainerCreating`.
    Waiting,
    /// `running`
    Running,
    /// `terminated`
    Terminated(Exit),
}

/// What the container runtime does for a Pod; only its kubelet knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Runtime {
    /// Nothing started.
    #[default]
    Idle,
    /// The container runs.
    Running,
    /// The container was told to stop.
    Stopping,
    /// The container has ended, and kubelet has reported it.
    Ended,
    /// The image is there, and no status has been written yet.
    Creating,
}

/// A Pod object, and its containers on the Node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Pod {
    /// The object.
    pub presence: Presence,
    /// `spec.nodeName`
    pub node: Option<NodeId>,
    /// `metadata.deletionTimestamp` is set.
    pub deleting: bool,
    /// `status.phase`
    pub phase: Phase,
    /// `status.containerStatuses`
    pub container: Container,
    /// What really runs.
    pub runtime: Runtime,
    /// What kubelet has told of its volume that it could not process: a bit an error.
    pub told: u8,
    /// Taint eviction has it on its list.
    pub evicting: bool,
}

/// `status.phase` of a PersistentVolumeClaim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum ClaimPhase {
    /// `Pending`
    #[default]
    Pending,
    /// `Bound`
    Bound,
    /// `Lost`
    Lost,
}

/// A PersistentVolumeClaim object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Claim {
    /// The object.
    pub presence: Presence,
    /// `metadata.deletionTimestamp` is set.
    pub deleting: bool,
    /// `metadata.finalizers`
    pub finalizers: FinalizerSet,
    /// `status.phase`
    pub phase: ClaimPhase,
    /// `spec.storageClassName`
    pub class: Option<ClassId>,
    /// `spec.volumeName`
    pub volume: Option<VolumeId>,
    /// The annotation pv.kubernetes.io/bind-completed.
    pub bind_completed: bool,
    /// The annotation volume.kubernetes.io/storage-provisioner.
    pub provisioner: bool,
    /// The annotation volume.kubernetes.io/selected-node.
    pub selected: Option<NodeId>,
    /// `spec.resources.requests.storage` in GiB.
    pub request: u16,
    /// `status.capacity.storage` in GiB; 0 while there is none.
    pub capacity: u16,
    /// What tells of its expansion and its VolumeAttributesClass.
    pub growth: Growth,
}

/// `status.phase` of a PersistentVolume.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum VolumePhase {
    /// `Pending`
    #[default]
    Pending,
    /// `Available`
    Available,
    /// `Bound`
    Bound,
    /// `Released`
    Released,
    /// `Failed`
    Failed,
}

/// A PersistentVolume object, and its disk at the backend.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Volume {
    /// The object.
    pub presence: Presence,
    /// `metadata.deletionTimestamp` is set.
    pub deleting: bool,
    /// `metadata.finalizers`
    pub finalizers: FinalizerSet,
    /// `status.phase`
    pub phase: VolumePhase,
    /// `spec.claimRef`
    pub claim: Option<ClaimId>,
    /// `spec.capacity.storage` in GiB.
    pub capacity: u16,
    /// The disk is there.
    pub disk: bool,
    /// The one Node that `spec.nodeAffinity` admits, where the driver's reply to CreateVolume said so.
    pub node: Option<NodeId>,
    /// What has changed of the disk since then.
    pub backing: Backing,
    /// What the driver still does to the disk although its caller has given up.
    pub late: Option<LateAtBackend>,
}

/// A StorageClass object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Class {
    /// The object.
    pub presence: Presence,
}

/// A Node object with its CSINode.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Node {
    /// The driver is in the CSINode's `spec.drivers`.
    pub driver: bool,
    /// The Node object is gone.
    pub gone: bool,
    /// The CSINode object is gone.
    pub csi_node_gone: bool,
    /// The status of its condition `Ready`.
    pub ready: NodeReady,
    /// It has the taint `node.kubernetes.io/unreachable:NoSchedule`.
    pub no_schedule: bool,
    /// It has the taint `node.kubernetes.io/unreachable:NoExecute`.
    pub no_execute: bool,
    /// It has the taint `node.kubernetes.io/out-of-service:NoExecute`.
    pub out_of_service: bool,
    /// It has a taint `maintenance:NoSchedule`, which somebody has put there.
    pub tainted: bool,
    /// `capacity` of the CSIStorageCapacity for this Node, in GiB; `None` while there is none.
    pub capacity: Option<u16>,
    /// What its kubelet knows apart from volumes.
    pub agent: Agent,
}

/// The status of a Node's condition `Ready`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum NodeReady {
    /// `True`
    #[default]
    True,
    /// `False`: kubelet says that something is not right.
    False,
    /// `Unknown`: kubelet says nothing.
    Unknown,
}

/// `spec.source` of a VolumeAttachment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Source {
    /// A PersistentVolume's name.
    #[default]
    Volume,
    /// The volume's own spec.
    Inline,
    /// Both, which is wrong.
    Both,
    /// None, which is wrong too.
    None,
}

impl Source {
    /// Whether it names a PersistentVolume.
    pub fn names_volume(self) -> bool {
        match self {
            Source::Volume | Source::Both => true,
            Source::Inline | Source::None => false,
        }
    }
}

/// A VolumeAttachment object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Attachment {
    /// It is there.
    pub exists: bool,
    /// `metadata.deletionTimestamp` is set.
    pub deleting: bool,
    /// The external-attacher's finalizer is in `metadata.finalizers`.
    pub finalizer: bool,
    /// The annotation with the driver's id of the Node.
    pub node_id: bool,
    /// `status.attached`
    pub attached: bool,
    /// `status.attachError`
    pub attach_error: Option<Failure>,
    /// `status.detachError`
    pub detach_error: Option<Failure>,
    /// `spec.source`
    pub source: Source,
    /// `spec.attacher` names another driver.
    pub foreign: bool,
}
