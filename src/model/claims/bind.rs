//! The four writes of a binding, and what becomes of a bound pair (PV6 to PV9).

use super::Event;
use super::sync::to_bind;
use crate::model::effect::{Field, Value};
use crate::model::turn::{Turn, need};
use crate::model::{ClaimId, ClaimPhase, EventId, ObjectId, Presence, Reclaim, Unmet, VolumeId, VolumePhase};

type Step = Result<(), Unmet>;

/// The volume of a claim: the one it is bound to, or the one it is to be bound to.
fn partner(t: &Turn, id: ClaimId) -> Result<VolumeId, Unmet> {
    let claim = t.cluster.claim(id);
    match claim.volume.filter(|_| claim.bind_completed && claim.presence == Presence::Here) {
        Some(volume) if t.cluster.volume(volume).presence == Presence::Here => Ok(volume),
        Some(_) => Err(Unmet::VolumeMissing),
        None => to_bind(t, id),
    }
}

/// PV6, the first write: the PersistentVolume names the claim.
pub(super) fn claims_volume(t: &mut Turn, id: ClaimId) -> Step {
    let volume = partner(t, id)?;
    need(t.cluster.volume(volume).claim.is_none(), Unmet::VolumeClaimed)?;
    t.read(ObjectId::Claim(id));
    t.read(ObjectId::Volume(volume));
    t.cluster.volume_mut(volume).claim = Some(id);
    t.write(ObjectId::Volume(volume), Field::ClaimRef, Value::Absent, Value::ClaimName(id));
    Ok(())
}

/// PV6, the second write: the PersistentVolume is bound.
pub(super) fn marks_volume_bound(t: &mut Turn, id: VolumeId) -> Step {
    let volume = t.cluster.volume(id);
    need(volume.presence == Presence::Here, Unmet::VolumeMissing)?;
    need(volume.phase != VolumePhase::Bound, Unmet::VolumeBound)?;
    let claim = volume.claim.ok_or(Unmet::VolumeUnclaimed)?;
    need(partner(t, claim)? == id, Unmet::VolumeTaken)?;
    t.read(ObjectId::Claim(claim));
    set_phase(t, id, VolumePhase::Bound);
    Ok(())
}

/// PV6, the third write: the claim names the PersistentVolume.
pub(super) fn completes_binding(t: &mut Turn, id: ClaimId) -> Step {
    let volume = to_bind(t, id)?;
    need(t.cluster.volume(volume).claim == Some(id), Unmet::VolumeUnclaimed)?;
    need(t.cluster.volume(volume).phase == VolumePhase::Bound, Unmet::VolumeNotBound)?;
    let named = t.cluster.claim(id).volume.is_some();
    let claim = t.cluster.claim_mut(id);
    claim.volume = Some(volume);
    claim.bind_completed = true;
    let object = ObjectId::Claim(id);
    if !named {
        t.write(object, Field::VolumeName, Value::Absent, Value::VolumeName(volume));
    }
    t.write(object, Field::BindCompleted, Value::Absent, Value::Text("yes"));
    Ok(())
}

/// PV6, the fourth write: the claim is bound.
pub(super) fn marks_claim_bound(t: &mut Turn, id: ClaimId) -> Step {
    let claim = *t.cluster.claim(id);
    need(claim.presence == Presence::Here, Unmet::ClaimMissing)?;
    need(claim.bind_completed, Unmet::ClaimNotBound)?;
    need(claim.phase != ClaimPhase::Bound, Unmet::ClaimBound)?;
    let volume = partner(t, id)?;
    let pv = *t.cluster.volume(volume);
    need(pv.claim == Some(id), Unmet::VolumeTaken)?;
    need(pv.phase == VolumePhase::Bound, Unmet::VolumeNotBound)?;
    let change = t.cluster.claim_mut(id);
    change.phase = ClaimPhase::Bound;
    change.capacity = pv.capacity;
    // What it said while the claim was not bound does not matter any more.
    t.cluster.binder_mut(id).told = None;
    let object = ObjectId::Claim(id);
    let phase = (Value::ClaimPhase(claim.phase), Value::ClaimPhase(ClaimPhase::Bound));
    t.write(object, Field::Phase, phase.0, phase.1);
    let before = if claim.capacity == 0 { Value::Absent } else { Value::Size(claim.capacity) };
    if before != Value::Size(pv.capacity) {
        t.write(object, Field::StatusCapacity, before, Value::Size(pv.capacity));
    }
    Ok(())
}

