//! What a step is about: everything that a sentence about it may name.

use super::{Effect, Run, Snapshot};
use crate::model::ObjectRef;
use std::collections::BTreeSet;

/// Who acts in a reader's step, and everything that its actions touch.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Touched {
    /// The actors, by their titles.
    pub actors: BTreeSet<String>,
    /// Kinds, names, fields, also with their value as in `status.attached: true`, values, methods, codes, reasons
    /// and paths.
    pub words: BTreeSet<String>,
}

impl Run {
    /// What each of the reader's steps touches.
    pub fn touched(&self) -> Vec<Touched> {
        let steps = self.groups.iter().map(|group| {
            let mut touched = Touched::default();
            let mut objects: BTreeSet<&ObjectRef> = BTreeSet::new();
            for step in self.trace.steps.get(group.cues.clone()).unwrap_or_default() {
                touched.actors.insert(step.actor.role.title().to_owned());
                objects.extend(&step.reads);
                for effect in &step.effects {
                    objects.extend(effect_words(effect, &mut touched.words));
                }
            }
            for end in [group.cues.start, group.cues.end] {
                object_words(&self.trace.snapshot(end), &objects, &mut touched.words);
            }
            touched
        });
        steps.collect()
    }
}

/// Adds what an effect names, and returns the object it is about.
pub(super) fn effect_words<'a>(effect: &'a Effect, words: &mut BTreeSet<String>) -> Option<&'a ObjectRef> {
    match effect {
        Effect::Write { object, field, from, to, .. } => {
            words.extend(field_words(field));
            for value in from.iter().chain(to) {
                value_words(field, value, words);
            }
            Some(object)
        }
        Effect::Rpc { method, code, request, .. } => {
            words.insert((*method).to_owned());
            words.extend(code.iter().map(|c| c.name().to_owned()));
            for (field, value) in request {
                words.insert((*field).to_owned());
                value_words(field, value, words);
            }
            None
        }
        Effect::Event { object, reason, .. } => {
            words.insert((*reason).to_owned());
            Some(object)
        }
        Effect::Mount { node, path } | Effect::Unmount { node, path } | Effect::Device { node, path, .. } => {
            words.extend([node.clone(), path.clone()]);
            None
        }
        Effect::Create { object, .. } | Effect::Delete { object, .. } => Some(object),
    }
}

/// Adds kinds, names, fields and values of objects as they are at one moment.
fn object_words(snapshot: &Snapshot, objects: &BTreeSet<&ObjectRef>, words: &mut BTreeSet<String>) {
    for object in objects {
        words.extend([object.kind.name().to_owned(), object.name.clone()]);
        let fields = snapshot.objects.get(*object).into_iter().flat_map(|o| &o.fields);
        for (field, view) in fields {
            words.insert(format!("{}.{field}", object.kind.name()));
            words.extend(field_words(field));
            if let Some(value) = &view.value {
                value_words(field, value, words);
            }
        }
    }
}

/// Adds a value, alone and behind its field.
fn value_words(field: &str, value: &str, words: &mut BTreeSet<String>) {
    words.extend(field_words(field).map(|name| format!("{name}: {value}")));
    words.insert(value.to_owned());
}

/// A field by its path and by the last part of it, or by the key of an annotation.
fn field_words(field: &str) -> [String; 2] {
    let key = field.strip_suffix(']').and_then(|path| path.split_once('[')).map(|(_, key)| key);
    let last = key.or_else(|| field.rsplit('.').next()).unwrap_or(field);
    [field.to_owned(), last.to_owned()]
}
