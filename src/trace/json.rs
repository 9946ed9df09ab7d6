//! A run as JSON, in the form that scripts rely on.

use super::{Effect, Step, Trace};
use serde_json::{Map, Value, json};

/// The Kubernetes version that the model follows.
const KUBERNETES: &str = "1.36";
/// The version of the CSI specification that the model follows.
const CSI: &str = "1.12";

/// A run as indented JSON with a newline at its end; `caption` gives the sentence for a step, if there is one.
pub fn json(trace: &Trace, caption: impl Fn(&Step) -> Option<String>) -> String {
    let steps: Vec<Value> = trace.steps.iter().map(|step| self::step(step, caption(step))).collect();
    let run = json!({
        "mountpath": 1,
        "scenario": trace.scenario,
        "kubernetes": KUBERNETES,
        "csi": CSI,
        "steps": steps,
    });
    format!("{run:#}\n")
}

fn step(step: &Step, caption: Option<String>) -> Value {
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

pub(super) fn effect(effect: &Effect) -> Value {
    match effect {
        Effect::Write { object, field, from, to, by } => json!({"write": {
            "object": object.to_string(), "field": field, "from": from, "to": to, "by": by.to_string(),
        }}),
        Effect::Create { object, by } => {
            json!({"create": {"object": object.to_string(), "by": by.to_string()}})
        }
        Effect::Delete { object, by } => {
            json!({"delete": {"object": object.to_string(), "by": by.to_string()}})
        }
        Effect::Rpc { method, caller, callee, code, message: _, request } => {
            let request: Map<String, Value> =
                request.iter().map(|(key, value)| ((*key).to_owned(), json!(value))).collect();
            json!({"rpc": {
                "method": method,
                "caller": caller.to_string(),
                "callee": callee.to_string(),
                "code": code.map(|code| code.name()),
                "request": request,
            }})
        }
        Effect::Event { object, kind, reason, message, by } => json!({"event": {
            "object": object.to_string(),
            "type": kind.name(),
            "reason": reason,
            "message": message,
            "by": by.to_string(),
        }}),
        Effect::Mount { node, path } => json!({"mount": {"node": node, "path": path}}),
        Effect::Unmount { node, path } => json!({"unmount": {"node": node, "path": path}}),
        Effect::Device { node, path, present } => {
            json!({"device": {"node": node, "path": path, "present": present}})
        }
    }
}
