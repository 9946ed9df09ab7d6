//! Goals in words, such as `pod app runs`: read, and spelled out.

use crate::model::{ClaimId, Goal, Link, ObjectId, PodId, SnapshotId, VolumeId, World};
use std::fmt;

/// Why a text is no goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GoalError {
    /// It has another form than any goal.
    Form(String),
    /// It names something that is not there: its kind, the name, and those there are.
    Unknown(&'static str, String, Vec<String>),
}

/// What can be waited for, as it is written.
pub const FORMS: &[&str] = &[
    "pod NAME runs",
    "pod NAME deleted",
    "claim NAME bound",
    "claim NAME deleted",
    "claim NAME resized",
    "claim NAME modified",
    "volume NAME detached",
    "volume NAME detached from NODE",
    "volume NAME deleted",
    "snapshot NAME ready",
    "snapshot NAME deleted",
    "namespace emptied",
];

impl fmt::Display for GoalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GoalError::Form(text) => write!(f, "`{text}` is no goal, so give one of: {}", FORMS.join(", ")),
            GoalError::Unknown(kind, name, known) if known.is_empty() => {
                write!(
                    f,
                    "there is no {kind} `{name}`, and no other {kind} either, so ask about something else"
                )
            }
            GoalError::Unknown(kind, name, known) => {
                write!(f, "there is no {kind} `{name}`, so name one of: {}", known.join(", "))
            }
        }
    }
}

impl std::error::Error for GoalError {}

/// Reads a goal; a PersistentVolume may also be named by the claim that it is bound to, or made for.
///
/// # Errors
/// When it is none, or names something that the world does not have.
pub fn read_goal(world: &World, text: &str) -> Result<Goal, GoalError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    Ok(match words.as_slice() {
        ["pod", name, "runs"] => Goal::PodRuns(pod(world, name)?),
        ["pod", name, "deleted"] => Goal::PodGone(pod(world, name)?),
        ["claim", name, "bound"] => Goal::ClaimBound(claim(world, name)?),
        ["claim", name, "deleted"] => Goal::ClaimDeleted(claim(world, name)?),
        ["claim", name, "resized"] => Goal::ClaimResized(claim(world, name)?),
        ["claim", name, "modified"] => Goal::ClaimModified(claim(world, name)?),
        ["volume", name, "detached"] => Goal::VolumeDetached(volume(world, name)?),
        ["volume", name, "detached", "from", node] => {
            let (volume, named) = (volume(world, name)?, world.node_named(node));
            let all = world.nodes().map(ObjectId::Node);
            let node = named.ok_or_else(|| unknown(world, "node", node, all))?;
            Goal::DetachedFrom(Link { volume, node })
        }
        ["volume", name, "deleted"] => Goal::VolumeDeleted(volume(world, name)?),
        ["snapshot", name, "ready"] => Goal::SnapshotReady(snapshot(world, name)?),
        ["snapshot", name, "deleted"] => Goal::SnapshotDeleted(snapshot(world, name)?),
        ["namespace", "emptied"] => Goal::NamespaceEmptied,
        _ => return Err(GoalError::Form(text.into())),
    })
}

/// Spells a goal out.
pub fn goal_text(world: &World, goal: Goal) -> String {
    let name = |object| world.object(object).name;
    match goal {
        Goal::PodRuns(id) => format!("pod {} runs", name(ObjectId::Pod(id))),
        Goal::PodGone(id) => format!("pod {} deleted", name(ObjectId::Pod(id))),
        Goal::ClaimBound(id) => format!("claim {} bound", name(ObjectId::Claim(id))),
        Goal::ClaimDeleted(id) => format!("claim {} deleted", name(ObjectId::Claim(id))),
        Goal::ClaimResized(id) => format!("claim {} resized", name(ObjectId::Claim(id))),
        Goal::ClaimModified(id) => format!("claim {} modified", name(ObjectId::Claim(id))),
        Goal::VolumeDetached(id) => format!("volume {} detached", name(ObjectId::Volume(id))),
        Goal::DetachedFrom(link) => {
            let (volume, node) = (name(ObjectId::Volume(link.volume)), name(ObjectId::Node(link.node)));
            format!("volume {volume} detached from {node}")
        }
        Goal::VolumeDeleted(id) => format!("volume {} deleted", name(ObjectId::Volume(id))),
        Goal::SnapshotReady(id) => format!("snapshot {} ready", name(ObjectId::Snapshot(id))),
        Goal::SnapshotDeleted(id) => format!("snapshot {} deleted", name(ObjectId::Snapshot(id))),
        Goal::NamespaceEmptied => "namespace emptied".into(),
    }
}

fn pod(world: &World, name: &str) -> Result<PodId, GoalError> {
    world.pod_named(name).ok_or_else(|| unknown(world, "pod", name, world.pods().map(ObjectId::Pod)))
}

fn claim(world: &World, name: &str) -> Result<ClaimId, GoalError> {
    world.claim_named(name).ok_or_else(|| unknown(world, "claim", name, world.claims().map(ObjectId::Claim)))
}

fn volume(world: &World, name: &str) -> Result<VolumeId, GoalError> {
    let of_claim = || world.claim_named(name).and_then(|claim| world.provisions(claim));
    let found = world.volume_named(name).or_else(of_claim);
    found.ok_or_else(|| unknown(world, "volume", name, world.volumes().map(ObjectId::Volume)))
}

fn snapshot(world: &World, name: &str) -> Result<SnapshotId, GoalError> {
    let found = world.snapshots().find(|id| world.snapshot(*id).name == name);
    found.ok_or_else(|| unknown(world, "snapshot", name, world.snapshots().map(ObjectId::Snapshot)))
}

fn unknown(world: &World, kind: &'static str, name: &str, all: impl Iterator<Item = ObjectId>) -> GoalError {
    GoalError::Unknown(kind, name.into(), all.map(|object| world.object(object).name).collect())
}
