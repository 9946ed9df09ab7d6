//! States in which something waits, by name: what a failure leaves behind where no Event tells of it.

use super::{Explored, Is};
use mountpath::model::{ActorId, Cluster, Link, Presence, Role};

/// Every such state.
pub const STATES: &[(&str, Is)] = &[
    ("attached, and kubelet does not see it", attached_out_of_sight),
    ("a claim is to go, and a Pod on a Node uses it", claim_in_use),
    ("a Pod is to go, and its kubelet is down", pod_without_kubelet),
    ("a mount is left of a Pod that is gone", mount_without_pod),
    ("staged for nobody, attached and in use", staged_for_nobody),
    ("a detach has failed, and the Node's list does not say so", failed_detach),
    ("a VolumeAttachment is to go, and the external-attacher is down", detach_without_attacher),
    ("a Pod is to go, mounted and published", terminating_and_published),
];

/// The state of this name.
pub fn named(name: &str) -> (&'static str, Is) {
    *STATES.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("no state is called {name}"))
}

fn any_link(explored: &Explored, is: impl Fn(Link) -> bool) -> bool {
    explored.world.links().any(is)
}

fn attached_out_of_sight(explored: &Explored, state: &Cluster) -> bool {
    any_link(explored, |link| {
        let place = state.place(link);
        let waits = !place.kubelet.wanted.is_empty() && !place.kubelet.attached;
        place.attachment.attached && waits && !place.listed
    })
}

fn claim_in_use(explored: &Explored, state: &Cluster) -> bool {
    explored.world.pods().any(|id| {
        let pod = state.pod(id);
        let claim = explored.world.claim_of(id).map(|claim| state.claim(claim));
        let to_go = claim.is_some_and(|claim| claim.presence == Presence::Here && claim.deleting);
        pod.presence == Presence::Here && pod.node.is_some() && to_go
    })
}

fn pod_without_kubelet(explored: &Explored, state: &Cluster) -> bool {
    explored.world.pods().map(|id| state.pod(id)).any(|pod| {
        let down = pod.node.is_some_and(|node| state.down().contains(ActorId::on(Role::Kubelet, node)));
        pod.presence == Presence::Here && pod.deleting && down
    })
}

fn mount_without_pod(explored: &Explored, state: &Cluster) -> bool {
    any_link(explored, |link| {
        let targets = state.place(link).real.targets;
        let mut gone = explored.world.pods().filter(|id| state.pod(*id).presence == Presence::Gone);
        gone.any(|id| targets.contains(id))
    })
}

fn staged_for_nobody(explored: &Explored, state: &Cluster) -> bool {
    let gone = explored.world.pods().all(|id| state.pod(id).presence == Presence::Gone);
    gone && any_link(explored, |link| {
        let place = state.place(link);
        place.real.staged && place.in_use && place.attachment.attached
    })
}

fn failed_detach(explored: &Explored, state: &Cluster) -> bool {
    any_link(explored, |link| {
        let place = state.place(link);
        place.attachment.deleting && place.attachment.detach_error.is_some() && !place.listed
    })
}

fn detach_without_attacher(explored: &Explored, state: &Cluster) -> bool {
    let down = state.down().contains(ActorId::cluster(Role::ExternalAttacher));
    down && any_link(explored, |link| {
        let attachment = state.place(link).attachment;
        attachment.deleting && attachment.finalizer && attachment.detach_error.is_none()
    })
}

fn terminating_and_published(explored: &Explored, state: &Cluster) -> bool {
    any_link(explored, |link| {
        let targets = state.place(link).real.targets;
        explored.world.pods().any(|id| state.pod(id).deleting && targets.contains(id))
    })
}
