//! A run as JSON, in the form that the README documents.

use super::story::Story;
use crate::trace::{Effect, EventType, Step};
use serde_json::{Map, Value, json};

/// The version of this form.
const FORM: u32 = 1;

/// The Kubernetes that the model follows.
pub(super) const KUBERNETES: &str = "1.36";
/// The CSI specification that the model follows.
pub(super) const CSI: &str = "1.12";

/// The whole run, indented, with a line break at the end.
pub(super) fn json(story: &Story) -> String {
    let steps =
        story.steps().flat_map(|(told, actions)| actions.iter().map(|step| action(step, &told.caption.text)));
    let whole = json!({
        "mountpath": FORM,
        "scenario": story.run.trace.scenario,
        "kubernetes": KUBERNETES,
        "csi": CSI,
        "steps": steps.collect::<Vec<_>>(),
    });
    format!("{whole:#}\n")
}

/// One action, with the caption of the reader's step that tells it.
fn action(step: &Step, caption: &str) -> Value {
    json!({
        "index": step.index,
        "id": step.id,
        "actor": step.actor.to_string(),
        "action": step.action,
        "rule": step.rule,
        "sim_ms": step.sim_ms,
        "caption": caption,
        "effects": step.effects.iter().map(effect).collect::<Vec<_>>(),
    })
}

fn effect(effect: &Effect) -> Value {
    match effect {
        Effect::Write { object, field, from, to, by } => json!({ "write": {
            "object": object.to_string(), "field": field, "from": from, "to": to, "by": by.to_string() } }),
        Effect::Create { object, by } => {
            json!({ "create": { "object": object.to_string(), "by": by.to_string() } })
        }
        Effect::Delete { object, by } => {
            json!({ "delete": { "object": object.to_string(), "by": by.to_string() } })
        }
        Effect::Rpc { method, caller, callee, code, request } => {
            let request: Map<String, Value> = request.iter().map(|(k, v)| ((*k).into(), json!(v))).collect();
            json!({ "rpc": {
                "method": method, "caller": caller.to_string(), "callee": callee.to_string(),
                "code": code.map(|c| c.0), "request": request } })
        }
        Effect::Event { object, kind, reason, message, by } => {
            json!({ "event": { "object": object.to_string(), "type": event_type(*kind), "reason": reason,
                "message": message, "by": by.to_string() } })
        }
        Effect::Mount { node, path } => json!({ "mount": { "node": node, "path": path } }),
        Effect::Unmount { node, path } => json!({ "unmount": { "node": node, "path": path } }),
        Effect::Device { node, path, present } => {
            json!({ "device": { "node": node, "path": path, "present": present } })
        }
    }
}

/// The type of an Event as the API spells it.
pub(super) fn event_type(kind: EventType) -> &'static str {
    match kind {
        EventType::Normal => "Normal",
        EventType::Warning => "Warning",
    }
}
