//! Operations that fail, detaches that are forced, and the look whether what is attached still is (AD3 to AD6, AD9).

use super::attach::{enters, no_operation, tell};
use super::detach::{leaves, may_detach, start_detach, unlist};
use super::{Actual, AdcOperation, Event, Trouble};
use crate::model::turn::{Turn, need};
use crate::model::{ActorId, Cluster, NodeId, World};
use crate::model::{Cause, FaultId, Kind, Link, NodeReady, ObjectId, Role, Unmet};

type Step = Result<(), Unmet>;

/// What a poll of the VolumeAttachment finds wrong, in upstream's order; `None` while there is nothing to say.
///
/// Source: pkg/volume/csi/csi_attacher.go `verifyAttachmentStatus`.
pub fn attach_trouble(cluster: &Cluster, link: Link) -> Option<Trouble> {
    let attachment = cluster.place(link).attachment;
    match attachment.attach_error {
        _ if !attachment.exists => Some(Trouble::Deleted),
        _ if attachment.deleting => Some(Trouble::Deleting),
        _ if attachment.attached => None,
        error => error.map(Trouble::Error),
    }
}

/// AD6: a poll finds the VolumeAttachment with an error, be it an old one, on its way out or gone.
pub(super) fn notices_attach_failed(t: &mut Turn, link: Link) -> Step {
    need(t.cluster.place(link).adc.operation == AdcOperation::Attach, Unmet::NoOperation)?;
    let trouble = attach_trouble(&t.cluster, link).ok_or(Unmet::NothingWrong)?;
    t.read(ObjectId::Attachment(link));
    fails_attach(t, link, trouble);
    Ok(())
}

/// AD6: two minutes of polls, and nobody has done anything about the VolumeAttachment.
pub(super) fn gives_up_attach(t: &mut Turn, link: Link) -> Step {
    need(t.cluster.place(link).adc.operation == AdcOperation::Attach, Unmet::NoOperation)?;
    need(nobody_attaches(t.world, &t.cluster), Unmet::AttacherThere)?;
    need(!t.cluster.place(link).attachment.attached, Unmet::AttachmentAttached)?;
    need(attach_trouble(&t.cluster, link).is_none(), Unmet::SomethingWrong)?;
    fails_attach(t, link, Trouble::TimedOut);
    Ok(())
}

/// Any failure of an attach makes the controller uncertain, and each Pod that waits for the volume hears of it.
fn fails_attach(t: &mut Turn, link: Link, trouble: Trouble) {
    enters(t, link, Actual::Uncertain);
    tell(t, link, |_| Event::AttachFailed(link, trouble));
}

/// Whether no external-attacher answers; one that works is done, or fails, long before anybody gives up.
fn nobody_attaches(world: &World, cluster: &Cluster) -> bool {
    !world.driver().attacher || cluster.down().contains(ActorId::cluster(Role::ExternalAttacher))
}

/// AD4: a poll finds `status.detachError`, or nothing for two minutes: the detach fails without an event.
fn fails_detach(t: &mut Turn, link: Link) {
    let adc = &mut t.cluster.place_mut(link).adc;
    adc.operation = AdcOperation::None;
    adc.actual = Actual::Uncertain;
}

/// AD4: a poll finds `status.detachError`.
pub(super) fn notices_detach_failed(t: &mut Turn, link: Link) -> Step {
    let place = t.cluster.place(link);
    need(place.adc.operation == AdcOperation::AwaitGone, Unmet::NoOperation)?;
    need(place.attachment.exists, Unmet::AttachmentMissing)?;
    need(place.attachment.detach_error.is_some(), Unmet::NothingWrong)?;
    t.read(ObjectId::Attachment(link));
    fails_detach(t, link);
    Ok(())
}

/// AD4: two minutes of polls, and the VolumeAttachment is still there.
pub(super) fn gives_up_detach(t: &mut Turn, link: Link) -> Step {
    let place = t.cluster.place(link);
    need(place.adc.operation == AdcOperation::AwaitGone, Unmet::NoOperation)?;
    need(nobody_attaches(t.world, &t.cluster), Unmet::AttacherThere)?;
    need(place.attachment.exists, Unmet::AttachmentMissing)?;
    need(place.attachment.detach_error.is_none(), Unmet::SomethingWrong)?;
    fails_detach(t, link);
    Ok(())
}

