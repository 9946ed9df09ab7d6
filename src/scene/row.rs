//! Rows of a card: a field with its writer's bar, its value, and what the value was before this step.

use super::Shape;
use super::geom::Rect;
use super::home::{Row, RowKind};
use super::pill::family_class;
use super::slot::Look;
use super::text::{Face, elide, width};
use crate::model::Family;

/// What a row shows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    /// The value when the step began.
    pub old: Option<String>,
    /// The value now.
    pub new: Option<String>,
    /// Whether it was written in this step.
    pub changed: bool,
    /// Who wrote it last; `None` when nobody has.
    pub by: Option<Family>,
}

const DASH: &str = "—";
/// From a row's left edge to its first letter, in units.
const LEAD: i32 = 12;
/// From a row's right edge to its last letter, in units.
const TAIL: i32 = 10;
/// The room of the arrow between old and new, in units.
const ARROW: i32 = 26;
/// The room of a glyph before a text, in units.
const GLYPH: i32 = 17;

/// A row's look.
pub fn look(row: &Row, place: Rect, cell: &Cell) -> Look {
    let mut shapes = Vec::new();
    if cell.changed {
        let Rect { x, y, w, h } = place;
        shapes.push(Shape::Rect { x: x + 1, y: y + 1, w: w - 2, h: h - 2, r: 2, class: "mark" });
    }
    if cell.by.is_some() {
        shapes.push(Shape::Rect { x: place.x + 2, y: place.y + 3, w: 4, h: place.h - 6, r: 1, class: "bar" });
    }
    match row.kind {
        RowKind::Value => pair(&mut shapes, row, place, cell.old.clone(), cell.new.clone(), cell.changed),
        RowKind::Volumes => {
            let names = |v: &Option<String>| v.as_deref().map(volumes).filter(|s| !s.is_empty());
            pair(&mut shapes, row, place, names(&cell.old), names(&cell.new), cell.changed);
        }
        RowKind::Tails => {
            let tails = |v: &Option<String>| v.as_deref().map(|v| tails(v, place.w - LEAD - TAIL - 80));
            pair(&mut shapes, row, place, tails(&cell.old), tails(&cell.new), cell.changed);
        }
        RowKind::Finalizers => finalizers(&mut shapes, row, place, cell),
        RowKind::Event => match &cell.new {
            None => pair(&mut shapes, row, place, None, None, false),
            Some(reason) => {
                shapes.push(Shape::Path { d: flag(place), class: "glyph" });
                lead(&mut shapes, place, reason, "mono b");
            }
        },
    }
    let family = cell.by.map_or(String::new(), |f| format!(" {}", family_class(f)));
    let changed = if cell.changed { " changed" } else { "" };
    Look { class: format!("field{family}{changed}"), shapes }
}

/// Label on the left, value on the right; after a change `old → new` when both fit.
fn pair(out: &mut Vec<Shape>, row: &Row, p: Rect, old: Option<String>, new: Option<String>, changed: bool) {
    let y = baseline(p);
    let value = new.as_deref().unwrap_or(DASH);
    let beside = |label: &str| p.w - LEAD - TAIL - 8 - width(Face::Mono, label);
    // The full label only where a value of some length has its room too.
    let label = if beside(row.label) >= width(Face::Mono, "12345678") { row.label } else { row.short };
    let room = beside(label);
    let label = label.to_owned();
    out.push(Shape::Text { x: p.x + LEAD, y, anchor: "start", class: "mono label", text: label });
    let end = p.right() - TAIL;
    let value = elide(Face::Mono, value, room);
    let class = if new.is_some() { "mono b" } else { "mono m" };
    let value_w = width(Face::Mono, &value);
    out.push(Shape::Text { x: end, y, anchor: "end", class, text: value });
    if let (true, Some(old)) = (changed && old != new, old) {
        let old_w = width(Face::Mono, &old);
        if value_w + ARROW + old_w <= room {
            let x = end - value_w - ARROW;
            let d = format!("M{} {}h12m-4 -4l4 4l-4 4", x + 6, y - 5);
            out.push(Shape::Path { d, class: "arrow" });
            struck(out, x - old_w, y, &old, old_w);
        }
    }
}

