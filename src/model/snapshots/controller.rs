//! snapshot-controller: from a VolumeSnapshot to a content that it is bound to, and back (ES1, ES3, ES4).

use super::{Event, Snapshot, set_snapshot_finalizer};
use crate::model::effect::{Field, Value};
use crate::model::turn::{Turn, finalizers, need};
use crate::model::{
    ClaimId, ClaimPhase, EventId, Finalizer, FinalizerSet, ObjectId, Presence, SnapshotId, Unmet,
};

type Step = Result<(), Unmet>;

/// A VolumeSnapshot that is to be cut.
fn here(t: &Turn, id: SnapshotId) -> Result<Snapshot, Unmet> {
    let snapshot = *t.cluster.snapshot(id);
    need(snapshot.presence == Presence::Here, Unmet::SnapshotMissing)?;
    need(!snapshot.deleting, Unmet::SnapshotDeleting)?;
    Ok(snapshot)
}

/// A VolumeSnapshot that is to go.
fn going(t: &Turn, id: SnapshotId) -> Result<Snapshot, Unmet> {
    let snapshot = *t.cluster.snapshot(id);
    need(snapshot.presence == Presence::Here, Unmet::SnapshotMissing)?;
    need(snapshot.deleting, Unmet::SnapshotNotDeleting)?;
    Ok(snapshot)
}

fn source(t: &Turn, id: SnapshotId) -> ClaimId {
    ClaimId(t.world.snapshot(id).claim as u8)
}

/// ES1: a VolumeSnapshot with a claim as its source gets a finalizer first.
pub(super) fn finalizes_snapshot(t: &mut Turn, id: SnapshotId) -> Step {
    let snapshot = here(t, id)?;
    need(!snapshot.finalizers.contains(Finalizer::SnapshotAsSource), Unmet::SnapshotFinalized)?;
    t.read(ObjectId::Snapshot(id));
    set_snapshot_finalizer(t, id, Finalizer::SnapshotAsSource, true);
    Ok(())
}

/// A VolumeSnapshot with the finalizer and without a content.
fn wants_content(t: &Turn, id: SnapshotId) -> Result<ClaimId, Unmet> {
    let snapshot = here(t, id)?;
    need(snapshot.finalizers.contains(Finalizer::SnapshotAsSource), Unmet::SnapshotNotFinalized)?;
    need(snapshot.content.presence == Presence::NotYet, Unmet::ContentExists)?;
    Ok(source(t, id))
}

/// ES1: the claim may not go while its volume is being copied.
pub(super) fn protects_claim(t: &mut Turn, id: SnapshotId) -> Step {
    let claim = wants_content(t, id)?;
    let state = t.cluster.claim(claim);
    need(state.presence == Presence::Here, Unmet::ClaimMissing)?;
    need(state.phase == ClaimPhase::Bound, Unmet::ClaimNotBound)?;
    need(!state.deleting, Unmet::ClaimDeleting)?;
    need(!state.finalizers.contains(Finalizer::SnapshotOfClaim), Unmet::ClaimFinalized)?;
    t.read(ObjectId::Claim(claim));
    set_claim_finalizer(t, claim, true);
    Ok(())
}

/// ES1: the content is created, and with it the driver's sidecar has something to do.
pub(super) fn creates_content(t: &mut Turn, id: SnapshotId) -> Step {
    let claim = wants_content(t, id)?;
    let held = t.cluster.claim(claim).finalizers.contains(Finalizer::SnapshotOfClaim);
    need(held, Unmet::ClaimNotFinalized)?;
    t.cluster.snapshot_mut(id).content.presence = Presence::Here;
    t.create(ObjectId::SnapshotContent(id));
    tell(t, id, Event::Creating(id));
    Ok(())
}

