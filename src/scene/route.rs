//! The router: the cheapest way along the axes between two shapes that touches nothing on the floor.

use super::geom::{Dir, Pt, Rect, along, length};
use super::grid::{BEND, Grid};

/// How far a wire keeps from shapes and words, in units.
pub const CLEAR: i32 = 6;
/// Lines nearer to the canvas's edge than this are not used, in units.
pub const MARGIN: i32 = 4;

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
    /// Where the straight beginning ends.
    pub fn free_end(&self) -> Pt {
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
        let there = grid.explore(from, to);
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
        let (there, back) = (grid.explore(from, &[]), grid.explore(to, &[]));
        let mut meets: Vec<(u32, usize, usize)> = Vec::new();
        for node in (0..grid.nodes()).filter(|n| there.reaches(*n) && back.reaches(*n)) {
            if !self.free(Rect::around(grid.point(node), w, h)) {
                continue;
            }
            let pairs = (0..4).flat_map(|a| (0..4).map(move |b| (node * 4 + a, node * 4 + b)));
            // Both ways arrive here: the same direction would turn back on itself.
            let joined = pairs.filter(|(a, b)| a != b).filter_map(|(a, b)| {
                let bend = if a.abs_diff(b) == 2 { 0 } else { BEND };
                Some((there.cost(a)? + back.cost(b)? + bend, a, b))
            });
            meets.extend(joined.min());
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
            .map(|s| ((s - total / 2).abs(), along(points, s)))
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
    let at = |s| along(points, s);
    let stretches = [(0, 6), (total - 12, total)];
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
