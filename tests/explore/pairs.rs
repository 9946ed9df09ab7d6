//! Two Pods and two Nodes, with one volume or two: what they do to each other. `MOUNTPATH_EXPLORE=large` looks closer.

use crate::worlds::broken::pinned;
use crate::worlds::made::{self, bound, orderly, plain, two_claims, unstaged, world};
use crate::worlds::{Explored, large, laws, text};
use mountpath::model::{AccessMode, BindingMode, Cluster, Parts, PodVolume, Runtime};
use std::fmt::Write as _;

const BOTH: &[&str] = &["app", "web"];

/// Every Pod runs.
fn all_run(explored: &Explored, state: &Cluster) -> bool {
    explored.world.pods().all(|id| state.pod(id).runtime == Runtime::Running)
}

/// Visits these worlds; what came of it is in a golden file. Where it is small, what happens inside of a process takes
/// no time.
fn visit(name: &str, worlds: &[(&str, Parts)], change: fn(Explored) -> Explored) {
    let mut told =
        String::from("# world: states, with something left for ever, with a Pod that never runs\n");
    for (name, parts) in worlds {
        let explored = Explored::new(world(parts.clone())).only(orderly);
        let explored = if large() { explored } else { explored.hasty(made::INSIDE) };
        let (states, stuck, lost) = change(explored).run().counts();
        println!("{name}: {states}, {stuck}, {lost}");
        let _ = writeln!(told, "{name}: {states}, {stuck}, {lost}");
    }
    text::numbers(&format!("explore-{name}.txt"), &told);
}

/// The attach-detach controller keeps a second Node away, so that one Pod waits for the other where they are on two.
#[test]
fn two_pods_share_a_volume_that_is_for_one_node() {
    let both = bound(AccessMode::ReadWriteOnce, BOTH, 2);
    let worlds = [("it attaches", unstaged(both))];
    visit("shared-once", &worlds, |explored| {
        let one = |explored: &Explored, state: &Cluster| !laws::two_hold(explored, state);
        explored.always("one Node holds it at most", one).sometimes("both Pods run", all_run)
    });
}

#[test]
fn two_pods_share_a_volume_that_is_for_many_nodes() {
    let both = bound(AccessMode::ReadWriteMany, BOTH, 2);
    let mut worlds = vec![("it needs no attach", plain(both.clone()))];
    if large() {
        worlds.push(("it attaches", unstaged(both)));
    }
    visit("shared-many", &worlds, |explored| {
        let two = |explored: &Explored, state: &Cluster| {
            explored.world.volumes().any(|volume| laws::holders(&explored.world, state, volume) == 2)
        };
        explored.sometimes("two Nodes hold it", two).sometimes("both Pods run", all_run)
    });
}

#[test]
fn two_pods_have_a_volume_each() {
    let nodes = if large() { 2 } else { 1 };
    let worlds = [
        ("bound at once", plain(two_claims(BindingMode::Immediate, nodes))),
        ("bound when used", plain(two_claims(BindingMode::WaitForFirstConsumer, nodes))),
    ];
    visit("two-claims", &worlds, |explored| explored.sometimes("both Pods run", all_run));
}

/// Two volumes on two Nodes: of each only its own Pod, wherever that is; the driver attaches for two Pods that each have
/// their Node, and for two that share one.
#[test]
fn two_pods_have_a_volume_each_on_two_nodes() {
    let both = |access| {
        let mut parts = bound(access, BOTH, 2).bound_claim("logs", "pvc-2", "vol-2", access);
        parts.pods[1].source = PodVolume::Claim(1);
        parts
    };
    let worlds = [
        ("it needs no attach", plain(both(AccessMode::ReadWriteOnce))),
        ("it attaches, each on a Node of its own", unstaged(pinned(both(AccessMode::ReadWriteOnce)))),
        ("it attaches, for many Nodes", unstaged(pinned(both(AccessMode::ReadWriteMany)))),
    ];
    visit("two-volumes", &worlds, |explored| {
        let apart = |explored: &Explored, state: &Cluster| {
            let mut pods =
                explored.world.pods().map(|id| state.pod(id)).filter(|pod| pod.runtime == Runtime::Running);
            let (one, two) = (pods.next(), pods.next());
            one.zip(two).is_some_and(|(one, two)| one.node != two.node)
        };
        explored.sometimes("both Pods run", all_run).sometimes("on two Nodes", apart)
    });
}
