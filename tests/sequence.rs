//! What every picture of a sequence keeps, over all named scenarios: words in their place, and a mark for each effect.

mod scene_run;

use mountpath::scene::{
    Group, Layout, Scene, Shape, needed, scene, sequence, sequence_whole, sequences, still, svg,
};
use mountpath::trace::{Effect, Run, SCENARIOS, StepGroup, record};
use scene_run::ink::{Area, points, word};
use std::collections::{BTreeMap, BTreeSet};

const LAYOUTS: [Layout; 2] = [Layout::Wide, Layout::Narrow];

/// A scenario's run, told an action a step.
fn told(name: &str) -> Run {
    let trace = record(name).unwrap_or_else(|e| panic!("{name}: {e}"));
    let groups = (0..trace.steps.len()).map(|i| StepGroup { cues: i..i + 1, key: i }).collect();
    Run { trace, groups }
}

/// Calls `check` with every picture: where it is from, the run, the step from 1 or none for the whole, and the scene.
fn each(mut check: impl FnMut(&str, &Run, Option<usize>, &Scene)) {
    let runs = SCENARIOS.iter().map(|(name, _)| ((*name).to_owned(), told(name)));
    for (name, run) in runs.chain(scene_run::runs()) {
        for layout in LAYOUTS {
            check(&format!("{name}, whole, {layout:?}"), &run, None, &sequence_whole(&run, layout));
            let ends = [0, run.groups.len() + 1].map(|step| (step, sequence(&run, step, layout)));
            for (step, scene) in (1..).zip(sequences(&run, layout)).chain(ends) {
                check(&format!("{name}, step {step}, {layout:?}"), &run, Some(step), &scene);
            }
        }
    }
}

/// A group's words where they rest.
fn words(group: &Group) -> impl Iterator<Item = (Area, &str)> {
    let (dx, dy) = group.at;
    let words = group.shapes.iter().filter_map(word);
    words.map(move |(a, text)| (Area(a.0 + dx, a.1 + dy, a.2 + dx, a.3 + dy), text))
}

/// The stretches of a group's lines where they rest.
fn lines(group: &Group) -> Vec<Area> {
    let drawn = |class: &str| !class.starts_with("tip") && class != "glyph";
    let paths = group.shapes.iter().filter_map(|s| match s {
        Shape::Path { d, class } if drawn(class) => Some(d),
        Shape::Path { .. } | Shape::Rect { .. } | Shape::Circle { .. } | Shape::Text { .. } => None,
    });
    let strokes = paths.flat_map(|d| d.split('M').skip(1).map(|part| points(&format!("M{part}"))));
    let (dx, dy) = group.at;
    let line = move |p: &[(f64, f64)]| {
        let ((x1, y1), (x2, y2)) = (p[0], p[1]);
        Area(x1.min(x2) + dx, y1.min(y2) + dy, x1.max(x2) + dx, y1.max(y2) + dy).grown(0.5)
    };
    strokes.flat_map(|p| p.windows(2).map(line).collect::<Vec<_>>()).collect()
}

#[test]
fn words_stand_inside_apart_and_off_every_line() {
    each(|place, _, _, s| {
        assert_eq!((s.width, s.height % 8), (if place.ends_with("Wide") { 800 } else { 360 }, 0), "{place}");
        let canvas = Area::of(0, 0, s.width, s.height).grown(-1.0);
        let s = &still(s.clone(), u32::MAX);
        let mut all: Vec<(Area, &str)> = s.groups.iter().flat_map(words).collect();
        for line in s.groups.iter().filter(|g| g.key != "seq/legend").flat_map(lines) {
            assert!(canvas.holds(&line), "{place}: a line leaves the canvas: {line:?}");
            for (area, text) in &all {
                assert!(!area.meets(&line), "{place}: a line crosses `{text}`: {line:?} {area:?}");
            }
        }
        while let Some((area, text)) = all.pop() {
            assert!(canvas.holds(&area), "{place}: `{text}` leaves the canvas: {area:?}");
            for (other, word) in &all {
                assert!(!other.meets(&area), "{place}: `{text}` covers `{word}`");
            }
        }
    });
}

