//! A message as a row of the picture: its words on its line, beside it or above it, or in a box on a lifeline.

use super::Shape;
use super::geom::Rect;
use super::sequence_messages::{Mark, Message};
use super::sequence_party::{Columns, Party};
use super::text::{Face, width};
use super::wire::{self, Line};
use crate::model::Family;

/// A message drawn as if its row began at y = 0.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Row {
    /// Its height, in units.
    pub height: i32,
    /// Words, box and line.
    pub shapes: Vec<Shape>,
    /// The head of its line.
    pub tip: Option<Shape>,
    /// How far the head comes, in units; to the right is positive.
    pub travel: i32,
    /// What lifelines keep clear of.
    pub words: Vec<Rect>,
}

/// How close rows follow each other. All measures are units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Density {
    /// The height of a line of words.
    line: i32,
    /// Around words that stand on their line or beside it, above and below.
    around: i32,
    /// From words to the arrow below them.
    above: i32,
    /// From an arrow to the end of its row.
    below: i32,
    /// Whether words are rather shortened than put above their line.
    brief: bool,
}

impl Density {
    /// As a reader likes it.
    pub const ROOMY: Density = Density { line: 17, around: 3, above: 6, below: 8, brief: false };
    /// As a step of many messages needs it.
    pub const TIGHT: Density = Density { line: 16, around: 2, above: 4, below: 6, brief: true };
}

/// Between words and the line or lifeline beside them, in units.
const BESIDE: i32 = 12;
/// A line that its words interrupt shows at least so much at its beginning and at its end, in units.
const ENDS: (i32, i32) = (10, 22);
/// Words are not wider than this, in units, however much room there is.
const WIDEST: i32 = 500;
/// The API server's lifeline is so wide on either side, in units.
const RAIL: i32 = 3;

/// The row of a message between two edges; empty when one who takes part has no lifeline.
pub fn row(message: &Message, columns: &Columns, edges: (i32, i32), density: Density) -> Row {
    let (Some(from), Some(to)) = (columns.x(&message.from), columns.x(&message.to)) else {
        return Row::default();
    };
    match message.mark {
        Mark::Sent(line) | Mark::Noted(line) => {
            let edge = |party: &Party| if *party == Party::Api { RAIL } else { 1 };
            let dir = (to - from).signum();
            // The nib of a write lies on the rail itself.
            let end = if line == Line::Write { to } else { to - dir * edge(&message.to) };
            let span = (from + dir * edge(&message.from), end);
            sent(message, line, span, edges, density)
        }
        Mark::Alone | Mark::Waits => {
            let block = Block::new(message, edges.1 - edges.0, density);
            let (x, y) = (block.around(from, edges), density.around);
            let mut row = Row { height: block.h + 2 * y, ..Row::default() };
            block.put(&mut row, x, y, "middle");
            row
        }
        Mark::Later => later(message, edges, density),
    }
}

/// A line between two lifelines, with its words where they are told most fully, on it before beside it before above it.
fn sent(message: &Message, line: Line, (begin, end): (i32, i32), edges: (i32, i32), density: Density) -> Row {
    let mut row = Row { travel: end - begin, ..Row::default() };
    if message.says.is_empty() {
        row.height = density.above + density.below;
        row.line(line, &[(begin, end)], density.above);
        return row;
    }
    let (low, high) = (begin.min(end), begin.max(end));
    let rightward = end > begin;
    let (tail, head) = ENDS;
    let on = if rightward { (low + tail, high - head) } else { (low + head, high - tail) };
    let (before, after) = ((edges.0, low - BESIDE), (high + BESIDE, edges.1));
    let places = if rightward { [on, after, before] } else { [on, before, after] };
    let mut block = Block::new(message, edges.1 - edges.0, density);
    let mut place = places.into_iter().find(|(a, b)| b - a >= block.w);
    if place.is_none() && density.brief {
        let pad = Block::pad(message.mark);
        let whole = |room: i32| message.says.iter().all(|says| says.fits(room - pad));
        place = places.into_iter().max_by_key(|(a, b)| b - a).filter(|(a, b)| whole(b - a));
        if let Some((a, b)) = place {
            block = Block::new(message, b - a, density);
        }
    }
    let Some((a, b)) = place else {
        block.put(&mut row, block.around((begin + end) / 2, edges), 1, "middle");
        let y = 1 + block.h + density.above;
        row.line(line, &[(begin, end)], y);
        row.height = y + density.below;
        return row;
    };
    row.height = block.h + 2 * density.around;
    let y = row.height / 2;
    // On its line the block is in the middle, beside it next to the lifeline.
    let middle = (low + high - block.w) / 2;
    let x = if b <= low { b } else { middle.min(b) }.min(b - block.w).max(a);
    let x = if a >= high { a } else { x };
    let anchor = match () {
        () if a >= high => "start",
        () if b <= low => "end",
        () => "middle",
    };
    block.put(&mut row, x, density.around, anchor);
    let (near, far) = (x - BESIDE / 2, x + block.w + BESIDE / 2);
    match ((a, b) == on, rightward) {
        (true, true) => row.line(line, &[(begin, near), (far, end)], y),
        (true, false) => row.line(line, &[(begin, far), (near, end)], y),
        (false, _) => row.line(line, &[(begin, end)], y),
    }
    row
}

