//! A claim that asks for more than it has: ControllerExpandVolume, and what is written before and after it.

use super::{Event, ResizeError, code_of, expand_error};
use crate::model::effect::{About, Failure, Field, Method, Reply, Value};
use crate::model::growth::{Allocated, Condition, Conditions, Growth, Modifier, Resizer};
use crate::model::turn::{Turn, need};
use crate::model::{ClaimId, ClaimPhase, Code, EventId, FaultId, ObjectId, Presence, Unmet, VolumeId};

type Step = Result<(), Unmet>;

/// A bound claim with its volume, in reach of a resizer.
pub(super) fn bound(t: &Turn, id: ClaimId) -> Result<VolumeId, Unmet> {
    let claim = t.cluster.claim(id);
    need(claim.presence == Presence::Here, Unmet::ClaimMissing)?;
    need(claim.phase == ClaimPhase::Bound, Unmet::ClaimNotBound)?;
    claim.volume.ok_or(Unmet::ClaimNotBound)
}

/// ER1: the claim asks for more than it has, and the controller has a part in it. The size is that of the next call.
fn wants_more(t: &Turn, id: ClaimId) -> Result<(VolumeId, u16), Unmet> {
    let volume = bound(t, id)?;
    need(t.world.driver().resizer && t.world.driver().controller_expand, Unmet::NoExpansion)?;
    let claim = t.cluster.claim(id);
    need(claim.growth.resizer == Resizer::Idle, Unmet::OperationPending)?;
    need(claim.request > claim.capacity, Unmet::LargeEnough)?;
    let size = next_size(claim.request, t.cluster.volume(volume).capacity, &claim.growth);
    Ok((volume, size.ok_or(Unmet::NodeExpansion)?))
}

/// For how many GiB the driver is asked next: what it may still be at is brought to its end first, whatever the claim
/// asks for by now. `None` where the rest is kubelet's.
///
/// Source: external-resizer pkg/controller/expand_and_recover.go `expandAndRecover`.
pub fn next_size(request: u16, volume: u16, growth: &Growth) -> Option<u16> {
    let begun = if growth.allocated_size > 0 { growth.allocated_size } else { request };
    let larger = volume < request;
    match growth.allocated {
        Allocated::NodeResizePending | Allocated::NodeResizeInProgress => {
            (larger && volume < begun).then_some(begun)
        }
        Allocated::NodeResizeInfeasible => Some(begun),
        Allocated::ControllerResizeInProgress if !growth.final_error => Some(begun),
        Allocated::ControllerResizeInProgress | Allocated::ControllerResizeInfeasible | Allocated::None => {
            Some(if larger { request } else { begun })
        }
    }
}

/// The driver refused because the volume is in use, and somebody still uses it.
fn is_held(t: &Turn, id: ClaimId) -> bool {
    let uses = |pod| {
        let state = t.cluster.pod(pod);
        t.world.claim_of(pod) == Some(id) && state.presence == Presence::Here && state.node.is_some()
    };
    t.cluster.claim(id).growth.in_use && t.world.pods().any(uses)
}

/// ER1: first the claim's status says that it begins.
pub(super) fn marks(t: &mut Turn, id: ClaimId) -> Step {
    let (volume, size) = wants_more(t, id)?;
    need(!is_held(t, id), Unmet::InUse)?;
    t.read(ObjectId::Claim(id));
    t.read(ObjectId::Volume(volume));
    let growth = &mut t.cluster.claim_mut(id).growth;
    // The same size once more says nothing new in the claim's status.
    let again = growth.allocated_size == size;
    growth.slow = growth.allocated == Allocated::ControllerResizeInfeasible;
    growth.raised = false;
    growth.resizer = Resizer::Marked;
    growth.allocated_size = size;
    if !again {
        set_allocated(t, id, Allocated::ControllerResizeInProgress);
    }
    // What an earlier attempt at another size left is no longer true; a modification is another matter.
    let conditions = t.cluster.claim(id).growth.conditions;
    let kept = if again { conditions } else { conditions.without_resize() };
    set_conditions(t, id, kept.with(Condition::Resizing));
    set_skips_node(t, id, false);
    tell(t, id, Event::Resizing(volume));
    Ok(())
}

