//! The table twin of the picture: what a step changed, object by object.

use super::{Effect, Run};
use crate::model::Actor;

/// One line of the table: what changed, from what to what, and by whom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The object, such as `VolumeAttachment/csi-…`, the Node of a mount, or the callee of a call.
    pub what: String,
    /// The field, the method, the reason or the kind of change.
    pub field: String,
    /// The value before; `None` when there was none.
    pub from: Option<String>,
    /// The value after; `None` when there is none any more.
    pub to: Option<String>,
    /// Who did it.
    pub by: Actor,
}

/// What became of one value of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It was there and is not any more.
    Gone,
    /// It is there as before, beside others that changed.
    Stays,
    /// It was not there before.
    New,
}

impl Change {
    /// The values before and after, a list's each for itself, with what became of them.
    pub fn values(&self) -> Vec<(Fate, String)> {
        let list = |value: &Option<String>| -> Vec<String> {
            // An Event's message is a sentence, not a list.
            let sentence = self.field.starts_with("event ");
            value
                .iter()
                .flat_map(|v| if sentence { vec![&**v] } else { v.split(", ").collect() })
                .map(Into::into)
                .collect()
        };
        let (old, new) = (list(&self.from), list(&self.to));
        let gone = old.iter().filter(|v| !new.contains(v)).map(|v| (Fate::Gone, v.clone()));
        let here = new.iter().map(|v| (if old.contains(v) { Fate::Stays } else { Fate::New }, v.clone()));
        gone.chain(here).collect()
    }
}

impl Run {
    /// What a reader's step (from 1) changed, in order. A call stands once, with its reply.
    pub fn changes(&self, step: usize) -> Vec<Change> {
        let Some(group) = self.groups.get(step.wrapping_sub(1)) else { return Vec::new() };
        let steps = self.trace.steps.get(group.cues.clone()).unwrap_or_default();
        steps.iter().flat_map(|s| s.effects.iter().filter_map(|e| change(e, &s.actor))).collect()
    }
}

fn change(effect: &Effect, actor: &Actor) -> Option<Change> {
    let line = |what: String, field: &str, from: Option<&str>, to: Option<&str>, by: &Actor| {
        let own = |s: &str| s.to_string();
        Some(Change { what, field: field.into(), from: from.map(own), to: to.map(own), by: by.clone() })
    };
    match effect {
        Effect::Write { object, field, from, to, by } => {
            line(object.to_string(), field, from.as_deref(), to.as_deref(), by)
        }
        Effect::Create { object, by } => line(object.to_string(), "object", None, Some("created"), by),
        Effect::Delete { object, by } => line(object.to_string(), "object", None, Some("gone"), by),
        Effect::Rpc { method, caller, callee, code, .. } => {
            code.and_then(|code| line(callee.to_string(), method, None, Some(code.name()), caller))
        }
        Effect::Event { object, reason, message, by, .. } => {
            line(object.to_string(), &format!("event {reason}"), None, Some(message.trim_end()), by)
        }
        Effect::Mount { node, path } => line(format!("Node/{node}"), "mount", None, Some(path), actor),
        Effect::Unmount { node, path } => line(format!("Node/{node}"), "mount", Some(path), None, actor),
        Effect::Device { node, path, present: true } => {
            line(format!("Node/{node}"), "device", None, Some(path), actor)
        }
        Effect::Device { node, path, present: false } => {
            line(format!("Node/{node}"), "device", Some(path), None, actor)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Role;

    #[test]
    fn a_list_shows_what_came_what_went_and_what_stays() {
        let change = |field: &str, from: Option<&str>, to: Option<&str>| Change {
            what: "PersistentVolume/pv".into(),
            field: field.into(),
            from: from.map(Into::into),
            to: to.map(Into::into),
            by: Actor { role: Role::ExternalAttacher, node: None },
        };
        let told = |c: Change| c.values().into_iter().map(|(f, v)| format!("{f:?} {v}")).collect::<Vec<_>>();
        assert_eq!(
            told(change("metadata.finalizers", Some("a, b"), Some("b, c"))),
            ["Gone a", "Stays b", "New c"]
        );
        assert_eq!(told(change("status.attached", Some("false"), Some("true"))), ["Gone false", "New true"]);
        assert_eq!(told(change("event X", None, Some("one, two"))), ["New one, two"]);
        assert_eq!(told(change("metadata.deletionTimestamp", None, None)), Vec::<String>::new());
    }
}
