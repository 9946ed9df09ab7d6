//! The rules that come nearest to a line that none explains, and what each of them lacked.

use super::recording::{Observation, Seen};
use super::replay_match::{Expected, expected};
use super::{Effect, render};
use crate::model::{Action, Change, Cluster, ObjectId, Refusal, Role, Subject, World, apply, candidates};
use std::collections::BTreeSet;
use std::fmt;

/// How many rules an error names.
const NEAREST: usize = 3;
/// How many actions it takes to see what actions leave, and which of them make others possible.
const WALK: usize = 400;
/// How often everything else is done before something comes from outside.
const PATIENCE: usize = 3;

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

/// The rules that could have told of this line but did not, in the states that the cluster had come furthest to:
/// those that leave such lines first, then those that make these possible.
pub(super) fn nearest(world: &World, line: &Observation, furthest: &[Cluster]) -> Vec<Nearest> {
    let manners = Manners::of(world);
    let mut found: Vec<(Action, Nearest)> = Vec::new();
    for name in manners.tellers(line) {
        for action in candidates(world).filter(|a| a.name() == name) {
            for cluster in furthest.iter().filter(|cluster| is_about(world, cluster, action, line)) {
                if found.len() >= NEAREST || found.iter().any(|(known, _)| *known == action) {
                    continue;
                }
                match apply(world, cluster, action) {
                    Err(refusal) => found.push((action, Nearest::Refused(refusal))),
                    Ok(outcome) => {
                        if let Some(first) = lines(world, &outcome.changes).into_iter().next() {
                            let Expected { by, what } = first;
                            found.push((action, Nearest::Otherwise { action, by, what }));
                        }
                    }
                }
            }
        }
    }
    found.into_iter().map(|(_, near)| near).collect()
}

fn lines(world: &World, changes: &[Change]) -> Vec<Expected> {
    let effects: Vec<Effect> = changes.iter().map(|change| render::effect(world, *change)).collect();
    expected(&effects)
}

/// Whether an action is about the line's object, and about its Node where the line names one.
fn is_about(world: &World, cluster: &Cluster, action: Action, line: &Observation) -> bool {
    let subject = match action.subject() {
        Subject::Fault(_) => return false,
        Subject::Pod(pod) => ObjectId::Pod(pod),
        Subject::Link(link) => ObjectId::Attachment(link),
        Subject::Node(node) => ObjectId::Node(node),
        Subject::Claim(claim) => ObjectId::Claim(claim),
        Subject::Volume(volume) => ObjectId::Volume(volume),
        Subject::Class(class) => ObjectId::Class(class),
        Subject::Snapshot(snapshot) => ObjectId::Snapshot(snapshot),
    };
    let subject = world.object(subject);
    let object = match &line.what {
        Seen::Create(object, _) | Seen::Update(object, _) | Seen::Delete(object) => Some(object.as_str()),
        Seen::Event(object, ..) => Some(object.as_str()),
        Seen::Given(..)
        | Seen::Note(_)
        | Seen::Call(..)
        | Seen::Rpc(..)
        | Seen::Mount(_)
        | Seen::Unmount(_) => None,
    };
    let same_kind = object.filter(|object| object.split('/').next() == Some(subject.kind.name()));
    let node = line.by.split_once('/').map(|(_, node)| node);
    let actor = world.actor(action.actor(cluster));
    same_kind.is_none_or(|object| object == subject.to_string())
        && (node.is_none() || actor.node.is_none() || actor.node.as_deref() == node)
}

/// What kind of line it is.
fn shape(what: &Seen) -> String {
    let kind = |object: &str| object.split('/').next().unwrap_or_default().to_owned();
    match what {
        Seen::Given(..) | Seen::Note(_) => String::new(),
        Seen::Create(object, _) => format!("create {}", kind(object)),
        Seen::Update(object, changes) => {
            let fields: Vec<&str> = changes.keys().map(String::as_str).collect();
            format!("update {} {}", kind(object), fields.join(" "))
        }
        Seen::Delete(object) => format!("delete {}", kind(object)),
        Seen::Event(object, _, reason, _) => format!("event {} {reason}", kind(object)),
        Seen::Call(method, _) => format!("call {method}"),
        Seen::Rpc(method, ..) => format!("rpc {method}"),
        Seen::Mount(_) => "mount".into(),
        Seen::Unmount(_) => "unmount".into(),
    }
}

/// What actions were seen to leave and to make possible, on a walk through the world that takes every turn.
struct Manners {
    /// An action's name, and the shape of a line that it left.
    shapes: BTreeSet<(&'static str, String)>,
    /// An action's name, and one that made it possible.
    enablers: BTreeSet<(&'static str, &'static str)>,
    /// Every name, in the order of candidates.
    names: Vec<&'static str>,
}

impl Manners {
    fn of(world: &World) -> Self {
        let all: Vec<Action> = candidates(world).collect();
        let mut names: Vec<&'static str> = Vec::new();
        for action in &all {
            if !names.contains(&action.name()) {
                names.push(action.name());
            }
        }
        let mut manners = Self { shapes: BTreeSet::new(), enablers: BTreeSet::new(), names };
        let mut taken = vec![0_usize; all.len()];
        let mut cluster = world.initial();
        let mut before: Option<(Action, Vec<bool>)> = None;
        for _ in 0..WALK {
            let outcomes: Vec<_> = all.iter().map(|action| apply(world, &cluster, *action).ok()).collect();
            if let Some((last, could)) = &before {
                let now = all.iter().zip(&outcomes).zip(could);
                let new = now.filter(|((_, outcome), could)| outcome.is_some() && !**could);
                manners.enablers.extend(new.map(|((action, _), _)| (action.name(), last.name())));
            }
            let possible = outcomes.iter().map(Option::is_some).collect();
            let enabled = all.iter().zip(&mut taken).zip(outcomes);
            let enabled = enabled.filter_map(|((action, taken), outcome)| Some((*action, taken, outcome?)));
            // What was done least comes next, so that every turn is taken; what comes from outside waits, and what
            // takes away waits longest, or most would be gone before it was used.
            let takes =
                |action: &Action| ["deletes", "clears"].iter().any(|verb| action.name().contains(verb));
            let turn = |action: &Action, taken: usize| match action.role() {
                Role::User if takes(action) => WALK + taken,
                Role::User => PATIENCE * (taken + 1),
                _ => taken,
            };
            let next = enabled.min_by_key(|(action, taken, _)| turn(action, **taken));
            let Some((action, taken, outcome)) = next else { break };
            *taken += 1;
            let left = lines(world, &outcome.changes);
            manners.shapes.extend(left.iter().map(|line| (action.name(), shape(&line.what))));
            before = Some((action, possible));
            cluster = outcome.cluster;
        }
        manners
    }

    /// The actions that leave such lines, then those of the same actor that make these possible, and so on.
    fn tellers(&self, line: &Observation) -> Vec<&'static str> {
        let wanted = shape(&line.what);
        let is_teller = |name: &&&'static str| self.shapes.contains(&(**name, wanted.clone()));
        let mut found: Vec<&'static str> = self.names.iter().filter(is_teller).copied().collect();
        let mut at = 0;
        while let Some(name) = found.get(at).copied() {
            at += 1;
            for enabler in &self.names {
                if self.enablers.contains(&(name, *enabler)) && !found.contains(enabler) {
                    found.push(enabler);
                }
            }
        }
        found
    }
}
