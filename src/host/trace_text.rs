//! A run as text: the reader's steps with their captions, and under each what every action did.

use super::story::Story;
use super::trace_json::{CSI, KUBERNETES, event_type};
use crate::trace::{Effect, Step};

/// The whole run.
pub(super) fn text(story: &Story) -> String {
    let diagram = &story.diagram;
    let mut out = format!("{} ({}), Kubernetes {KUBERNETES}, CSI {CSI}\n", diagram.title, diagram.slug);
    for (number, (told, actions)) in (1..).zip(story.steps()) {
        out.push_str(&format!("\n{number}. {}\n   {}\n", told.title, told.caption.text));
        for step in actions {
            out.push_str(&action(step));
        }
    }
    out
}

fn action(step: &Step) -> String {
    let seconds = format!("{}.{:03} s", step.sim_ms / 1000, step.sim_ms % 1000);
    let mut out = format!("   {seconds:>11}  {}: {} [{}]\n", step.actor, step.id, step.rule);
    for line in step.effects.iter().map(effect) {
        out.push_str(&format!("                {line}\n"));
    }
    out
}

fn effect(effect: &Effect) -> String {
    match effect {
        Effect::Write { object, field, from, to, by: _ } => {
            let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "(absent)".into());
            format!("{object} {field}: {} → {}", value(from), value(to))
        }
        Effect::Create { object, by: _ } => format!("{object} is created"),
        Effect::Delete { object, by: _ } => format!("{object} is gone"),
        Effect::Rpc { method, caller: _, callee, code: None, request } => {
            let fields: Vec<_> = request.iter().map(|(k, v)| format!("{k}: {v}")).collect();
            format!("{method} to {callee} ({})", fields.join(", "))
        }
        Effect::Rpc { method, caller, callee: _, code: Some(code), request: _ } => {
            format!("{method} answers {caller}: {}", code.0)
        }
        Effect::Event { object, kind, reason, message, by: _ } => {
            format!("{} event on {object}: {reason}: {message}", event_type(*kind))
        }
        Effect::Mount { node, path } => format!("mounted on {node}: {path}"),
        Effect::Unmount { node, path } => format!("unmounted on {node}: {path}"),
        Effect::Device { node, path, present: true } => format!("device of {path} appears on {node}"),
        Effect::Device { node, path, present: false } => format!("device of {path} leaves {node}"),
    }
}