#[test]
fn boxes_hold_their_words() {
    each(|place, _, _, s| {
        for group in &s.groups {
            let boxes: Vec<Area> = group
                .shapes
                .iter()
                .filter_map(|s| match s {
                    Shape::Rect { x, y, w, h, class: "note", .. } => Some(Area::of(*x, *y, *w, *h)),
                    _ => None,
                })
                .collect();
            let texts: Vec<_> = group.shapes.iter().filter_map(word).collect();
            for (area, text) in texts.iter().filter(|_| !boxes.is_empty()) {
                assert!(boxes.iter().any(|b| b.holds(area)), "{place}: `{text}` leaves its box");
            }
        }
    });
}

/// Everyone who acts, calls or is called in these actions, and the Nodes whose kernel they change.
fn parties(run: &Run, cues: std::ops::Range<usize>) -> BTreeSet<String> {
    let mut out = BTreeSet::from(["api-server".to_owned()]);
    for step in &run.trace.steps[cues] {
        for effect in &step.effects {
            match effect {
                Effect::Rpc { caller, callee, .. } => out.extend([caller.to_string(), callee.to_string()]),
                Effect::Mount { node, .. } | Effect::Unmount { node, .. } | Effect::Device { node, .. } => {
                    out.extend([step.actor.to_string(), format!("kernel/{node}")]);
                }
                Effect::Write { by, .. }
                | Effect::Create { by, .. }
                | Effect::Delete { by, .. }
                | Effect::Event { by, .. } => {
                    out.insert(by.to_string());
                }
            }
        }
    }
    out
}

#[test]
fn everyone_who_takes_part_has_a_lifeline_and_keeps_the_order() {
    let mut order: Vec<String> = Vec::new();
    each(|place, run, step, s| {
        let there: Vec<&str> = s.groups.iter().filter_map(|g| g.key.strip_prefix("seq/lifeline/")).collect();
        let heads: Vec<&str> = s.groups.iter().filter_map(|g| g.key.strip_prefix("seq/actor/")).collect();
        assert_eq!(there, heads, "{place}");
        let group = step.and_then(|s| s.checked_sub(1)).and_then(|s| run.groups.get(s));
        let cues = match step {
            None => 0..run.trace.steps.len(),
            Some(_) => group.map_or(0..0, |g| g.cues.clone()),
        };
        for party in parties(run, cues) {
            assert!(there.contains(&party.as_str()), "{place}: no lifeline of {party}");
        }
        if step.is_none() {
            order = there.iter().map(|p| (*p).to_owned()).collect();
        }
        let places: Vec<_> = there.iter().map(|p| order.iter().position(|o| o == p)).collect();
        assert!(places.is_sorted() && !places.contains(&None), "{place}: {there:?}");
    });
}

/// The words of the messages of an action, line by line.
fn said<'a>(s: &'a Scene, id: &str) -> Vec<&'a str> {
    let mine = |g: &&Group| {
        let key = g.key.strip_prefix("seq/message/").unwrap_or("");
        key == id || key.strip_prefix(id).is_some_and(|rest| rest.starts_with('/'))
    };
    s.groups.iter().filter(mine).flat_map(words).map(|(_, text)| text).collect()
}

/// Whether any of these words begins a line or stands in one.
fn has(said: &[&str], words: &[&str]) -> bool {
    said.iter().any(|line| words.iter().any(|w| line.contains(w)))
}

