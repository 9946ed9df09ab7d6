//! Every reachable state of one claim, from nothing to a mounted volume and back: what never happens, and that it ends.

mod claims_world;

use claims_world::{answer, parts, world};
use mountpath::model::{
    Action, BindingMode, ClaimPhase, Cluster, Code, Deletion, Driver, Fault, FaultKind, Finalizer, Method,
    Parts, Presence, Reclaim, Role, Runtime, VolumePhase, World, actions, apply, next, obeys, protection,
    user,
};
use stateright::{Checker, Model, Property};
use std::collections::{HashMap, VecDeque};

/// A world whose user deletes a Pod only when it runs, or has no Node.
struct Explored(World);

/// A sane user: no PersistentVolume is deleted by hand, and only one that is kept is given free.
fn sane(world: &World, action: &Action) -> bool {
    match action {
        Action::User(user::Act::DeletesVolume(_)) => false,
        Action::User(user::Act::ClearsClaimRef(id)) => world.volume(*id).reclaim == Reclaim::Retain,
        _ => true,
    }
}

/// Without patience, an attach or a mount may begin when the volume is about to go.
fn patient(state: &Cluster, action: &Action) -> bool {
    match action {
        Action::User(user::Act::DeletesPod(id)) => {
            state.pod(*id).node.is_none() || state.pod(*id).runtime == Runtime::Running
        }
        _ => true,
    }
}

impl Explored {
    fn enabled(&self, state: &Cluster) -> Vec<Action> {
        let all = actions(&self.0, state).into_iter().filter(|action| sane(&self.0, action));
        all.filter(|action| patient(state, action)).collect()
    }
}

impl Model for Explored {
    type State = Cluster;
    type Action = Action;

    fn init_states(&self) -> Vec<Cluster> {
        vec![self.0.initial()]
    }

    fn actions(&self, state: &Cluster, found: &mut Vec<Action>) {
        found.extend(self.enabled(state));
    }

    fn next_state(&self, state: &Cluster, action: Action) -> Option<Cluster> {
        next(&self.0, state, action)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("a claim in use is never removed", |m: &Explored, s: &Cluster| {
                m.0.claims()
                    .all(|id| s.claim(id).presence != Presence::Gone || !protection::in_use(&m.0, s, id))
            }),
            Property::always("a Pod has a Node only with a bound claim", |m: &Explored, s: &Cluster| {
                m.0.pods().all(|id| {
                    let pod = s.pod(id);
                    let bound = m.0.claim_of(id).is_some_and(|claim| s.claim(claim).bind_completed);
                    pod.node.is_none() || bound
                })
            }),
            Property::always(
                "DeleteVolume never leaves while a VolumeAttachment names the volume",
                |m: &Explored, s: &Cluster| {
                    let attached = m.0.links().any(|link| s.place(link).attachment.exists);
                    let calls = |a: &Action| a.name() == "provisioner-calls-delete-volume";
                    !attached || !m.enabled(s).iter().any(calls)
                },
            ),
            Property::always("nobody attaches what is being deleted", |m: &Explored, s: &Cluster| {
                let deleted = |step| [Deletion::Called, Deletion::Done].contains(&step);
                m.0.links()
                    .all(|link| !deleted(s.deleter(link.volume).step) || !s.place(link).attachment.exists)
            }),
            Property::always("no disk is deleted under a mount", |m: &Explored, s: &Cluster| {
                m.0.links().all(|link| {
                    let real = s.place(link).real;
                    let mounted = real.staged || !real.targets.is_empty();
                    s.deleter(link.volume).step != Deletion::Done || !mounted
                })
            }),
            Property::always("a bound claim has a claimed volume", |m: &Explored, s: &Cluster| {
                m.0.claims().all(|id| {
                    let claim = s.claim(id);
                    let volume = claim.volume.map(|volume| *s.volume(volume));
                    claim.presence != Presence::Here
                        || claim.phase != ClaimPhase::Bound
                        || volume.is_some_and(|v| v.claim == Some(id) && v.phase == VolumePhase::Bound)
                })
            }),
            Property::always("only a field's owner writes it", |m: &Explored, s: &Cluster| {
                let outcomes = actions(&m.0, s).into_iter().filter_map(|a| apply(&m.0, s, a).ok());
                outcomes.flat_map(|outcome| outcome.changes).all(obeys)
            }),
            Property::always(
                "where nothing more can happen, nothing is left",
                |m: &Explored, s: &Cluster| !m.enabled(s).is_empty() || is_clean(&m.0, s),
            ),
            Property::sometimes("a Pod runs", |m: &Explored, s: &Cluster| runs(&m.0, s)),
        ]
    }
}

