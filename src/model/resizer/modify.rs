//! A claim that asks for another VolumeAttributesClass: ControllerModifyVolume, and what is written around it.

use super::expand::{bound, set_conditions};
use super::{Event, ResizeError, code_of, modify_error};
use crate::model::effect::{About, Failure, Field, Method, Reply, Value};
use crate::model::growth::{Condition, Modifier, Modify};
use crate::model::turn::{Turn, need};
use crate::model::{AttributesId, ClaimId, Code, EventId, FaultId, ObjectId, Unmet, VolumeId};

type Step = Result<(), Unmet>;

/// ER5: the claim asks for a class that it does not have; a modification that is not done yet goes on.
fn wants(t: &Turn, id: ClaimId) -> Result<(VolumeId, AttributesId), Unmet> {
    let volume = bound(t, id)?;
    need(t.world.driver().resizer && t.world.driver().modify, Unmet::NoModification)?;
    let growth = t.cluster.claim(id).growth;
    need(growth.modifier == Modifier::Idle, Unmet::OperationPending)?;
    let wanted = growth.attributes.ok_or(Unmet::NothingNew)?;
    need(growth.current != Some(wanted) || growth.target.is_some(), Unmet::NothingNew)?;
    // A driver that may still be at it must come to an end with that first.
    let target = if growth.modify == Modify::InProgress { growth.target.unwrap_or(wanted) } else { wanted };
    Ok((volume, target))
}

/// ER5: the VolumeAttributesClass is not there.
pub(super) fn finds_no_class(t: &mut Turn, id: ClaimId) -> Step {
    let (_, target) = wants(t, id)?;
    need(t.world.attributes_class(target).missing, Unmet::AttributesThere)?;
    need(t.cluster.claim(id).growth.modify != Modify::Pending, Unmet::AlreadyTold)?;
    set_modify(t, id, Modify::Pending, Some(target));
    tell(t, id, Event::NoAttributesClass(target));
    Ok(())
}

/// ER5: first the claim's status says that it begins.
pub(super) fn marks(t: &mut Turn, id: ClaimId) -> Step {
    let (volume, target) = wants(t, id)?;
    need(!t.world.attributes_class(target).missing, Unmet::AttributesMissing)?;
    t.read(ObjectId::Claim(id));
    t.read(ObjectId::Volume(volume));
    t.cluster.claim_mut(id).growth.modifier = Modifier::Marked;
    set_modify(t, id, Modify::InProgress, Some(target));
    let conditions = t.cluster.claim(id).growth.conditions.with(Condition::ModifyingVolume);
    set_conditions(t, id, conditions);
    tell(t, id, Event::Modifying(id, target));
    Ok(())
}

/// ER5: ControllerModifyVolume leaves.
pub(super) fn calls(t: &mut Turn, id: ClaimId) -> Step {
    let volume = bound(t, id)?;
    advance(t, id, Modifier::Marked, Modifier::Called)?;
    t.call(Method::ControllerModifyVolume, About::Volume(volume));
    Ok(())
}

/// ER5: the reply arrives.
pub(super) fn receives_ok(t: &mut Turn, id: ClaimId) -> Step {
    let volume = bound(t, id)?;
    advance(t, id, Modifier::Done, Modifier::Modified)?;
    t.reply(Method::ControllerModifyVolume, About::Volume(volume), Reply::Ok);
    Ok(())
}

/// ER5: an error arrives, and the driver has or has not done it all the same.
pub(super) fn receives_failed(t: &mut Turn, id: ClaimId, fault: FaultId) -> Step {
    let did = match t.cluster.claim(id).growth.modifier {
        Modifier::Called => false,
        Modifier::Done => true,
        Modifier::Idle | Modifier::Marked | Modifier::Modified | Modifier::Recorded => {
            return Err(Unmet::NoSuchCall);
        }
    };
    let code = code_of(t, fault)?;
    t.spend_fault(fault, Method::ControllerModifyVolume, None, did)?;
    t.goes_on(fault, Method::ControllerModifyVolume, About::Volume(bound(t, id)?));
    fails(t, id, code, Failure::Fault(fault))
}

/// ER5: the driver itself refuses, or is not there.
pub(super) fn receives_refused(t: &mut Turn, id: ClaimId) -> Step {
    need(t.cluster.claim(id).growth.modifier == Modifier::Called, Unmet::NoSuchCall)?;
    let volume = bound(t, id)?;
    let failure = t.refusal(Method::ControllerModifyVolume, About::Volume(volume))?;
    let code = failure.code(t.world).ok_or(Unmet::NoSuchFault)?;
    fails(t, id, code, failure)
}