/// Writes the annotation that nothing is left to do on a Node, or takes it off.
fn set_skips_node(t: &mut Turn, id: ClaimId, to: bool) {
    let value = |is| if is { Value::Text("true") } else { Value::Absent };
    let from = std::mem::replace(&mut t.cluster.claim_mut(id).growth.skips_node, to);
    if from != to {
        t.write(ObjectId::Claim(id), Field::NodeExpansionNotRequired, value(from), value(to));
    }
}

/// ER2: the driver only expands offline and the volume is still in use, so it is not even called.
pub(super) fn says_in_use(t: &mut Turn, id: ClaimId) -> Step {
    wants_more(t, id)?;
    need(is_held(t, id), Unmet::NotInUse)?;
    tell(t, id, Event::OnlyOffline(id));
    Ok(())
}

/// ER1: ControllerExpandVolume leaves.
pub(super) fn calls(t: &mut Turn, id: ClaimId) -> Step {
    let volume = bound(t, id)?;
    advance(t, id, Resizer::Marked, Resizer::Called)?;
    t.call(Method::ControllerExpandVolume, About::Volume(volume));
    Ok(())
}

/// ER1: the reply arrives.
pub(super) fn receives_ok(t: &mut Turn, id: ClaimId) -> Step {
    let volume = bound(t, id)?;
    advance(t, id, Resizer::Done, Resizer::Expanded)?;
    let growth = &mut t.cluster.claim_mut(id).growth;
    growth.final_error = false;
    growth.slow = false;
    t.reply(Method::ControllerExpandVolume, About::Volume(volume), Reply::Ok);
    Ok(())
}

/// ER2: an error arrives, and the driver has or has not done it all the same.
pub(super) fn receives_failed(t: &mut Turn, id: ClaimId, fault: FaultId) -> Step {
    let did = match t.cluster.claim(id).growth.resizer {
        Resizer::Called => false,
        Resizer::Done => true,
        Resizer::Idle | Resizer::Marked | Resizer::Expanded | Resizer::Recorded => {
            return Err(Unmet::NoSuchCall);
        }
    };
    let code = code_of(t, fault)?;
    t.spend_fault(fault, Method::ControllerExpandVolume, None, did)?;
    t.goes_on(fault, Method::ControllerExpandVolume, About::Volume(bound(t, id)?));
    fails(t, id, code, Failure::Fault(fault))
}

/// ER2: the driver itself refuses, or is not there.
pub(super) fn receives_refused(t: &mut Turn, id: ClaimId) -> Step {
    need(t.cluster.claim(id).growth.resizer == Resizer::Called, Unmet::NoSuchCall)?;
    let volume = bound(t, id)?;
    let failure = t.refusal(Method::ControllerExpandVolume, About::Volume(volume))?;
    let code = failure.code(t.world).ok_or(Unmet::NoSuchFault)?;
    fails(t, id, code, failure)
}

/// ER2: what an error leaves depends on its class; a non-final one leaves the status as it is.
fn fails(t: &mut Turn, id: ClaimId, code: Code, failure: Failure) -> Step {
    let volume = bound(t, id)?;
    t.reply(Method::ControllerExpandVolume, About::Volume(volume), Reply::Failed(failure));
    let class = expand_error(code);
    let growth = &mut t.cluster.claim_mut(id).growth;
    growth.resizer = Resizer::Idle;
    growth.final_error = class != ResizeError::InProgress;
    growth.slow &= class == ResizeError::Infeasible;
    match class {
        ResizeError::InProgress => {}
        class @ (ResizeError::Infeasible | ResizeError::InUse | ResizeError::Final) => {
            if class == ResizeError::Infeasible {
                set_allocated(t, id, Allocated::ControllerResizeInfeasible);
            }
            if class == ResizeError::InUse {
                t.cluster.claim_mut(id).growth.in_use = true;
            }
            let conditions = t.cluster.claim(id).growth.conditions.with(Condition::ControllerResizeError);
            set_conditions(t, id, conditions);
        }
    }
    tell(t, id, Event::ResizeFailed(volume, failure));
    Ok(())
}

/// ER3: the PersistentVolume gets its new capacity.
pub(super) fn records_capacity(t: &mut Turn, id: ClaimId) -> Step {
    let volume = bound(t, id)?;
    advance(t, id, Resizer::Expanded, Resizer::Recorded)?;
    let to = t.cluster.claim(id).growth.allocated_size;
    let from = t.cluster.volume(volume).capacity;
    if from < to {
        t.cluster.volume_mut(volume).capacity = to;
        t.write(ObjectId::Volume(volume), Field::Capacity, Value::Size(from), Value::Size(to));
    }
    Ok(())
}

