//! Rules of the attach-detach controller (AD1 to AD8, AD11).

use super::cluster::{Actual, AdcOperation, Attachment, Container, Phase, Pod, Presence};
use super::effect::{EventId, Field, Value};
use super::turn::{Turn, list, need};
use super::{Link, NodeId, ObjectId, PodId, PodSet, Unmet};

type Step = Result<(), Unmet>;

/// Whether the controller counts a Pod as terminated, so that it no longer needs its volumes (AD2).
///
/// Source: pkg/volume/util/util.go `IsPodTerminated`.
pub fn is_terminated(pod: &Pod) -> bool {
    let ended = match pod.phase {
        Phase::Succeeded | Phase::Failed => true,
        Phase::Pending | Phase::Running => false,
    };
    let runs = match pod.container {
        Container::Running => true,
        Container::None | Container::Waiting | Container::Terminated(_) => false,
    };
    ended || (pod.deleting && !runs)
}

/// AD1: a bound Pod's volume goes into the desired state.
pub(super) fn finds_pod(t: &mut Turn, id: PodId) -> Step {
    need(t.world.driver().attach_required, Unmet::AttachNotRequired)?;
    let pod = t.cluster.pod(id);
    need(pod.presence == Presence::Here, Unmet::PodMissing)?;
    let link = t.link_of(id)?;
    need(!is_terminated(pod), Unmet::PodTerminated)?;
    need(!t.cluster.place(link).adc.wanted.contains(id), Unmet::AlreadyWanted)?;
    t.read(ObjectId::Pod(id));
    t.read(ObjectId::Claim(link.volume));
    t.read(ObjectId::Volume(link.volume));
    t.cluster.place_mut(link).adc.wanted.insert(id);
    Ok(())
}

/// AD2: a terminated or vanished Pod leaves the desired state.
pub(super) fn drops_pod(t: &mut Turn, id: PodId) -> Step {
    let link = t.link_of(id)?;
    need(t.cluster.place(link).adc.wanted.contains(id), Unmet::NotWanted)?;
    let pod = t.cluster.pod(id);
    need(pod.presence == Presence::Gone || is_terminated(pod), Unmet::PodNotTerminated)?;
    t.read(ObjectId::Pod(id));
    let adc = &mut t.cluster.place_mut(link).adc;
    adc.wanted.remove(id);
    if adc.wanted.is_empty() {
        adc.multi_attach_told = false;
    }
    Ok(())
}

/// What an attach needs before AD5 looks at other Nodes: wanted, not there yet, no operation on the key.
fn wants_attach(t: &Turn, link: Link) -> Step {
    let adc = t.cluster.place(link).adc;
    need(!adc.wanted.is_empty(), Unmet::NotWanted)?;
    need(adc.actual != Actual::Attached, Unmet::AlreadyAttached)?;
    no_operation(t, link)
}

/// The operation key: the volume alone where it may be attached only once, else volume and Node (§0).
fn no_operation(t: &Turn, link: Link) -> Step {
    let many = t.world.volume(link.volume).access_mode.allows_many_nodes();
    let busy = others(t, link)
        .filter(|other| !many || *other == link)
        .any(|other| t.cluster.place(other).adc.operation != AdcOperation::None);
    need(!busy, Unmet::OperationPending)
}

/// Every Node's link of the same volume, this one included.
fn others<'t>(t: &'t Turn, link: Link) -> impl Iterator<Item = Link> + 't {
    t.world.nodes().map(move |node| Link { volume: link.volume, node })
}

/// A Node on which the volume is confirmed and which forbids this one, if the volume may have one only.
fn blocker(t: &Turn, link: Link) -> Option<Link> {
    let many = t.world.volume(link.volume).access_mode.allows_many_nodes();
    others(t, link)
        .find(|other| !many && *other != link && t.cluster.place(*other).adc.actual == Actual::Attached)
}

