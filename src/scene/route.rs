//! The router: the cheapest way along the axes between two shapes that touches nothing on the floor.

use super::geom::{Dir, Pt, Rect, length};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// How far a wire keeps from shapes and words, in units.
pub const CLEAR: i32 = 6;
/// How far from a shape the lanes run that wires prefer, in units.
const LANE: i32 = 8;
/// What a bend costs, in units of length.
const BEND: u32 = 28;
/// What it costs to cross something that may be crossed at need, such as a pipe.
const CROSS: u32 = 90;
/// Lines nearer to the canvas's edge than this are not used, in units.
const MARGIN: i32 = 4;
const FAR: u32 = u32::MAX;

/// A place where a wire may leave or enter a shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Port {
    /// The point on the shape's edge.
    pub at: Pt,
    /// Which way leads away from the shape.
    pub out: Dir,
    /// How far the wire runs straight before it may bend, in units.
    pub stub: i32,
    /// What it costs to use this port rather than another, in units of length.
    pub cost: u32,
}

impl Port {
    fn free_end(&self) -> Pt {
        self.out.ahead(self.at, self.stub)
    }
}

/// What wires must not touch, and what they had better not cross.
#[derive(Clone, Debug, Default)]
pub struct Floor {
    /// Width and height of the canvas.
    pub size: (i32, i32),
    /// Shapes and words.
    pub walls: Vec<Rect>,
    /// Pipes, and wires drawn at the same time.
    pub soft: Vec<Rect>,
}

impl Floor {
    /// The way between one of the ports `from` and one of the ports `to`; `None` when there is none.
    pub fn route(&self, from: &[Port], to: &[Port]) -> Option<Vec<Pt>> {
        let grid = Grid::new(self, from, to, None);
        let there = grid.explore(from);
        let (end, port) = grid.arrival(&there, to)?;
        let mut points = grid.trail(&there, end, from);
        points.push(port.at);
        Some(tidy(points))
    }

    /// The way between two shapes that has room for a capsule of width `w` and height `h`, and the
    /// capsule's centre on it. A capsule as far from both ends as can be is preferred.
    pub fn route_with(&self, from: &[Port], to: &[Port], w: i32, h: i32) -> Option<(Vec<Pt>, Pt)> {
        let direct = self.route(from, to)?;
        if let Some(centre) = self.slot(&direct, w, h) {
            return Some((direct, centre));
        }
        let grid = Grid::new(self, from, to, Some((w, h)));
        let (there, back) = (grid.explore(from), grid.explore(to));
        let mut meets: Vec<(u32, usize, usize)> = Vec::new();
        for node in (0..grid.nodes()).filter(|n| self.free(Rect::around(grid.point(*n), w, h))) {
            for (a, b) in (0..4).flat_map(|a| (0..4).map(move |b| (node * 4 + a, node * 4 + b))) {
                let cost = |costs: &Costs, s: usize| costs.cost.get(s).copied().filter(|c| *c < FAR);
                // Both ways arrive here: the same direction would turn back on itself.
                if let (true, Some(x), Some(y)) = (a != b, cost(&there, a), cost(&back, b)) {
                    meets.push((x + y + if a.abs_diff(b) == 2 { 0 } else { BEND }, a, b));
                }
            }
        }
        meets.sort_unstable();
        meets.into_iter().find_map(|(_, a, b)| {
            let mut points = grid.trail(&there, a, from);
            let mut rest = grid.trail(&back, b, to);
            rest.reverse();
            points.extend(rest);
            let (points, centre) = (tidy(points), grid.point(a / 4));
            shows_ends(&points, Rect::around(centre, w, h)).then_some((points, centre))
        })
    }

    /// A place on the way where a capsule covers nothing, as near to the middle as can be.
    fn slot(&self, points: &[Pt], w: i32, h: i32) -> Option<Pt> {
        let total = length(points);
        let (lo, hi) = (h / 2 + 6, total - h / 2 - 14);
        (lo..=hi)
            .step_by(2)
            .map(|s| ((s - total / 2).abs(), super::geom::along(points, s)))
            .filter(|(_, p)| self.free(Rect::around(*p, w, h)) && shows_ends(points, Rect::around(*p, w, h)))
            .min()
            .map(|(_, p)| p)
    }

    /// Whether a capsule here covers no shape and no word.
    pub fn free(&self, capsule: Rect) -> bool {
        let canvas = Rect::new(MARGIN, MARGIN, self.size.0 - 2 * MARGIN, self.size.1 - 2 * MARGIN);
        canvas.holds(&capsule) && !self.walls.iter().any(|w| w.grown(3).meets(&capsule))
    }
}

/// Whether a capsule leaves the beginning of the way and its head to be seen.
fn shows_ends(points: &[Pt], capsule: Rect) -> bool {
    let total = length(points);
    let at = |s| super::geom::along(points, s);
    let stretches = [(0, 6), (total - 14, total)];
    stretches.into_iter().all(|(a, b)| !Rect::between(at(a), at(b)).grown(1).meets(&capsule))
}

