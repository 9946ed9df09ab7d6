//! API objects as cards: the header with kind and name, and the outline of what is not there.

use super::Shape;
use super::cast::Object;
use super::geom::Rect;
use super::slot::Look;
use super::text::{Face, elide, width};
use crate::model::Kind;

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

/// What stands for VolumeAttachment where there is room for nothing else: nobody but the design calls it so.
const LAST_RESORT: &str = "VA";

/// The words of a kind's header, the fullest first.
const fn names(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Pod => &["Pod"],
        Kind::PersistentVolumeClaim => &["PersistentVolumeClaim", "PVC"],
        Kind::PersistentVolume => &["PersistentVolume", "PV"],
        Kind::VolumeAttachment => &["VolumeAttachment", "Attachment", LAST_RESORT],
        Kind::Node => &["Node"],
        Kind::CsiNode => &["CSINode"],
        Kind::CsiDriver => &["CSIDriver"],
        Kind::StorageClass => &["StorageClass", "Class"],
        Kind::VolumeSnapshot => &["VolumeSnapshot", "Snapshot"],
        Kind::VolumeSnapshotContent => &["VolumeSnapshotContent", "Content"],
    }
}

/// What a header says of an object whose deletion was asked for.
const DELETING: &str = "deleting";

/// A card without its rows. `acted` inverts the header; `fresh` marks what came to be or went.
pub fn look(object: &Object, place: Rect, header: i32, presence: Presence, acted: bool, fresh: bool) -> Look {
    let base = place.y + header / 2 + 5;
    let Rect { x, y, w, h } = place;
    let fits = |beside: i32| {
        let tail = if beside > 0 { 10 } else { 6 };
        names(object.object.kind).iter().find(move |n| 12 + width(Face::Bold, n) + beside + tail <= w)
    };
    // A name needs the room of five letters at least; one that is only digits of a hash gives way to its kind.
    let five = width(Face::Mono, "abcd…");
    let beside = match (presence, object.object.kind) {
        (Presence::Deleting, _) => 8 + width(Face::Sans, DELETING),
        (_, Kind::VolumeAttachment) => 0,
        _ => 8 + five,
    };
    let kind = fits(beside).or(names(object.object.kind).last()).copied().unwrap_or_default();
    let kind_w = width(Face::Bold, kind);
    let room = w - 12 - kind_w - 8 - 10;
    let name = if room < five { String::new() } else { elide(Face::Mono, &object.object.name, room) };
    let outline = Shape::Rect { x, y, w, h, r: 3, class: "outline" };
    // Without a name the kind bears the mark.
    let marked = fresh && name.is_empty() && presence == Presence::There;
    let class = if marked { "news b" } else { "kind b" };
    let title = Shape::Text { x: x + 12, y: base, anchor: "start", class, text: kind.to_owned() };
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
            let says = if gone { "deleted" } else { "not created yet" };
            let word_w = width(Face::Sans, says) + 16;
            let middle = (place.cx(), y + (header + h) / 2);
            let mut shapes = vec![outline, title];
            if object.several && !name.is_empty() {
                // Which of them it is.
                shapes.extend(word(place, header, false, Face::Mono, "mono m", name));
            }
            if gone && fresh {
                let r = Rect::around(middle, word_w, 22.min(h - header));
                shapes.push(Shape::Rect { x: r.x, y: r.y, w: r.w, h: r.h, r: 3, class: "mark" });
            }
            let text = says.to_owned();
            shapes.push(Shape::Text { x: middle.0, y: middle.1 + 5, anchor: "middle", class: "m", text });
            Look { class: class(if gone { "ghost gone" } else { "ghost" }), shapes }
        }
        Presence::There => {
            let mut shapes = vec![outline, head];
            if marked {
                let (y, w) = (y + header / 2 - 10, kind_w + 8);
                shapes.push(Shape::Rect { x: x + 8, y, w, h: 20, r: 3, class: "mark" });
            }
            shapes.push(title);
            if !name.is_empty() {
                shapes.extend(word(place, header, fresh, Face::Mono, "mono name", name));
            }
            Look { class: class("there"), shapes }
        }
        Presence::Deleting => {
            let d = format!("M{} {}h{}", x + 10, base - 5, kind_w);
            let mut shapes = vec![outline, head, title, Shape::Path { d, class: "strike" }];
            shapes.extend(word(place, header, fresh, Face::Sans, "name", DELETING.to_owned()));
            Look { class: class("there deleting"), shapes }
        }
    }
}

/// The word at the right of a header, marked when it is news.
fn word(card: Rect, header: i32, fresh: bool, face: Face, class: &'static str, text: String) -> Vec<Shape> {
    let (w, end, middle) = (width(face, &text), card.right() - 10, card.y + header / 2);
    let mark = Shape::Rect { x: end - w - 4, y: middle - 10, w: w + 8, h: 20, r: 3, class: "mark" };
    let class = match (fresh, face) {
        (false, _) => class,
        (true, Face::Mono) => "mono news",
        (true, Face::Sans | Face::Bold) => "news",
    };
    let text = Shape::Text { x: end, y: middle + 5, anchor: "end", class, text };
    if fresh { vec![mark, text] } else { vec![text] }
}
