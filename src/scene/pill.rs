//! Actors as pills: badge, name, and what they wait for.

use super::Shape;
use super::geom::Rect;
use super::slot::Look;
use super::text::{Face, elide, width};
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

/// How an actor is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State<'a> {
    /// It has nothing to do here.
    Idle,
    /// It acts, or something arrives.
    Acting,
    /// Its process is down.
    Down,
    /// It waits for this.
    Waiting(&'a str),
    /// It has acted and waits for this.
    ActingWaiting(&'a str),
}

/// An actor's pill with a badge of this radius.
pub fn look(role: Role, place: Rect, radius: i32, state: State) -> Look {
    let (acting, waits) = match state {
        State::Idle | State::Down => (false, None),
        State::Acting => (true, None),
        State::Waiting(fact) => (false, Some(fact)),
        State::ActingWaiting(fact) => (true, Some(fact)),
    };
    let down = state == State::Down;
    let (middle, bx) = (place.cy(), place.x + place.h / 2);
    let tx = bx + radius + 7;
    let room = place.right() - 10 - tx;
    let mut shapes = vec![
        Shape::Rect { x: place.x, y: place.y, w: place.w, h: place.h, r: place.h / 2, class: "pill" },
        Shape::Circle {
            x: bx,
            y: middle,
            r: radius - if waits.is_some() || down { 2 } else { 0 },
            class: "badge",
        },
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
    if down {
        shapes.insert(1, Shape::Path { d: hatch((bx, middle), place.h / 2 - 3), class: "hatch" });
        shapes.push(line(middle - 3, "name", name));
        shapes.push(line(middle + 13, "waits", "down".to_owned()));
        return Look { class: format!("actor {} down", family_class(role.family())), shapes };
    }
    let waits = waits.map(|w| waiting(short(w), room)).filter(|w| !w.is_empty());
    match waits {
        None => shapes.push(line(middle + 5, strong, name)),
        Some(waits) => {
            let (r, top) = (radius + 2, middle - radius - 2);
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

/// Strokes across the round end of a dead pill, around its badge.
fn hatch(centre: (i32, i32), r: i32) -> String {
    // Of a chord at `d` from the centre, in tenths of the radius: how far it reaches to both sides.
    let chords = [(-8, 6), (-4, 9), (0, 10), (4, 9), (8, 6)];
    let strokes = chords.into_iter().map(|(d, h)| {
        // Turned by 45 degrees: 7 tenths are the root of one half.
        let at = |along: i32, across: i32| {
            (centre.0 + (across + along) * r * 7 / 100, centre.1 + (across - along) * r * 7 / 100)
        };
        let (a, b) = (at(-h, d), at(h, d));
        format!("M{} {}L{} {}", a.0, a.1, b.0, b.1)
    });
    strokes.collect()
}

/// What is said of a wait: where there is little room, only the fact.
fn waiting(fact: &str, room: i32) -> String {
    let full = format!("waits: {fact}");
    if width(Face::Sans, &full) > room && width(Face::Sans, fact) <= room {
        return fact.to_owned();
    }
    elide(Face::Sans, if room < 120 { fact } else { &full }, room)
}

/// A fact that someone waits for, without what goes without saying.
fn short(fact: &str) -> &str {
    ["status.", "spec.", "metadata.", "the "].iter().find_map(|p| fact.strip_prefix(p)).unwrap_or(fact)
}
