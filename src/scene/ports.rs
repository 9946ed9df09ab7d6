//! Where wires may leave and enter shapes.

use super::geom::{Dir, Rect};
use super::route::Port;
use super::shelf::Card;
use super::thing::Thing;

impl Card {
    /// The ports of the row for a field, or of the header where the card has no such row.
    pub fn row_ports(&self, field: Option<&str>) -> Vec<Port> {
        sides(field.and_then(|f| self.row_of(f)).unwrap_or(self.head()), 0)
    }

    /// The ports of the whole card, for those who read it.
    pub fn ports(&self, facing: Option<Rect>) -> Vec<Port> {
        let mut ports: Vec<Port> = self.placed().flat_map(|(_, r)| sides(r, 8)).collect();
        // Below, only: above it the title is in the way.
        ports.extend(around(self.place, facing, 12).into_iter().filter(|p| p.out == Dir::Down));
        ports
    }
}

/// The ports of a real thing.
pub fn thing_ports(thing: &Thing, facing: Option<Rect>) -> Vec<Port> {
    around(thing.place, facing, 12)
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
pub fn around(r: Rect, facing: Option<Rect>, corner: i32) -> Vec<Port> {
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
