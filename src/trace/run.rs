//! A recorded run, and the reader's steps it is told in.

use super::{Effect, Snapshot};
use crate::model::{Actor, ObjectRef};
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
}

/// One run of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The scenario's name.
    pub scenario: &'static str,
    /// What was there before the first step, as the effects that would bring it about.
    pub given: Vec<Effect>,
    /// What happened, in order.
    pub steps: Vec<Step>,
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
