//! What the cluster looks like after a number of actions: the effects so far, added up.

use super::{Effect, Trace};
use crate::model::{Actor, ObjectRef};
use std::collections::{BTreeMap, BTreeSet};

/// A field's value and its last writer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldView {
    /// The value; `None` when the field was there and is absent now.
    pub value: Option<String>,
    /// Who wrote it last.
    pub by: Actor,
}

/// An API object at one moment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ObjectView {
    /// Whether it exists now.
    pub exists: bool,
    /// Its fields by path.
    pub fields: BTreeMap<&'static str, FieldView>,
    /// The reason of the last Event recorded about it, and who reported it.
    pub event: Option<(&'static str, Actor)>,
}

/// What can be seen from outside at one moment of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Snapshot {
    /// Simulated time in milliseconds.
    pub sim_ms: u64,
    /// Every object that the run has shown so far.
    pub objects: BTreeMap<ObjectRef, ObjectView>,
    /// Volumes whose device is on a Node: Node name and volume handle.
    pub devices: BTreeSet<(String, String)>,
    /// Mounts: Node name and path.
    pub mounts: BTreeSet<(String, String)>,
    /// Who waits for what.
    pub waits: Vec<(Actor, &'static str)>,
    /// Which processes are down.
    pub down: Vec<Actor>,
}

impl Trace {
    /// What the cluster looks like after the first `done` actions.
    pub fn snapshot(&self, done: usize) -> Snapshot {
        let mut snapshot = Snapshot { down: self.down.clone(), ..Snapshot::default() };
        self.given.iter().for_each(|effect| snapshot.add(effect));
        for step in self.steps.iter().take(done) {
            step.effects.iter().for_each(|effect| snapshot.add(effect));
            snapshot.sim_ms = step.sim_ms;
            snapshot.waits.clone_from(&step.waits);
            snapshot.down.clone_from(&step.down);
        }
        snapshot
    }
}

impl Snapshot {
    fn object(&mut self, object: &ObjectRef) -> &mut ObjectView {
        self.objects.entry(object.clone()).or_default()
    }

    fn add(&mut self, effect: &Effect) {
        match effect {
            // A name that is used again is another object.
            Effect::Create { object, by: _ } => {
                *self.object(object) = ObjectView { exists: true, ..ObjectView::default() };
            }
            Effect::Delete { object, by: _ } => self.object(object).exists = false,
            Effect::Write { object, field, from: _, to, by } => {
                let view = FieldView { value: to.clone(), by: by.clone() };
                self.object(object).fields.insert(field, view);
            }
            Effect::Event { object, reason, by, kind: _, message: _ } => {
                self.object(object).event = Some((reason, by.clone()));
            }
            Effect::Mount { node, path } => {
                self.mounts.insert((node.clone(), path.clone()));
            }
            Effect::Unmount { node, path } => {
                self.mounts.remove(&(node.clone(), path.clone()));
            }
            Effect::Device { node, path, present: true } => {
                self.devices.insert((node.clone(), path.clone()));
            }
            Effect::Device { node, path, present: false } => {
                self.devices.remove(&(node.clone(), path.clone()));
            }
            Effect::Rpc { .. } => {}
        }
    }
}
