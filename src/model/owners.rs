//! Who may write what: for each field of each kind, the one role whose it is.

use super::{Change, Field, Kind, Role, Value};

/// A field and its owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Owner {
    /// The kind of object.
    pub kind: Kind,
    /// The field.
    pub field: Field,
    /// Who writes it.
    pub role: Role,
    /// Who gives it its first value when it creates the object, if that is somebody else.
    pub creator: Option<Role>,
    /// Where upstream says so.
    pub source: &'static str,
}

const fn owner(kind: Kind, field: Field, role: Role, source: &'static str) -> Owner {
    Owner { kind, field, role, creator: None, source }
}

const BINDER: &str = "pkg/controller/volume/persistentvolume/pv_controller.go";
const CLAIM: &str = "pkg/registry/core/persistentvolumeclaim/strategy.go";
const CLASS: &str = "pkg/registry/storage/storageclass/strategy.go";
const EPHEMERAL: &str = "pkg/controller/volume/ephemeral/controller.go";
const PROTECTION: &str = "pkg/controller/volume/pvcprotection/pvc_protection_controller.go";
const PROVISIONER: &str = "sig-storage-lib-external-provisioner controller/controller.go";
const SCHEDULER: &str = "pkg/scheduler/framework/plugins/volumebinding/binder.go";
const VOLUME: &str = "pkg/registry/core/persistentvolume/strategy.go";
const MODIFY_STATUS: &str = "external-resizer pkg/modifycontroller/modify_status.go";
const NODE_RESIZE: &str = "pkg/volume/util/resize_util.go";
const RESIZE_STATUS: &str = "external-resizer pkg/controller/resize_status.go";
const SNAPSHOT_CONTROLLER: &str = "external-snapshotter pkg/common-controller/snapshot_controller.go";
const SNAPSHOTTER: &str = "external-snapshotter pkg/sidecar-controller/snapshot_controller.go";

