//! Recording a scenario: again and again, the enabled action that comes due first happens.

use super::scenario::{Cue, Moment, SCENARIOS, Scenario, scenario};
use super::scenario_file::{ScenarioError, is_after};
use super::yaml_manifest::manifests;
use super::{Effect, Step, Trace, render};
use crate::model::timing::{Past, When};
use crate::model::{
    Action, Actor, Cluster, Kind, ObjectId, ObjectRef, Outcome, Presence, Refusal, Role, Value, World,
    actions, apply, waits,
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
    play(scenario).map(|recorder| recorder.trace(scenario))
}

/// The actions of a scenario's run with their times in milliseconds from its start, those too that count as given.
///
/// # Errors
/// As [`record_scenario`].
pub(super) fn acts(scenario: &Scenario) -> Result<Vec<(Action, u64)>, RecordError> {
    let recorder = play(scenario)?;
    Ok(recorder.steps.into_iter().map(|(action, step)| (action, step.sim_ms)).collect())
}

fn play(scenario: &Scenario) -> Result<Recorder<'_>, RecordError> {
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
        let mut past = self.steps.iter().filter(|(action, _)| is_after(cue.moment, *action));
        let moment = match cue.moment {
            Moment::Start => Some(0),
            Moment::After(..) => past.next().map(|(_, step)| step.sim_ms),
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

    /// When the operation began that an action belongs to, and how often it failed since.
    fn past(&self, action: Action, when: When) -> Past {
        let link = action.link(self.world, &self.cluster);
        // About the same volume and Node, or the same claim, volume or Pod.
        let same = |past: &Action| {
            past.subject() == action.subject()
                || (link.is_some() && past.link(self.world, &self.cluster) == link)
        };
        let mine = self.steps.iter().rev().filter(|(past, _)| same(past));
        match when {
            When::Poll(names) | When::Since { names, .. } => {
                let began = mine.into_iter().find(|(past, _)| names.contains(&past.name()));
                Past { began: began.map_or(0, |(_, step)| step.sim_ms), failures: 0 }
            }
            When::Backoff { failed, .. } => {
                let fails = |(past, _): &&(Action, Step)| {
                    failed.contains(&past.name()) && past.subject() == action.subject()
                };
                let last = self.steps.iter().rev().find(fails).map_or(0, |(_, step)| step.sim_ms);
                Past { began: last, failures: self.steps.iter().filter(fails).count() as u32 }
            }
            When::Retry { fails, ends, .. } => row(mine, fails, ends, &[]),
            When::RetryAfter { fails, ends, begun, .. } => row(mine, fails, ends, begun),
            When::OnCommand | When::After(_) | When::Every { .. } => Past::default(),
        }
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
        }
    }

    /// Splits off what is given, and numbers the rest from there.
    fn trace(self, scenario: &Scenario) -> Trace {
        let mut given = standing(self.world);
        let steps: Vec<Step> = self.steps.into_iter().map(|(_, step)| step).collect();
        let split = steps.iter().position(|s| Some(s.action) == scenario.given_until).map_or(0, |at| at + 1);
        let start = split.checked_sub(1).and_then(|last| steps.get(last)).map_or(0, |s| s.sim_ms);
        let mut told = steps.into_iter();
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
        Trace { scenario: scenario.name.clone(), given, steps, manifests: manifests(self.world) }
    }
}

/// The failures in a row of these actions, the last one first; none where an attempt is under way.
fn row<'s>(
    mine: impl Iterator<Item = &'s (Action, Step)>,
    fails: &[&str],
    ends: &[&str],
    begun: &[&str],
) -> Past {
    let is = |names: &[&str], past: &Action| names.contains(&past.name());
    let mut mine = mine.take_while(|(past, _)| !is(ends, past));
    match mine.find(|(past, _)| is(fails, past) || is(begun, past)) {
        Some((last, step)) if is(fails, last) => {
            let before = mine.filter(|(past, _)| is(fails, past)).count() as u32;
            Past { began: step.sim_ms, failures: 1 + before }
        }
        Some(_) | None => Past::default(),
    }
}

/// What stands before anybody acts: Nodes, and claims with the PersistentVolumes that they are bound to.
fn standing(world: &World) -> Vec<Effect> {
    let user = Actor { role: Role::User, node: None };
    let cluster = world.initial();
    let mut given = Vec::new();
    for name in world.nodes().map(|id| world.node(id).name.clone()) {
        let by = Actor { role: Role::Kubelet, node: Some(name.clone()) };
        given.push(Effect::Create { object: ObjectRef { kind: Kind::Node, name }, by });
    }
    for id in world.claims().filter(|id| cluster.claim(*id).presence == Presence::Here) {
        let claim = world.object(ObjectId::Claim(id));
        given.push(Effect::Create { object: claim.clone(), by: user.clone() });
        let volume = cluster.claim(id).volume;
        let pv = volume.map(|volume| world.object(ObjectId::Volume(volume)));
        given.extend(pv.clone().map(|object| Effect::Create { object, by: user.clone() }));
        let mut fields = vec![
            (claim.clone(), "spec.accessModes", Some(world.claim(id).access_mode.name().to_owned())),
            (claim, "spec.volumeName", pv.as_ref().map(|pv| pv.name.clone())),
        ];
        if let Some((volume, pv)) = volume.zip(pv) {
            let finalizers = Value::Finalizers(cluster.volume(volume).finalizers);
            fields.push((pv.clone(), "metadata.finalizers", render::value(world, finalizers)));
            fields.push((pv.clone(), "spec.csi.driver", Some(world.driver().name.clone())));
            fields.push((pv, "spec.csi.volumeHandle", Some(world.volume(volume).handle.clone())));
        }
        given.extend(fields.into_iter().map(|(object, field, to)| Effect::Write {
            object,
            field,
            from: None,
            to,
            by: user.clone(),
        }));
    }
    given
}
