//! Content against the model: what `mountpath check` finds.

use super::story::Story;
use super::{Error, Project, content};
use crate::course::{Told, disagreements};
use crate::model::ObjectRef;
use crate::trace::{Effect, Run, Snapshot};
use std::collections::BTreeSet;

/// Checks all content and returns what was checked, in a sentence.
///
/// # Errors
/// With a sentence for everything that is wrong.
pub(super) fn check(project: &Project) -> Result<String, Error> {
    // Content that cannot be read is an answer here, not wrong input.
    let site = content::load(project).map_err(|e| Error::Failed(e.to_string()))?;
    let (diagrams, chapters) = (site.diagrams.len(), site.chapters.len());
    let mut found = Vec::new();
    for diagram in site.diagrams {
        match Story::of(diagram) {
            Ok(Story { diagram, run }) => {
                found.extend(disagreements(&diagram, &told(&run)).iter().map(ToString::to_string));
            }
            Err(e) => found.push(e.to_string()),
        }
    }
    if found.is_empty() {
        Ok(format!("content and model agree (diagrams: {diagrams}, chapters: {chapters})\n"))
    } else {
        Err(Error::Failed(found.join("\n")))
    }
}

/// Who acts in each of the reader's steps, and everything that its actions touch.
pub fn told(run: &Run) -> Vec<Told> {
    let steps = run.groups.iter().map(|group| {
        let mut told = Told::default();
        let mut objects: BTreeSet<&ObjectRef> = BTreeSet::new();
        for step in run.trace.steps.get(group.cues.clone()).unwrap_or_default() {
            told.actors.insert(step.actor.role.name().to_owned());
            objects.extend(&step.reads);
            for effect in &step.effects {
                objects.extend(effect_words(effect, &mut told.words));
            }
        }
        for end in [group.cues.start, group.cues.end] {
            object_words(&run.trace.snapshot(end), &objects, &mut told.words);
        }
        told
    });
    steps.collect()
}

/// Adds what an effect names, and returns the object it is about.
fn effect_words<'a>(effect: &'a Effect, words: &mut BTreeSet<String>) -> Option<&'a ObjectRef> {
    match effect {
        Effect::Write { object, field, from, to, .. } => {
            words.extend(field_words(field));
            words.extend(from.iter().chain(to).cloned());
            Some(object)
        }
        Effect::Rpc { method, code, request, .. } => {
            words.insert((*method).to_owned());
            words.extend(code.iter().map(|c| c.0.to_owned()));
            words.extend(request.iter().flat_map(|(field, value)| [(*field).to_owned(), value.clone()]));
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
            words.extend(view.value.clone());
        }
    }
}

/// A field by its path and by the last part of it.
fn field_words(field: &str) -> [String; 2] {
    [field.to_owned(), field.rsplit('.').next().unwrap_or(field).to_owned()]
}
