//! Is a recording of a real cluster a run of the model? The first line that no rule explains says no.

use super::recording::{Observation, ReadError, Seen, read};
use super::replay_match::{expected, normal, shows};
use super::replay_world::{UnknownWorld, world};
use super::{Effect, render};
use crate::model::{Action, Cluster, Refusal, Role, World, apply, candidates};
use std::collections::BTreeSet;
use std::fmt;

/// How far observations of different sources may be out of step, in milliseconds.
const SKEW_MS: u64 = 50;
/// How long one action may take from its first observation to its last, in milliseconds.
const SPAN_MS: u64 = 1000;
/// How many rules an error names.
const NEAREST: usize = 3;

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

/// A rule that could have explained a line, and why it did not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Nearest {
    /// Its rule did not allow it then.
    Refused(Refusal),
    /// It was possible, but would have left another line.
    Otherwise {
        /// The action.
        action: Action,
        /// Who would have done it.
        by: String,
        /// What it would have left.
        what: Seen,
    },
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
    /// No rule explains this line.
    Unexplained {
        /// Its number.
        line: usize,
        /// Who did it.
        by: String,
        /// What it shows.
        what: Seen,
        /// The rules that come nearest, with what each lacked.
        nearest: Vec<Nearest>,
    },
}

impl fmt::Display for Nearest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Nearest::Refused(refusal) => refusal.fmt(f),
            Nearest::Otherwise { action, by, what } => {
                write!(f, "{} (rule {}): it would show {what} by {by}", action.name(), action.rule())
            }
        }
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Read(error) => error.fmt(f),
            ReplayError::World(error) => error.fmt(f),
            ReplayError::NoPod => write!(f, "the recording creates no Pod, so there is nothing to replay"),
            ReplayError::Unexplained { line, by, what, nearest } => {
                write!(f, "line {line}: no rule explains that {by} shows {what}")?;
                for near in nearest {
                    write!(f, "; {near}")?;
                }
                Ok(())
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
    search.states.insert(State::default());
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
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
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
                open.extend(self.successors(&state, at));
                visited.insert(state);
            }
        }
        if found.is_empty() {
            return Err(ReplayError::Unexplained {
                line: line.line,
                by: line.by.clone(),
                what: line.what.clone(),
                nearest: self.nearest(line, &visited),
            });
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
                // What one source or one actor shows stands in the order in which it happened.
                let late = nth == 0 && passed.iter().any(|p| source(p) == source(line) || p.by == line.by);
                passed.push(line);
                shows(line, &wanted).then_some((!late).then_some(number))
            });
            let number = found.flatten()?;
            explained.insert(number);
            from = number;
        }
        Some(explained)
    }

    /// The rules that come nearest to a line: they tell of such things, but not now, or not like this.
    fn nearest(&self, line: &Observation, visited: &BTreeSet<State>) -> Vec<Nearest> {
        let mut nearest = Vec::new();
        for action in candidates(self.world).filter(|a| tells_of(*a, line)) {
            for state in visited {
                let near = match apply(self.world, &state.cluster, action) {
                    Err(refusal) => Nearest::Refused(refusal),
                    Ok(outcome) => {
                        let effects: Vec<Effect> =
                            outcome.changes.iter().map(|c| render::effect(self.world, *c)).collect();
                        let Some(first) = expected(&effects).into_iter().next() else { continue };
                        Nearest::Otherwise { action, by: first.by, what: first.what }
                    }
                };
                if nearest.len() < NEAREST && !nearest.contains(&near) {
                    nearest.push(near);
                }
            }
        }
        nearest
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

/// Whether an action leaves lines of this kind, in whatever state.
fn tells_of(action: Action, line: &Observation) -> bool {
    let names: &[&str] = match &line.what {
        Seen::Given(..) | Seen::Note => &[],
        Seen::Create(object, _) if object.starts_with("Pod/") => &["user-creates-pod"],
        Seen::Create(..) => &["adc-creates-attachment"],
        Seen::Delete(object) if object.starts_with("Pod/") => &["kubelet-removes-pod", "user-deletes-pod"],
        Seen::Delete(_) => &["attacher-releases-attachment", "adc-deletes-attachment"],
        Seen::Update(object, changes) => {
            let kind = object.split('/').next().unwrap_or_default();
            match (kind, changes.keys().next_back().map(String::as_str)) {
                ("Pod", Some("spec.nodeName")) => &["scheduler-binds-pod"],
                ("Pod", Some("metadata.deletionTimestamp")) => &["user-deletes-pod"],
                ("Pod", Some("status.containerStatuses")) => &["kubelet-admits-pod"],
                ("Pod", _) => &["kubelet-starts-containers", "kubelet-reports-containers-ended"],
                ("PersistentVolume", _) => &["attacher-finalizes-volume", "attacher-releases-volume"],
                ("VolumeAttachment", Some("status.attached")) => {
                    &["attacher-records-attached", "attacher-marks-attached-at-once"]
                }
                ("VolumeAttachment", Some("metadata.deletionTimestamp")) => &["adc-deletes-attachment"],
                ("VolumeAttachment", _) => &["attacher-finalizes-attachment"],
                ("Node", Some("status.volumesAttached")) => &["adc-lists-attached", "adc-unlists-attached"],
                ("Node", _) => &["kubelet-reports-in-use", "kubelet-reports-not-in-use"],
                _ => &[],
            }
        }
        Seen::Event(_, _, reason, _) => match reason.as_str() {
            "Scheduled" => &["scheduler-binds-pod"],
            "SuccessfulAttachVolume" => &["adc-notices-attached"],
            "FailedAttachVolume" => &["adc-reports-multi-attach"],
            "Killing" => &["kubelet-stops-containers"],
            _ => &["kubelet-starts-containers"],
        },
        Seen::Call(method, _) => match method.as_str() {
            "ControllerPublishVolume" => &["attacher-calls-controller-publish"],
            "ControllerUnpublishVolume" => &["attacher-calls-controller-unpublish"],
            "NodeStageVolume" => &["kubelet-calls-node-stage"],
            "NodePublishVolume" => &["kubelet-calls-node-publish"],
            "NodeUnpublishVolume" => &["kubelet-calls-node-unpublish"],
            _ => &["kubelet-calls-node-unstage"],
        },
        Seen::Rpc(method, ..) => match method.as_str() {
            "ControllerPublishVolume" => &["attacher-receives-publish-ok"],
            "ControllerUnpublishVolume" => &["attacher-receives-unpublish-ok"],
            "NodeStageVolume" => &["kubelet-receives-stage-ok"],
            "NodePublishVolume" => &["kubelet-receives-publish-ok"],
            "NodeUnpublishVolume" => &["kubelet-receives-unpublish-ok"],
            _ => &["kubelet-receives-unstage-ok"],
        },
        Seen::Mount(_) => &["driver-stages-volume", "driver-publishes-volume"],
        Seen::Unmount(_) => &["driver-unpublishes-volume", "driver-unstages-volume"],
    };
    names.contains(&action.name())
}
