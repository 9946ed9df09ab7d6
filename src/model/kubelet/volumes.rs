//! What kubelet reports in use, and how it learns that a volume is attached (K2, K3).

use super::{Boot, KubeletOperation};
use crate::model::effect::Field;
use crate::model::turn::{Turn, list, need};
use crate::model::{Link, NodeId, ObjectId, Place, Unmet, VolumeSet};

type Step = Result<(), Unmet>;

/// K2: what the next node status holds in `volumesInUse`: desired and actual state together. What was found on
/// disk counts as long as nobody knows whether it is attached (K13).
pub(super) fn in_use(t: &Turn, node: NodeId) -> VolumeSet {
    let unresolved = t.cluster.node(node).agent.boot == Boot::Reconstructed;
    attachable(t, node, |p| {
        let kubelet = p.kubelet;
        !kubelet.wanted.is_empty() || kubelet.attached || (unresolved && !kubelet.reconstructed.is_empty())
    })
}

/// K2: whether that status adds a volume, or confirms one that is wanted again.
fn adds(t: &Turn, node: NodeId) -> bool {
    let said = t.volumes_where(node, |p| p.in_use);
    let unreported = attachable(t, node, |p| !p.kubelet.wanted.is_empty() && !p.kubelet.reported_in_use);
    !in_use(t, node).is_within(said) || !unreported.is_empty()
}

/// The volumes that need an attach and of which one thing is true on a Node.
fn attachable(t: &Turn, node: NodeId, is: impl Fn(&Place) -> bool) -> VolumeSet {
    let volumes = t.world.volumes().filter(|volume| t.world.is_attachable(*volume));
    volumes.filter(|volume| is(t.cluster.place(Link { volume: *volume, node }))).collect()
}

/// K2: the node status tick says that the Node is going to use a volume.
pub(super) fn reports_in_use(t: &mut Turn, node: NodeId) -> Step {
    may_report(t, node)?;
    need(adds(t, node), Unmet::NothingNew)?;
    report(t, node);
    Ok(())
}

/// K2: the node status tick takes volumes out, and adds none.
pub(super) fn reports_not_in_use(t: &mut Turn, node: NodeId) -> Step {
    may_report(t, node)?;
    let said = t.volumes_where(node, |p| p.in_use);
    need(in_use(t, node) != said, Unmet::NothingNew)?;
    need(!adds(t, node), Unmet::InUse)?;
    report(t, node);
    Ok(())
}

/// K13: after a restart the list stays as it was until kubelet has looked at its disk.
fn may_report(t: &Turn, node: NodeId) -> Step {
    need(t.cluster.node(node).agent.boot != Boot::Started, Unmet::NotReconstructed)
}

/// The node status: what is in use.
pub(in crate::model) fn report(t: &mut Turn, node: NodeId) {
    let from = t.volumes_where(node, |p| p.in_use);
    let to = in_use(t, node);
    for volume in t.world.volumes() {
        let place = t.cluster.place_mut(Link { volume, node });
        place.in_use = to.contains(volume);
        place.kubelet.reported_in_use = !place.kubelet.wanted.is_empty();
    }
    if from != to {
        t.write(ObjectId::Node(node), Field::VolumesInUse, list(from), list(to));
    }
}

/// K3: the volume is reported in use, and a live GET of the Node finds it in `volumesAttached`.
pub(super) fn verifies_attached(t: &mut Turn, link: Link) -> Step {
    need(t.world.is_attachable(link.volume), Unmet::AttachNotRequired)?;
    wants_attached(t, link)?;
    need(t.cluster.place(link).kubelet.reported_in_use, Unmet::NotReportedInUse)?;
    need(t.cluster.place(link).listed, Unmet::NotListed)?;
    t.read(ObjectId::Node(link.node));
    t.cluster.place_mut(link).kubelet.attached = true;
    Ok(())
}

/// K3': a volume that needs no attach counts as attached at once.
pub(super) fn marks_attached_at_once(t: &mut Turn, link: Link) -> Step {
    need(!t.world.is_attachable(link.volume), Unmet::AttachRequired)?;
    wants_attached(t, link)?;
    if t.world.driver().object {
        t.read(ObjectId::CsiDriver);
    }
    t.cluster.place_mut(link).kubelet.attached = true;
    Ok(())
}

fn wants_attached(t: &Turn, link: Link) -> Step {
    let kubelet = t.cluster.place(link).kubelet;
    need(!kubelet.wanted.is_empty(), Unmet::NotWanted)?;
    need(!kubelet.attached, Unmet::AlreadyAttached)?;
    need(kubelet.operation == KubeletOperation::None, Unmet::OperationPending)
}
