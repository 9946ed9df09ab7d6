//! Why something has not happened: the shortest way to it, what each step of it lacks now, and who would release it.

use super::explain_far::far;
use super::goal::inline;
use super::harm::{Harm, harms};
use super::history::{lacks, since, tries, until};
use super::timing::{ATTACH_POLL_MAX, When};
use super::{
    Action, ActorId, Change, Cluster, Goal, Moment, Presence, Refusal, Role, Subject, Unmet, Visited, World,
    apply, candidates, next, promising,
};
use std::collections::{BTreeMap, BTreeSet};

/// States that are looked at for the shortest way, before another is good enough.
const MOST_STATES: usize = 4_000;

/// One step on the way to the goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// What has to happen.
    pub action: Action,
    /// Who has to do it.
    pub by: ActorId,
    /// What it lacks in the state that was asked about; `None` when it is possible there.
    pub unmet: Option<Unmet>,
    /// The earlier step, by its place on the way, that makes it possible.
    pub released_by: Option<usize>,
    /// When it comes due once it is possible.
    pub when: When,
    /// Since when it has lacked this, or has been possible, in simulated milliseconds; `None` where no past is known.
    pub since_ms: Option<u64>,
    /// When its actor does it, where it is possible, or next tries it or looks, in simulated milliseconds; `None` where
    /// it only acts on what somebody else does, where it looks all the time, and where no past is known.
    pub tries_ms: Option<u64>,
    /// When its actor gives it up at the latest, in simulated milliseconds; `None` where it waits for ever.
    pub until_ms: Option<u64>,
    /// What it does: who waits for a field or a reply finds it in the step that releases it.
    pub changes: Vec<Change>,
    /// No actor of the model does it by itself: it takes a user, or a process that starts.
    pub outside: bool,
    /// What it brings about that must not be.
    pub harms: Vec<Harm>,
}

/// What keeps a goal away.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Explanation {
    /// Nothing: it is reached.
    Reached,
    /// These steps, in the order in which they have to happen.
    Waits(Vec<Reason>),
    /// Nothing that can happen leads to it: what the rules about it lack now.
    Never(Vec<Refusal>),
    /// No way was found among so many states.
    TooFar(usize),
}

impl Reason {
    /// How long it takes at most once it is possible, in milliseconds; `None` when it does not come by itself.
    pub fn within_ms(&self) -> Option<u64> {
        match self.when {
            When::OnCommand => None,
            When::After(ms) => Some(ms),
            When::Every { period, .. } => Some(period),
            When::Since { ms, .. } => Some(ms),
            When::Retry { most, .. } | When::RetryAfter { most, .. } | When::Backoff { most, .. } => {
                Some(most)
            }
            When::Poll(_) => Some(ATTACH_POLL_MAX.ms),
        }
    }
}

/// A state that was looked at, and how the search came there.
struct Seen {
    cluster: Cluster,
    harms: Vec<Harm>,
    from: Option<(usize, Action)>,
}

/// What a way costs: harm first, then what has to come from outside, then its length.
type Cost = (usize, usize, usize);

/// Explains what keeps a goal away: of all ways to it, one without harm where there is one, then with least from
/// outside, then the shortest.
pub fn explain(world: &World, cluster: &Cluster, goal: Goal) -> Explanation {
    search(world, cluster, &[], goal)
}

/// The same for the last of these states, saying since when each step waits, and until when.
pub fn explain_since(world: &World, past: &[Moment], goal: Goal) -> Explanation {
    let now = past.last().map_or_else(|| world.initial(), |moment| moment.cluster);
    search(world, &now, past, goal)
}

fn search(world: &World, cluster: &Cluster, past: &[Moment], goal: Goal) -> Explanation {
    if goal.holds(world, cluster) {
        return Explanation::Reached;
    }
    let actions: BTreeSet<Action> = concerned(world, cluster, goal).into_iter().collect();
    let mut seen = vec![Seen { cluster: *cluster, harms: harms(world, cluster), from: None }];
    let mut visited = Visited::default();
    let mut open: BTreeMap<Cost, Vec<usize>> = BTreeMap::from([((0, 0, 0), vec![0])]);
    while let Some(mut entry) = open.first_entry() {
        let cost = *entry.key();
        let Some(number) = entry.get_mut().pop() else {
            entry.remove();
            continue;
        };
        let Some(here) = seen.get(number) else { continue };
        let (now, bad) = (here.cluster, here.harms.clone());
        if goal.holds(world, &now) {
            return Explanation::Waits(reasons(world, &way(&seen, number), past));
        }
        if !visited.insert(now) {
            continue;
        }
        if visited.len() > MOST_STATES {
            let Some(far) = far(world, cluster, goal, &actions) else {
                return Explanation::TooFar(MOST_STATES);
            };
            let seen = along(world, cluster, &far);
            return Explanation::Waits(reasons(world, &way(&seen, far.len()), past));
        }
        for action in promising(world, &now).filter(|action| actions.contains(action)) {
            let Some(then) = next(world, &now, action) else { continue };
            if visited.place(&then).is_some() {
                continue;
            }
            let harms = harms(world, &then);
            let new = harms.iter().filter(|harm| !bad.contains(harm)).count();
            let outside = usize::from(is_outside(action));
            let cost = (cost.0 + new, cost.1 + outside, cost.2 + 1);
            open.entry(cost).or_default().push(seen.len());
            seen.push(Seen { cluster: then, harms, from: Some((number, action)) });
        }
    }
    Explanation::Never(refusals(world, cluster, goal))
}

