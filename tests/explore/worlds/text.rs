//! Explorations as text: ways through a world, Events and writes as a cluster spells them.

use super::{Explored, large};
use mountpath::model::{
    About, Action, Cluster, EventId, Field, Method, ObjectId, Presence, Value, World, apply, next,
};
use mountpath::trace::effect;
use std::fmt::Write as _;

/// A way from the start as a transcript: each step, and under it what it did.
pub fn story(explored: &Explored, way: &[Action]) -> String {
    let mut state = explored.start;
    let mut told = String::new();
    for (at, action) in way.iter().enumerate() {
        let actor = explored.world.actor(action.actor(&state));
        let _ = writeln!(told, "{:>3}. {actor}: {} (rule {})", at + 1, action.name(), action.rule());
        let outcome = apply(&explored.world, &state, *action).expect("enabled");
        for change in outcome.changes {
            let _ = writeln!(told, "       {}", effect(&explored.world, change));
        }
        state = outcome.cluster;
    }
    told
}

/// What is left when nothing new happens any more after such a way.
pub fn rest(explored: &Explored, way: &[Action]) -> String {
    let world = &explored.world;
    let step = |state: &Cluster, action: &Action| next(world, state, *action);
    let mut state = way.iter().fold(explored.start, |state, action| step(&state, action).expect("enabled"));
    let mut known = vec![state];
    while let Some(after) = explored
        .enabled(&state)
        .iter()
        .filter_map(|action| step(&state, action))
        .find(|after| !known.contains(after))
    {
        state = after;
        known.push(state);
    }
    let mut told = String::from("and at last:\n");
    let fresh = world.initial();
    for pod in world.pods().filter(|id| state.pod(*id).presence == Presence::Here) {
        let _ = writeln!(told, "{}: {:?}", world.object(ObjectId::Pod(pod)), state.pod(pod));
    }
    for claim in world.claims().filter(|id| state.claim(*id).presence == Presence::Here) {
        let _ = writeln!(told, "{}: {:?}", world.object(ObjectId::Claim(claim)), state.claim(claim));
    }
    for volume in world.volumes() {
        let _ = writeln!(told, "{}: {:?}", world.object(ObjectId::Volume(volume)), state.volume(volume));
    }
    for link in world.links().filter(|link| state.place(*link) != fresh.place(*link)) {
        let _ = writeln!(told, "{}: {:?}", world.object(ObjectId::Attachment(link)), state.place(link));
    }
    told
}

/// An Event as `KIND/NAME TYPE REASON MESSAGE`.
pub fn event(world: &World, object: ObjectId, event: EventId) -> String {
    let (kind, reason, message) = event.text(world);
    format!("{} {} {reason} {message}", world.object(object), kind.name())
}

/// A write as `KIND/NAME FIELD = VALUE`.
pub fn write(world: &World, object: ObjectId, field: Field, value: Value) -> String {
    let value = match value {
        Value::Absent => "absent".to_owned(),
        Value::Failure(failure, link) => {
            let detaching = field == Field::DetachError;
            let [publish, unpublish] = [Method::ControllerPublishVolume, Method::ControllerUnpublishVolume];
            failure.text(world, if detaching { unpublish } else { publish }, About::Link(link))
        }
        other => format!("{other:?}"),
    };
    format!("{} {} = {value}", world.object(object), field.path())
}

/// Whether a text is this pattern, in which `*` stands for anything.
pub fn fits(text: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut last = first;
    let mut open = false;
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
        last = part;
        open = true;
    }
    rest.is_empty() || (open && (last.is_empty() || text.ends_with(last)))
}

/// Numbers of worlds: pinned in a golden file, or only told where the worlds are larger than those.
pub fn numbers(name: &str, text: &str) {
    if large() { println!("{text}") } else { golden(name, text) }
}

/// Compares with a file below `tests/golden`; `BLESS=1` writes it.
pub fn golden(name: &str, text: &str) {
    let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, text).expect("a golden file");
    }
    let held = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(held, text, "{path} differs: look at it, then BLESS=1");
}
