//! The floor plan of a picture: what stands where in a layout, and where wires may leave and enter.

use super::cast::Cast;
use super::geom::{Dir, Rect};
use super::home::{self, Thing, Zone};
use super::route::{Floor, Port};
use super::text::{Face, width};
use super::thing::PIPES;
use super::{Layout, Shape};
use crate::model::{Actor, Kind};

/// The cast of a run, placed in a layout.
pub struct Plan {
    /// The layout.
    pub layout: Layout,
    /// Who and what is in the picture.
    pub cast: Cast,
    /// What wires go around.
    pub floor: Floor,
}

/// The widest text of the clock.
const CLOCK: &str = "cluster time 59 min 59 s";

impl Plan {
    /// Places a cast.
    pub fn new(cast: Cast, layout: Layout) -> Plan {
        let m = home::measures(layout);
        let mut floor = Floor { size: m.size, ..Floor::default() };
        floor.walls.extend(cast.actors.iter().filter_map(|a| home::pill(a.role, layout)));
        floor.walls.extend(cast.objects.iter().filter_map(|o| home::card(o.kind, layout)));
        floor.walls.extend(cast.things().into_iter().map(|t| home::thing(t, layout)));
        for zone in home::ZONES.into_iter().filter(|z| cast.uses(*z)) {
            floor.walls.push(title_box(zone, layout, &title(zone, layout, cast.node.as_deref())));
        }
        floor.walls.push(clock_box(layout));
        let things = cast.things();
        for pipe in PIPES.iter().filter(|p| things.contains(&p.from) && things.contains(&p.to)) {
            let (a, b) = pipe.line(layout);
            floor.soft.push(Rect::between(a, b).grown(6));
            floor.walls.extend(pipe.word(layout).map(|(r, _)| r));
        }
        Plan { layout, cast, floor }
    }

    /// The ports of an actor's pill; `facing` is the shape at the other end of the wire.
    pub fn pill(&self, actor: &Actor, facing: Option<Rect>) -> Vec<Port> {
        let place = home::pill(actor.role, self.layout).filter(|_| self.cast.has(actor));
        place.map_or(Vec::new(), |p| around(p, facing, p.h / 2 - 4))
    }

    /// The ports of a real thing.
    pub fn thing(&self, thing: Thing, facing: Option<Rect>) -> Vec<Port> {
        if self.cast.things().contains(&thing) {
            around(home::thing(thing, self.layout), facing, 12)
        } else {
            Vec::new()
        }
    }

    /// The ports of a card's row, or of its header where it has no row for the field.
    pub fn row(&self, kind: Kind, field: Option<&str>) -> Vec<Port> {
        let Some(card) = home::card(kind, self.layout) else { return Vec::new() };
        let rows = home::rows(kind, self.layout);
        let row =
            field.and_then(|f| rows.iter().position(|r| r.field == f)).and_then(|i| i32::try_from(i).ok());
        let header = Rect::new(card.x, card.y, card.w, home::measures(self.layout).header);
        sides(row.map_or(header, |i| home::row_place(card, i, self.layout)), 0)
    }

    /// The ports of a whole card, for those who read it.
    pub fn card(&self, kind: Kind, facing: Option<Rect>) -> Vec<Port> {
        let Some(card) = home::card(kind, self.layout) else { return Vec::new() };
        let rows = home::rows(kind, self.layout).len();
        let places =
            (0..rows).filter_map(|i| i32::try_from(i).ok()).map(|i| home::row_place(card, i, self.layout));
        let mut ports: Vec<Port> = places.flat_map(|r| sides(r, 8)).collect();
        // Below, only: above it the title is in the way.
        ports.extend(around(card, facing, 12).into_iter().filter(|p| p.out == Dir::Down));
        ports
    }
}

/// The middles of both sides.
fn sides(r: Rect, cost: u32) -> Vec<Port> {
    vec![
        Port { at: (r.x, r.cy()), out: Dir::Left, stub: 8, cost },
        Port { at: (r.right(), r.cy()), out: Dir::Right, stub: 8, cost },
    ]
}

/// Ports above and below a shape at its quarters, its middle and in line with `facing`, and one at
/// each side. Nothing nearer than `corner` to the shape's ends.
fn around(r: Rect, facing: Option<Rect>, corner: i32) -> Vec<Port> {
    let mut xs = vec![(r.cx(), 0), (r.x + r.w / 4 / 4 * 4, 8), (r.right() - r.w / 4 / 4 * 4, 8)];
    if let Some(f) = facing {
        xs.extend([(f.cx(), 0), (f.x + f.w / 4 / 4 * 4, 8), (f.right() - f.w / 4 / 4 * 4, 8)]);
    }
    xs.retain(|(x, _)| (r.x + corner..=r.right() - corner).contains(x));
    let mut ports = sides(r, 0);
    for (x, cost) in xs {
        ports.push(Port { at: (x, r.y), out: Dir::Up, stub: 8, cost });
        ports.push(Port { at: (x, r.bottom()), out: Dir::Down, stub: 8, cost });
    }
    ports
}

/// The title of a zone.
pub fn title(zone: Zone, layout: Layout, node: Option<&str>) -> String {
    let node = node.unwrap_or_default();
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

fn title_box(zone: Zone, layout: Layout, text: &str) -> Rect {
    let (z, m) = (home::zone(zone, layout), home::measures(layout));
    Rect::new(z.x + m.inset, z.y + m.title - 11, width(Face::Bold, text), 14)
}

/// Where the clock is: at the right of the first zone's title line.
pub fn clock_box(layout: Layout) -> Rect {
    let (z, m) = (home::zone(Zone::Declared, layout), home::measures(layout));
    let w = width(Face::Sans, CLOCK);
    Rect::new(z.right() - 12 - w, z.y + m.title - 11, w, 14)
}

/// A zone with its title.
pub fn zone_shapes(zone: Zone, layout: Layout, node: Option<&str>) -> Vec<Shape> {
    let (z, m) = (home::zone(zone, layout), home::measures(layout));
    let text = title(zone, layout, node);
    vec![
        Shape::Rect { x: z.x, y: z.y, w: z.w, h: z.h, r: 6, class: "zone" },
        Shape::Text { x: z.x + m.inset, y: z.y + m.title, anchor: "start", class: "title b", text },
    ]
}

/// The key and the class of a zone.
pub const fn zone_names(zone: Zone) -> (&'static str, &'static str) {
    match zone {
        Zone::Declared => ("lane/declared", "lane"),
        Zone::ControlPlane => ("lane/control-plane", "lane kube"),
        Zone::CsiController => ("lane/csi-controller", "lane sidecar"),
        Zone::Node => ("lane/node", "lane kube"),
        Zone::Backend => ("lane/backend", "lane kernel"),
        Zone::Kernel => ("lane/kernel", "lane kernel"),
    }
}