pub(super) fn is_outside(action: Action) -> bool {
    action.role() == Role::User
}

/// The actions that can matter: those about the goal's claims and volumes, and those about no volume in particular.
fn concerned(world: &World, cluster: &Cluster, goal: Goal) -> Vec<Action> {
    let (claims, volumes) = goal.about(world, cluster);
    // Where Nodes take only so many volumes, the Pods of other volumes are in the way too.
    let limited = world.nodes().any(|node| world.node(node).limit.is_some());
    let uses = |pod| {
        // A Pod that nobody has created is in nobody's way.
        let asked = goal == Goal::PodRuns(pod) || goal == Goal::PodGone(pod);
        // Only a Pod has its Node expand a file system.
        let helps = matches!(goal, Goal::ClaimResized(_));
        let counts = asked || helps || cluster.pod(pod).presence != Presence::NotYet;
        let mine = || match world.claim_of(pod) {
            Some(claim) => claims.contains(&claim),
            None => inline(world, pod).is_some_and(|volume| volumes.contains(&volume)),
        };
        counts && (limited || mine())
    };
    let matters = |action: &Action| match action.subject() {
        Subject::Pod(pod) => uses(pod),
        Subject::Link(link) => limited || volumes.contains(&link.volume),
        Subject::Claim(claim) => claims.contains(&claim),
        Subject::Volume(volume) => volumes.contains(&volume),
        Subject::Node(_) | Subject::Class(_) | Subject::Snapshot(_) | Subject::Fault(_) => true,
    };
    candidates(world).filter(matters).collect()
}

/// The states on a way, one after the other.
fn along(world: &World, cluster: &Cluster, actions: &[Action]) -> Vec<Seen> {
    let mut seen = vec![Seen { cluster: *cluster, harms: harms(world, cluster), from: None }];
    for (place, action) in actions.iter().enumerate() {
        let then = seen.get(place).and_then(|before| next(world, &before.cluster, *action));
        seen.extend(then.map(|cluster| {
            let harms = harms(world, &cluster);
            Seen { cluster, harms, from: Some((place, *action)) }
        }));
    }
    seen
}

/// The states from the first one to this one, each with the action that led there.
fn way(seen: &[Seen], mut number: usize) -> Vec<(Option<Action>, &Seen)> {
    let mut way = Vec::new();
    while let Some(state) = seen.get(number) {
        way.push((state.from.map(|(_, action)| action), state));
        match state.from {
            Some((before, _)) => number = before,
            None => break,
        }
    }
    way.reverse();
    way
}

/// What each step of a way lacks at its beginning, and which step releases it.
fn reasons(world: &World, way: &[(Option<Action>, &Seen)], past: &[Moment]) -> Vec<Reason> {
    let Some((_, first)) = way.first() else { return Vec::new() };
    let mut found = Vec::new();
    for (place, pair) in way.windows(2).enumerate() {
        let [(_, before), (Some(action), after)] = pair else { continue };
        // The last state of the way in which it was not possible yet is the one before its release.
        let earlier = way.get(..=place).unwrap_or_default();
        let refused = earlier.iter().rposition(|(_, state)| next(world, &state.cluster, *action).is_none());
        let unmet = lacks(world, &first.cluster, *action);
        found.push(Reason {
            action: *action,
            by: action.actor(&before.cluster),
            unmet,
            released_by: refused,
            when: action.when(world, &before.cluster),
            since_ms: since(world, past, *action, unmet),
            tries_ms: tries(world, past, *action),
            until_ms: unmet.and_then(|_| until(world, past, *action)),
            changes: apply(world, &before.cluster, *action).map_or_else(|_| Vec::new(), |done| done.changes),
            outside: is_outside(*action),
            harms: after.harms.iter().filter(|harm| !before.harms.contains(harm)).copied().collect(),
        });
    }
    found
}

/// What the next actor lacks where no way leads on: the scheduler for a Pod without a Node, whoever binds or provisions
/// for a claim, and otherwise everybody who has to do with the goal's own object.
fn refusals(world: &World, cluster: &Cluster, goal: Goal) -> Vec<Refusal> {
    let is_next = |action: &Action| match (goal, action.subject()) {
        (Goal::PodRuns(pod), Subject::Pod(of)) => {
            pod == of && (cluster.pod(pod).node.is_some() || action.role() == Role::KubeScheduler)
        }
        (Goal::PodRuns(pod), Subject::Claim(of)) => {
            cluster.pod(pod).node.is_none() && world.claim_of(pod) == Some(of)
        }
        (Goal::PodGone(pod), Subject::Pod(of)) => pod == of,
        (
            Goal::ClaimBound(claim) | Goal::ClaimResized(claim) | Goal::ClaimModified(claim),
            Subject::Claim(of),
        ) => claim == of,
        (Goal::VolumeDetached(volume), Subject::Link(of)) => volume == of.volume,
        (Goal::DetachedFrom(link), Subject::Link(of)) => link == of,
        (Goal::VolumeDeleted(volume), Subject::Volume(of)) => volume == of,
        (Goal::ClaimDeleted(claim), Subject::Claim(of)) => claim == of,
        (Goal::SnapshotReady(id) | Goal::SnapshotDeleted(id), Subject::Snapshot(of)) => id == of,
        (Goal::NamespaceEmptied, Subject::Pod(_) | Subject::Claim(_)) => true,
        _ => false,
    };
    let mine = candidates(world).filter(|action| is_next(action) && action.role() != Role::User);
    mine.filter_map(|action| Some(Refusal { action, unmet: lacks(world, cluster, action)? })).collect()
}
