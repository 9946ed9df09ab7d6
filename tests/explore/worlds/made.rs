//! Worlds to explore, and the users in them.

use crate::claims_world::{claim, node, parts, pod, provisioned};
use mountpath::model::{
    AccessMode, Action, BindingMode, Cluster, Driver, Parts, PodVolume, Presence, Reclaim, Runtime, World,
    user,
};

/// A world, which must be one.
pub fn world(parts: Parts) -> World {
    World::new(parts).expect("a world")
}

/// So many Pods on so many Nodes with one claim that is bound from the start and that nobody deletes.
pub fn bound(mode: AccessMode, pods: &[&str], nodes: usize) -> Parts {
    let parts = Parts {
        namespace: "default".into(),
        nodes: ["node-1", "node-2"].iter().take(nodes).map(|name| node(name)).collect(),
        pods: pods.iter().map(|name| pod(name, PodVolume::Claim(0))).collect(),
        ..Parts::default()
    };
    parts.bound_claim("data", "pvc-1", "vol-1", mode)
}

/// Two claims of this class, each with a volume and a Pod of its own.
pub fn two_claims(binding: BindingMode, nodes: usize) -> Parts {
    let mut parts = parts(binding, Reclaim::Delete);
    parts.claims = vec![claim("data", 0), claim("logs", 1)];
    parts.volumes = (0..2).map(|number| provisioned(number, Reclaim::Delete)).collect();
    parts.pods = vec![pod("app", PodVolume::Claim(0)), pod("web", PodVolume::Claim(1))];
    parts.nodes.truncate(nodes);
    parts
}

/// One claim's whole life, on so many Nodes: made, used by one Pod, and deleted.
pub fn whole(binding: BindingMode, nodes: usize) -> Parts {
    let mut parts = parts(binding, Reclaim::Delete);
    parts.nodes.truncate(nodes);
    parts
}

/// A driver that neither attaches nor stages, so that something else is what there is to explore.
pub fn plain(mut parts: Parts) -> Parts {
    parts.driver =
        Driver { attach_required: false, controller_publish: false, node_stage: false, ..parts.driver };
    parts
}

/// A driver that attaches, but does not stage.
pub fn unstaged(mut parts: Parts) -> Parts {
    parts.driver.node_stage = false;
    parts
}

/// A user who leaves PersistentVolumes alone, and deletes a Pod only when it runs or has no Node.
pub fn sane(world: &World, state: &Cluster, action: &Action) -> bool {
    match action {
        Action::User(user::Act::DeletesVolume(_)) => false,
        Action::User(user::Act::ClearsClaimRef(id)) => world.volume(*id).reclaim == Reclaim::Retain,
        Action::User(user::Act::DeletesPod(id)) => {
            state.pod(*id).node.is_none() || state.pod(*id).runtime == Runtime::Running
        }
        _ => true,
    }
}

/// A user who does one thing after the other: claims, then their Pods, and when those have run, all away again.
pub fn orderly(world: &World, state: &Cluster, action: &Action) -> bool {
    let before = |presence| presence == Presence::NotYet;
    let gone = |presence| presence == Presence::Gone;
    match action {
        Action::User(user::Act::CreatesPod(_)) => {
            world.claims().all(|claim| !before(state.claim(claim).presence))
        }
        Action::User(user::Act::DeletesPod(id)) => state.pod(*id).runtime == Runtime::Running,
        Action::User(user::Act::DeletesClaim(id)) => world
            .pods()
            .filter(|pod| world.claim_of(*pod) == Some(*id))
            .all(|pod| gone(state.pod(pod).presence)),
        _ => sane(world, state, action),
    }
}

/// Informers keep up, and what happens inside of one process takes no time.
pub const INSIDE: &[&str] = &[
    "adc-finds-pod",
    "adc-drops-pod",
    "adc-sees-in-use",
    "adc-finds-still-in-use",
    "attacher-repeats-controller-publish",
    "kubelet-wants-volume",
    "kubelet-forgets-volume",
    "kubelet-marks-attached-at-once",
    "kubelet-drops-pod",
    "kubelet-pulls-image",
    "kubelet-admits-pod",
    "pv-controller-waits-for-consumer",
    "pv-controller-asks-provisioner",
];
