//! Calls of the external-attacher that fail, what it writes then, and its look at what is published (EA2, EA4, EA7).

use super::checks::{attach_obstacle, set_attach_error, set_detach_error};
use super::rules::{lacks_volume_finalizer, may_release_volume, wants_publish};
use super::{Attacher, Wrong};
use crate::model::driver::is_busy;
use crate::model::effect::{About, Failure, Method, Reply};
use crate::model::turn::{Turn, need};
use crate::model::{ActorId, Code, FaultId, FaultKind, Kind, Link, ObjectId, Role, Unmet, driver_answer};

type Step = Result<(), Unmet>;

/// What the driver itself says to ControllerPublishVolume, where it refuses or is not there.
fn refusal(t: &Turn, link: Link) -> Option<Failure> {
    if t.cluster.down().contains(ActorId::cluster(Role::DriverController)) {
        return Some(Failure::Unreachable);
    }
    match driver_answer(t.world, &t.cluster, Method::ControllerPublishVolume, About::Link(link)) {
        Code::Ok => None,
        Code::ResourceExhausted => Some(Failure::Attach(Wrong::LimitReached, link)),
        Code::FailedPrecondition => Some(Failure::Attach(Wrong::PublishedElsewhere, link)),
        code => Some(Failure::Driver(code)),
    }
}

/// EA2: ControllerPublishVolume is answered with an error, or its answer is lost.
pub(super) fn receives_publish_failed(t: &mut Turn, link: Link, fault: FaultId) -> Step {
    let did = match t.cluster.place(link).attacher {
        Attacher::PublishCalled => false,
        Attacher::PublishDone => true,
        // The driver has attached before, so that it makes no difference.
        Attacher::RepeatCalled => answers_after_work(t, fault),
        Attacher::Idle
        | Attacher::Published
        | Attacher::Lagging
        | Attacher::UnpublishCalled
        | Attacher::UnpublishDone
        | Attacher::Unpublished
        | Attacher::PublishFailed(_)
        | Attacher::UnpublishFailed(_) => return Err(Unmet::NoSuchCall),
    };
    t.spend_fault(fault, Method::ControllerPublishVolume, Some(link.node), did)?;
    t.goes_on(fault, Method::ControllerPublishVolume, About::Link(link));
    publish_failed(t, link, Failure::Fault(fault));
    Ok(())
}

/// EA2: the driver refuses.
pub(super) fn receives_publish_refused(t: &mut Turn, link: Link) -> Step {
    need(t.cluster.place(link).attacher == Attacher::PublishCalled, Unmet::NoSuchCall)?;
    let failure = refusal(t, link).ok_or(Unmet::DriverAgrees)?;
    publish_failed(t, link, failure);
    Ok(())
}

fn publish_failed(t: &mut Turn, link: Link, failure: Failure) {
    t.cluster.place_mut(link).attacher = Attacher::PublishFailed(failure);
    t.reply(Method::ControllerPublishVolume, About::Link(link), Reply::Failed(failure));
}

/// EA2: `status.attachError` says what failed.
pub(super) fn records_attach_error(t: &mut Turn, link: Link) -> Step {
    let Attacher::PublishFailed(failure) = t.cluster.place(link).attacher else {
        return Err(Unmet::NoSuchCall);
    };
    t.cluster.place_mut(link).attacher = Attacher::Idle;
    if t.cluster.place(link).attachment.exists {
        set_attach_error(t, link, failure);
    }
    Ok(())
}

/// EA4: ControllerUnpublishVolume is answered with an error, or its answer is lost; every code counts.
pub(super) fn receives_unpublish_failed(t: &mut Turn, link: Link, fault: FaultId) -> Step {
    let attacher = t.cluster.place(link).attacher;
    need([Attacher::UnpublishCalled, Attacher::UnpublishDone].contains(&attacher), Unmet::NoSuchCall)?;
    let did = attacher == Attacher::UnpublishDone;
    t.spend_fault(fault, Method::ControllerUnpublishVolume, Some(link.node), did)?;
    t.goes_on(fault, Method::ControllerUnpublishVolume, About::Link(link));
    let failure = Failure::Fault(fault);
    t.cluster.place_mut(link).attacher = Attacher::UnpublishFailed(failure);
    t.reply(Method::ControllerUnpublishVolume, About::Link(link), Reply::Failed(failure));
    Ok(())
}

/// EA4: the driver's process is down, so that nobody answers ControllerUnpublishVolume, or it is still at another call.
pub(super) fn receives_unpublish_refused(t: &mut Turn, link: Link) -> Step {
    need(t.cluster.place(link).attacher == Attacher::UnpublishCalled, Unmet::NoSuchCall)?;
    let failure = if t.cluster.down().contains(ActorId::cluster(Role::DriverController)) {
        Failure::Unreachable
    } else {
        need(is_busy(t.world, &t.cluster, link.volume), Unmet::DriverAgrees)?;
        Failure::Driver(Code::Aborted)
    };
    t.cluster.place_mut(link).attacher = Attacher::UnpublishFailed(failure);
    t.reply(Method::ControllerUnpublishVolume, About::Link(link), Reply::Failed(failure));
    Ok(())
}

