//! Recording a scenario: again and again, the enabled action that comes due first happens.

use super::scenario::{Cue, Moment, SCENARIOS, Scenario, scenario};
use super::scenario_file::{ScenarioError, is_after};
use super::yaml_manifest::manifests;
use super::{Step, Trace, render, standing};
use crate::model::timing::{Past, When};
use crate::model::{
    self, Action, Actor, Cluster, Outcome, Refusal, World, actions, apply, next, past, waits,
};
use std::collections::BTreeMap;
use std::fmt;

/// A run that is longer than this has got into a loop.
const MOST_ACTIONS: usize = 10_000;

/// Why a scenario cannot be recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecordError {
    /// There is no scenario of this name.
    Unknown(String),
    /// Its text is no scenario.
    Text(ScenarioError),
    /// Its script asks for something that its rule does not allow.
    Refused(Refusal),
    /// The run does not end.
    Endless,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Unknown(name) => {
                let names: Vec<&str> = SCENARIOS.iter().map(|row| row.0).collect();
                write!(f, "there is no scenario `{name}`, so take one of {}", names.join(", "))
            }
            RecordError::Text(error) => write!(f, "the scenario cannot be read: {error}"),
            RecordError::Refused(refusal) => write!(f, "the scenario's script comes too early: {refusal}"),
            RecordError::Endless => {
                write!(f, "the run has not ended after {MOST_ACTIONS} actions, so shorten the scenario")
            }
        }
    }
}

impl std::error::Error for RecordError {}

/// Records the scenario of this name.
///
/// # Errors
/// When there is none, or when its script cannot be played.
pub fn record(name: &str) -> Result<Trace, RecordError> {
    let scenario = scenario(name).ok_or_else(|| RecordError::Unknown(name.into()))?;
    record_scenario(&scenario.map_err(RecordError::Text)?)
}

/// Records a scenario.
///
/// # Errors
/// When its script cannot be played.
pub fn record_scenario(scenario: &Scenario) -> Result<Trace, RecordError> {
    Ok(run(scenario)?.trace(scenario))
}

/// Every state of a scenario's run with what led to it, in the time that the run is told in: what is given, and all
/// before it, is at its start.
///
/// # Errors
/// As [`record_scenario`].
pub fn record_moments(scenario: &Scenario) -> Result<Vec<model::Moment>, RecordError> {
    let world = &scenario.world;
    let steps = run(scenario)?.steps;
    let start = given_steps(&steps, scenario).1;
    let mut moments = vec![model::Moment { at_ms: 0, cluster: world.initial(), did: None }];
    for (action, step) in &steps {
        let before = moments.last().map_or_else(|| world.initial(), |moment| moment.cluster);
        let cluster = next(world, &before, *action).unwrap_or(before);
        let at_ms = step.sim_ms.saturating_sub(start);
        moments.push(model::Moment { at_ms, cluster, did: Some(*action) });
    }
    Ok(moments)
}

/// The actions of a scenario's run with their times in milliseconds from its start, those too that count as given.
///
/// # Errors
/// As [`record_scenario`].
pub(super) fn acts(scenario: &Scenario) -> Result<Vec<(Action, u64)>, RecordError> {
    Ok(run(scenario)?.steps.into_iter().map(|(action, step)| (action, step.sim_ms)).collect())
}

/// Lets a scenario run to its end.
fn run(scenario: &Scenario) -> Result<Recorder<'_>, RecordError> {
    let mut recorder = Recorder::new(&scenario.world);
    let mut script = scenario.script.iter();
    let mut cue = script.next();
    for _ in 0..MOST_ACTIONS {
        let told = cue.and_then(|cue| recorder.told(cue));
        let own = recorder.next();
        let (at, action) = match (told, own) {
            // A user's word comes first where both are due.
            (Some(told), Some(own)) if told.0 > own.0 => own,
            (Some(told), _) => {
                cue = script.next();
                told
            }
            (None, Some(own)) => own,
            (None, None) => return Ok(recorder),
        };
        if scenario.until_ms.is_some_and(|until| at > until) {
            return Ok(recorder);
        }
        recorder.act(at, action)?;
    }
    Err(RecordError::Endless)
}

/// How many of the steps are given, and when the last of them happened.
fn given_steps(steps: &[(Action, Step)], scenario: &Scenario) -> (usize, u64) {
    let split = steps.iter().position(|(_, s)| Some(s.action) == scenario.given_until).map_or(0, |at| at + 1);
    let last = split.checked_sub(1).and_then(|last| steps.get(last));
    (split, last.map_or(0, |(_, step)| step.sim_ms))
}

