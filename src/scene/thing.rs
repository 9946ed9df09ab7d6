//! Real things: the volume, its device and mounts, and the pipes between them.

use super::geom::Rect;
use super::home::{self, Thing};
use super::slot::Look;
use super::text::{Face, elide, width};
use super::{Layout, Shape};

/// What a thing looks like.
pub fn look(thing: Thing, layout: Layout, there: bool, fresh: bool, detail: &str) -> Look {
    let p = home::thing(thing, layout);
    let shapes = match thing {
        Thing::Volume => cylinder(p, detail),
        Thing::Device => boxed(p, 2, &["device"], detail, layout),
        Thing::Container => boxed(p, 8, &["container"], detail, layout),
        Thing::Staging => tab(p, &["global mount", "globalmount"], detail, layout),
        Thing::Target => tab(p, &["Pod mount"], detail, layout),
    };
    let mut class = String::from("thing kernel");
    if !there {
        class.push_str(" ghost");
    }
    if fresh {
        class.push_str(" changed");
    }
    Look { class, shapes }
}

/// A storage volume as a cylinder with its handle.
fn cylinder(p: Rect, id: &str) -> Vec<Shape> {
    let (rx, ry) = (p.w / 2, 12);
    let (x, r, top, low) = (p.x, p.right(), p.y + ry, p.bottom() - ry);
    let text = elide(Face::Mono, id, p.w - 12);
    vec![
        Shape::Path {
            d: format!("M{x} {top}A{rx} {ry} 0 0 1 {r} {top}V{low}A{rx} {ry} 0 0 1 {x} {low}Z"),
            class: "body",
        },
        Shape::Path {
            d: format!("M{x} {top}A{rx} {ry} 0 0 0 {r} {top}A{rx} {ry} 0 0 0 {x} {top}Z"),
            class: "lid",
        },
        Shape::Text { x: p.cx(), y: p.cy() + 13, anchor: "middle", class: "mono b", text },
    ]
}

fn boxed(p: Rect, r: i32, names: &[&str], detail: &str, layout: Layout) -> Vec<Shape> {
    let mut out = vec![Shape::Rect { x: p.x, y: p.y, w: p.w, h: p.h, r, class: "body" }];
    out.extend(words(p, names, detail, layout));
    out
}

/// A path as a folder's tab: a notch at the upper right.
fn tab(p: Rect, names: &[&str], detail: &str, layout: Layout) -> Vec<Shape> {
    let (x, y, r, b) = (p.x, p.y, p.right(), p.bottom());
    let d = format!("M{x} {y}H{}L{r} {}V{b}H{x}Z", r - 10, y + 10);
    let mut out = vec![Shape::Path { d, class: "body" }];
    out.extend(words(p, names, detail, layout));
    out
}

/// The first name that fits, and in the wide layout the detail beneath it.
fn words(p: Rect, names: &[&str], detail: &str, layout: Layout) -> Vec<Shape> {
    let room = p.w - 20;
    let line = |x, y, anchor, class, text| Shape::Text { x, y, anchor, class, text };
    let fitting = names.iter().find(|n| width(Face::Sans, n) <= p.w - 8);
    let name = fitting.map_or_else(String::new, |n| (*n).to_owned());
    let detail = elide(Face::Mono, detail, room);
    match layout {
        Layout::Wide if !detail.is_empty() => vec![
            line(p.x + 10, p.cy() - 4, "start", "b", name),
            line(p.x + 10, p.cy() + 13, "start", "mono m", detail),
        ],
        Layout::Wide | Layout::Narrow => vec![line(p.cx(), p.cy() + 5, "middle", "", name)],
    }
}

/// A relation between two things.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pipe {
    /// Its part of the key.
    pub name: &'static str,
    /// Whence the bytes come.
    pub from: Thing,
    /// Where they get to.
    pub to: Thing,
    /// Whether it is a bind mount: a second name for the same file system.
    pub bind: bool,
}

/// The pipes from the volume to the container.
pub const PIPES: [Pipe; 4] = [
    Pipe { name: "attached", from: Thing::Volume, to: Thing::Device, bind: false },
    Pipe { name: "staged", from: Thing::Device, to: Thing::Staging, bind: false },
    Pipe { name: "published", from: Thing::Staging, to: Thing::Target, bind: true },
    Pipe { name: "used", from: Thing::Target, to: Thing::Container, bind: true },
];

impl Pipe {
    /// Where the pipe runs, as a line between the two facing edges.
    pub fn line(&self, layout: Layout) -> ((i32, i32), (i32, i32)) {
        let (a, b) = (home::thing(self.from, layout), home::thing(self.to, layout));
        if a.right() < b.x {
            ((a.right(), b.cy()), (b.x, b.cy()))
        } else if b.right() < a.x {
            ((a.x, b.cy()), (b.right(), b.cy()))
        } else if a.bottom() < b.y {
            ((b.cx(), a.bottom()), (b.cx(), b.y))
        } else {
            ((b.cx(), a.y), (b.cx(), b.bottom()))
        }
    }

    /// The word beside the pipe and its place, where there is room for one.
    pub fn word(&self, layout: Layout) -> Option<(Rect, &'static str)> {
        let ((x1, y1), (x2, _)) = self.line(layout);
        let w = width(Face::Sans, self.name);
        ((x2 - x1).abs() >= w + 8 && self.from == Thing::Volume)
            .then(|| (Rect::new((x1 + x2 - w) / 2, y1 - 24, w, 16), self.name))
    }

    /// What the pipe looks like, drawn or only to be.
    pub fn look(&self, layout: Layout, there: bool, fresh: bool) -> Look {
        let ((x1, y1), (x2, y2)) = self.line(layout);
        let d = format!("M{x1} {y1}L{x2} {y2}");
        let path = |class| Shape::Path { d: d.clone(), class };
        if !there {
            return Look { class: "pipe kernel ghost".to_owned(), shapes: vec![path("trace")] };
        }
        let mut shapes = vec![path("pipe-wall"), path("pipe-bore")];
        if self.bind {
            shapes.push(path("pipe-core"));
        }
        if let Some((r, word)) = self.word(layout) {
            let text = word.to_owned();
            shapes.push(Shape::Text { x: r.cx(), y: r.bottom() - 4, anchor: "middle", class: "b", text });
        }
        let fresh = if fresh { " changed" } else { "" };
        Look { class: format!("pipe kernel{fresh}"), shapes }
    }
}
