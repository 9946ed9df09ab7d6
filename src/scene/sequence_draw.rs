//! The picture of a sequence: lanes, lifelines and their heads, the messages, and what explains them.

use super::cue::{CUE_MS, LAND_MS};
use super::geom::Rect;
use super::measures::roomy;
use super::sequence::{KEY, NAME, Panel, Placed, per_row};
use super::sequence_messages::{Mark, Message};
use super::sequence_motion::Timing;
use super::sequence_party::{Column, Party, name_span};
use super::slot::{Look, Slot};
use super::text::{self, Face, elide, width};
use super::wire::{self, Line};
use super::{Group, Layout, Shape};
use crate::model::Family;

/// A panel to be drawn.
pub struct Drawing<'a> {
    /// The run's messages.
    pub messages: &'a [Message],
    /// What stands where.
    pub panel: &'a Panel,
    /// The layout.
    pub layout: Layout,
    /// Whether the numbers of the steps stand at the left.
    pub numbered: bool,
}

impl Drawing<'_> {
    /// All groups, in drawing order. Without a timing nothing moves; without a clock there is neither clock nor legend.
    pub fn groups(&self, timing: Option<&Timing>, clock: Option<u64>) -> Vec<Group> {
        let mut out = Vec::new();
        self.lanes(&mut out);
        self.mark(timing, &mut out);
        self.lifelines(&mut out);
        self.heads(&mut out);
        self.rows(timing, &mut out);
        self.numbers(timing, &mut out);
        self.key(&mut out);
        if let Some(before) = clock {
            self.legend(&mut out);
            self.clock(before, timing, &mut out);
        }
        out
    }

    fn message(&self, i: usize) -> Option<&Message> {
        self.messages.get(i)
    }

    /// Whether this is a message of the marked step.
    fn is_now(&self, placed: &Placed) -> bool {
        self.panel.step.is_some() && self.message(placed.message).map(|m| m.step) == self.panel.step
    }

    /// The messages of the marked step.
    fn now(&self) -> impl Iterator<Item = &Message> {
        self.messages.iter().filter(|m| self.panel.step == Some(m.step))
    }

    fn lanes(&self, out: &mut Vec<Group>) {
        let p = self.panel;
        for lane in &p.columns.lanes {
            let mut shapes =
                vec![Shape::Rect { x: lane.x, y: p.top, w: lane.w, h: p.floor - p.top, r: 6, class: "col" }];
            let fits = lane.titles.iter().find(|t| width(Face::Bold, t) <= lane.w - 8);
            if let Some(title) = fits.filter(|t| !t.is_empty()) {
                let y = p.top + if self.layout == Layout::Wide { 17 } else { 15 };
                let text = title.clone();
                shapes.push(Shape::Text {
                    x: lane.x + lane.w / 2,
                    y,
                    anchor: "middle",
                    class: "title b",
                    text,
                });
            }
            out.push(group(format!("seq/lane/{}", lane.key), lane.class.to_owned(), 0, shapes));
        }
    }

    /// The plain ground and the bar that mark the step.
    fn mark(&self, timing: Option<&Timing>, out: &mut Vec<Group>) {
        let Some(Rect { x, y, w, h }) = self.panel.now else { return };
        let shapes = vec![
            Shape::Rect { x, y: 0, w, h, r: 6, class: "now" },
            Shape::Rect { x, y: 6, w: 4, h: h - 12, r: 2, class: "here" },
        ];
        let motions = timing.map(Timing::mark).unwrap_or_default();
        out.push(moving(group("seq/now".to_owned(), "now-step".to_owned(), y, shapes), motions));
    }

    fn acts(&self, party: &Party) -> bool {
        self.now().any(|m| m.mark != Mark::Later && (m.from == *party || m.to == *party))
    }

    /// The lifelines, broken where words stand; the words of the marked step, which come later, cover them.
    fn lifelines(&self, out: &mut Vec<Group>) {
        for column in &self.panel.columns.list {
            let class = if column.party == Party::Api { "rail" } else { "life" };
            let shapes = vec![Shape::Path { d: self.line(column.x), class }];
            let acting = if self.acts(&column.party) { " acting" } else { "" };
            let class = format!("lifeline {}{acting}", column.party.class());
            out.push(group(format!("seq/lifeline/{}", column.party.key()), class, 0, shapes));
        }
    }

    fn line(&self, x: i32) -> String {
        let there = self.panel.placed.iter().filter(|p| !self.is_now(p));
        let words = there.flat_map(|p| p.row.words.iter().map(move |w| (p.y, w)));
        let over = words.filter(|(_, w)| w.x - 4 < x && x < w.right() + 4);
        let mut d = String::new();
        let mut from = self.panel.head;
        for (y, word) in over {
            let (above, below) = (y + word.y - 1, y + word.bottom() + 1);
            if above > from {
                d.push_str(&format!("M{x} {from}V{above}"));
            }
            from = from.max(below);
        }
        if from < self.panel.floor {
            d.push_str(&format!("M{x} {from}V{}", self.panel.floor));
        }
        d
    }

    fn heads(&self, out: &mut Vec<Group>) {
        let p = self.panel;
        let r = roomy(self.layout).badge;
        let names = p.columns.names.as_deref().unwrap_or_default();
        for (i, column) in p.columns.list.iter().enumerate() {
            let mut shapes = badge(column, p.head - r, r);
            let acting = self.acts(&column.party);
            if let Some((name, row)) = names.get(i) {
                let lowest = names.iter().map(|(_, row)| *row).max().unwrap_or(0);
                let above = i32::try_from(lowest - row).unwrap_or(0) * NAME;
                let y = p.head - 2 * r - 8 - above;
                let (x, w) = name_span(column.x, name, p.edges.0, p.edges.1);
                if above > 0 {
                    let d = format!("M{} {}V{}", column.x, y + 5, p.head - 2 * r);
                    shapes.push(Shape::Path { d, class: "life" });
                }
                let class = if acting { "name b" } else { "name" };
                let text = (*name).to_owned();
                shapes.push(Shape::Text { x: x + w / 2, y, anchor: "middle", class, text });
            }
            let acting = if acting { " acting" } else { "" };
            let class = format!("actor {}{acting}", column.party.class());
            out.push(group(format!("seq/actor/{}", column.party.key()), class, 0, shapes));
        }
    }

    fn rows(&self, timing: Option<&Timing>, out: &mut Vec<Group>) {
        for (i, placed) in self.panel.placed.iter().enumerate() {
            let Some(message) = self.message(placed.message) else { continue };
            let class = format!("message {}", message.class());
            let (key, mut shapes) = (format!("seq/message/{}", message.key), placed.row.shapes.clone());
            let tip = placed.row.tip.clone();
            if self.is_now(placed) {
                let plate =
                    |w: &Rect| Shape::Rect { x: w.x - 4, y: w.y, w: w.w + 8, h: w.h, r: 0, class: "plate" };
                if !shapes.iter().any(|s| matches!(s, Shape::Rect { .. })) {
                    shapes.splice(0..0, placed.row.words.iter().map(plate));
                }
                let words = timing.map(|t| t.words(i, placed.y)).unwrap_or_default();
                out.push(moving(group(key, class.clone(), placed.y, shapes), words));
                let tips = timing.map(|t| t.tip(i, placed)).unwrap_or_default();
                let tip =
                    tip.map(|tip| group(format!("seq/tip/{}", message.key), class, placed.y, vec![tip]));
                out.extend(tip.map(|tip| moving(tip, tips)));
            } else {
                shapes.extend(tip);
                let past = if self.panel.step.is_some() { " past" } else { "" };
                let slides = timing.map(|t| t.words(i, placed.y)).unwrap_or_default();
                out.push(moving(group(key, format!("{class}{past}"), placed.y, shapes), slides));
            }
        }
    }

    /// The number of each step beside its first message.
    fn numbers(&self, timing: Option<&Timing>, out: &mut Vec<Group>) {
        let mut last = None;
        for (i, placed) in self.panel.placed.iter().enumerate().filter(|_| self.numbered) {
            let Some(step) = self.message(placed.message).map(|m| m.step) else { continue };
            if last.replace(step) == Some(step) {
                continue;
            }
            let now = self.is_now(placed);
            let (x, class) = (self.panel.edges.0 - 8, if now { "b" } else { "m" });
            let number = vec![Shape::Text { x, y: 14, anchor: "end", class, text: step.to_string() }];
            let motions = timing.map(|t| if now { t.mark() } else { t.words(i, placed.y) });
            let number = group(format!("seq/number/{step}"), "number".to_owned(), placed.y, number);
            out.push(moving(number, motions.unwrap_or_default()));
        }
    }

    /// What the badges mean, where the names have no room above them.
    fn key(&self, out: &mut Vec<Group>) {
        let p = self.panel;
        if p.columns.names.is_some() {
            return;
        }
        let (left, right) = p.edges;
        let across = per_row(self.layout);
        let w = (right - left) / across;
        for (i, column) in (0..).zip(&p.columns.list) {
            let (x, y) = (left + i % across * w, p.floor + 18 + i / across * KEY);
            let at = Column { x: x + 14, ..column.clone() };
            let mut shapes = badge(&at, y - 5, 10);
            let room = w - 36;
            let names = column.party.full_names();
            let fits = names.iter().find(|n| width(Face::Sans, n) <= room).cloned();
            let name = fits.unwrap_or_else(|| elide(Face::Sans, &names.concat(), room));
            shapes.push(Shape::Text { x: x + 32, y, anchor: "start", class: "", text: name });
            let key = format!("seq/key/{}", column.party.key());
            out.push(group(key, format!("actor {}", column.party.class()), 0, shapes));
        }
    }

    /// One sample of each line with its meaning; the narrow layout has no room for it.
    fn legend(&self, out: &mut Vec<Group>) {
        if self.layout == Layout::Narrow {
            return;
        }
        let y = self.panel.height - 16;
        let mut x = self.panel.edges.0;
        let mut shapes = Vec::new();
        for (line, meaning) in [
            (Line::Write, "API write"),
            (Line::Call, "CSI call"),
            (Line::Reply, "reply"),
            (Line::Read, "watch or read"),
        ] {
            shapes.extend(wire::look(line, &[(x, y), (x + 28, y)], Family::Kernel).shapes);
            let text = meaning.to_owned();
            shapes.push(Shape::Text { x: x + 36, y: y + 5, anchor: "start", class: "m", text });
            x += 36 + width(Face::Sans, meaning) + 12;
        }
        out.push(group("seq/legend".to_owned(), "legend kernel".to_owned(), 0, shapes));
    }

    /// The clock of the cluster, which is not the animation's.
    fn clock(&self, before: u64, timing: Option<&Timing>, out: &mut Vec<Group>) {
        let (x, y) =
            (self.panel.edges.1 - 4, self.panel.height - if self.layout == Layout::Wide { 11 } else { 8 });
        let look = |ms: u64| {
            let text = format!("cluster time {}", text::clock(ms));
            let text = Shape::Text { x, y, anchor: "end", class: "time", text };
            Look { class: "clock".to_owned(), shapes: vec![text] }
        };
        let mut slot = Slot::new("seq/clock", look(before));
        for (i, placed) in self.panel.placed.iter().enumerate() {
            let cue = timing.and_then(|t| t.cue(i));
            if let Some(((start, _), message)) = cue.zip(self.message(placed.message)) {
                slot.show(start, CUE_MS.min(LAND_MS), look(message.sim_ms));
            }
        }
        slot.groups(out);
    }
}

/// An actor's badge is round, the API server's square.
fn badge(column: &Column, y: i32, r: i32) -> Vec<Shape> {
    let x = column.x;
    let disc = match column.party {
        Party::Api => {
            Shape::Rect { x: x - r - 2, y: y - r + 1, w: 2 * r + 4, h: 2 * r - 2, r: 3, class: "badge" }
        }
        Party::Actor(_) => Shape::Circle { x, y, r, class: "badge" },
    };
    let text = column.party.letters().to_owned();
    vec![disc, Shape::Text { x, y: y + 4, anchor: "middle", class: "letters", text }]
}

/// A group that rests `y` units below where its shapes are.
fn group(key: String, class: String, y: i32, shapes: Vec<Shape>) -> Group {
    Group { key, class, opacity: 1.0, at: (0.0, f64::from(y)), shapes, motions: Vec::new() }
}

/// The same group with its motions, which its class announces.
fn moving(group: Group, motions: Vec<super::Motion>) -> Group {
    if motions.is_empty() {
        return group;
    }
    let class = format!("{} moves", group.class);
    Group { class, motions, ..group }
}
