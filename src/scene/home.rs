//! Where everything lives: one table of places for each layout, the same in every diagram.

use super::{Layout, geom::Rect};
use crate::model::{Kind, Role};

/// A zone of the stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Zone {
    /// The API objects.
    Declared,
    /// kube-controller-manager, kube-scheduler, and the reader with kubectl.
    ControlPlane,
    /// The sidecars and the driver's controller plugin.
    CsiController,
    /// kubelet and the driver's node plugin.
    Node,
    /// Where the volume's bytes are.
    Backend,
    /// The Node's operating system.
    Kernel,
}

/// A real thing: storage or a part of a Node's file system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Thing {
    /// The volume at the backend.
    Volume,
    /// Its device on the Node.
    Device,
    /// The staging mount, `…/globalmount`.
    Staging,
    /// The Pod's mount, `…/mount`.
    Target,
    /// The Pod's container.
    Container,
}

/// What a row of a card shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowKind {
    /// A field with its value.
    Value,
    /// A field that is a list of unique volume names.
    Volumes,
    /// The finalizers, with a padlock.
    Finalizers,
    /// The last Event about the object.
    Event,
}

/// A row of a card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The field's path; `event` for the last Event.
    pub field: &'static str,
    /// What the row says before the value.
    pub label: &'static str,
    /// How the value is shown.
    pub kind: RowKind,
}

const fn row(field: &'static str, label: &'static str, kind: RowKind) -> Row {
    Row { field, label, kind }
}

/// The measures that differ between the layouts, in units.
#[derive(Clone, Copy, Debug)]
pub struct Measures {
    /// The canvas.
    pub size: (i32, i32),
    /// A card's header.
    pub header: i32,
    /// A card's row.
    pub row: i32,
    /// From a zone's upper edge to the baseline of its title.
    pub title: i32,
    /// From a zone's side to its title.
    pub inset: i32,
    /// The badge's radius.
    pub badge: i32,
}

/// The measures of a layout.
pub const fn measures(layout: Layout) -> Measures {
    match layout {
        Layout::Wide => Measures { size: (800, 608), header: 28, row: 22, title: 21, inset: 16, badge: 14 },
        Layout::Narrow => Measures { size: (360, 640), header: 24, row: 20, title: 17, inset: 16, badge: 13 },
    }
}

/// The zones in drawing order.
pub const ZONES: [Zone; 6] =
    [Zone::Declared, Zone::ControlPlane, Zone::CsiController, Zone::Node, Zone::Backend, Zone::Kernel];

/// Where a zone is.
pub const fn zone(zone: Zone, layout: Layout) -> Rect {
    match (layout, zone) {
        (Layout::Wide, Zone::Declared) => Rect::new(8, 8, 784, 192),
        (Layout::Wide, Zone::ControlPlane) => Rect::new(8, 208, 488, 80),
        (Layout::Wide, Zone::CsiController) => Rect::new(8, 296, 488, 136),
        (Layout::Wide, Zone::Node) => Rect::new(504, 208, 288, 224),
        (Layout::Wide, Zone::Backend) => Rect::new(8, 440, 292, 136),
        (Layout::Wide, Zone::Kernel) => Rect::new(308, 440, 484, 136),
        (Layout::Narrow, Zone::Declared) => Rect::new(4, 4, 352, 240),
        (Layout::Narrow, Zone::ControlPlane) => Rect::new(4, 248, 352, 64),
        (Layout::Narrow, Zone::CsiController) => Rect::new(4, 316, 352, 100),
        (Layout::Narrow, Zone::Node) => Rect::new(4, 420, 352, 100),
        (Layout::Narrow, Zone::Backend) => Rect::new(4, 524, 112, 112),
        (Layout::Narrow, Zone::Kernel) => Rect::new(120, 524, 236, 112),
    }
}

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
        | Role::GarbageCollector => Some(Zone::ControlPlane),
        Role::ExternalAttacher
        | Role::DriverController
        | Role::ExternalProvisioner
        | Role::ExternalResizer
        | Role::SnapshotController
        | Role::ExternalSnapshotter => Some(Zone::CsiController),
        Role::Kubelet | Role::DriverNode | Role::NodeDriverRegistrar => Some(Zone::Node),
        Role::Kernel => None,
    }
}

/// Where an actor's pill is; `None` when the layout has no place for it.
pub const fn pill(role: Role, layout: Layout) -> Option<Rect> {
    match (layout, role) {
        (Layout::Wide, Role::AttachDetachController) => Some(Rect::new(24, 240, 248, 40)),
        (Layout::Wide, Role::KubeScheduler) => Some(Rect::new(284, 240, 118, 40)),
        (Layout::Wide, Role::User) => Some(Rect::new(408, 240, 80, 40)),
        (Layout::Wide, Role::ExternalAttacher) => Some(Rect::new(24, 328, 200, 40)),
        (Layout::Wide, Role::DriverController) => Some(Rect::new(348, 328, 140, 40)),
        (Layout::Wide, Role::Kubelet) => Some(Rect::new(516, 240, 264, 40)),
        (Layout::Wide, Role::DriverNode) => Some(Rect::new(516, 384, 264, 40)),
        (Layout::Narrow, Role::AttachDetachController) => Some(Rect::new(20, 272, 232, 36)),
        (Layout::Narrow, Role::User) => Some(Rect::new(264, 272, 76, 36)),
        (Layout::Narrow, Role::ExternalAttacher) => Some(Rect::new(20, 340, 196, 36)),
        (Layout::Narrow, Role::DriverController) => Some(Rect::new(236, 340, 104, 36)),
        (Layout::Narrow, Role::Kubelet) => Some(Rect::new(20, 444, 204, 36)),
        (Layout::Narrow, Role::DriverNode) => Some(Rect::new(236, 444, 104, 36)),
        (Layout::Narrow, Role::KubeScheduler) | (_, Role::Kernel) => None,
        // No diagram shows these yet.
        (
            _,
            Role::PvController
            | Role::PvcProtection
            | Role::PvProtection
            | Role::ExpandController
            | Role::EphemeralController
            | Role::NodeLifecycle
            | Role::TaintEviction
            | Role::PodGc
            | Role::NamespaceController
            | Role::GarbageCollector
            | Role::ExternalProvisioner
            | Role::ExternalResizer
            | Role::SnapshotController
            | Role::ExternalSnapshotter
            | Role::NodeDriverRegistrar,
        ) => None,
    }
}

