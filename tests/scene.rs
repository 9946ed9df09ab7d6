//! What every picture keeps: the checks of the design, over every step, every moment and both layouts.

mod scene_run;

use mountpath::model::{ObjectRef, Role};
use mountpath::scene::{Group, Layout, Scene, Shape, scene, still, thumb};
use mountpath::trace::{Effect, Run};
use scene_run::ink::{Area, area, bodies, body, stretches, word};
use std::collections::{BTreeMap, BTreeSet};

/// Calls `check` with every scene: where it is from, the run, the step from 1, and the scene.
fn each(mut check: impl FnMut(&str, &Run, usize, &Scene)) {
    for d in scene_run::drawn() {
        check(&d.place, &d.run, d.step, &d.scene);
    }
}

/// The moments at which something begins or ends, those halfway between, and the rest.
fn moments(scene: &Scene) -> BTreeSet<u32> {
    let motions = scene.groups.iter().flat_map(|g| &g.motions);
    let ends: BTreeSet<u32> = motions.flat_map(|m| [m.delay_ms, m.delay_ms + m.duration_ms]).collect();
    let middles: Vec<u32> = ends.iter().zip(ends.iter().skip(1)).map(|(a, b)| (a + b) / 2).collect();
    ends.into_iter().chain(middles).chain([0, u32::MAX]).collect()
}

fn rest(scene: &Scene) -> Scene {
    still(scene.clone(), u32::MAX)
}

/// The card that a row is in.
fn card_of<'s>(scene: &'s Scene, row: &Group) -> Option<&'s Group> {
    let (_, field) = row.key.split_once("field/")?;
    let holds =
        |c: &&Group| c.key.strip_prefix("object/").is_some_and(|k| field.starts_with(&format!("{k}/")));
    scene.groups.iter().filter(holds).max_by_key(|c| c.key.len())
}

/// The part of the keys of an object's groups that says which it is.
fn name_in_keys(scene: &Scene, object: &ObjectRef) -> String {
    let full = format!("{}/{}", object.kind.name(), object.name);
    let second = scene.groups.iter().any(|g| g.key == format!("object/{full}"));
    if second { full } else { object.kind.name().to_owned() }
}

fn is_marked(group: &Group) -> bool {
    group.shapes.iter().any(|s| matches!(s, Shape::Rect { class: "mark", .. }))
}

fn is(group: &Group, kind: &str) -> bool {
    group.key.split('/').find(|p| !p.starts_with("was")) == Some(kind)
}

#[test]
fn the_canvas_is_on_the_module() {
    each(|place, _, _, s| {
        assert_eq!((s.width, s.height % 8), (if place.ends_with("Wide") { 800 } else { 360 }, 0), "{place}");
        // What may yet become a diagram has a little more room than the diagrams that are told.
        let more = if place.contains("as told") { 0 } else { 60 };
        let most = more + if s.width == 800 { 640 } else { 784 };
        assert!(s.height <= most, "{place}: {}", s.height);
    });
}

#[test]
fn no_text_is_wider_than_its_shape() {
    each(|place, _, _, s| {
        let canvas = Area::of(0, 0, s.width, s.height);
        for g in &s.groups {
            let shape = body(g)
                .or_else(|| card_of(s, g).and_then(body))
                .or_else(|| area(g, "capsule"))
                .or_else(|| area(g, "zone"))
                .map_or(canvas, |a| a.grown(-2.0));
            let words: Vec<_> = g.shapes.iter().filter_map(word).collect();
            for (i, (area, text)) in words.iter().enumerate() {
                assert!(shape.holds(area), "{place}: `{text}` of {} leaves its shape", g.key);
                for (other, covered) in &words[i + 1..] {
                    assert!(!area.meets(other), "{place}: `{text}` covers `{covered}` of {}", g.key);
                }
            }
        }
    });
}

#[test]
fn no_text_is_smaller_than_14_units_but_badge_letters() {
    let css = std::fs::read_to_string("style/stage.css").unwrap();
    for rule in css.split('}').filter(|r| r.contains("font-size") || r.contains("font:")) {
        let small = rule.contains(".letters") && rule.contains("12px");
        assert!(small || rule.contains("14px"), "{rule}");
    }
}

