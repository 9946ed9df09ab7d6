//! The Objects view: what every diagram and every other scenario shows is YAML of Kubernetes, and true of the run.

#[path = "objects/runs.rs"]
mod runs;
#[path = "objects/schema.rs"]
mod schema;

use mountpath::model::Kind;
use mountpath::trace::{Effect, Fate, ObjectYaml, Run, SCENARIOS, Sheet, Step, objects};
use runs::{by_action, diagrams, run_of};
use schema::Schema;

fn steps(run: &Run) -> impl Iterator<Item = (usize, &[Step], Vec<ObjectYaml>)> {
    (1..)
        .zip(&run.groups)
        .map(|(number, group)| (number, &run.trace.steps[group.cues.clone()], objects(run, number)))
}

#[test]
fn every_object_is_yaml_that_kubernetes_knows() {
    let schema = Schema::read(include_str!("objects/fields.txt"));
    let mut wrong = Vec::new();
    for (name, _) in SCENARIOS {
        let run = by_action(run_of(name));
        for (step, _, objects) in steps(&run) {
            let seen = |object: &&ObjectYaml| object.fate == Fate::Gone || (step > 1 && object.is_same());
            for object in objects.iter().filter(|object| !seen(object)) {
                let found = schema.faults(object.object.kind, &object.text());
                wrong.extend(found.into_iter().map(|f| format!("{name} {step} {}: {f}", object.object)));
            }
        }
    }
    wrong.sort();
    wrong.dedup_by_key(|line| line.split(": ").skip(1).collect::<String>());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn fields_stand_in_the_order_of_kubectl() {
    for (slug, run) in diagrams() {
        for object in objects(&run, 1) {
            let top: Vec<&str> = object
                .sections
                .iter()
                .flat_map(|s| &s.lines)
                .filter(|line| !line.text.starts_with([' ', '-']))
                .filter_map(|line| line.text.split(':').next())
                .collect();
            let mut sorted = top.clone();
            sorted.sort_unstable();
            assert_eq!(top, sorted, "{slug}: {}", object.object);
        }
    }
}

/// The object before the step, put together from what the step says that it changed.
fn before(object: &ObjectYaml) -> Vec<String> {
    let lines = object.sections.iter().flat_map(|section| &section.lines);
    let was = lines.filter_map(|line| match (line.fate, &line.was) {
        (Fate::Stays | Fate::Gone, _) => Some(line.text.clone()),
        (Fate::New, Some(was)) => Some(format!("{} {was}", line.text.split(": ").next()?.to_owned() + ":")),
        (Fate::New, None) => None,
    });
    was.map(bare).collect()
}

/// A line without the dash, which belongs to whichever line of an item stands first.
fn bare(line: String) -> String {
    let at = line.len() - line.trim_start().len();
    match line[at..].strip_prefix("- ") {
        Some(rest) if rest.contains(": ") || rest.ends_with(':') => format!("{}  {rest}", &line[..at]),
        _ => line,
    }
}

#[test]
fn each_step_goes_on_from_where_the_one_before_ended() {
    for (slug, run) in diagrams() {
        let mut last: Vec<ObjectYaml> = Vec::new();
        for (step, _, now) in steps(&run) {
            if step > 1 {
                for object in last.iter().filter(|object| object.fate != Fate::Gone) {
                    let same = now.iter().find(|o| o.object == object.object);
                    let next = same.unwrap_or_else(|| panic!("{slug} {step}: {} is lost", object.object));
                    // One of the same name that was created anew says nothing of the one before.
                    if next.fate != Fate::New {
                        let text: Vec<String> = object.text().lines().map(|l| bare(l.to_owned())).collect();
                        assert_eq!(before(next), text, "{slug} {step}: {}", object.object);
                    }
                }
                for object in now.iter().filter(|object| object.fate == Fate::Gone) {
                    assert!(
                        last.iter().any(|o| o.object == object.object),
                        "{slug} {step}: {}",
                        object.object
                    );
                }
            }
            last = now;
        }
    }
}

#[test]
fn what_a_step_changes_is_marked_with_who_wrote_it() {
    for (slug, run) in diagrams() {
        for (step, told, now) in steps(&run) {
            for object in &now {
                let about: Vec<&Effect> = told
                    .iter()
                    .flat_map(|s| &s.effects)
                    .filter(|effect| match effect {
                        Effect::Write { object: o, .. }
                        | Effect::Create { object: o, .. }
                        | Effect::Delete { object: o, .. } => *o == object.object,
                        _ => false,
                    })
                    .collect();
                let place = format!("{slug} {step}: {}", object.object);
                assert!(object.is_same() || !about.is_empty(), "{place} changed by nobody");
                let writers: Vec<_> = about
                    .iter()
                    .filter_map(|effect| match effect {
                        Effect::Write { by, .. } | Effect::Create { by, .. } | Effect::Delete { by, .. } => {
                            Some(by)
                        }
                        _ => None,
                    })
                    .collect();
                for line in object.sections.iter().flat_map(|s| &s.lines) {
                    let marked = line.fate != Fate::Stays;
                    assert!(!marked || writers.contains(&&line.by), "{place}: {line:?}");
                }
            }
        }
    }
}

#[test]
fn what_a_step_writes_can_be_read() {
    for (slug, run) in diagrams() {
        for (step, told, now) in steps(&run) {
            let writes = told.iter().flat_map(|s| &s.effects).filter_map(|effect| match effect {
                Effect::Write { object, field, to: Some(to), .. } => Some((object, *field, to)),
                _ => None,
            });
            let writes: Vec<_> = writes.collect();
            for (place, (object, field, to)) in writes.iter().enumerate() {
                let later = writes[place + 1..].iter().any(|(o, f, _)| o == object && f == field);
                let there = now.iter().find(|o| o.object == **object && o.fate != Fate::Gone);
                let special = ["metadata.deletionTimestamp", "status.containerStatuses"].contains(field);
                let Some(there) = there.filter(|_| !later && !special) else { continue };
                let text = there.text();
                // A value that was taken away again in the same step is gone.
                let parts = to.split(", ").flat_map(|part| part.split('/')).flat_map(|part| part.split(':'));
                let all = parts.map(str::trim).all(|part| text.contains(&part.replace('\'', "''")));
                let taken = told.iter().flat_map(|s| &s.effects).any(|e| {
                    matches!(e, Effect::Write { object: o, field: f, to: None, .. } if o == *object && f == field)
                });
                assert!(all || taken, "{slug} {step}: {object} {field} {to}\n{text}");
            }
        }
    }
}

#[test]
fn the_sheet_holds_the_same_once() {
    for (slug, run) in diagrams() {
        let writer = |actor: &mountpath::model::Actor| [actor.to_string(), String::new(), String::new()];
        let sheet = Sheet::of(&run, writer);
        assert_eq!(sheet.steps.len(), run.groups.len(), "{slug}");
        for (step, shown) in (1..).zip(&sheet.steps) {
            for (shown, object) in shown.iter().zip(objects(&run, step)) {
                assert_eq!(format!("{}/{}", shown.kind, shown.name), object.object.to_string());
                for (block, section) in shown.blocks.iter().zip(&object.sections) {
                    let block = &sheet.blocks[*block];
                    for (line, told) in block.lines.iter().zip(&section.lines) {
                        let (text, by) = &sheet.lines[line.line];
                        assert_eq!((text, &sheet.writers[*by][0]), (&told.text, &told.by.to_string()));
                        assert_eq!((line.fate, &line.was), (told.fate, &told.was));
                    }
                }
            }
        }
    }
}

#[test]
fn an_attach_reads_as_kubectl_prints_it() {
    let run = by_action(run_of("volume-attachment"));
    let at = |action: &str| 1 + run.trace.steps.iter().position(|s| s.action == action).expect(action);
    let object = |step: usize| {
        let all = objects(&run, step);
        all.into_iter().find(|o| o.object.kind == Kind::VolumeAttachment).expect("a VolumeAttachment")
    };
    let attached = object(at("attacher-records-attached"));
    let name = &attached.object.name;
    let text = format!(
        "apiVersion: storage.k8s.io/v1\nkind: VolumeAttachment\nmetadata:\n  annotations:\n    \
         csi.alpha.kubernetes.io/node-id: i-1\n  finalizers:\n  - external-attacher/disk-csi-example-com\n  \
         name: {name}\nspec:\n  attacher: disk.csi.example.com\n  nodeName: node-1\n  source:\n    \
         persistentVolumeName: pvc-6f1d2a3e-8c47-4b9a-9d10-2e5b7c8f0a11\nstatus:\n  attached: true\n"
    );
    assert_eq!(attached.text(), text);
    let changed: Vec<_> =
        attached.sections.iter().flat_map(|s| &s.lines).filter(|l| l.fate != Fate::Stays).collect();
    assert_eq!(changed.len(), 1);
    assert_eq!(changed[0].text, "  attached: true");
    assert_eq!(changed[0].was.as_deref(), Some("false"));
    assert_eq!(changed[0].by.to_string(), "external-attacher");
}