fn runs(world: &World, state: &Cluster) -> bool {
    world.pods().any(|id| state.pod(id).runtime == Runtime::Running)
}

/// Nothing is left: no Pod, no claim, no attachment, no mount, and no volume but one that is to be kept, which no
/// finalizer but its own protection holds.
fn is_clean(world: &World, state: &Cluster) -> bool {
    let fresh = world.initial();
    let volumes = world.volumes().all(|id| {
        let volume = state.volume(id);
        let held = [Finalizer::Provisioner].into_iter().any(|f| volume.finalizers.contains(f));
        match world.volume(id).reclaim {
            Reclaim::Delete => volume.presence != Presence::Here && !volume.disk,
            Reclaim::Retain => volume.presence != Presence::Here || (volume.claim.is_none() && !held),
        }
    });
    volumes
        && world.pods().all(|id| state.pod(id).presence == Presence::Gone)
        && world.claims().all(|id| state.claim(id).presence == Presence::Gone)
        && world.links().all(|link| state.place(link) == fresh.place(link))
}

/// How many of the reachable states there are; how many of them cannot reach a clean one; and how many cannot reach
/// a running Pod although the user has deleted nothing.
fn ends(model: &Explored) -> (usize, usize, usize) {
    let world = &model.0;
    let mut numbers = HashMap::from([(world.initial(), 0_usize)]);
    let mut queue = VecDeque::from([world.initial()]);
    let mut before: Vec<Vec<usize>> = vec![Vec::new()];
    let (mut clean, mut running, mut whole) = (Vec::new(), Vec::new(), Vec::new());
    while let Some(state) = queue.pop_front() {
        let number = numbers[&state];
        clean.extend(is_clean(world, &state).then_some(number));
        running.extend(runs(world, &state).then_some(number));
        let gone = |deleting, presence| deleting || presence == Presence::Gone;
        let deleted = world.pods().any(|id| gone(state.pod(id).deleting, state.pod(id).presence))
            || world.claims().any(|id| gone(state.claim(id).deleting, state.claim(id).presence));
        whole.extend((!deleted).then_some(number));
        for action in model.enabled(&state) {
            let next = next(world, &state, action).expect("enabled");
            let count = numbers.len();
            let to = *numbers.entry(next).or_insert(count);
            if to == count {
                queue.push_back(next);
                before.push(Vec::new());
            }
            before[to].push(number);
        }
    }
    let reach = |mut open: Vec<usize>| {
        let mut reaches = vec![false; before.len()];
        while let Some(number) = open.pop() {
            if !std::mem::replace(&mut reaches[number], true) {
                open.extend(&before[number]);
            }
        }
        reaches
    };
    let (ends, starts) = (reach(clean), reach(running));
    let lost = whole.into_iter().filter(|number| !starts[*number]).count();
    (before.len(), ends.iter().filter(|ends| !**ends).count(), lost)
}

