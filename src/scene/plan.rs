//! The floor plan of a picture: what stands where in a layout, and where wires may leave and enter.

use super::Layout;
use super::cast::Cast;
use super::geom::{Dir, Rect};
use super::ground::{Ground, Order};
use super::home::Zone;
use super::lane::{self, Placed};
use super::measures::{Measures, measures};
use super::ports::around;
use super::real::Work;
use super::room::{Room, clock_box, title, title_box};
use super::route::{Floor, Port};
use super::shelf::{self, Card};
use super::thing::Thing;
use crate::model::{Actor, ObjectRef};

/// The cast of a run, placed in a layout.
pub struct Plan {
    /// The layout.
    pub layout: Layout,
    /// Its measures.
    pub m: Measures,
    /// Who and what is in the picture.
    pub cast: Cast,
    /// The zones in drawing order.
    pub rooms: Vec<Room>,
    /// The cards.
    pub cards: Vec<Card>,
    /// The pills.
    pub pills: Vec<Placed>,
    /// Real things and pipes.
    pub ground: Ground,
    /// Where the legend's line of text is, if there is one.
    pub legend: Option<i32>,
    /// What wires go around, and how large the canvas is.
    pub floor: Floor,
}

impl Plan {
    /// Places a cast: with the roomiest measures that keep the canvas within their limit, or with the densest.
    pub fn new(cast: Cast, layout: Layout) -> Plan {
        let all = measures(layout);
        let mut plan: Option<Plan> = None;
        for m in all {
            let next = Plan::with(cast.clone(), layout, *m);
            let fits = next.floor.size.1 <= m.limit;
            let lower = plan.as_ref().is_none_or(|p| next.floor.size.1 < p.floor.size.1);
            if fits || lower {
                plan = Some(next);
            }
            if fits {
                break;
            }
        }
        plan.unwrap_or_else(|| {
            Plan::with(cast, layout, all.first().copied().unwrap_or(super::measures::WIDE))
        })
    }

    fn with(cast: Cast, layout: Layout, m: Measures) -> Plan {
        let mut plan = Plan {
            layout,
            m,
            rooms: Vec::new(),
            cards: Vec::new(),
            pills: Vec::new(),
            ground: Ground::default(),
            legend: None,
            floor: Floor::default(),
            cast,
        };
        let mut y = plan.shelf(m.margin);
        y = match layout {
            Layout::Wide => plan.wide(y),
            Layout::Narrow => plan.narrow(y),
        };
        let cast = plan.cast.clone();
        plan.ground.lay_pipes(&cast);
        let mut end = y - m.gap + m.margin;
        if layout == Layout::Wide {
            plan.legend = Some(y - m.gap + 16);
            end = y - m.gap + 32;
        }
        plan.floor.size = (m.width, (end + 7) / 8 * 8);
        plan.build_walls();
        plan
    }

    fn room(&mut self, zone: Zone, node: usize, place: Rect) {
        let name = self.cast.nodes.get(node).cloned().unwrap_or_default();
        self.rooms.push(Room { zone, node, place, title: title(zone, self.layout, &name) });
    }

    /// The cards. Returns where the next zone begins.
    fn shelf(&mut self, y: i32) -> i32 {
        if self.cast.objects.is_empty() {
            return y;
        }
        let m = self.m;
        let (cards, end) = shelf::cards(&self.cast, y + m.head, &m);
        let place = Rect::new(m.margin, y, m.width - 2 * m.margin, end + 8 - y);
        self.cards = cards;
        self.room(Zone::Declared, 0, place);
        place.bottom() + m.gap
    }

