//! Which lines of a recording concern the model, and how each of them reads in the model's words.

use super::recording::{Observation, Seen};
use super::replay_world::gib;
use crate::model::{Action, Kind, OWNERS, REASONS, Role, Subject, World, candidates};
use std::collections::BTreeMap;

/// Who writes, in recordings, under a name other than the role's.
const ALIASES: [(&str, Role); 1] = [("kernel", Role::DriverNode)];

/// Roles that act on behalf of somebody outside of the model: only what an act of theirs is about is explained.
const INPUTS: [Role; 6] = [
    Role::User,
    Role::NodeLifecycle,
    Role::NamespaceController,
    Role::PodGc,
    Role::GarbageCollector,
    Role::TaintEviction,
];

/// Whose each finalizer is, by the start of its text. Others are the user's.
const FINALIZERS: [(&str, Role); 7] = [
    ("kubernetes.io/pvc-protection", Role::PvcProtection),
    ("kubernetes.io/pv-protection", Role::PvProtection),
    ("external-provisioner.", Role::ExternalProvisioner),
    ("external-attacher/", Role::ExternalAttacher),
    ("provisioner.storage.", Role::ExternalProvisioner),
    ("snapshot.storage.", Role::SnapshotController),
    ("", Role::User),
];

/// Fields that the model writes and no recording shows.
const UNRECORDED: [&str; 4] = [
    "spec.volumeAttributesClassName",
    "status.currentVolumeAttributesClassName",
    "status.modifyVolumeStatus.status",
    "metadata.annotations[snapshot.storage.kubernetes.io/volumesnapshot-being-created]",
];

/// Who has rules, and about which kinds of objects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scope(Vec<(Role, Option<Kind>)>);

impl Scope {
    /// Read off everything that could ever happen.
    pub fn of(world: &World) -> Self {
        let mut known: Vec<_> = candidates(world).map(|action| (action.role(), kind(action))).collect();
        known.sort_unstable();
        known.dedup();
        Self(known)
    }

    /// Whether this role has rules.
    pub fn acts(&self, role: Role) -> bool {
        self.0.iter().any(|(known, _)| *known == role)
    }

    /// Whether this role has rules about objects of this kind.
    pub fn acts_on(&self, role: Role, kind: Kind) -> bool {
        self.0.contains(&(role, Some(kind)))
    }

    /// Whether a write of this role to such an object is the model's to explain.
    fn explains(&self, role: Role, kind: Kind) -> bool {
        if INPUTS.contains(&role) { self.acts_on(role, kind) } else { self.acts(role) }
    }
}

/// The kind of object that an action is about.
fn kind(action: Action) -> Option<Kind> {
    Some(match action.subject() {
        Subject::Pod(_) => Kind::Pod,
        Subject::Link(_) => Kind::VolumeAttachment,
        Subject::Node(_) => Kind::Node,
        Subject::Claim(_) => Kind::PersistentVolumeClaim,
        Subject::Volume(_) => Kind::PersistentVolume,
        Subject::Class(_) => Kind::StorageClass,
        Subject::Snapshot(_) => Kind::VolumeSnapshot,
        Subject::Fault(_) => return None,
    })
}

/// What the replay does with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Concern {
    /// An action must explain it.
    Explain(Observation),
    /// Somebody without rules wrote what the model's actors react to: it happens.
    Impose(Observation),
    /// It is about nothing that the model holds.
    Skip,
}

/// The role of whoever did it, such as `kubelet/node-1`.
pub fn role(by: &str) -> Option<Role> {
    let name = by.split('/').next().unwrap_or(by);
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name).map(|(_, role)| *role);
    alias.or_else(|| Role::named(name))
}

/// The kind of an object, such as `Pod/app`.
pub fn kind_of(object: &str) -> Option<Kind> {
    object.split('/').next().and_then(Kind::named)
}

/// What a line is to the replay, in the model's words.
pub fn concern(scope: &Scope, seen: &Observation) -> Concern {
    let Some(role) = role(&seen.by) else { return Concern::Skip };
    let explained = match &seen.what {
        Seen::Given(..) | Seen::Note(_) => false,
        Seen::Create(object, _) | Seen::Update(object, _) | Seen::Delete(object) => {
            let Some(kind) = kind_of(object) else { return Concern::Skip };
            if !scope.explains(role, kind) {
                return if is_imposed(&seen.what) { Concern::Impose(seen.clone()) } else { Concern::Skip };
            }
            return normal(scope, kind, seen).map_or(Concern::Skip, Concern::Explain);
        }
        Seen::Event(_, _, reason, _) => scope.acts(role) && REASONS.contains(&(role, reason.as_str())),
        Seen::Call(..) | Seen::Rpc(..) | Seen::Mount(_) | Seen::Unmount(_) => scope.acts(role),
    };
    if explained { Concern::Explain(seen.clone()) } else { Concern::Skip }
}

/// Deletions, by whomever: actors react to them.
fn is_imposed(what: &Seen) -> bool {
    match what {
        Seen::Update(object, changes) => {
            let held =
                [Kind::Pod, Kind::PersistentVolumeClaim, Kind::PersistentVolume, Kind::VolumeAttachment];
            kind_of(object).is_some_and(|kind| held.contains(&kind))
                && changes.contains_key("metadata.deletionTimestamp")
        }
        Seen::Delete(object) => kind_of(object) == Some(Kind::Pod),
        Seen::Given(..)
        | Seen::Note(_)
        | Seen::Create(..)
        | Seen::Event(..)
        | Seen::Call(..)
        | Seen::Rpc(..)
        | Seen::Mount(_)
        | Seen::Unmount(_) => false,
    }
}

