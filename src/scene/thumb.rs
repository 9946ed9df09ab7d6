//! The thumbnail of a run: the wide picture of its most telling step, without its words.

use super::{Group, Layout, Scene, Shape, frame};
use crate::trace::Run;

/// The rest frame at which most is there and happens, with shapes alone.
pub fn thumb(run: &Run) -> Scene {
    let frames = (1..=run.groups.len()).map(|step| frame(run, step, u32::MAX, Layout::Wide));
    let best = frames.max_by_key(telling).unwrap_or_else(|| frame(run, 0, u32::MAX, Layout::Wide));
    let groups = best.groups.into_iter().filter(|g| g.key != "legend" && g.key != "clock");
    let groups = groups.map(|g| Group { shapes: g.shapes.into_iter().filter(is_seen).collect(), ..g });
    Scene { groups: groups.filter(|g| !g.shapes.is_empty()).collect(), ..best }
}

/// How much a picture tells: a failure first, then a call, then what is real and what has just changed.
fn telling(scene: &Scene) -> (usize, usize, usize, usize) {
    let groups = |is: fn(&Group) -> bool| scene.groups.iter().filter(|g| is(g)).count();
    let drawn = |g: &Group, line: &str| {
        g.shapes.iter().any(|s| matches!(s, Shape::Path { class, .. } if *class == line))
    };
    let fails = |g: &&Group| g.class.ends_with("down") || drawn(g, "refusal");
    let calls = |g: &&Group| drawn(g, "call");
    let there = groups(|g| g.class.starts_with("thing") && !g.class.contains("ghost"));
    let news = groups(|g| g.class.contains("changed"));
    (scene.groups.iter().filter(fails).count(), scene.groups.iter().filter(calls).count(), there, news)
}

/// Whether a shape says something at a third of its size.
fn is_seen(shape: &Shape) -> bool {
    match shape {
        Shape::Text { .. } => false,
        Shape::Rect { class, .. } | Shape::Circle { class, .. } | Shape::Path { class, .. } => {
            !matches!(*class, "bar" | "glyph" | "arrow" | "strike" | "ring" | "hatch" | "trace")
        }
    }
}