    /// Clusters' lanes at the left, Nodes' at the right, and the ground beneath. Returns where the next zone would begin.
    fn wide(&mut self, y: i32) -> i32 {
        let m = self.m;
        let cast = self.cast.clone();
        let nodes: Vec<(usize, Vec<&Actor>)> = self.actors_of_nodes(&cast);
        let (control, csi) = (cast.lane(Zone::ControlPlane, None), cast.lane(Zone::CsiController, None));
        let all = Rect::new(m.margin, y, m.width - 2 * m.margin, 0);
        let left_empty = control.is_empty() && csi.is_empty();
        // The lanes of the cluster have three fifths of the width where calls run in them.
        let left_w = match () {
            () if nodes.is_empty() => all.w,
            () if left_empty => 0,
            // Two Nodes' pills stand side by side and need more.
            () if nodes.len() > 1 && !csi.is_empty() => 460,
            () if csi.is_empty() => (lane::one_row(&control, &m) + 2 * m.pad).clamp(160, 336),
            // One row of pills with the calls beneath it is lower than two with calls between them.
            () => Some(lane::shortest_row(&csi, &m) + 2 * m.pad).filter(|w| *w <= 544).unwrap_or(0).max(488),
        };
        let mut left = y;
        let first = self.rooms.len();
        if !control.is_empty() {
            let end =
                lane::quiet(&control, all.x + m.pad, left + m.head, left_w - 2 * m.pad, &m, &mut self.pills)
                    + m.foot;
            self.room(Zone::ControlPlane, 0, Rect::new(all.x, left, left_w, end - left));
            left = end + m.gap;
        }
        if !csi.is_empty() {
            let end =
                lane::calling(&csi, all.x + m.pad, left + m.head, left_w - 2 * m.pad, &m, &mut self.pills)
                    + m.foot;
            self.room(Zone::CsiController, 0, Rect::new(all.x, left, left_w, end - left));
            left = end + m.gap;
        }
        let last_left = self.rooms.len();
        let x = if left_empty { all.x } else { all.x + left_w + m.gap };
        let right_w = all.right() - x;
        let inner = if left_empty { m.pad } else { 12 };
        let mut right = y;
        let column = matches!(&nodes[..], [_]) && !csi.is_empty();
        if let ([(node, actors)], true) = (&nodes[..], column) {
            let least = m.head + 2 * m.pill + lane::CALL + m.foot;
            let place = Rect::new(x, y, right_w, (left - m.gap - y).max(least));
            self.room(Zone::Node, *node, place);
            let inside = Rect::new(x + 12, y + m.head, right_w - 24, place.h - m.head - m.foot);
            lane::upright(actors, inside, &m, &mut self.pills);
            right = place.bottom() + m.gap;
        } else {
            let m = Measures { call: m.call.min(44), ..m };
            for (node, actors) in &nodes {
                let (at, room) = (x + inner, right_w - 2 * inner);
                let end = lane::calling(actors, at, right + m.head, room, &m, &mut self.pills) + m.foot;
                self.room(Zone::Node, *node, Rect::new(x, right, right_w, end - right));
                right = end + m.gap;
            }
        }
        // Both sides end together.
        let end = left.max(right);
        let stretch = |rooms: &mut [Room], by: i32| {
            if let Some(room) = rooms.last_mut() {
                room.place.h += by;
            }
        };
        stretch(self.rooms.get_mut(first..last_left).unwrap_or_default(), end - left);
        stretch(self.rooms.get_mut(last_left..).unwrap_or_default(), end - right);
        self.wide_ground(&cast, end)
    }

