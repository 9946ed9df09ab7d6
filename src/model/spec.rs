//! The parts of a world: classes, claims, volumes, Nodes, Pods, snapshots and the driver, as their manifests say.

/// How a volume may be mounted; the claim, the PersistentVolume and the attach-detach controller share it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum AccessMode {
    /// By one Node at a time.
    #[default]
    ReadWriteOnce,
    /// By many Nodes, read-only.
    ReadOnlyMany,
    /// By many Nodes.
    ReadWriteMany,
    /// By one Pod at a time.
    ReadWriteOncePod,
}

impl AccessMode {
    /// Every mode.
    pub const ALL: [AccessMode; 4] = [
        AccessMode::ReadWriteOnce,
        AccessMode::ReadOnlyMany,
        AccessMode::ReadWriteMany,
        AccessMode::ReadWriteOncePod,
    ];

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

/// `spec.volumeMode`
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum VolumeMode {
    /// A file system, mounted as a directory.
    #[default]
    Filesystem,
    /// A raw device.
    Block,
}

impl VolumeMode {
    /// Its name as manifests spell it.
    pub fn name(self) -> &'static str {
        match self {
            VolumeMode::Filesystem => "Filesystem",
            VolumeMode::Block => "Block",
        }
    }
}

/// `volumeBindingMode` of a StorageClass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum BindingMode {
    /// Provision and bind as soon as the claim is there.
    #[default]
    Immediate,
    /// Wait until a Pod that uses the claim is scheduled.
    WaitForFirstConsumer,
}

impl BindingMode {
    /// Its name as manifests spell it.
    pub fn name(self) -> &'static str {
        match self {
            BindingMode::Immediate => "Immediate",
            BindingMode::WaitForFirstConsumer => "WaitForFirstConsumer",
        }
    }
}

/// `reclaimPolicy` of a StorageClass, `spec.persistentVolumeReclaimPolicy` of a PersistentVolume.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Reclaim {
    /// The volume is deleted when its claim is gone.
    #[default]
    Delete,
    /// It is kept.
    Retain,
}

impl Reclaim {
    /// Its name as manifests spell it.
    pub fn name(self) -> &'static str {
        match self {
            Reclaim::Delete => "Delete",
            Reclaim::Retain => "Retain",
        }
    }
}

/// A Pod with one volume.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PodSpec {
    /// `metadata.name`
    pub name: String,
    /// `metadata.uid`
    pub uid: String,
    /// Its container's name.
    pub container: String,
    /// Its container's image.
    pub image: String,
    /// Where its one volume comes from.
    pub source: PodVolume,
    /// `spec.nodeName` in its manifest: such a Pod passes the scheduler by; a Node's place in the world.
    pub node: Option<usize>,
    /// `spec.securityContext.fsGroup` is set.
    pub fs_group: bool,
    /// The volume is mounted read-only.
    pub read_only: bool,
    /// `metadata.namespace`, where it is another than the world's.
    pub namespace: Option<String>,
    /// The Nodes that `spec.nodeSelector` and `spec.affinity` admit, by their places in the world; `None` admits
    /// every Node.
    pub selector: Option<Vec<usize>>,
    /// The volume's name in `spec.volumes`.
    pub volume_name: String,
    /// Its container may end by itself, with code 0, and is not started again.
    pub completes: bool,
    /// The SELinux label that `spec.securityContext.seLinuxOptions` gives its files.
    pub se_linux: Option<String>,
}

/// Where a Pod's volume comes from; numbers are places in the world's lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PodVolume {
    /// A claim in `persistentVolumeClaim`.
    Claim(usize),
    /// A claim made from the template in `ephemeral`; it is the Pod's own.
    Ephemeral(usize),
    /// The driver itself, in `csi`: a volume without claim and PersistentVolume.
    Inline(usize),
}

impl Default for PodVolume {
    fn default() -> Self {
        PodVolume::Claim(0)
    }
}

/// A StorageClass.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassSpec {
    /// `metadata.name`
    pub name: String,
    /// `provisioner`; it may be no driver that is there.
    pub provisioner: String,
    /// `volumeBindingMode`
    pub binding: BindingMode,
    /// `reclaimPolicy`
    pub reclaim: Reclaim,
    /// `allowVolumeExpansion`
    pub expansion: bool,
    /// It has the annotation of the default class.
    pub default: bool,
    /// The Nodes that `allowedTopologies` admits, by their places in the world; `None` admits every Node.
    pub topology: Option<Vec<usize>>,
    /// It is there at the start; else the user creates it.
    pub given: bool,
}

/// What a new volume is filled with; numbers are places in the world's lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataSource {
    /// A VolumeSnapshot.
    Snapshot(usize),
    /// A VolumeSnapshot that does not exist.
    MissingSnapshot,
    /// Another claim's volume.
    Claim(usize),
}

