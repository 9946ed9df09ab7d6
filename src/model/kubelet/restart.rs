//! What kubelet loses with its process, and how it finds it again (K13, K14, R3).

use super::checks::has_device;
use super::populator::would_want;
use super::{Agent, Boot, Kubelet, KubeletOperation as Op, MountState, Registration};
use crate::model::effect::{About, Method, Reply};
use crate::model::turn::{Turn, need};
use crate::model::{ActorId, Failure, Link, NodeId, ObjectId, PodSet, Role, Unmet, kubelet_expand};

type Step = Result<(), Unmet>;

/// kubelet's process ends: its calls are given up, and of what it knew only files are left.
pub(in crate::model) fn forgets(t: &mut Turn, node: NodeId) {
    let by = std::mem::replace(&mut t.by, ActorId::on(Role::Kubelet, node));
    for volume in t.world.volumes() {
        let link = Link { volume, node };
        let kubelet = t.cluster.place(link).kubelet;
        let call = match kubelet.operation {
            Op::None | Op::Mount(_) | Op::Expand => None,
            Op::StageCalled(_) | Op::StageDone(_) => Some((Method::NodeStageVolume, About::Link(link))),
            Op::PublishCalled(id) | Op::PublishDone(id) => {
                Some((Method::NodePublishVolume, About::Target(link, id)))
            }
            Op::UnpublishCalled(id) | Op::UnpublishDone(id) => {
                Some((Method::NodeUnpublishVolume, About::Target(link, id)))
            }
            Op::UnstageCalled | Op::UnstageDone => Some((Method::NodeUnstageVolume, About::Link(link))),
        };
        if let Some((method, about)) = call {
            t.reply(method, about, Reply::Failed(Failure::Canceled));
        }
        t.cluster.place_mut(link).kubelet = Kubelet { files: kubelet.files, ..Kubelet::default() };
        kubelet_expand::forget(t.cluster.place_mut(link));
    }
    t.by = by;
    let agent = &mut t.cluster.node_mut(node).agent;
    *agent = Agent { boot: Boot::Started, socket: agent.socket, registered: false, ..Agent::default() };
}

/// R3: the registrar's process ends, and takes its socket along.
pub(in crate::model) fn loses_socket(t: &mut Turn, node: NodeId) {
    t.cluster.node_mut(node).agent.socket = false;
}

/// K14: after its start kubelet looks through the directories of Pods: what it finds there may be mounted. A
/// volume that was staged and no more is not found.
pub(super) fn reconstructs(t: &mut Turn, node: NodeId) -> Step {
    need(t.cluster.node(node).agent.boot == Boot::Started, Unmet::Reconstructed)?;
    for volume in t.world.volumes() {
        let link = Link { volume, node };
        let pods = t.cluster.place(link).kubelet.files.pods;
        if pods.is_empty() {
            continue;
        }
        let device = has_device(t.world, volume);
        let kubelet = &mut t.cluster.place_mut(link).kubelet;
        kubelet.uncertain = pods;
        kubelet.reconstructed = pods;
        if device {
            kubelet.device = MountState::Uncertain;
        }
    }
    t.cluster.node_mut(node).agent.boot = Boot::Reconstructed;
    Ok(())
}

/// K13: the Node's `status.volumesAttached` tells which of them need a detach, and the populator has been round
/// once: from now on kubelet unmounts.
pub(super) fn resolves(t: &mut Turn, node: NodeId) -> Step {
    need(t.cluster.node(node).agent.boot == Boot::Reconstructed, Unmet::NotReconstructed)?;
    let behind = t.world.pods().any(|id| would_want(t, id).is_ok_and(|link| link.node == node));
    need(!behind, Unmet::PopulatorBehind)?;
    t.read(ObjectId::Node(node));
    for volume in t.world.volumes() {
        let link = Link { volume, node };
        let attached = is_attached(t, link);
        let kubelet = &mut t.cluster.place_mut(link).kubelet;
        if kubelet.reconstructed != PodSet::default() {
            kubelet.attached = attached;
        }
    }
    t.cluster.node_mut(node).agent.boot = Boot::Ready;
    Ok(())
}

/// Whether a volume that was found on disk counts as attached.
fn is_attached(t: &Turn, link: Link) -> bool {
    !t.world.is_attachable(link.volume) || t.cluster.place(link).listed
}

impl Agent {
    /// A kubelet at work, which knows the driver or does not.
    pub(in crate::model) fn at_work(registered: bool) -> Self {
        Self { boot: Boot::Ready, socket: registered, registered, registration: Registration::None }
    }
}
