//! kubelet's calls that bring a volume to a Pod (K4, K7, K15).

use super::checks::{has_device, mounting};
use super::event::Event;
use super::{KubeletOperation as Op, MountState, owner};
use crate::model::effect::{About, Method, MountPoint, Reply};
use crate::model::turn::{Turn, need};
use crate::model::{EventId, Link, ObjectId, PodId, Presence, Unmet, VolumeMode, kubelet_expand};

type Step = Result<(), Unmet>;

pub(in crate::model) fn operation(t: &Turn, link: Link) -> Op {
    t.cluster.place(link).kubelet.operation
}

pub(in crate::model) fn begin(t: &mut Turn, link: Link, operation: Op) {
    t.cluster.place_mut(link).kubelet.operation = operation;
}

/// The volume that a Pod's kubelet has to do with: the one it remembers for the Pod, whatever has become of its
/// claim since, or else the Pod's.
pub(super) fn held(t: &Turn, id: PodId) -> Result<Link, Unmet> {
    let node = t.cluster.pod(id).node.ok_or(Unmet::PodUnbound)?;
    let mut links = t.world.volumes().map(|volume| Link { volume, node });
    let remembered = links.find(|link| {
        let kubelet = t.cluster.place(*link).kubelet;
        kubelet.wanted.contains(id) || kubelet.mount(id).may_be_mounted()
    });
    remembered.map_or_else(|| t.link_of(id), Ok)
}

/// K4d: the device is not staged on this Node, so NodeStageVolume leaves.
pub(super) fn calls_stage(t: &mut Turn, id: PodId) -> Step {
    let link = held(t, id)?;
    need(super::mount_device(t.world.driver().node_stage).calls, Unmet::NoNodeStage)?;
    need(has_device(t.world, link.volume), Unmet::InlineVolume)?;
    mounting(t, id, link)?;
    need(t.cluster.place(link).kubelet.device != MountState::Mounted, Unmet::Staged)?;
    let kubelet = &mut t.cluster.place_mut(link).kubelet;
    kubelet.files.device = true;
    kubelet.operation = Op::StageCalled(id);
    t.call(Method::NodeStageVolume, About::Link(link));
    Ok(())
}

/// K4d: the reply to NodeStageVolume arrives.
pub(super) fn receives_stage_ok(t: &mut Turn, link: Link) -> Step {
    let Op::StageDone(id) = operation(t, link) else { return Err(Unmet::NoSuchCall) };
    begin(t, link, Op::Mount(id));
    t.cluster.place_mut(link).kubelet.device = MountState::Mounted;
    t.reply(Method::NodeStageVolume, About::Link(link), Reply::Ok);
    Ok(())
}

/// K4e, K7: the device is staged, or needs no staging, so NodePublishVolume leaves.
pub(super) fn calls_publish(t: &mut Turn, id: PodId) -> Step {
    let link = held(t, id)?;
    mounting(t, id, link)?;
    let device = has_device(t.world, link.volume);
    let staged = t.cluster.place(link).kubelet.device == MountState::Mounted;
    need(!device || staged || !t.world.driver().node_stage, Unmet::NotStaged)?;
    if device {
        // Without STAGE_UNSTAGE_VOLUME the device counts as mounted without a call (K4d).
        t.cluster.place_mut(link).kubelet.device = MountState::Mounted;
    }
    publish(t, link, id);
    Ok(())
}

/// K15: the driver wants to be called again and again for what it has published.
pub(super) fn calls_publish_again(t: &mut Turn, id: PodId) -> Step {
    need(t.world.driver().requires_republish, Unmet::NoRepublish)?;
    let link = held(t, id)?;
    let kubelet = t.cluster.place(link).kubelet;
    need(kubelet.wanted.contains(id), Unmet::NotWanted)?;
    need(kubelet.mounted.contains(id), Unmet::NotMounted)?;
    need(kubelet.operation == Op::None, Unmet::OperationPending)?;
    need(t.cluster.node(link.node).agent.registered, Unmet::DriverNotRegistered)?;
    publish(t, link, id);
    Ok(())
}

fn publish(t: &mut Turn, link: Link, id: PodId) {
    let kubelet = &mut t.cluster.place_mut(link).kubelet;
    kubelet.files.pods.insert(id);
    kubelet.operation = Op::PublishCalled(id);
    t.call(Method::NodePublishVolume, About::Target(link, id));
}

/// K4g: the reply to NodePublishVolume arrives; there is an event for it only where the volume is a raw device.
pub(super) fn receives_publish_ok(t: &mut Turn, link: Link) -> Step {
    let Op::PublishDone(id) = operation(t, link) else { return Err(Unmet::NoSuchCall) };
    need(sees_claim(t, link, id), Unmet::PodMissing)?;
    begin(t, link, Op::None);
    let first = !t.cluster.place(link).kubelet.mounted.contains(id);
    t.reply(Method::NodePublishVolume, About::Target(link, id), Reply::Ok);
    if first && owner::changes(t.world, link, id) {
        begin(t, link, Op::Own(id));
        return Ok(());
    }
    ends_mount(t, link, id);
    if t.world.volume(link.volume).mode == VolumeMode::Block && first {
        t.mount(link, MountPoint::Map(id), true);
        t.event(ObjectId::Pod(id), EventId::Kubelet(Event::MappedGlobally(link)));
        t.event(ObjectId::Pod(id), EventId::Kubelet(Event::MappedForPod(link, id)));
    }
    Ok(())
}

/// K4f: a volume that is to grow does so before its mount is over.
pub(super) fn ends_mount(t: &mut Turn, link: Link, id: PodId) {
    if !kubelet_expand::at_mount(t, link, id) {
        t.cluster.place_mut(link).kubelet.set_mount(id, MountState::Mounted);
    }
}

/// K4f: kubelet then looks at the claim's size, and the API server shows a Node only the claims of its Pods.
pub(super) fn sees_claim(t: &Turn, link: Link, id: PodId) -> bool {
    let filesystem = t.world.volume(link.volume).mode == VolumeMode::Filesystem;
    let asks = filesystem && !t.world.is_inline(link.volume);
    !asks || t.cluster.pod(id).presence == Presence::Here
}
