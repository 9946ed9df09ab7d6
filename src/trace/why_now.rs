//! Why something happens just now: of each action the guards that have become true, and by whose doing.

use super::record::acts;
use super::why_text::{is_about, sentence};
use super::{Effect, RecordError, Run, Scenario, render};
use crate::model::{Action, Actor, Cluster, FaultKind, ObjectRef, Role, Unmet, World, apply, next, outside};

/// From this many milliseconds on it is said how long ago a guard became true.
const LONG_MS: u64 = 1000;

/// A run with the state of the cluster before each of its actions.
pub struct Causes<'s> {
    world: &'s World,
    acts: Vec<(Action, u64)>,
    /// The state before each action.
    states: Vec<Cluster>,
}

/// An earlier action without which a later one would not have been possible.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Need {
    /// The earlier action's place.
    at: usize,
    /// What the later one would have lacked.
    unmet: Unmet,
    /// The actions in between that would not have been possible either.
    lost: Vec<usize>,
}

impl<'s> Causes<'s> {
    /// The causes in a scenario's run.
    ///
    /// # Errors
    /// When its script cannot be played.
    pub fn of(scenario: &'s Scenario) -> Result<Self, RecordError> {
        let (world, acts) = (&scenario.world, acts(scenario)?);
        let mut cluster = world.initial();
        let mut states = Vec::with_capacity(acts.len());
        for (action, _) in &acts {
            states.push(cluster);
            cluster = next(world, &cluster, *action).unwrap_or(cluster);
        }
        Ok(Self { world, acts, states })
    }

    /// For whoever acts in a reader's step (from 1) because of what came before it: the actor, and the guards of its
    /// first action that have become true since the step before, each as a sentence without its stop. A person
    /// needs no cause. `run` is the same scenario's, told in steps.
    pub fn why_now(&self, run: &Run, step: usize) -> Vec<(Actor, String)> {
        let Some(group) = run.groups.get(step.wrapping_sub(1)) else { return Vec::new() };
        let given = self.acts.len().saturating_sub(run.trace.steps.len());
        let before = step.checked_sub(2).and_then(|before| run.groups.get(before));
        // What is given comes before the first step.
        let (since, start) = (before.map_or(0, |group| group.cues.start + given), group.cues.start + given);
        let mut acted: Vec<Actor> = Vec::new();
        let mut facts: Vec<(Actor, String)> = Vec::new();
        for at in start..group.cues.end + given {
            let Some(actor) = self.actor(at) else { continue };
            if acted.contains(&actor) || matches!(actor.role, Role::User) {
                continue;
            }
            acted.push(actor.clone());
            // Whoever waits for something in this very step is told by the step.
            if at > start && !self.direct(at, start).is_empty() {
                continue;
            }
            let mut needs = self.direct(at, since);
            if needs.is_empty() && at == start {
                // What has been true for longer than it needs to be done again explains no repetition.
                let last = self.last(at).unwrap_or(0);
                needs = self.direct(at, last);
                needs.truncate(1);
            }
            let mut told: Vec<String> = needs.iter().flat_map(|need| self.facts(at, need)).collect();
            // Only its time had to come.
            if told.is_empty() && at == start {
                told.extend(self.again(at));
            }
            for fact in told {
                if !facts.contains(&(actor.clone(), fact.clone())) {
                    facts.push((actor.clone(), fact));
                }
            }
        }
        facts
    }

    fn actor(&self, at: usize) -> Option<Actor> {
        let (action, _) = self.acts.get(at)?;
        Some(self.world.actor(action.actor(self.states.get(at)?)))
    }

    /// The actions from `since` on without which this one would not have been possible, the latest first: the run is
    /// played again without each of them, and without whatever then cannot happen.
    fn needs(&self, at: usize, since: usize) -> Vec<Need> {
        let Some((action, _)) = self.acts.get(at) else { return Vec::new() };
        let mut found = Vec::new();
        for left_out in (since..at).rev() {
            let Some(mut state) = self.states.get(left_out).copied() else { continue };
            let mut lost = Vec::new();
            for (place, (between, _)) in self.acts.iter().enumerate().take(at).skip(left_out + 1) {
                match next(self.world, &state, *between) {
                    Some(after) => state = after,
                    None => lost.push(place),
                }
            }
            if let Err(refusal) = apply(self.world, &state, *action) {
                found.push(Need { at: left_out, unmet: refusal.unmet, lost });
            }
        }
        found
    }

    /// Those of them that can be seen and that lead there by themselves, not through another that can be seen.
    fn direct(&self, at: usize, since: usize) -> Vec<Need> {
        let needs = self.needs(at, since);
        let seen: Vec<usize> = needs.iter().map(|need| need.at).filter(|at| self.is_seen(*at)).collect();
        let direct =
            |need: &Need| seen.contains(&need.at) && !need.lost.iter().any(|lost| seen.contains(lost));
        needs.iter().filter(|need| direct(need)).cloned().collect()
    }

