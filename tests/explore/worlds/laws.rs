//! The laws: what holds in every state of every world, and of every step between two.

use super::{Explored, Is};
use mountpath::model::hand::Deed;
use mountpath::model::{
    About, Action, Change, ClaimId, Cluster, Deletion, Fault, FaultKind, Field, Finalizer, Link, Method,
    ObjectId, Outcome, Presence, REASONS, Role, Runtime, Value, VolumeId, World, adc, obeys, protection,
};

/// What a step is or is not: from this state, by this action.
pub type Step = fn(&World, &Cluster, Action, &Outcome) -> bool;

/// What holds in every state.
pub const STATES: &[(&str, Is)] = &[
    ("two Nodes hold a volume for one Node only where a dangerous cause is named", one_holder),
    ("a mount has its device, unless a dangerous cause took it away", mounts_have_devices),
    ("what is published is staged", published_is_staged),
    ("containers run on a mounted volume", containers_have_mounts),
    ("no disk is deleted under the mount of a Pod that is there, but by hand", disk_under_mount),
];

/// What holds of every step.
pub const STEPS: &[(&str, Step)] = &[
    ("only a field's owner writes it", only_owners_write),
    ("only known reasons are told", known_reasons),
    ("a claim in use loses neither its protection nor, with that, itself, but by hand", claims_in_use_stay),
    ("DeleteVolume never leaves while a VolumeAttachment names the volume", attached_is_not_deleted),
    ("NodeStageVolume leaves only for a volume that kubelet has seen attached", staged_is_attached),
    ("NodePublishVolume leaves only for a volume that is staged", published_after_staged),
    ("kube-scheduler binds a Pod only with a bound claim", bound_with_claim),
    ("no capacity shrinks", nothing_shrinks),
    ("no healthy Node is detached from by force", healthy_nodes_keep),
];

/// Whether only one Node may hold this volume, and somebody sees to that: it is the attach-detach controller alone.
pub fn is_guarded(world: &World, volume: VolumeId) -> bool {
    world.is_attachable(volume) && !world.allows_many_nodes(volume)
}

/// The Nodes that hold a volume: attached at the backend, or mounted.
pub fn holders(world: &World, state: &Cluster, volume: VolumeId) -> usize {
    let holds = |link: &Link| {
        let real = state.place(*link).real;
        real.published || real.staged || !real.targets.is_empty()
    };
    world.links().filter(|link| link.volume == volume).filter(holds).count()
}

/// Two Nodes hold a volume that is for one.
pub fn two_hold(explored: &Explored, state: &Cluster) -> bool {
    let world = &explored.world;
    let mut single = world.volumes().filter(|id| !world.allows_many_nodes(*id));
    single.any(|volume| holders(world, state, volume) > 1)
}

fn one_holder(explored: &Explored, state: &Cluster) -> bool {
    let world = &explored.world;
    !state.causes().is_empty()
        || world.volumes().all(|volume| !is_guarded(world, volume) || holders(world, state, volume) < 2)
}

fn mounts_have_devices(explored: &Explored, state: &Cluster) -> bool {
    let world = &explored.world;
    !state.causes().is_empty()
        || !world.driver().controller_publish
        || world.links().filter(|link| world.is_attachable(link.volume)).all(|link| {
            let real = state.place(link).real;
            real.device || (!real.staged && real.targets.is_empty())
        })
}

fn published_is_staged(explored: &Explored, state: &Cluster) -> bool {
    let world = &explored.world;
    !world.driver().node_stage
        || world.links().filter(|link| !world.is_inline(link.volume)).all(|link| {
            let real = state.place(link).real;
            real.staged || real.targets.is_empty()
        })
}

fn containers_have_mounts(explored: &Explored, state: &Cluster) -> bool {
    let world = &explored.world;
    world.pods().filter(|id| state.pod(*id).runtime == Runtime::Running).all(|id| {
        let node = state.pod(id).node;
        let mut links = world.links().filter(|link| Some(link.node) == node);
        links.any(|link| state.place(link).real.targets.contains(id))
    })
}

/// Nobody attaches a volume that DeleteVolume is called for. Where a Pod is deleted at once, the attach-detach controller
/// may still think of it when its claim is gone, so this is no law.
pub fn deleted_is_detached(explored: &Explored, state: &Cluster) -> bool {
    explored.world.links().all(|link| {
        let deleted = [Deletion::Called, Deletion::Done].contains(&state.deleter(link.volume).step);
        !deleted || !state.place(link).attachment.exists
    })
}