/// AD6: the controller asks for the attach by creating the VolumeAttachment.
pub(super) fn creates_attachment(t: &mut Turn, link: Link) -> Step {
    wants_attach(t, link)?;
    need(blocker(t, link).is_none(), Unmet::AttachedElsewhere)?;
    need(!t.cluster.place(link).attachment.exists, Unmet::AttachmentExists)?;
    let place = t.cluster.place_mut(link);
    place.attachment = Attachment { exists: true, ..Attachment::default() };
    place.adc.operation = AdcOperation::Attach;
    let object = ObjectId::Attachment(link);
    t.create(object);
    t.write(object, Field::AttacherName, Value::Absent, Value::DriverName);
    t.write(object, Field::SourceVolume, Value::Absent, Value::VolumeName(link.volume));
    t.write(object, Field::AttachmentNode, Value::Absent, Value::Node(link.node));
    t.write(object, Field::Attached, Value::Absent, Value::Bool(false));
    Ok(())
}

/// AD6: the VolumeAttachment is still there from before, so the controller only waits for it.
pub(super) fn finds_attachment(t: &mut Turn, link: Link) -> Step {
    wants_attach(t, link)?;
    need(blocker(t, link).is_none(), Unmet::AttachedElsewhere)?;
    need(t.cluster.place(link).attachment.exists, Unmet::AttachmentMissing)?;
    need(!t.cluster.place(link).attachment.deleting, Unmet::AttachmentDeleting)?;
    t.read(ObjectId::Attachment(link));
    t.cluster.place_mut(link).adc.operation = AdcOperation::Attach;
    Ok(())
}

/// AD5: the volume is attached elsewhere and may not be attached twice: one event, and no attach.
pub(super) fn reports_multi_attach(t: &mut Turn, link: Link) -> Step {
    wants_attach(t, link)?;
    let blocker = blocker(t, link).ok_or(Unmet::NotAttachedElsewhere)?;
    need(!t.cluster.place(link).adc.multi_attach_told, Unmet::AlreadyTold)?;
    let users = t.cluster.place(blocker).adc.wanted;
    t.cluster.place_mut(link).adc.multi_attach_told = true;
    tell(t, link, EventId::MultiAttach(link.volume, users));
    Ok(())
}

/// AD6: a poll finds `status.attached: true`.
pub(super) fn notices_attached(t: &mut Turn, link: Link) -> Step {
    let place = t.cluster.place(link);
    need(place.adc.operation == AdcOperation::Attach, Unmet::NoOperation)?;
    need(place.attachment.exists, Unmet::AttachmentMissing)?;
    need(!place.attachment.deleting, Unmet::AttachmentDeleting)?;
    need(place.attachment.attached, Unmet::AttachmentNotAttached)?;
    t.read(ObjectId::Attachment(link));
    let adc = &mut t.cluster.place_mut(link).adc;
    adc.operation = AdcOperation::None;
    adc.actual = Actual::Attached;
    adc.reported = true;
    // Assumed until the Node's next update says otherwise.
    adc.in_use = true;
    tell(t, link, EventId::SuccessfulAttachVolume(link.volume));
    Ok(())
}

fn tell(t: &mut Turn, link: Link, event: EventId) {
    let wanted: PodSet = t.cluster.place(link).adc.wanted;
    for pod in t.world.pods().filter(|p| wanted.contains(*p)) {
        t.event(pod, event);
    }
}

/// AD7: the Node's `status.volumesAttached` gets what is confirmed.
pub(super) fn lists_attached(t: &mut Turn, node: NodeId) -> Step {
    let to = t.volumes_where(node, |p| p.adc.reported);
    let from = t.volumes_where(node, |p| p.listed);
    need(!to.is_within(from), Unmet::NotToBeListed)?;
    for volume in t.world.volumes() {
        t.cluster.place_mut(Link { volume, node }).listed = to.contains(volume);
    }
    t.write(ObjectId::Node(node), Field::VolumesAttached, list(from), list(to));
    Ok(())
}

