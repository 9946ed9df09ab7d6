//! What kubelet believes of a volume on its Node, what it left on the Node's disk, and its operation under way.

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
    /// The volume is published for a Pod, and its files get the Pod's group.
    Own(PodId),
    /// The same, of which an Event has told that it takes long.
    OwnSlowly(PodId),
}

/// Whether kubelet takes something for mounted.
///
/// Source: pkg/volume/util/operationexecutor/operation_executor.go `DeviceMountState`, `VolumeMountState`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum MountState {
    /// It is not.
    #[default]
    NotMounted,
    /// It may be: a call ended in an error after which the driver may have done the work, or may do it yet.
    Uncertain,
    /// It is.
    Mounted,
}

impl MountState {
    /// Whether it has to be undone before the volume may leave the Node.
    pub fn may_be_mounted(self) -> bool {
        match self {
            MountState::Uncertain | MountState::Mounted => true,
            MountState::NotMounted => false,
        }
    }
}

/// The files `vol_data.json` that kubelet keeps beside what it mounts. They outlive its process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Files {
    /// The one beside the staging path, written before NodeStageVolume.
    pub device: bool,
    /// The Pods that have one beside the volume's path, written before NodePublishVolume.
    pub pods: PodSet,
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
    /// Actual state: whether the device is staged.
    pub device: MountState,
    /// Actual state: the Pods it is published to.
    pub mounted: PodSet,
    /// Actual state: the Pods it may be published to.
    pub uncertain: PodSet,
    /// The uncertain Pods that were found on disk after a restart, and not mounted since.
    pub reconstructed: PodSet,
    /// What is on the Node's disk.
    pub files: Files,
    /// Its operation under way.
    pub operation: KubeletOperation,
}

impl Kubelet {
    /// Whether the volume is published to a Pod, as far as kubelet knows.
    pub fn mount(&self, pod: PodId) -> MountState {
        if self.mounted.contains(pod) {
            MountState::Mounted
        } else if self.uncertain.contains(pod) {
            MountState::Uncertain
        } else {
            MountState::NotMounted
        }
    }

    /// The same, to change.
    pub(in crate::model) fn set_mount(&mut self, pod: PodId, to: MountState) {
        self.mounted.remove(pod);
        self.uncertain.remove(pod);
        match to {
            MountState::Mounted => self.mounted.insert(pod),
            MountState::Uncertain => self.uncertain.insert(pod),
            MountState::NotMounted => {}
        }
        if to != MountState::Uncertain {
            self.reconstructed.remove(pod);
        }
    }

    /// Whether no Pod has it published, nor may have.
    pub fn is_published_nowhere(&self) -> bool {
        self.mounted.is_empty() && self.uncertain.is_empty()
    }
}

/// How far a kubelet is after its start.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Boot {
    /// It works; it may unmount.
    #[default]
    Ready,
    /// It has just started and knows of no volume.
    Started,
    /// It has found on its disk what it had mounted, and does not unmount yet.
    Reconstructed,
}

/// How far kubelet is with making a driver its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Registration {
    /// Nothing is under way.
    #[default]
    None,
    /// NodeGetInfo has left.
    InfoCalled,
    /// The driver has answered; its reply is under way.
    InfoDone,
}

/// What a Node's kubelet knows apart from volumes, and the socket through which it learns of the driver.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Agent {
    /// How far it is after its start.
    pub boot: Boot,
    /// The registrar's socket is in the directory that kubelet watches.
    pub socket: bool,
    /// The driver is in its list of registered drivers.
    pub registered: bool,
    /// Its registration under way.
    pub registration: Registration,
}