fn fails(t: &mut Turn, id: ClaimId, code: Code, failure: Failure) -> Step {
    let volume = bound(t, id)?;
    let target = t.cluster.claim(id).growth.target.ok_or(Unmet::NoSuchCall)?;
    t.reply(Method::ControllerModifyVolume, About::Volume(volume), Reply::Failed(failure));
    t.cluster.claim_mut(id).growth.modifier = Modifier::Idle;
    let class = modify_error(code);
    if class == ResizeError::Infeasible {
        set_modify(t, id, Modify::Infeasible, Some(target));
    }
    let conditions = t.cluster.claim(id).growth.conditions.with(Condition::ModifyVolumeError);
    set_conditions(t, id, conditions);
    tell(t, id, Event::ModifyFailed(id, target, failure, class == ResizeError::InProgress));
    Ok(())
}

/// ER5: the PersistentVolume gets its new class.
pub(super) fn records_attributes(t: &mut Turn, id: ClaimId) -> Step {
    let volume = bound(t, id)?;
    advance(t, id, Modifier::Modified, Modifier::Recorded)?;
    let to = t.cluster.claim(id).growth.target;
    let from = t.cluster.volume(volume).backing.attributes;
    t.cluster.volume_mut(volume).backing.attributes = to;
    if from != to {
        t.write(ObjectId::Volume(volume), Field::AttributesClass, named(from), named(to));
    }
    Ok(())
}

/// ER5: the claim has its new class, and nothing tells of a modification any more.
pub(super) fn finishes(t: &mut Turn, id: ClaimId) -> Step {
    advance(t, id, Modifier::Recorded, Modifier::Idle)?;
    let growth = t.cluster.claim(id).growth;
    let target = growth.target.ok_or(Unmet::NoSuchCall)?;
    if growth.current != Some(target) {
        t.cluster.claim_mut(id).growth.current = Some(target);
        t.write(
            ObjectId::Claim(id),
            Field::CurrentAttributesClass,
            named(growth.current),
            named(Some(target)),
        );
    }
    clear(t, id);
    tell(t, id, Event::ModifySuccessful(id, target));
    Ok(())
}

/// ER5: the user asks for the class that the claim has, and the driver is not at another.
pub(super) fn cancels(t: &mut Turn, id: ClaimId) -> Step {
    bound(t, id)?;
    let growth = t.cluster.claim(id).growth;
    need(growth.modifier == Modifier::Idle, Unmet::OperationPending)?;
    need(growth.modify == Modify::Pending, Unmet::NothingNew)?;
    need(growth.attributes == growth.current, Unmet::StillWanted)?;
    clear(t, id);
    tell(t, id, Event::ModifyCanceled);
    Ok(())
}

fn clear(t: &mut Turn, id: ClaimId) {
    set_modify(t, id, Modify::None, None);
    let conditions = t.cluster.claim(id).growth.conditions;
    let conditions = conditions.without(Condition::ModifyingVolume).without(Condition::ModifyVolumeError);
    set_conditions(t, id, conditions);
}

fn set_modify(t: &mut Turn, id: ClaimId, to: Modify, target: Option<AttributesId>) {
    let status = |modify: Modify| match modify {
        Modify::None => Value::Absent,
        Modify::Pending | Modify::InProgress | Modify::Infeasible => Value::Text(modify.name()),
    };
    let from = t.cluster.claim(id).growth.modify;
    let growth = &mut t.cluster.claim_mut(id).growth;
    growth.modify = to;
    growth.target = target;
    if from != to {
        t.write(ObjectId::Claim(id), Field::ModifyStatus, status(from), status(to));
    }
}

fn named(class: Option<AttributesId>) -> Value {
    class.map_or(Value::Absent, Value::AttributesClass)
}

fn advance(t: &mut Turn, id: ClaimId, from: Modifier, to: Modifier) -> Step {
    need(t.cluster.claim(id).growth.modifier == from, Unmet::NoSuchCall)?;
    t.cluster.claim_mut(id).growth.modifier = to;
    Ok(())
}

fn tell(t: &mut Turn, id: ClaimId, event: Event) {
    t.event(ObjectId::Claim(id), EventId::Resizer(event));
}