/// Time that passes: words at the left, and a rule through all lifelines.
fn later(message: &Message, (left, right): (i32, i32), density: Density) -> Row {
    let mut row = Row { height: density.line + 2 * density.around, ..Row::default() };
    let top = density.around;
    for says in &message.says {
        let text = says.fit(right - left, 0);
        let w = width(Face::Sans, &text);
        row.shapes.push(Shape::Text { x: left + 4, y: top + 13, anchor: "start", class: "m", text });
        let d = format!("M{} {}H{right}", left + w + 14, top + 8);
        row.shapes.push(Shape::Path { d, class: "lapse" });
        row.words.push(Rect::new(left, top + 1, w + 10, 15));
    }
    row
}

impl Row {
    /// A line in stretches, the last of which has the head.
    fn line(&mut self, line: Line, stretches: &[(i32, i32)], y: i32) {
        let Some(((begin, end), rest)) = stretches.split_last() else { return };
        let mut shapes = wire::look(line, &[(*begin, y), (*end, y)], Family::Kernel).shapes;
        self.tip = shapes.pop();
        for shape in shapes {
            // One path for all stretches.
            if let Shape::Path { d, class } = shape {
                let first: String = rest.iter().map(|(a, b)| format!("M{a} {y}L{b} {y}")).collect();
                self.shapes.push(Shape::Path { d: first + &d, class });
            }
        }
    }
}

/// The words of a message, with a box around them where they are a note.
struct Block {
    lines: Vec<(String, &'static str, i32)>,
    mark: Mark,
    /// The height of a line.
    line: i32,
    w: i32,
    h: i32,
}

impl Block {
    /// The words as full as they can be in `room` units.
    fn new(message: &Message, room: i32, density: Density) -> Block {
        let line = density.line;
        let mark = message.mark;
        let pad = Block::pad(mark);
        let room = room.min(WIDEST) - pad;
        // Fields of one object are all told at one length.
        let level = message.says.iter().map(|says| says.level(room)).max().unwrap_or(0);
        let lines: Vec<_> = message
            .says
            .iter()
            .map(|says| {
                let (face, class) = says.face();
                let text = says.fit(room, level);
                let w = width(face, &text);
                (text, class, w)
            })
            .collect();
        let w = lines.iter().map(|l| l.2).max().unwrap_or(0) + pad;
        let h = i32::try_from(lines.len()).unwrap_or(0) * line + if pad > 0 { 4 } else { 0 };
        Block { lines, mark, line, w, h }
    }

    /// What box and glyph add to the width.
    const fn pad(mark: Mark) -> i32 {
        match mark {
            Mark::Noted(Line::Write) | Mark::Waits => 30,
            Mark::Noted(_) | Mark::Alone => 14,
            Mark::Sent(_) | Mark::Later => 0,
        }
    }

    /// Where it begins when it stands around `centre`, as far as the edges let it.
    fn around(&self, centre: i32, (left, right): (i32, i32)) -> i32 {
        (centre - self.w / 2).min(right - self.w).max(left)
    }

    /// Draws it with its upper left corner at `x`, `y`; words without a box stand at the side that `anchor` says.
    fn put(&self, row: &mut Row, x: i32, y: i32, anchor: &'static str) {
        let pad = Block::pad(self.mark);
        if pad > 0 {
            row.shapes.push(Shape::Rect { x, y, w: self.w, h: self.h, r: 2, class: "note" });
            row.words.push(Rect::new(x, y, self.w, self.h));
        }
        let middle = y + self.h / 2;
        let glyph = match self.mark {
            // A flag, and the better part of a ring.
            Mark::Noted(Line::Write) => Some(format!("M{} {}v-12h9l-2 3l2 3h-9", x + 9, middle + 6)),
            Mark::Waits => Some(format!("M{} {}a5 5 0 1 1 -5 5", x + 13, middle - 5)),
            Mark::Noted(_) | Mark::Sent(_) | Mark::Alone | Mark::Later => None,
        };
        row.shapes.extend(glyph.map(|d| Shape::Path { d, class: "glyph" }));
        let shift = if pad > 14 { 16 } else { 0 };
        let anchor = if pad > 0 { "middle" } else { anchor };
        let centre = x + shift + (self.w - shift) / 2;
        for (i, (text, class, w)) in (0..).zip(&self.lines) {
            let top = y + if pad > 0 { 2 } else { 0 } + i * self.line;
            let (at, from) = match anchor {
                "start" => (x, x),
                "end" => (x + self.w, x + self.w - w),
                _ => (centre, centre - w / 2),
            };
            let text = text.clone();
            row.shapes.push(Shape::Text { x: at, y: top + 13, anchor, class, text });
            if pad == 0 {
                row.words.push(Rect::new(from, top + 1, *w, 15));
            }
        }
    }
}
