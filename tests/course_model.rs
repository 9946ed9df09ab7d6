//! Content against the model: every diagram tells its scenario's run whole and in order, and its captions name
//! only who acts in a step and what is touched there.

mod course_site;

use course_site::site;
use mountpath::course::{Diagram, Told, disagreements};
use mountpath::model::ObjectRef;
use mountpath::trace::{Effect, GroupError, Run, Snapshot, Trace, group, record};
use std::collections::BTreeSet;

fn run_of(diagram: &Diagram) -> Trace {
    record(&diagram.scenario).unwrap_or_else(|e| panic!("content/diagrams/{}.toml: {e}", diagram.slug))
}

fn told_in(trace: Trace, diagram: &Diagram) -> Result<Run, GroupError> {
    let steps: Vec<(Vec<String>, String)> =
        diagram.steps.iter().map(|s| (s.actions.clone(), s.key.clone())).collect();
    group(trace, &steps)
}

/// Who acts in each of the reader's steps, and everything that its actions touch.
fn told(run: &Run) -> Vec<Told> {
    let steps = run.groups.iter().map(|group| {
        let mut told = Told::default();
        let mut objects: BTreeSet<ObjectRef> = BTreeSet::new();
        for step in &run.trace.steps[group.cues.clone()] {
            told.actors.insert(step.actor.role.name().to_owned());
            objects.extend(step.reads.iter().cloned());
            for effect in &step.effects {
                effect_words(effect, &mut told.words);
                objects.extend(object_of(effect).cloned());
            }
        }
        for end in [group.cues.start, group.cues.end] {
            object_words(&run.trace.snapshot(end), &objects, &mut told.words);
        }
        told
    });
    steps.collect()
}

/// What an effect names besides its object.
fn effect_words(effect: &Effect, words: &mut BTreeSet<String>) {
    match effect {
        Effect::Write { field, from, to, .. } => {
            words.extend(field_words(field));
            words.extend(from.iter().chain(to).cloned());
        }
        Effect::Rpc { method, code, request, .. } => {
            words.insert((*method).to_owned());
            words.extend(code.iter().map(|c| c.0.to_owned()));
            words.extend(request.iter().flat_map(|(field, value)| [(*field).to_owned(), value.clone()]));
        }
        Effect::Event { reason, .. } => {
            words.insert((*reason).to_owned());
        }
        Effect::Mount { node, path } | Effect::Unmount { node, path } | Effect::Device { node, path, .. } => {
            words.extend([node.clone(), path.clone()]);
        }
        Effect::Create { .. } | Effect::Delete { .. } => {}
    }
}

fn object_of(effect: &Effect) -> Option<&ObjectRef> {
    match effect {
        Effect::Write { object, .. }
        | Effect::Create { object, .. }
        | Effect::Delete { object, .. }
        | Effect::Event { object, .. } => Some(object),
        Effect::Rpc { .. } | Effect::Mount { .. } | Effect::Unmount { .. } | Effect::Device { .. } => None,
    }
}

/// Kinds, names, fields and values of objects as they are at one moment.
fn object_words(snapshot: &Snapshot, objects: &BTreeSet<ObjectRef>, words: &mut BTreeSet<String>) {
    for object in objects {
        words.extend([object.kind.name().to_owned(), object.name.clone()]);
        let fields = snapshot.objects.get(object).into_iter().flat_map(|o| &o.fields);
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

#[test]
fn every_diagram_tells_its_run_whole_and_in_order() {
    for diagram in site().diagrams {
        if let Err(e) = told_in(run_of(&diagram), &diagram) {
            panic!("content/diagrams/{}.toml: {e}", diagram.slug);
        }
    }
}

#[test]
fn a_diagram_that_drops_doubles_or_moves_an_action_is_refused() {
    for diagram in site().diagrams {
        let trace = run_of(&diagram);
        let refused = |step: usize, spoil: &dyn Fn(&mut Vec<String>)| {
            let mut spoilt = diagram.clone();
            spoil(&mut spoilt.steps[step].actions);
            assert!(told_in(trace.clone(), &spoilt).is_err(), "step {} of {}", step + 1, diagram.slug);
        };
        for (step, told) in diagram.steps.iter().enumerate() {
            refused(step, &Vec::clear);
            if told.actions.len() > 1 {
                refused(step, &|actions| actions.rotate_left(1));
            }
            for at in 0..told.actions.len() {
                refused(step, &|actions| drop(actions.remove(at)));
                refused(step, &|actions| actions.insert(at, actions[at].clone()));
            }
        }
    }
}

#[test]
fn captions_say_what_the_run_does() {
    for diagram in site().diagrams {
        let run = told_in(run_of(&diagram), &diagram).unwrap();
        let found: Vec<String> = disagreements(&diagram, &told(&run)).iter().map(|e| e.to_string()).collect();
        assert!(found.is_empty(), "\n{}\n", found.join("\n"));
    }
}

#[test]
fn a_caption_that_says_more_than_the_run_does_is_found() {
    for mut diagram in site().diagrams {
        let run = told_in(run_of(&diagram), &diagram).unwrap();
        let lines: Vec<u32> = diagram.steps.iter().map(|s| s.line).collect();
        for step in &mut diagram.steps {
            step.caption.html = "<strong>kernel</strong> calls <code>NodeExpandVolume</code>.".to_owned();
        }
        let found = disagreements(&diagram, &told(&run));
        let found_lines: Vec<u32> = found.iter().map(|e| e.line).collect();
        let expected: Vec<u32> = lines.iter().flat_map(|l| [*l, *l]).collect();
        assert_eq!(found_lines, expected);
    }
}
