//! Why something has not happened: the shortest way to it, what each step of it lacks now, and who would release it.

use super::explain_far::far;
use super::timing::{ATTACH_POLL_MAX, When};
use super::{
    Action, ActorId, Change, Claim, ClaimPhase, Cluster, Link, PodId, PodVolume, Presence, Refusal, Role,
    Runtime, Subject, Unmet, Visited, VolumeId, World, apply, candidates, is_enabled, next, promising,
};
use super::{ClaimId, Phase};
use std::collections::{BTreeMap, BTreeSet};

/// States that are looked at for the shortest way, before another is good enough.
const MOST_STATES: usize = 4_000;

/// What somebody waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The Pod's containers run, and its status says so.
    PodRuns(PodId),
    /// The Pod object is gone.
    PodGone(PodId),
    /// The claim is bound.
    ClaimBound(ClaimId),
    /// The volume is attached to no Node, and no VolumeAttachment is left.
    VolumeDetached(VolumeId),
    /// The volume is detached from this Node, and its VolumeAttachment is gone.
    DetachedFrom(Link),
    /// The PersistentVolume is gone.
    VolumeDeleted(VolumeId),
}

/// What must not be: state that loses or spoils data.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Harm {
    /// Containers run on without their Pod object.
    RunsUnowned(PodId),
    /// A volume that only one Node may have is attached to two.
    AttachedTwice(VolumeId),
    /// Something is mounted of which the device is gone.
    MountWithoutDevice(Link),
    /// A volume is mounted of which the disk is gone.
    MountWithoutDisk(Link),
}

/// A state, and when it came to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The simulated time in milliseconds.
    pub at_ms: u64,
    /// The state.
    pub cluster: Cluster,
}

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

impl Goal {
    /// Whether it is reached.
    pub fn holds(self, world: &World, cluster: &Cluster) -> bool {
        match self {
            Goal::PodRuns(pod) => {
                let pod = cluster.pod(pod);
                pod.phase == Phase::Running && pod.runtime == Runtime::Running
            }
            Goal::PodGone(pod) => cluster.pod(pod).presence == Presence::Gone,
            Goal::ClaimBound(claim) => {
                let Claim { phase, presence, .. } = cluster.claim(claim);
                *presence == Presence::Here && *phase == ClaimPhase::Bound
            }
            Goal::VolumeDetached(volume) => {
                let mut links = world.links().filter(|link| link.volume == volume);
                links.all(|link| Goal::DetachedFrom(link).holds(world, cluster))
            }
            Goal::DetachedFrom(link) => {
                let place = cluster.place(link);
                !place.attachment.exists && !place.real.published
            }
            Goal::VolumeDeleted(volume) => cluster.volume(volume).presence == Presence::Gone,
        }
    }

    /// The claims and the volumes that it is about.
    fn about(self, world: &World, cluster: &Cluster) -> (BTreeSet<ClaimId>, BTreeSet<VolumeId>) {
        let claim_of = |volume| cluster.volume(volume).claim.or(world.provisioned_for(volume));
        let (claim, volume) = match self {
            Goal::PodRuns(pod) | Goal::PodGone(pod) => {
                (world.claim_of(pod), cluster.volume_of(world, pod).or(inline(world, pod)))
            }
            Goal::ClaimBound(claim) => (Some(claim), None),
            Goal::DetachedFrom(link) => (claim_of(link.volume), Some(link.volume)),
            Goal::VolumeDetached(volume) | Goal::VolumeDeleted(volume) => (claim_of(volume), Some(volume)),
        };
        let claimed = claim.into_iter().flat_map(|claim| {
            let named = world.claim(claim).volume_name.and_then(|place| world.volumes().nth(place));
            let bound = cluster.claim(claim).volume.or(named);
            world.volumes().filter(move |volume| {
                let own = world.provisioned_for(*volume);
                own == Some(claim) || bound == Some(*volume) || (own.is_none() && !world.is_inline(*volume))
            })
        });
        (claim.into_iter().collect(), claimed.chain(volume).collect())
    }
}

/// The volume that a Pod declares inline.
fn inline(world: &World, pod: PodId) -> Option<VolumeId> {
    match world.pod(pod).source {
        PodVolume::Inline(place) => world.volumes().nth(place),
        PodVolume::Claim(_) | PodVolume::Ephemeral(_) => None,
    }
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

/// What must not be, in a state.
pub fn harms(world: &World, cluster: &Cluster) -> Vec<Harm> {
    let mut found = Vec::new();
    for id in world.pods() {
        let pod = cluster.pod(id);
        let runs = matches!(pod.runtime, Runtime::Running | Runtime::Stopping);
        if runs && pod.presence != Presence::Here {
            found.push(Harm::RunsUnowned(id));
        }
    }
    for volume in world.volumes() {
        let many = world.volume(volume).access_mode.allows_many_nodes();
        let published = world.links().filter(|l| l.volume == volume && cluster.place(*l).real.published);
        if !many && published.count() > 1 {
            found.push(Harm::AttachedTwice(volume));
        }
    }
    for link in world.links() {
        let real = cluster.place(link).real;
        let mounted = real.staged || !real.targets.is_empty();
        let attaches = world.is_attachable(link.volume) && world.driver().controller_publish;
        if mounted && attaches && !real.device {
            found.push(Harm::MountWithoutDevice(link));
        }
        if mounted && !world.is_inline(link.volume) && !cluster.volume(link.volume).disk {
            found.push(Harm::MountWithoutDisk(link));
        }
    }
    found
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
        let counts = asked || cluster.pod(pod).presence != Presence::NotYet;
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
        (Goal::ClaimBound(claim), Subject::Claim(of)) => claim == of,
        (Goal::VolumeDetached(volume), Subject::Link(of)) => volume == of.volume,
        (Goal::DetachedFrom(link), Subject::Link(of)) => link == of,
        (Goal::VolumeDeleted(volume), Subject::Volume(of)) => volume == of,
        _ => false,
    };
    let mine = candidates(world).filter(|action| is_next(action) && action.role() != Role::User);
    mine.filter_map(|action| Some(Refusal { action, unmet: lacks(world, cluster, action)? })).collect()
}

/// What an action lacks in a state.
fn lacks(world: &World, cluster: &Cluster, action: Action) -> Option<Unmet> {
    apply(world, cluster, action).err().map(|refusal| refusal.unmet)
}

/// Since when an action has lacked just this without a break.
fn since(world: &World, past: &[Moment], action: Action, unmet: Option<Unmet>) -> Option<u64> {
    let row = past.iter().rev().take_while(|moment| lacks(world, &moment.cluster, action) == unmet);
    row.last().map(|moment| moment.at_ms)
}

/// When the same actor gives up what it does about the same thing: a deadline that runs.
fn until(world: &World, past: &[Moment], action: Action) -> Option<u64> {
    let now = past.last()?.cluster;
    let gives_up = |other: &Action| other.role() == action.role() && other.subject() == action.subject();
    let ends = candidates(world).filter(gives_up).filter_map(|other| match other.when(world, &now) {
        When::Since { ms, .. } if is_enabled(world, &now, other) => {
            Some(since(world, past, other, None)?.saturating_add(ms))
        }
        When::Since { .. }
        | When::OnCommand
        | When::After(_)
        | When::Every { .. }
        | When::Poll(_)
        | When::Retry { .. }
        | When::RetryAfter { .. }
        | When::Backoff { .. } => None,
    });
    ends.min()
}
