//! Zones in their places: titles, keys, and where the clock of the cluster is.

use super::geom::Rect;
use super::home::Zone;
use super::measures::Measures;
use super::text::{Face, width};
use super::{Layout, Shape};

/// A zone in its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Room {
    /// Which zone.
    pub zone: Zone,
    /// Which Node's, by its number.
    pub node: usize,
    /// Where it is.
    pub place: Rect,
    /// What it says.
    pub title: String,
}

/// The widest text of the clock.
const CLOCK: &str = "cluster time 59 min 59 s";

/// The title of a zone.
pub fn title(zone: Zone, layout: Layout, node: &str) -> String {
    match (zone, layout) {
        (Zone::Declared, Layout::Wide) => "Declared · Kubernetes API".to_owned(),
        (Zone::Declared, Layout::Narrow) => "Declared · API".to_owned(),
        (Zone::ControlPlane, _) => "Control plane".to_owned(),
        (Zone::CsiController, _) => "CSI controller Pod".to_owned(),
        (Zone::Node, _) => format!("Node · {node}"),
        (Zone::Backend, Layout::Wide) => "Real · storage backend".to_owned(),
        (Zone::Backend, Layout::Narrow) => "Storage".to_owned(),
        (Zone::Kernel, Layout::Wide) => format!("Real · Linux kernel of {node}"),
        (Zone::Kernel, Layout::Narrow) => format!("Linux · {node}"),
    }
}

/// From a zone's side to its title, in units.
const TITLE: i32 = 16;

/// What a zone's title covers.
pub fn title_box(room: &Room, m: &Measures) -> Rect {
    Rect::new(room.place.x + TITLE, room.place.y + m.title - 11, width(Face::Bold, &room.title), 14)
}

/// Where the clock is: at the right of the first zone's title line.
pub fn clock_box(first: &Room, m: &Measures) -> Rect {
    let w = width(Face::Sans, CLOCK);
    Rect::new(first.place.right() - 12 - w, first.place.y + m.title - 11, w, 14)
}

/// A zone with its title.
pub fn zone_shapes(room: &Room, m: &Measures) -> Vec<Shape> {
    let z = room.place;
    vec![
        Shape::Rect { x: z.x, y: z.y, w: z.w, h: z.h, r: 6, class: "zone" },
        Shape::Text {
            x: z.x + TITLE,
            y: z.y + m.title,
            anchor: "start",
            class: "title b",
            text: room.title.clone(),
        },
    ]
}

/// The key and the class of a zone; of a second Node's its name ends the key.
pub fn zone_names(room: &Room, nodes: &[String]) -> (String, &'static str) {
    let (key, class) = match room.zone {
        Zone::Declared => ("lane/declared", "lane"),
        Zone::ControlPlane => ("lane/control-plane", "lane kube"),
        Zone::CsiController => ("lane/csi-controller", "lane sidecar"),
        Zone::Node => ("lane/node", "lane kube"),
        Zone::Backend => ("lane/backend", "lane kernel"),
        Zone::Kernel => ("lane/kernel", "lane kernel"),
    };
    match nodes.get(room.node) {
        Some(name) if room.node > 0 => (format!("{key}/{name}"), class),
        Some(_) | None => (key.to_owned(), class),
    }
}
