//! The Events of an expansion on a Node.

use super::{NodeExpandError, node_expand_error};
use crate::model::event::{EventType, Text};
use crate::model::{About, Failure, Link, Method, VolumeId, World};

/// An Event that kubelet sends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Event {
    /// The file system has grown.
    Expanded(Link),
    /// The Pod has the volume read-only, so it does not grow.
    ReadOnly(VolumeId),
    /// It failed while the volume was mounted.
    Failed(VolumeId, Failure),
    /// It failed as a part of a mount.
    MountFailed(VolumeId, Failure),
    /// The node plugin lacks EXPAND_VOLUME, while mounted.
    NotSupported(VolumeId),
    /// The same, as a part of a mount.
    MountNotSupported(VolumeId),
}

impl Event {
    pub(in crate::model) fn text(self, world: &World) -> Text {
        let pv = |volume| &world.volume(volume).pv;
        let online = |volume, error: String| {
            let message =
                format!("NodeExpandVolume.NodeExpandVolume failed for volume \"{}\" : {error}", pv(volume));
            (EventType::Warning, "VolumeResizeFailed", message)
        };
        let mount = |volume, error: String| {
            let message = format!(
                "MountVolume.Setup failed while expanding volume for volume \"{}\" : {error}",
                pv(volume)
            );
            (EventType::Warning, "FailedMount", message)
        };
        match self {
            Event::Expanded(link) => (
                EventType::Normal,
                "FileSystemResizeSuccessful",
                format!(
                    "MountVolume.NodeExpandVolume succeeded for volume \"{}\" {}",
                    pv(link.volume),
                    world.node(link.node).name
                ),
            ),
            Event::ReadOnly(volume) => (
                EventType::Warning,
                "FileSystemResizeFailed",
                format!(
                    "MountVolume.NodeExpandVolume failed for volume \"{}\" requested read-only file system",
                    pv(volume)
                ),
            ),
            Event::Failed(volume, failure) => online(volume, plugin_error(world, volume, failure)),
            Event::MountFailed(volume, failure) => mount(volume, plugin_error(world, volume, failure)),
            Event::NotSupported(volume) => online(volume, not_supported(world)),
            Event::MountNotSupported(volume) => mount(volume, not_supported(world)),
        }
    }
}

/// Upstream separates the error of the plugin by a colon, but not where it is infeasible.
fn plugin_error(world: &World, volume: VolumeId, failure: Failure) -> String {
    let class = failure.code(world).map(node_expand_error);
    let infeasible = class == Some(NodeExpandError::Infeasible);
    let colon = if infeasible { "" } else { " :" };
    let error = failure.text(world, Method::NodeExpandVolume, About::Volume(volume));
    format!("Expander.NodeExpand failed to expand the volume{colon} {error}")
}

fn not_supported(world: &World) -> String {
    format!(
        "Expander.NodeExpand failed to expand the volume : NodeExpand is not supported by the CSI driver {}",
        world.driver().name
    )
}
