//! From a Pod to its Node, by way of its volumes (SC2 to SC4, SC7).

use super::filter::match_on;
use super::{Event, PreBindReason, Scheduling, Why, filter, pre_filter};
use crate::model::claims::is_bound;
use crate::model::effect::{Field, Value};
use crate::model::turn::{Turn, need};
use crate::model::world::MAX_NODES;
use crate::model::{ClaimId, EventId, NodeId, ObjectId, PodId, Presence, Unmet, VolumeId};

type Step = Result<(), Unmet>;

/// A Pod that waits for a Node.
fn waits(t: &Turn, id: PodId) -> Step {
    let pod = t.cluster.pod(id);
    need(pod.presence == Presence::Here, Unmet::PodMissing)?;
    need(pod.node.is_none(), Unmet::PodBound)
}

/// The same, which is not on its way to one, and this Node will do.
fn fits(t: &Turn, id: PodId, node: NodeId) -> Step {
    need(t.cluster.scheduling(id).assumed.is_none(), Unmet::NodeChosen)?;
    need(!t.cluster.node(node).gone, Unmet::NodeRefused)?;
    pre_filter(t.world, &t.cluster, id).map_err(|_| Unmet::ClaimNotReady)?;
    filter(t.world, &t.cluster, id, node).map_err(|_| Unmet::NodeRefused)
}

/// The claim of a Pod, if it is not bound, or gone.
fn unbound(t: &Turn, id: PodId) -> Option<ClaimId> {
    t.world.claim_of(id).filter(|claim| {
        let claim = t.cluster.claim(*claim);
        claim.presence != Presence::Here || !is_bound(claim)
    })
}

/// SC4: the scheduler binds the Pod to a Node once its volumes are bound; nobody attaches before that.
pub(super) fn binds_pod(t: &mut Turn, id: PodId, node: NodeId) -> Step {
    waits(t, id)?;
    match t.cluster.scheduling(id).assumed {
        Some(chosen) => need(chosen == node, Unmet::NodeChosen)?,
        None => fits(t, id, node)?,
    }
    need(unbound(t, id).is_none(), Unmet::ClaimNotBound)?;
    t.read(ObjectId::Pod(id));
    if let Some(claim) = t.world.claim_of(id) {
        t.read(ObjectId::Claim(claim));
    }
    t.cluster.pod_mut(id).node = Some(node);
    *t.cluster.scheduling_mut(id) = Scheduling::default();
    t.write(ObjectId::Pod(id), Field::NodeName, Value::Absent, Value::Node(node));
    t.event(ObjectId::Pod(id), EventId::Scheduler(Event::Scheduled(id, node)));
    Ok(())
}

/// SC1, SC2: no Node will do.
pub(super) fn finds_no_node(t: &mut Turn, id: PodId) -> Step {
    waits(t, id)?;
    need(t.cluster.scheduling(id).assumed.is_none(), Unmet::NodeChosen)?;
    let why = match pre_filter(t.world, &t.cluster, id) {
        Err(reason) => Why::PreFilter(reason),
        Ok(()) => {
            let mut reasons = [None; MAX_NODES];
            let there = t.world.nodes().filter(|node| !t.cluster.node(*node).gone);
            for (slot, node) in reasons.iter_mut().zip(there) {
                let refused = filter(t.world, &t.cluster, id, node);
                *slot = Some(refused.err().ok_or(Unmet::NodeFits)?);
            }
            Why::Nodes(reasons)
        }
    };
    if let Some(claim) = t.world.claim_of(id) {
        t.read(ObjectId::Claim(claim));
    }
    fails(t, id, why)
}

/// The Pod goes back to the queue; the Event says why, unless that was the last that it said.
fn fails(t: &mut Turn, id: PodId, why: Why) -> Step {
    let known = *t.cluster.scheduling(id) == Scheduling { assumed: None, told: Some(why) };
    need(!known, Unmet::AlreadyTold)?;
    let again = t.cluster.scheduling(id).told == Some(why);
    *t.cluster.scheduling_mut(id) = Scheduling { assumed: None, told: Some(why) };
    if !again {
        t.event(ObjectId::Pod(id), EventId::Scheduler(Event::FailedScheduling(id, why)));
    }
    Ok(())
}

/// SC3: a Node is chosen for a Pod whose claim waits for it: a volume that is there is claimed, else the claim tells
/// the provisioner the Node.
pub(super) fn selects_node(t: &mut Turn, id: PodId, node: NodeId) -> Step {
    waits(t, id)?;
    fits(t, id, node)?;
    let claim = unbound(t, id).ok_or(Unmet::ClaimBound)?;
    t.read(ObjectId::Pod(id));
    t.read(ObjectId::Claim(claim));
    t.cluster.scheduling_mut(id).assumed = Some(node);
    let selected = t.cluster.claim(claim).selected;
    let found = match_on(t.world, &t.cluster, claim, node).filter(|_| selected.is_none());
    match found {
        Some(volume) => claims_volume(t, claim, volume),
        None if selected.is_none() => {
            t.cluster.claim_mut(claim).selected = Some(node);
            t.write(ObjectId::Claim(claim), Field::SelectedNode, Value::Absent, Value::Node(node));
        }
        None => {}
    }
    Ok(())
}

fn claims_volume(t: &mut Turn, claim: ClaimId, volume: VolumeId) {
    if t.cluster.volume(volume).claim.is_none() {
        t.cluster.volume_mut(volume).claim = Some(claim);
        t.write(ObjectId::Volume(volume), Field::ClaimRef, Value::Absent, Value::ClaimName(claim));
    }
}

/// A Pod with a chosen Node whose claim is not bound yet.
fn binding(t: &Turn, id: PodId) -> Result<(NodeId, ClaimId), Unmet> {
    waits(t, id)?;
    let node = t.cluster.scheduling(id).assumed.ok_or(Unmet::NodeNotChosen)?;
    let claim = unbound(t, id).ok_or(Unmet::ClaimBound)?;
    Ok((node, claim))
}

/// SC7: while it waits, the scheduler sees that the claim is no longer on its way to a volume.
pub(super) fn sees_binding_fail(t: &mut Turn, id: PodId) -> Step {
    let (node, claim) = binding(t, id)?;
    let there = t.cluster.claim(claim);
    let claimed = t.world.volumes().any(|volume| {
        let volume = t.cluster.volume(volume);
        volume.presence == Presence::Here && volume.claim == Some(claim)
    });
    let reason = if there.presence != Presence::Here {
        PreBindReason::ClaimGone(claim)
    } else if there.selected == Some(node) || claimed {
        return Err(Unmet::BindingUnderWay);
    } else if there.provisioner {
        PreBindReason::ProvisioningFailed(claim)
    } else {
        PreBindReason::SelectedNodeReset(claim)
    };
    t.read(ObjectId::Claim(claim));
    fails(t, id, Why::PreBind(reason))
}

/// SC3: the volumes are not bound within ten minutes.
pub(super) fn times_out(t: &mut Turn, id: PodId) -> Step {
    let (_, claim) = binding(t, id)?;
    t.read(ObjectId::Claim(claim));
    fails(t, id, Why::PreBind(PreBindReason::Deadline))
}
