//! Small numbers for the things of a world, so that a cluster's state is cheap to copy and compare.

use super::{Kind, Role};

/// A Pod of the world, by its place in [`World`](super::World).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PodId(pub(super) u8);

impl PodId {
    /// The Pod at this place in a world's list.
    pub fn of(place: usize) -> Option<Self> {
        u8::try_from(place).ok().map(Self)
    }
}

/// A Node of the world.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub(super) u8);

impl NodeId {
    /// The Node at this place in a world's list.
    pub fn of(place: usize) -> Option<Self> {
        u8::try_from(place).ok().map(Self)
    }
}

/// A PersistentVolumeClaim of the world.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ClaimId(pub(super) u8);

impl ClaimId {
    /// The claim at this place in a world's list.
    pub fn of(place: usize) -> Option<Self> {
        u8::try_from(place).ok().map(Self)
    }
}

/// A StorageClass of the world.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ClassId(pub(super) u8);

/// A VolumeSnapshot of the world, with its VolumeSnapshotContent and its snapshot at the backend.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SnapshotId(pub(super) u8);

/// A fault of the world's list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FaultId(pub(super) u8);

/// A volume of the world: one PersistentVolume and its disk at the backend, or the volume of an inline
/// ephemeral declaration, which has no PersistentVolume.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VolumeId(pub(super) u8);

/// A volume and a Node: what one VolumeAttachment is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Link {
    /// The volume.
    pub volume: VolumeId,
    /// The Node.
    pub node: NodeId,
}

impl Link {
    /// The volume and the Node at these places in a world's lists.
    pub fn of(volume: usize, node: usize) -> Option<Self> {
        Some(Self { volume: VolumeId(u8::try_from(volume).ok()?), node: NodeId::of(node)? })
    }
}

/// An actor: a role, and the Node it works on where there is one such actor a Node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ActorId {
    /// What it is.
    pub role: Role,
    /// The Node it belongs to; `None` for cluster-wide actors.
    pub node: Option<NodeId>,
}

impl ActorId {
    /// An actor that stands once in the cluster.
    pub const fn cluster(role: Role) -> Self {
        Self { role, node: None }
    }

    /// An actor of one Node.
    pub const fn on(role: Role, node: NodeId) -> Self {
        Self { role, node: Some(node) }
    }
}

/// An API object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ObjectId {
    /// A Pod.
    Pod(PodId),
    /// A PersistentVolumeClaim.
    Claim(ClaimId),
    /// A volume's PersistentVolume.
    Volume(VolumeId),
    /// The VolumeAttachment of a volume and a Node.
    Attachment(Link),
    /// A Node.
    Node(NodeId),
    /// A Node's CSINode.
    CsiNode(NodeId),
    /// The driver's CSIDriver.
    CsiDriver,
    /// A StorageClass.
    Class(ClassId),
    /// A VolumeSnapshot.
    Snapshot(SnapshotId),
    /// A VolumeSnapshot's VolumeSnapshotContent.
    SnapshotContent(SnapshotId),
}

impl ObjectId {
    /// The object's kind.
    pub fn kind(self) -> Kind {
        match self {
            ObjectId::Pod(_) => Kind::Pod,
            ObjectId::Claim(_) => Kind::PersistentVolumeClaim,
            ObjectId::Volume(_) => Kind::PersistentVolume,
            ObjectId::Attachment(_) => Kind::VolumeAttachment,
            ObjectId::Node(_) => Kind::Node,
            ObjectId::CsiNode(_) => Kind::CsiNode,
            ObjectId::CsiDriver => Kind::CsiDriver,
            ObjectId::Class(_) => Kind::StorageClass,
            ObjectId::Snapshot(_) => Kind::VolumeSnapshot,
            ObjectId::SnapshotContent(_) => Kind::VolumeSnapshotContent,
        }
    }
}

/// A VolumeAttributesClass of the world.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AttributesId(pub(super) u8);

/// A set of Pods.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct PodSet(u8);

impl PodSet {
    /// Whether no Pod is in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether this Pod is in it.
    pub fn contains(self, pod: PodId) -> bool {
        self.0 & bit(pod.0) != 0
    }

    /// Adds a Pod.
    pub fn insert(&mut self, pod: PodId) {
        self.0 |= bit(pod.0);
    }

    /// Takes a Pod out.
    pub fn remove(&mut self, pod: PodId) {
        self.0 &= !bit(pod.0);
    }

    /// The Pods of both.
    pub fn union(self, other: PodSet) -> PodSet {
        Self(self.0 | other.0)
    }
}

impl FromIterator<PodId> for PodSet {
    fn from_iter<I: IntoIterator<Item = PodId>>(pods: I) -> Self {
        pods.into_iter().fold(Self::default(), |set, pod| Self(set.0 | bit(pod.0)))
    }
}

/// A set of volumes, such as a Node's `status.volumesInUse`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct VolumeSet(u8);

impl VolumeSet {
    /// Whether no volume is in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether this volume is in it.
    pub fn contains(self, volume: VolumeId) -> bool {
        self.0 & bit(volume.0) != 0
    }

    /// Adds a volume.
    pub fn insert(&mut self, volume: VolumeId) {
        self.0 |= bit(volume.0);
    }

    /// Whether every volume of it is in the other.
    pub fn is_within(self, other: VolumeSet) -> bool {
        self.0 & !other.0 == 0
    }
}

impl FromIterator<VolumeId> for VolumeSet {
    fn from_iter<I: IntoIterator<Item = VolumeId>>(volumes: I) -> Self {
        volumes.into_iter().fold(Self(0), |set, v| Self(set.0 | bit(v.0)))
    }
}

/// The bit of the thing with this number; numbers stay below 8.
fn bit(number: u8) -> u8 {
    1_u8.wrapping_shl(u32::from(number))
}
