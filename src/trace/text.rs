//! A run as text: the reader's steps, under each its actions with their times and effects.

use super::{Effect, Run, Step, Trace};
use std::fmt::{self, Write as _};

/// The transcript of a run. `captions` are the sentences of the reader's steps, in order; a step without one
/// is only numbered.
pub fn transcript(run: &Run, captions: &[impl AsRef<str>]) -> String {
    let mut text = String::new();
    for (number, group) in run.groups.iter().enumerate() {
        let caption = captions.get(number).map_or("", AsRef::as_ref);
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}", format!("{}. {caption}", number + 1).trim_end());
        for step in run.trace.steps.get(group.cues.clone()).unwrap_or_default() {
            let _ = action(&mut text, step);
        }
    }
    text
}

/// The actions of a run, without the reader's steps.
pub fn listing(trace: &Trace) -> String {
    let mut text = String::new();
    for step in &trace.steps {
        // Writing to a String cannot fail.
        let _ = action(&mut text, step);
    }
    text
}

fn action(text: &mut String, step: &Step) -> fmt::Result {
    let (seconds, millis) = (step.sim_ms / 1000, step.sim_ms % 1000);
    writeln!(text, "{seconds:>6}.{millis:03}  {}  {} ({})", step.actor, step.id, step.rule)?;
    step.effects.iter().try_for_each(|effect| writeln!(text, "            {effect}"))
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effect::Write { object, field, from, to, by } => {
                let or_none = |value: &Option<String>| value.clone().unwrap_or_else(|| "∅".into());
                write!(f, "{object} {field}: {} → {} (by {by})", or_none(from), or_none(to))
            }
            Effect::Create { object, by } => write!(f, "{object} created by {by}"),
            Effect::Delete { object, by } => write!(f, "{object} gone, by {by}"),
            Effect::Rpc { method, caller, callee, code: None, message: _, request } => {
                write!(f, "{caller} → {callee}: {method}")?;
                request.iter().try_for_each(|(key, value)| write!(f, " {key}={value}"))
            }
            Effect::Rpc { method, caller, callee, code: Some(code), message: _, request: _ } => {
                write!(f, "{caller} ← {callee}: {method} {}", code.name())
            }
            Effect::Event { object, kind: _, reason, message, by } => {
                write!(f, "event {reason} on {object} by {by}: {message}")
            }
            Effect::Mount { node, path } => write!(f, "{node}: mount at {path}"),
            Effect::Unmount { node, path } => write!(f, "{node}: no mount at {path}"),
            Effect::Device { node, path, present: true } => write!(f, "{node}: device of {path}"),
            Effect::Device { node, path, present: false } => write!(f, "{node}: no device of {path}"),
        }
    }
}
