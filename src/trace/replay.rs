//! Is a recording of a real cluster a run of the model? The first line that no rule explains says no.

use super::recording::{Observation, ReadError, Seen, read};
use super::replay_match::{expected, normal, shows};
use super::replay_nearest::{Nearest, nearest};
use super::replay_world::{UnknownWorld, world};
use super::{Effect, render};
use crate::model::{Cluster, Role, World, apply, candidates};
use std::collections::BTreeSet;
use std::fmt;

/// How far observations of different sources may be out of step, in milliseconds.
const SKEW_MS: u64 = 50;
/// How long one action may take from its first observation to its last, in milliseconds.
const SPAN_MS: u64 = 1000;

/// A recording that the model accepts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Accepted {
    /// How many lines were explained.
    pub explained: usize,
    /// The numbers of the first and the last of them.
    pub lines: (usize, usize),
    /// How many states the cluster may be in at the end.
    pub states: usize,
}

/// Why a recording is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayError {
    /// It cannot be read.
    Read(ReadError),
    /// It does not tell enough of its world.
    World(UnknownWorld),
    /// It creates no Pod.
    NoPod,
    /// No rule explains a line.
    Unexplained(Box<Unexplained>),
}

/// The first line that no rule explains.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unexplained {
    /// Its number.
    pub line: usize,
    /// Who did it.
    pub by: String,
    /// What it shows.
    pub what: Seen,
    /// The rules that come nearest, with what each lacked.
    pub nearest: Vec<Nearest>,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Read(error) => error.fmt(f),
            ReplayError::World(error) => error.fmt(f),
            ReplayError::NoPod => write!(f, "the recording creates no Pod, so there is nothing to replay"),
            ReplayError::Unexplained(unexplained) => {
                let Unexplained { line, by, what, nearest } = unexplained.as_ref();
                write!(f, "line {line}: no rule explains that {by} shows {what}")?;
                nearest.iter().try_for_each(|near| write!(f, "; {near}"))
            }
        }
    }
}

impl std::error::Error for ReplayError {}

/// Replays a recording from its first Pod's creation on.
///
/// # Errors
/// When it cannot be read, and at the first line that no enabled rule of the right actor explains.
pub fn replay(text: &str) -> Result<Accepted, ReplayError> {
    let seen = read(text).map_err(ReplayError::Read)?;
    let world = world(&seen).map_err(ReplayError::World)?;
    let is_pod = |o: &Observation| matches!(&o.what, Seen::Create(object, _) if object.starts_with("Pod/"));
    let start = seen.iter().position(is_pod).ok_or(ReplayError::NoPod)?;
    let lines: Vec<Observation> =
        seen.iter().skip(start).filter(|o| concerns(o)).filter_map(normal).collect();
    let mut search = Search { world: &world, lines: &lines, states: BTreeSet::new() };
    search.states.insert(State { cluster: world.initial(), explained: BTreeSet::new() });
    for at in 0..lines.len() {
        search.explain(at)?;
    }
    let number = |o: Option<&Observation>| o.map_or(0, |o| o.line);
    Ok(Accepted {
        explained: lines.len(),
        lines: (number(lines.first()), number(lines.last())),
        states: search.states.len(),
    })
}

/// Whether a line is about what the model holds. Claims, classes and provisioning are outside of it.
fn concerns(seen: &Observation) -> bool {
    match &seen.what {
        Seen::Given(..) | Seen::Note => false,
        Seen::Create(object, _) | Seen::Update(object, _) | Seen::Delete(object) => {
            ["Pod/", "VolumeAttachment/", "Node/"].iter().any(|kind| object.starts_with(kind))
                || (object.starts_with("PersistentVolume/")
                    && (seen.by == Role::ExternalAttacher.name() || is_volume_deletion(seen)))
        }
        Seen::Event(object, _, reason, _) => {
            let known = [
                "Scheduled",
                "SuccessfulAttachVolume",
                "FailedAttachVolume",
                "Pulled",
                "Created",
                "Started",
                "Killing",
                "FailedMount",
                "FailedMapVolume",
                "SuccessfulMountVolume",
            ];
            object.starts_with("Pod/") && known.contains(&reason.as_str())
        }
        Seen::Call(..) | Seen::Rpc(..) => {
            let by = seen.by.split('/').next();
            by == Some(Role::ExternalAttacher.name()) || by == Some(Role::Kubelet.name())
        }
        Seen::Mount(_) | Seen::Unmount(_) => true,
    }
}