/// A PersistentVolumeClaim.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClaimSpec {
    /// `metadata.name`
    pub name: String,
    /// `metadata.uid`
    pub uid: String,
    /// `spec.storageClassName`: a class's place in the world.
    pub class: Option<usize>,
    /// The one mode in `spec.accessModes`.
    pub access_mode: AccessMode,
    /// `spec.volumeMode`
    pub mode: VolumeMode,
    /// `spec.resources.requests.storage` in GiB when it is created.
    pub request: u16,
    /// `spec.volumeName` when it is created: a volume's place in the world.
    pub volume_name: Option<usize>,
    /// `spec.dataSource`
    pub source: Option<DataSource>,
    /// Already there and bound to `volume_name` at the start.
    pub given: bool,
    /// Nobody ever deletes it or its PersistentVolume, so that no controller has anything to do about them.
    pub kept: bool,
    /// The sizes in GiB that its user may ask for later.
    pub resizes: Vec<u16>,
    /// The name that `spec.dataSource` holds where the world has no such thing.
    pub source_name: String,
    /// `spec.volumeAttributesClassName` when it is created: a class's place in the world.
    pub attributes: Option<usize>,
}

/// Where a volume comes from; numbers are places in the world's lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// external-provisioner makes it for this claim.
    Provisioned(usize),
    /// An administrator creates the PersistentVolume for a disk that exists.
    Static,
    /// It lives and dies with this Pod, which declares it inline.
    Inline(usize),
}

impl Default for Origin {
    fn default() -> Self {
        Origin::Provisioned(0)
    }
}

/// A PersistentVolume and its disk at the backend.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VolumeSpec {
    /// The PersistentVolume's `metadata.name`; of an inline volume, the name in the Pod's `spec.volumes`.
    pub pv: String,
    /// `spec.csi.volumeHandle`
    pub handle: String,
    /// The one mode in `spec.accessModes`.
    pub access_mode: AccessMode,
    /// `spec.volumeMode`
    pub mode: VolumeMode,
    /// `spec.capacity.storage` in GiB.
    pub capacity: u16,
    /// `spec.storageClassName`: a class's place in the world.
    pub class: Option<usize>,
    /// `spec.persistentVolumeReclaimPolicy`
    pub reclaim: Reclaim,
    /// Where it comes from.
    pub origin: Origin,
    /// The Nodes that `spec.nodeAffinity` admits, by their places in the world; `None` admits every Node.
    pub affinity: Option<Vec<usize>>,
    /// `spec.csi.fsType` is set.
    pub fs_type: bool,
    /// Further modes in `spec.accessModes`.
    pub more_modes: Vec<AccessMode>,
    /// `spec.accessModes` is empty.
    pub no_modes: bool,
    /// `spec.csi.readOnly`
    pub read_only: bool,
    /// `spec.csi.controllerPublishSecretRef` as `NAMESPACE/NAME`.
    pub publish_secret: Option<String>,
    /// The secrets that it names do not exist at the start.
    pub secret_missing: bool,
    /// The backend has no disk of this handle, or no more.
    pub disk_missing: bool,
    /// `spec.csi.nodeStageSecretRef` as `NAMESPACE/NAME`.
    pub stage_secret: Option<String>,
    /// `spec.csi.nodePublishSecretRef` as `NAMESPACE/NAME`.
    pub node_publish_secret: Option<String>,
    /// The size in GiB of what the driver makes, where that is less than it is asked for.
    pub made: Option<u16>,
    /// What the file system says when kubelet gives its files to the Pod's group, where it does not let it.
    pub owner_error: Option<String>,
    /// How long kubelet takes to give its files to the Pod's group, in seconds.
    pub owner_seconds: u16,
}

impl VolumeSpec {
    /// `spec.accessModes`
    pub fn modes(&self) -> Vec<AccessMode> {
        if self.no_modes {
            return Vec::new();
        }
        std::iter::once(self.access_mode).chain(self.more_modes.iter().copied()).collect()
    }
}

/// A Node.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NodeSpec {
    /// `metadata.name`
    pub name: String,
    /// What the driver calls this Node: `nodeID` of its CSINode entry.
    pub driver_id: String,
    /// `allocatable.count` of its CSINode entry.
    pub limit: Option<u8>,
    /// The driver is not registered here at the start.
    pub unregistered: bool,
    /// What GetCapacity answers for this Node while nothing is provisioned there, in GiB; `None` has no end.
    pub pool: Option<u16>,
}

/// A VolumeSnapshot of a claim.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SnapshotSpec {
    /// `metadata.name`
    pub name: String,
    /// `metadata.uid`
    pub uid: String,
    /// The claim it is taken of: its place in the world.
    pub claim: usize,
    /// `status.snapshotHandle` of its content.
    pub handle: String,
    /// The `deletionPolicy` of its VolumeSnapshotClass is `Retain`: its content outlives it.
    pub retain: bool,
}
