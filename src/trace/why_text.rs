//! An effect as the fact that somebody waited for: `VolumeAttachment status.attached is true, written by …`.

use super::Effect;
use crate::model::{Actor, ObjectRef, Role, Unmet};

/// A longer name is made of hashes and ids.
const LONG_NAME: usize = 40;

/// Whether an unmet guard's own words name what an effect changed.
pub(super) fn is_about(unmet: Unmet, effect: &Effect) -> bool {
    let words = unmet.to_string();
    match effect {
        Effect::Write { field, .. } => {
            let key = field.strip_suffix(']').and_then(|f| f.split_once('[')).map_or(*field, |(_, key)| key);
            let last = key.rsplit('.').next().unwrap_or(key);
            // `status.phase` is in no guard's words, but its values are.
            words.contains(field)
                || words.contains(last)
                || (last == "finalizers" && words.contains("finalizer"))
        }
        Effect::Rpc { method, .. } => words.contains(method),
        Effect::Create { .. }
        | Effect::Delete { .. }
        | Effect::Event { .. }
        | Effect::Mount { .. }
        | Effect::Unmount { .. }
        | Effect::Device { .. } => false,
    }
}

/// The fact, without a stop; an Event is none that anybody waits for.
pub(super) fn sentence(effect: &Effect) -> Option<String> {
    Some(match effect {
        Effect::Write { object, field, from, to, by } => {
            let (kind, field) = (object.kind.name(), field.replace("status.condition", "condition"));
            match (from.as_deref(), to.as_deref()) {
                (_, _) if field == "metadata.deletionTimestamp" => {
                    format!("{kind} {field} is set, written by {}", title(by))
                }
                (from, Some(to)) if is_list(&field) => {
                    let parts = |list: Option<&str>| -> Vec<String> {
                        list.map(|l| l.split(", ").map(str::to_owned).collect()).unwrap_or_default()
                    };
                    let (old, new) = (parts(from), parts(Some(to)));
                    let came: Vec<&str> =
                        new.iter().filter(|item| !old.contains(item)).map(String::as_str).collect();
                    let went: Vec<&str> =
                        old.iter().filter(|item| !new.contains(item)).map(String::as_str).collect();
                    if came.is_empty() {
                        format!("{kind} {field} lacks {}, removed by {}", went.join(", "), title(by))
                    } else {
                        format!("{kind} {field} has {}, written by {}", came.join(", "), title(by))
                    }
                }
                (_, Some(to)) => format!("{kind} {field} is {to}, written by {}", title(by)),
                (Some(from), None) if is_list(&field) => {
                    format!("{kind} {field} lacks {from}, removed by {}", title(by))
                }
                (_, None) => format!("{kind} {field} is gone, removed by {}", title(by)),
            }
        }
        Effect::Create { object, by } => {
            format!("{} is there, created by {}", named(object), title(by))
        }
        Effect::Delete { object, by } => {
            format!("{} is gone, let go by {}", named(object), title(by))
        }
        Effect::Rpc { method, caller, code: None, .. } => format!("{method} is called by {}", title(caller)),
        Effect::Rpc { method, callee, code: Some(code), .. } => {
            format!("{method} has returned {} from {}", code.name(), title(callee))
        }
        Effect::Mount { path, .. } => format!("{path} is mounted"),
        Effect::Unmount { path, .. } => format!("nothing is mounted at {path}"),
        Effect::Device { node, path, present: true } => format!("the device of {path} is on {node}"),
        Effect::Device { node, path, present: false } => format!("the device of {path} has left {node}"),
        Effect::Event { .. } => return None,
    })
}

/// The object's kind, with its name where that is one that people give.
fn named(object: &ObjectRef) -> String {
    match object.name.len() {
        ..=LONG_NAME => format!("{} {}", object.kind.name(), object.name),
        _ => object.kind.name().to_owned(),
    }
}

fn title(by: &Actor) -> &'static str {
    if by.role == Role::User { "you" } else { by.role.title() }
}

fn is_list(field: &str) -> bool {
    [
        "metadata.finalizers",
        "status.volumesInUse",
        "status.volumesAttached",
        "status.conditions",
        "spec.taints",
    ]
    .contains(&field)
}
