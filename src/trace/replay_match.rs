//! What an action would show in a recording, and whether a line shows just that.

use super::Effect;
use super::recording::{Fields, Observation, Seen};
use super::replay_lines::{Scope, kind_of, role, value};
use crate::model::{Actor, Kind, Method, REASONS, Role};
use std::collections::BTreeMap;

/// A recording's keys for a request's fields; those of other fields are not recorded.
const KEYS: [(&str, &str); 11] = [
    ("name", "name"),
    ("volume_id", "volume"),
    ("node_id", "node"),
    ("staging_target_path", "staging_path"),
    ("target_path", "target_path"),
    ("volume_path", "volume_path"),
    ("access_mode", "access_mode"),
    ("required_bytes", "required_bytes"),
    ("readonly", "readonly"),
    ("snapshot_id", "snapshot"),
    ("source_volume_id", "source_volume"),
];

/// One line that an action would leave in a recording.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expected {
    /// Who.
    pub by: String,
    /// What; keys of calls are those that the model knows.
    pub what: Seen,
}

/// The lines that an action's effects would leave, in order.
pub fn expected(effects: &[Effect]) -> Vec<Expected> {
    let mut lines: Vec<Expected> = Vec::new();
    for effect in effects {
        match effect {
            Effect::Create { object, by } => {
                lines.push(line(by, Seen::Create(object.to_string(), Fields::new())));
            }
            // What is written as it was leaves no line.
            Effect::Write { from, to, .. } if from == to => {}
            Effect::Write { object, field, from, to, by } => {
                write(&mut lines, &object.to_string(), field, from, to, by);
            }
            Effect::Delete { object, by } => {
                let object = object.to_string();
                // The patch that takes the last finalizer off is seen as the deletion.
                lines.retain(|l| {
                    !matches!(&l.what, Seen::Update(updated, changes)
                        if *updated == object && changes.contains_key("metadata.finalizers"))
                });
                lines.push(line(by, Seen::Delete(object)));
            }
            Effect::Rpc { method, caller, callee: _, code, message, request } => {
                let known = |csi: &str| KEYS.iter().find(|row| row.0 == csi).map(|row| row.1.to_owned());
                let fields =
                    request.iter().filter_map(|(csi, value)| Some((known(csi)?, Some(value.clone()))));
                let message = message.iter().filter(|text| !text.is_empty());
                let message = message.map(|text| ("message".to_owned(), Some(text.clone())));
                let fields = fields.chain(message).collect();
                lines.push(line(
                    caller,
                    match code {
                        None => Seen::Call((*method).into(), fields),
                        Some(code) => Seen::Rpc((*method).into(), code.go_name().into(), fields),
                    },
                ));
            }
            Effect::Event { object, kind, reason, message, by } => {
                let kind = kind.name().into();
                lines
                    .push(line(by, Seen::Event(object.to_string(), kind, (*reason).into(), message.clone())));
            }
            Effect::Mount { node, path } => {
                lines.push(Expected { by: format!("kernel/{node}"), what: Seen::Mount(path.clone()) });
            }
            Effect::Unmount { node, path } => {
                lines.push(Expected { by: format!("kernel/{node}"), what: Seen::Unmount(path.clone()) });
            }
            Effect::Device { .. } => {}
        }
    }
    lines
}

fn line(by: &Actor, what: Seen) -> Expected {
    Expected { by: by.to_string(), what }
}

/// A write joins the line about the same object that stands last.
fn write(
    lines: &mut Vec<Expected>,
    object: &str,
    field: &str,
    from: &Option<String>,
    to: &Option<String>,
    by: &Actor,
) {
    let change = (from.clone(), to.clone());
    match lines.last_mut().map(|l| &mut l.what) {
        Some(Seen::Create(created, fields)) if created == object => {
            fields.insert(field.into(), to.clone());
        }
        Some(Seen::Update(updated, changes)) if updated == object => {
            changes.insert(field.into(), change);
        }
        _ => lines.push(line(by, Seen::Update(object.into(), BTreeMap::from([(field.into(), change)])))),
    }
}

/// Whether such a line would stand in a recording at all: an Event of a reason that is the model's, and of an update
/// those fields that are.
pub fn is_recorded(scope: &Scope, expected: &Expected) -> bool {
    match &expected.what {
        Seen::Event(_, _, reason, _) => {
            role(&expected.by).is_some_and(|role| REASONS.contains(&(role, reason.as_str())))
        }
        // What people do to Nodes is not recorded.
        Seen::Update(object, _)
            if kind_of(object) == Some(Kind::Node) && role(&expected.by) == Some(Role::User) =>
        {
            false
        }
        Seen::Update(object, changes) => !normal(scope, object, changes).is_empty(),
        // What kubelet asks when a driver registers goes past what records the calls.
        Seen::Call(method, _) | Seen::Rpc(method, ..) => method != Method::NodeGetInfo.name(),
        Seen::Given(..)
        | Seen::Note(_)
        | Seen::Create(..)
        | Seen::Delete(_)
        | Seen::Mount(_)
        | Seen::Unmount(_) => true,
    }
}

type Changes = BTreeMap<String, (Option<String>, Option<String>)>;

fn normal(scope: &Scope, object: &str, changes: &Changes) -> Changes {
    let Some(kind) = kind_of(object) else { return changes.clone() };
    let changes = changes.iter().map(|(field, (from, to))| {
        (field.clone(), (value(scope, kind, field, from), value(scope, kind, field, to)))
    });
    changes.filter(|(_, (from, to))| from != to).collect()
}

/// Whether a line, already normal, shows what was expected.
pub fn shows(scope: &Scope, seen: &Observation, expected: &Expected) -> bool {
    let by = seen.by == expected.by
        // The reporter of an event is known without its Node.
        || (matches!(seen.what, Seen::Event(..)) && expected.by.split('/').next() == Some(&seen.by));
    by && match (&seen.what, &expected.what) {
        (Seen::Create(object, fields), Seen::Create(wanted, expected)) => {
            let Some(kind) = kind_of(wanted) else { return false };
            let expected = expected.iter().map(|(f, to)| (f, value(scope, kind, f, to)));
            let expected = expected.filter(|(_, to)| to.is_some());
            object == wanted && fields.iter().map(|(f, to)| (f, to.clone())).eq(expected)
        }
        (Seen::Update(object, changes), Seen::Update(wanted, expected)) => {
            object == wanted && *changes == normal(scope, wanted, expected)
        }
        // The last finalizer of a PersistentVolume takes the object with it.
        (Seen::Delete(object), Seen::Update(wanted, expected)) => {
            let released =
                normal(scope, wanted, expected).get("metadata.finalizers").map(|(_, to)| to.clone());
            object == wanted && kind_of(object) == Some(Kind::PersistentVolume) && released == Some(None)
        }
        (Seen::Call(method, fields), Seen::Call(wanted, expected)) => {
            method == wanted && carries(fields, expected)
        }
        (Seen::Rpc(method, code, fields), Seen::Rpc(wanted, wanted_code, expected)) => {
            method == wanted && code == wanted_code && carries(fields, expected)
        }
        (seen, wanted) => seen == wanted,
    }
}

fn carries(fields: &Fields, expected: &Fields) -> bool {
    expected.iter().all(|(key, value)| fields.get(key) == Some(value))
}
