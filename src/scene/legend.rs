//! The legend: one sample of each line with its meaning.

use super::Shape;
use super::slot::Look;
use super::text::{Face, width};
use super::wire::{self, Line};
use crate::model::Family;

/// The legend around the line `middle`, from `left` on.
pub fn look(left: i32, middle: i32) -> Look {
    let lines = [
        (Line::Write, "API write"),
        (Line::Call, "CSI call"),
        (Line::Reply, "reply"),
        (Line::Read, "watch or read"),
    ];
    let (mut shapes, mut x) = (Vec::new(), left);
    let word = |shapes: &mut Vec<Shape>, x: &mut i32, text: &str| {
        shapes.push(Shape::Text {
            x: *x + 36,
            y: middle + 5,
            anchor: "start",
            class: "m",
            text: text.to_owned(),
        });
        *x += 36 + width(Face::Sans, text) + 14;
    };
    for (line, meaning) in lines {
        shapes.extend(wire::look(line, &[(x, middle), (x + 28, middle)], Family::Kernel).shapes);
        word(&mut shapes, &mut x, meaning);
    }
    let d = format!("M{x} {middle}h28");
    shapes.push(Shape::Path { d: d.clone(), class: "pipe-wall" });
    shapes.push(Shape::Path { d, class: "pipe-bore" });
    word(&mut shapes, &mut x, "data path");
    shapes.push(Shape::Rect { x: x + 24, y: middle - 8, w: 4, h: 16, r: 1, class: "bar" });
    word(&mut shapes, &mut x, "last writer");
    Look { class: "legend kernel".to_owned(), shapes }
}
