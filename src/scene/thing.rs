//! Real things: volumes, devices and mounts, and the pipes between them.

use super::Shape;
use super::geom::Rect;
use super::home::ThingKind;
use super::slot::Look;
use super::text::{Face, elide, width};
use crate::model::ObjectRef;

/// A real thing in its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thing {
    /// What it is.
    pub kind: ThingKind,
    /// Its group's key.
    pub key: String,
    /// Where it is.
    pub place: Rect,
    /// The Node it is on; empty for what is at the backend.
    pub node: String,
    /// Its handle, its path, or its Pod's name.
    pub path: String,
    /// What is said beneath its name.
    pub says: String,
    /// Whether there is room for one line only.
    pub plain: bool,
    /// The Pod, where it is a container.
    pub pod: Option<ObjectRef>,
}

impl Thing {
    /// What it looks like.
    pub fn look(&self, there: bool, fresh: bool) -> Look {
        let p = self.place;
        let shapes = match self.kind {
            ThingKind::Volume => cylinder(p, &self.path),
            ThingKind::Snapshot => disc(p, &self.path),
            ThingKind::Device => self.boxed(2, &["device"]),
            ThingKind::Container => self.boxed(8, &["container"]),
            ThingKind::Staging => self.tab(&["global mount", "globalmount", "staging"]),
            ThingKind::Target if self.path.contains("/volumeDevices/") => {
                self.tab(&["published device", "published"])
            }
            ThingKind::Target => self.tab(&["Pod mount", "mount"]),
            ThingKind::Map => self.tab(&["device map", "map"]),
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

    fn boxed(&self, r: i32, names: &[&str]) -> Vec<Shape> {
        let p = self.place;
        let mut out = vec![Shape::Rect { x: p.x, y: p.y, w: p.w, h: p.h, r, class: "body" }];
        out.extend(self.words(names));
        out
    }

    /// A path as a folder's tab: a notch at the upper right.
    fn tab(&self, names: &[&str]) -> Vec<Shape> {
        let p = self.place;
        let (x, y, r, b) = (p.x, p.y, p.right(), p.bottom());
        let d = format!("M{x} {y}H{}L{r} {}V{b}H{x}Z", r - 10, y + 10);
        let mut out = vec![Shape::Path { d, class: "body" }];
        out.extend(self.words(names));
        out
    }

    /// The first name that fits, and where there is room the detail beneath it; of a container without room for both
    /// its Pod.
    fn words(&self, names: &[&str]) -> Vec<Shape> {
        let p = self.place;
        let line = |x, y, anchor, class, text| Shape::Text { x, y, anchor, class, text };
        let fitting = names.iter().find(|n| width(Face::Sans, n) <= p.w - 8);
        let name = fitting.map_or_else(String::new, |n| (*n).to_owned());
        let detail = elide(Face::Mono, &self.says, p.w - 20);
        if !self.plain && !detail.is_empty() {
            return vec![
                line(p.x + 10, p.cy() - 4, "start", "b", name),
                line(p.x + 10, p.cy() + 13, "start", "mono m", detail),
            ];
        }
        let pod = self.pod.as_ref().filter(|_| !self.says.is_empty());
        let name = pod.map_or(name, |pod| {
            let full = format!("Pod {}", pod.name);
            if width(Face::Sans, &full) <= p.w - 8 { full } else { elide(Face::Sans, &pod.name, p.w - 8) }
        });
        vec![line(p.cx(), p.cy() + 5, "middle", "", name)]
    }
}

/// A storage volume as a cylinder with its handle.
fn cylinder(p: Rect, id: &str) -> Vec<Shape> {
    // A low one has a flat lid, so that its handle keeps clear of it.
    let (ry, down) = match p.h {
        ..46 => (5, 7),
        46..60 => (7, 9),
        _ => (12, 13),
    };
    let rx = p.w / 2;
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
        Shape::Text { x: p.cx(), y: p.cy() + down, anchor: "middle", class: "mono b", text },
    ]
}

/// A snapshot as a flat disc.
fn disc(p: Rect, id: &str) -> Vec<Shape> {
    let text = elide(Face::Mono, id, p.w - 24);
    vec![
        Shape::Rect { x: p.x, y: p.y, w: p.w, h: p.h, r: p.h / 2, class: "body" },
        Shape::Text { x: p.cx(), y: p.cy() + 5, anchor: "middle", class: "mono b", text },
    ]
}

/// A relation between two things: bytes get from one to the other as long as both are there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pipe {
    /// Its group's key.
    pub key: String,
    /// Its word.
    pub name: &'static str,
    /// The key of the thing whence the bytes come.
    pub from: String,
    /// The key of the thing where they get to.
    pub to: String,
    /// Where it runs.
    pub line: ((i32, i32), (i32, i32)),
    /// Whether it is a bind mount: a second name for the same file system.
    pub bind: bool,
}

impl Pipe {
    /// The line between the two facing edges of two shapes, where one along an axis meets both.
    pub fn between(a: Rect, b: Rect) -> Option<((i32, i32), (i32, i32))> {
        let beside = a.y + 4 <= b.cy() && b.cy() <= a.bottom() - 4;
        let above = a.x + 4 <= b.cx() && b.cx() <= a.right() - 4;
        if beside && a.right() < b.x {
            Some(((a.right(), b.cy()), (b.x, b.cy())))
        } else if beside && b.right() < a.x {
            Some(((a.x, b.cy()), (b.right(), b.cy())))
        } else if above && a.bottom() < b.y {
            Some(((b.cx(), a.bottom()), (b.cx(), b.y)))
        } else if above && b.bottom() < a.y {
            Some(((b.cx(), a.y), (b.cx(), b.bottom())))
        } else {
            None
        }
    }

    /// The word beside the pipe and its place, where there is room for one.
    pub fn word(&self) -> Option<(Rect, &'static str)> {
        let ((x1, y1), (x2, _)) = self.line;
        let w = width(Face::Sans, self.name);
        ((x2 - x1).abs() >= w + 8 && self.from.starts_with("thing/volume/"))
            .then(|| (Rect::new((x1 + x2 - w) / 2, y1 - 24, w, 16), self.name))
    }

    /// What the pipe looks like, drawn or only to be.
    pub fn look(&self, there: bool, fresh: bool) -> Look {
        let ((x1, y1), (x2, y2)) = self.line;
        let d = format!("M{x1} {y1}L{x2} {y2}");
        let path = |class| Shape::Path { d: d.clone(), class };
        if !there {
            return Look { class: "pipe kernel ghost".to_owned(), shapes: vec![path("trace")] };
        }
        let mut shapes = vec![path("pipe-wall"), path("pipe-bore")];
        if self.bind {
            shapes.push(path("pipe-core"));
        }
        if let Some((r, word)) = self.word() {
            let text = word.to_owned();
            shapes.push(Shape::Text { x: r.cx(), y: r.bottom() - 4, anchor: "middle", class: "b", text });
        }
        let fresh = if fresh { " changed" } else { "" };
        Look { class: format!("pipe kernel{fresh}"), shapes }
    }
}