    /// Whether an action leaves something that others can see.
    fn is_seen(&self, at: usize) -> bool {
        self.process(at).is_some() || self.effects(at).iter().any(|e| !matches!(e, Effect::Event { .. }))
    }

    /// What such an action is to be seen by: what the later one would have lacked, or else all that it left.
    fn facts(&self, at: usize, need: &Need) -> Vec<String> {
        if let Some(fact) = self.process(need.at) {
            return vec![fact];
        }
        let Some((_, then)) = self.acts.get(need.at) else { return Vec::new() };
        let effects = self.effects(need.at);
        let mut told: Vec<&Effect> = effects.iter().filter(|e| is_about(need.unmet, e)).collect();
        if told.is_empty() {
            let reads = self.touched(at);
            told = effects.iter().filter(|e| object(e).is_some_and(|o| reads.contains(o))).collect();
        }
        if told.is_empty() {
            told = effects.iter().collect();
        }
        // That an object is there, or no longer, says more than the fields that come and go with it.
        let whole = told.iter().find(|e| matches!(e, Effect::Create { .. } | Effect::Delete { .. })).copied();
        let told = whole.map_or(told, |whole| vec![whole]);
        let ago = self.acts.get(at).map_or(0, |act| act.1).saturating_sub(*then);
        let waited = if ago >= LONG_MS { format!(", {} before", seconds(ago)) } else { String::new() };
        told.into_iter().filter_map(|effect| Some(sentence(effect)? + &waited)).collect()
    }

    /// That an action was only a matter of time: it has been possible since it happened last, or all along.
    fn again(&self, at: usize) -> Option<String> {
        let (_, now) = self.acts.get(at)?;
        let last = self.last(at).and_then(|last| self.acts.get(last));
        Some(match last {
            Some((_, then)) => format!("its last attempt was {} ago", seconds(now - then)),
            None => format!("{} have passed", seconds(*now)),
        })
    }

    /// When the same happened last.
    fn last(&self, at: usize) -> Option<usize> {
        let (action, _) = self.acts.get(at)?;
        self.acts.iter().take(at).rposition(|(done, _)| done == action)
    }

    /// A process that stopped or started, which leaves no trace in the API.
    fn process(&self, at: usize) -> Option<String> {
        let (action, _) = self.acts.get(at)?;
        let Action::Outside(act) = action else { return None };
        let (id, is) = match act {
            outside::Act::ProcessStops(id) => (*id, "is down"),
            outside::Act::ProcessStarts(id) => (*id, "is up again"),
            outside::Act::PodForced(_)
            | outside::Act::NamespaceDeleted(_)
            | outside::Act::NodeTainted(_)
            | outside::Act::NodeUntainted(_) => return None,
        };
        let FaultKind::Down { role, node } = self.world.fault(id)?.kind else { return None };
        let on = node.map(|node| format!(" on {}", self.world.node(node).name)).unwrap_or_default();
        Some(format!("{}{on} {is}", role.title()))
    }

    fn effects(&self, at: usize) -> Vec<Effect> {
        let Some(((action, _), state)) = self.acts.get(at).zip(self.states.get(at)) else {
            return Vec::new();
        };
        let outcome = apply(self.world, state, *action);
        let changes = outcome.map(|outcome| outcome.changes).unwrap_or_default();
        changes.into_iter().map(|change| render::effect(self.world, change)).collect()
    }

    /// The objects that an action looks at or changes.
    fn touched(&self, at: usize) -> Vec<ObjectRef> {
        let Some(((action, _), state)) = self.acts.get(at).zip(self.states.get(at)) else {
            return Vec::new();
        };
        let Ok(outcome) = apply(self.world, state, *action) else { return Vec::new() };
        let reads = outcome.reads.into_iter().map(|id| self.world.object(id));
        let effects = self.effects(at);
        reads.chain(effects.iter().filter_map(object).cloned()).collect()
    }
}

fn seconds(ms: u64) -> String {
    if ms < 10_000 { format!("{}.{} s", ms / 1000, ms % 1000 / 100) } else { format!("{} s", ms / 1000) }
}

/// The object that an effect changes.
fn object(effect: &Effect) -> Option<&ObjectRef> {
    match effect {
        Effect::Write { object, .. } | Effect::Create { object, .. } | Effect::Delete { object, .. } => {
            Some(object)
        }
        Effect::Rpc { .. }
        | Effect::Event { .. }
        | Effect::Mount { .. }
        | Effect::Unmount { .. }
        | Effect::Device { .. } => None,
    }
}
