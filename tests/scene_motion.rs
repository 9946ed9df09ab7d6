//! Keyframes and frames are the same motion: what the browser plays is what the frame function says.

mod scene_run;

use mountpath::scene::{Animation, Layout, Scene, View, keyframes, scenes, still};
use std::collections::BTreeMap;

/// The effect of an animation at a fraction of its time, as the Web Animations API defines it.
fn play(a: &Animation, at: f64) -> Vec<f64> {
    // Of two keyframes at one offset the later one counts from there on.
    let Some(i) = a.frames.iter().rposition(|f| f.offset <= at) else { return values(&a.frames[0].value) };
    let begin = values(&a.frames[i].value);
    let Some(next) = a.frames.get(i + 1) else { return begin };
    let f = ease(&a.frames[i].easing, (at - a.frames[i].offset) / (next.offset - a.frames[i].offset));
    begin.iter().zip(&values(&next.value)).map(|(x, y)| x + (y - x) * f).collect()
}

/// The numbers of a CSS value.
fn values(css: &str) -> Vec<f64> {
    let inside = css.trim_start_matches("translate(").trim_end_matches(')');
    inside.split(',').map(|v| v.trim().trim_end_matches("px").parse().unwrap()).collect()
}

/// A cubic-bezier() by Newton's method.
fn ease(css: &str, x: f64) -> f64 {
    if css == "linear" {
        return x;
    }
    let p = values(css.trim_start_matches("cubic-bezier("));
    let at =
        |a: f64, b: f64, t: f64| 3.0 * (1.0 - t).powi(2) * t * a + 3.0 * (1.0 - t) * t * t * b + t.powi(3);
    let mut t = x;
    for _ in 0..60 {
        let slope = (at(p[0], p[2], t + 1e-6) - at(p[0], p[2], t - 1e-6)) / 2e-6;
        if slope.abs() > 1e-9 {
            t = (t - (at(p[0], p[2], t) - x) / slope).clamp(0.0, 1.0);
        }
    }
    at(p[1], p[3], t)
}

#[test]
fn keyframes_played_at_any_moment_are_the_frame() {
    for (name, run) in scene_run::runs() {
        for layout in [Layout::Wide, Layout::Narrow] {
            for view in [View::Map, View::Sequence] {
                for (step, s) in (1..).zip(scenes(&run, layout, view)) {
                    holds(&format!("{name}, {} of step {step}, {layout:?}", view.name()), &s);
                }
            }
        }
    }
}

/// Compares the keyframes of a scene with its frames at the moments where something begins and some between.
fn holds(place: &str, s: &Scene) {
    let edges = s.groups.iter().flat_map(|g| &g.motions).map(|m| m.delay_ms);
    let mut moments: Vec<u32> = edges.chain((0..s.duration_ms() + 300).step_by(377)).collect();
    moments.sort_unstable();
    moments.dedup();
    // Comparing is the slow part: some moments of a long step are enough.
    let every = 1 + moments.len() / 12;
    for ms in moments.into_iter().step_by(every) {
        let shown = still(s.clone(), ms);
        let shown: BTreeMap<_, _> = shown.groups.iter().map(|g| (g.key.as_str(), g)).collect();
        for g in &s.groups {
            let (mut opacity, mut at) = (g.opacity, g.at);
            for a in keyframes(g, s.duration_ms()) {
                let progress = (f64::from(ms) / f64::from(s.duration_ms())).min(1.0);
                match (a.property, &play(&a, progress)[..]) {
                    ("opacity", [o]) => opacity = *o,
                    ("transform", [x, y]) => at = (*x, *y),
                    other => panic!("{other:?}"),
                }
            }
            let place = format!("{place} at {ms}: {}", g.key);
            match shown.get(g.key.as_str()) {
                None => assert!(opacity < 0.002, "{place}"),
                Some(f) => {
                    assert!((f.opacity - opacity).abs() < 0.002, "{place}: {} {opacity}", f.opacity);
                    let near = (f.at.0 - at.0).abs() < 0.1 && (f.at.1 - at.1).abs() < 0.1;
                    assert!(near, "{place}: {:?} {at:?}", f.at);
                }
            }
        }
    }
}
