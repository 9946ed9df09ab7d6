//! Whether a Pod can be scheduled at all, and whether a Node will do: PreFilter and Filter (SC1, SC2, SC5, SC6).

use crate::model::claims::{admits, is_bound, is_delayed, mismatch};
use crate::model::ephemeral::{namesake, not_owner};
use crate::model::{
    AccessMode, ClaimId, ClaimPhase, Cluster, Link, NodeId, Phase, Pod, PodId, PodVolume, Presence, VolumeId,
    VolumePhase, VolumeSet, World,
};

/// Why a Pod is refused before any Node is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum PreFilterReason {
    /// The claim is not there.
    NotFound(ClaimId),
    /// The claim of the Pod's template is not there yet.
    AwaitsEphemeral(ClaimId),
    /// The claim of that name was not made for the Pod.
    NotOwner,
    /// The claim has lost its PersistentVolume.
    Lost(ClaimId, VolumeId),
    /// The claim is to go.
    Deleting(ClaimId),
    /// The claim is to be bound without a Pod, and is not bound.
    UnboundImmediate,
}

impl PreFilterReason {
    /// What the Event says.
    pub fn message(self, world: &World, pod: PodId) -> String {
        let name = |claim: ClaimId| &world.claim(claim).name;
        match self {
            PreFilterReason::NotFound(claim) => {
                format!("persistentvolumeclaim \"{}\" not found", name(claim))
            }
            PreFilterReason::AwaitsEphemeral(claim) => format!(
                "waiting for ephemeral volume controller to create the persistentvolumeclaim \"{}\"",
                name(claim)
            ),
            PreFilterReason::NotOwner => not_owner(world, pod),
            PreFilterReason::Lost(claim, volume) => format!(
                "persistentvolumeclaim \"{}\" bound to non-existent persistentvolume \"{}\"",
                name(claim),
                world.volume(volume).pv
            ),
            PreFilterReason::Deleting(claim) => {
                format!("persistentvolumeclaim \"{}\" is being deleted", name(claim))
            }
            PreFilterReason::UnboundImmediate => "pod has unbound immediate PersistentVolumeClaims".into(),
        }
    }
}

/// Why a Node is refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum NodeReason {
    /// The Node has a taint that no Pod of the world tolerates.
    Taint,
    /// The Pod's `spec.nodeSelector` or `spec.affinity` does not admit it.
    Selector,
    /// Another Pod uses the ReadWriteOncePod claim.
    InUse,
    /// No more volumes may be attached to it.
    Limit,
    /// The PersistentVolume's `spec.nodeAffinity` does not admit it.
    Affinity,
    /// The PersistentVolume of the bound claim is gone.
    VolumeGone,
    /// No volume fits there, and none can be provisioned there.
    NoVolume,
    /// The driver has too little room for it.
    NoStorage,
}

impl NodeReason {
    /// What the Event says.
    ///
    /// Source: pkg/scheduler/framework/plugins: volumebinding/binder.go:64, volumerestrictions/volume_restrictions.go:60,
    /// nodevolumelimits/csi.go:44, nodeaffinity/node_affinity.go, tainttoleration/taint_toleration.go.
    pub fn message(self) -> &'static str {
        match self {
            NodeReason::Taint => "node(s) had untolerated taint(s)",
            NodeReason::Selector => "node(s) didn't match Pod's node affinity/selector",
            NodeReason::InUse => {
                "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already \
                 in-use by another pod"
            }
            NodeReason::Limit => "node(s) exceed max volume count",
            NodeReason::Affinity => "node(s) didn't match PersistentVolume's node affinity",
            NodeReason::VolumeGone => {
                "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"
            }
            NodeReason::NoVolume => "node(s) didn't find available persistent volumes to bind",
            NodeReason::NoStorage => "node(s) did not have enough free storage",
        }
    }

    /// What the Event says of other Pods that could make room.
    ///
    /// Source: pkg/scheduler/framework/preemption/preemption.go.
    pub fn preemption(self) -> &'static str {
        match self {
            NodeReason::InUse | NodeReason::Limit => "No preemption victims found for incoming pod",
            NodeReason::Taint
            | NodeReason::Selector
            | NodeReason::Affinity
            | NodeReason::VolumeGone
            | NodeReason::NoVolume
            | NodeReason::NoStorage => "Preemption is not helpful for scheduling",
        }
    }
}

/// SC1: what keeps a Pod from every Node.
///
/// Source: pkg/scheduler/framework/plugins/volumebinding/volume_binding.go `PreFilter`.
///
/// # Errors
/// The first reason.
pub fn pre_filter(world: &World, cluster: &Cluster, pod: PodId) -> Result<(), PreFilterReason> {
    let Some(id) = world.claim_of(pod) else { return Ok(()) };
    let own = matches!(world.pod(pod).source, PodVolume::Ephemeral(_));
    let claim = cluster.claim(id);
    if claim.presence != Presence::Here {
        return Err(match (own, namesake(world, cluster, id)) {
            (true, Some(_)) => PreFilterReason::NotOwner,
            (true, None) => PreFilterReason::AwaitsEphemeral(id),
            (false, _) => PreFilterReason::NotFound(id),
        });
    }
    if let Some(volume) = claim.volume.filter(|_| claim.phase == ClaimPhase::Lost) {
        return Err(PreFilterReason::Lost(id, volume));
    }
    if claim.deleting {
        return Err(PreFilterReason::Deleting(id));
    }
    let delayed = claim.volume.is_none() && is_delayed(world, cluster, id);
    if is_bound(claim) || delayed { Ok(()) } else { Err(PreFilterReason::UnboundImmediate) }
}

