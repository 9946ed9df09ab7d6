//! The provisioner's finalizer, and the end of a volume whose claim is gone (EP6, EP7).

use super::{Deleter, Deletion, Event, Provision, Told};
use crate::model::effect::{About, Field, Method, Reply};
use crate::model::protection::{delete_volume, lift_from_volume};
use crate::model::turn::{Turn, finalizers, need};
use crate::model::{
    EventId, Failure, Finalizer, Link, NodeId, ObjectId, Presence, Reclaim, Unmet, VolumeId, VolumePhase,
};

type Step = Result<(), Unmet>;

/// A PersistentVolume that is the driver's: one that it made, or one that names it.
fn ours(t: &Turn, id: VolumeId) -> Step {
    need(t.cluster.volume(id).presence == Presence::Here, Unmet::VolumeMissing)
}

/// EP7: a bound volume that is to be deleted with its claim gets the finalizer, a static one too.
pub(super) fn finalizes_volume(t: &mut Turn, id: VolumeId) -> Step {
    ours(t, id)?;
    let volume = t.cluster.volume(id);
    need(t.world.volume(id).reclaim == Reclaim::Delete, Unmet::VolumeRetained)?;
    need(!volume.deleting, Unmet::VolumeDeleting)?;
    need(volume.phase == VolumePhase::Bound, Unmet::VolumeNotBound)?;
    let from = volume.finalizers;
    need(!from.contains(Finalizer::Provisioner), Unmet::NothingNew)?;
    t.read(ObjectId::Volume(id));
    let to = from.with(Finalizer::Provisioner);
    t.cluster.volume_mut(id).finalizers = to;
    t.write(ObjectId::Volume(id), Field::Finalizers, finalizers(from), finalizers(to));
    Ok(())
}

/// EP7: a volume that is to be kept loses it.
pub(super) fn unfinalizes_volume(t: &mut Turn, id: VolumeId) -> Step {
    ours(t, id)?;
    let volume = t.cluster.volume(id);
    need(t.world.volume(id).reclaim == Reclaim::Retain, Unmet::VolumeNotRetained)?;
    need(volume.finalizers.contains(Finalizer::Provisioner), Unmet::VolumeNotProtected)?;
    t.read(ObjectId::Volume(id));
    lift_from_volume(t, id, Finalizer::Provisioner);
    Ok(())
}

/// EP6: a volume whose claim is gone and whose disk is to go with it.
///
/// Source: sig-storage-lib-external-provisioner controller/controller.go:1284 `shouldDelete`.
fn wants_delete(t: &Turn, id: VolumeId) -> Step {
    ours(t, id)?;
    let volume = t.cluster.volume(id);
    let finalized = volume.finalizers.contains(Finalizer::Provisioner);
    need(!volume.deleting || finalized, Unmet::VolumeDeleting)?;
    need(volume.phase == VolumePhase::Released, Unmet::VolumeNotReleased)?;
    need(t.world.volume(id).reclaim == Reclaim::Delete, Unmet::VolumeRetained)?;
    need(t.cluster.deleter(id).step == Deletion::Idle, Unmet::OperationPending)
}

/// Whether a VolumeAttachment to a Node names the volume, where the driver attaches at all.
///
/// Source: external-provisioner pkg/controller/controller.go:1526 `canDeleteVolume`.
fn named_on(t: &Turn, volume: VolumeId, node: NodeId) -> bool {
    t.world.driver().controller_publish && t.cluster.place(Link { volume, node }).attachment.exists
}

/// EP6: a VolumeAttachment names the volume, whatever it says, so it cannot be deleted yet.
pub(super) fn finds_still_attached(t: &mut Turn, id: VolumeId, node: NodeId) -> Step {
    wants_delete(t, id)?;
    need(named_on(t, id, node), Unmet::AttachmentMissing)?;
    let told = Some(Told::StillAttached(node));
    need(t.cluster.deleter(id).told != told, Unmet::AlreadyTold)?;
    t.read(ObjectId::Attachment(Link { volume: id, node }));
    t.cluster.deleter_mut(id).told = told;
    t.event(ObjectId::Volume(id), EventId::Provisioner(Event::StillAttached(id, node)));
    Ok(())
}

/// EP6: DeleteVolume leaves: the disk goes first, the object after it.
pub(super) fn calls_delete(t: &mut Turn, id: VolumeId) -> Step {
    wants_delete(t, id)?;
    let named = t.world.nodes().any(|node| named_on(t, id, node));
    need(!named, Unmet::AttachmentExists)?;
    t.read(ObjectId::Volume(id));
    t.cluster.deleter_mut(id).step = Deletion::Called;
    t.call(Method::DeleteVolume, About::Volume(id));
    Ok(())
}

/// EP6: the reply to DeleteVolume arrives.
pub(super) fn receives_delete_ok(t: &mut Turn, id: VolumeId) -> Step {
    advance(t, id, Deletion::Done, Deletion::Received)?;
    t.reply(Method::DeleteVolume, About::Volume(id), Reply::Ok);
    Ok(())
}

/// EP6: DeleteVolume fails, and is called again later.
pub(super) fn receives_delete_failed(t: &mut Turn, id: VolumeId, failure: Failure) -> Step {
    let did = match t.cluster.deleter(id).step {
        Deletion::Called => false,
        Deletion::Done => true,
        Deletion::Idle | Deletion::Received | Deletion::ObjectDeleted => return Err(Unmet::NoSuchCall),
    };
    t.fails(failure, Method::DeleteVolume, About::Volume(id), did)?;
    let told = Some(Told::DeleteFailed(failure));
    let known = t.cluster.deleter(id).told == told;
    *t.cluster.deleter_mut(id) = Deleter { step: Deletion::Idle, told };
    t.reply(Method::DeleteVolume, About::Volume(id), Reply::Failed(failure));
    if !known {
        t.event(ObjectId::Volume(id), EventId::Provisioner(Event::DeleteFailed(id, failure)));
    }
    Ok(())
}

/// EP6: the PersistentVolume is deleted; its finalizers hold it.
pub(super) fn deletes_volume(t: &mut Turn, id: VolumeId) -> Step {
    advance(t, id, Deletion::Received, Deletion::ObjectDeleted)?;
    let volume = t.cluster.volume(id);
    // Somebody may have deleted it before.
    if volume.presence == Presence::Here && !volume.deleting {
        delete_volume(t, id);
    }
    Ok(())
}

/// EP6: and the finalizer comes off.
pub(super) fn releases_volume(t: &mut Turn, id: VolumeId) -> Step {
    need(t.cluster.deleter(id).step == Deletion::ObjectDeleted, Unmet::NoOperation)?;
    *t.cluster.deleter_mut(id) = Deleter::default();
    let volume = t.cluster.volume(id);
    if volume.presence == Presence::Here && volume.finalizers.contains(Finalizer::Provisioner) {
        lift_from_volume(t, id, Finalizer::Provisioner);
    }
    Ok(())
}

fn advance(t: &mut Turn, id: VolumeId, from: Deletion, to: Deletion) -> Step {
    need(t.cluster.deleter(id).step == from, Unmet::NoSuchCall)?;
    t.cluster.deleter_mut(id).step = to;
    Ok(())
}

/// The process stops: nobody receives the replies to its calls, and it forgets which claims were in progress.
pub(in crate::model) fn forgets(t: &mut Turn) {
    for id in t.world.claims() {
        let provisioner = t.cluster.provisioner_mut(id);
        provisioner.step = Provision::Idle;
        provisioner.in_progress = false;
    }
    for id in t.world.volumes() {
        t.cluster.deleter_mut(id).step = Deletion::Idle;
    }
}
