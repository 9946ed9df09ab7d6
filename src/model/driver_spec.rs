//! A CSI driver: its CSIDriver object, its sidecars and its capabilities.

/// `spec.fsGroupPolicy` of a CSIDriver.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FsGroupPolicy {
    /// `ReadWriteOnceWithFSType`
    #[default]
    ReadWriteOnceWithFsType,
    /// `File`
    File,
    /// `None`
    None,
}

/// A CSI driver, its CSIDriver object and its capabilities.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Driver {
    /// Its name.
    pub name: String,
    /// Whether there is a CSIDriver object; without one its fields have their defaults.
    pub object: bool,
    /// `spec.attachRequired` of its CSIDriver object.
    pub attach_required: bool,
    /// `spec.volumeLifecycleModes` has `Ephemeral`.
    pub ephemeral: bool,
    /// `spec.storageCapacity`
    pub storage_capacity: bool,
    /// `spec.fsGroupPolicy`
    pub fs_group_policy: FsGroupPolicy,
    /// `spec.nodeAllocatableUpdatePeriodSeconds` is set.
    pub updates_allocatable: bool,
    /// An external-attacher runs beside it.
    pub attacher: bool,
    /// An external-provisioner runs beside it.
    pub provisioner: bool,
    /// Whether its controller plugin has PUBLISH_UNPUBLISH_VOLUME.
    pub controller_publish: bool,
    /// Whether its node plugin has STAGE_UNSTAGE_VOLUME.
    pub node_stage: bool,
    /// Whether its controller plugin has EXPAND_VOLUME.
    pub controller_expand: bool,
    /// Whether its node plugin has EXPAND_VOLUME.
    pub node_expand: bool,
    /// Whether its controller plugin has SINGLE_NODE_MULTI_WRITER.
    pub single_node_multi_writer: bool,
    /// Whether its controller plugin has LIST_VOLUMES and LIST_VOLUMES_PUBLISHED_NODES.
    pub lists_published_nodes: bool,
    /// Whether its node plugin has VOLUME_MOUNT_GROUP.
    pub mount_group: bool,
    /// Whether it reports topology (VOLUME_ACCESSIBILITY_CONSTRAINTS).
    pub topology: bool,
    /// `spec.requiresRepublish`
    pub requires_republish: bool,
    /// The path of its socket, as its callers see it.
    pub socket: String,
    /// An external-resizer runs beside it.
    pub resizer: bool,
    /// Whether it expands a volume that is published (VolumeExpansion ONLINE).
    pub expands_online: bool,
    /// Whether ControllerExpandVolume answers `node_expansion_required: true`.
    pub needs_node_expansion: bool,
    /// Whether its controller plugin has MODIFY_VOLUME.
    pub modify: bool,
    /// Whether its controller plugin has CREATE_DELETE_SNAPSHOT, with a csi-snapshotter beside it.
    pub snapshots: bool,
    /// Whether a snapshot is not ready to be used as soon as it is cut.
    pub snapshots_slowly: bool,
    /// Whether it refuses to publish a volume of one Node to a second one; many leave that to Kubernetes.
    pub fences: bool,
    /// Whether its controller plugin has PUBLISH_READONLY.
    pub publish_readonly: bool,
    /// `spec.seLinuxMount`: a ReadWriteOncePod volume is mounted with its Pod's label.
    pub se_linux_mount: bool,
}

impl Default for Driver {
    /// A driver with everything that most have.
    fn default() -> Self {
        Self {
            name: "disk.csi.example.com".into(),
            object: true,
            attach_required: true,
            ephemeral: false,
            storage_capacity: false,
            fs_group_policy: FsGroupPolicy::ReadWriteOnceWithFsType,
            updates_allocatable: false,
            attacher: true,
            provisioner: true,
            controller_publish: true,
            node_stage: true,
            controller_expand: true,
            node_expand: true,
            single_node_multi_writer: true,
            lists_published_nodes: false,
            mount_group: false,
            topology: false,
            requires_republish: false,
            socket: "/csi/csi.sock".into(),
            resizer: true,
            expands_online: true,
            needs_node_expansion: true,
            modify: true,
            snapshots: true,
            snapshots_slowly: false,
            fences: false,
            publish_readonly: false,
            se_linux_mount: false,
        }
    }
}
