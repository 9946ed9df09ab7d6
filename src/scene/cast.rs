//! The cast of a run: which actors, objects and real things its pictures have a place for.

use super::home::{self, Row, Zone};
use super::real::Real;
use crate::model::{Actor, Kind, ObjectRef};
use crate::trace::{Effect, Run, Snapshot};
use std::collections::{BTreeMap, BTreeSet};

/// What appears in the pictures of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cast {
    /// Who acts or answers, in the order of their homes.
    pub actors: Vec<Actor>,
    /// What is written or read, in the order of its homes.
    pub objects: Vec<Object>,
    /// The Nodes that have actors or real things here, in the order in which the run comes to them.
    pub nodes: Vec<String>,
    /// What is real.
    pub real: Real,
}

/// An API object of the cast.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// Its kind and name.
    pub object: ObjectRef,
    /// The end of the keys of its groups: its kind, with its name if it is not the first of its kind.
    pub key: String,
    /// The rows that it could show.
    pub rows: Vec<RowUse>,
    /// How often the run writes it.
    pub writes: usize,
    /// Whether the run writes it or tells an Event about it.
    pub told: bool,
    /// Whether there are others of its kind.
    pub several: bool,
}

/// What a run does with a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowUse {
    /// The row.
    pub row: Row,
    /// How often its field is written.
    pub writes: usize,
    /// How often it is written after the object's creation.
    pub later: usize,
}

/// Whether a mount path is where a volume is staged (rather than published to a Pod).
pub fn is_staging(path: &str) -> bool {
    path.ends_with("/globalmount") || path.contains("/volumeDevices/staging/")
}

/// The object that an effect changes.
pub fn object_of(effect: &Effect) -> Option<&ObjectRef> {
    match effect {
        Effect::Write { object, .. }
        | Effect::Create { object, .. }
        | Effect::Delete { object, .. }
        | Effect::Event { object, .. } => Some(object),
        Effect::Rpc { .. } | Effect::Mount { .. } | Effect::Unmount { .. } | Effect::Device { .. } => None,
    }
}

impl Cast {
    /// The cast of a run: who acts, and what is written, read or mounted.
    pub fn of(run: &Run) -> Cast {
        let start = run.trace.snapshot(0);
        let real = Real::of(run, &start);
        let mut actors: BTreeSet<Actor> = BTreeSet::new();
        for step in &run.trace.steps {
            actors.insert(step.actor.clone());
            actors.extend(step.waits.iter().map(|(a, _)| a.clone()));
            for effect in &step.effects {
                if let Effect::Rpc { caller, callee, .. } = effect {
                    actors.extend([caller.clone(), callee.clone()]);
                }
            }
        }
        // A process that is down has its place, though it does nothing; the controllers that stop together with
        // one of them do not.
        let down = run.trace.steps.iter().flat_map(|s| &s.down).chain(&run.trace.down);
        actors.extend(down.filter(|a| home::zone_of(a.role) != Some(Zone::ControlPlane)).cloned());
        // The kernel is drawn by its things.
        let mut actors: Vec<Actor> = actors.into_iter().filter(|a| home::zone_of(a.role).is_some()).collect();
        actors.sort_by_key(|a| (home::LANE.iter().position(|r| *r == a.role), a.node.clone()));
        let mut nodes: Vec<String> = Vec::new();
        for node in real.nodes().chain(actors.iter().filter_map(|a| a.node.as_ref())) {
            if !nodes.contains(node) {
                nodes.push(node.clone());
            }
        }
        nodes.sort();
        Cast { actors, objects: objects(run, &start), nodes, real }
    }

    /// The actors of a lane; of a Node's, those of this Node.
    pub fn lane(&self, zone: Zone, node: Option<&str>) -> Vec<&Actor> {
        let here =
            |a: &&Actor| home::zone_of(a.role) == Some(zone) && (node.is_none() || a.node.as_deref() == node);
        self.actors.iter().filter(here).collect()
    }

    /// The end of an actor's key: its role, with its Node's name if that is not the first Node.
    pub fn actor_key(&self, actor: &Actor) -> String {
        match &actor.node {
            Some(node) if self.nodes.first() != Some(node) => format!("{}/{node}", actor.role.name()),
            Some(_) | None => actor.role.name().to_owned(),
        }
    }

    /// How many Pods there are.
    pub fn pods(&self) -> usize {
        self.objects.iter().filter(|o| o.object.kind == Kind::Pod).count()
    }
}

