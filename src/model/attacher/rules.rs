//! From a VolumeAttachment to a volume that is published to its Node, and back (EA0, EA1, EA3, EA5).

use super::Attacher;
use super::checks::{attach_obstacle, detach_obstacle};
use crate::model::effect::{About, Field, Method, Reply, Value};
use crate::model::protection::lift_from_volume;
use crate::model::turn::{Turn, finalizers, need};
use crate::model::{Attachment, Finalizer, FinalizerSet, Link, ObjectId, Unmet, VolumeId};

type Step = Result<(), Unmet>;

/// EA1 and EA0: a VolumeAttachment that is to be attached.
fn wants_attach(t: &Turn, link: Link) -> Step {
    let attachment = t.cluster.place(link).attachment;
    need(attachment.exists, Unmet::AttachmentMissing)?;
    need(!attachment.foreign, Unmet::OtherAttacher)?;
    need(!attachment.deleting, Unmet::AttachmentDeleting)?;
    need(!attachment.attached, Unmet::AttachmentAttached)
}

/// EA1: the same for a driver that attaches, with no call under way.
pub(super) fn wants_publish(t: &Turn, link: Link) -> Step {
    need(t.world.driver().controller_publish, Unmet::NoControllerPublish)?;
    wants_attach(t, link)?;
    need(t.cluster.place(link).attacher == Attacher::Idle, Unmet::OperationPending)
}

/// EA1: and with nothing in the way.
fn may_publish(t: &Turn, link: Link) -> Step {
    wants_publish(t, link)?;
    need(!t.cluster.volume(link.volume).deleting, Unmet::VolumeDeleting)?;
    need(attach_obstacle(t.world, &t.cluster, link).is_none(), Unmet::AttachImpossible)
}

/// Whether the PersistentVolume still lacks the finalizer; an inline source has none to protect.
pub(super) fn lacks_volume_finalizer(t: &Turn, link: Link) -> bool {
    t.cluster.place(link).attachment.source.names_volume()
        && !t.cluster.volume(link.volume).finalizers.contains(Finalizer::Attacher)
}

/// EA0: a driver without PUBLISH_UNPUBLISH_VOLUME has nothing to do, so the flag is set at once.
pub(super) fn marks_attached_at_once(t: &mut Turn, link: Link) -> Step {
    need(!t.world.driver().controller_publish, Unmet::ControllerPublish)?;
    wants_attach(t, link)?;
    t.read(ObjectId::Attachment(link));
    set_attached(t, link);
    Ok(())
}

/// EA1: first the PersistentVolume gets the finalizer, the VolumeAttachment is not yet touched.
pub(super) fn finalizes_volume(t: &mut Turn, link: Link) -> Step {
    may_publish(t, link)?;
    need(lacks_volume_finalizer(t, link), Unmet::VolumeFinalized)?;
    t.read(ObjectId::Attachment(link));
    t.read(ObjectId::Volume(link.volume));
    set_volume_finalizer(t, link.volume);
    Ok(())
}

/// EA1: one patch gives the VolumeAttachment the finalizer and the driver's id of the Node.
pub(super) fn finalizes_attachment(t: &mut Turn, link: Link) -> Step {
    may_publish(t, link)?;
    need(!lacks_volume_finalizer(t, link), Unmet::VolumeNotFinalized)?;
    need(!t.cluster.place(link).attachment.finalizer, Unmet::AttachmentFinalized)?;
    t.read(ObjectId::Volume(link.volume));
    let attachment = &mut t.cluster.place_mut(link).attachment;
    attachment.finalizer = true;
    attachment.node_id = true;
    let object = ObjectId::Attachment(link);
    t.write(object, Field::NodeIdAnnotation, Value::Absent, Value::DriverNodeId(link.node));
    t.write(
        object,
        Field::Finalizers,
        Value::Absent,
        Value::Finalizers(FinalizerSet::of(&[Finalizer::Attacher])),
    );
    Ok(())
}

/// EA1: ControllerPublishVolume leaves.
pub(super) fn calls_publish(t: &mut Turn, link: Link) -> Step {
    may_publish(t, link)?;
    need(t.cluster.place(link).attachment.finalizer, Unmet::AttachmentNotFinalized)?;
    // The finalizer may be there from a time when the PersistentVolume's was, too.
    need(!lacks_volume_finalizer(t, link), Unmet::VolumeNotFinalized)?;
    t.cluster.place_mut(link).attacher = Attacher::PublishCalled;
    t.call(Method::ControllerPublishVolume, About::Link(link));
    Ok(())
}

/// EA1: the reply to ControllerPublishVolume arrives.
pub(super) fn receives_publish_ok(t: &mut Turn, link: Link) -> Step {
    match t.cluster.place(link).attacher {
        // The driver has attached before, so it only says so.
        Attacher::RepeatCalled => advance(t, link, Attacher::RepeatCalled, Attacher::Idle)?,
        Attacher::Idle
        | Attacher::PublishCalled
        | Attacher::PublishDone
        | Attacher::Published
        | Attacher::Lagging
        | Attacher::UnpublishCalled
        | Attacher::UnpublishDone
        | Attacher::Unpublished
        | Attacher::PublishFailed(_)
        | Attacher::UnpublishFailed(_) => advance(t, link, Attacher::PublishDone, Attacher::Published)?,
    }
    t.reply(Method::ControllerPublishVolume, About::Link(link), Reply::Ok);
    Ok(())
}