/// ES1: the claim is not bound, so there is nothing to copy.
pub(super) fn finds_no_source(t: &mut Turn, id: SnapshotId) -> Step {
    let claim = wants_content(t, id)?;
    let state = t.cluster.claim(claim);
    let bound = state.presence == Presence::Here && state.phase == ClaimPhase::Bound;
    need(!bound, Unmet::ClaimBound)?;
    need(!t.cluster.snapshot(id).told, Unmet::AlreadyTold)?;
    t.cluster.snapshot_mut(id).told = true;
    tell(t, id, Event::NoSource(id));
    Ok(())
}

/// ES1: the content gets its finalizer, while the sidecar may be at work already.
pub(super) fn finalizes_content(t: &mut Turn, id: SnapshotId) -> Step {
    let content = t.cluster.snapshot(id).content;
    need(content.presence == Presence::Here, Unmet::ContentMissing)?;
    need(!content.deleting, Unmet::ContentDeleting)?;
    need(!content.finalizers.contains(Finalizer::ContentBound), Unmet::ContentFinalized)?;
    let to = content.finalizers.with(Finalizer::ContentBound);
    t.cluster.snapshot_mut(id).content.finalizers = to;
    t.write(ObjectId::SnapshotContent(id), Field::Finalizers, finalizers(content.finalizers), finalizers(to));
    Ok(())
}

/// ES3: the VolumeSnapshot names its content, and says that it is not ready.
pub(super) fn binds_snapshot(t: &mut Turn, id: SnapshotId) -> Step {
    let snapshot = here(t, id)?;
    need(snapshot.content.presence == Presence::Here, Unmet::ContentMissing)?;
    need(!snapshot.bound, Unmet::SnapshotIsBound)?;
    let state = t.cluster.snapshot_mut(id);
    state.bound = true;
    state.ready = Some(false);
    let object = ObjectId::Snapshot(id);
    t.write(object, Field::BoundContent, Value::Absent, Value::ContentName(id));
    t.write(object, Field::ReadyToUse, Value::Absent, Value::Bool(false));
    Ok(())
}

/// ES3: a bound VolumeSnapshot gets a second finalizer.
pub(super) fn finalizes_bound(t: &mut Turn, id: SnapshotId) -> Step {
    let snapshot = here(t, id)?;
    need(snapshot.bound, Unmet::SnapshotNotBound)?;
    need(!snapshot.finalizers.contains(Finalizer::SnapshotBound), Unmet::SnapshotFinalized)?;
    set_snapshot_finalizer(t, id, Finalizer::SnapshotBound, true);
    Ok(())
}

/// ES3: the content is ready, and so is the VolumeSnapshot.
pub(super) fn marks_ready(t: &mut Turn, id: SnapshotId) -> Step {
    let snapshot = here(t, id)?;
    need(snapshot.bound, Unmet::SnapshotNotBound)?;
    need(snapshot.content.ready == Some(true), Unmet::SnapshotNotReady)?;
    need(snapshot.ready != Some(true), Unmet::SnapshotReady)?;
    t.read(ObjectId::SnapshotContent(id));
    t.cluster.snapshot_mut(id).ready = Some(true);
    t.write(ObjectId::Snapshot(id), Field::ReadyToUse, Value::Bool(false), Value::Bool(true));
    tell(t, id, Event::Created(id));
    tell(t, id, Event::Ready(id));
    Ok(())
}

/// ES3: no VolumeSnapshot is being cut of the claim any more.
pub(super) fn releases_claim(t: &mut Turn, id: SnapshotId) -> Step {
    let claim = source(t, id);
    need(t.cluster.claim(claim).finalizers.contains(Finalizer::SnapshotOfClaim), Unmet::ClaimNotFinalized)?;
    let cutting = |other: SnapshotId| {
        let snapshot = t.cluster.snapshot(other);
        source(t, other) == claim
            && snapshot.presence == Presence::Here
            && !snapshot.deleting
            && snapshot.ready != Some(true)
    };
    need(!t.world.snapshots().any(cutting), Unmet::SnapshotNotReady)?;
    set_claim_finalizer(t, claim, false);
    Ok(())
}

