//! kubelet's rejection of a Pod whose volume finds no more room on the Node (K6, failures C8).

use super::Event;
use crate::model::effect::{Field, Value};
use crate::model::turn::{Turn, need};
use crate::model::{Code, Container, EventId, ObjectId, Phase, PodId, Presence, Runtime, Unmet};

/// K6: two minutes and three seconds without the volume, whose attachError says RESOURCE_EXHAUSTED: where the driver
/// keeps its limits up to date, the Pod fails, so that another takes its place elsewhere.
pub(super) fn rejects_pod(t: &mut Turn, id: PodId) -> Result<(), Unmet> {
    let pod = *t.cluster.pod(id);
    need(pod.presence == Presence::Here, Unmet::PodMissing)?;
    let link = t.link_of(id)?;
    need(t.world.is_attachable(link.volume), Unmet::AttachNotRequired)?;
    need(!pod.deleting, Unmet::PodDeleting)?;
    need(pod.container == Container::Waiting, Unmet::ContainerNotWaiting)?;
    need(pod.phase == Phase::Pending, Unmet::PodTerminated)?;
    let place = t.cluster.place(link);
    need(place.kubelet.wanted.contains(id), Unmet::NotWanted)?;
    need(!place.kubelet.attached, Unmet::AlreadyAttached)?;
    let code = place.attachment.attach_error.and_then(|error| error.code(t.world));
    let full = code == Some(Code::ResourceExhausted) && t.world.driver().updates_allocatable;
    need(full, Unmet::NoAttachLimit)?;
    t.read(ObjectId::Attachment(link));
    let kubelet = &mut t.cluster.place_mut(link).kubelet;
    kubelet.wanted.remove(id);
    if kubelet.wanted.is_empty() {
        kubelet.reported_in_use = false;
    }
    let pod = t.cluster.pod_mut(id);
    pod.phase = Phase::Failed;
    pod.runtime = Runtime::Ended;
    let object = ObjectId::Pod(id);
    t.event(object, EventId::Kubelet(Event::VolumeAttachmentLimitExceeded(id)));
    t.write(object, Field::Phase, Value::Phase(Phase::Pending), Value::Phase(Phase::Failed));
    t.write(object, Field::Reason, Value::Absent, Value::Text("VolumeAttachmentLimitExceeded"));
    Ok(())
}
