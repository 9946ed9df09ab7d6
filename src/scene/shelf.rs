//! The shelf: cards fill its columns in the order of their homes, each in the column that ends highest.

use super::cast::{Cast, Object};
use super::geom::Rect;
use super::home::Row;
use super::measures::Measures;

/// An API object's card in its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Card {
    /// The object.
    pub object: Object,
    /// Where the card is.
    pub place: Rect,
    /// What it shows.
    pub rows: Vec<Row>,
    /// The height of its header, in units.
    pub header: i32,
    /// The height of its rows, in units.
    pub row: i32,
}

impl Card {
    /// Where its header is.
    pub const fn head(&self) -> Rect {
        Rect::new(self.place.x, self.place.y, self.place.w, self.header)
    }

    /// Where row number `i` (from 0) is.
    pub const fn row_place(&self, i: i32) -> Rect {
        Rect::new(self.place.x, self.place.y + self.header + i * self.row, self.place.w, self.row)
    }

    /// The rows with their places.
    pub fn placed(&self) -> impl Iterator<Item = (Row, Rect)> + '_ {
        (0..).zip(&self.rows).map(|(i, row)| (*row, self.row_place(i)))
    }

    /// Where the row for a field is, if the card has one.
    pub fn row_of(&self, field: &str) -> Option<Rect> {
        self.placed().find(|(row, _)| row.field == field).map(|(_, place)| place)
    }
}

/// The cards of a cast, the first at `y`, and where the lowest ends.
pub fn cards(cast: &Cast, y: i32, m: &Measures) -> (Vec<Card>, i32) {
    let left = m.margin + m.inset;
    let room = m.width - 2 * left;
    let column = (room - (m.columns - 1) * m.aisle) / m.columns;
    let mut ends: Vec<i32> = (0..m.columns).map(|_| y).collect();
    let hero = if m.hero { cast.objects.iter().max_by_key(|o| o.writes).map(|o| &o.object) } else { None };
    // Where there is little room, what is only read stays out.
    let shown = |o: &&Object| m.reads || o.told;
    let mut order: Vec<&Object> = cast.objects.iter().filter(shown).collect();
    // A sort that keeps the order of equals.
    order.sort_by_key(|o| Some(&o.object) != hero);
    let cards = order.into_iter().map(|object| {
        let rows = object.shown(m.rows, m.basic);
        let h = m.header + i32::try_from(rows.len()).unwrap_or(0) * m.row;
        let whole = Some(&object.object) == hero;
        let (at, top) = ends.iter().copied().enumerate().min_by_key(|(_, end)| *end).unwrap_or((0, y));
        let (x, w) = if whole {
            (left, room)
        } else {
            (left + i32::try_from(at).unwrap_or(0) * (column + m.aisle), column)
        };
        for (_, end) in ends.iter_mut().enumerate().filter(|(i, _)| whole || *i == at) {
            *end = top + h + m.stack;
        }
        let place = Rect::new(x, top, w, h);
        Card { object: object.clone(), place, rows, header: m.header, row: m.row }
    });
    let cards: Vec<Card> = cards.collect();
    let end = cards.iter().map(|c| c.place.bottom()).max().unwrap_or(y);
    (cards, end)
}
