//! What a restart of kube-controller-manager makes the controller forget, and what it finds when it starts (AD10).

use super::attach::{is_terminated, needs_attach};
use super::{Actual, Adc};
use crate::model::turn::Turn;
use crate::model::{ObjectId, Presence};

/// Its memory goes with its process.
pub(in crate::model) fn forget(t: &mut Turn) {
    for link in t.world.links() {
        t.cluster.place_mut(link).adc = Adc::default();
    }
}

/// It starts: the actual state comes from the Nodes' statuses, then from VolumeAttachments that no Node lists, of
/// which it is not certain; then the desired state comes from the Pods. Only then does it reconcile.
pub(in crate::model) fn rebuild(t: &mut Turn) {
    for link in t.world.links() {
        let place = *t.cluster.place(link);
        let gone = t.cluster.node(link.node).gone;
        let known = t.cluster.volume(link.volume).presence == Presence::Here
            && place.attachment.source.names_volume();
        let actual = match (place.listed && !gone, place.attachment.exists && known) {
            (true, _) => Actual::Attached,
            (false, true) => Actual::Uncertain,
            (false, false) => Actual::Detached,
        };
        t.read(ObjectId::Node(link.node));
        t.read(ObjectId::Attachment(link));
        let adc = &mut t.cluster.place_mut(link).adc;
        adc.actual = actual;
        adc.reported = actual == Actual::Attached;
        adc.in_use = place.in_use && !gone;
    }
    for pod in t.world.pods() {
        let Ok(link) = needs_attach(t, pod) else { continue };
        if !is_terminated(t.cluster.pod(pod)) {
            t.cluster.place_mut(link).adc.wanted.insert(pod);
        }
    }
}