/// ER4: the driver has said that the Node must do the rest.
pub(super) fn leaves_rest_to_node(t: &mut Turn, id: ClaimId) -> Step {
    need(t.world.driver().needs_node_expansion, Unmet::NoNodeExpansion)?;
    advance(t, id, Resizer::Recorded, Resizer::Idle)?;
    set_skips_node(t, id, false);
    set_allocated(t, id, Allocated::NodeResizePending);
    let conditions = t.cluster.claim(id).growth.conditions.with(Condition::FileSystemResizePending);
    set_conditions(t, id, conditions);
    tell(t, id, Event::FileSystemResizeRequired);
    Ok(())
}

/// ER4: the driver has said that nothing is left to do.
pub(super) fn finishes(t: &mut Turn, id: ClaimId) -> Step {
    need(!t.world.driver().needs_node_expansion, Unmet::NodeExpansion)?;
    advance(t, id, Resizer::Recorded, Resizer::Idle)?;
    set_skips_node(t, id, true);
    let size = t.cluster.claim(id).growth.allocated_size;
    finish(t, id, size);
    tell(t, id, Event::ResizeSuccessful);
    Ok(())
}

/// The claim has its new size, and nothing tells of an expansion any more.
pub(in crate::model) fn finish(t: &mut Turn, id: ClaimId, size: u16) {
    set_allocated(t, id, Allocated::None);
    let from = t.cluster.claim(id).capacity;
    let to = from.max(size);
    t.cluster.claim_mut(id).capacity = to;
    if from != to {
        t.write(ObjectId::Claim(id), Field::StatusCapacity, Value::Size(from), Value::Size(to));
    }
    let growth = &mut t.cluster.claim_mut(id).growth;
    growth.allocated_size = 0;
    growth.in_use = false;
    // More capacity wakes the expand controller, which looks whether more is asked for.
    growth.told &= from >= to;
    let conditions = growth.conditions.without_resize();
    set_conditions(t, id, conditions);
}

/// Writes `status.allocatedResourceStatuses.storage`, if that changes it.
pub(in crate::model) fn set_allocated(t: &mut Turn, id: ClaimId, to: Allocated) {
    let from = t.cluster.claim(id).growth.allocated;
    if from != to {
        t.cluster.claim_mut(id).growth.allocated = to;
        t.write(ObjectId::Claim(id), Field::AllocatedStatus, allocated(from), allocated(to));
    }
}

/// Writes `status.conditions`, if that changes them.
pub(in crate::model) fn set_conditions(t: &mut Turn, id: ClaimId, to: Conditions) {
    let from = t.cluster.claim(id).growth.conditions;
    if from != to {
        t.cluster.claim_mut(id).growth.conditions = to;
        t.write(ObjectId::Claim(id), Field::Conditions, conditions(from), conditions(to));
    }
}

fn allocated(status: Allocated) -> Value {
    if status == Allocated::None { Value::Absent } else { Value::Text(status.name()) }
}

fn conditions(set: Conditions) -> Value {
    if set.is_empty() { Value::Absent } else { Value::Conditions(set) }
}

fn advance(t: &mut Turn, id: ClaimId, from: Resizer, to: Resizer) -> Step {
    need(t.cluster.claim(id).growth.resizer == from, Unmet::NoSuchCall)?;
    t.cluster.claim_mut(id).growth.resizer = to;
    Ok(())
}

/// The process stops: nobody receives the replies to its calls, and it forgets what came of earlier ones. When it
/// starts it looks at every claim.
pub(in crate::model) fn forgets(t: &mut Turn) {
    for id in t.world.claims() {
        let claim = t.cluster.claim_mut(id);
        let raised = claim.request > claim.capacity;
        let growth = &mut claim.growth;
        (growth.resizer, growth.modifier) = (Resizer::Idle, Modifier::Idle);
        (growth.in_use, growth.final_error, growth.slow) = (false, false, false);
        growth.raised |= raised && t.world.driver().resizer;
    }
}

fn tell(t: &mut Turn, id: ClaimId, event: Event) {
    t.event(ObjectId::Claim(id), EventId::Resizer(event));
}
