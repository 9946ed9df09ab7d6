//! From the actual state to a volume that is detached (AD3, AD4).

use super::attach::no_operation;
use super::{Actual, AdcOperation};
use crate::model::effect::{Field, Value};
use crate::model::turn::{Turn, list, need};
use crate::model::{Attachment, Link, ObjectId, Unmet};

type Step = Result<(), Unmet>;

/// AD3: what a detach needs: in the actual state, unwanted, no operation on the key.
pub(super) fn may_detach(t: &Turn, link: Link) -> Step {
    let adc = t.cluster.place(link).adc;
    need(adc.actual != Actual::Detached, Unmet::NotAttached)?;
    need(adc.wanted.is_empty(), Unmet::StillWanted)?;
    no_operation(t, link)
}

/// AD3: and as long as nothing forces it, that the Node does not use the volume.
fn wants_detach(t: &Turn, link: Link) -> Step {
    may_detach(t, link)?;
    need(!t.cluster.place(link).adc.in_use, Unmet::InUse)
}

/// AD3: before a detach, the volume leaves the Node's `status.volumesAttached`, so that no mount begins.
pub(super) fn unlists_attached(t: &mut Turn, link: Link) -> Step {
    wants_detach(t, link)?;
    need(t.cluster.place(link).listed, Unmet::NotListed)?;
    start_detach(t, link, AdcOperation::Detach);
    unlist(t, link);
    Ok(())
}

/// The patch of the Node's status; a Node that is gone needs none.
pub(super) fn unlist(t: &mut Turn, link: Link) {
    let from = t.volumes_where(link.node, |p| p.listed);
    t.cluster.place_mut(link).listed = false;
    let to = t.volumes_where(link.node, |p| p.listed);
    if from != to && !t.cluster.node(link.node).gone {
        t.write(ObjectId::Node(link.node), Field::VolumesAttached, list(from), list(to));
    }
}

/// AD3: the same where the volume was never listed, or is no longer.
pub(super) fn starts_detach(t: &mut Turn, link: Link) -> Step {
    wants_detach(t, link)?;
    need(!t.cluster.place(link).listed, Unmet::Listed)?;
    start_detach(t, link, AdcOperation::Detach);
    Ok(())
}

pub(super) fn start_detach(t: &mut Turn, link: Link, operation: AdcOperation) {
    let adc = &mut t.cluster.place_mut(link).adc;
    adc.reported = false;
    adc.operation = operation;
}

/// AD4: an operation that is about to delete the VolumeAttachment: a live GET of the Node must show the volume
/// unused, unless the Node is gone or the detach is forced.
fn goes_on(t: &Turn, link: Link) -> Step {
    let place = t.cluster.place(link);
    match place.adc.operation {
        AdcOperation::DetachUnchecked => Ok(()),
        AdcOperation::Detach => need(!place.in_use || t.cluster.node(link.node).gone, Unmet::InUse),
        AdcOperation::None | AdcOperation::Attach | AdcOperation::AwaitGone => Err(Unmet::NoOperation),
    }
}

/// AD4: a live GET of the Node shows the volume unused, so the controller deletes the VolumeAttachment.
pub(super) fn deletes_attachment(t: &mut Turn, link: Link) -> Step {
    goes_on(t, link)?;
    let attachment = t.cluster.place(link).attachment;
    need(attachment.exists, Unmet::AttachmentMissing)?;
    let (held, deleting) = (attachment.finalizer, attachment.deleting);
    t.read(ObjectId::Node(link.node));
    let place = t.cluster.place_mut(link);
    place.adc.operation = AdcOperation::AwaitGone;
    if deleting {
        // Asked for before: the API server has nothing to change.
    } else if held {
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
    need(place.in_use && !t.cluster.node(link.node).gone, Unmet::NotInUse)?;
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
    leaves(t, link);
    Ok(())
}

/// AD4: there is no VolumeAttachment to delete, so the volume is detached.
pub(super) fn finds_no_attachment(t: &mut Turn, link: Link) -> Step {
    goes_on(t, link)?;
    need(!t.cluster.place(link).attachment.exists, Unmet::AttachmentExists)?;
    t.read(ObjectId::Attachment(link));
    leaves(t, link);
    Ok(())
}

/// The volume leaves the actual state.
pub(super) fn leaves(t: &mut Turn, link: Link) {
    let adc = &mut t.cluster.place_mut(link).adc;
    adc.operation = AdcOperation::None;
    adc.actual = Actual::Detached;
}