/// EA4: `status.detachError` says what failed; `status.attached` stays true.
pub(super) fn records_detach_error(t: &mut Turn, link: Link) -> Step {
    let Attacher::UnpublishFailed(failure) = t.cluster.place(link).attacher else {
        return Err(Unmet::NoSuchCall);
    };
    t.cluster.place_mut(link).attacher = Attacher::Idle;
    if t.cluster.place(link).attachment.exists {
        set_detach_error(t, link, failure);
    }
    Ok(())
}

/// EA7: the driver's list of published Nodes says otherwise than `status.attached`, so it is called once more.
pub(super) fn reconciles_attachment(t: &mut Turn, link: Link) -> Step {
    need(t.world.driver().lists_published_nodes, Unmet::NoPublishedNodes)?;
    let place = *t.cluster.place(link);
    need(place.attachment.exists, Unmet::AttachmentMissing)?;
    need(!place.attachment.foreign, Unmet::OtherAttacher)?;
    need([Attacher::Idle, Attacher::Lagging].contains(&place.attacher), Unmet::OperationPending)?;
    let published = place.real.published;
    need(place.attachment.attached != published || place.attachment.deleting, Unmet::NothingNew)?;
    let (to, method) = if place.attachment.deleting {
        need(published, Unmet::NothingNew)?;
        (Attacher::UnpublishCalled, Method::ControllerUnpublishVolume)
    } else {
        need(place.attachment.attached, Unmet::AttachmentNotAttached)?;
        need(attach_obstacle(t.world, &t.cluster, link).is_none(), Unmet::AttachImpossible)?;
        (Attacher::PublishCalled, Method::ControllerPublishVolume)
    };
    t.cluster.place_mut(link).attacher = to;
    t.read(ObjectId::Attachment(link));
    t.call(method, About::Link(link));
    Ok(())
}

/// Whether this fault is an answer that is lost after the work.
fn answers_after_work(t: &Turn, fault: FaultId) -> bool {
    matches!(t.world.fault(fault).map(|f| &f.kind), Some(FaultKind::Answer { did: true, .. }))
}

/// EA1, EA2: the API server refuses the PersistentVolume's finalizer or the VolumeAttachment's, and no call leaves.
pub(super) fn finalizer_refused(t: &mut Turn, link: Link, fault: FaultId) -> Step {
    wants_publish(t, link)?;
    need(attach_obstacle(t.world, &t.cluster, link).is_none(), Unmet::AttachImpossible)?;
    let wrong = if lacks_volume_finalizer(t, link) {
        t.spend_refusal(fault, Kind::PersistentVolume)?;
        Wrong::VolumeNotFinalized(fault)
    } else {
        need(!t.cluster.place(link).attachment.finalizer, Unmet::AttachmentFinalized)?;
        t.spend_refusal(fault, Kind::VolumeAttachment)?;
        Wrong::AttachmentNotSaved(fault)
    };
    t.cluster.place_mut(link).attacher = Attacher::PublishFailed(Failure::Attach(wrong, link));
    Ok(())
}

/// EA3: the API server refuses to take the finalizer off after the detach.
pub(super) fn release_refused(t: &mut Turn, link: Link, fault: FaultId) -> Step {
    need(t.cluster.place(link).attacher == Attacher::Unpublished, Unmet::NoSuchCall)?;
    t.spend_refusal(fault, Kind::VolumeAttachment)?;
    let failure = Failure::Attach(Wrong::NotMarkedDetached(fault), link);
    t.cluster.place_mut(link).attacher = Attacher::UnpublishFailed(failure);
    Ok(())
}

/// EA2, EA4: the API server refuses the status as well: nothing is known of the try but that it will be repeated.
pub(super) fn status_refused(t: &mut Turn, link: Link, fault: FaultId) -> Step {
    let failed =
        matches!(t.cluster.place(link).attacher, Attacher::PublishFailed(_) | Attacher::UnpublishFailed(_));
    let obstacle = wants_publish(t, link).is_ok() && attach_obstacle(t.world, &t.cluster, link).is_some();
    let trivial = !t.world.driver().controller_publish;
    need(failed || obstacle || trivial, Unmet::NoSuchCall)?;
    need(!trivial || !t.cluster.place(link).attachment.attached, Unmet::AttachmentAttached)?;
    need(t.cluster.place(link).attachment.exists, Unmet::AttachmentMissing)?;
    t.spend_refusal(fault, Kind::VolumeAttachment)?;
    t.cluster.place_mut(link).attacher = Attacher::Idle;
    Ok(())
}

/// EA5: the API server refuses to take the PersistentVolume's finalizer off; it is tried again.
pub(super) fn volume_release_refused(t: &mut Turn, link: Link, fault: FaultId) -> Step {
    may_release_volume(t, link)?;
    t.spend_refusal(fault, Kind::PersistentVolume)
}

/// What a restart makes it forget: everything; calls under way are lost with their replies.
pub(in crate::model) fn forget(t: &mut Turn) {
    for link in t.world.links() {
        t.cluster.place_mut(link).attacher = Attacher::Idle;
    }
}
