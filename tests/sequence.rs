//! What every picture of a sequence keeps, over all named scenarios: words in their place, and a mark for each effect.

mod scene_run;

use mountpath::model::ObjectRef;
use mountpath::scene::{Group, Layout, Scene, Shape, scene, sequence, sequence_whole, sequences, still};
use mountpath::trace::{Code, Effect, Run, SCENARIOS, Step};
use scene_run::ink::{Area, points, word};
use std::collections::BTreeSet;

/// A picture: where it is from, its run, its step from 1 or none for the whole, and the scene.
struct Picture<'a> {
    place: String,
    run: &'a Run,
    step: Option<usize>,
    scene: &'a Scene,
}

/// What every picture is held against. Each is drawn once for all of them.
const CHECKS: [fn(&Picture); 5] = [
    words_stand_inside_apart_and_off_every_line,
    boxes_hold_their_words,
    everyone_who_takes_part_has_a_lifeline,
    each_effect_of_a_step_has_its_mark,
    a_step_moves_into_its_rest,
];

/// Draws every scenario, told an action a step, and every diagram.
fn check(layout: Layout) {
    let runs = SCENARIOS.iter().map(|(name, _)| ((*name).to_owned(), scene_run::told(name, 1)));
    for (name, run) in runs.chain(scene_run::runs()) {
        let hold = |what: &str, step: Option<usize>, scene: &Scene| {
            let picture = Picture { place: format!("{name}, {what}, {layout:?}"), run: &run, step, scene };
            CHECKS.iter().for_each(|check| check(&picture));
        };
        let whole = sequence_whole(&run, layout);
        hold("whole", None, &whole);
        let scenes = sequences(&run, layout);
        let ends = [0, run.groups.len() + 1].map(|step| (step, sequence(&run, step, layout)));
        for (step, scene) in (1..).zip(scenes).chain(ends) {
            hold(&format!("step {step}"), Some(step), &scene);
            the_order_is_kept(&name, &whole, &scene);
        }
    }
}

#[test]
fn every_wide_picture_holds() {
    check(Layout::Wide);
}

#[test]
fn every_narrow_picture_holds() {
    check(Layout::Narrow);
}

/// The keys of a scene's groups after this beginning.
fn keys<'a>(scene: &'a Scene, beginning: &str) -> Vec<&'a str> {
    scene.groups.iter().filter_map(|g| g.key.strip_prefix(beginning)).collect()
}

/// The actions that a picture tells as its own.
fn told<'a>(p: &'a Picture) -> &'a [Step] {
    let group = p.step.and_then(|s| s.checked_sub(1)).and_then(|s| p.run.groups.get(s));
    match p.step {
        None => &p.run.trace.steps,
        Some(_) => group.map_or(&[], |g| &p.run.trace.steps[g.cues.clone()]),
    }
}

/// A group's words where they rest.
fn words(group: &Group) -> impl Iterator<Item = (Area, &str)> {
    let (dx, dy) = group.at;
    let words = group.shapes.iter().filter_map(word);
    words.map(move |(a, text)| (Area(a.0 + dx, a.1 + dy, a.2 + dx, a.3 + dy), text))
}