#[test]
fn wires_cross_no_shape_and_no_word_at_any_moment() {
    each(|place, _, _, s| {
        for ms in moments(s) {
            let now = still(s.clone(), ms);
            let shapes = bodies(&now);
            let words: Vec<_> = now
                .groups
                .iter()
                .filter(|g| !is(g, "message") && !is(g, "legend"))
                .flat_map(|g| g.shapes.iter().filter_map(word))
                .collect();
            for wire in now.groups.iter().filter(|g| is(g, "wire")) {
                for ((x1, y1), (x2, y2)) in stretches(wire) {
                    let line = Area(x1.min(x2), y1.min(y2), x1.max(x2), y1.max(y2)).grown(0.5);
                    for (key, shape) in &shapes {
                        assert!(
                            !shape.grown(-1.0).meets(&line),
                            "{place} at {ms}: {} crosses {key}",
                            wire.key
                        );
                    }
                    for (area, text) in &words {
                        assert!(!area.meets(&line), "{place} at {ms}: {} crosses `{text}`", wire.key);
                    }
                }
            }
        }
    });
}

#[test]
fn parked_capsules_cover_no_shape_and_no_word() {
    each(|place, _, _, s| {
        // Every capsule has its parking place, though only the key action's stays there.
        let at_rest = rest(s);
        for g in s.groups.iter().filter(|g| is(g, "message")) {
            let capsule = area(g, "capsule").unwrap();
            for (key, shape) in bodies(&at_rest) {
                assert!(!shape.meets(&capsule), "{place}: {} covers {key}", g.key);
            }
            for other in at_rest.groups.iter().filter(|o| !is(o, "message")) {
                for (area, text) in other.shapes.iter().filter_map(word) {
                    assert!(!area.meets(&capsule), "{place}: {} covers `{text}`", g.key);
                }
            }
        }
    });
}

#[test]
fn everything_keeps_its_home_within_a_diagram() {
    let mut homes: BTreeMap<(&str, &str), Area> = BTreeMap::new();
    for d in scene_run::drawn() {
        for g in &d.scene.groups {
            let key = g.key.rsplit_once("was").map_or(g.key.as_str(), |(_, k)| k.split_once('/').unwrap().1);
            if let Some(now) = body(g).or_else(|| area(g, "zone")) {
                let home = homes.entry((&d.name, key)).or_insert(now);
                assert_eq!(*home, now, "{}: {key}", d.place);
            }
        }
    }
}

#[test]
fn homes_have_the_same_order_in_every_diagram() {
    // Of two pills of one lane, or two cards, the one that comes first in one diagram comes first in all.
    let mut before: BTreeSet<(bool, &str, &str)> = BTreeSet::new();
    for d in scene_run::drawn().iter().filter(|d| d.step == 1) {
        let wide = d.scene.width == 800;
        let zone = |k: &str| area(d.scene.groups.iter().find(|g| g.key == k)?, "zone");
        for lane in ["lane/control-plane", "lane/csi-controller"].into_iter().filter_map(zone) {
            let mut pills: Vec<(i64, i64, &str)> = bodies(&d.scene)
                .into_iter()
                .filter(|(key, at)| key.starts_with("actor/") && lane.holds(at))
                .map(|(key, at)| (at.1 as i64, at.0 as i64, key))
                .collect();
            pills.sort_unstable();
            for (i, (_, _, a)) in pills.iter().enumerate() {
                for (_, _, b) in &pills[i + 1..] {
                    assert!(!before.contains(&(wide, b, a)), "{}: {a} stands before {b}", d.place);
                    before.insert((wide, a, b));
                }
            }
        }
    }
}

#[test]
fn at_rest_every_wire_has_a_head() {
    each(|place, _, _, s| {
        for wire in rest(s).groups.iter().filter(|g| is(g, "wire")) {
            let head = |s: &Shape| matches!(s, Shape::Path { class, .. } if class.starts_with("tip "));
            assert!(wire.shapes.iter().any(head), "{place}: {}", wire.key);
        }
    });
}

