//! Every reachable state of one volume: what never happens, and that it always ends clean.

use crate::worlds::{Explored, laws, made};
use mountpath::model::{
    AccessMode, Action, Cluster, Driver, Runtime, World, actions, apply, candidates, user,
};
use std::collections::BTreeSet;

/// A world with two Nodes, for a driver with or without its three abilities.
fn world(attach_required: bool, controller_publish: bool, node_stage: bool, pods: &[&str]) -> World {
    let mut parts = made::bound(AccessMode::ReadWriteOnce, pods, 2);
    parts.driver = Driver { attach_required, controller_publish, node_stage, ..Driver::default() };
    made::world(parts)
}

fn runs(explored: &Explored, state: &Cluster) -> bool {
    explored.world.pods().any(|id| state.pod(id).runtime == Runtime::Running)
}

fn explore(world: World, states: usize) {
    let seen = Explored::new(world).sometimes("a Pod runs", runs).run();
    assert_eq!(seen.counts(), (states, 0, 0));
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
        seen.extend(Explored::new(world.clone()).run().names);
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
    explore(world(true, true, true, &["app"]), 10859);
}

#[test]
fn a_driver_without_stage_unstage() {
    explore(world(true, true, false, &["app"]), 8111);
}

#[test]
fn a_driver_without_publish_unpublish() {
    explore(world(true, false, true, &["app"]), 3465);
}

#[test]
fn a_driver_that_needs_no_attach() {
    explore(world(false, false, true, &["app"]), 303);
}

/// Two Pods with one volume are too many states to visit them all in every detail (see `pairs.rs`), so walk
/// among them: the walks differ and are the same every time.
#[test]
fn walks_with_two_pods_that_may_land_on_two_nodes() {
    let explored = Explored::new(world(true, true, true, &["app", "web"]));
    let mut random = 1_u64;
    for walk in 0..100 {
        let mut state = explored.start;
        loop {
            let enabled = actions(&explored.world, &state);
            for (law, holds) in laws::STATES {
                assert!(holds(&explored, &state), "walk {walk}: {law}: {state:?}");
            }
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let Some(action) = enabled.get((random >> 33) as usize % enabled.len().max(1)) else { break };
            // Patient users, or most walks would end before anything is mounted.
            let deletes = |a: &Action| matches!(a, Action::User(user::Act::DeletesPod(_)));
            if deletes(action) && !enabled.iter().all(deletes) && !(random >> 50).is_multiple_of(64) {
                continue;
            }
            let outcome = apply(&explored.world, &state, *action).expect("enabled");
            for (law, holds) in laws::STEPS {
                assert!(holds(&explored.world, &state, *action, &outcome), "walk {walk}: {law}: {action:?}");
            }
            state = outcome.cluster;
        }
    }
}
