//! kubelet's CSI calls (K4, K7, K9, K10).

use super::KubeletOperation as Op;
use super::volumes::wants_mount;
use crate::model::effect::{About, Method, Reply};
use crate::model::turn::{Turn, need};
use crate::model::{Link, PodId, Unmet, kubelet_expand};

type Step = Result<(), Unmet>;

/// A mount for this Pod that has passed its checks; where no attach is needed it may begin right here.
fn mounting(t: &Turn, id: PodId, link: Link) -> Step {
    if t.cluster.place(link).kubelet.operation == Op::Mount(id) {
        return Ok(());
    }
    need(!t.world.is_attachable(link.volume), Unmet::NoOperation)?;
    wants_mount(t, id, link)
}

pub(in crate::model) fn operation(t: &Turn, link: Link) -> Op {
    t.cluster.place(link).kubelet.operation
}

pub(in crate::model) fn begin(t: &mut Turn, link: Link, operation: Op) {
    t.cluster.place_mut(link).kubelet.operation = operation;
}

/// K4d: the device is not staged on this Node, so NodeStageVolume leaves.
pub(super) fn calls_stage(t: &mut Turn, id: PodId) -> Step {
    let link = t.link_of(id)?;
    need(t.world.driver().node_stage, Unmet::NoNodeStage)?;
    mounting(t, id, link)?;
    need(!t.cluster.place(link).kubelet.device, Unmet::Staged)?;
    begin(t, link, Op::StageCalled(id));
    t.call(Method::NodeStageVolume, About::Link(link));
    Ok(())
}

/// K4d: the reply to NodeStageVolume arrives.
pub(super) fn receives_stage_ok(t: &mut Turn, link: Link) -> Step {
    let Op::StageDone(id) = operation(t, link) else { return Err(Unmet::NoSuchCall) };
    begin(t, link, Op::Mount(id));
    t.cluster.place_mut(link).kubelet.device = true;
    t.reply(Method::NodeStageVolume, About::Link(link), Reply::Ok);
    Ok(())
}

/// K4e, K7: the device is staged, or needs no staging, so NodePublishVolume leaves.
pub(super) fn calls_publish(t: &mut Turn, id: PodId) -> Step {
    let link = t.link_of(id)?;
    mounting(t, id, link)?;
    need(t.cluster.place(link).kubelet.device || !t.world.driver().node_stage, Unmet::NotStaged)?;
    // Without STAGE_UNSTAGE_VOLUME the device counts as mounted without a call (K4d).
    t.cluster.place_mut(link).kubelet.device = true;
    begin(t, link, Op::PublishCalled(id));
    t.call(Method::NodePublishVolume, About::Target(link, id));
    Ok(())
}

/// K4g: the reply to NodePublishVolume arrives; there is no event for it.
pub(super) fn receives_publish_ok(t: &mut Turn, link: Link) -> Step {
    let Op::PublishDone(id) = operation(t, link) else { return Err(Unmet::NoSuchCall) };
    begin(t, link, Op::None);
    // K4f: a volume that is to grow does so before its mount is over.
    if !kubelet_expand::at_mount(t, link, id) {
        t.cluster.place_mut(link).kubelet.mounted.insert(id);
    }
    t.reply(Method::NodePublishVolume, About::Target(link, id), Reply::Ok);
    Ok(())
}

/// K9: the volume is mounted for a Pod that no longer wants it, so NodeUnpublishVolume leaves.
pub(super) fn calls_unpublish(t: &mut Turn, id: PodId) -> Step {
    let link = t.link_of(id)?;
    let kubelet = t.cluster.place(link).kubelet;
    need(kubelet.mounted.contains(id), Unmet::NotMounted)?;
    need(!kubelet.wanted.contains(id), Unmet::StillWanted)?;
    need(kubelet.operation == Op::None, Unmet::OperationPending)?;
    begin(t, link, Op::UnpublishCalled(id));
    t.call(Method::NodeUnpublishVolume, About::Target(link, id));
    Ok(())
}

/// K9: the reply to NodeUnpublishVolume arrives.
pub(super) fn receives_unpublish_ok(t: &mut Turn, link: Link) -> Step {
    let Op::UnpublishDone(id) = operation(t, link) else { return Err(Unmet::NoSuchCall) };
    begin(t, link, Op::None);
    t.cluster.place_mut(link).kubelet.mounted.remove(id);
    t.reply(Method::NodeUnpublishVolume, About::Target(link, id), Reply::Ok);
    Ok(())
}

/// K10: no Pod uses or wants the staged device, so NodeUnstageVolume leaves.
pub(super) fn calls_unstage(t: &mut Turn, link: Link) -> Step {
    let kubelet = t.cluster.place(link).kubelet;
    need(t.world.driver().node_stage, Unmet::NoNodeStage)?;
    need(kubelet.device, Unmet::NotStaged)?;
    need(kubelet.wanted.is_empty(), Unmet::StillWanted)?;
    need(kubelet.mounted.is_empty(), Unmet::Mounted)?;
    need(kubelet.operation == Op::None, Unmet::OperationPending)?;
    begin(t, link, Op::UnstageCalled);
    t.call(Method::NodeUnstageVolume, About::Link(link));
    Ok(())
}

/// K10: the reply to NodeUnstageVolume arrives.
pub(super) fn receives_unstage_ok(t: &mut Turn, link: Link) -> Step {
    need(operation(t, link) == Op::UnstageDone, Unmet::NoSuchCall)?;
    begin(t, link, Op::None);
    t.cluster.place_mut(link).kubelet.device = false;
    t.reply(Method::NodeUnstageVolume, About::Link(link), Reply::Ok);
    Ok(())
}
