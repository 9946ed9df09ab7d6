//! What a user asks of a claim that is there: more room, another VolumeAttributesClass (U5), a snapshot.

use super::effect::{Field, Value};
use super::snapshots::Snapshot;
use super::turn::{Turn, need};
use super::{AttributesId, ClaimId, ClaimPhase, ObjectId, Presence, SnapshotId, Unmet};

type Step = Result<(), Unmet>;

/// U5: a user edits the claim's size, which admission and validation let pass or not.
///
/// Source: plugin/pkg/admission/storage/persistentvolume/resize/admission.go; pkg/apis/core/validation/validation.go:2572.
pub(super) fn resizes(t: &mut Turn, id: ClaimId, nth: u8) -> Step {
    let size = t.world.claim(id).resizes.get(usize::from(nth)).copied().ok_or(Unmet::NothingNew)?;
    let claim = t.cluster.claim(id);
    need(claim.presence == Presence::Here, Unmet::ClaimMissing)?;
    need(size != claim.request, Unmet::NothingNew)?;
    if size > claim.request {
        need(claim.phase == ClaimPhase::Bound, Unmet::ClaimNotBound)?;
        let class = claim.class.ok_or(Unmet::ExpansionForbidden)?;
        need(t.cluster.class(class).presence == Presence::Here, Unmet::ExpansionForbidden)?;
        need(t.world.class(class).expansion, Unmet::ExpansionForbidden)?;
    } else {
        // A wish that cannot be met may be lowered, never to what the claim has already.
        need(claim.phase == ClaimPhase::Bound && size > claim.capacity, Unmet::BelowCapacity)?;
    }
    let from = claim.request;
    let claim = t.cluster.claim_mut(id);
    claim.request = size;
    // Only a larger wish wakes the controllers that watch claims.
    if size > from {
        claim.growth.told = false;
        claim.growth.raised = true;
    }
    t.write(ObjectId::Claim(id), Field::Request, Value::Size(from), Value::Size(size));
    Ok(())
}

/// A user asks for another VolumeAttributesClass, which need not be there.
///
/// Source: pkg/apis/core/validation/validation.go `ValidatePersistentVolumeClaimUpdate`.
pub(super) fn modifies(t: &mut Turn, id: ClaimId, to: AttributesId) -> Step {
    let claim = t.cluster.claim(id);
    need(claim.presence == Presence::Here, Unmet::ClaimMissing)?;
    need(claim.phase == ClaimPhase::Bound, Unmet::ClaimNotBound)?;
    let from = claim.growth.attributes;
    need(from != Some(to), Unmet::NothingNew)?;
    t.cluster.claim_mut(id).growth.attributes = Some(to);
    let from = from.map_or(Value::Absent, Value::AttributesClass);
    t.write(ObjectId::Claim(id), Field::AttributesClass, from, Value::AttributesClass(to));
    Ok(())
}

/// A user creates a VolumeSnapshot of a claim.
pub(super) fn creates_snapshot(t: &mut Turn, id: SnapshotId) -> Step {
    need(t.cluster.snapshot(id).presence == Presence::NotYet, Unmet::SnapshotExists)?;
    *t.cluster.snapshot_mut(id) = Snapshot { presence: Presence::Here, ..Snapshot::default() };
    t.create(ObjectId::Snapshot(id));
    Ok(())
}

/// A user deletes it; it stays while it has finalizers.
pub(super) fn deletes_snapshot(t: &mut Turn, id: SnapshotId) -> Step {
    let snapshot = t.cluster.snapshot(id);
    need(snapshot.presence == Presence::Here, Unmet::SnapshotMissing)?;
    need(!snapshot.deleting, Unmet::SnapshotDeleting)?;
    let held = !snapshot.finalizers.is_empty();
    let object = ObjectId::Snapshot(id);
    if held {
        let state = t.cluster.snapshot_mut(id);
        state.deleting = true;
        state.told = false;
        t.write(object, Field::DeletionTimestamp, Value::Absent, Value::Set);
    } else {
        t.cluster.snapshot_mut(id).presence = Presence::Gone;
        t.delete(object);
    }
    Ok(())
}
