//! What a group covers, read off its shapes: rectangles, words, and the stretches of its paths.

use mountpath::scene::text::{Face, width};
use mountpath::scene::{Group, Scene, Shape};

/// A rectangle as left, top, right, bottom, in units.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Area(pub f64, pub f64, pub f64, pub f64);

impl Area {
    pub fn of(x: i32, y: i32, w: i32, h: i32) -> Area {
        Area(f64::from(x), f64::from(y), f64::from(x + w), f64::from(y + h))
    }

    pub fn meets(&self, o: &Area) -> bool {
        self.0 < o.2 && o.0 < self.2 && self.1 < o.3 && o.1 < self.3
    }

    pub fn holds(&self, o: &Area) -> bool {
        self.0 <= o.0 && self.1 <= o.1 && o.2 <= self.2 && o.3 <= self.3
    }

    pub fn grown(&self, d: f64) -> Area {
        Area(self.0 - d, self.1 - d, self.2 + d, self.3 + d)
    }
}

/// The place of a text, by the widest of the usual system fonts.
pub fn word(shape: &Shape) -> Option<(Area, &str)> {
    let Shape::Text { x, y, anchor, class, text } = shape else { return None };
    let face = if class.contains("mono") { Face::Mono } else { Face::Sans };
    let w = if *class == "letters" { 18 } else { width(face, text) };
    let x = match *anchor {
        "start" => *x,
        "middle" => x - w / 2,
        _ => x - w,
    };
    Some((Area::of(x, y - 11, w, 14), text))
}

/// The points of a path with absolute commands, curves by their control points.
pub fn points(d: &str) -> Vec<(f64, f64)> {
    let mut out: Vec<(f64, f64)> = Vec::new();
    let mut rest = d;
    while let Some(command) = rest.chars().next() {
        let body = &rest[1..];
        let end = body.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(body.len());
        let n: Vec<f64> = body[..end].split_whitespace().map(|v| v.parse().unwrap()).collect();
        let (x, y) = out.last().copied().unwrap_or((0.0, 0.0));
        match command {
            'M' | 'L' | 'Q' => out.extend(n.chunks(2).map(|p| (p[0], p[1]))),
            'A' => out.push((n[5], n[6])),
            'H' => out.push((n[0], y)),
            'V' => out.push((x, n[0])),
            'h' => out.push((x + n[0], y)),
            'v' => out.push((x, y + n[0])),
            'm' | 'l' => out.push((x + n[0], y + n[1])),
            'a' => out.push((x + n[5], y + n[6])),
            'Z' | 'z' => {}
            other => panic!("unknown path command {other}"),
        }
        rest = &body[end..];
    }
    out
}

/// What the group's shape of this class covers.
pub fn area(group: &Group, class: &str) -> Option<Area> {
    group.shapes.iter().find_map(|s| match s {
        Shape::Rect { x, y, w, h, class: c, .. } if *c == class => Some(Area::of(*x, *y, *w, *h)),
        Shape::Path { d, class: c } if *c == class => {
            let p = points(d);
            let far = |f: fn(f64, f64) -> f64, v: fn(&(f64, f64)) -> f64| p.iter().map(v).reduce(f);
            let (x, y) = (|q: &(f64, f64)| q.0, |q: &(f64, f64)| q.1);
            Some(Area(far(f64::min, x)?, far(f64::min, y)?, far(f64::max, x)?, far(f64::max, y)?))
        }
        Shape::Rect { .. } | Shape::Path { .. } | Shape::Circle { .. } | Shape::Text { .. } => None,
    })
}

/// The body of an actor, object or thing, and of nothing else.
pub fn body(group: &Group) -> Option<Area> {
    ["pill", "outline", "body"].iter().find_map(|c| area(group, c))
}

/// The bodies of a picture, with their keys.
pub fn bodies(scene: &Scene) -> Vec<(&str, Area)> {
    scene.groups.iter().filter_map(|g| Some((g.key.as_str(), body(g)?))).collect()
}

/// The stretches of a wire's line, each as its two ends.
pub fn stretches(group: &Group) -> Vec<((f64, f64), (f64, f64))> {
    let lines = group.shapes.iter().filter_map(|s| match s {
        Shape::Path { d, class } if !class.starts_with("tip") => Some(points(d)),
        Shape::Path { .. } | Shape::Rect { .. } | Shape::Circle { .. } | Shape::Text { .. } => None,
    });
    lines.flat_map(|p| p.windows(2).map(|w| (w[0], w[1])).collect::<Vec<_>>()).collect()
}