/// A padlock and the finalizer that matters: the one that came or went in this step, else the one that
/// a controller of the volume path holds, else the last.
fn finalizers(out: &mut Vec<Shape>, row: &Row, p: Rect, cell: &Cell) {
    let old = cell.old.as_deref().map(entries).unwrap_or_default();
    let new = cell.new.as_deref().map(entries).unwrap_or_default();
    let lost = old.iter().find(|f| cell.changed && !new.contains(f));
    let won = new.iter().find(|f| cell.changed && !old.contains(f));
    let held = won.or_else(|| new.iter().find(|f| f.starts_with("external-attacher"))).or(new.last());
    let lock = |open| Shape::Path { d: padlock(p, open), class: "glyph" };
    match (won, lost, held) {
        (None, Some(lost), _) => {
            let room = p.w - LEAD - GLYPH - TAIL;
            let text = finalizer(lost, room);
            let text_w = width(Face::Mono, &text);
            out.push(lock(true));
            struck(out, p.x + LEAD + GLYPH, baseline(p), &text, text_w);
        }
        (_, _, Some(held)) => {
            let room = p.w - LEAD - GLYPH - TAIL;
            let more = if new.len() > 1 { format!(" +{}", new.len() - 1) } else { String::new() };
            let name = finalizer(held, room);
            let full = format!("{name}{more}");
            out.push(lock(false));
            lead(out, p, if width(Face::Mono, &full) <= room { &full } else { &name }, "mono b");
        }
        (_, _, None) => pair(out, row, p, None, None, false),
    }
}

/// A text after a glyph.
fn lead(out: &mut Vec<Shape>, p: Rect, text: &str, class: &'static str) {
    let text = elide(Face::Mono, text, p.w - LEAD - GLYPH - TAIL);
    out.push(Shape::Text { x: p.x + LEAD + GLYPH, y: baseline(p), anchor: "start", class, text });
}

/// A text with a line through it.
fn struck(out: &mut Vec<Shape>, x: i32, y: i32, text: &str, text_w: i32) {
    out.push(Shape::Text { x, y, anchor: "start", class: "mono m", text: text.to_owned() });
    out.push(Shape::Path { d: format!("M{x} {}h{text_w}", y - 5), class: "strike" });
}

fn baseline(p: Rect) -> i32 {
    p.y + p.h / 2 + 5
}

fn padlock(p: Rect, open: bool) -> String {
    let (x, y) = (p.x + LEAD + 1, p.cy() - 1);
    let shackle = if open {
        format!("M{} {y}v-3a3 3 0 0 1 6 0", x + 2)
    } else {
        format!("M{} {y}v-3a3 3 0 0 1 6 0v3", x + 2)
    };
    format!("{shackle}M{x} {y}h10v7h-10z")
}

fn flag(p: Rect) -> String {
    let (x, y) = (p.x + LEAD + 1, p.cy() - 6);
    format!("M{x} {}V{y}h9l-2 3l2 3h-9", y + 12)
}

/// The entries of a list as it is written out: `a, b` or `[a b]`.
fn entries(list: &str) -> Vec<&str> {
    list.trim_matches(['[', ']'])
        .split([',', ' '])
        .map(|s| s.trim().trim_matches('"'))
        .filter(|s| !s.is_empty())
        .collect()
}

/// A finalizer in so much room: without the domain before it, where the rest says whose it is.
fn finalizer(name: &str, room: i32) -> String {
    let rest = name.split_once('/').filter(|(domain, rest)| domain.contains('.') && *rest != "finalizer");
    let whole = width(Face::Mono, name) <= room;
    elide(Face::Mono, rest.filter(|_| !whole).map_or(name, |(_, rest)| rest), room)
}

/// The entries of a list without what stands before their last `/`, where they do not fit as they are.
fn tails(list: &str, room: i32) -> String {
    if width(Face::Mono, list) <= room {
        return list.to_owned();
    }
    entries(list).into_iter().map(|e| e.rsplit('/').next().unwrap_or(e)).collect::<Vec<_>>().join(", ")
}

/// Unique volume names as the handles that end them.
fn volumes(list: &str) -> String {
    let handle = |s: &str| s.split_once('^').map_or(s, |(_, handle)| handle).to_owned();
    entries(list).into_iter().map(handle).collect::<Vec<_>>().join(", ")
}