/// Every field that the model's rules write.
pub const OWNERS: &[Owner] = &[
    Owner {
        kind: Kind::Pod,
        field: Field::NodeName,
        role: Role::KubeScheduler,
        // Whoever names a Node in the manifest passes the scheduler by.
        creator: Some(Role::User),
        source: "pkg/scheduler/framework/plugins/defaultbinder/default_binder.go",
    },
    Owner {
        kind: Kind::Pod,
        field: Field::Phase,
        role: Role::Kubelet,
        // The API server sets `Pending` on behalf of whoever creates the Pod.
        creator: Some(Role::User),
        source: "pkg/kubelet/status/status_manager.go; pkg/registry/core/pod/strategy.go",
    },
    owner(Kind::Pod, Field::ContainerStatuses, Role::Kubelet, "pkg/kubelet/status/status_manager.go"),
    owner(Kind::Pod, Field::DeletionTimestamp, Role::User, "pkg/registry/core/pod/strategy.go"),
    owner(
        Kind::PersistentVolume,
        Field::Finalizers,
        Role::ExternalAttacher,
        "external-attacher pkg/controller/csi_handler.go:342",
    ),
    owner(
        Kind::VolumeAttachment,
        Field::AttacherName,
        Role::AttachDetachController,
        "pkg/volume/csi/csi_attacher.go:63",
    ),
    owner(
        Kind::VolumeAttachment,
        Field::SourceVolume,
        Role::AttachDetachController,
        "pkg/volume/csi/csi_attacher.go:63",
    ),
    owner(
        Kind::VolumeAttachment,
        Field::AttachmentNode,
        Role::AttachDetachController,
        "pkg/volume/csi/csi_attacher.go:63",
    ),
    owner(
        Kind::VolumeAttachment,
        Field::DeletionTimestamp,
        Role::AttachDetachController,
        "pkg/volume/csi/csi_attacher.go Detach",
    ),
    owner(
        Kind::VolumeAttachment,
        Field::Finalizers,
        Role::ExternalAttacher,
        "external-attacher pkg/controller/util.go:58",
    ),
    owner(
        Kind::VolumeAttachment,
        Field::NodeIdAnnotation,
        Role::ExternalAttacher,
        "external-attacher pkg/controller/util.go:124",
    ),
    Owner {
        kind: Kind::VolumeAttachment,
        field: Field::Attached,
        role: Role::ExternalAttacher,
        // A status cannot be created; the API server starts it with `false`.
        creator: Some(Role::AttachDetachController),
        source: "external-attacher pkg/controller/util.go:38; pkg/registry/storage/volumeattachment/strategy.go",
    },
    owner(
        Kind::Node,
        Field::VolumesAttached,
        Role::AttachDetachController,
        "pkg/controller/volume/attachdetach/statusupdater/node_status_updater.go:121",
    ),
    owner(Kind::Node, Field::VolumesInUse, Role::Kubelet, "pkg/kubelet/nodestatus/setters.go:741"),
    owner(
        Kind::VolumeAttachment,
        Field::AttachError,
        Role::ExternalAttacher,
        "external-attacher pkg/controller/csi_handler.go saveAttachError",
    ),
    owner(
        Kind::VolumeAttachment,
        Field::DetachError,
        Role::ExternalAttacher,
        "external-attacher pkg/controller/csi_handler.go saveDetachError",
    ),
    owner(
        Kind::Node,
        Field::Ready,
        Role::NodeLifecycle,
        "pkg/controller/nodelifecycle/node_lifecycle_controller.go tryUpdateNodeHealth",
    ),
    owner(
        Kind::Node,
        Field::Taints,
        Role::NodeLifecycle,
        "pkg/controller/nodelifecycle/node_lifecycle_controller.go doNoScheduleTaintingPass",
    ),
    owner(Kind::Pod, Field::Reason, Role::Kubelet, "pkg/kubelet/status/status_manager.go"),
    owner(Kind::StorageClass, Field::Provisioner, Role::User, CLASS),
    owner(Kind::StorageClass, Field::BindingMode, Role::User, CLASS),
    owner(Kind::StorageClass, Field::ClassReclaimPolicy, Role::User, CLASS),
    owner(Kind::StorageClass, Field::Expansion, Role::User, CLASS),
    Owner {
        kind: Kind::PersistentVolumeClaim,
        field: Field::Finalizers,
        role: Role::PvcProtection,
        creator: Some(Role::User),
        source: PROTECTION,
    },
    Owner {
        kind: Kind::PersistentVolumeClaim,
        field: Field::Phase,
        role: Role::PvController,
        creator: Some(Role::User),
        source: BINDER,
    },
    Owner {
        kind: Kind::PersistentVolumeClaim,
        field: Field::ClassName,
        role: Role::PvController,
        creator: Some(Role::User),
        source: BINDER,
    },
    owner(Kind::PersistentVolumeClaim, Field::Request, Role::User, CLAIM),
    owner(Kind::PersistentVolumeClaim, Field::AccessModes, Role::User, CLAIM),
    owner(Kind::PersistentVolumeClaim, Field::VolumeMode, Role::User, CLAIM),
    Owner {
        kind: Kind::PersistentVolumeClaim,
        field: Field::VolumeName,
        role: Role::PvController,
        creator: Some(Role::User),
        source: BINDER,
    },
    owner(Kind::PersistentVolumeClaim, Field::BindCompleted, Role::PvController, BINDER),
    owner(Kind::PersistentVolumeClaim, Field::StorageProvisioner, Role::PvController, BINDER),
    owner(Kind::PersistentVolumeClaim, Field::StatusCapacity, Role::PvController, BINDER),
    owner(Kind::PersistentVolumeClaim, Field::SelectedNode, Role::KubeScheduler, SCHEDULER),
    owner(Kind::PersistentVolumeClaim, Field::DeletionTimestamp, Role::User, CLAIM),
    Owner {
        kind: Kind::PersistentVolume,
        field: Field::Phase,
        role: Role::PvController,
        creator: Some(Role::ExternalProvisioner),
        source: BINDER,
    },
    Owner {
        kind: Kind::PersistentVolume,
        field: Field::ClaimRef,
        role: Role::PvController,
        creator: Some(Role::ExternalProvisioner),
        source: BINDER,
    },
    owner(Kind::PersistentVolume, Field::Capacity, Role::ExternalProvisioner, PROVISIONER),
    owner(Kind::PersistentVolume, Field::ReclaimPolicy, Role::ExternalProvisioner, PROVISIONER),
    owner(Kind::PersistentVolume, Field::VolumeHandle, Role::ExternalProvisioner, PROVISIONER),
    owner(Kind::PersistentVolume, Field::CsiDriverName, Role::ExternalProvisioner, PROVISIONER),
    owner(Kind::PersistentVolume, Field::ProvisionedBy, Role::ExternalProvisioner, PROVISIONER),
    owner(Kind::PersistentVolume, Field::DeletionTimestamp, Role::ExternalProvisioner, PROVISIONER),
    owner(Kind::PersistentVolume, Field::ClassName, Role::User, VOLUME),
    owner(
        Kind::Node,
        Field::NodeIdOnNode,
        Role::Kubelet,
        "pkg/volume/csi/nodeinfomanager/nodeinfomanager.go:48",
    ),
    owner(Kind::CsiNode, Field::Drivers, Role::Kubelet, "pkg/volume/csi/nodeinfomanager/nodeinfomanager.go"),
    owner(
        Kind::PersistentVolumeClaim,
        Field::AttributesClass,
        Role::User,
        "pkg/apis/core/validation/validation.go",
    ),
    owner(Kind::PersistentVolumeClaim, Field::AllocatedStatus, Role::ExternalResizer, RESIZE_STATUS),
    owner(Kind::PersistentVolumeClaim, Field::Conditions, Role::ExternalResizer, RESIZE_STATUS),
    owner(
        Kind::PersistentVolumeClaim,
        Field::NodeExpansionNotRequired,
        Role::ExternalResizer,
        "external-resizer pkg/controller/expand_and_recover.go:212",
    ),
    owner(Kind::PersistentVolumeClaim, Field::CurrentAttributesClass, Role::ExternalResizer, MODIFY_STATUS),
    owner(Kind::PersistentVolumeClaim, Field::ModifyStatus, Role::ExternalResizer, MODIFY_STATUS),
    owner(
        Kind::PersistentVolume,
        Field::AttributesClass,
        Role::ExternalResizer,
        "external-resizer pkg/modifycontroller/modify_volume.go",
    ),
    owner(Kind::VolumeSnapshot, Field::Finalizers, Role::SnapshotController, SNAPSHOT_CONTROLLER),
    owner(Kind::VolumeSnapshot, Field::BoundContent, Role::SnapshotController, SNAPSHOT_CONTROLLER),
    owner(Kind::VolumeSnapshot, Field::ReadyToUse, Role::SnapshotController, SNAPSHOT_CONTROLLER),
    owner(
        Kind::VolumeSnapshot,
        Field::DeletionTimestamp,
        Role::User,
        "external-snapshotter client/apis/volumesnapshot/v1/types.go",
    ),
    owner(Kind::VolumeSnapshotContent, Field::Finalizers, Role::SnapshotController, SNAPSHOT_CONTROLLER),
    owner(
        Kind::VolumeSnapshotContent,
        Field::DeletionTimestamp,
        Role::SnapshotController,
        SNAPSHOT_CONTROLLER,
    ),
    owner(Kind::VolumeSnapshotContent, Field::BeingCreated, Role::ExternalSnapshotter, SNAPSHOTTER),
    owner(Kind::VolumeSnapshotContent, Field::SnapshotHandle, Role::ExternalSnapshotter, SNAPSHOTTER),
    owner(Kind::VolumeSnapshotContent, Field::ReadyToUse, Role::ExternalSnapshotter, SNAPSHOTTER),
];