fn explore(parts: Parts, states: usize) {
    let world = world(parts);
    let checker = Explored(world.clone()).checker().spawn_bfs().join();
    for (name, path) in checker.discoveries() {
        let actions: Vec<&str> = path.into_actions().iter().map(|action| action.name()).collect();
        assert_eq!(
            name,
            "a Pod runs",
            "after {actions:?}: {:?}",
            checker.discovery(name).map(|p| p.into_states().pop())
        );
    }
    assert_eq!(checker.unique_state_count(), states, "states reachable");
    assert_eq!(
        ends(&Explored(world)),
        (states, 0, 0),
        "states reachable, those with no clean end, those from which no Pod ever runs"
    );
}

/// On one Node, with a driver that neither attaches nor stages, so that the claim is what there is to explore.
fn plain(binding: BindingMode, reclaim: Reclaim) -> Parts {
    let mut parts = parts(binding, reclaim);
    parts.driver =
        Driver { attach_required: false, controller_publish: false, node_stage: false, ..parts.driver };
    parts.nodes.truncate(1);
    parts
}

fn with(mut parts: Parts, fault: Fault) -> Parts {
    parts.faults.push(fault);
    parts
}

#[test]
fn a_claim_that_is_bound_at_once() {
    explore(plain(BindingMode::Immediate, Reclaim::Delete), 678);
}

#[test]
fn a_claim_that_waits_for_its_pod() {
    explore(plain(BindingMode::WaitForFirstConsumer, Reclaim::Delete), 971);
}

#[test]
fn a_volume_that_is_kept() {
    explore(plain(BindingMode::Immediate, Reclaim::Retain), 876);
}

#[test]
fn create_volume_fails_once_for_good() {
    let fault = answer(Method::CreateVolume, Code::Internal, "injected", false, Some(1));
    explore(with(plain(BindingMode::Immediate, Reclaim::Delete), fault), 1326);
}

#[test]
fn a_reply_to_create_volume_is_lost() {
    let fault = answer(Method::CreateVolume, Code::DeadlineExceeded, "injected", true, Some(1));
    explore(with(plain(BindingMode::Immediate, Reclaim::Delete), fault), 1326);
}

#[test]
fn the_selected_node_has_no_room() {
    let fault = answer(Method::CreateVolume, Code::ResourceExhausted, "injected", false, Some(1));
    let mut parts = plain(BindingMode::WaitForFirstConsumer, Reclaim::Delete);
    parts.driver.topology = true;
    explore(with(parts, fault), 2178);
}

#[test]
fn delete_volume_fails_once() {
    let fault = answer(Method::DeleteVolume, Code::Internal, "injected", false, Some(1));
    explore(with(plain(BindingMode::Immediate, Reclaim::Delete), fault), 958);
}

#[test]
fn a_driver_that_attaches() {
    let mut parts = plain(BindingMode::Immediate, Reclaim::Delete);
    parts.driver.attach_required = true;
    parts.driver.controller_publish = true;
    explore(parts, 6526);
}

/// The driver makes the volume and says for good that it did not: if the claim goes before the next try, nobody knows
/// of the disk any more.
#[test]
fn a_wrong_answer_may_leave_a_disk_behind() {
    let fault = answer(Method::CreateVolume, Code::Internal, "injected", true, Some(1));
    let world = world(with(plain(BindingMode::Immediate, Reclaim::Delete), fault));
    let (states, stuck, _) = ends(&Explored(world));
    assert_eq!((states, stuck), (1326, 9), "states reachable, and those from which the disk stays for ever");
}

/// The same may happen when external-provisioner dies with the driver's reply under way; a Pod runs in the end whenever
/// the claim stays.
#[test]
fn a_provisioner_that_dies_once_may_leave_a_disk_behind() {
    let kind = FaultKind::Down { role: Role::ExternalProvisioner, node: None };
    let fault = Fault { kind, times: Some(1) };
    let world = world(with(plain(BindingMode::Immediate, Reclaim::Delete), fault));
    assert_eq!(ends(&Explored(world)), (2364, 18, 0));
}
