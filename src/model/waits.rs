//! Who waits for what: an actor that can go no further, and the field of an object that it watches.

use super::{ActorId, Actual, AdcOperation, Cluster, Role, Runtime, World};

/// Every actor that waits, with the fact it waits for.
pub fn waits(world: &World, cluster: &Cluster) -> Vec<(ActorId, &'static str)> {
    let mut found = Vec::new();
    for link in world.links() {
        let place = cluster.place(link);
        let adc = match place.adc.operation {
            AdcOperation::Attach if !place.attachment.attached => Some("status.attached: true"),
            AdcOperation::AwaitGone if place.attachment.exists => Some("the VolumeAttachment to be gone"),
            AdcOperation::None if place.adc.actual != Actual::Detached && place.adc.wanted.is_empty() => {
                place.adc.in_use.then_some("status.volumesInUse without the volume")
            }
            AdcOperation::None
            | AdcOperation::Attach
            | AdcOperation::Detach
            | AdcOperation::AwaitGone
            | AdcOperation::DetachUnchecked => None,
        };
        found.extend(adc.map(|fact| (ActorId::cluster(Role::AttachDetachController), fact)));
        let kubelet = place.kubelet;
        if world.is_attachable(link.volume) && !kubelet.wanted.is_empty() && !kubelet.attached {
            // K3: its own report comes first, then the controller's list.
            let fact = match (kubelet.reported_in_use, place.listed) {
                (false, _) => Some("status.volumesInUse"),
                (true, false) => Some("status.volumesAttached"),
                (true, true) => None,
            };
            found.extend(fact.map(|fact| (ActorId::on(Role::Kubelet, link.node), fact)));
        }
    }
    for pod in world.pods().map(|id| cluster.pod(id)).filter(|p| p.runtime == Runtime::Stopping) {
        found.extend(pod.node.map(|node| (ActorId::on(Role::Kubelet, node), "the containers to end")));
    }
    found
}
