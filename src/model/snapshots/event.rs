//! The Events about a VolumeSnapshot and its content.

use crate::model::event::{EventType, Text};
use crate::model::{About, Failure, Method, SnapshotId, World};

/// An Event that snapshot-controller or csi-snapshotter sends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Event {
    /// The content is there, the driver is to act.
    Creating(SnapshotId),
    /// The driver has cut the snapshot.
    Created(SnapshotId),
    /// The snapshot can be used.
    Ready(SnapshotId),
    /// The claim to take it of is not bound, or not there.
    NoSource(SnapshotId),
    /// CreateSnapshot failed.
    CreateFailed(SnapshotId, Failure),
    /// Somebody restores from it, so it stays.
    DeletePending,
    /// DeleteSnapshot failed.
    DeleteFailed,
}

impl Event {
    pub(in crate::model) fn text(self, world: &World) -> Text {
        let name = |id| format!("{}/{}", world.namespace(), world.snapshot(id).name);
        match self {
            Event::Creating(id) => (
                EventType::Normal,
                "CreatingSnapshot",
                format!("Waiting for a snapshot {} to be created by the CSI driver.", name(id)),
            ),
            Event::Created(id) => (
                EventType::Normal,
                "SnapshotCreated",
                format!("Snapshot {} was successfully created by the CSI driver.", name(id)),
            ),
            Event::Ready(id) => {
                (EventType::Normal, "SnapshotReady", format!("Snapshot {} is ready to use.", name(id)))
            }
            Event::NoSource(id) => {
                let claim =
                    world.claims().nth(world.snapshot(id).claim).map(|claim| &world.claim(claim).name);
                (
                    EventType::Warning,
                    "SnapshotContentCreationFailed",
                    format!(
                        "Failed to create snapshot content with error the PVC {} is not yet bound to a PV, will not \
                         attempt to take a snapshot",
                        claim.map_or("", String::as_str)
                    ),
                )
            }
            Event::CreateFailed(id, failure) => (
                EventType::Warning,
                "SnapshotCreationFailed",
                format!(
                    "Failed to create snapshot: {}",
                    failure.text(world, Method::CreateSnapshot, About::Snapshot(id))
                ),
            ),
            Event::DeletePending => (
                EventType::Warning,
                "SnapshotDeletePending",
                "Snapshot is being used to restore a PVC".into(),
            ),
            Event::DeleteFailed => {
                (EventType::Warning, "SnapshotDeleteError", "Failed to delete snapshot".into())
            }
        }
    }
}