/// PV7: the PersistentVolume of a bound claim is gone, or is another claim's.
pub(super) fn loses_claim(t: &mut Turn, id: ClaimId) -> Step {
    let claim = *t.cluster.claim(id);
    need(claim.presence == Presence::Here, Unmet::ClaimMissing)?;
    need(claim.bind_completed, Unmet::ClaimNotBound)?;
    need(claim.phase != ClaimPhase::Lost, Unmet::ClaimLost)?;
    let volume = claim.volume.ok_or(Unmet::ClaimNotBound)?;
    let pv = t.cluster.volume(volume);
    let event = match pv.claim {
        _ if pv.presence != Presence::Here => Event::ClaimLost,
        Some(other) if other != id => Event::ClaimMisbound,
        Some(_) | None => return Err(Unmet::ClaimBound),
    };
    t.read(ObjectId::Volume(volume));
    t.cluster.claim_mut(id).phase = ClaimPhase::Lost;
    let object = ObjectId::Claim(id);
    t.write(object, Field::Phase, Value::ClaimPhase(claim.phase), Value::ClaimPhase(ClaimPhase::Lost));
    t.event(object, EventId::Claims(event));
    Ok(())
}

/// PV8: the claim is gone, or found another volume while this one was made for it.
pub(super) fn releases_volume(t: &mut Turn, id: VolumeId) -> Step {
    let volume = *t.cluster.volume(id);
    need(volume.presence == Presence::Here, Unmet::VolumeMissing)?;
    need(![VolumePhase::Released, VolumePhase::Failed].contains(&volume.phase), Unmet::VolumeReleased)?;
    let claim = volume.claim.ok_or(Unmet::VolumeUnclaimed)?;
    let owner = t.cluster.claim(claim);
    let made = t.world.provisioned_for(id).is_some() && t.world.volume(id).reclaim == Reclaim::Delete;
    let elsewhere = made && owner.volume.is_some_and(|other| other != id);
    need(owner.presence != Presence::Here || elsewhere, Unmet::ClaimExists)?;
    t.read(ObjectId::Claim(claim));
    set_phase(t, id, VolumePhase::Released);
    Ok(())
}

/// PV9: a PersistentVolume that names no claim is free.
pub(super) fn marks_volume_available(t: &mut Turn, id: VolumeId) -> Step {
    let volume = t.cluster.volume(id);
    need(volume.presence == Presence::Here, Unmet::VolumeMissing)?;
    need(volume.claim.is_none(), Unmet::VolumeClaimed)?;
    need(volume.phase != VolumePhase::Available, Unmet::VolumeAvailable)?;
    // One that a claim still counts as its own is claimed again instead.
    let owner = t.world.claims().find(|claim| {
        let claim = t.cluster.claim(*claim);
        claim.presence == Presence::Here && claim.bind_completed && claim.volume == Some(id)
    });
    need(owner.is_none(), Unmet::VolumeTaken)?;
    t.read(ObjectId::Volume(id));
    set_phase(t, id, VolumePhase::Available);
    Ok(())
}

fn set_phase(t: &mut Turn, id: VolumeId, to: VolumePhase) {
    let volume = t.cluster.volume_mut(id);
    let from = volume.phase;
    volume.phase = to;
    t.write(ObjectId::Volume(id), Field::Phase, Value::VolumePhase(from), Value::VolumePhase(to));
}