/// AD9: each minute: what is confirmed but has no VolumeAttachment that says so is no longer attached.
pub(super) fn finds_attachment_lost(t: &mut Turn, link: Link) -> Step {
    need(t.cluster.place(link).adc.actual == Actual::Attached, Unmet::NotAttached)?;
    no_operation(t, link)?;
    need(!is_attached(t.world, &t.cluster, link), Unmet::AttachmentAttached)?;
    t.read(ObjectId::Attachment(link));
    leaves(t, link);
    t.cluster.place_mut(link).adc.reported = false;
    Ok(())
}

/// What the in-tree plugin says of one volume when it is asked whether it is attached: a missing VolumeAttachment
/// says no, and a volume that needs none is always attached.
///
/// Source: pkg/volume/csi/csi_attacher.go `VolumesAreAttached`.
pub fn is_attached(world: &World, cluster: &Cluster, link: Link) -> bool {
    let attachment = cluster.place(link).attachment;
    !world.is_attachable(link.volume) || (attachment.exists && attachment.attached)
}

/// Whether the controller takes a Node for healthy: one that is not there is not.
pub fn is_healthy(cluster: &Cluster, node: NodeId) -> bool {
    let node = cluster.node(node);
    !node.gone && node.ready == NodeReady::True
}

/// AD3: six minutes unwanted on a Node that is not ready: whether the volume is in use counts no longer.
pub(super) fn forces_detach(t: &mut Turn, link: Link) -> Step {
    may_detach(t, link)?;
    need(t.cluster.place(link).adc.in_use, Unmet::NotInUse)?;
    need(!is_healthy(&t.cluster, link.node), Unmet::NodeHealthy)?;
    need(!t.world.force_detach_disabled(), Unmet::ForceDetachDisabled)?;
    detaches_unchecked(t, link, Cause::ForcedDetach);
    Ok(())
}

/// AD3: six minutes unwanted, on whichever Node: once the controller takes the volume for unused, it looks no more
/// whether the Node's status says otherwise by now.
///
/// Source: pkg/controller/volume/attachdetach/reconciler/reconciler.go:165, `verifySafeToDetach`.
pub(super) fn detaches_after_timeout(t: &mut Turn, link: Link) -> Step {
    may_detach(t, link)?;
    let place = t.cluster.place(link);
    need(!place.adc.in_use, Unmet::InUse)?;
    // Where the look would find nothing, a detach with it is the same.
    need(place.in_use && !t.cluster.node(link.node).gone, Unmet::NotInUse)?;
    need(!t.world.force_detach_disabled(), Unmet::ForceDetachDisabled)?;
    t.cluster.causes_mut().insert(Cause::ForcedDetach);
    start_detach(t, link, AdcOperation::DetachUnchecked);
    unlist(t, link);
    Ok(())
}

/// AD3: the Node has the taint node.kubernetes.io/out-of-service: whether the volume is in use does not count.
pub(super) fn detaches_out_of_service(t: &mut Turn, link: Link) -> Step {
    may_detach(t, link)?;
    need(t.cluster.node(link.node).out_of_service, Unmet::NotOutOfService)?;
    detaches_unchecked(t, link, Cause::OutOfService);
    Ok(())
}

fn detaches_unchecked(t: &mut Turn, link: Link, cause: Cause) {
    if t.cluster.place(link).adc.in_use {
        t.cluster.causes_mut().insert(cause);
    }
    start_detach(t, link, AdcOperation::DetachUnchecked);
    unlist(t, link);
}

/// AD3: the API server refuses the patch of the Node's status, so that no detach begins.
pub(super) fn unlist_refused(t: &mut Turn, link: Link, fault: FaultId) -> Step {
    may_detach(t, link)?;
    need(!t.cluster.place(link).adc.in_use, Unmet::InUse)?;
    need(t.cluster.place(link).listed, Unmet::NotListed)?;
    t.spend_refusal(fault, Kind::Node)
}

/// AD4: the API server refuses the deletion of the VolumeAttachment: the detach fails.
pub(super) fn deletion_refused(t: &mut Turn, link: Link, fault: FaultId) -> Step {
    let operation = t.cluster.place(link).adc.operation;
    let begun = [AdcOperation::Detach, AdcOperation::DetachUnchecked].contains(&operation);
    need(begun, Unmet::NoOperation)?;
    t.spend_refusal(fault, Kind::VolumeAttachment)?;
    fails_detach(t, link);
    Ok(())
}