#[test]
fn at_rest_every_write_and_event_has_a_mark() {
    each(|place, run, step, s| {
        let rest = rest(s);
        let group = &run.groups[step - 1];
        for action in &run.trace.steps[group.cues.clone()] {
            for effect in &action.effects {
                let (object, field) = match effect {
                    Effect::Write { object, field, .. } => (object, *field),
                    Effect::Event { object, .. } => (object, "event"),
                    Effect::Create { object, .. } | Effect::Delete { object, .. } => (object, ""),
                    _ => continue,
                };
                let name = name_in_keys(s, object);
                // A field with a row is marked there; any other on the card's header.
                let row = rest.groups.iter().find(|g| g.key == format!("field/{name}/{field}"));
                let there = row.or_else(|| rest.groups.iter().find(|g| g.key == format!("object/{name}")));
                assert!(there.is_some_and(is_marked), "{place}: {} {object} {field}", action.id);
            }
        }
    });
}

#[test]
fn only_what_was_deleted_is_said_to_be() {
    each(|place, run, step, s| {
        let told = run.trace.steps[..run.groups[step - 1].cues.end].iter().flat_map(|s| &s.effects);
        let deleted: BTreeSet<String> = (run.trace.given.iter().chain(told))
            .filter_map(|e| match e {
                Effect::Delete { object, .. } => Some(format!("object/{}", name_in_keys(s, object))),
                _ => None,
            })
            .collect();
        for g in rest(s).groups.iter().filter(|g| is(g, "object")) {
            let says = g.shapes.iter().filter_map(word).any(|(_, text)| text == "deleted");
            assert!(!says || deleted.contains(&g.key), "{place}: {} was never deleted", g.key);
        }
    });
}

#[test]
fn at_rest_every_mount_and_device_that_came_or_went_is_marked() {
    each(|place, run, step, s| {
        let cues = &run.groups[step - 1].cues;
        let (then, now) = (run.trace.snapshot(cues.start), run.trace.snapshot(cues.end));
        let changed = rest(s).groups.iter().filter(|g| is(g, "thing") && g.class.contains("changed")).count();
        let news = then.devices.symmetric_difference(&now.devices).count()
            + then.mounts.symmetric_difference(&now.mounts).count();
        assert!(changed >= news, "{place}: {changed} things are marked, {news} came or went");
    });
}

#[test]
fn who_is_down_says_so() {
    let mut seen = 0;
    each(|place, run, step, s| {
        let down = run.trace.snapshot(run.groups[step - 1].cues.end).down;
        let says = |g: &&Group| g.shapes.iter().any(|s| word(s).is_some_and(|(_, text)| text == "down"));
        let rest = rest(s);
        let dead = rest.groups.iter().filter(|g| is(g, "actor")).filter(says).count();
        assert!(dead <= down.len(), "{place}");
        seen += dead;
        for actor in down.iter().filter(|a| a.role == Role::Kubelet) {
            let pills = rest.groups.iter().filter(|g| g.key.starts_with("actor/kubelet") && says(g)).count();
            assert!(pills > 0, "{place}: {actor} is down");
        }
    });
    assert!(seen > 0, "no diagram shows a process that is down");
}

#[test]
fn every_step_shows_that_something_happened() {
    each(|place, _, _, s| {
        let news = |g: &Group| is_marked(g) || g.class.contains("changed") || is(g, "wire");
        assert!(rest(s).groups.iter().any(news), "{place}");
    });
}

#[test]
fn every_action_is_a_cue() {
    each(|place, run, step, s| {
        let keys: BTreeSet<&str> = s.groups.iter().map(|g| g.key.as_str()).collect();
        for action in &run.trace.steps[run.groups[step - 1].cues.clone()] {
            let sends = |e: &Effect| {
                !matches!(
                    e,
                    Effect::Rpc { code: Some(_), .. }
                        | Effect::Mount { .. }
                        | Effect::Unmount { .. }
                        | Effect::Device { .. }
                )
            };
            if !action.effects.is_empty() {
                assert!(
                    keys.contains(format!("wire/{}", action.id).as_str()),
                    "{place}: no wire of {}",
                    action.id
                );
            }
            if action.effects.iter().any(sends) {
                let capsule = keys.iter().any(|k| k.starts_with(&format!("message/{}", action.id)));
                assert!(capsule, "{place}: no capsule of {}", action.id);
            }
        }
        assert!(s.duration_ms() <= 16_500, "{place}: {} ms", s.duration_ms());
    });
}