/// The PersistentVolume's deletion comes from outside of the model, and the external-attacher reacts to it.
fn is_volume_deletion(seen: &Observation) -> bool {
    matches!(&seen.what, Seen::Update(object, changes)
        if object.starts_with("PersistentVolume/") && changes.contains_key("metadata.deletionTimestamp"))
}

/// A state that the cluster may be in: lines that stand further down are explained already.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct State {
    cluster: Cluster,
    explained: BTreeSet<usize>,
}

struct Search<'r> {
    world: &'r World,
    lines: &'r [Observation],
    states: BTreeSet<State>,
}

impl Search<'_> {
    /// Goes on to the states in which one more line is explained.
    fn explain(&mut self, at: usize) -> Result<(), ReplayError> {
        let Some(line) = self.lines.get(at) else { return Ok(()) };
        let mut found = BTreeSet::new();
        let mut visited = BTreeSet::new();
        // The states from which no action leads on that leaves no line, or lines that are there.
        let mut furthest = Vec::new();
        let mut open: Vec<State> = std::mem::take(&mut self.states).into_iter().collect();
        while let Some(mut state) = open.pop() {
            if state.explained.remove(&at) {
                found.insert(state);
            } else if is_volume_deletion(line) {
                for volume in self.world.volumes() {
                    state.cluster.volume_mut(volume).deleting = true;
                }
                found.insert(state);
            } else if !visited.contains(&state) {
                let next = self.successors(&state, at);
                if next.is_empty() {
                    furthest.push(state.cluster);
                }
                open.extend(next);
                visited.insert(state);
            }
        }
        if found.is_empty() {
            return Err(ReplayError::Unexplained(Box::new(Unexplained {
                line: line.line,
                by: line.by.clone(),
                what: line.what.clone(),
                nearest: nearest(self.world, line, &furthest),
            })));
        }
        self.states = found;
        Ok(())
    }

    /// The states that one action leads to, if the lines that it leaves stand where they may.
    fn successors(&self, state: &State, at: usize) -> Vec<State> {
        let follow = |action| {
            let outcome = apply(self.world, &state.cluster, action).ok()?;
            let effects: Vec<Effect> =
                outcome.changes.iter().map(|change| render::effect(self.world, *change)).collect();
            let explained = self.place(&effects, &state.explained, at)?;
            Some(State { cluster: outcome.cluster, explained })
        };
        candidates(self.world).filter_map(follow).collect()
    }

    /// Finds the lines that an action's effects left, from line `at` on, and adds them to those explained.
    fn place(&self, effects: &[Effect], explained: &BTreeSet<usize>, at: usize) -> Option<BTreeSet<usize>> {
        let now = self.lines.get(at)?.t_ms;
        let mut explained = explained.clone();
        let mut from = at;
        for (nth, wanted) in expected(effects).into_iter().enumerate() {
            let until = now + if nth == 0 { SKEW_MS } else { SPAN_MS };
            let mut open = (from..).zip(self.lines.iter().skip(from)).filter(|(n, _)| !explained.contains(n));
            let mut passed: Vec<&Observation> = Vec::new();
            let found = open.find_map(|(number, line)| {
                if line.t_ms > until {
                    return Some(None);
                }
                // What one source shows stands in the order in which it happened.
                let late = nth == 0 && passed.iter().any(|p| source(p) == source(line));
                passed.push(line);
                shows(line, &wanted).then_some((!late).then_some(number))
            });
            let number = found.flatten()?;
            explained.insert(number);
            from = number;
        }
        Some(explained)
    }
}

/// Where an observation comes from: the API server's log, its watchers, the calls, or a Node's mount table.
fn source(seen: &Observation) -> (u8, &str) {
    match &seen.what {
        Seen::Given(..) | Seen::Note | Seen::Create(..) | Seen::Update(..) => (0, ""),
        // Events and deletions are noted by watchers, each when it hears of them.
        Seen::Event(..) | Seen::Delete(_) => (1, &seen.by),
        Seen::Call(..) | Seen::Rpc(..) => (2, ""),
        Seen::Mount(_) | Seen::Unmount(_) => (3, &seen.by),
    }
}
