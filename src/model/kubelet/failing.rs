//! Errors that kubelet's calls end in, and what it then believes of the volume (K5, K9, K10).

use super::event::Event;
use super::mount::{begin, operation, sees_claim};
use super::{ErrorClass, KubeletOperation as Op, MountState};
use crate::model::effect::{About, Method, Reply};
use crate::model::turn::{Turn, need};
use crate::model::{EventId, Failure, Link, ObjectId, PodId, Unmet};

type Step = Result<(), Unmet>;

fn class(t: &Turn, failure: Failure) -> ErrorClass {
    failure.code(t.world).map_or(ErrorClass::Uncertain, ErrorClass::of)
}

fn tell(t: &mut Turn, id: PodId, event: Event) {
    t.event(ObjectId::Pod(id), EventId::Kubelet(event));
}

/// K5: NodeStageVolume has failed. A device that was mounted before stays so.
pub(super) fn stage(t: &mut Turn, link: Link, failure: Failure) -> Step {
    let (id, did) = match operation(t, link) {
        Op::StageCalled(id) => (id, false),
        Op::StageDone(id) => (id, true),
        Op::None
        | Op::Expand
        | Op::Own(_)
        | Op::OwnSlowly(_)
        | Op::Mount(_)
        | Op::PublishCalled(_)
        | Op::PublishDone(_)
        | Op::UnpublishCalled(_)
        | Op::UnpublishDone(_)
        | Op::UnstageCalled
        | Op::UnstageDone => return Err(Unmet::NoSuchCall),
    };
    t.fails(failure, Method::NodeStageVolume, About::Link(link), did)?;
    begin(t, link, Op::None);
    let class = class(t, failure);
    let kubelet = &mut t.cluster.place_mut(link).kubelet;
    // What was found on disk after a restart stays uncertain until it is mounted or undone.
    let kept = !kubelet.reconstructed.is_empty();
    match (class, kubelet.device) {
        (ErrorClass::Final, MountState::Uncertain) if !kept => kubelet.device = MountState::NotMounted,
        (ErrorClass::Uncertain, MountState::NotMounted) => kubelet.device = MountState::Uncertain,
        (ErrorClass::Final | ErrorClass::Uncertain, _) => {}
    }
    if class == ErrorClass::Final {
        kubelet.files.device = false;
    }
    t.reply(Method::NodeStageVolume, About::Link(link), Reply::Failed(failure));
    tell(t, id, Event::StageFailed(link, failure));
    Ok(())
}

/// K5: NodePublishVolume has failed. A volume that was mounted before stays so.
pub(super) fn publish(t: &mut Turn, link: Link, failure: Failure) -> Step {
    let (id, did) = match operation(t, link) {
        Op::PublishCalled(id) => (id, false),
        Op::PublishDone(id) => (id, true),
        Op::None
        | Op::Expand
        | Op::Own(_)
        | Op::OwnSlowly(_)
        | Op::Mount(_)
        | Op::StageCalled(_)
        | Op::StageDone(_)
        | Op::UnpublishCalled(_)
        | Op::UnpublishDone(_)
        | Op::UnstageCalled
        | Op::UnstageDone => return Err(Unmet::NoSuchCall),
    };
    t.fails(failure, Method::NodePublishVolume, About::Target(link, id), did)?;
    begin(t, link, Op::None);
    let class = class(t, failure);
    let kubelet = &mut t.cluster.place_mut(link).kubelet;
    let before = kubelet.mount(id);
    let kept = kubelet.reconstructed.contains(id) || before == MountState::Mounted;
    match (class, before) {
        (ErrorClass::Final, _) if !kept => {
            kubelet.set_mount(id, MountState::NotMounted);
            kubelet.files.pods.remove(id);
        }
        (ErrorClass::Uncertain, MountState::NotMounted) => kubelet.set_mount(id, MountState::Uncertain),
        (ErrorClass::Final | ErrorClass::Uncertain, _) => {}
    }
    t.reply(Method::NodePublishVolume, About::Target(link, id), Reply::Failed(failure));
    tell(t, id, Event::PublishFailed(link, failure));
    Ok(())
}

/// K4f: the volume is published, but for a Pod that is gone: the claim is out of the Node's sight, and so nobody
/// knows whether the volume has to grow. It is uncertain until it is unmounted.
pub(super) fn publish_ok_too_late(t: &mut Turn, link: Link) -> Step {
    let Op::PublishDone(id) = operation(t, link) else { return Err(Unmet::NoSuchCall) };
    need(!sees_claim(t, link, id), Unmet::PodExists)?;
    begin(t, link, Op::None);
    let kubelet = &mut t.cluster.place_mut(link).kubelet;
    if !kubelet.mounted.contains(id) {
        kubelet.set_mount(id, MountState::Uncertain);
    }
    t.reply(Method::NodePublishVolume, About::Target(link, id), Reply::Ok);
    tell(t, id, Event::ClaimOutOfSight(link, id));
    Ok(())
}

/// K9: NodeUnpublishVolume has failed, in whatever way: the volume may or may not be mounted. No Event tells.
pub(super) fn unpublish(t: &mut Turn, link: Link, failure: Failure) -> Step {
    let (id, did) = match operation(t, link) {
        Op::UnpublishCalled(id) => (id, false),
        Op::UnpublishDone(id) => (id, true),
        Op::None
        | Op::Expand
        | Op::Own(_)
        | Op::OwnSlowly(_)
        | Op::Mount(_)
        | Op::StageCalled(_)
        | Op::StageDone(_)
        | Op::PublishCalled(_)
        | Op::PublishDone(_)
        | Op::UnstageCalled
        | Op::UnstageDone => return Err(Unmet::NoSuchCall),
    };
    t.fails(failure, Method::NodeUnpublishVolume, About::Target(link, id), did)?;
    begin(t, link, Op::None);
    t.cluster.place_mut(link).kubelet.set_mount(id, MountState::Uncertain);
    t.reply(Method::NodeUnpublishVolume, About::Target(link, id), Reply::Failed(failure));
    Ok(())
}

/// K10: NodeUnstageVolume has failed, in whatever way. No Event tells.
pub(super) fn unstage(t: &mut Turn, link: Link, failure: Failure) -> Step {
    let did = match operation(t, link) {
        Op::UnstageCalled => false,
        Op::UnstageDone => true,
        Op::None
        | Op::Expand
        | Op::Own(_)
        | Op::OwnSlowly(_)
        | Op::Mount(_)
        | Op::StageCalled(_)
        | Op::StageDone(_)
        | Op::PublishCalled(_)
        | Op::PublishDone(_)
        | Op::UnpublishCalled(_)
        | Op::UnpublishDone(_) => return Err(Unmet::NoSuchCall),
    };
    t.fails(failure, Method::NodeUnstageVolume, About::Link(link), did)?;
    begin(t, link, Op::None);
    t.cluster.place_mut(link).kubelet.device = MountState::Uncertain;
    t.reply(Method::NodeUnstageVolume, About::Link(link), Reply::Failed(failure));
    Ok(())
}
