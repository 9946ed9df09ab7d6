//! The lines that a wire may run on between what is in the way, and the cheapest ways along them.

use super::geom::{Dir, Pt, Rect};
use super::route::{CLEAR, Floor, MARGIN, Port};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// How far from a shape the lines run, in units.
const LANE: i32 = 8;
/// What a bend costs, in units of length.
pub const BEND: u32 = 40;
/// What it costs to cross something that may be crossed at need, such as a pipe.
const CROSS: u32 = 90;
/// A wire nearer to the canvas's edge than this costs half as much again, in units.
const EDGE: i32 = 16;
/// Lines for capsules nearer to another line than this are left out, in units.
const APART: i32 = 4;
const FAR: u32 = u32::MAX;

/// Vertical and horizontal lines; a node is a crossing of two.
pub struct Grid {
    xs: Vec<i32>,
    ys: Vec<i32>,
    /// The cost of the stretch to the right of each node and of the one below it.
    right: Vec<u32>,
    down: Vec<u32>,
}

/// What it costs to get to each state, a node with the direction of arrival, and whence.
pub struct Costs {
    cost: Vec<u32>,
    from: Vec<u32>,
}

impl Costs {
    /// The cost of a state; `None` when there is no way.
    pub fn cost(&self, state: usize) -> Option<u32> {
        self.cost.get(state).copied().filter(|c| *c < FAR)
    }

    /// Whether there is a way to a node.
    pub fn reaches(&self, node: usize) -> bool {
        (node * 4..node * 4 + 4).any(|s| self.cost(s).is_some())
    }

    fn lower(&mut self, state: usize, cost: u32, from: u32) -> bool {
        match (self.cost.get_mut(state), self.from.get_mut(state)) {
            (Some(c), Some(f)) if cost < *c => {
                (*c, *f) = (cost, from);
                true
            }
            _ => false,
        }
    }
}

impl Grid {
    /// The lines beside every wall and through every port; for a capsule also those on which it clears
    /// the walls.
    pub fn new(floor: &Floor, from: &[Port], to: &[Port], capsule: Option<(i32, i32)>) -> Grid {
        let sides = |d: (i32, i32)| floor.walls.iter().map(move |w| (w, d));
        let (mut xs, mut ys): (BTreeSet<i32>, BTreeSet<i32>) =
            from.iter().chain(to).map(Port::free_end).unzip();
        for (w, (dx, dy)) in sides((LANE, LANE)) {
            xs.extend([w.x - dx, w.right() + dx]);
            ys.extend([w.y - dy, w.bottom() + dy]);
        }
        if let Some((cw, ch)) = capsule {
            for (w, (dx, dy)) in sides((cw / 2 + 4, ch / 2 + 4)) {
                add_apart(&mut xs, [w.x - dx, w.right() + dx]);
                add_apart(&mut ys, [w.y - dy, w.bottom() + dy + 10]);
            }
        }
        let inside = |lines: BTreeSet<i32>, size: i32| -> Vec<i32> {
            lines.into_iter().filter(|v| (MARGIN..=size - MARGIN).contains(v)).collect()
        };
        let (xs, ys) = (inside(xs, floor.size.0), inside(ys, floor.size.1));
        let mut grid = Grid { right: Vec::new(), down: Vec::new(), xs, ys };
        grid.measure(floor);
        grid
    }

    /// Sets the cost of every stretch: its length, more along the edge, more across something soft, and
    /// no way at all too near to a wall.
    fn measure(&mut self, floor: &Floor) {
        let (w, h) = floor.size;
        let edge = |v: i32, size: i32| v < EDGE || v > size - EDGE;
        for (j, y) in self.ys.iter().enumerate() {
            for (i, x) in self.xs.iter().enumerate() {
                let long = |next: Option<&i32>, v: i32, costly: bool| {
                    let d = next.map_or(FAR, |n| (n - v).unsigned_abs());
                    if costly && d < FAR { d * 3 / 2 } else { d }
                };
                self.right.push(long(self.xs.get(i + 1), *x, edge(*y, h)));
                self.down.push(long(self.ys.get(j + 1), *y, edge(*x, w)));
            }
        }
        for s in &floor.soft {
            self.touch(*s, |c| c.saturating_add(CROSS));
        }
        for wall in &floor.walls {
            self.touch(wall.grown(CLEAR), |_| FAR);
        }
    }

    /// Changes the cost of every stretch that meets the inside of a rectangle.
    fn touch(&mut self, r: Rect, change: impl Fn(u32) -> u32) {
        let w = self.xs.len();
        // Lines strictly inside, and stretches that reach inside.
        let within =
            |v: &[i32], lo: i32, hi: i32| v.partition_point(|x| *x <= lo)..v.partition_point(|x| *x < hi);
        let (cols, rows) = (within(&self.xs, r.x, r.right()), within(&self.ys, r.y, r.bottom()));
        let reach = |lines: &std::ops::Range<usize>| lines.start.saturating_sub(1)..lines.end;
        for j in rows.clone() {
            for i in reach(&cols) {
                self.right.get_mut(j * w + i).into_iter().for_each(|c| *c = change(*c));
            }
        }
        for j in reach(&rows) {
            for i in cols.clone() {
                self.down.get_mut(j * w + i).into_iter().for_each(|c| *c = change(*c));
            }
        }
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.xs.len() * self.ys.len()
    }

