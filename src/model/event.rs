//! Kubernetes Events: which there are, each kept beside the rules that send it, and their texts to the letter.

use super::{
    Role, World, adc, claims, data_source, ephemeral, expand_controller, kubelet, kubelet_expand, nodes,
    provisioner, resizer, scheduler, snapshots,
};

/// The type of a Kubernetes Event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum EventType {
    /// `Normal`
    Normal,
    /// `Warning`
    Warning,
}

impl EventType {
    /// The type as the API server spells it.
    pub fn name(self) -> &'static str {
        match self {
            EventType::Normal => "Normal",
            EventType::Warning => "Warning",
        }
    }
}

/// An Event's type, reason and message.
pub type Text = (EventType, &'static str, String);

/// A Kubernetes Event that some rule sends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum EventId {
    /// From kube-scheduler.
    Scheduler(scheduler::Event),
    /// From the attach-detach controller.
    Adc(adc::Event),
    /// From kubelet.
    Kubelet(kubelet::Event),
    /// About Nodes that are lost.
    Nodes(nodes::Event),
    /// From the PersistentVolume controller.
    Claims(claims::Event),
    /// From the external-provisioner.
    Provisioner(provisioner::Event),
    /// From the ephemeral volume controller.
    Ephemeral(ephemeral::Event),
    /// From external-resizer.
    Resizer(resizer::Event),
    /// From the expand controller.
    ExpandController(expand_controller::Event),
    /// From kubelet, where a volume grows.
    KubeletExpand(kubelet_expand::Event),
    /// From snapshot-controller or csi-snapshotter.
    Snapshots(snapshots::Event),
    /// From the external-provisioner, about a claim's source.
    DataSource(data_source::Event),
}

impl EventId {
    /// Its type, its reason and its message, to the letter.
    pub fn text(self, world: &World) -> Text {
        match self {
            EventId::Scheduler(event) => event.text(world),
            EventId::Adc(event) => event.text(world),
            EventId::Kubelet(event) => event.text(world),
            EventId::Nodes(event) => event.text(world),
            EventId::Claims(event) => event.text(world),
            EventId::Provisioner(event) => event.text(world),
            EventId::Ephemeral(event) => event.text(world),
            EventId::Resizer(event) => event.text(world),
            EventId::ExpandController(event) => event.text(),
            EventId::KubeletExpand(event) => event.text(world),
            EventId::Snapshots(event) => event.text(world),
            EventId::DataSource(event) => event.text(world),
        }
    }
}

/// Who sends Events of which reason. A recording's Events of other reasons tell nothing that the model knows.
pub const REASONS: &[(Role, &str)] = &[
    (Role::KubeScheduler, "Scheduled"),
    (Role::AttachDetachController, "SuccessfulAttachVolume"),
    (Role::AttachDetachController, "FailedAttachVolume"),
    (Role::Kubelet, "Pulled"),
    (Role::Kubelet, "Created"),
    (Role::Kubelet, "Started"),
    (Role::Kubelet, "Killing"),
    (Role::KubeScheduler, "FailedScheduling"),
    (Role::PvController, "WaitForFirstConsumer"),
    (Role::PvController, "WaitForPodScheduled"),
    (Role::PvController, "ExternalProvisioning"),
    (Role::PvController, "ProvisioningFailed"),
    (Role::PvController, "FailedBinding"),
    (Role::PvController, "VolumeMismatch"),
    (Role::PvController, "ClaimLost"),
    (Role::PvController, "ClaimMisbound"),
    (Role::ExternalProvisioner, "Provisioning"),
    (Role::ExternalProvisioner, "ProvisioningSucceeded"),
    (Role::ExternalProvisioner, "ProvisioningFailed"),
    (Role::ExternalProvisioner, "VolumeFailedDelete"),
    (Role::EphemeralController, "FailedBinding"),
    (Role::Kubelet, "FailedMount"),
    (Role::Kubelet, "FailedMapVolume"),
    (Role::Kubelet, "SuccessfulMountVolume"),
    (Role::ExternalResizer, "Resizing"),
    (Role::ExternalResizer, "VolumeResizeFailed"),
    (Role::ExternalResizer, "FileSystemResizeRequired"),
    (Role::ExternalResizer, "VolumeResizeSuccessful"),
    (Role::ExternalResizer, "VolumeModify"),
    (Role::ExternalResizer, "VolumeModifySuccessful"),
    (Role::ExternalResizer, "VolumeModifyFailed"),
    (Role::ExternalResizer, "VolumeModifyCanceled"),
    (Role::ExpandController, "ExternalExpanding"),
    (Role::Kubelet, "FileSystemResizeSuccessful"),
    (Role::Kubelet, "FileSystemResizeFailed"),
    (Role::Kubelet, "VolumeResizeFailed"),
    (Role::SnapshotController, "CreatingSnapshot"),
    (Role::SnapshotController, "SnapshotCreated"),
    (Role::SnapshotController, "SnapshotReady"),
    (Role::SnapshotController, "SnapshotContentCreationFailed"),
    (Role::SnapshotController, "SnapshotDeletePending"),
    (Role::ExternalSnapshotter, "SnapshotCreationFailed"),
    (Role::ExternalSnapshotter, "SnapshotDeleteError"),
    (Role::Kubelet, "VolumeAttachmentLimitExceeded"),
    (Role::NodeLifecycle, "NodeNotReady"),
    (Role::TaintEviction, "TaintManagerEviction"),
    (Role::Kubelet, "VolumePermissionChangeInProgress"),
];