#[test]
fn keys_are_unique_and_keep_their_meaning() {
    let mut meanings: BTreeMap<String, String> = BTreeMap::new();
    each(|place, _, _, s| {
        let mut seen = BTreeSet::new();
        for g in &s.groups {
            assert!(seen.insert(&g.key), "{place}: {} twice", g.key);
            let meaning = g.class.split(' ').next().unwrap().to_owned();
            let first = meanings.entry(g.key.clone()).or_insert_with(|| meaning.clone());
            assert_eq!(*first, meaning, "{place}: {}", g.key);
        }
    });
}

#[test]
fn only_capsules_move_and_what_moves_says_so() {
    each(|place, _, _, s| {
        for g in &s.groups {
            assert_eq!(g.class.ends_with(" moves"), !g.motions.is_empty(), "{place}: {}", g.key);
            let shifts = g.motions.iter().flat_map(|m| &m.keyframes).any(|k| k.at.is_some());
            assert!(!shifts || is(g, "message"), "{place}: {} moves", g.key);
            assert_eq!(g.at, (0.0, 0.0), "{place}: {} rests away from its place", g.key);
        }
        for ms in moments(s) {
            for g in still(s.clone(), ms).groups.iter().filter(|g| is(g, "message")) {
                let capsule = area(g, "capsule").unwrap();
                let now =
                    Area(capsule.0 + g.at.0, capsule.1 + g.at.1, capsule.2 + g.at.0, capsule.3 + g.at.1);
                let canvas = Area::of(0, 0, s.width, s.height);
                assert!(canvas.holds(&now), "{place} at {ms}: {} leaves the canvas", g.key);
            }
        }
    });
}

#[test]
fn shapes_do_not_overlap() {
    each(|place, _, _, s| {
        let rest = rest(s);
        let mut shapes = bodies(&rest);
        let zones: Vec<_> =
            rest.groups.iter().filter_map(|g| Some((g.key.as_str(), area(g, "zone")?))).collect();
        for (i, (a, x)) in zones.iter().enumerate() {
            assert!(zones.iter().skip(i + 1).all(|(_, y)| !x.meets(y)), "{place}: {a} overlaps another zone");
            assert!(shapes.iter().all(|(_, y)| x.holds(y) || !x.meets(y)), "{place}: a shape leaves {a}");
        }
        while let Some((a, x)) = shapes.pop() {
            for (b, y) in &shapes {
                assert!(!x.grown(2.0).meets(y), "{place}: {a} overlaps {b}");
            }
        }
    });
}

#[test]
fn the_rest_frame_has_only_the_key_actions_wires() {
    each(|place, run, step, s| {
        let key = &run.trace.steps[run.groups[step - 1].key].id;
        for g in rest(s).groups.iter().filter(|g| is(g, "wire") || is(g, "message")) {
            let id = g.key.split('/').nth(1).unwrap();
            assert_eq!(id, key, "{place}");
        }
    });
}

#[test]
fn before_the_first_step_and_after_the_last_nothing_moves() {
    for (name, run) in scene_run::action_by_action() {
        for step in [0, run.groups.len() + 1, usize::MAX] {
            let s = scene(&run, step, Layout::Narrow);
            assert_eq!(s.duration_ms(), 0, "{name}, step {step}");
            assert!(s.groups.iter().all(|g| !is(g, "wire") && g.opacity >= 1.0), "{name}, step {step}");
            assert!(
                s.groups.iter().any(|g| g.key == "object/Pod" || g.key == "object/PersistentVolumeClaim")
            );
        }
    }
}

#[test]
fn thumbnails_have_no_words_and_show_what_is_real() {
    for (name, run) in scene_run::action_by_action() {
        let thumb = thumb(&run);
        let words = thumb.groups.iter().flat_map(|g| &g.shapes).filter_map(word).count();
        assert_eq!((words, thumb.width), (0, 800), "{name}");
        assert!(bodies(&thumb).len() > 3, "{name}");
    }
}
