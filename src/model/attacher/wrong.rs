//! Why a volume cannot be attached or detached: what the external-attacher finds, and what a driver refuses.

use super::access_mode::ModeError;
use crate::model::{Code, FaultId, FaultKind, Link, World};

/// Something that stands in the way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Wrong {
    /// The VolumeAttachment names no source.
    NoSource,
    /// It names two.
    BothSources,
    /// Its PersistentVolume is not there.
    VolumeMissing,
    /// Its PersistentVolume is being deleted.
    VolumeDeleting,
    /// The PersistentVolume's access modes do not go together.
    Modes(ModeError),
    /// The secret for the controller's calls is not there.
    SecretMissing,
    /// The Node has no CSINode.
    NoCsiNode,
    /// The Node's CSINode lacks the driver.
    NotRegistered,
    /// The API server refused the PersistentVolume's finalizer.
    VolumeNotFinalized(FaultId),
    /// The API server refused the VolumeAttachment's finalizer.
    AttachmentNotSaved(FaultId),
    /// The API server refused to take the VolumeAttachment's finalizer off.
    NotMarkedDetached(FaultId),
    /// The driver attaches no more volumes to the Node.
    LimitReached,
    /// The driver has the volume attached to another Node.
    PublishedElsewhere,
}

impl Wrong {
    /// The code, where it is the answer to a call.
    pub fn code(self) -> Option<Code> {
        match self {
            Wrong::LimitReached => Some(Code::ResourceExhausted),
            Wrong::PublishedElsewhere => Some(Code::FailedPrecondition),
            Wrong::NoSource
            | Wrong::BothSources
            | Wrong::VolumeMissing
            | Wrong::VolumeDeleting
            | Wrong::Modes(_)
            | Wrong::SecretMissing
            | Wrong::NoCsiNode
            | Wrong::NotRegistered
            | Wrong::VolumeNotFinalized(_)
            | Wrong::AttachmentNotSaved(_)
            | Wrong::NotMarkedDetached(_) => None,
        }
    }

    /// The message.
    ///
    /// Source: external-attacher pkg/controller/csi_handler.go, util.go; of the driver's own, csi-driver-host-path
    /// pkg/hostpath/controllerserver.go.
    pub fn message(self, world: &World, link: Link) -> String {
        let pv = &world.volume(link.volume).pv;
        let node = &world.node(link.node).name;
        match self {
            Wrong::NoSource => {
                "neither InlineCSIVolumeSource nor PersistentVolumeName specified in VA source".into()
            }
            Wrong::BothSources => {
                "both InlineCSIVolumeSource and PersistentVolumeName specified in VA source".into()
            }
            Wrong::VolumeMissing => format!("persistentvolume \"{pv}\" not found"),
            Wrong::VolumeDeleting => format!("PersistentVolume \"{pv}\" is marked for deletion"),
            Wrong::Modes(error) => error.message(&world.volume(link.volume).modes()),
            Wrong::SecretMissing => {
                let secret = world.volume(link.volume).publish_secret.as_deref().unwrap_or_default();
                let name = secret.rsplit('/').next().unwrap_or_default();
                format!("failed to load secret \"{secret}\": secrets \"{name}\" not found")
            }
            Wrong::NoCsiNode => format!("csinode.storage.k8s.io \"{node}\" not found"),
            Wrong::NotRegistered => format!("CSINode {node} does not contain driver {}", world.driver().name),
            Wrong::VolumeNotFinalized(fault) => {
                format!("could not add PersistentVolume finalizer: {}", refusal(world, fault))
            }
            Wrong::AttachmentNotSaved(fault) => {
                format!("could not save VolumeAttachment: {}", refusal(world, fault))
            }
            Wrong::NotMarkedDetached(fault) => {
                format!("could not mark as detached: {}", refusal(world, fault))
            }
            Wrong::LimitReached => format!("Cannot attach any more volumes to this node ('{node}')"),
            Wrong::PublishedElsewhere => {
                let holder = world.nodes().find(|other| *other != link.node);
                format!("volume is published to node {}", holder.map_or("", |n| &world.node(n).name))
            }
        }
    }
}

fn refusal(world: &World, fault: FaultId) -> &str {
    match world.fault(fault).map(|fault| &fault.kind) {
        Some(FaultKind::Refused { message, .. }) => message,
        Some(_) | None => "",
    }
}
