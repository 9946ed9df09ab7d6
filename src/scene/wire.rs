//! Wires: line, head and capsule for each meaning, told apart by dash, weight and head.

use super::Shape;
use super::geom::{Dir, Pt, Rect, length};
use super::pill::family_class;
use super::slot::Look;
use super::text::{Face, width};
use crate::model::Family;

/// What a wire means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Line {
    /// A CSI call.
    Call,
    /// Its reply.
    Reply,
    /// A reply with an error.
    Refusal,
    /// A write to the Kubernetes API.
    Write,
    /// A watch, list or GET.
    Read,
    /// A system call or a call to the storage backend.
    Syscall,
}

impl Line {
    /// The class that gives the line its dash and weight.
    pub const fn class(self) -> &'static str {
        match self {
            Line::Call => "call",
            Line::Reply => "reply",
            Line::Refusal => "refusal",
            Line::Write => "write",
            Line::Read => "read",
            Line::Syscall => "syscall",
        }
    }

    /// The name of its head.
    pub const fn head(self) -> &'static str {
        match self {
            Line::Call | Line::Syscall => "tip triangle",
            Line::Reply | Line::Read => "tip chevron",
            Line::Refusal => "tip cross",
            Line::Write => "tip nib",
        }
    }
}

/// The height of a capsule, in units.
pub const CAPSULE: i32 = 26;
/// The radius of elbows, in units.
const ELBOW: i32 = 4;

/// The width of the capsule with this text, in units.
pub fn capsule_width(text: &str) -> i32 {
    let w = width(Face::Mono, text) + 16;
    w + w % 2
}

/// A capsule with its text around a point.
pub fn capsule(text: &str, centre: Pt, hue: &str) -> Look {
    let r = Rect::around(centre, capsule_width(text), CAPSULE);
    let shapes = vec![
        Shape::Rect { x: r.x, y: r.y, w: r.w, h: r.h, r: CAPSULE / 2, class: "capsule" },
        Shape::Text {
            x: centre.0,
            y: centre.1 + 5,
            anchor: "middle",
            class: "mono b on",
            text: text.to_owned(),
        },
    ];
    Look { class: format!("message {hue}"), shapes }
}

/// The class that gives a wire its hue: whose it is, or that it tells of a fault.
pub const fn hue(line: Line, family: Family) -> &'static str {
    match line {
        Line::Refusal => "fault",
        Line::Call | Line::Reply | Line::Write | Line::Read | Line::Syscall => family_class(family),
    }
}

/// A wire along its points, which end on the edge of the shape it is for.
pub fn look(line: Line, points: &[Pt], family: Family) -> Look {
    let family = hue(line, family);
    let mut shapes = Vec::new();
    if let [.., before, end] = points {
        let dir = Dir::from_to(*before, *end);
        // The line stops inside its head, so that it never shows beyond the tip.
        let short = match line {
            Line::Call | Line::Syscall => 9,
            Line::Reply | Line::Read => 2,
            Line::Refusal => 8,
            Line::Write => 0,
        };
        let stop = dir.back().ahead(*end, short.min(length(&[*before, *end])));
        let mut run = points.to_vec();
        if let Some(last) = run.last_mut() {
            *last = stop;
        }
        shapes.push(Shape::Path { d: rounded(&run), class: line.class() });
        shapes.push(Shape::Path { d: head(line, *end, dir), class: line.head() });
    }
    Look { class: format!("wire {family}"), shapes }
}

/// The path through the points with rounded elbows.
fn rounded(points: &[Pt]) -> String {
    let mut d = String::new();
    for (i, p) in points.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| points.get(i));
        match (before, points.get(i + 1)) {
            (None, _) => d.push_str(&format!("M{} {}", p.0, p.1)),
            (Some(_), None) => d.push_str(&format!("L{} {}", p.0, p.1)),
            (Some(a), Some(b)) => {
                let r = ELBOW.min(length(&[*a, *p]) / 2).min(length(&[*p, *b]) / 2);
                let (c, e) = (Dir::from_to(*p, *a).ahead(*p, r), Dir::from_to(*p, *b).ahead(*p, r));
                d.push_str(&format!("L{} {}Q{} {} {} {}", c.0, c.1, p.0, p.1, e.0, e.1));
            }
        }
    }
    d
}

/// The head of a wire that ends at `tip`, going `dir`.
fn head(line: Line, tip: Pt, dir: Dir) -> String {
    let back = dir.back();
    let side = match dir {
        Dir::Up | Dir::Down => Dir::Right,
        Dir::Left | Dir::Right => Dir::Down,
    };
    let at = |along: i32, across: i32| {
        let p = side.ahead(back.ahead(tip, along), across);
        format!("{} {}", p.0, p.1)
    };
    match line {
        Line::Call | Line::Syscall => format!("M{}L{}L{}Z", at(0, 0), at(11, 6), at(11, -6)),
        Line::Reply | Line::Read => format!("M{}L{}L{}", at(8, 6), at(1, 0), at(8, -6)),
        Line::Refusal => format!("M{}L{}M{}L{}", at(3, -5), at(13, 5), at(3, 5), at(13, -5)),
        Line::Write => format!("M{}L{}L{}L{}Z", at(-5, 0), at(0, 5), at(6, 0), at(0, -5)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elbows_are_rounded_and_heads_point_along() {
        let l = look(Line::Call, &[(0, 0), (0, 40), (60, 40)], Family::Driver);
        let [Shape::Path { d: run, .. }, Shape::Path { d: tip, .. }] = &l.shapes[..] else { panic!() };
        assert_eq!(run, "M0 0L0 36Q0 40 4 40L51 40");
        assert_eq!(tip, "M60 40L49 46L49 34Z");
        assert_eq!(l.class, "wire driver");
    }

    #[test]
    fn without_colour_no_two_meanings_look_alike() {
        let css = include_str!("../../style/stage.css");
        let style = |line: Line, property: &str| {
            let selector = format!(".stage .{}", line.class());
            let lists = |r: &&str| {
                r.split('{')
                    .next()
                    .is_some_and(|s| s.rsplit("*/").next().unwrap().split(',').any(|s| s.trim() == selector))
            };
            let rule = css.split('}').find(lists).unwrap();
            let value = rule.split(property).nth(1).map_or("none", |v| v.split(';').next().unwrap());
            value.trim_start_matches(':').trim().to_owned()
        };
        let looks = [Line::Call, Line::Reply, Line::Refusal, Line::Write, Line::Read, Line::Syscall]
            .map(|l| (style(l, "stroke-dasharray"), style(l, "stroke-width"), l.head()));
        for (i, a) in looks.iter().enumerate() {
            assert!(!looks[i + 1..].contains(a), "{a:?} twice");
        }
        assert_eq!(looks[4].0, "1 5");
    }
}
