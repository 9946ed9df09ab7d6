//! A run as a Mermaid sequence diagram.

use super::story::Story;
use crate::model::Actor;
use crate::trace::{Effect, Step, Trace};

/// Whoever writes an object writes it here.
const API: &str = "kube-apiserver";

/// The whole run.
pub(super) fn mermaid(story: &Story) -> String {
    let mut lines = Vec::new();
    for (number, (told, actions)) in (1..).zip(story.steps()) {
        lines.push(Line::Note(format!("{number}. {}", told.title)));
        lines.extend(actions.iter().flat_map(action));
    }
    drawn(&lines)
}

/// A run that no diagram tells.
pub(super) fn mermaid_of_run(trace: &Trace) -> String {
    drawn(&trace.steps.iter().flat_map(action).collect::<Vec<_>>())
}

fn drawn(lines: &[Line]) -> String {
    let mut names: Vec<String> = Vec::new();
    for name in lines.iter().flat_map(Line::names) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let mut out = String::from("sequenceDiagram\n");
    for (i, name) in names.iter().enumerate() {
        out.push_str(&format!("    participant p{i} as {}\n", escape(name)));
    }
    let id = |name: &String| names.iter().position(|n| n == name).unwrap_or_default();
    let last = names.len().saturating_sub(1);
    for line in lines {
        out.push_str(&match line {
            Line::Note(text) => format!("    Note over p0,p{last}: {}\n", escape(text)),
            Line::At(actor, text) => format!("    Note over p{}: {}\n", id(actor), escape(text)),
            Line::Call(from, to, text) => format!("    p{}->>p{}: {}\n", id(from), id(to), escape(text)),
            Line::Answer(from, to, text) => format!("    p{}-->>p{}: {}\n", id(from), id(to), escape(text)),
        });
    }
    out
}

/// A line of the diagram, with the names of whom it concerns.
enum Line {
    Note(String),
    At(String, String),
    Call(String, String, String),
    Answer(String, String, String),
}

impl Line {
    fn names(&self) -> Vec<&String> {
        match self {
            Line::Note(_) => vec![],
            Line::At(actor, _) => vec![actor],
            Line::Call(from, to, _) | Line::Answer(from, to, _) => vec![from, to],
        }
    }
}

/// The lines of one action. Writes of one object are one message, as they are one request.
fn action(step: &Step) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut open: Option<(String, Actor, String)> = None;
    for effect in &step.effects {
        if let Effect::Write { object, field, from: _, to, by } = effect {
            let value = format!("{field}: {}", to.as_deref().unwrap_or("(absent)"));
            open = match open.take() {
                Some((o, a, text)) if o == object.to_string() && a == *by => {
                    Some((o, a, format!("{text}, {value}")))
                }
                before => {
                    lines.extend(before.map(written));
                    Some((object.to_string(), by.clone(), format!("{object} {value}")))
                }
            };
            continue;
        }
        lines.extend(open.take().map(written));
        let api = API.to_string();
        match effect {
            // Its fields follow, and join this message.
            Effect::Create { object, by } => {
                open = Some((object.to_string(), by.clone(), format!("create {object}")));
            }
            Effect::Write { .. } => {}
            Effect::Delete { object, by } => {
                lines.push(Line::Call(by.to_string(), api, format!("{object} is gone")))
            }
            Effect::Rpc { method, caller, callee, code: None, message: _, request: _ } => {
                lines.push(Line::Call(caller.to_string(), callee.to_string(), (*method).into()));
            }
            Effect::Rpc { method, caller, callee, code: Some(code), message: _, request: _ } => {
                let text = format!("{method}: {}", code.name());
                lines.push(Line::Answer(callee.to_string(), caller.to_string(), text));
            }
            Effect::Event { object, kind: _, reason, message: _, by } => {
                lines.push(Line::Call(by.to_string(), api, format!("Event {reason} on {object}")));
            }
            Effect::Mount { node: _, path } => {
                lines.push(Line::At(step.actor.to_string(), format!("mount {path}")))
            }
            Effect::Unmount { node: _, path } => {
                lines.push(Line::At(step.actor.to_string(), format!("unmount {path}")));
            }
            Effect::Device { node, path, present } => {
                let verb = if *present { "appears on" } else { "leaves" };
                lines.push(Line::At(step.actor.to_string(), format!("device of {path} {verb} {node}")));
            }
        }
    }
    lines.extend(open.map(written));
    if lines.is_empty() {
        lines.push(Line::At(step.actor.to_string(), step.id.clone()));
    }
    lines
}

fn written((_, by, text): (String, Actor, String)) -> Line {
    Line::Call(by.to_string(), API.into(), text)
}

/// Text in which Mermaid sees no syntax.
fn escape(text: &str) -> String {
    text.replace('#', "#35;").replace(';', "#59;").replace("#35#59;", "#35;").replace('\n', " ")
}