/// Without repeated points and points in the middle of a straight stretch.
fn tidy(points: Vec<Pt>) -> Vec<Pt> {
    let mut out: Vec<Pt> = Vec::with_capacity(points.len());
    for p in points {
        if out.last() == Some(&p) {
            continue;
        }
        if let [.., a, b] = out.as_slice()
            && ((a.0 == b.0 && b.0 == p.0) || (a.1 == b.1 && b.1 == p.1))
        {
            out.pop();
        }
        out.push(p);
    }
    out
}

/// The lines that a wire may run on, and what each stretch between two of them costs.
struct Grid {
    xs: Vec<i32>,
    ys: Vec<i32>,
    /// The cost of the stretch to the right of each node and of the one below it.
    right: Vec<u32>,
    down: Vec<u32>,
}

/// What it costs to get to each node, arriving in each direction, and whence.
struct Costs {
    cost: Vec<u32>,
    from: Vec<u32>,
}

impl Grid {
    fn new(floor: &Floor, from: &[Port], to: &[Port], capsule: Option<(i32, i32)>) -> Grid {
        let (mut xs, mut ys) = (BTreeSet::new(), BTreeSet::new());
        for w in &floor.walls {
            xs.extend([w.x - LANE, w.right() + LANE]);
            ys.extend([w.y - LANE, w.bottom() + LANE]);
            if let Some((cw, ch)) = capsule {
                xs.extend([w.x - cw / 2 - 4, w.right() + cw / 2 + 4]);
                ys.extend([w.y - ch / 2 - 4, w.bottom() + ch / 2 + 4]);
            }
        }
        for p in from.iter().chain(to) {
            let (x, y) = p.free_end();
            xs.insert(x);
            ys.insert(y);
        }
        let within = |v: &i32, size: i32| (MARGIN..=size - MARGIN).contains(v);
        let xs: Vec<i32> = xs.into_iter().filter(|x| within(x, floor.size.0)).collect();
        let ys: Vec<i32> = ys.into_iter().filter(|y| within(y, floor.size.1)).collect();
        let mut grid = Grid { xs, ys, right: Vec::new(), down: Vec::new() };
        let walls: Vec<Rect> = floor.walls.iter().map(|w| w.grown(CLEAR)).collect();
        for n in 0..grid.nodes() {
            let p = grid.point(n);
            let cost = |q: Option<Pt>| q.map_or(FAR, |q| stretch(p, q, &walls, &floor.soft));
            grid.right.push(cost(grid.ahead(n, Dir::Right).map(|m| grid.point(m))));
            grid.down.push(cost(grid.ahead(n, Dir::Down).map(|m| grid.point(m))));
        }
        grid
    }

    fn nodes(&self) -> usize {
        self.xs.len() * self.ys.len()
    }

    fn point(&self, node: usize) -> Pt {
        let at = |v: &[i32], i: usize| v.get(i).copied().unwrap_or(0);
        let w = self.xs.len().max(1);
        (at(&self.xs, node % w), at(&self.ys, node / w))
    }

    fn node(&self, p: Pt) -> Option<usize> {
        Some(self.ys.binary_search(&p.1).ok()? * self.xs.len() + self.xs.binary_search(&p.0).ok()?)
    }

    fn ahead(&self, node: usize, dir: Dir) -> Option<usize> {
        let w = self.xs.len();
        match dir {
            Dir::Up => node.checked_sub(w),
            Dir::Right => (node % w + 1 < w).then_some(node + 1),
            Dir::Down => Some(node + w).filter(|n| *n < self.nodes()),
            Dir::Left => (!node.is_multiple_of(w)).then(|| node - 1),
        }
    }

    fn cost(&self, node: usize, next: usize, dir: Dir) -> u32 {
        let (side, at) = match dir {
            Dir::Right => (&self.right, node),
            Dir::Left => (&self.right, next),
            Dir::Down => (&self.down, node),
            Dir::Up => (&self.down, next),
        };
        side.get(at).copied().unwrap_or(FAR)
    }

    /// Dijkstra's algorithm from the free ends of the ports; a state is a node and a direction.
    fn explore(&self, ports: &[Port]) -> Costs {
        let mut costs = Costs { cost: vec![FAR; self.nodes() * 4], from: vec![FAR; self.nodes() * 4] };
        let mut open = BinaryHeap::new();
        for p in ports {
            if let Some(node) = self.node(p.free_end()) {
                let s = state(node, p.out);
                let c = p.cost + p.stub.unsigned_abs();
                if costs.cost.get(s).is_some_and(|old| c < *old) {
                    set(&mut costs, s, c, FAR);
                    open.push(Reverse((c, s)));
                }
            }
        }
        while let Some(Reverse((c, s))) = open.pop() {
            if costs.cost.get(s).is_some_and(|best| c > *best) {
                continue;
            }
            let (node, dir) = (s / 4, Dir::ALL.get(s % 4).copied().unwrap_or(Dir::Up));
            for turn in Dir::ALL.into_iter().filter(|d| *d != dir.back()) {
                let Some(next) = self.ahead(node, turn) else { continue };
                let step = self.cost(node, next, turn);
                if step == FAR {
                    continue;
                }
                let to = c + step + if turn == dir { 0 } else { BEND };
                let t = state(next, turn);
                if costs.cost.get(t).is_some_and(|old| to < *old) {
                    set(&mut costs, t, to, u32::try_from(s).unwrap_or(FAR));
                    open.push(Reverse((to, t)));
                }
            }
        }
        costs
    }

