//! The cast of a run: which actors, objects and things its picture has a place for.

use super::{Layout, home};
use crate::model::{Actor, Kind, ObjectRef, Role};
use crate::trace::{Effect, Run};
use std::collections::BTreeSet;

/// What appears in the pictures of a run. One object of each kind and the parts of one Node are drawn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cast {
    /// Who acts or answers.
    pub actors: Vec<Actor>,
    /// What is written: the first object of each kind.
    pub objects: Vec<ObjectRef>,
    /// The Node whose actors act.
    pub node: Option<String>,
    /// The volume's handle at the backend.
    pub volume: Option<String>,
    /// The staging path.
    pub staging: Option<String>,
    /// The Pod's mount path.
    pub target: Option<String>,
}

/// Whether a mount path is where a volume is staged (rather than published to a Pod).
pub fn is_staging(path: &str) -> bool {
    path.ends_with("/globalmount")
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
    /// The cast of a run in a layout: what the run uses and the layout has a home for.
    pub fn of(run: &Run, layout: Layout) -> Cast {
        let mut cast = Cast::default();
        let mut actors = BTreeSet::new();
        let mut kinds: BTreeSet<Kind> = BTreeSet::new();
        for step in &run.trace.steps {
            actors.insert(step.actor.clone());
            actors.extend(step.waits.iter().map(|(a, _)| a.clone()));
            for effect in &step.effects {
                cast.see(effect, &mut actors);
                if let Some(object) = object_of(effect)
                    && home::card(object.kind, layout).is_some()
                    && kinds.insert(object.kind)
                {
                    cast.objects.push(object.clone());
                }
            }
        }
        let mut roles: BTreeSet<Role> = BTreeSet::new();
        for actor in actors {
            if home::pill(actor.role, layout).is_some() && roles.insert(actor.role) {
                cast.node = cast.node.or_else(|| actor.node.clone());
                cast.actors.push(actor);
            }
        }
        cast.objects.sort();
        cast
    }

    fn see(&mut self, effect: &Effect, actors: &mut BTreeSet<Actor>) {
        match effect {
            Effect::Rpc { caller, callee, .. } => actors.extend([caller.clone(), callee.clone()]),
            Effect::Mount { path, .. } | Effect::Unmount { path, .. } => {
                let place = if is_staging(path) { &mut self.staging } else { &mut self.target };
                place.get_or_insert_with(|| path.clone());
            }
            Effect::Device { path, .. } => {
                self.volume.get_or_insert_with(|| path.clone());
            }
            Effect::Write { .. } | Effect::Create { .. } | Effect::Delete { .. } | Effect::Event { .. } => {}
        }
    }

    /// The object of this kind, if it is in the picture.
    pub fn object(&self, kind: Kind) -> Option<&ObjectRef> {
        self.objects.iter().find(|o| o.kind == kind)
    }

    /// Whether this object is the one that its kind's card shows.
    pub fn shows(&self, object: &ObjectRef) -> bool {
        self.objects.contains(object)
    }

    /// Whether this actor has a pill.
    pub fn has(&self, actor: &Actor) -> bool {
        self.actors.contains(actor)
    }

    /// Whether anything of this zone is in the picture.
    pub fn uses(&self, zone: home::Zone) -> bool {
        match zone {
            home::Zone::Declared => !self.objects.is_empty(),
            home::Zone::ControlPlane | home::Zone::CsiController | home::Zone::Node => {
                self.actors.iter().any(|a| home::zone_of(a.role) == Some(zone))
            }
            home::Zone::Backend => self.volume.is_some(),
            home::Zone::Kernel => self.volume.is_some() || self.staging.is_some() || self.target.is_some(),
        }
    }

    /// The real things in the picture.
    pub fn things(&self) -> Vec<home::Thing> {
        let mut out = Vec::new();
        if self.volume.is_some() {
            out.extend([home::Thing::Volume, home::Thing::Device]);
        }
        if self.staging.is_some() {
            out.push(home::Thing::Staging);
        }
        if self.target.is_some() {
            out.push(home::Thing::Target);
            if self.object(Kind::Pod).is_some() {
                out.push(home::Thing::Container);
            }
        }
        out
    }
}
