//! API objects as cards: the header with kind and name, and the outline of what is not there.

use super::geom::Rect;
use super::slot::Look;
use super::text::{Face, elide, width};
use super::{Layout, Shape, home};
use crate::model::{Kind, ObjectRef};

/// What a card says about its object as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Presence {
    /// Nobody has created it yet.
    NotYet,
    /// It is there.
    There,
    /// It is there, and someone has asked for its deletion.
    Deleting,
    /// It is gone.
    Gone,
}

/// The words of a kind's header, the fullest first.
const fn names(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Pod => &["Pod"],
        Kind::PersistentVolumeClaim => &["PersistentVolumeClaim", "PVC"],
        Kind::PersistentVolume => &["PersistentVolume", "PV"],
        Kind::VolumeAttachment => &["VolumeAttachment"],
        Kind::Node => &["Node"],
    }
}

/// A card without its rows. `acted` inverts the header; `fresh` marks what came to be or went.
pub fn look(
    object: &ObjectRef,
    place: Rect,
    layout: Layout,
    presence: Presence,
    acted: bool,
    fresh: bool,
) -> Look {
    let header = home::measures(layout).header;
    let base = place.y + header / 2 + 5;
    let Rect { x, y, w, h } = place;
    // A name needs the room of five letters at least, or the short word for the kind is used.
    let five = width(Face::Mono, "abcd…");
    let kind = names(object.kind).iter().find(|n| 12 + width(Face::Bold, n) + 8 + five + 10 <= w);
    let kind = kind.or(names(object.kind).last()).copied().unwrap_or_default();
    let kind_w = width(Face::Bold, kind);
    let room = w - 12 - kind_w - 8 - 10;
    let outline = Shape::Rect { x, y, w, h, r: 3, class: "outline" };
    let title = Shape::Text { x: x + 12, y: base, anchor: "start", class: "kind b", text: kind.to_owned() };
    let right = |face, class, text: &str| Shape::Text {
        x: place.right() - 10,
        y: base,
        anchor: "end",
        class,
        text: elide(face, text, room),
    };
    let class = |c: &str| format!("object {c}{}", if acted { " acted" } else { "" });
    let head = Shape::Path {
        d: format!(
            "M{x} {}V{}Q{x} {y} {} {y}H{}Q{r} {y} {r} {}V{}Z",
            y + header,
            y + 3,
            x + 3,
            x + w - 3,
            y + 3,
            y + header,
            r = x + w
        ),
        class: "head",
    };
    match presence {
        Presence::NotYet | Presence::Gone => {
            let gone = presence == Presence::Gone;
            let word = if gone { "deleted" } else { "not created yet" };
            let word_w = width(Face::Sans, word) + 16;
            let middle = (place.cx(), y + (header + h) / 2);
            let mut shapes = vec![outline, title];
            if gone && fresh {
                let r = Rect::around(middle, word_w, 22.min(h - header));
                shapes.push(Shape::Rect { x: r.x, y: r.y, w: r.w, h: r.h, r: 3, class: "mark" });
            }
            let text = word.to_owned();
            shapes.push(Shape::Text { x: middle.0, y: middle.1 + 5, anchor: "middle", class: "m", text });
            Look { class: class(if gone { "ghost gone" } else { "ghost" }), shapes }
        }
        Presence::There => {
            let shapes = vec![outline, head, title, right(Face::Mono, "mono name", &object.name)];
            Look { class: class("there"), shapes }
        }
        Presence::Deleting => {
            let d = format!("M{} {}h{}", x + 10, base - 5, kind_w);
            let strike = Shape::Path { d, class: "strike" };
            let mut shapes = vec![outline, head, title, strike];
            let word_w = width(Face::Sans, "deleting");
            if fresh {
                let (x, y) = (place.right() - 16 - word_w, y + header / 2 - 10);
                shapes.push(Shape::Rect { x, y, w: word_w + 12, h: 20, r: 3, class: "mark" });
            }
            shapes.push(right(Face::Sans, if fresh { "m" } else { "name" }, "deleting"));
            Look { class: class("there deleting"), shapes }
        }
    }
}