fn disk_under_mount(explored: &Explored, state: &Cluster) -> bool {
    let strips = |fault: &Fault| matches!(fault.kind, FaultKind::ByHand { deed: Deed::StripClaim(_) });
    if explored.world.faults().any(|(_, fault)| strips(fault)) {
        return true;
    }
    explored.world.links().all(|link| {
        let targets = state.place(link).real.targets;
        let mut there = explored.world.pods().filter(|id| state.pod(*id).presence == Presence::Here);
        state.deleter(link.volume).step != Deletion::Done || !there.any(|id| targets.contains(id))
    })
}

fn only_owners_write(_: &World, _: &Cluster, _: Action, outcome: &Outcome) -> bool {
    outcome.changes.iter().all(|change| obeys(*change))
}

fn known_reasons(world: &World, _: &Cluster, _: Action, outcome: &Outcome) -> bool {
    outcome.changes.iter().all(|change| match change {
        Change::Event { event, by, .. } => REASONS.contains(&(by.role, event.text(world).1)),
        _ => true,
    })
}

/// A Pod that comes with a Node after the protection was lifted, while another finalizer still holds the claim, is too late.
fn claims_in_use_stay(world: &World, before: &Cluster, _: Action, outcome: &Outcome) -> bool {
    let guarded = |id: ClaimId| {
        protection::in_use(world, before, id)
            && before.claim(id).finalizers.contains(Finalizer::PvcProtection)
    };
    outcome.changes.iter().all(|change| match change {
        Change::Delete { object: ObjectId::Claim(id), by } => by.role == Role::User || !guarded(*id),
        Change::Write { object: ObjectId::Claim(id), field: Field::Finalizers, to, by, .. } => {
            let stays = matches!(to, Value::Finalizers(set) if set.contains(Finalizer::PvcProtection));
            by.role == Role::User || stays || !guarded(*id)
        }
        _ => true,
    })
}

/// The calls that leave in a step.
fn calls(outcome: &Outcome, method: Method) -> impl Iterator<Item = About> + '_ {
    outcome.changes.iter().filter_map(move |change| match change {
        Change::Call { method: of, about, reply: None, .. } if *of == method => Some(*about),
        _ => None,
    })
}

fn attached_is_not_deleted(world: &World, before: &Cluster, _: Action, outcome: &Outcome) -> bool {
    calls(outcome, Method::DeleteVolume).all(|about| {
        let names = |link: Link| about == About::Volume(link.volume) && before.place(link).attachment.exists;
        !world.links().any(names)
    })
}

fn staged_is_attached(_: &World, before: &Cluster, _: Action, outcome: &Outcome) -> bool {
    calls(outcome, Method::NodeStageVolume).all(|about| match about {
        About::Link(link) | About::Target(link, _) => before.place(link).kubelet.attached,
        _ => false,
    })
}

fn published_after_staged(world: &World, before: &Cluster, _: Action, outcome: &Outcome) -> bool {
    calls(outcome, Method::NodePublishVolume).all(|about| match about {
        About::Target(link, _) => {
            !world.driver().node_stage || world.is_inline(link.volume) || before.place(link).real.staged
        }
        _ => false,
    })
}

fn bound_with_claim(world: &World, before: &Cluster, _: Action, outcome: &Outcome) -> bool {
    outcome.changes.iter().all(|change| match change {
        Change::Write { object: ObjectId::Pod(pod), field: Field::NodeName, by, .. }
            if by.role == Role::KubeScheduler =>
        {
            let claim = world.claim_of(*pod).map(|claim| before.claim(claim));
            claim.is_none_or(|claim| claim.presence == Presence::Here && claim.bind_completed)
        }
        _ => true,
    })
}

fn healthy_nodes_keep(_: &World, before: &Cluster, action: Action, _: &Outcome) -> bool {
    match action {
        Action::Adc(adc::Act::ForcesDetach(link)) => !adc::is_healthy(before, link.node),
        _ => true,
    }
}

fn nothing_shrinks(world: &World, before: &Cluster, _: Action, outcome: &Outcome) -> bool {
    let after = &outcome.cluster;
    let stays = |presence| presence == Presence::Here;
    world
        .claims()
        .filter(|id| stays(before.claim(*id).presence) && stays(after.claim(*id).presence))
        .all(|id| after.claim(id).capacity >= before.claim(id).capacity)
        && world.volumes().filter(|id| stays(before.volume(*id).presence)).all(|id| {
            let (before, after) = (before.volume(id), after.volume(id));
            !stays(after.presence)
                || (after.capacity >= before.capacity
                    && after.backing.size >= before.backing.size
                    && after.backing.file_system >= before.backing.file_system)
        })
}