#[test]
fn each_effect_of_a_step_has_its_mark() {
    each(|place, run, step, s| {
        let group = step.and_then(|s| s.checked_sub(1)).and_then(|s| run.groups.get(s));
        let cues = match step {
            None => 0..run.trace.steps.len(),
            Some(_) => group.map_or(0..0, |g| g.cues.clone()),
        };
        for action in &run.trace.steps[cues] {
            let said = said(s, &action.id);
            let lines = s.groups.iter().filter(|g| {
                let key = g.key.strip_prefix("seq/message/").unwrap_or("");
                key == action.id
                    || key.strip_prefix(&action.id).is_some_and(|k| k.starts_with('/') && k != "/later")
            });
            let lines = lines.count();
            assert!(lines > 0, "{place}: {} is not told", action.id);
            let mut calls = 0;
            let mut begun: BTreeSet<String> = BTreeSet::new();
            let mut counted: BTreeMap<String, usize> = BTreeMap::new();
            for effect in &action.effects {
                let told = match effect {
                    Effect::Create { object, .. } => {
                        begun.insert(object.to_string());
                        has(&said, &["create "])
                    }
                    Effect::Delete { .. } => has(&said, &[" gone"]),
                    Effect::Write { object, field, from: None, to: Some(_), .. }
                        if begun.contains(&object.to_string()) =>
                    {
                        *counted.entry(object.to_string()).or_default() += 1;
                        let last = field.trim_end_matches(']').rsplit(['/', '.']).next().unwrap();
                        has(&said, &[last, "+", " fields", "1 field"])
                    }
                    Effect::Write { field, .. } => {
                        let last = field.trim_end_matches(']').rsplit(['/', '.']).next().unwrap();
                        has(&said, &[last])
                    }
                    Effect::Event { reason, .. } => has(&said, &[reason]),
                    Effect::Rpc { method, code: None, .. } => {
                        calls += 1;
                        has(&said, &[method])
                    }
                    Effect::Rpc { code: Some(code), .. } => {
                        calls += 1;
                        code.name() == "OK" || has(&said, &[code.name()])
                    }
                    Effect::Mount { .. } => has(&said, &["mounts ", "publishes "]),
                    Effect::Unmount { .. } => has(&said, &["unmounts ", "unpublishes "]),
                    Effect::Device { .. } => has(&said, &["device "]),
                };
                assert!(told, "{place}: {} does not tell {effect}: {said:?}", action.id);
            }
            assert!(lines >= calls, "{place}: {} calls {calls} times", action.id);
        }
    });
}

#[test]
fn a_step_moves_into_its_rest() {
    each(|place, run, step, s| {
        let mut keys = BTreeSet::new();
        let inside = step.is_some_and(|s| (1..=run.groups.len()).contains(&s));
        for g in &s.groups {
            assert!(keys.insert(&g.key), "{place}: {} twice", g.key);
            assert_eq!(g.class.ends_with(" moves"), !g.motions.is_empty(), "{place}: {}", g.key);
            assert!(g.motions.is_empty() || inside, "{place}: {} moves", g.key);
            let (opacity, at) = g.pose(u32::MAX);
            assert_eq!((opacity, at), (g.opacity, g.at), "{place}: {} rests elsewhere", g.key);
        }
        assert!(s.duration_ms() <= 16_500, "{place}: {} ms", s.duration_ms());
        assert_eq!(s.duration_ms() > 0, inside, "{place}");
    });
}

#[test]
fn the_stage_keeps_its_size() {
    for (name, run) in scene_run::runs() {
        for layout in LAYOUTS {
            let map = scene(&run, 1, layout);
            for (step, s) in (1..).zip(sequences(&run, layout)) {
                let first = sequence(&run, 1, layout);
                assert_eq!(
                    (s.width, s.height),
                    (first.width, first.height),
                    "{name}, step {step}, {layout:?}"
                );
                assert!(s.width == map.width && s.height >= map.height, "{name}, step {step}, {layout:?}");
            }
        }
    }
}

#[test]
#[ignore]
fn dump() {
    let css = format!(
        "{}{}",
        std::fs::read_to_string("style/tokens.css").unwrap(),
        std::fs::read_to_string("style/stage.css").unwrap()
    );
    let dir = std::env::var("DUMP").unwrap();
    let wanted = std::env::var("ONLY").unwrap_or_default();
    let runs: Vec<(String, Run)> = if wanted.is_empty() {
        scene_run::runs()
    } else {
        wanted
            .split(',')
            .map(|w| {
                let (name, n) = w.split_once(':').unwrap_or((w, "1"));
                let n: usize = n.parse().unwrap();
                let trace = record(name).unwrap();
                let len = trace.steps.len();
                let groups =
                    (0..len).step_by(n).map(|i| StepGroup { cues: i..(i + n).min(len), key: i }).collect();
                (name.to_owned(), Run { trace, groups })
            })
            .collect()
    };
    for (name, run) in runs {
        for layout in LAYOUTS {
            let write = |what: &str, s: &Scene| {
                let rest = still(s.clone(), u32::MAX);
                let css = needed(&css, &rest);
                let page = "*{}svg{background:var(--page)}";
                let svg = svg::document(&rest, &name, "", svg::Embedding::Alone(&format!("{css}{page}")));
                std::fs::write(format!("{dir}/{name}-{what}-{}.svg", layout.name()), svg).unwrap();
            };
            for step in 1..=run.groups.len() {
                write(&step.to_string(), &sequence(&run, step, layout));
            }
            write("whole", &sequence_whole(&run, layout));
        }
    }
}
