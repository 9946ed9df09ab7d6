//! Why something has not happened: the shortest way to it, what each step of it lacks now, and who would release it.

use super::timing::{ATTACH_POLL_MAX, When};
use super::{
    Action, ActorId, Claim, ClaimPhase, Cluster, Link, PodId, PodVolume, Presence, Role, Runtime, Subject,
    Unmet, VolumeId, World, apply, candidates, next,
};
use super::{ClaimId, Phase};
use std::collections::{BTreeMap, BTreeSet};

/// States that are looked at before the way counts as too long.
const MOST_STATES: usize = 20_000;

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
    /// Nothing that can happen leads to it.
    Never,
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
                let mut places = world.links().filter(|link| link.volume == volume);
                places.all(|link| {
                    let place = cluster.place(link);
                    !place.attachment.exists && !place.real.published
                })
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
            Goal::VolumeDetached(volume) | Goal::VolumeDeleted(volume) => (claim_of(volume), Some(volume)),
        };
        let claimed = claim.into_iter().flat_map(|claim| {
            let bound = cluster.claim(claim).volume;
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
    if goal.holds(world, cluster) {
        return Explanation::Reached;
    }
    let actions = concerned(world, cluster, goal);
    let mut seen = vec![Seen { cluster: *cluster, harms: harms(world, cluster), from: None }];
    let mut visited = BTreeSet::new();
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
            return Explanation::Waits(reasons(world, &way(&seen, number)));
        }
        if !visited.insert(now) {
            continue;
        }
        if visited.len() > MOST_STATES {
            return Explanation::TooFar(MOST_STATES);
        }
        for action in &actions {
            let Some(then) = next(world, &now, *action) else { continue };
            if visited.contains(&then) {
                continue;
            }
            let harms = harms(world, &then);
            let new = harms.iter().filter(|harm| !bad.contains(harm)).count();
            let outside = usize::from(is_outside(*action));
            let cost = (cost.0 + new, cost.1 + outside, cost.2 + 1);
            open.entry(cost).or_default().push(seen.len());
            seen.push(Seen { cluster: then, harms, from: Some((number, *action)) });
        }
    }
    Explanation::Never
}

fn is_outside(action: Action) -> bool {
    action.role() == Role::User
}

/// The actions that can matter: those about the goal's claims and volumes, and those about no volume in particular.
fn concerned(world: &World, cluster: &Cluster, goal: Goal) -> Vec<Action> {
    let (claims, volumes) = goal.about(world, cluster);
    let uses = |pod| {
        // A Pod that nobody has created is in nobody's way.
        let asked = goal == Goal::PodRuns(pod) || goal == Goal::PodGone(pod);
        let counts = asked || cluster.pod(pod).presence != Presence::NotYet;
        counts
            && match world.claim_of(pod) {
                Some(claim) => claims.contains(&claim),
                None => inline(world, pod).is_some_and(|volume| volumes.contains(&volume)),
            }
    };
    let matters = |action: &Action| match action.subject() {
        Subject::Pod(pod) => uses(pod),
        Subject::Link(link) => volumes.contains(&link.volume),
        Subject::Claim(claim) => claims.contains(&claim),
        Subject::Volume(volume) => volumes.contains(&volume),
        Subject::Node(_) | Subject::Class(_) | Subject::Snapshot(_) | Subject::Fault(_) => true,
    };
    candidates(world).filter(matters).collect()
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
fn reasons(world: &World, way: &[(Option<Action>, &Seen)]) -> Vec<Reason> {
    let Some((_, first)) = way.first() else { return Vec::new() };
    let mut found = Vec::new();
    for (place, pair) in way.windows(2).enumerate() {
        let [(_, before), (Some(action), after)] = pair else { continue };
        // The last state of the way in which it was not possible yet is the one before its release.
        let earlier = way.get(..=place).unwrap_or_default();
        let refused = earlier.iter().rposition(|(_, state)| next(world, &state.cluster, *action).is_none());
        found.push(Reason {
            action: *action,
            by: action.actor(&before.cluster),
            unmet: apply(world, &first.cluster, *action).err().map(|refusal| refusal.unmet),
            released_by: refused,
            when: action.when(world, &before.cluster),
            outside: is_outside(*action),
            harms: after.harms.iter().filter(|harm| !before.harms.contains(harm)).copied().collect(),
        });
    }
    found
}