/// SC2 and SC5: what keeps a Pod from one Node; the first plugin that refuses says so.
///
/// # Errors
/// The reason.
pub fn filter(world: &World, cluster: &Cluster, pod: PodId, node: NodeId) -> Result<(), NodeReason> {
    let there = cluster.node(node);
    if there.no_schedule || there.no_execute || there.out_of_service || there.tainted {
        return Err(NodeReason::Taint);
    }
    let selector = world.pod(pod).selector.as_ref();
    if selector.is_some_and(|nodes| !nodes.contains(&usize::from(node.0))) {
        return Err(NodeReason::Selector);
    }
    let Some(claim) = world.claim_of(pod) else { return Ok(()) };
    let once = world.claim(claim).access_mode == AccessMode::ReadWriteOncePod;
    if once && others(world, cluster, pod).any(|(_, other)| world.claim_of(other) == Some(claim)) {
        return Err(NodeReason::InUse);
    }
    if let Some(limit) = world.node(node).limit.filter(|_| cluster.node(node).driver) {
        let used = attached(world, cluster, pod, node);
        let own = cluster.claim(claim).volume;
        let new = usize::from(own.is_none_or(|volume| !used.contains(volume)));
        let count = world.volumes().filter(|volume| used.contains(*volume)).count();
        if new > 0 && count + new > usize::from(limit) {
            return Err(NodeReason::Limit);
        }
    }
    volume_binding(world, cluster, claim, node)
}

/// The Pods that have a Node, or a chosen one, besides this one; those that have ended do not count.
fn others<'w>(
    world: &'w World,
    cluster: &'w Cluster,
    pod: PodId,
) -> impl Iterator<Item = (NodeId, PodId)> + 'w {
    world.pods().filter(move |other| *other != pod).filter_map(move |other| {
        let there = cluster.pod(other);
        let node = there.node.or(cluster.scheduling(other).assumed)?;
        lives(there).then_some((node, other))
    })
}

fn lives(pod: &Pod) -> bool {
    let ended = match pod.phase {
        Phase::Succeeded | Phase::Failed => true,
        Phase::Pending | Phase::Running => false,
    };
    pod.presence == Presence::Here && !ended
}

/// SC5: the volumes that count against a Node's limit: those of its Pods, and those that a VolumeAttachment names.
fn attached(world: &World, cluster: &Cluster, pod: PodId, node: NodeId) -> VolumeSet {
    let pods = others(world, cluster, pod).filter(|(on, _)| *on == node);
    let used = pods.filter_map(|(_, other)| cluster.claim(world.claim_of(other)?).volume);
    let named = world.volumes().filter(|volume| {
        cluster.place(Link { volume: *volume, node }).attachment.exists
            && cluster.volume(*volume).presence == Presence::Here
    });
    used.chain(named).collect()
}

/// SC2: a bound volume must admit the Node; for an unbound claim there must be a volume, or a way to make one.
///
/// Source: pkg/scheduler/framework/plugins/volumebinding/binder.go `FindPodVolumes`.
fn volume_binding(world: &World, cluster: &Cluster, id: ClaimId, node: NodeId) -> Result<(), NodeReason> {
    let claim = cluster.claim(id);
    if let Some(volume) = claim.volume.filter(|_| is_bound(claim)) {
        if cluster.volume(volume).presence != Presence::Here {
            return Err(NodeReason::VolumeGone);
        }
        let admitted = admits(world, cluster, volume, node);
        return if admitted { Ok(()) } else { Err(NodeReason::Affinity) };
    }
    match claim.selected {
        Some(selected) if selected != node => return Err(NodeReason::NoVolume),
        Some(_) => {}
        None if match_on(world, cluster, id, node).is_some() => return Ok(()),
        None => {}
    }
    let class = claim.class.ok_or(NodeReason::NoVolume)?;
    let spec = world.class(class);
    let admitted = spec.topology.as_ref().is_none_or(|nodes| nodes.contains(&usize::from(node.0)));
    if !admitted || spec.provisioner == "kubernetes.io/no-provisioner" {
        return Err(NodeReason::NoVolume);
    }
    let checked = world.driver().storage_capacity && spec.provisioner == world.driver().name;
    let enough = cluster.node(node).capacity.is_some_and(|free| free >= claim.request);
    if checked && !enough { Err(NodeReason::NoStorage) } else { Ok(()) }
}

/// The smallest free PersistentVolume that fits a claim and admits a Node.
pub(super) fn match_on(world: &World, cluster: &Cluster, id: ClaimId, node: NodeId) -> Option<VolumeId> {
    let free = |volume: &VolumeId| {
        let found = cluster.volume(*volume);
        let mine = found.claim == Some(id);
        let free = found.claim.is_none() && found.phase == VolumePhase::Available;
        found.presence == Presence::Here && (mine || free)
    };
    world
        .volumes()
        .filter(free)
        .filter(|volume| mismatch(world, cluster, id, *volume).is_none())
        .filter(|volume| admits(world, cluster, *volume, node))
        .min_by_key(|volume| cluster.volume(*volume).capacity)
}
