//! The API objects at a reader's step as `kubectl get -o yaml` would print them, with what the step changed in them.

use super::yaml_fields::Written;
use super::yaml_lines::sections;
use super::yaml_manifest::Manifest;
use super::yaml_node::{Node, Pen};
use super::{Effect, Fate, Run};
use crate::model::{Actor, Kind, ObjectRef, Role};
use std::collections::BTreeMap;

/// A line of an object's YAML.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The line with its indentation.
    pub text: String,
    /// Whether it is there as before the step, new or changed in it, or gone.
    pub fate: Fate,
    /// The value before, of a line whose value changed.
    pub was: Option<String>,
    /// Who wrote it; of a line that is gone, who took it away.
    pub by: Actor,
}

/// A part of an object that is worth folding where nothing in it changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// Its field, such as `spec`; empty where it is a few scalars.
    pub name: String,
    /// Its lines.
    pub lines: Vec<Line>,
}

/// An API object at a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectYaml {
    /// Which one.
    pub object: ObjectRef,
    /// Whether the step created it, left it there, or let it go.
    pub fate: Fate,
    /// Who created it or let it go.
    pub by: Actor,
    /// Its lines.
    pub sections: Vec<Section>,
}

impl Section {
    /// Whether the step left it as it was.
    pub fn is_same(&self) -> bool {
        self.lines.iter().all(|line| line.fate == Fate::Stays)
    }
}

impl ObjectYaml {
    /// Whether the step left it as it was.
    pub fn is_same(&self) -> bool {
        self.fate == Fate::Stays && self.sections.iter().all(Section::is_same)
    }

    /// The object as it is after the step; of one that is gone, as it was last.
    pub fn text(&self) -> String {
        let lines = self.sections.iter().flat_map(|section| &section.lines);
        let here = lines.filter(|line| self.fate == Fate::Gone || line.fate != Fate::Gone);
        here.map(|line| format!("{}\n", line.text)).collect()
    }
}

impl Kind {
    /// The kind's group and version.
    ///
    /// Source: staging/src/k8s.io/api/core/v1, storage/v1; external-snapshotter client/apis/volumesnapshot/v1.
    pub fn api_version(self) -> &'static str {
        match self {
            Kind::Pod | Kind::PersistentVolumeClaim | Kind::PersistentVolume | Kind::Node => "v1",
            Kind::VolumeAttachment | Kind::CsiNode | Kind::CsiDriver | Kind::StorageClass => {
                "storage.k8s.io/v1"
            }
            Kind::VolumeSnapshot | Kind::VolumeSnapshotContent => "snapshot.storage.k8s.io/v1",
        }
    }
}

/// An object as far as the run has come.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Entry {
    there: bool,
    /// How often an object of this name has been created.
    times: usize,
    /// Who created it or let it go.
    by: Actor,
    tree: Node,
}

/// All objects as far as the run has come.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Board<'r> {
    manifests: &'r [Manifest],
    objects: BTreeMap<ObjectRef, Entry>,
}

impl<'r> Board<'r> {
    /// What stands at the start of the run.
    fn new(manifests: &'r [Manifest]) -> Self {
        let standing = manifests.iter().filter_map(|manifest| {
            let tree = headed(manifest.standing.clone()?, manifest.object.kind);
            let by = tree.writer().cloned()?;
            Some((manifest.object.clone(), Entry { there: true, times: 1, by, tree }))
        });
        Self { manifests, objects: standing.collect() }
    }

    fn manifest(&self, object: &ObjectRef, times: usize) -> Option<&'r Manifest> {
        let mut named = self.manifests.iter().filter(|manifest| manifest.object == *object);
        let first = named.next();
        // A name that is used again is another object, with a manifest of its own where the world has one.
        times.checked_sub(2).and_then(|further| named.nth(further)).or(first)
    }

    fn add(&mut self, effect: &Effect, sim_ms: u64) {
        match effect {
            Effect::Create { object, by } => self.create(object, by),
            Effect::Delete { object, by } => {
                if let Some(entry) = self.objects.get_mut(object) {
                    entry.there = false;
                    entry.by = by.clone();
                }
            }
            Effect::Write { object, field, from: _, to, by } => {
                // A write to an object that nobody has shown yet brings it along.
                if !self.objects.contains_key(object) {
                    self.create(object, by);
                }
                let times = self.objects.get(object).map_or(0, |entry| entry.times);
                let (manifests, manifest) = (self.manifests, self.manifest(object, times));
                let to = to.as_deref();
                let written = Written { object, manifest, manifests, field, to, by, sim_ms };
                if let Some(entry) = self.objects.get_mut(object) {
                    written.apply(&mut entry.tree);
                }
            }
            Effect::Rpc { .. }
            | Effect::Event { .. }
            | Effect::Mount { .. }
            | Effect::Unmount { .. }
            | Effect::Device { .. } => {}
        }
    }

    fn create(&mut self, object: &ObjectRef, by: &Actor) {
        // What stands from the start is told as created too.
        if self.objects.get(object).is_some_and(|entry| entry.there) {
            return;
        }
        let times = self.objects.get(object).map_or(0, |entry| entry.times) + 1;
        let bare = Pen(by).map([("metadata", Pen(by).map([("name", Pen(by).text(&object.name))]))]);
        let fresh = self.manifest(object, times).map_or(bare, |manifest| manifest.fresh.written_by(by));
        let tree = headed(fresh, object.kind);
        self.objects.insert(object.clone(), Entry { there: true, times, by: by.clone(), tree });
    }
}

/// An object with its kind and the version of its API.
fn headed(mut tree: Node, kind: Kind) -> Node {
    let by = tree.writer().cloned().unwrap_or(Actor { role: Role::User, node: None });
    tree.set(&["apiVersion"], Some(Pen(&by).text(kind.api_version())), &by);
    tree.set(&["kind"], Some(Pen(&by).text(kind.name())), &by);
    tree
}

/// Every API object that is there after a reader's step (from 1) or has gone in it, in the order of their kinds.
pub fn objects(run: &Run, step: usize) -> Vec<ObjectYaml> {
    let Some(group) = run.groups.get(step.wrapping_sub(1)) else { return Vec::new() };
    let mut board = Board::new(&run.trace.manifests);
    run.trace.given.iter().for_each(|effect| board.add(effect, 0));
    let mut told = run.trace.steps.iter();
    for step in told.by_ref().take(group.cues.start) {
        step.effects.iter().for_each(|effect| board.add(effect, step.sim_ms));
    }
    let before = board.clone();
    for step in told.take(group.cues.len()) {
        step.effects.iter().for_each(|effect| board.add(effect, step.sim_ms));
    }
    let all = board.objects.iter().filter_map(|(object, now)| {
        let was = before.objects.get(object).filter(|was| was.there);
        let again = was.filter(|was| was.times == now.times);
        let fate = match (now.there, was, again) {
            (true, _, Some(_)) => Fate::Stays,
            (true, ..) => Fate::New,
            (false, Some(_), _) => Fate::Gone,
            (false, None, _) => return None,
        };
        let new = now.there.then_some(&now.tree);
        let old = if now.there { again } else { was };
        let sections = sections(old.map(|was| &was.tree), new, &now.by);
        Some(ObjectYaml { object: object.clone(), fate, by: now.by.clone(), sections })
    });
    all.collect()
}
