//! The desired state, and from there to an attached volume (AD1, AD2, AD5 to AD8, AD11).

use super::{Actual, AdcOperation, Event};
use crate::model::effect::{Field, Value};
use crate::model::turn::{Turn, list, need};
use crate::model::{
    Attachment, Cause, Container, EventId, Link, NodeId, ObjectId, Phase, Pod, PodId, PodSet, Presence, Unmet,
};

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
    let link = needs_attach(t, id)?;
    need(!is_terminated(t.cluster.pod(id)), Unmet::PodTerminated)?;
    need(!t.cluster.place(link).adc.wanted.contains(id), Unmet::AlreadyWanted)?;
    t.read(ObjectId::Pod(id));
    t.read_volume(id, link.volume);
    t.cluster.place_mut(link).adc.wanted.insert(id);
    Ok(())
}

/// A Pod that is there, on a Node, with a volume that needs an attach.
pub(super) fn needs_attach(t: &Turn, id: PodId) -> Result<Link, Unmet> {
    need(t.cluster.pod(id).presence == Presence::Here, Unmet::PodMissing)?;
    let link = t.link_of(id)?;
    need(t.world.is_attachable(link.volume), Unmet::AttachNotRequired)?;
    Ok(link)
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
pub(super) fn no_operation(t: &Turn, link: Link) -> Step {
    let many = t.world.allows_many_nodes(link.volume);
    let busy = others(t, link)
        .filter(|other| !many || *other == link)
        .any(|other| t.cluster.place(other).adc.operation != AdcOperation::None);
    need(!busy, Unmet::OperationPending)
}

/// Every Node's link of the same volume, this one included.
fn others<'t>(t: &'t Turn, link: Link) -> impl Iterator<Item = Link> + 't {
    t.world.nodes().map(move |node| Link { volume: link.volume, node })
}

/// The other Nodes on which the volume is confirmed, each of which forbids this one, if it may have one only. A Node
/// on which it is uncertain forbids nothing.
fn blockers(t: &Turn, link: Link) -> impl Iterator<Item = Link> {
    let many = t.world.allows_many_nodes(link.volume);
    others(t, link).filter(move |other| {
        !many && *other != link && t.cluster.place(*other).adc.actual == Actual::Attached
    })
}

/// A second Node gets the volume while nobody knows whether another one has it: the gate of AD5 is open.
fn note_uncertain(t: &mut Turn, link: Link) {
    let many = t.world.allows_many_nodes(link.volume);
    let beside =
        others(t, link).any(|other| other != link && t.cluster.place(other).adc.actual == Actual::Uncertain);
    if beside && !many {
        t.cluster.causes_mut().insert(Cause::AttachBesideUncertain);
    }
}

/// AD6: the controller asks for the attach by creating the VolumeAttachment.
pub(super) fn creates_attachment(t: &mut Turn, link: Link) -> Step {
    wants_attach(t, link)?;
    need(blockers(t, link).next().is_none(), Unmet::AttachedElsewhere)?;
    need(!t.cluster.place(link).attachment.exists, Unmet::AttachmentExists)?;
    note_uncertain(t, link);
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

/// AD6: the VolumeAttachment is still there from before, so the controller only waits for it, even where it is on
/// its way out.
pub(super) fn finds_attachment(t: &mut Turn, link: Link) -> Step {
    wants_attach(t, link)?;
    need(blockers(t, link).next().is_none(), Unmet::AttachedElsewhere)?;
    need(t.cluster.place(link).attachment.exists, Unmet::AttachmentMissing)?;
    note_uncertain(t, link);
    t.read(ObjectId::Attachment(link));
    t.cluster.place_mut(link).adc.operation = AdcOperation::Attach;
    Ok(())
}

/// AD5: the volume is attached elsewhere and may not be attached twice: one event, and no attach.
pub(super) fn reports_multi_attach(t: &mut Turn, link: Link) -> Step {
    wants_attach(t, link)?;
    need(blockers(t, link).next().is_some(), Unmet::NotAttachedElsewhere)?;
    need(!t.cluster.place(link).adc.multi_attach_told, Unmet::AlreadyTold)?;
    let users = blockers(t, link)
        .fold(PodSet::default(), |users, other| users.union(t.cluster.place(other).adc.wanted));
    t.cluster.place_mut(link).adc.multi_attach_told = true;
    tell(t, link, |pod| Event::MultiAttach(link.volume, users, pod));
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
    enters(t, link, Actual::Attached);
    t.cluster.place_mut(link).adc.reported = true;
    tell(t, link, |_| Event::SuccessfulAttachVolume(link.volume));
    Ok(())
}

/// The end of an operation that leaves the volume in the actual state. A new entry is assumed to be in use until
/// the Node's next update says otherwise.
pub(super) fn enters(t: &mut Turn, link: Link, actual: Actual) {
    let adc = &mut t.cluster.place_mut(link).adc;
    adc.operation = AdcOperation::None;
    adc.in_use |= adc.actual == Actual::Detached;
    adc.actual = actual;
}

pub(super) fn tell(t: &mut Turn, link: Link, event: impl Fn(PodId) -> Event) {
    let wanted: PodSet = t.cluster.place(link).adc.wanted;
    for pod in t.world.pods().filter(|p| wanted.contains(*p)) {
        t.event(ObjectId::Pod(pod), EventId::Adc(event(pod)));
    }
}

/// AD7: the Node's `status.volumesAttached` gets what is confirmed, and loses what no longer is.
pub(super) fn lists_attached(t: &mut Turn, node: NodeId) -> Step {
    let to = t.volumes_where(node, |p| p.adc.reported);
    let from = t.volumes_where(node, |p| p.listed);
    need(to != from, Unmet::NotToBeListed)?;
    need(!t.cluster.node(node).gone, Unmet::NodeMissing)?;
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
    need(!t.cluster.node(node).gone, Unmet::NodeMissing)?;
    need(knows != says, Unmet::NothingNew)?;
    t.read(ObjectId::Node(node));
    for volume in t.world.volumes() {
        t.cluster.place_mut(Link { volume, node }).adc.in_use = says.contains(volume);
    }
    Ok(())
}
