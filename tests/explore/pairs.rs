//! Two Pods and two Nodes, with one volume or two: what they do to each other.

use crate::worlds::made::{self, bound, orderly, plain, two_claims, unstaged, world};
use crate::worlds::{Explored, laws, text};
use mountpath::model::{AccessMode, BindingMode, Cluster, Parts, Runtime};
use std::fmt::Write as _;

const BOTH: &[&str] = &["app", "web"];

/// Every Pod runs.
fn all_run(explored: &Explored, state: &Cluster) -> bool {
    explored.world.pods().all(|id| state.pod(id).runtime == Runtime::Running)
}

/// Visits these worlds; what came of it is in a golden file. What happens inside of a process takes no time.
fn visit(name: &str, worlds: &[(&str, Parts)], change: fn(Explored) -> Explored) {
    let mut told =
        String::from("# world: states, with something left for ever, with a Pod that never runs\n");
    for (name, parts) in worlds {
        let explored = Explored::new(world(parts.clone())).only(orderly).hasty(made::INSIDE);
        let (states, stuck, lost) = change(explored).run().counts();
        let _ = writeln!(told, "{name}: {states}, {stuck}, {lost}");
    }
    text::golden(&format!("explore-{name}.txt"), &told);
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
    let worlds = [("it needs no attach", plain(both))];
    visit("shared-many", &worlds, |explored| {
        let two = |explored: &Explored, state: &Cluster| {
            explored.world.volumes().any(|volume| laws::holders(&explored.world, state, volume) == 2)
        };
        explored.sometimes("two Nodes hold it", two).sometimes("both Pods run", all_run)
    });
}

#[test]
fn two_pods_have_a_volume_each() {
    let worlds = [
        ("bound at once", plain(two_claims(BindingMode::Immediate, 1))),
        ("bound when used", plain(two_claims(BindingMode::WaitForFirstConsumer, 1))),
    ];
    visit("two-claims", &worlds, |explored| explored.sometimes("both Pods run", all_run));
}
