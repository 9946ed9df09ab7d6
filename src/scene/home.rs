//! The homes: in which lane and in which order actors, cards, rows and real things stand, the same in every diagram.

use crate::model::{Kind, Role};

/// A zone of the stage; of the last and the one for a Node's actors there is one a Node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Zone {
    /// The API objects.
    Declared,
    /// kube-controller-manager, kube-scheduler, the cluster's own controllers, and the reader with kubectl.
    ControlPlane,
    /// The sidecars and the driver's controller plugin.
    CsiController,
    /// kubelet, the registrar and the driver's node plugin of a Node.
    Node,
    /// Where the volume's bytes are.
    Backend,
    /// A Node's operating system.
    Kernel,
}

/// What a real thing is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ThingKind {
    /// A volume at the backend.
    Volume,
    /// A snapshot at the backend.
    Snapshot,
    /// A volume's device on a Node.
    Device,
    /// The staging mount, `…/globalmount`.
    Staging,
    /// A Pod's mount, `…/mount`; of a raw block volume, where its device is published.
    Target,
    /// Where a Pod's raw block device is mapped.
    Map,
    /// A Pod's container.
    Container,
}

/// What a row of a card shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowKind {
    /// A field with its value.
    Value,
    /// A field with a value, or a list of values, of which the end tells most: `NAMESPACE/NAME`.
    Tails,
    /// A field that is a list of unique volume names.
    Volumes,
    /// The finalizers, with a padlock.
    Finalizers,
    /// The last Event about the object.
    Event,
}

/// A row that a kind's cards may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The field's path; `event` for the last Event.
    pub field: &'static str,
    /// What the row says before the value.
    pub label: &'static str,
    /// The same in a card that is not wide.
    pub short: &'static str,
    /// How the value is shown.
    pub kind: RowKind,
    /// Whether it is shown where there is room, even if nobody writes it in the run.
    pub basic: bool,
    /// Whether it tells the object from another of its kind.
    pub tells: bool,
    /// Which rows go first where there is not room for all: those of the highest rank.
    pub rank: u8,
}

const fn value(field: &'static str, label: &'static str) -> Row {
    Row { field, label, short: label, kind: RowKind::Value, basic: false, tells: false, rank: 9 }
}

impl Row {
    const fn basic(self) -> Row {
        Row { basic: true, ..self }
    }

    const fn tells(self) -> Row {
        Row { basic: true, tells: true, ..self }
    }

    const fn rank(self, rank: u8) -> Row {
        Row { rank, ..self }
    }

    const fn short(self, short: &'static str) -> Row {
        Row { short, ..self }
    }

    const fn tails(self) -> Row {
        Row { kind: RowKind::Tails, ..self }
    }

    const fn volumes(self) -> Row {
        Row { kind: RowKind::Volumes, ..self }
    }
}

const EVENT: Row = Row { kind: RowKind::Event, ..value("event", "event") };
const FINALIZERS: Row = Row { kind: RowKind::Finalizers, ..value("metadata.finalizers", "finalizers") };
const PHASE: Row = value("status.phase", "phase").rank(0);

