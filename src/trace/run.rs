//! A recorded run, and the reader's steps it is told in.

use super::{Effect, Snapshot};
use crate::model::{Actor, ObjectRef};
use std::fmt;
use std::ops::Range;

/// One action of the model, as it happened in a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Its number in the run, from 1.
    pub index: usize,
    /// Its name, unique in the run: the action's, with `-2`, `-3` … for a repetition.
    pub id: String,
    /// Who acted.
    pub actor: Actor,
    /// The model's name of the action, such as `adc-creates-attachment`.
    pub action: &'static str,
    /// The id of the rule it follows, such as `AD6`.
    pub rule: &'static str,
    /// Where Kubernetes or CSI say so: a source path or a section of the CSI specification.
    pub source: &'static str,
    /// Simulated time since the start of the run, in milliseconds.
    pub sim_ms: u64,
    /// What it did, in order.
    pub effects: Vec<Effect>,
    /// The objects whose state the actor looked at to act (watch, list or GET).
    pub reads: Vec<ObjectRef>,
    /// Who waits for what after this action: an actor and a short fact it waits for, such as
    /// `status.attached: true`.
    pub waits: Vec<(Actor, &'static str)>,
    /// Which processes are down after this action.
    pub down: Vec<Actor>,
}

/// One run of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The scenario's name.
    pub scenario: String,
    /// What was there before the first step, as the effects that would bring it about.
    pub given: Vec<Effect>,
    /// What happened, in order.
    pub steps: Vec<Step>,
    /// Which processes are down before the first step.
    pub down: Vec<Actor>,
    /// Whose `metadata.uid` stands in the paths of mounts: Pods, each with its uid.
    pub uids: Vec<(ObjectRef, String)>,
    /// What is known of the API objects beside that; the browser, which has no model, does without.
    #[cfg(not(target_arch = "wasm32"))]
    pub manifests: Vec<super::Manifest>,
}

/// One step for the reader: a stretch of the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepGroup {
    /// The actions it tells, as indices into `Trace::steps`.
    pub cues: Range<usize>,
    /// The action whose wires stay on the rest frame, as an index into `Trace::steps`.
    pub key: usize,
}

/// A run with the reader's steps it is told in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The run.
    pub trace: Trace,
    /// The steps, which cover the run without gaps.
    pub groups: Vec<StepGroup>,
}

/// Why a run cannot be told in the given steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GroupError {
    /// A step names no action.
    Empty {
        /// The step, from 1.
        step: usize,
    },
    /// The run does something else at this place than the steps say.
    Mismatch {
        /// The step, from 1.
        step: usize,
        /// What the step says.
        expected: String,
        /// What the run does; `None` when it has ended.
        found: Option<String>,
    },
    /// The run goes on after the last step.
    LeftOut {
        /// The first action that no step tells.
        found: String,
    },
    /// A step's key action is none of its own.
    ForeignKey {
        /// The step, from 1.
        step: usize,
        /// The key.
        key: String,
    },
}

impl Run {
    /// What the cluster looks like before the first action of a reader's step (`step` from 1).
    pub fn before(&self, step: usize) -> Snapshot {
        self.trace.snapshot(self.groups.get(step.wrapping_sub(1)).map_or(0, |g| g.cues.start))
    }
}

impl fmt::Display for GroupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GroupError::Empty { step } => write!(f, "step {step} tells no action, so give it one or drop it"),
            GroupError::Mismatch { step, expected, found: Some(found) } => {
                write!(f, "step {step} says `{expected}` where the run does `{found}`, so put that there")
            }
            GroupError::Mismatch { step, expected, found: None } => {
                write!(f, "step {step} says `{expected}` where the run has ended, so leave it out")
            }
            GroupError::LeftOut { found } => {
                write!(f, "no step tells `{found}`, so add it to the last one or write another")
            }
            GroupError::ForeignKey { step, key } => {
                write!(
                    f,
                    "step {step} has the key `{key}`, which is none of its actions, so pick one of them"
                )
            }
        }
    }
}

impl std::error::Error for GroupError {}

/// Tells a run in steps: each names its actions, by id or by action, in the order of the run, and its key.
///
/// # Errors
/// When a step is empty, when steps and run do not agree action by action, or when a key is not of its step.
pub fn group<A, N>(trace: Trace, steps: &[(A, N)]) -> Result<Run, GroupError>
where
    A: AsRef<[N]>,
    N: AsRef<str>,
{
    let mut groups = Vec::with_capacity(steps.len());
    let mut start = 0;
    for (step, (actions, key)) in (1..).zip(steps) {
        let actions = actions.as_ref();
        if actions.is_empty() {
            return Err(GroupError::Empty { step });
        }
        for (at, name) in (start..).zip(actions) {
            let found = trace.steps.get(at);
            if !found.is_some_and(|s| s.is_called(name.as_ref())) {
                let expected = name.as_ref().to_owned();
                return Err(GroupError::Mismatch { step, expected, found: found.map(|s| s.id.clone()) });
            }
        }
        let cues = start..start + actions.len();
        let mut told = cues.clone().zip(trace.steps.iter().skip(start));
        let Some((key, _)) = told.find(|(_, s)| s.is_called(key.as_ref())) else {
            return Err(GroupError::ForeignKey { step, key: key.as_ref().to_owned() });
        };
        start = cues.end;
        groups.push(StepGroup { cues, key });
    }
    match trace.steps.get(start) {
        Some(left) => Err(GroupError::LeftOut { found: left.id.clone() }),
        None => Ok(Run { trace, groups }),
    }
}

impl Step {
    /// Whether this is its id or its action.
    fn is_called(&self, name: &str) -> bool {
        self.id == name || self.action == name
    }
}
