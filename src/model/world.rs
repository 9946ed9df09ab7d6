//! What does not change in a run: the names of Pods, Nodes and volumes, and what the driver can do.

use super::names;
use super::{Actor, ActorId, Link, NodeId, ObjectId, ObjectRef, PodId, VolumeId};
use std::fmt;

/// The most Pods a world may have.
pub const MAX_PODS: usize = 2;
/// The most Nodes a world may have.
pub const MAX_NODES: usize = 2;
/// The most volumes a world may have.
pub const MAX_VOLUMES: usize = 1;

/// How a volume may be mounted; the claim, the PersistentVolume and the attach-detach controller share it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AccessMode {
    /// By one Node at a time.
    ReadWriteOnce,
    /// By many Nodes, read-only.
    ReadOnlyMany,
    /// By many Nodes.
    ReadWriteMany,
    /// By one Pod at a time.
    ReadWriteOncePod,
}

impl AccessMode {
    /// The mode as manifests spell it.
    pub fn name(self) -> &'static str {
        match self {
            AccessMode::ReadWriteOnce => "ReadWriteOnce",
            AccessMode::ReadOnlyMany => "ReadOnlyMany",
            AccessMode::ReadWriteMany => "ReadWriteMany",
            AccessMode::ReadWriteOncePod => "ReadWriteOncePod",
        }
    }

    /// Whether the attach-detach controller may attach the volume to a second Node (rule AD11).
    ///
    /// Source: pkg/volume/util/util.go `IsMultiAttachAllowed`.
    pub fn allows_many_nodes(self) -> bool {
        match self {
            AccessMode::ReadOnlyMany | AccessMode::ReadWriteMany => true,
            AccessMode::ReadWriteOnce | AccessMode::ReadWriteOncePod => false,
        }
    }
}

/// A Pod with one volume.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PodSpec {
    /// `metadata.name`
    pub name: String,
    /// `metadata.uid`
    pub uid: String,
    /// Its container's name.
    pub container: String,
    /// Its container's image.
    pub image: String,
}

/// A claim, the PersistentVolume it is bound to, and its disk at the backend.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VolumeSpec {
    /// The claim's `metadata.name`.
    pub claim: String,
    /// The PersistentVolume's `metadata.name`.
    pub pv: String,
    /// `spec.csi.volumeHandle`
    pub handle: String,
    /// The one mode in `spec.accessModes`.
    pub access_mode: AccessMode,
    /// The finalizers that the PersistentVolume has before the first attach.
    pub finalizers: Vec<String>,
}

/// A Node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeSpec {
    /// `metadata.name`
    pub name: String,
    /// What the driver calls this Node: `nodeID` of its CSINode entry.
    pub driver_id: String,
}

/// A CSI driver and its capabilities.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Driver {
    /// Its name.
    pub name: String,
    /// `spec.attachRequired` of its CSIDriver object.
    pub attach_required: bool,
    /// Whether its controller plugin has PUBLISH_UNPUBLISH_VOLUME.
    pub controller_publish: bool,
    /// Whether its node plugin has STAGE_UNSTAGE_VOLUME.
    pub node_stage: bool,
}

/// The immutable side of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct World {
    namespace: String,
    driver: Driver,
    volume: VolumeSpec,
    nodes: Vec<NodeSpec>,
    pods: Vec<PodSpec>,
}

/// Why a world cannot be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorldError {
    /// Too many or no Pods.
    Pods(usize),
    /// Too many or no Nodes.
    Nodes(usize),
}

impl fmt::Display for WorldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WorldError::Pods(n) => {
                write!(f, "a world has 1 to {MAX_PODS} Pods, so leave some out: {n} given")
            }
            WorldError::Nodes(n) => {
                write!(f, "a world has 1 to {MAX_NODES} Nodes, so leave some out: {n} given")
            }
        }
    }
}

impl std::error::Error for WorldError {}

impl World {
    /// A world whose Pods all use the one volume.
    ///
    /// # Errors
    /// When there are no Pods or Nodes, or more than a [`Cluster`](super::Cluster) has room for.
    pub fn new(
        namespace: &str,
        driver: Driver,
        volume: VolumeSpec,
        nodes: Vec<NodeSpec>,
        pods: Vec<PodSpec>,
    ) -> Result<Self, WorldError> {
        if !(1..=MAX_PODS).contains(&pods.len()) {
            return Err(WorldError::Pods(pods.len()));
        }
        if !(1..=MAX_NODES).contains(&nodes.len()) {
            return Err(WorldError::Nodes(nodes.len()));
        }
        Ok(Self { namespace: namespace.into(), driver, volume, nodes, pods })
    }

    /// The namespace of Pods and claim.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The driver.
    pub fn driver(&self) -> &Driver {
        &self.driver
    }

    /// Every Pod, in order.
    pub fn pods(&self) -> impl Iterator<Item = PodId> + use<> {
        (0..self.pods.len() as u8).map(PodId)
    }

    /// Every Node, in order.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u8).map(NodeId)
    }

    /// Every volume, in order.
    pub fn volumes(&self) -> impl Iterator<Item = VolumeId> + use<> {
        (0..MAX_VOLUMES as u8).map(VolumeId)
    }

    /// Every pair of a volume and a Node, in order.
    pub fn links(&self) -> impl Iterator<Item = Link> + use<> {
        let nodes = self.nodes.len() as u8;
        self.volumes().flat_map(move |volume| (0..nodes).map(move |node| Link { volume, node: NodeId(node) }))
    }

    /// The volume that a Pod uses.
    pub fn volume_of(&self, _: PodId) -> VolumeId {
        VolumeId(0)
    }

    /// The volume's names; the world has one.
    pub fn volume(&self, _: VolumeId) -> &VolumeSpec {
        &self.volume
    }

    /// A Pod's names.
    pub fn pod(&self, pod: PodId) -> &PodSpec {
        &self.pods[usize::from(pod.0) % self.pods.len()]
    }

    /// A Node's names.
    pub fn node(&self, node: NodeId) -> &NodeSpec {
        &self.nodes[usize::from(node.0) % self.nodes.len()]
    }

    /// The Pod of this name.
    pub fn pod_named(&self, name: &str) -> Option<PodId> {
        self.pods().find(|p| self.pod(*p).name == name)
    }

    /// The Node of this name.
    pub fn node_named(&self, name: &str) -> Option<NodeId> {
        self.nodes().find(|n| self.node(*n).name == name)
    }

    /// The name that `volumesAttached` and `volumesInUse` give a volume.
    pub fn unique_volume_name(&self, volume: VolumeId) -> String {
        names::unique_volume_name(&self.driver.name, &self.volume(volume).handle)
    }

    /// An object's kind and name.
    pub fn object(&self, object: ObjectId) -> ObjectRef {
        let name = match object {
            ObjectId::Pod(pod) => self.pod(pod).name.clone(),
            ObjectId::Claim(volume) => self.volume(volume).claim.clone(),
            ObjectId::Volume(volume) => self.volume(volume).pv.clone(),
            ObjectId::Attachment(link) => names::attachment_name(
                &self.volume(link.volume).handle,
                &self.driver.name,
                &self.node(link.node).name,
            ),
            ObjectId::Node(node) => self.node(node).name.clone(),
        };
        ObjectRef { kind: object.kind(), name }
    }

    /// An actor with its Node's name.
    pub fn actor(&self, actor: ActorId) -> Actor {
        Actor { role: actor.role, node: actor.node.map(|n| self.node(n).name.clone()) }
    }
}