/// The rows that a kind's cards may have, from top to bottom.
pub const fn rows(kind: Kind) -> &'static [Row] {
    const POD: &[Row] = &[
        value("spec.nodeName", "nodeName").basic().rank(2),
        PHASE.basic().rank(1),
        value("status.reason", "reason").rank(3),
        // What has happened to a Pod tells more than its phase.
        EVENT.basic().rank(0),
    ];
    const PVC: &[Row] = &[
        value("spec.volumeName", "volumeName").short("volume").rank(1),
        value("metadata.annotations[volume.kubernetes.io/selected-node]", "selected-node")
            .short("node")
            .rank(2),
        value("spec.storageClassName", "class").rank(7),
        value("spec.accessModes", "accessModes").short("modes").rank(8),
        value("spec.resources.requests.storage", "request").rank(1),
        value("status.capacity.storage", "capacity").rank(2),
        value("status.conditions", "condition").rank(3),
        value("status.allocatedResourceStatuses.storage", "allocated").rank(6),
        value("spec.volumeAttributesClassName", "attributes").rank(6),
        PHASE.basic(),
        FINALIZERS.rank(4),
        EVENT.rank(5),
    ];
    const PV: &[Row] = &[
        value("spec.claimRef", "claimRef").tails().rank(2),
        value("spec.csi.volumeHandle", "volumeHandle").short("handle").rank(3),
        value("spec.capacity.storage", "capacity").rank(2),
        value("spec.persistentVolumeReclaimPolicy", "reclaimPolicy").short("reclaim").rank(4),
        PHASE,
        FINALIZERS.basic().rank(1),
        EVENT.rank(5),
    ];
    const VA: &[Row] = &[
        value("spec.nodeName", "nodeName").tells().rank(1),
        value("spec.source.persistentVolumeName", "source").basic().rank(3),
        value("spec.attacher", "attacher").basic().rank(4),
        FINALIZERS.basic().rank(2),
        value("status.attached", "attached").basic().rank(0),
        value("status.attachError", "attachError").short("error").rank(1),
        value("status.detachError", "detachError").short("error").rank(1),
    ];
    const NODE: &[Row] = &[
        value("status.condition Ready", "Ready").rank(0),
        value("spec.taints", "taints").tails().rank(1),
        value("status.volumesAttached", "volumesAttached").short("attached").volumes().basic().rank(2),
        value("status.volumesInUse", "volumesInUse").short("inUse").volumes().basic().rank(3),
        EVENT.rank(4),
    ];
    const CSI_NODE: &[Row] = &[value("spec.drivers", "drivers").basic()];
    const CSI_DRIVER: &[Row] = &[value("spec.attachRequired", "attachRequired").basic()];
    const CLASS: &[Row] = &[
        value("volumeBindingMode", "binding").basic().rank(0),
        value("reclaimPolicy", "reclaim").basic().rank(1),
        value("allowVolumeExpansion", "expansion").basic().rank(2),
    ];
    const SNAPSHOT: &[Row] = &[
        value("status.boundVolumeSnapshotContentName", "content").rank(1),
        value("status.readyToUse", "readyToUse").basic().rank(0),
        FINALIZERS.rank(2),
        EVENT.rank(3),
    ];
    const CONTENT: &[Row] = &[
        value("status.snapshotHandle", "snapshotHandle").short("handle").rank(1),
        value("status.readyToUse", "readyToUse").basic().rank(0),
        FINALIZERS.rank(2),
    ];
    match kind {
        Kind::Pod => POD,
        Kind::PersistentVolumeClaim => PVC,
        Kind::PersistentVolume => PV,
        Kind::VolumeAttachment => VA,
        Kind::Node => NODE,
        Kind::CsiNode => CSI_NODE,
        Kind::CsiDriver => CSI_DRIVER,
        Kind::StorageClass => CLASS,
        Kind::VolumeSnapshot => SNAPSHOT,
        Kind::VolumeSnapshotContent => CONTENT,
    }
}

/// The kinds in the order in which their cards fill the shelf.
pub const SHELF: [Kind; 10] = [
    Kind::Pod,
    Kind::VolumeAttachment,
    Kind::Node,
    Kind::PersistentVolumeClaim,
    Kind::PersistentVolume,
    Kind::VolumeSnapshot,
    Kind::VolumeSnapshotContent,
    Kind::StorageClass,
    Kind::CsiNode,
    Kind::CsiDriver,
];

/// The roles in the order in which their pills stand in their lane.
pub const LANE: [Role; 22] = [
    Role::AttachDetachController,
    Role::KubeScheduler,
    Role::PvController,
    Role::EphemeralController,
    Role::ExpandController,
    Role::SnapshotController,
    Role::PvcProtection,
    Role::PvProtection,
    Role::NodeLifecycle,
    Role::TaintEviction,
    Role::PodGc,
    Role::NamespaceController,
    Role::GarbageCollector,
    Role::User,
    Role::ExternalProvisioner,
    Role::ExternalSnapshotter,
    Role::ExternalAttacher,
    Role::ExternalResizer,
    Role::DriverController,
    Role::Kubelet,
    Role::NodeDriverRegistrar,
    Role::DriverNode,
];

/// The zone an actor lives in; `None` for the kernel, which is drawn by its things.
pub const fn zone_of(role: Role) -> Option<Zone> {
    match role {
        Role::User
        | Role::KubeScheduler
        | Role::AttachDetachController
        | Role::PvController
        | Role::PvcProtection
        | Role::PvProtection
        | Role::ExpandController
        | Role::EphemeralController
        | Role::NodeLifecycle
        | Role::TaintEviction
        | Role::PodGc
        | Role::NamespaceController
        | Role::GarbageCollector
        // One a cluster, beside no driver.
        | Role::SnapshotController => Some(Zone::ControlPlane),
        Role::ExternalAttacher
        | Role::DriverController
        | Role::ExternalProvisioner
        | Role::ExternalResizer
        | Role::ExternalSnapshotter => Some(Zone::CsiController),
        Role::Kubelet | Role::DriverNode | Role::NodeDriverRegistrar => Some(Zone::Node),
        Role::Kernel => None,
    }
}
