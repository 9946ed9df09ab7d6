//! Explorations as text: ways through a world, Events and writes as a cluster spells them.

use super::Explored;
use mountpath::model::{About, Action, EventId, Field, Method, ObjectId, Value, World, apply};
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

/// Compares with a file below `tests/golden`; `BLESS=1` writes it.
pub fn golden(name: &str, text: &str) {
    let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, text).expect("a golden file");
    }
    let held = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(held, text, "{path} differs: look at it, then BLESS=1");
}