/// What a group covers behind its words.
fn plates(group: &Group) -> Vec<Area> {
    let plate = |s: &Shape| match s {
        Shape::Rect { x, y, w, h, class: "plate" | "note", .. } => {
            Some(Area::of(*x, *y + group.at.1 as i32, *w, *h))
        }
        _ => None,
    };
    group.shapes.iter().filter_map(plate).collect()
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

fn words_stand_inside_apart_and_off_every_line(p: &Picture) {
    let place = &p.place;
    let s = still(p.scene.clone(), u32::MAX);
    assert_eq!((s.width, s.height % 8), (if place.ends_with("Wide") { 800 } else { 360 }, 0), "{place}");
    let canvas = Area::of(0, 0, s.width, s.height).grown(-1.0);
    let mut all: Vec<(Area, &str)> = s.groups.iter().flat_map(words).collect();
    let covered: Vec<Area> = s.groups.iter().flat_map(plates).collect();
    for group in s.groups.iter().filter(|g| g.key != "seq/legend") {
        for line in lines(group) {
            assert!(canvas.holds(&line), "{place}: a line leaves the canvas: {line:?}");
            for (area, text) in &all {
                // A lifeline may run behind what covers it.
                let behind = group.key.starts_with("seq/lifeline/") && covered.iter().any(|c| c.holds(area));
                assert!(behind || !area.meets(&line), "{place}: a line crosses `{text}`: {line:?} {area:?}");
            }
        }
    }
    while let Some((area, text)) = all.pop() {
        assert!(canvas.holds(&area), "{place}: `{text}` leaves the canvas: {area:?}");
        for (other, word) in &all {
            assert!(!other.meets(&area), "{place}: `{text}` covers `{word}`");
        }
    }
}

fn boxes_hold_their_words(p: &Picture) {
    for group in &p.scene.groups {
        let note = |s: &Shape| match s {
            Shape::Rect { x, y, w, h, class: "note", .. } => Some(Area::of(*x, *y, *w, *h)),
            _ => None,
        };
        let boxes: Vec<Area> = group.shapes.iter().filter_map(note).collect();
        for (area, text) in group.shapes.iter().filter_map(word).filter(|_| !boxes.is_empty()) {
            assert!(boxes.iter().any(|b| b.holds(&area)), "{}: `{text}` leaves its box", p.place);
        }
    }
}

/// Everyone who acts, calls or is called in these actions, and the Nodes whose kernel they change.
fn parties(steps: &[Step]) -> BTreeSet<String> {
    let mut out = BTreeSet::from(["api-server".to_owned()]);
    for step in steps {
        out.insert(step.actor.to_string());
        for effect in &step.effects {
            match effect {
                Effect::Rpc { caller, callee, .. } => out.extend([caller.to_string(), callee.to_string()]),
                Effect::Mount { node, .. } | Effect::Unmount { node, .. } | Effect::Device { node, .. } => {
                    out.insert(format!("kernel/{node}"));
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

fn everyone_who_takes_part_has_a_lifeline(p: &Picture) {
    let there = keys(p.scene, "seq/lifeline/");
    assert_eq!(there, keys(p.scene, "seq/actor/"), "{}", p.place);
    for party in parties(told(p)) {
        assert!(there.contains(&party.as_str()), "{}: no lifeline of {party}", p.place);
    }
    let named = keys(p.scene, "seq/key/");
    let names = p.scene.groups.iter().filter(|g| g.key.starts_with("seq/actor/"));
    let above = names.filter(|g| words(g).count() == 2).count();
    assert!(named == there || above == there.len(), "{}: a badge without a name", p.place);
}

fn the_order_is_kept(name: &str, whole: &Scene, scene: &Scene) {
    let order = keys(whole, "seq/lifeline/");
    let there = keys(scene, "seq/lifeline/");
    let places: Vec<_> = there.iter().map(|p| order.iter().position(|o| o == p)).collect();
    assert!(places.is_sorted() && !places.contains(&None), "{name}: {there:?} of {order:?}");
}

/// Whether this is the key of a message of an action.
fn tells(key: &str, id: &str) -> bool {
    let rest = key.strip_prefix("seq/message/").and_then(|key| key.strip_prefix(id));
    rest.is_some_and(|rest| rest.is_empty() || (rest.starts_with('/') && rest != "/later"))
}

fn each_effect_of_a_step_has_its_mark(p: &Picture) {
    let last = |field: &'static str| field.trim_end_matches(']').rsplit(['/', '.']).next().unwrap();
    for action in told(p) {
        let mine: Vec<&Group> = p.scene.groups.iter().filter(|g| tells(&g.key, &action.id)).collect();
        assert!(!mine.is_empty(), "{}: {} is not told", p.place, action.id);
        let said: Vec<&str> = mine.iter().flat_map(|g| words(g)).map(|(_, text)| text).collect();
        let has = |words: &[&str]| said.iter().any(|line| words.iter().any(|w| line.contains(w)));
        let mut calls = 0;
        let mut begun: Vec<&ObjectRef> = Vec::new();
        for effect in &action.effects {
            let marked = match effect {
                Effect::Create { object, .. } => {
                    begun.push(object);
                    has(&["create "])
                }
                Effect::Delete { .. } => has(&[" gone"]),
                // The fields of a new object are listed, or counted where there is no room.
                Effect::Write { object, field, from: None, to: Some(_), .. } if begun.contains(&object) => {
                    has(&[last(field), ", +", " fields", "1 field"])
                }
                Effect::Write { field, .. } => has(&[last(field)]),
                Effect::Event { reason, .. } => has(&[reason]),
                Effect::Rpc { method, code: None, .. } => {
                    calls += 1;
                    has(&[method])
                }
                Effect::Rpc { code: Some(code), .. } => {
                    calls += 1;
                    *code == Code::Ok || has(&[code.name()])
                }
                Effect::Mount { .. } => has(&["mounts ", "publishes "]),
                Effect::Unmount { .. } => has(&["unmounts ", "unpublishes "]),
                Effect::Device { .. } => has(&["device "]),
            };
            assert!(marked, "{}: {} does not tell {effect}: {said:?}", p.place, action.id);
        }
        let arrows = mine.iter().filter(|g| !lines(g).is_empty()).count();
        assert!(arrows >= calls, "{}: {} calls {calls} times", p.place, action.id);
    }
}

fn a_step_moves_into_its_rest(p: &Picture) {
    let inside = p.step.is_some_and(|s| (1..=p.run.groups.len()).contains(&s));
    let mut keys = BTreeSet::new();
    for g in &p.scene.groups {
        assert!(keys.insert(&g.key), "{}: {} twice", p.place, g.key);
        assert_eq!(g.class.ends_with(" moves"), !g.motions.is_empty(), "{}: {}", p.place, g.key);
        assert_eq!(g.pose(u32::MAX), (g.opacity, g.at), "{}: {} rests elsewhere", p.place, g.key);
    }
    let duration = p.scene.duration_ms();
    assert!(duration <= 16_500 && (duration > 0) == inside, "{}: {duration} ms", p.place);
}

#[test]
fn the_stage_keeps_its_size() {
    for (name, run) in scene_run::runs() {
        for layout in [Layout::Wide, Layout::Narrow] {
            let map = scene(&run, 1, layout);
            let all = sequences(&run, layout);
            for (step, s) in (1..).zip(&all) {
                let place = format!("{name}, step {step}, {layout:?}");
                assert_eq!((s.width, s.height), (all[0].width, all[0].height), "{place}");
                assert!(s.width == map.width && s.height >= map.height, "{place}");
                assert_eq!(*s, sequence(&run, step, layout), "{place}");
            }
        }
    }
}