/// A line with those fields that the model writes, named as the model names them; `None` when none is left.
fn normal(scope: &Scope, kind: Kind, seen: &Observation) -> Option<Observation> {
    let what = match &seen.what {
        Seen::Create(object, fields) => {
            let fields = fields.iter().map(|(field, to)| (named(field), to));
            let fields = fields.filter(|(field, _)| is_modelled(kind, field));
            let fields = fields.map(|(field, to)| {
                let to = value(scope, kind, &field, to);
                (field, to)
            });
            Seen::Create(object.clone(), fields.filter(|(_, to)| to.is_some()).collect())
        }
        Seen::Update(object, changes) => {
            let changes = changes.iter().map(|(field, pair)| (named(field), pair));
            let changes = changes.filter(|(field, _)| is_modelled(kind, field));
            let changes: BTreeMap<_, _> = changes
                .map(|(field, (from, to))| {
                    let pair = (value(scope, kind, &field, from), value(scope, kind, &field, to));
                    (field, pair)
                })
                .filter(|(_, (from, to))| from != to)
                .collect();
            if changes.is_empty() {
                return None;
            }
            Seen::Update(object.clone(), changes)
        }
        Seen::Given(..)
        | Seen::Note(_)
        | Seen::Delete(_)
        | Seen::Event(..)
        | Seen::Call(..)
        | Seen::Rpc(..)
        | Seen::Mount(_)
        | Seen::Unmount(_) => seen.what.clone(),
    };
    Some(Observation { what, ..seen.clone() })
}

/// Whether some rule writes this field.
fn is_modelled(kind: Kind, field: &str) -> bool {
    OWNERS.iter().any(|row| row.kind == kind && row.field.path() == field)
}

/// A recording's field by its path.
fn named(field: &str) -> String {
    if let Some(annotation) = field.strip_prefix("annotation ") {
        return format!("metadata.annotations[{annotation}]");
    }
    if field.starts_with("status.container ") { "status.containerStatuses".into() } else { field.into() }
}

/// A field's value as the model spells it. Of finalizers only those count whose actors have rules: the others come
/// and go around the model.
pub fn value(scope: &Scope, kind: Kind, field: &str, value: &Option<String>) -> Option<String> {
    let text = value.as_ref()?;
    match (kind, field) {
        _ if UNRECORDED.contains(&field) => None,
        (_, "metadata.finalizers") => {
            let owner = |f: &str| FINALIZERS.iter().find(|(start, _)| f.starts_with(start)).map(|row| row.1);
            let counts = |f: &&str| owner(f).is_some_and(|role| scope.acts(role));
            let known: Vec<&str> = text.split(", ").filter(counts).collect();
            (!known.is_empty()).then(|| known.join(", "))
        }
        // The model counts in GiB; a status is no quantity.
        (_, field) if field.ends_with(".storage") && text.starts_with(|c: char| c.is_ascii_digit()) => {
            Some(format!("{}Gi", gib(Some(text))))
        }
        // A Node's annotations are not recorded.
        (Kind::Node, "metadata.annotations[csi.volume.kubernetes.io/nodeid]") => None,
        // `NAMESPACE/CLAIM uid`
        (Kind::PersistentVolume, "spec.claimRef") => text.split(' ').next().map(str::to_owned),
        _ => Some(text.clone()),
    }
}

/// Where a line comes from: the API server's log, its watchers, the calls, or a Node's mount table. What one source
/// shows stands in the order in which it happened.
pub fn source(seen: &Observation) -> (u8, &str) {
    match &seen.what {
        Seen::Given(..) | Seen::Note(_) | Seen::Create(..) | Seen::Update(..) => (0, ""),
        // Events and deletions are noted by watchers, each when it hears of them.
        Seen::Event(..) | Seen::Delete(_) => (1, &seen.by),
        Seen::Call(..) | Seen::Rpc(..) => (2, ""),
        Seen::Mount(_) | Seen::Unmount(_) => (3, &seen.by),
    }
}

/// Two writers that take finalizers off one object at almost the same time may both stand under one name: gives each
/// its own. The one who is named has a finalizer of its own there.
pub fn by_owner(seen: &mut [Observation]) {
    let owner = |finalizer: &str| {
        FINALIZERS.iter().find(|(start, _)| finalizer.starts_with(start)).map_or(Role::User, |row| row.1)
    };
    for line in seen {
        let Seen::Update(object, changes) = &line.what else { continue };
        // Who takes the finalizer off a VolumeAttachment stands for the deletion before it, too, and deletes none.
        let deleted = changes.contains_key("metadata.deletionTimestamp");
        if deleted
            && kind_of(object) == Some(Kind::VolumeAttachment)
            && line.by == Role::ExternalAttacher.name()
        {
            line.by = Role::AttachDetachController.name().into();
            continue;
        }
        let Some((Some(from), to)) = changes.get("metadata.finalizers") else { continue };
        let kept: Vec<&str> = to.iter().flat_map(|to| to.split(", ")).collect();
        let mut lifted = from.split(", ").filter(|finalizer| !kept.contains(finalizer));
        let (Some(finalizer), None) = (lifted.next(), lifted.next()) else { continue };
        let named = role(&line.by);
        let holds = kept.iter().any(|finalizer| Some(owner(finalizer)) == named);
        let held = [Kind::PersistentVolume, Kind::PersistentVolumeClaim].map(Some);
        if holds && held.contains(&kind_of(object)) && owner(finalizer) != Role::User {
            line.by = owner(finalizer).name().into();
        }
    }
}