/// EA1: `status.attached` turns true.
pub(super) fn records_attached(t: &mut Turn, link: Link) -> Step {
    if !t.cluster.place(link).attachment.exists {
        // Somebody has taken its finalizer off, so that it is gone.
        return advance(t, link, Attacher::Published, Attacher::Idle);
    }
    advance(t, link, Attacher::Published, Attacher::Lagging)?;
    set_attached(t, link);
    Ok(())
}

/// EA1: its informer lags behind its own write, so the same VolumeAttachment looks unattached once more.
pub(super) fn repeats_publish(t: &mut Turn, link: Link) -> Step {
    need(!t.cluster.place(link).attachment.deleting, Unmet::AttachmentDeleting)?;
    advance(t, link, Attacher::Lagging, Attacher::RepeatCalled)?;
    t.read(ObjectId::Attachment(link));
    t.call(Method::ControllerPublishVolume, About::Link(link));
    Ok(())
}

/// EA3: a VolumeAttachment that is to be detached, with no call under way.
pub(super) fn wants_unpublish(t: &Turn, link: Link) -> Step {
    let attachment = t.cluster.place(link).attachment;
    need(attachment.exists, Unmet::AttachmentMissing)?;
    need(!attachment.foreign, Unmet::OtherAttacher)?;
    need(attachment.deleting, Unmet::AttachmentNotDeleting)?;
    need(attachment.finalizer, Unmet::AttachmentNotFinalized)?;
    let idle = [Attacher::Idle, Attacher::Lagging].contains(&t.cluster.place(link).attacher);
    need(idle, Unmet::OperationPending)
}

/// EA3: the VolumeAttachment is being deleted, and our finalizer holds it: ControllerUnpublishVolume leaves.
pub(super) fn calls_unpublish(t: &mut Turn, link: Link) -> Step {
    wants_unpublish(t, link)?;
    need(detach_obstacle(t.world, &t.cluster, link).is_none(), Unmet::DetachImpossible)?;
    t.cluster.place_mut(link).attacher = Attacher::UnpublishCalled;
    t.read(ObjectId::Attachment(link));
    t.read(ObjectId::Volume(link.volume));
    t.call(Method::ControllerUnpublishVolume, About::Link(link));
    Ok(())
}

/// EA3: the reply to ControllerUnpublishVolume arrives.
pub(super) fn receives_unpublish_ok(t: &mut Turn, link: Link) -> Step {
    advance(t, link, Attacher::UnpublishDone, Attacher::Unpublished)?;
    t.reply(Method::ControllerUnpublishVolume, About::Link(link), Reply::Ok);
    Ok(())
}

/// EA3: the finalizer comes off, and with it the VolumeAttachment goes.
pub(super) fn releases_attachment(t: &mut Turn, link: Link) -> Step {
    advance(t, link, Attacher::Unpublished, Attacher::Idle)?;
    if !t.cluster.place(link).attachment.exists {
        // Somebody was faster.
        return Ok(());
    }
    t.cluster.place_mut(link).attachment = Attachment::default();
    let object = ObjectId::Attachment(link);
    t.write(
        object,
        Field::Finalizers,
        Value::Finalizers(FinalizerSet::of(&[Finalizer::Attacher])),
        Value::Absent,
    );
    t.delete(object);
    Ok(())
}

/// EA5: a PersistentVolume that is being deleted loses the finalizer once no VolumeAttachment names it.
pub(super) fn releases_volume(t: &mut Turn, link: Link) -> Step {
    may_release_volume(t, link)?;
    t.read(ObjectId::Volume(link.volume));
    lift_from_volume(t, link.volume, Finalizer::Attacher);
    Ok(())
}

pub(super) fn may_release_volume(t: &Turn, link: Link) -> Step {
    let volume = t.cluster.volume(link.volume);
    need(volume.deleting, Unmet::VolumeNotDeleting)?;
    need(volume.finalizers.contains(Finalizer::Attacher), Unmet::VolumeNotFinalized)?;
    let named = t.world.nodes().any(|node| {
        let attachment = t.cluster.place(Link { volume: link.volume, node }).attachment;
        attachment.exists && attachment.source.names_volume()
    });
    need(!named, Unmet::AttachmentExists)
}

pub(in crate::model) fn advance(t: &mut Turn, link: Link, from: Attacher, to: Attacher) -> Step {
    need(t.cluster.place(link).attacher == from, Unmet::NoSuchCall)?;
    t.cluster.place_mut(link).attacher = to;
    Ok(())
}

fn set_attached(t: &mut Turn, link: Link) {
    let attachment = &mut t.cluster.place_mut(link).attachment;
    let (was, error) = (attachment.attached, attachment.attach_error.take());
    attachment.attached = true;
    let object = ObjectId::Attachment(link);
    t.write(object, Field::Attached, Value::Bool(was), Value::Bool(true));
    if let Some(error) = error {
        t.write(object, Field::AttachError, Value::Failure(error, link), Value::Absent);
    }
}

fn set_volume_finalizer(t: &mut Turn, volume: VolumeId) {
    let from = t.cluster.volume(volume).finalizers;
    let to = from.with(Finalizer::Attacher);
    t.cluster.volume_mut(volume).finalizers = to;
    t.write(ObjectId::Volume(volume), Field::Finalizers, finalizers(from), finalizers(to));
}
