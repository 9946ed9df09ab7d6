//! What an action would show in a recording, and whether a line shows just that.

use super::Effect;
use super::recording::{Fields, Observation, Seen};
use crate::model::Actor;
use std::collections::BTreeMap;

/// Fields that lines may carry and the model leaves out.
const LEFT_OUT: [&str; 1] = ["status.condition "];

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
            Effect::Rpc { method, caller, callee: _, code, message: _, request } => {
                let fields =
                    request.iter().map(|(key, value)| (known_key(key), Some(value.clone()))).collect();
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

/// A recording's key for a request's field.
fn known_key(csi: &str) -> String {
    match csi {
        "volume_id" => "volume",
        "node_id" => "node",
        "staging_target_path" => "staging_path",
        other => other,
    }
    .into()
}

/// A line with its fields named as the model names them; `None` when the model leaves all of it out.
pub fn normal(seen: &Observation) -> Option<Observation> {
    let what = match &seen.what {
        Seen::Given(..) | Seen::Note => return None,
        Seen::Create(object, fields) => {
            let fields = fields.iter().filter(|(f, _)| is_modelled(f));
            let fields = fields.map(|(f, to)| (named(f), to.clone())).collect();
            Seen::Create(object.clone(), fields)
        }
        Seen::Update(object, changes) => {
            let changes = changes.iter().filter(|(f, _)| is_modelled(f));
            let changes: BTreeMap<_, _> = changes
                .map(|(f, (from, to))| {
                    let field = named(f);
                    let pair = (value(object, &field, from), value(object, &field, to));
                    (field, pair)
                })
                .filter(|(_, (from, to))| from != to)
                .collect();
            if changes.is_empty() {
                return None;
            }
            Seen::Update(object.clone(), changes)
        }
        Seen::Delete(_)
        | Seen::Event(..)
        | Seen::Call(..)
        | Seen::Rpc(..)
        | Seen::Mount(_)
        | Seen::Unmount(_) => seen.what.clone(),
    };
    Some(Observation { what, ..seen.clone() })
}

fn is_modelled(field: &str) -> bool {
    !LEFT_OUT.iter().any(|start| field.starts_with(start))
}

fn named(field: &str) -> String {
    if let Some(annotation) = field.strip_prefix("annotation ") {
        return format!("metadata.annotations[{annotation}]");
    }
    if field.starts_with("status.container ") { "status.containerStatuses".into() } else { field.into() }
}

/// Of a PersistentVolume's finalizers only the external-attacher's counts: others come and go around it.
fn value(object: &str, field: &str, value: &Option<String>) -> Option<String> {
    let list = value.as_ref()?;
    if !(object.starts_with("PersistentVolume/") && field == "metadata.finalizers") {
        return Some(list.clone());
    }
    list.split(", ").find(|f| f.starts_with("external-attacher/")).map(str::to_owned)
}

/// Whether a line, already normal, shows what was expected.
pub fn shows(seen: &Observation, expected: &Expected) -> bool {
    let by = seen.by == expected.by
        // The reporter of an event is known without its Node.
        || (matches!(seen.what, Seen::Event(..)) && expected.by.split('/').next() == Some(&seen.by));
    by && match (&seen.what, &expected.what) {
        (Seen::Update(object, changes), Seen::Update(wanted, expected)) => {
            let expected = expected.iter().map(|(field, (from, to))| {
                (field.clone(), (value(wanted, field, from), value(wanted, field, to)))
            });
            object == wanted && *changes == expected.collect()
        }
        // The last finalizer of a PersistentVolume takes the object with it.
        (Seen::Delete(object), Seen::Update(wanted, expected)) => {
            let released =
                expected.get("metadata.finalizers").map(|(_, to)| value(wanted, "metadata.finalizers", to));
            object == wanted && object.starts_with("PersistentVolume/") && released == Some(None)
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