/// ES4: external-provisioner is restoring from it, so it stays for now.
pub(super) fn waits_for_restore(t: &mut Turn, id: SnapshotId) -> Step {
    let snapshot = going(t, id)?;
    need(snapshot.finalizers.contains(Finalizer::SnapshotRestored), Unmet::NotInUse)?;
    need(!snapshot.told, Unmet::AlreadyTold)?;
    t.cluster.snapshot_mut(id).told = true;
    tell(t, id, Event::DeletePending);
    Ok(())
}

/// ES4: with the VolumeSnapshot goes its content. What could happen before that has its finalizer is left out.
pub(super) fn deletes_content(t: &mut Turn, id: SnapshotId) -> Step {
    let snapshot = going(t, id)?;
    need(!snapshot.finalizers.contains(Finalizer::SnapshotRestored), Unmet::InUse)?;
    need(!t.world.snapshot(id).retain, Unmet::ContentRetained)?;
    let content = snapshot.content;
    need(content.presence == Presence::Here, Unmet::ContentMissing)?;
    need(!content.deleting, Unmet::ContentDeleting)?;
    need(content.finalizers.contains(Finalizer::ContentBound), Unmet::ContentNotFinalized)?;
    t.read(ObjectId::Snapshot(id));
    t.cluster.snapshot_mut(id).content.deleting = true;
    t.write(ObjectId::SnapshotContent(id), Field::DeletionTimestamp, Value::Absent, Value::Set);
    Ok(())
}

/// ES4: the content is going or is to be kept, so that nothing needs the VolumeSnapshot as a source.
pub(super) fn releases_source(t: &mut Turn, id: SnapshotId) -> Step {
    let snapshot = going(t, id)?;
    need(snapshot.finalizers.contains(Finalizer::SnapshotAsSource), Unmet::SnapshotNotFinalized)?;
    need(!snapshot.finalizers.contains(Finalizer::SnapshotRestored), Unmet::InUse)?;
    let content = snapshot.content;
    let kept = t.world.snapshot(id).retain;
    need(kept || content.presence != Presence::Here || content.deleting, Unmet::ContentExists)?;
    set_snapshot_finalizer(t, id, Finalizer::SnapshotAsSource, false);
    gone(t, id);
    Ok(())
}

/// ES4: the content is gone or is to be kept, so the last finalizer comes off, and with it the VolumeSnapshot goes.
pub(super) fn releases_snapshot(t: &mut Turn, id: SnapshotId) -> Step {
    let snapshot = going(t, id)?;
    need(snapshot.finalizers.contains(Finalizer::SnapshotBound), Unmet::SnapshotNotFinalized)?;
    need(!snapshot.finalizers.contains(Finalizer::SnapshotRestored), Unmet::InUse)?;
    let kept = t.world.snapshot(id).retain;
    need(kept || snapshot.content.presence != Presence::Here, Unmet::ContentExists)?;
    set_snapshot_finalizer(t, id, Finalizer::SnapshotBound, false);
    gone(t, id);
    Ok(())
}

/// A VolumeSnapshot that is being deleted goes with its last finalizer.
fn gone(t: &mut Turn, id: SnapshotId) {
    if t.cluster.snapshot(id).finalizers.is_empty() {
        let Snapshot { content, snapshotter, real, .. } = *t.cluster.snapshot(id);
        *t.cluster.snapshot_mut(id) =
            Snapshot { presence: Presence::Gone, content, snapshotter, real, ..Snapshot::default() };
        t.delete(ObjectId::Snapshot(id));
    }
}

fn set_claim_finalizer(t: &mut Turn, claim: ClaimId, on: bool) {
    let from: FinalizerSet = t.cluster.claim(claim).finalizers;
    let of = Finalizer::SnapshotOfClaim;
    let to = if on { from.with(of) } else { from.without(of) };
    t.cluster.claim_mut(claim).finalizers = to;
    t.write(ObjectId::Claim(claim), Field::Finalizers, finalizers(from), finalizers(to));
}

fn tell(t: &mut Turn, id: SnapshotId, event: Event) {
    t.event(ObjectId::Snapshot(id), EventId::Snapshots(event));
}