    /// The cheapest state that ends in one of the ports, and the port.
    fn arrival(&self, costs: &Costs, to: &[Port]) -> Option<(usize, Port)> {
        let ends = to.iter().enumerate().filter_map(|(i, p)| {
            let node = self.node(p.free_end())?;
            Dir::ALL
                .into_iter()
                .filter(|d| *d != p.out)
                .filter_map(|d| {
                    let s = state(node, d);
                    let c = costs.cost.get(s).copied().filter(|c| *c < FAR)?;
                    let bend = if d == p.out.back() { 0 } else { BEND };
                    Some((c + bend + p.cost + p.stub.unsigned_abs(), i, s))
                })
                .min()
        });
        let (_, i, s) = ends.min()?;
        Some((s, *to.get(i)?))
    }

    /// The points from a port to a state.
    fn trail(&self, costs: &Costs, end: usize, ports: &[Port]) -> Vec<Pt> {
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

fn state(node: usize, dir: Dir) -> usize {
    node * 4 + Dir::ALL.iter().position(|d| *d == dir).unwrap_or(0)
}

fn set(costs: &mut Costs, state: usize, cost: u32, from: u32) {
    if let (Some(c), Some(f)) = (costs.cost.get_mut(state), costs.from.get_mut(state)) {
        (*c, *f) = (cost, from);
    }
}

/// What a straight stretch costs: its length, and more when it crosses something soft.
fn stretch(p: Pt, q: Pt, walls: &[Rect], soft: &[Rect]) -> u32 {
    // A line has no inside: widen it by one unit each way so that `meets` sees it.
    let line = Rect::between(p, q).grown(1);
    if walls.iter().any(|w| w.grown(-1).meets(&line)) {
        return FAR;
    }
    let crossed = u32::try_from(soft.iter().filter(|s| s.meets(&line)).count()).unwrap_or(0);
    length(&[p, q]).unsigned_abs() + crossed * CROSS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn port(x: i32, y: i32, out: Dir) -> Port {
        Port { at: (x, y), out, stub: 8, cost: 0 }
    }

    fn floor(walls: &[Rect]) -> Floor {
        Floor { size: (400, 300), walls: walls.to_vec(), soft: Vec::new() }
    }

    #[test]
    fn goes_around_what_is_in_the_way() {
        let (a, b, wall) =
            (Rect::new(20, 200, 100, 40), Rect::new(20, 20, 100, 40), Rect::new(0, 100, 200, 40));
        let floor = floor(&[a, b, wall]);
        let way = floor.route(&[port(70, 200, Dir::Up)], &[port(70, 60, Dir::Down)]).unwrap();
        assert_eq!((way.first(), way.last()), (Some(&(70, 200)), Some(&(70, 60))));
        for (p, q) in way.iter().zip(way.iter().skip(1)) {
            assert!(p.0 == q.0 || p.1 == q.1, "{way:?}");
            assert!(!wall.meets(&Rect::between(*p, *q).grown(1)), "{way:?}");
        }
    }

    #[test]
    fn finds_room_for_a_capsule_off_the_direct_way() {
        let (a, b) = (Rect::new(20, 100, 100, 40), Rect::new(180, 100, 100, 40));
        let floor = floor(&[a, b]);
        let from = [port(120, 120, Dir::Right), port(70, 140, Dir::Down)];
        let to = [port(180, 120, Dir::Left), port(230, 140, Dir::Down)];
        assert_eq!(floor.route(&from, &to).unwrap(), [(120, 120), (180, 120)]);
        let (way, centre) = floor.route_with(&from, &to, 140, 26).unwrap();
        assert!(way.len() > 2 && floor.free(Rect::around(centre, 140, 26)), "{way:?} {centre:?}");
    }

    #[test]
    fn says_when_there_is_no_way() {
        let cage = [Rect::new(20, 20, 4, 100), Rect::new(20, 20, 100, 4), Rect::new(120, 20, 4, 100)];
        let floor = floor(&[&cage[..], &[Rect::new(20, 116, 104, 4)]].concat());
        assert_eq!(floor.route(&[port(70, 70, Dir::Up)], &[port(300, 250, Dir::Left)]), None);
    }
}