    /// Where a node is.
    pub fn point(&self, node: usize) -> Pt {
        let at = |v: &[i32], i: usize| v.get(i).copied().unwrap_or(0);
        let w = self.xs.len().max(1);
        (at(&self.xs, node % w), at(&self.ys, node / w))
    }

    fn node(&self, p: Pt) -> Option<usize> {
        Some(self.ys.binary_search(&p.1).ok()? * self.xs.len() + self.xs.binary_search(&p.0).ok()?)
    }

    /// The next node in a direction, and the cost of the stretch to it.
    fn ahead(&self, node: usize, dir: Dir) -> Option<(usize, u32)> {
        let w = self.xs.len();
        let (next, side, at) = match dir {
            Dir::Up => (node.checked_sub(w)?, &self.down, node.checked_sub(w)?),
            Dir::Right => (node + 1, &self.right, node),
            Dir::Down => (node + w, &self.down, node),
            Dir::Left => (node.checked_sub(1)?, &self.right, node.checked_sub(1)?),
        };
        side.get(at).copied().filter(|c| *c < FAR).map(|c| (next, c))
    }

    /// Dijkstra's algorithm from the free ends of the ports. It stops when nothing can be cheaper than
    /// the way it has found to one of the ports `to`; without any it goes everywhere.
    pub fn explore(&self, ports: &[Port], to: &[Port]) -> Costs {
        let states = self.nodes() * 4;
        let mut costs = Costs { cost: vec![FAR; states], from: vec![FAR; states] };
        let mut open = BinaryHeap::new();
        for p in ports {
            if let Some(s) = self.node(p.free_end()).map(|n| state(n, p.out)) {
                let c = p.cost + p.stub.unsigned_abs();
                if costs.lower(s, c, FAR) {
                    open.push(Reverse((c, s)));
                }
            }
        }
        let goals: Vec<(usize, &Port)> =
            to.iter().filter_map(|p| Some((self.node(p.free_end())?, p))).collect();
        let mut best = FAR;
        while let Some(Reverse((c, s))) = open.pop() {
            if c >= best {
                break;
            }
            if costs.cost(s).is_some_and(|known| c > known) {
                continue;
            }
            let (node, dir) = (s / 4, Dir::ALL.get(s % 4).copied().unwrap_or(Dir::Up));
            for (_, p) in goals.iter().filter(|(n, _)| *n == node) {
                best = best.min(entry(c, dir, p).unwrap_or(FAR));
            }
            for turn in Dir::ALL.into_iter().filter(|d| *d != dir.back()) {
                let Some((next, step)) = self.ahead(node, turn) else { continue };
                let (t, c) = (state(next, turn), c + step + if turn == dir { 0 } else { BEND });
                if costs.lower(t, c, u32::try_from(s).unwrap_or(FAR)) {
                    open.push(Reverse((c, t)));
                }
            }
        }
        costs
    }

    /// The cheapest state that ends in one of the ports, and the port.
    pub fn arrival(&self, costs: &Costs, to: &[Port]) -> Option<(usize, Port)> {
        let ends = to.iter().enumerate().filter_map(|(i, p)| {
            let node = self.node(p.free_end())?;
            let entries = Dir::ALL.into_iter().filter_map(|d| {
                let s = state(node, d);
                Some((entry(costs.cost(s)?, d, p)?, i, s))
            });
            entries.min()
        });
        let (_, i, s) = ends.min()?;
        Some((s, *to.get(i)?))
    }

    /// The points from a port to a state.
    pub fn trail(&self, costs: &Costs, end: usize, ports: &[Port]) -> Vec<Pt> {
        let (mut points, mut s) = (Vec::new(), end);
        loop {
            points.push(self.point(s / 4));
            match costs.from.get(s).copied() {
                Some(back) if back != FAR => s = back as usize,
                _ => break,
            }
        }
        let begin = self.point(s / 4);
        points.extend(ports.iter().find(|p| p.free_end() == begin && state(0, p.out) == s % 4).map(|p| p.at));
        points.reverse();
        points
    }
}

/// Adds lines that are not too near to others.
fn add_apart(lines: &mut BTreeSet<i32>, new: [i32; 2]) {
    for v in new {
        if lines.range(v - APART + 1..v + APART).next().is_none() {
            lines.insert(v);
        }
    }
}

/// What it costs to end in a port, having come to its free end; `None` when that would turn back.
fn entry(cost: u32, dir: Dir, port: &Port) -> Option<u32> {
    let bend = if dir == port.out.back() { 0 } else { BEND };
    (dir != port.out).then(|| cost + bend + port.cost + port.stub.unsigned_abs())
}

fn state(node: usize, dir: Dir) -> usize {
    node * 4 + Dir::ALL.iter().position(|d| *d == dir).unwrap_or(0)
}
