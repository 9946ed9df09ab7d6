//! What is sent: wires that come and go with their cue, and the capsules that travel on them.

use super::cue::{CUE_MS, Cue, LAND_MS, Wire};
use super::geom::{Dir, Pt, along, length};
use super::motion::fade;
use super::slot::{Look, Slot};
use super::stage::Stage;
use super::wire::{self, CAPSULE};
use super::{Easing, Group, Keyframe, Motion};

/// The part of the keys of a wire and its capsule: the action's name, with `/2`, `/3` … when one action
/// draws several.
fn name(stage: &Stage, cue: &Cue, i: usize) -> String {
    let id = stage.run.trace.steps.get(cue.index).map_or("", |s| s.id.as_str());
    if i == 0 { id.to_owned() } else { format!("{id}/{}", i + 1) }
}

/// When a cue's wires go: when the next cue begins; `None` for the last.
fn gone(stage: &Stage, n: usize) -> Option<u32> {
    stage.cues.get(n + 1).map(|c| c.start)
}

/// The wires of all cues.
pub fn wires(stage: &Stage, out: &mut Vec<Group>) {
    for (n, cue) in stage.cues.iter().enumerate() {
        for (i, w) in cue.wires.iter().enumerate() {
            let look = wire::look(w.line, &w.points, w.family);
            let mut slot = Slot::new(format!("wire/{}", name(stage, cue, i)), Look::default());
            slot.show(cue.start, CUE_MS, look.clone());
            if let Some(ms) = gone(stage, n) {
                slot.show(ms, CUE_MS, Look::default());
            }
            slot.show(stage.end, CUE_MS, if cue.index == stage.key { look } else { Look::default() });
            slot.groups(out);
        }
    }
}

/// The capsules of all cues.
pub fn capsules(stage: &Stage, out: &mut Vec<Group>) {
    for cue in stage.cues {
        for (i, w) in cue.wires.iter().enumerate() {
            if let Some((text, centre)) = &w.capsule {
                let look = wire::capsule(text, *centre, wire::hue(w.line, w.family));
                let stays = cue.index == stage.key;
                let motions = motions(stage, cue, w, *centre, wire::capsule_width(text), stays);
                out.push(Group {
                    key: format!("message/{}", name(stage, cue, i)),
                    class: format!("{} moves", look.class),
                    opacity: if stays { 1.0 } else { 0.0 },
                    at: (0.0, 0.0),
                    shapes: look.shapes,
                    motions,
                });
            }
        }
    }
}

/// Appears at the sender, travels along the wire, goes out on arrival; a capsule that stays comes back
/// where it parks when the step is at rest.
fn motions(stage: &Stage, cue: &Cue, w: &Wire, centre: Pt, width: i32, stays: bool) -> Vec<Motion> {
    let total = length(&w.points);
    let room = |dir: Dir| match dir {
        Dir::Up | Dir::Down => CAPSULE / 2 + 4,
        Dir::Left | Dir::Right => width / 2 + 4,
    };
    let ends = |pair: Option<(&Pt, &Pt)>| pair.map_or(0, |(a, b)| room(Dir::from_to(*a, *b)).min(total / 3));
    let first = ends(w.points.first().zip(w.points.get(1)));
    let last = ends(w.points.get(w.points.len().saturating_sub(2)).zip(w.points.last()));
    let (begin, end) = (first, (total - last).max(first + 1));
    let mut stops = vec![begin];
    let mut s = 0;
    for (a, b) in w.points.iter().zip(w.points.iter().skip(1)) {
        s += length(&[*a, *b]);
        if s > begin && s < end {
            stops.push(s);
        }
    }
    stops.push(end);
    let key = |s: i32| {
        // It never leaves the canvas, even where its wire runs along the edge.
        let (p, half) = (along(&w.points, s), width / 2 + 2);
        let (size, high) = (stage.plan.floor.size, CAPSULE / 2 + 2);
        let p = (p.0.max(half).min(size.0 - half), p.1.max(high).min(size.1 - high));
        let at = (f64::from(p.0 - centre.0), f64::from(p.1 - centre.1));
        Keyframe { offset: f64::from(s - begin) / f64::from(end - begin), opacity: None, at: Some(at) }
    };
    let travel = Motion {
        delay_ms: cue.leave,
        duration_ms: cue.land - cue.leave,
        easing: Easing::InOut,
        keyframes: stops.into_iter().map(key).collect(),
    };
    let fading = LAND_MS / 2;
    let mut out = vec![travel, fade(cue.start, CUE_MS, 0.0, 1.0), fade(cue.land, fading, 1.0, 0.0)];
    if stays {
        let home = |offset| Keyframe { offset, opacity: None, at: Some((0.0, 0.0)) };
        let back = (cue.land + fading).max(stage.end);
        let keyframes = vec![home(0.0), home(1.0)];
        out.push(Motion { delay_ms: back, duration_ms: 1, easing: Easing::Linear, keyframes });
        out.push(fade(back, CUE_MS, 0.0, 1.0));
    } else {
        // At rest it has no displacement, so that a still and the end of the motion are the same.
        let home = |offset| Keyframe { offset, opacity: None, at: Some((0.0, 0.0)) };
        let keyframes = vec![home(0.0), home(1.0)];
        let delay_ms = cue.land + fading;
        out.push(Motion { delay_ms, duration_ms: 1, easing: Easing::Linear, keyframes });
    }
    out
}