/// AD8: the controller learns the Node's `status.volumesInUse`.
pub(super) fn sees_in_use(t: &mut Turn, node: NodeId) -> Step {
    let knows = t.volumes_where(node, |p| p.adc.in_use);
    let says = t.volumes_where(node, |p| p.in_use);
    need(knows != says, Unmet::NothingNew)?;
    t.read(ObjectId::Node(node));
    for volume in t.world.volumes() {
        t.cluster.place_mut(Link { volume, node }).adc.in_use = says.contains(volume);
    }
    Ok(())
}

/// AD3: what a detach needs: in the actual state, unwanted, no operation on the key, not in use.
fn wants_detach(t: &Turn, link: Link) -> Step {
    let adc = t.cluster.place(link).adc;
    need(adc.actual != Actual::Detached, Unmet::NotAttached)?;
    need(adc.wanted.is_empty(), Unmet::StillWanted)?;
    no_operation(t, link)?;
    need(!adc.in_use, Unmet::InUse)
}

/// AD3: before a detach, the volume leaves the Node's `status.volumesAttached`, so that no mount begins.
pub(super) fn unlists_attached(t: &mut Turn, link: Link) -> Step {
    wants_detach(t, link)?;
    need(t.cluster.place(link).listed, Unmet::NotListed)?;
    let from = t.volumes_where(link.node, |p| p.listed);
    start_detach(t, link);
    t.cluster.place_mut(link).listed = false;
    let to = t.volumes_where(link.node, |p| p.listed);
    t.write(ObjectId::Node(link.node), Field::VolumesAttached, list(from), list(to));
    Ok(())
}

/// AD3: the same where the volume was never listed, or is no longer.
pub(super) fn starts_detach(t: &mut Turn, link: Link) -> Step {
    wants_detach(t, link)?;
    need(!t.cluster.place(link).listed, Unmet::Listed)?;
    start_detach(t, link);
    Ok(())
}

fn start_detach(t: &mut Turn, link: Link) {
    let adc = &mut t.cluster.place_mut(link).adc;
    adc.reported = false;
    adc.operation = AdcOperation::Detach;
}

/// AD4: a live GET of the Node shows the volume unused, so the controller deletes the VolumeAttachment.
pub(super) fn deletes_attachment(t: &mut Turn, link: Link) -> Step {
    let place = t.cluster.place(link);
    need(place.adc.operation == AdcOperation::Detach, Unmet::NoOperation)?;
    need(!place.in_use, Unmet::InUse)?;
    need(place.attachment.exists, Unmet::AttachmentMissing)?;
    need(!place.attachment.deleting, Unmet::AttachmentDeleting)?;
    let held = place.attachment.finalizer;
    t.read(ObjectId::Node(link.node));
    let place = t.cluster.place_mut(link);
    place.adc.operation = AdcOperation::AwaitGone;
    if held {
        place.attachment.deleting = true;
        t.write(ObjectId::Attachment(link), Field::DeletionTimestamp, Value::Absent, Value::Set);
    } else {
        place.attachment = Attachment::default();
        t.delete(ObjectId::Attachment(link));
    }
    Ok(())
}

/// AD4: the live GET shows the volume in use: the detach fails, and the controller is no longer certain.
pub(super) fn finds_still_in_use(t: &mut Turn, link: Link) -> Step {
    let place = t.cluster.place(link);
    need(place.adc.operation == AdcOperation::Detach, Unmet::NoOperation)?;
    need(place.in_use, Unmet::NotInUse)?;
    t.read(ObjectId::Node(link.node));
    let adc = &mut t.cluster.place_mut(link).adc;
    adc.operation = AdcOperation::None;
    adc.actual = Actual::Uncertain;
    Ok(())
}

/// AD4: a poll finds the VolumeAttachment gone.
pub(super) fn notices_detached(t: &mut Turn, link: Link) -> Step {
    let place = t.cluster.place(link);
    need(place.adc.operation == AdcOperation::AwaitGone, Unmet::NoOperation)?;
    need(!place.attachment.exists, Unmet::AttachmentExists)?;
    t.read(ObjectId::Attachment(link));
    let adc = &mut t.cluster.place_mut(link).adc;
    adc.operation = AdcOperation::None;
    adc.actual = Actual::Detached;
    Ok(())
}