    fn actors_of_nodes<'c>(&self, cast: &'c Cast) -> Vec<(usize, Vec<&'c Actor>)> {
        let lanes = cast.nodes.iter().enumerate().map(|(i, n)| (i, cast.lane(Zone::Node, Some(n))));
        lanes.filter(|(_, actors)| !actors.is_empty()).collect()
    }

    /// The Nodes that have something on the ground, and how many rows of it.
    fn grounds(&self, cast: &Cast, order: Order) -> Vec<(usize, i32)> {
        let rows = cast.nodes.iter().enumerate().map(|(i, n)| (i, Ground::rows(cast, n, order)));
        rows.filter(|(_, rows)| *rows > 0).collect()
    }

    fn wide_ground(&mut self, cast: &Cast, y: i32) -> i32 {
        let m = self.m;
        let all = m.width - 2 * m.margin;
        let order = if self.grounds(cast, Order::Square).len() > 1 { Order::Along } else { Order::Square };
        let kernels = self.grounds(cast, order);
        let tall = |rows: i32| m.head + rows * m.thing + (rows - 1) * m.thing_gap + m.foot;
        let heights: i32 = kernels.iter().map(|(_, rows)| tall(*rows) + m.gap).sum();
        if kernels.is_empty() && cast.real.stored.is_empty() {
            return y;
        }
        let h = if kernels.is_empty() { tall(2) } else { heights - m.gap };
        let backend_w = match () {
            () if cast.real.stored.is_empty() => 0,
            () if kernels.is_empty() => all,
            () => 292,
        };
        if backend_w > 0 {
            let place = Rect::new(m.margin, y, backend_w, h);
            self.room(Zone::Backend, 0, place);
            let inside = Rect::new(place.x + m.pad, y + m.head, backend_w - 2 * m.pad, h - m.head - m.foot);
            self.ground.backend(&cast.real.stored, inside, true, 120);
        }
        let x = m.margin + if backend_w > 0 { backend_w + m.gap } else { 0 };
        let mut at = y;
        for (node, rows) in &kernels {
            let place = Rect::new(x, at, m.margin + all - x, tall(*rows));
            self.room(Zone::Kernel, *node, place);
            let inside = Rect::new(x + m.pad, at + m.head, place.w - 2 * m.pad - 4, 0);
            let name = cast.nodes.get(*node).map(String::as_str).unwrap_or_default();
            self.ground.node(cast, name, order, inside, &m);
            at = place.bottom() + m.gap;
        }
        y + h + m.gap
    }

    /// All zones one below the other. Returns where the next zone would begin.
    fn narrow(&mut self, y: i32) -> i32 {
        let m = self.m;
        let cast = self.cast.clone();
        let all = Rect::new(m.margin, y, m.width - 2 * m.margin, 0);
        let (x, room) = (all.x + m.pad, all.w - 2 * m.pad);
        let mut y = y;
        for zone in [Zone::ControlPlane, Zone::CsiController] {
            let actors = cast.lane(zone, None);
            if actors.is_empty() {
                continue;
            }
            let lay = if zone == Zone::ControlPlane { lane::quiet } else { lane::calling };
            let end = lay(&actors, x, y + m.head, room, &m, &mut self.pills) + m.foot;
            self.room(zone, 0, Rect::new(all.x, y, all.w, end - y));
            y = end + m.gap;
        }
        let nodes = self.actors_of_nodes(&cast);
        let kernels = self.grounds(&cast, Order::Square);
        if nodes.len() > 1 || kernels.len() > 1 {
            return self.narrow_nodes(&cast, all, y);
        }
        for (node, actors) in &nodes {
            let end = lane::calling(actors, x, y + m.head, room, &m, &mut self.pills) + m.foot;
            self.room(Zone::Node, *node, Rect::new(all.x, y, all.w, end - y));
            y = end + m.gap;
        }
        let kernel = kernels.first().copied();
        let stored = &cast.real.stored;
        if kernel.is_none() && stored.is_empty() {
            return y;
        }
        let rows = kernel.map_or(2, |(_, rows)| rows);
        let wanted = i32::try_from(stored.len()).unwrap_or(0);
        let inner = (rows * m.thing + (rows - 1) * m.thing_gap).max(if kernel.is_some() {
            wanted * (m.thing + 6) + (wanted - 1) * 6
        } else {
            56
        });
        let h = m.head + inner + 8;
        let backend_w = match () {
            () if stored.is_empty() => 0,
            () if kernel.is_none() => all.w,
            () => 112,
        };
        if backend_w > 0 {
            self.room(Zone::Backend, 0, Rect::new(all.x, y, backend_w, h));
            let inside = Rect::new(all.x + 12, y + m.head, backend_w - 24, inner);
            self.ground.backend(stored, inside, kernel.is_none(), 84);
        }
        if let Some((node, rows)) = kernel {
            let x = all.x + if backend_w > 0 { backend_w + m.gap } else { 0 };
            self.room(Zone::Kernel, node, Rect::new(x, y, all.right() - x, h));
            let lower = inner - (rows * m.thing + (rows - 1) * m.thing_gap);
            let inside = Rect::new(x + 8, y + m.head + lower, all.right() - x - 20, 0);
            let name = cast.nodes.get(node).map(String::as_str).unwrap_or_default();
            self.ground.node(&cast, name, Order::Square, inside, &m);
        }
        y + h + m.gap
    }

    /// Two Nodes with their things, and between them what both may be given.
    fn narrow_nodes(&mut self, cast: &Cast, all: Rect, y: i32) -> i32 {
        let m = self.m;
        let (x, room) = (all.x + m.pad, all.w - 2 * m.pad);
        let mut y = y;
        for (i, name) in cast.nodes.iter().enumerate() {
            let actors = cast.lane(Zone::Node, Some(name));
            let rows = Ground::rows(cast, name, Order::Back);
            let things = rows * m.thing + (rows - 1).max(0) * m.thing_gap;
            let top = y;
            y += m.head;
            let lay_things = |plan: &mut Plan, y: i32| {
                plan.ground.node(cast, name, Order::Back, Rect::new(x, y, room, 0), &m);
            };
            // Each Node turns its things towards the storage.
            if i > 0 && rows > 0 {
                lay_things(self, y);
                y += things + 8;
            }
            y = lane::calling(&actors, x, y, room, &m, &mut self.pills);
            if i == 0 && rows > 0 {
                // A capsule between actors and things; without a call there is no row for it.
                y += if actors.len() == 1 { 8 } else { (44 - m.call).max(0) };
                lay_things(self, y);
                y += things + 4;
            }
            // At the canvas's edge a call needs room for its capsule.
            y += m.foot + if i > 0 { 8 } else { 0 };
            self.room(Zone::Node, i, Rect::new(all.x, top, all.w, y - top));
            y += m.gap;
            if i == 0 && !cast.real.stored.is_empty() {
                let h = 52;
                self.room(Zone::Backend, 0, Rect::new(all.x, y, all.w, h));
                let w = (room - 24) / 4;
                let inside = Rect::new(all.right() - m.pad - w, y + 5, w, h - 10);
                self.ground.backend(&cast.real.stored, inside, false, w);
                y += h + m.gap;
            }
        }
        y
    }

    /// What wires must not touch.
    fn build_walls(&mut self) {
        let floor = &mut self.floor;
        floor.walls.extend(self.pills.iter().map(|p| p.place));
        floor.walls.extend(self.cards.iter().map(|c| c.place));
        floor.walls.extend(self.ground.things.iter().map(|t| t.place));
        floor.walls.extend(self.rooms.iter().map(|r| title_box(r, &self.m)));
        floor.walls.extend(self.rooms.first().map(|r| clock_box(r, &self.m)));
        for pipe in &self.ground.pipes {
            let (a, b) = pipe.line;
            floor.soft.push(Rect::between(a, b).grown(6));
            floor.walls.extend(pipe.word().map(|(r, _)| r));
        }
        if let Some(y) = self.legend {
            floor.walls.push(Rect::new(0, y - 8, self.m.width, 24));
        }
    }

    /// An object's card.
    pub fn card(&self, object: &ObjectRef) -> Option<&Card> {
        self.cards.iter().find(|c| c.object.object == *object)
    }

    /// Where an actor's pill is.
    pub fn place(&self, actor: &Actor) -> Option<Rect> {
        self.pills.iter().find(|p| p.actor == *actor).map(|p| p.place)
    }

    /// The thing that a driver works on.
    pub fn thing_of(&self, work: &Work) -> Option<&Thing> {
        self.ground.things.iter().find(|t| match work {
            Work::Stored(handle) => t.node.is_empty() && t.path == *handle,
            Work::Path(path) => t.path == *path,
        })
    }

    /// The volume at the backend with this handle.
    pub fn volume(&self, handle: &str) -> Option<&Thing> {
        self.ground.things.iter().find(|t| t.node.is_empty() && t.path == handle)
    }

    /// The mount at this path of a Node.
    pub fn mount(&self, node: &str, path: &str) -> Option<&Thing> {
        self.ground.things.iter().find(|t| t.node == node && t.path == path && t.pod.is_none())
    }

    /// On which side of an actor's pill calls run.
    pub fn calls(&self, actor: &Actor) -> Option<Dir> {
        self.pills.iter().find(|p| p.actor == *actor).map(|p| p.calls)
    }

    /// The ports of an actor's pill; `facing` is the shape at the other end of the wire.
    pub fn pill_ports(&self, actor: &Actor, facing: Option<Rect>) -> Vec<Port> {
        self.place(actor).map_or(Vec::new(), |p| around(p, facing, p.h / 2 - 4))
    }
}
