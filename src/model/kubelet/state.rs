//! What kubelet remembers of a volume on its Node, and its operation under way.

use crate::model::{PodId, PodSet};

/// kubelet's operation on a volume; there is one at a time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum KubeletOperation {
    /// None.
    #[default]
    None,
    /// Mount for a Pod: attachment checked, device to be staged or volume to be published next.
    Mount(PodId),
    /// NodeStageVolume has left.
    StageCalled(PodId),
    /// The driver has staged; its reply is under way.
    StageDone(PodId),
    /// NodePublishVolume has left.
    PublishCalled(PodId),
    /// The driver has published; its reply is under way.
    PublishDone(PodId),
    /// NodeUnpublishVolume has left.
    UnpublishCalled(PodId),
    /// The driver has unpublished; its reply is under way.
    UnpublishDone(PodId),
    /// NodeUnstageVolume has left.
    UnstageCalled,
    /// The driver has unstaged; its reply is under way.
    UnstageDone,
    /// The volume grows, while it is mounted or as a part of a mount.
    Expand,
}

/// What kubelet remembers of a volume on its Node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Kubelet {
    /// Desired state: the Pods that want the volume.
    pub wanted: PodSet,
    /// The desired entry was written to `status.volumesInUse`.
    pub reported_in_use: bool,
    /// Actual state: the volume is attached.
    pub attached: bool,
    /// Actual state: the device is staged.
    pub device: bool,
    /// Actual state: the Pods it is published to.
    pub mounted: PodSet,
    /// Its operation under way.
    pub operation: KubeletOperation,
}
