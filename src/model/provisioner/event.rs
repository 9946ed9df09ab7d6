//! The Events of the external-provisioner, about claims and PersistentVolumes.

use super::is_infeasible;
use crate::model::event::{EventType, Text};
use crate::model::{About, ClaimId, Failure, Method, NodeId, VolumeId, World};

/// An Event that the external-provisioner sends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Event {
    /// It begins.
    Provisioning(ClaimId),
    /// CreateVolume failed.
    ProvisioningFailed(ClaimId, Failure),
    /// The selected Node's CSINode does not tell a topology.
    NoTopology(NodeId),
    /// The PersistentVolume is there.
    ProvisioningSucceeded(VolumeId),
    /// A VolumeAttachment to this Node names the PersistentVolume.
    StillAttached(VolumeId, NodeId),
    /// DeleteVolume failed.
    DeleteFailed(VolumeId, Failure),
    /// The selected Node is gone.
    NoNode(NodeId),
}

impl Event {
    pub(in crate::model) fn text(self, world: &World) -> Text {
        use EventType::{Normal, Warning};
        match self {
            Event::Provisioning(claim) => (
                Normal,
                "Provisioning",
                format!(
                    "External provisioner is provisioning volume for claim \"{}/{}\"",
                    world.namespace(),
                    world.claim(claim).name
                ),
            ),
            Event::ProvisioningFailed(claim, failure) => {
                let infeasible = failure.code(world).is_some_and(is_infeasible);
                let prefix = if infeasible {
                    "Volume provisioning failed with infeasible error. Retries will be delayed. "
                } else {
                    ""
                };
                let error = failure.text(world, Method::CreateVolume, About::Claim(claim));
                (Warning, "ProvisioningFailed", format!("{prefix}{error}"))
            }
            Event::NoTopology(node) => (
                Warning,
                "ProvisioningFailed",
                format!(
                    "error generating accessibility requirements: no topology key found on CSINode {}",
                    world.node(node).name
                ),
            ),
            Event::NoNode(node) => {
                (Warning, "ProvisioningFailed", format!("node \"{}\" not found", world.node(node).name))
            }
            Event::ProvisioningSucceeded(volume) => (
                Normal,
                "ProvisioningSucceeded",
                format!("Successfully provisioned volume {}", world.volume(volume).pv),
            ),
            Event::StillAttached(volume, node) => (
                Warning,
                "VolumeFailedDelete",
                format!(
                    "persistentvolume {} is still attached to node {}",
                    world.volume(volume).pv,
                    world.node(node).name
                ),
            ),
            Event::DeleteFailed(volume, failure) => (
                Warning,
                "VolumeFailedDelete",
                failure.text(world, Method::DeleteVolume, About::Volume(volume)),
            ),
        }
    }
}