/// The rows of a kind's card.
pub const fn rows(kind: Kind, layout: Layout) -> &'static [Row] {
    const POD: &[Row] = &[
        row("spec.nodeName", "nodeName", RowKind::Value),
        row("status.phase", "phase", RowKind::Value),
        row("event", "event", RowKind::Event),
    ];
    const PVC: &[Row] = &[row("status.phase", "phase", RowKind::Value)];
    const PV: &[Row] = &[row("metadata.finalizers", "finalizers", RowKind::Finalizers)];
    const VA: &[Row] = &[
        row("spec.attacher", "attacher", RowKind::Value),
        row("spec.source.persistentVolumeName", "source", RowKind::Value),
        row("spec.nodeName", "nodeName", RowKind::Value),
        row("metadata.finalizers", "finalizers", RowKind::Finalizers),
        row("status.attached", "attached", RowKind::Value),
    ];
    const VA_NARROW: &[Row] = &[
        row("spec.nodeName", "nodeName", RowKind::Value),
        row("metadata.finalizers", "finalizers", RowKind::Finalizers),
        row("status.attached", "attached", RowKind::Value),
    ];
    const NODE: &[Row] = &[
        row("status.volumesAttached", "volumesAttached", RowKind::Volumes),
        row("status.volumesInUse", "volumesInUse", RowKind::Volumes),
    ];
    const NODE_NARROW: &[Row] = &[
        row("status.volumesAttached", "attached", RowKind::Volumes),
        row("status.volumesInUse", "inUse", RowKind::Volumes),
    ];
    match (layout, kind) {
        (_, Kind::Pod) => POD,
        (_, Kind::PersistentVolumeClaim) => PVC,
        (_, Kind::PersistentVolume) => PV,
        (Layout::Wide, Kind::VolumeAttachment) => VA,
        (Layout::Narrow, Kind::VolumeAttachment) => VA_NARROW,
        (Layout::Wide, Kind::Node) => NODE,
        (Layout::Narrow, Kind::Node) => NODE_NARROW,
        (
            _,
            Kind::CsiNode
            | Kind::CsiDriver
            | Kind::StorageClass
            | Kind::VolumeSnapshot
            | Kind::VolumeSnapshotContent,
        ) => &[],
    }
}

/// Where a kind's card is; `None` when the layout has no place for it.
pub fn card(kind: Kind, layout: Layout) -> Option<Rect> {
    let (x, y, w) = match (layout, kind) {
        (Layout::Wide, Kind::Pod) => (20, 40, 232),
        (Layout::Wide, Kind::PersistentVolume) => (20, 142, 232),
        (Layout::Wide, Kind::VolumeAttachment) => (288, 40, 264),
        (Layout::Wide, Kind::Node) => (576, 40, 204),
        (Layout::Wide, Kind::PersistentVolumeClaim) => (576, 142, 204),
        (Layout::Narrow, Kind::VolumeAttachment) => (20, 28, 320),
        (Layout::Narrow, Kind::Node) => (20, 120, 152),
        (Layout::Narrow, Kind::PersistentVolume) => (20, 192, 152),
        (Layout::Narrow, Kind::Pod) => (188, 120, 152),
        (Layout::Narrow, Kind::PersistentVolumeClaim) => return None,
        // No diagram shows these yet.
        (
            _,
            Kind::CsiNode
            | Kind::CsiDriver
            | Kind::StorageClass
            | Kind::VolumeSnapshot
            | Kind::VolumeSnapshotContent,
        ) => return None,
    };
    let m = measures(layout);
    let rows = i32::try_from(rows(kind, layout).len()).unwrap_or(0);
    Some(Rect::new(x, y, w, m.header + rows * m.row))
}

/// Where row number `i` (from 0) of a card is.
pub const fn row_place(card: Rect, i: i32, layout: Layout) -> Rect {
    let m = measures(layout);
    Rect::new(card.x, card.y + m.header + i * m.row, card.w, m.row)
}

/// Where a real thing is.
pub const fn thing(thing: Thing, layout: Layout) -> Rect {
    match (layout, thing) {
        (Layout::Wide, Thing::Volume) => Rect::new(56, 472, 120, 96),
        (Layout::Wide, Thing::Device) => Rect::new(324, 528, 208, 40),
        (Layout::Wide, Thing::Staging) => Rect::new(564, 528, 208, 40),
        (Layout::Wide, Thing::Target) => Rect::new(564, 472, 208, 40),
        (Layout::Wide, Thing::Container) => Rect::new(324, 472, 208, 40),
        (Layout::Narrow, Thing::Volume) => Rect::new(16, 548, 84, 80),
        (Layout::Narrow, Thing::Device) => Rect::new(128, 596, 100, 32),
        (Layout::Narrow, Thing::Staging) => Rect::new(244, 596, 100, 32),
        (Layout::Narrow, Thing::Target) => Rect::new(244, 548, 100, 32),
        (Layout::Narrow, Thing::Container) => Rect::new(128, 548, 100, 32),
    }
}
