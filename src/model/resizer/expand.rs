//! A claim that asks for more than it has: ControllerExpandVolume, and what is written before and after it.

use super::{Event, ResizeError, code_of, expand_error};
use crate::model::effect::{About, Failure, Field, Method, Reply, Value};
use crate::model::growth::{Allocated, Condition, Conditions, Resizer};
use crate::model::turn::{Turn, need};
use crate::model::{
    ClaimId, ClaimPhase, Code, EventId, FaultId, ObjectId, Presence, Unmet, VolumeId, driver_answer,
};

type Step = Result<(), Unmet>;

/// A bound claim with its volume, in reach of a resizer.
pub(super) fn bound(t: &Turn, id: ClaimId) -> Result<VolumeId, Unmet> {
    let claim = t.cluster.claim(id);
    need(claim.presence == Presence::Here, Unmet::ClaimMissing)?;
    need(claim.phase == ClaimPhase::Bound, Unmet::ClaimNotBound)?;
    claim.volume.ok_or(Unmet::ClaimNotBound)
}

/// ER1: the claim asks for more than the PersistentVolume has.
fn wants_more(t: &Turn, id: ClaimId) -> Result<VolumeId, Unmet> {
    let volume = bound(t, id)?;
    need(t.world.driver().resizer && t.world.driver().controller_expand, Unmet::NoExpansion)?;
    let claim = t.cluster.claim(id);
    need(claim.growth.resizer == Resizer::Idle, Unmet::OperationPending)?;
    need(claim.request > claim.capacity, Unmet::LargeEnough)?;
    need(claim.request > t.cluster.volume(volume).capacity, Unmet::LargeEnough)?;
    Ok(volume)
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
    let volume = wants_more(t, id)?;
    need(!is_held(t, id), Unmet::InUse)?;
    t.read(ObjectId::Claim(id));
    t.read(ObjectId::Volume(volume));
    let claim = t.cluster.claim_mut(id);
    let size = claim.request;
    claim.growth.resizer = Resizer::Marked;
    claim.growth.allocated_size = size;
    set_allocated(t, id, Allocated::ControllerResizeInProgress);
    // What an earlier attempt left is no longer true; a modification is another matter.
    let conditions = t.cluster.claim(id).growth.conditions;
    let keeps = conditions.contains(Condition::Resizing);
    let to = if keeps { conditions } else { conditions.without_resize().with(Condition::Resizing) };
    set_conditions(t, id, to);
    tell(t, id, Event::Resizing(volume));
    Ok(())
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
    fails(t, id, code, Failure::Fault(fault))
}

/// ER2: the driver itself refuses.
pub(super) fn receives_refused(t: &mut Turn, id: ClaimId) -> Step {
    need(t.cluster.claim(id).growth.resizer == Resizer::Called, Unmet::NoSuchCall)?;
    let volume = bound(t, id)?;
    let code = driver_answer(t.world, &t.cluster, Method::ControllerExpandVolume, About::Volume(volume));
    need(code != Code::Ok, Unmet::DriverAgrees)?;
    fails(t, id, code, Failure::Driver(code))
}

/// ER2: what an error leaves depends on its class; a non-final one leaves the status as it is.
fn fails(t: &mut Turn, id: ClaimId, code: Code, failure: Failure) -> Step {
    let volume = bound(t, id)?;
    t.reply(Method::ControllerExpandVolume, About::Volume(volume), Reply::Failed(failure));
    t.cluster.claim_mut(id).growth.resizer = Resizer::Idle;
    match expand_error(code) {
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
    t.cluster.volume_mut(volume).capacity = from.max(to);
    t.write(ObjectId::Volume(volume), Field::Capacity, Value::Size(from), Value::Size(from.max(to)));
    Ok(())
}

/// ER4: the driver has said that the Node must do the rest.
pub(super) fn leaves_rest_to_node(t: &mut Turn, id: ClaimId) -> Step {
    need(t.world.driver().needs_node_expansion, Unmet::NoNodeExpansion)?;
    advance(t, id, Resizer::Recorded, Resizer::Idle)?;
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
    if !t.cluster.claim(id).growth.skips_node {
        t.cluster.claim_mut(id).growth.skips_node = true;
        t.write(ObjectId::Claim(id), Field::NodeExpansionNotRequired, Value::Absent, Value::Text("true"));
    }
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

fn tell(t: &mut Turn, id: ClaimId, event: Event) {
    t.event(ObjectId::Claim(id), EventId::Resizer(event));
}
