//! kubelet's calls that take a volume from a Pod and from the Node, and what comes after (K9, K10, K11).

use super::mount::{begin, held, operation};
use super::{Boot, DeviceSteps, KubeletOperation as Op, MountState, unmount_device};
use crate::model::effect::{About, Method, MountPoint, Reply};
use crate::model::turn::{Turn, need};
use crate::model::{Link, NodeId, PodId, Unmet, VolumeMode, kubelet_expand};

type Step = Result<(), Unmet>;

/// K13: after a restart nothing is unmounted before kubelet knows what there is.
fn may_unmount(t: &Turn, node: NodeId) -> Step {
    need(t.cluster.node(node).agent.boot == Boot::Ready, Unmet::NotReadyToUnmount)
}

fn registered(t: &Turn, node: NodeId) -> Step {
    need(t.cluster.node(node).agent.registered, Unmet::DriverNotRegistered)
}

/// K9: the volume is, or may be, mounted for a Pod that no longer wants it, so NodeUnpublishVolume leaves.
pub(super) fn calls_unpublish(t: &mut Turn, id: PodId) -> Step {
    let link = held(t, id)?;
    let kubelet = t.cluster.place(link).kubelet;
    need(kubelet.mount(id).may_be_mounted(), Unmet::NotMounted)?;
    need(!kubelet.wanted.contains(id), Unmet::StillWanted)?;
    need(kubelet.operation == Op::None, Unmet::OperationPending)?;
    may_unmount(t, link.node)?;
    // Without the file nobody knows what to unmount, and that stays so (E4).
    need(kubelet.files.pods.contains(id), Unmet::NoVolumeData)?;
    registered(t, link.node)?;
    if t.world.volume(link.volume).mode == VolumeMode::Block && kubelet.mounted.contains(id) {
        t.mount(link, MountPoint::Map(id), false);
    }
    begin(t, link, Op::UnpublishCalled(id));
    t.call(Method::NodeUnpublishVolume, About::Target(link, id));
    Ok(())
}

/// K9: the reply to NodeUnpublishVolume arrives.
pub(super) fn receives_unpublish_ok(t: &mut Turn, link: Link) -> Step {
    let Op::UnpublishDone(id) = operation(t, link) else { return Err(Unmet::NoSuchCall) };
    begin(t, link, Op::None);
    let kubelet = &mut t.cluster.place_mut(link).kubelet;
    kubelet.set_mount(id, MountState::NotMounted);
    kubelet.files.pods.remove(id);
    t.reply(Method::NodeUnpublishVolume, About::Target(link, id), Reply::Ok);
    Ok(())
}

/// What taking the volume off the Node needs: no Pod has it or wants it, and nothing is under way.
fn is_let_go(t: &Turn, link: Link) -> Step {
    let kubelet = t.cluster.place(link).kubelet;
    need(kubelet.wanted.is_empty(), Unmet::StillWanted)?;
    need(kubelet.is_published_nowhere(), Unmet::Mounted)?;
    need(kubelet.operation == Op::None, Unmet::OperationPending)?;
    may_unmount(t, link.node)
}

/// K10: what taking the device down consists of.
fn steps(t: &Turn, link: Link) -> DeviceSteps {
    unmount_device(t.world.driver().node_stage, t.cluster.place(link).kubelet.files.device)
}

/// K10: no Pod uses or wants the device that is, or may be, staged, so NodeUnstageVolume leaves.
pub(super) fn calls_unstage(t: &mut Turn, link: Link) -> Step {
    need(t.world.driver().node_stage, Unmet::NoNodeStage)?;
    need(t.cluster.place(link).kubelet.device.may_be_mounted(), Unmet::NotStaged)?;
    is_let_go(t, link)?;
    // The Node's mount table shows what is bound from the staging path, whatever kubelet believes.
    need(t.cluster.place(link).real.targets.is_empty(), Unmet::MountedByOthers)?;
    need(steps(t, link).calls, Unmet::NoVolumeData)?;
    registered(t, link.node)?;
    begin(t, link, Op::UnstageCalled);
    t.call(Method::NodeUnstageVolume, About::Link(link));
    Ok(())
}

/// K10: the reply to NodeUnstageVolume arrives.
pub(super) fn receives_unstage_ok(t: &mut Turn, link: Link) -> Step {
    need(operation(t, link) == Op::UnstageDone, Unmet::NoSuchCall)?;
    begin(t, link, Op::None);
    let kubelet = &mut t.cluster.place_mut(link).kubelet;
    kubelet.device = MountState::NotMounted;
    kubelet.files.device = false;
    t.reply(Method::NodeUnstageVolume, About::Link(link), Reply::Ok);
    Ok(())
}

/// K11: nothing is mounted, staged or wanted any more: the volume leaves the actual state.
pub(super) fn forgets_volume(t: &mut Turn, link: Link) -> Step {
    let kubelet = t.cluster.place(link).kubelet;
    need(kubelet.attached || kubelet.device.may_be_mounted(), Unmet::NotAttached)?;
    is_let_go(t, link)?;
    // A driver that stages nothing, and a device without its `vol_data.json`, is taken down without a call (K10).
    if kubelet.device.may_be_mounted() {
        let steps = steps(t, link);
        if steps.asks {
            registered(t, link.node)?;
        }
        need(!steps.calls, Unmet::Staged)?;
    }
    let kubelet = &mut t.cluster.place_mut(link).kubelet;
    kubelet.attached = false;
    kubelet.device = MountState::NotMounted;
    kubelet.files.device = false;
    kubelet_expand::forget(t.cluster.place_mut(link));
    Ok(())
}
