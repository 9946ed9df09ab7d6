//! What changes in a run: API objects, what each actor remembers, the driver's truth, the Nodes' mounts.

use super::world::{MAX_NODES, MAX_PODS, MAX_VOLUMES};
use super::{Link, NodeId, PodId, PodSet, VolumeId};

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
}

/// A PersistentVolume object, bound from the start.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Volume {
    /// The external-attacher's finalizer is in `metadata.finalizers`.
    pub attacher_finalizer: bool,
    /// `metadata.deletionTimestamp` is set.
    pub deleting: bool,
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
}

/// The attach-detach controller's actual state of a volume on a Node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Actual {
    /// Not in its list.
    #[default]
    Detached,
    /// An operation failed: it may be attached or not.
    Uncertain,
    /// Attached, confirmed.
    Attached,
}

/// The attach-detach controller's operation on a volume and a Node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum AdcOperation {
    /// None.
    #[default]
    None,
    /// Attach: polling the VolumeAttachment for `status.attached`.
    Attach,
    /// Detach: about to check and delete the VolumeAttachment.
    Detach,
    /// Detach: polling until the VolumeAttachment is gone.
    AwaitGone,
}

/// What the attach-detach controller remembers of a volume and a Node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Adc {
    /// Desired state: the Pods on this Node that want the volume.
    pub wanted: PodSet,
    /// Actual state.
    pub actual: Actual,
    /// Its operation under way.
    pub operation: AdcOperation,
    /// To be listed in the Node's `status.volumesAttached`.
    pub reported: bool,
    /// It believes that the Node uses the volume.
    pub in_use: bool,
    /// The Multi-Attach event was sent for this desired entry.
    pub multi_attach_told: bool,
}

/// The external-attacher's work on a VolumeAttachment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Attacher {
    /// None.
    #[default]
    Idle,
    /// ControllerPublishVolume has left.
    PublishCalled,
    /// The driver has attached; its reply is under way.
    PublishDone,
    /// The reply is there.
    Published,
    /// None, but its informer may still show the VolumeAttachment as it was before `status.attached`.
    Lagging,
    /// ControllerPublishVolume has left once more, for that reason.
    RepeatCalled,
    /// ControllerUnpublishVolume has left.
    UnpublishCalled,
    /// The driver has detached; its reply is under way.
    UnpublishDone,
    /// The reply is there.
    Unpublished,
}

/// kubelet's operation on a volume; there is one at a time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum KubeletOperation {
    /// None.
    #[default]
    None,
    /// Mount for a Pod: attachment checked, device to be staged or volume to be published next.
    Mount(PodId),
    /// NodeStageVolume has left.
    StageCalled(PodId),
    /// The driver has staged; its reply is under way.
    StageDone(PodId),
    /// NodePublishVolume has left.
    PublishCalled(PodId),
    /// The driver has published; its reply is under way.
    PublishDone(PodId),
    /// NodeUnpublishVolume has left.
    UnpublishCalled(PodId),
    /// The driver has unpublished; its reply is under way.
    UnpublishDone(PodId),
    /// NodeUnstageVolume has left.
    UnstageCalled,
    /// The driver has unstaged; its reply is under way.
    UnstageDone,
}

/// What kubelet remembers of a volume on its Node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Kubelet {
    /// Desired state: the Pods that want the volume.
    pub wanted: PodSet,
    /// The desired entry was written to `status.volumesInUse`.
    pub reported_in_use: bool,
    /// Actual state: the volume is attached.
    pub attached: bool,
    /// Actual state: the device is staged.
    pub device: bool,
    /// Actual state: the Pods it is published to.
    pub mounted: PodSet,
    /// Its operation under way.
    pub operation: KubeletOperation,
}

/// What the driver did for a volume and a Node, and what the Node's kernel shows of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Real {
    /// The backend has attached the volume to the Node.
    pub published: bool,
    /// The Node has the volume's device.
    pub device: bool,
    /// The device is mounted at the staging path.
    pub staged: bool,
    /// The Pods at whose paths the volume is mounted.
    pub targets: PodSet,
}

/// Everything about one volume on one Node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Place {
    /// The VolumeAttachment.
    pub attachment: Attachment,
    /// In the Node's `status.volumesAttached`.
    pub listed: bool,
    /// In the Node's `status.volumesInUse`.
    pub in_use: bool,
    /// What the attach-detach controller remembers.
    pub adc: Adc,
    /// What the external-attacher is doing.
    pub attacher: Attacher,
    /// What the Node's kubelet remembers.
    pub kubelet: Kubelet,
    /// What is true.
    pub real: Real,
}

/// The state of a whole cluster.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Cluster {
    pods: [Pod; MAX_PODS],
    volumes: [Volume; MAX_VOLUMES],
    places: [[Place; MAX_NODES]; MAX_VOLUMES],
}

impl Cluster {
    /// A Pod.
    pub fn pod(&self, id: PodId) -> &Pod {
        &self.pods[slot(id.0, MAX_PODS)]
    }

    /// A Pod, to change.
    pub fn pod_mut(&mut self, id: PodId) -> &mut Pod {
        &mut self.pods[slot(id.0, MAX_PODS)]
    }

    /// A PersistentVolume.
    pub fn volume(&self, id: VolumeId) -> &Volume {
        &self.volumes[slot(id.0, MAX_VOLUMES)]
    }

    /// A PersistentVolume, to change.
    pub fn volume_mut(&mut self, id: VolumeId) -> &mut Volume {
        &mut self.volumes[slot(id.0, MAX_VOLUMES)]
    }

    /// A volume on a Node.
    pub fn place(&self, link: Link) -> &Place {
        &self.places[slot(link.volume.0, MAX_VOLUMES)][slot(link.node.0, MAX_NODES)]
    }

    /// A volume on a Node, to change.
    pub fn place_mut(&mut self, link: Link) -> &mut Place {
        &mut self.places[slot(link.volume.0, MAX_VOLUMES)][slot(link.node.0, MAX_NODES)]
    }
}

/// Where a thing stands. Ids are made by a `World`, which is never larger than these arrays; `min` tells the
/// compiler.
fn slot(number: u8, room: usize) -> usize {
    usize::from(number).min(room.saturating_sub(1))
}
