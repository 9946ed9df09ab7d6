//! Actors as pills: badge, name, and what they wait for.

use super::geom::Rect;
use super::slot::Look;
use super::text::{Face, elide, width};
use super::{Layout, Shape, home};
use crate::model::{Family, Role};

/// The class that gives a family its hue.
pub const fn family_class(family: Family) -> &'static str {
    match family {
        Family::User => "user",
        Family::Kubernetes => "kube",
        Family::Sidecar => "sidecar",
        Family::Driver => "driver",
        Family::Kernel => "kernel",
    }
}

/// The two letters that stand for a role.
pub const fn badge(role: Role) -> &'static str {
    match role {
        Role::User => "YO",
        Role::KubeScheduler => "SC",
        Role::AttachDetachController => "AD",
        Role::ExternalAttacher => "EA",
        Role::DriverController => "DC",
        Role::Kubelet => "KL",
        Role::DriverNode => "DN",
        Role::Kernel => "KE",
        Role::PvController => "PV",
        Role::PvcProtection => "CP",
        Role::PvProtection => "PP",
        Role::ExpandController => "XC",
        Role::EphemeralController => "EV",
        Role::NodeLifecycle => "NL",
        Role::TaintEviction => "TE",
        Role::PodGc => "GC",
        Role::NamespaceController => "NS",
        Role::GarbageCollector => "OG",
        Role::ExternalProvisioner => "EP",
        Role::ExternalResizer => "ER",
        Role::SnapshotController => "SN",
        Role::ExternalSnapshotter => "ES",
        Role::NodeDriverRegistrar => "DR",
    }
}

/// The names of a role, the fullest first; the first that fits is drawn.
pub const fn names(role: Role) -> &'static [&'static str] {
    match role {
        Role::User => &["You"],
        Role::KubeScheduler => &["scheduler"],
        Role::AttachDetachController => &["attach-detach controller", "attach-detach"],
        Role::ExternalAttacher => &["external-attacher", "attacher"],
        Role::DriverController | Role::DriverNode => &["CSI driver", "driver"],
        Role::Kubelet => &["kubelet"],
        Role::Kernel => &["kernel"],
        Role::PvController => &["PV controller"],
        Role::PvcProtection => &["PVC protection"],
        Role::PvProtection => &["PV protection"],
        Role::ExpandController => &["expand controller", "expand"],
        Role::EphemeralController => &["ephemeral volume controller", "ephemeral"],
        Role::NodeLifecycle => &["node lifecycle"],
        Role::TaintEviction => &["taint eviction"],
        Role::PodGc => &["Pod GC"],
        Role::NamespaceController => &["namespace controller", "namespace"],
        Role::GarbageCollector => &["garbage collector"],
        Role::ExternalProvisioner => &["external-provisioner", "provisioner"],
        Role::ExternalResizer => &["external-resizer", "resizer"],
        Role::SnapshotController => &["snapshot-controller", "snapshot"],
        Role::ExternalSnapshotter => &["csi-snapshotter", "snapshotter"],
        Role::NodeDriverRegistrar => &["node-driver-registrar", "registrar"],
    }
}

/// An actor's pill.
pub fn look(role: Role, place: Rect, layout: Layout, acting: bool, waits: Option<&str>) -> Look {
    let m = home::measures(layout);
    let (middle, bx) = (place.cy(), place.x + place.h / 2);
    let tx = bx + m.badge + 7;
    let room = place.right() - 10 - tx;
    let mut shapes = vec![
        Shape::Rect { x: place.x, y: place.y, w: place.w, h: place.h, r: place.h / 2, class: "pill" },
        Shape::Circle { x: bx, y: middle, r: m.badge - if waits.is_some() { 2 } else { 0 }, class: "badge" },
        Shape::Text {
            x: bx,
            y: middle + 4,
            anchor: "middle",
            class: "letters",
            text: badge(role).to_owned(),
        },
    ];
    let fitting = names(role).iter().find(|n| width(Face::Sans, n) <= room);
    let name = fitting.map_or_else(String::new, |n| (*n).to_owned());
    // An acting name is semibold where that leaves it inside its pill.
    let strong = if acting && width(Face::Bold, &name) <= room + 6 { "name b" } else { "name" };
    let line = |y, class, text| Shape::Text { x: tx, y, anchor: "start", class, text };
    let waits =
        waits.map(|w| elide(Face::Sans, &format!("waits: {}", short(w)), room)).filter(|w| !w.is_empty());
    match waits {
        None => shapes.push(line(middle + 5, strong, name)),
        Some(waits) => {
            let (r, top) = (m.badge + 2, middle - m.badge - 2);
            // Three quarters of a ring around the badge: a wait under way.
            let d = format!("M{bx} {top}a{r} {r} 0 1 1 -{r} {r}");
            shapes.push(Shape::Path { d, class: "ring" });
            shapes.push(line(middle - 3, strong, name));
            shapes.push(line(middle + 13, "waits", waits));
        }
    }
    let acting = if acting { " acting" } else { "" };
    Look { class: format!("actor {}{acting}", family_class(role.family())), shapes }
}

/// A fact that someone waits for, without what goes without saying.
fn short(fact: &str) -> &str {
    ["status.", "spec.", "metadata.", "the "].iter().find_map(|p| fact.strip_prefix(p)).unwrap_or(fact)
}