/// Whether a change writes only what its writer owns. What is no write is nobody's field.
pub fn obeys(change: Change) -> bool {
    let Change::Write { object, field, from, to: _, by } = change else { return true };
    let mut rows = OWNERS.iter().filter(|row| row.kind == object.kind() && row.field == field);
    // A person may write every field, and takes the consequences.
    by.role == Role::User
        || rows.any(|row| row.role == by.role || (from == Value::Absent && row.creator == Some(by.role)))
        || ALSO
            .iter()
            .any(|(kind, also, role, _)| *kind == object.kind() && *also == field && *role == by.role)
}

/// Fields that another writes as well as their owner, with where upstream says so.
pub const ALSO: &[(Kind, Field, Role, &str)] = &[
    (Kind::PersistentVolumeClaim, Field::Finalizers, Role::EphemeralController, EPHEMERAL),
    (Kind::PersistentVolumeClaim, Field::Phase, Role::EphemeralController, EPHEMERAL),
    (Kind::PersistentVolumeClaim, Field::ClassName, Role::EphemeralController, EPHEMERAL),
    (Kind::PersistentVolumeClaim, Field::Request, Role::EphemeralController, EPHEMERAL),
    (Kind::PersistentVolumeClaim, Field::AccessModes, Role::EphemeralController, EPHEMERAL),
    (Kind::PersistentVolumeClaim, Field::VolumeMode, Role::EphemeralController, EPHEMERAL),
    (Kind::PersistentVolumeClaim, Field::SelectedNode, Role::ExternalProvisioner, PROVISIONER),
    (
        Kind::PersistentVolumeClaim,
        Field::DeletionTimestamp,
        Role::GarbageCollector,
        "pkg/controller/garbagecollector/garbagecollector.go",
    ),
    (Kind::PersistentVolume, Field::Finalizers, Role::ExternalProvisioner, PROVISIONER),
    (
        Kind::PersistentVolume,
        Field::Finalizers,
        Role::PvProtection,
        "pkg/controller/volume/pvprotection/pv_protection_controller.go",
    ),
    (Kind::PersistentVolume, Field::ClaimRef, Role::KubeScheduler, SCHEDULER),
    (
        Kind::Pod,
        Field::DeletionTimestamp,
        Role::NamespaceController,
        "pkg/controller/namespace/deletion/namespaced_resources_deleter.go",
    ),
    (
        Kind::PersistentVolumeClaim,
        Field::DeletionTimestamp,
        Role::NamespaceController,
        "pkg/controller/namespace/deletion/namespaced_resources_deleter.go",
    ),
    (Kind::PersistentVolumeClaim, Field::AllocatedStatus, Role::Kubelet, NODE_RESIZE),
    (Kind::PersistentVolumeClaim, Field::Conditions, Role::Kubelet, NODE_RESIZE),
    (Kind::PersistentVolumeClaim, Field::StatusCapacity, Role::Kubelet, NODE_RESIZE),
    (Kind::PersistentVolumeClaim, Field::StatusCapacity, Role::ExternalResizer, RESIZE_STATUS),
    (Kind::PersistentVolumeClaim, Field::Finalizers, Role::SnapshotController, SNAPSHOT_CONTROLLER),
    (
        Kind::PersistentVolume,
        Field::Capacity,
        Role::ExternalResizer,
        "external-resizer pkg/controller/controller.go:623",
    ),
    (Kind::VolumeSnapshotContent, Field::Finalizers, Role::ExternalSnapshotter, SNAPSHOTTER),
    (
        Kind::PersistentVolumeClaim,
        Field::Finalizers,
        Role::ExternalProvisioner,
        "external-provisioner pkg/controller/clone_controller.go",
    ),
    (
        Kind::VolumeSnapshot,
        Field::Finalizers,
        Role::ExternalProvisioner,
        "external-provisioner pkg/controller/controller.go:1070",
    ),
    (
        Kind::Pod,
        Field::DeletionTimestamp,
        Role::TaintEviction,
        "pkg/controller/tainteviction/taint_eviction.go addConditionAndDeletePod",
    ),
    (Kind::Pod, Field::DeletionTimestamp, Role::PodGc, "pkg/controller/podgc/gc_controller.go"),
    (Kind::Pod, Field::Phase, Role::PodGc, "pkg/controller/podgc/gc_controller.go markFailedAndDeletePod"),
    (Kind::Node, Field::Ready, Role::Kubelet, "pkg/kubelet/nodestatus/setters.go ReadyCondition"),
];
