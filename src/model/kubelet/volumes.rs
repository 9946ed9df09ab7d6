//! kubelet's volume manager where it makes no CSI call (K1 to K4c, K8, K11).

use super::KubeletOperation;
use crate::model::effect::Field;
use crate::model::turn::{Turn, list, need};
use crate::model::{Link, NodeId, ObjectId, Phase, Place, PodId, Presence, Runtime, Unmet, VolumeSet};

type Step = Result<(), Unmet>;

/// K1: the populator puts the Pod's volume into the desired state.
pub(super) fn wants_volume(t: &mut Turn, id: PodId) -> Step {
    let pod = t.cluster.pod(id);
    need(pod.presence == Presence::Here, Unmet::PodMissing)?;
    let link = t.link_of(id)?;
    need(!pod.deleting, Unmet::PodDeleting)?;
    need(pod.phase != Phase::Failed, Unmet::PodTerminated)?;
    need(!t.cluster.place(link).kubelet.wanted.contains(id), Unmet::AlreadyWanted)?;
    t.read(ObjectId::Pod(id));
    t.read_volume(id, link.volume);
    let kubelet = &mut t.cluster.place_mut(link).kubelet;
    if kubelet.wanted.is_empty() {
        kubelet.reported_in_use = false;
    }
    kubelet.wanted.insert(id);
    Ok(())
}

/// K2: what the next node status holds in `volumesInUse`: desired and actual state together.
fn in_use(t: &Turn, node: NodeId) -> VolumeSet {
    attachable(t, node, |p| !p.kubelet.wanted.is_empty() || p.kubelet.attached)
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
    need(adds(t, node), Unmet::NothingNew)?;
    report(t, node);
    Ok(())
}

/// K2: the node status tick takes volumes out, and adds none.
pub(super) fn reports_not_in_use(t: &mut Turn, node: NodeId) -> Step {
    let said = t.volumes_where(node, |p| p.in_use);
    need(in_use(t, node) != said, Unmet::NothingNew)?;
    need(!adds(t, node), Unmet::InUse)?;
    report(t, node);
    Ok(())
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
    t.cluster.place_mut(link).kubelet.attached = true;
    Ok(())
}

fn wants_attached(t: &Turn, link: Link) -> Step {
    let kubelet = t.cluster.place(link).kubelet;
    need(!kubelet.wanted.is_empty(), Unmet::NotWanted)?;
    need(!kubelet.attached, Unmet::AlreadyAttached)?;
    need(kubelet.operation == KubeletOperation::None, Unmet::OperationPending)
}

/// What a mount needs to begin (K4): wanted, attached, not mounted yet, no operation on the volume.
pub(super) fn wants_mount(t: &Turn, id: PodId, link: Link) -> Step {
    let kubelet = t.cluster.place(link).kubelet;
    need(kubelet.wanted.contains(id), Unmet::NotWanted)?;
    need(kubelet.attached, Unmet::NotAttached)?;
    need(!kubelet.mounted.contains(id), Unmet::Mounted)?;
    need(kubelet.operation == KubeletOperation::None, Unmet::OperationPending)
}

/// K4c: the mount begins with one GET of the VolumeAttachment, which must be attached and not going.
pub(super) fn reads_attachment(t: &mut Turn, id: PodId) -> Step {
    let link = t.link_of(id)?;
    need(t.world.is_attachable(link.volume), Unmet::AttachNotRequired)?;
    wants_mount(t, id, link)?;
    let attachment = t.cluster.place(link).attachment;
    need(attachment.exists, Unmet::AttachmentMissing)?;
    need(!attachment.deleting, Unmet::AttachmentDeleting)?;
    need(attachment.attached, Unmet::AttachmentNotAttached)?;
    t.read(ObjectId::Attachment(link));
    t.cluster.place_mut(link).kubelet.operation = KubeletOperation::Mount(id);
    Ok(())
}

/// K8: the Pod's containers are dead, so its volume leaves the desired state. kubelet knows that before its
/// status write has come through, so the end of the containers is no step of its own. A Pod object that is
/// still there keeps the entry as long as nothing is mounted for it.
pub(super) fn drops_pod(t: &mut Turn, id: PodId) -> Step {
    let link = t.link_of(id)?;
    let kubelet = t.cluster.place(link).kubelet;
    need(kubelet.wanted.contains(id), Unmet::NotWanted)?;
    let pod = t.cluster.pod(id);
    let gone = pod.presence == Presence::Gone;
    need(gone || pod.deleting, Unmet::PodNotDeleting)?;
    need(pod.runtime != Runtime::Running, Unmet::ContainersNotThere)?;
    need(gone || kubelet.mounted.contains(id), Unmet::NotMounted)?;
    let kubelet = &mut t.cluster.place_mut(link).kubelet;
    kubelet.wanted.remove(id);
    if kubelet.wanted.is_empty() {
        kubelet.reported_in_use = false;
    }
    Ok(())
}

/// K11: nothing is mounted, staged or wanted any more: the volume leaves the actual state.
pub(super) fn forgets_volume(t: &mut Turn, link: Link) -> Step {
    let kubelet = t.cluster.place(link).kubelet;
    need(kubelet.attached, Unmet::NotAttached)?;
    need(kubelet.wanted.is_empty(), Unmet::StillWanted)?;
    need(kubelet.operation == KubeletOperation::None, Unmet::OperationPending)?;
    need(kubelet.mounted.is_empty(), Unmet::Mounted)?;
    // Without STAGE_UNSTAGE_VOLUME the device is taken down without a call (K10).
    need(!kubelet.device || !t.world.driver().node_stage, Unmet::Staged)?;
    let kubelet = &mut t.cluster.place_mut(link).kubelet;
    kubelet.attached = false;
    kubelet.device = false;
    Ok(())
}
