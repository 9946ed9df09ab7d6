//! Every reachable state of one volume: what never happens, and that it always ends clean.

use mountpath::model::{
    AccessMode, Action, Change, Cluster, Driver, KubeletOperation, NodeSpec, Parts, PodSpec, Presence,
    REASONS, World, actions, apply, candidates, next, obeys, promising, user,
};
use stateright::{Checker, Expectation, Model, Property};
use std::collections::{BTreeSet, HashMap, VecDeque};

/// A world with two Nodes, for a driver with or without its three abilities.
fn world(attach_required: bool, controller_publish: bool, node_stage: bool, pods: &[&str]) -> World {
    let node = |name: &str| NodeSpec { name: name.into(), driver_id: name.into(), ..NodeSpec::default() };
    let pod = |name: &str| PodSpec {
        name: name.into(),
        uid: format!("uid-of-{name}"),
        container: "c".into(),
        image: "busybox".into(),
        ..PodSpec::default()
    };
    let parts = Parts {
        namespace: "default".into(),
        driver: Driver { attach_required, controller_publish, node_stage, ..Driver::default() },
        nodes: vec![node("node-1"), node("node-2")],
        pods: pods.iter().map(|name| pod(name)).collect(),
        ..Parts::default()
    };
    World::new(parts.bound_claim("data", "pvc-1", "vol-1", AccessMode::ReadWriteOnce)).expect("a world")
}

struct Explored(World);

impl Model for Explored {
    type State = Cluster;
    type Action = Action;

    fn init_states(&self) -> Vec<Cluster> {
        vec![self.0.initial()]
    }

    fn actions(&self, state: &Cluster, found: &mut Vec<Action>) {
        // Those that are not possible have no next state, so each rule is asked once.
        found.extend(promising(&self.0, state));
    }

    fn next_state(&self, state: &Cluster, action: Action) -> Option<Cluster> {
        next(&self.0, state, action)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(
                "nothing is staged before kubelet has seen it attached",
                |m: &Explored, s: &Cluster| {
                    m.0.links().all(|link| {
                        let place = s.place(link);
                        place.kubelet.attached || !(place.real.staged || stages(place.kubelet.operation))
                    })
                },
            ),
            Property::always("nothing is published before it is staged", |m: &Explored, s: &Cluster| {
                m.0.links().all(|link| {
                    let place = s.place(link);
                    let publishes = matches!(place.kubelet.operation, KubeletOperation::PublishCalled(_));
                    !m.0.driver().node_stage
                        || place.real.staged
                        || (place.real.targets.is_empty() && !publishes)
                })
            }),
            Property::always(
                "a ReadWriteOnce volume is attached to one Node at most",
                |m: &Explored, s: &Cluster| {
                    m.0.links().filter(|link| s.place(*link).real.published).count() <= 1
                },
            ),
            Property::always("a mount has its device", |m: &Explored, s: &Cluster| {
                let attaches = m.0.driver().attach_required && m.0.driver().controller_publish;
                m.0.links().all(|link| {
                    let real = s.place(link).real;
                    !attaches || real.device || (!real.staged && real.targets.is_empty())
                })
            }),
            Property::always("containers run on a mounted volume", |m: &Explored, s: &Cluster| {
                m.0.pods().all(|id| {
                    let pod = s.pod(id);
                    let runs = pod.runtime == mountpath::model::Runtime::Running;
                    let mounted = m
                        .0
                        .links()
                        .any(|link| Some(link.node) == pod.node && s.place(link).real.targets.contains(id));
                    !runs || mounted
                })
            }),
            Property::always("only a field's owner writes it", |m: &Explored, s: &Cluster| {
                let outcomes = actions(&m.0, s).into_iter().filter_map(|a| apply(&m.0, s, a).ok());
                outcomes.flat_map(|outcome| outcome.changes).all(obeys)
            }),
            Property::always("only known reasons are told", |m: &Explored, s: &Cluster| {
                let outcomes = actions(&m.0, s).into_iter().filter_map(|a| apply(&m.0, s, a).ok());
                outcomes.flat_map(|outcome| outcome.changes).all(|change| match change {
                    Change::Event { event, by, .. } => REASONS.contains(&(by.role, event.text(&m.0).1)),
                    _ => true,
                })
            }),
            Property::always(
                "where nothing more can happen, nothing is left",
                |m: &Explored, s: &Cluster| !actions(&m.0, s).is_empty() || is_clean(&m.0, s),
            ),
            Property::sometimes("a Pod runs", |m: &Explored, s: &Cluster| {
                m.0.pods().any(|id| s.pod(id).runtime == mountpath::model::Runtime::Running)
            }),
        ]
    }
}

fn stages(operation: KubeletOperation) -> bool {
    matches!(operation, KubeletOperation::StageCalled(_) | KubeletOperation::StageDone(_))
}

/// The Pods are gone, and so is every trace of the volume on every Node.
fn is_clean(world: &World, state: &Cluster) -> bool {
    let fresh = world.initial();
    world.pods().all(|id| state.pod(id).presence == Presence::Gone)
        && world.links().all(|link| state.place(link) == fresh.place(link))
}

