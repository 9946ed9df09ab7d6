//! What kubelet loses with its process, and how it finds it again (K13, K14, R3).

use super::checks::has_device;
use super::populator::would_want;
use super::{Agent, Boot, Kubelet, MountState, Registration};
use crate::model::turn::{Turn, need};
use crate::model::{Link, NodeId, ObjectId, PodSet, Unmet, kubelet_expand};

type Step = Result<(), Unmet>;

/// kubelet's process ends: nobody hears what its calls come to, and of what it knew only files are left.
pub(in crate::model) fn forgets(t: &mut Turn, node: NodeId) {
    for volume in t.world.volumes() {
        let place = t.cluster.place_mut(Link { volume, node });
        place.kubelet = Kubelet { files: place.kubelet.files, ..Kubelet::default() };
        kubelet_expand::forget(place);
    }
    let agent = &mut t.cluster.node_mut(node).agent;
    *agent = Agent { boot: Boot::Started, socket: agent.socket, ..Agent::default() };
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