/// A run under way.
struct Recorder<'w> {
    world: &'w World,
    cluster: Cluster,
    now: u64,
    /// Since when each enabled action has been possible.
    enabled: Vec<(Action, u64)>,
    steps: Vec<(Action, Step)>,
}

impl<'w> Recorder<'w> {
    fn new(world: &'w World) -> Self {
        let cluster = world.initial();
        let enabled = actions(world, &cluster).into_iter().map(|a| (a, 0)).collect();
        Self { world, cluster, now: 0, enabled, steps: Vec::new() }
    }

    /// When the user does what the cue says; `None` while its moment has not come.
    fn told(&self, cue: &Cue) -> Option<(u64, Action)> {
        let moment = match cue.moment {
            Moment::Start => Some(0),
            Moment::After(name, _) => {
                let mut named = self.steps.iter().filter(|(_, step)| step.action == name);
                named.find(|(action, _)| is_after(cue.moment, *action)).map(|(_, step)| step.sim_ms)
            }
        };
        moment.map(|at| (self.now.max(at + cue.wait_ms), cue.action))
    }

    /// The action that comes due first by itself; the order of actions breaks ties.
    fn next(&self) -> Option<(u64, Action)> {
        let due = |(action, since): &(Action, u64)| {
            let when = action.when(self.world, &self.cluster);
            when.due(*since, self.past(*action, when)).map(|at| (at.max(self.now), *action))
        };
        self.enabled.iter().filter_map(due).min_by_key(|(at, _)| *at)
    }

    fn past(&self, action: Action, when: When) -> Past {
        let done = self.steps.iter().rev().map(|(action, step)| (*action, step.sim_ms));
        past(self.world, &self.cluster, done, action, when)
    }

    fn act(&mut self, at: u64, action: Action) -> Result<(), RecordError> {
        let actor = action.actor(&self.cluster);
        let outcome = apply(self.world, &self.cluster, action).map_err(RecordError::Refused)?;
        self.now = at;
        self.cluster = outcome.cluster;
        let actor = self.world.actor(actor);
        let step = self.step(action, actor, outcome);
        self.steps.push((action, step));
        let before = std::mem::take(&mut self.enabled);
        // What has just happened and can happen again has its wait before it again.
        let kept = |a: &Action| before.iter().find(|(b, _)| b == a && *b != action);
        let since = |a: &Action| kept(a).map_or(at, |(_, since)| *since);
        self.enabled = actions(self.world, &self.cluster).into_iter().map(|a| (a, since(&a))).collect();
        Ok(())
    }

    /// The step, numbered later.
    fn step(&self, action: Action, actor: Actor, outcome: Outcome) -> Step {
        let waits = waits(self.world, &outcome.cluster);
        Step {
            index: 0,
            id: String::new(),
            actor,
            action: action.name(),
            rule: action.rule(),
            source: action.source(),
            sim_ms: self.now,
            effects: outcome.changes.into_iter().map(|c| render::effect(self.world, c)).collect(),
            reads: outcome.reads.into_iter().map(|o| self.world.object(o)).collect(),
            waits: waits.into_iter().map(|(actor, fact)| (self.world.actor(actor), fact)).collect(),
            down: standing::down(self.world, &outcome.cluster),
        }
    }

    /// Splits off what is given, and numbers the rest from there.
    fn trace(self, scenario: &Scenario) -> Trace {
        let mut given = standing::given(self.world);
        let (split, start) = given_steps(&self.steps, scenario);
        let down = match split.checked_sub(1).and_then(|last| self.steps.get(last)) {
            Some((_, last)) => last.down.clone(),
            None => standing::down(self.world, &self.world.initial()),
        };
        let mut told = self.steps.into_iter().map(|(_, step)| step);
        given.extend(told.by_ref().take(split).flat_map(|step| step.effects));
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        let steps = told
            .enumerate()
            .map(|(at, mut step)| {
                let count = seen.entry(step.action).or_insert(0);
                *count += 1;
                step.index = at + 1;
                step.id = if *count == 1 { step.action.into() } else { format!("{}-{count}", step.action) };
                step.sim_ms -= start;
                step
            })
            .collect();
        let uids = standing::uids(self.world);
        let manifests = manifests(self.world);
        Trace { scenario: scenario.name.clone(), given, steps, down, uids, manifests }
    }
}