/// Shows every reachable state to `look`; gives, for each, the numbers of the states before it.
fn visit(world: &World, mut look: impl FnMut(&Cluster)) -> Vec<Vec<usize>> {
    let mut numbers = HashMap::from([(world.initial(), 0_usize)]);
    let mut queue = VecDeque::from([world.initial()]);
    let mut before: Vec<Vec<usize>> = vec![Vec::new()];
    while let Some(state) = queue.pop_front() {
        look(&state);
        let number = numbers[&state];
        for action in actions(world, &state) {
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
    before
}

/// How many of the reachable states there are, and how many of them cannot reach a clean one.
fn ends(world: &World) -> (usize, usize) {
    let mut clean = Vec::new();
    let mut number = 0;
    let before = visit(world, |state| {
        clean.extend(is_clean(world, state).then_some(number));
        number += 1;
    });
    let mut reaches = vec![false; before.len()];
    while let Some(number) = clean.pop() {
        if !std::mem::replace(&mut reaches[number], true) {
            clean.extend(&before[number]);
        }
    }
    (reaches.len(), reaches.iter().filter(|reaches| !**reaches).count())
}

fn explore(world: &World, states: usize) {
    let checker = Explored(world.clone()).checker().spawn_bfs().join();
    checker.assert_properties();
    assert_eq!(checker.unique_state_count(), states, "states reachable");
    assert_eq!(ends(world), (states, 0), "states reachable, and states with no clean end");
}

/// What takes a fault, and happens in the worlds that have some.
const AFTER_A_FAULT: &[&str] = &[
    "adc-detaches-out-of-service",
    "adc-finds-attachment-lost",
    "adc-finds-no-attachment",
    "adc-forces-detach",
    "adc-gives-up-attach",
    "adc-gives-up-detach",
    "adc-notices-attach-failed",
    "adc-notices-detach-failed",
    "attacher-receives-publish-refused",
    "attacher-reconciles-attachment",
    "attacher-records-attach-error",
    "attacher-records-detach-error",
    "attacher-reports-attach-obstacle",
    "attacher-reports-detach-obstacle",
    "garbage-collector-collects-csinode",
    "kubelet-rejects-pod",
    "kubelet-reports-ready",
    "node-lifecycle-marks-unready",
    "node-lifecycle-taints",
    "node-lifecycle-taints-no-execute",
    "node-lifecycle-untaints",
    "node-lifecycle-untaints-no-execute",
    "pod-gc-collects-orphan",
    "pod-gc-collects-out-of-service",
    "taint-eviction-cancels",
    "taint-eviction-evicts-pod",
];

#[test]
fn every_action_happens_somewhere() {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let worlds = [
        world(true, true, true, &["app"]),
        world(true, false, true, &["app"]),
        world(false, false, true, &["app"]),
    ];
    for world in &worlds {
        visit(world, |state| seen.extend(actions(world, state).iter().map(|a| a.name())));
    }
    let all: BTreeSet<&str> = candidates(&worlds[0]).map(Action::name).collect();
    let never: Vec<&str> = all.difference(&seen).copied().collect();
    let never: Vec<&str> = never.into_iter().filter(|name| !AFTER_A_FAULT.contains(name)).collect();
    // They take a second Pod, the deletion of the PersistentVolume, a driver that wants to be called again and
    // again, or something that goes wrong.
    let expected = [
        "adc-finds-attachment",
        "adc-reports-multi-attach",
        "attacher-releases-volume",
        "driver-tells-info",
        "kubelet-calls-node-publish-again",
        "kubelet-drops-driver",
        "kubelet-fails-mount",
        "kubelet-receives-info-ok",
        "kubelet-receives-publish-failed",
        "kubelet-receives-stage-failed",
        "kubelet-receives-unpublish-failed",
        "kubelet-receives-unstage-failed",
        "kubelet-reconstructs-volumes",
        "kubelet-registers-driver",
        "kubelet-reports-containers-completed",
        "kubelet-resolves-volumes",
        "registrar-offers-socket",
    ];
    assert_eq!(never, expected);
}

#[test]
fn a_driver_that_attaches_and_stages() {
    explore(&world(true, true, true, &["app"]), 10859);
}

#[test]
fn a_driver_without_stage_unstage() {
    explore(&world(true, true, false, &["app"]), 8111);
}

#[test]
fn a_driver_without_publish_unpublish() {
    explore(&world(true, false, true, &["app"]), 3465);
}

#[test]
fn a_driver_that_needs_no_attach() {
    explore(&world(false, false, true, &["app"]), 303);
}

/// Two Pods with one volume are too many states to visit them all, so walk among them: the walks differ and
/// are the same every time.
#[test]
fn walks_with_two_pods_that_may_land_on_two_nodes() {
    let model = Explored(world(true, true, true, &["app", "web"]));
    let properties = model.properties();
    let mut random = 1_u64;
    for walk in 0..100 {
        let mut state = model.0.initial();
        loop {
            let enabled = actions(&model.0, &state);
            for property in properties.iter().filter(|p| p.expectation == Expectation::Always) {
                assert!((property.condition)(&model, &state), "walk {walk}: {}: {state:?}", property.name);
            }
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let Some(action) = enabled.get((random >> 33) as usize % enabled.len().max(1)) else { break };
            // Patient users, or most walks would end before anything is mounted.
            let deletes = |a: &Action| matches!(a, Action::User(user::Act::DeletesPod(_)));
            if deletes(action) && !enabled.iter().all(deletes) && !(random >> 50).is_multiple_of(64) {
                continue;
            }
            state = apply(&model.0, &state, *action).expect("enabled").cluster;
        }
    }
}