/// What is said of a field or of an object's Events.
type Said = BTreeMap<(ObjectRef, &'static str), RowUse>;

/// The objects that the run writes, and those that it reads and that are there; in order of their homes, then as the
/// run comes to them.
fn objects(run: &Run, start: &Snapshot) -> Vec<Object> {
    let mut found: Vec<ObjectRef> = Vec::new();
    let mut see = |object: &ObjectRef| {
        if !found.contains(object) {
            found.push(object.clone());
        }
    };
    let mut written: BTreeMap<ObjectRef, usize> = BTreeMap::new();
    let told: BTreeSet<&ObjectRef> =
        run.trace.steps.iter().flat_map(|s| s.effects.iter().filter_map(object_of).chain(&s.reads)).collect();
    // Objects that are there come first, in the order in which they came to be.
    for object in run.trace.given.iter().filter_map(object_of).filter(|o| told.contains(o)) {
        if start.objects.get(object).is_some_and(|v| v.exists) {
            see(object);
        }
    }
    for step in &run.trace.steps {
        for object in step.effects.iter().filter_map(object_of) {
            see(object);
        }
        for effect in &step.effects {
            // Events tell of an object and leave it as it is.
            if let (Some(object), false) = (object_of(effect), matches!(effect, Effect::Event { .. })) {
                *written.entry(object.clone()).or_default() += 1;
            }
        }
    }
    let said = said(run);
    let mut first: BTreeSet<Kind> = BTreeSet::new();
    let kinds: Vec<Kind> = found.iter().map(|o| o.kind).collect();
    let mut all: Vec<Object> = found
        .into_iter()
        .map(|object| {
            let kind = object.kind;
            let key = if first.insert(kind) {
                kind.name().to_owned()
            } else {
                format!("{}/{}", kind.name(), object.name)
            };
            let uses =
                home::rows(kind).iter().filter_map(|row| said.get(&(object.clone(), row.field)).copied());
            let writes = written.get(&object).copied().unwrap_or_default();
            let told = run.trace.steps.iter().flat_map(|s| &s.effects).any(|e| object_of(e) == Some(&object));
            let several = kinds.iter().filter(|k| **k == kind).count() > 1;
            Object { key, rows: uses.collect(), writes, told, several, object }
        })
        .collect();
    all.sort_by_key(|o| home::SHELF.iter().position(|k| *k == o.object.kind));
    all
}

/// Which rows have something to show in this run, and how often that is written.
fn said(run: &Run) -> Said {
    let mut said = Said::new();
    let mut note = |effect: &Effect, times: usize, later: usize| {
        let (object, field) = match effect {
            Effect::Write { object, field, .. } => (object, *field),
            Effect::Event { object, .. } => (object, "event"),
            Effect::Create { .. }
            | Effect::Delete { .. }
            | Effect::Rpc { .. }
            | Effect::Mount { .. }
            | Effect::Unmount { .. }
            | Effect::Device { .. } => return,
        };
        let Some(row) = home::rows(object.kind).iter().find(|r| r.field == field) else { return };
        let entry = RowUse { row: *row, writes: 0, later: 0 };
        let of = said.entry((object.clone(), row.field)).or_insert(entry);
        of.writes += times;
        of.later += later;
    };
    run.trace.given.iter().for_each(|effect| note(effect, 0, 0));
    for step in &run.trace.steps {
        let creates = |o: Option<&ObjectRef>| {
            step.effects.iter().any(|e| matches!(e, Effect::Create { object, .. } if Some(object) == o))
        };
        for effect in &step.effects {
            let later = usize::from(!creates(object_of(effect)));
            note(effect, 1, later);
        }
    }
    said
}

impl Object {
    /// The rows it shows where there is room for at most so many; `basic` ones too, if nobody writes them, and if
    /// there are several of its kind those that tell it from the others.
    pub fn shown(&self, most: usize, basic: bool) -> Vec<Row> {
        let tells = |u: &RowUse| self.several && u.row.tells;
        let wanted = |u: &&RowUse| u.writes > 0 || tells(u) || (basic && u.row.basic);
        let mut rows: Vec<RowUse> = self.rows.iter().filter(wanted).copied().collect();
        if rows.is_empty() {
            rows.extend(self.rows.iter().find(|u| u.row.basic));
        }
        // What is written only at the creation goes first.
        while rows.len() > most.max(1) {
            let worst = (0..).zip(&rows).max_by_key(|(_, u)| (!tells(u) && u.later == 0, u.row.rank));
            let Some(place) = worst.map(|(place, _)| place) else { break };
            rows.remove(place);
        }
        rows.into_iter().map(|u| u.row).collect()
    }
}
