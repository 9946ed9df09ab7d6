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

/// Every field that the model's rules write.
pub const OWNERS: [Owner; 19] = [
    owner(
        Kind::Pod,
        Field::NodeName,
        Role::KubeScheduler,
        "pkg/scheduler/framework/plugins/defaultbinder/default_binder.go",
    ),
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
pub const ALSO: [(Kind, Field, Role, &str); 4] = [
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
