//! Every kind of Event that the model knows, each by a name: the list from which a test asks for them one by one.

use mountpath::model::adc::Trouble;
use mountpath::model::attacher::Wrong;
use mountpath::model::claims::Mismatch;
use mountpath::model::data_source::SourceError;
use mountpath::model::kubelet::{MountError, Unprocessed};
use mountpath::model::scheduler::{NodeReason, PreBindReason, PreFilterReason, Why};
use mountpath::model::{
    EventId, Failure, adc, claims, data_source, ephemeral, expand_controller, kubelet, kubelet_expand, nodes,
    provisioner, resizer, scheduler, snapshots,
};

/// A list of names and the function that gives each value its own; the compiler asks for those that are forgotten.
macro_rules! kinds {
    ($all:ident, $kind:ident, $of:ty, { $($pattern:pat => $name:literal,)* }) => {
        const $all: &[&str] = &[$($name),*];

        fn $kind(of: $of) -> &'static str {
            match of { $($pattern => $name),* }
        }
    };
}

kinds!(EVENTS, event, EventId, {
    EventId::Scheduler(scheduler::Event::Scheduled(..)) => "Scheduled",
    EventId::Scheduler(scheduler::Event::FailedScheduling(_, Why::PreFilter(_))) => "FailedScheduling before Nodes",
    EventId::Scheduler(scheduler::Event::FailedScheduling(_, Why::Nodes(_))) => "FailedScheduling for its Nodes",
    EventId::Scheduler(scheduler::Event::FailedScheduling(_, Why::PreBind(_))) => "FailedScheduling after a Node",
    EventId::Adc(adc::Event::SuccessfulAttachVolume(_)) => "SuccessfulAttachVolume",
    EventId::Adc(adc::Event::MultiAttach(..)) => "Multi-Attach error",
    EventId::Adc(adc::Event::AttachFailed(_, Trouble::Error(_))) => "FailedAttachVolume: attachError",
    EventId::Adc(adc::Event::AttachFailed(_, Trouble::Deleting)) => "FailedAttachVolume: being deleted",
    EventId::Adc(adc::Event::AttachFailed(_, Trouble::Deleted)) => "FailedAttachVolume: deleted",
    EventId::Adc(adc::Event::AttachFailed(_, Trouble::TimedOut)) => "FailedAttachVolume: timed out",
    EventId::Kubelet(kubelet::Event::OwnerFailed(_)) => "FailedMount: applyFSGroup",
    EventId::Kubelet(kubelet::Event::OwnerSlow(..)) => "VolumePermissionChangeInProgress",
    EventId::Kubelet(kubelet::Event::Pulled(_)) => "Pulled",
    EventId::Kubelet(kubelet::Event::Created) => "Created",
    EventId::Kubelet(kubelet::Event::Started) => "Started",
    EventId::Kubelet(kubelet::Event::Killing(_)) => "Killing",
    EventId::Kubelet(kubelet::Event::MountFailed(..)) => "FailedMount before a call",
    EventId::Kubelet(kubelet::Event::AttachFailed(..)) => "FailedMount: attachError",
    EventId::Kubelet(kubelet::Event::StageFailed(..)) => "FailedMount: NodeStageVolume",
    EventId::Kubelet(kubelet::Event::PublishFailed(..)) => "FailedMount: NodePublishVolume",
    EventId::Kubelet(kubelet::Event::ClaimOutOfSight(..)) => "FailedMount: claim out of sight",
    EventId::Kubelet(kubelet::Event::Unprocessed(..)) => "FailedMount: not processed",
    EventId::Kubelet(kubelet::Event::MappedGlobally(_)) => "SuccessfulMountVolume globalMapPath",
    EventId::Kubelet(kubelet::Event::MappedForPod(..)) => "SuccessfulMountVolume volumeMapPath",
    EventId::Kubelet(kubelet::Event::VolumeAttachmentLimitExceeded(_)) => "VolumeAttachmentLimitExceeded",
    EventId::Nodes(nodes::Event::NodeNotReady) => "NodeNotReady",
    EventId::Nodes(nodes::Event::MarkingForDeletion(_)) => "TaintManagerEviction marks",
    EventId::Nodes(nodes::Event::CancellingDeletion(_)) => "TaintManagerEviction cancels",
    EventId::Claims(claims::Event::WaitForFirstConsumer) => "WaitForFirstConsumer",
    EventId::Claims(claims::Event::WaitForPodScheduled(_)) => "WaitForPodScheduled",
    EventId::Claims(claims::Event::ExternalProvisioning(_)) => "ExternalProvisioning",
    EventId::Claims(claims::Event::NoClass(_)) => "ProvisioningFailed: no class",
    EventId::Claims(claims::Event::NothingToBind) => "FailedBinding: nothing to bind",
    EventId::Claims(claims::Event::Mismatched(..)) => "VolumeMismatch",
    EventId::Claims(claims::Event::Taken(_)) => "FailedBinding: taken",
    EventId::Claims(claims::Event::ClaimLost) => "ClaimLost",
    EventId::Claims(claims::Event::ClaimMisbound) => "ClaimMisbound",
    EventId::Provisioner(provisioner::Event::Provisioning(_)) => "Provisioning",
    EventId::Provisioner(provisioner::Event::ProvisioningFailed(..)) => "ProvisioningFailed",
    EventId::Provisioner(provisioner::Event::NoTopology(_)) => "ProvisioningFailed: no topology",
    EventId::Provisioner(provisioner::Event::NoNode(_)) => "ProvisioningFailed: no Node",
    EventId::Provisioner(provisioner::Event::ProvisioningSucceeded(_)) => "ProvisioningSucceeded",
    EventId::Provisioner(provisioner::Event::StillAttached(..)) => "VolumeFailedDelete: still attached",
    EventId::Provisioner(provisioner::Event::DeleteFailed(..)) => "VolumeFailedDelete",
    EventId::Ephemeral(ephemeral::Event::NotOwner(_)) => "FailedBinding: not owner",
    EventId::Resizer(resizer::Event::Resizing(_)) => "Resizing",
    EventId::Resizer(resizer::Event::ResizeFailed(..)) => "VolumeResizeFailed",
    EventId::Resizer(resizer::Event::OnlyOffline(_)) => "VolumeResizeFailed: only offline",
    EventId::Resizer(resizer::Event::FileSystemResizeRequired) => "FileSystemResizeRequired",
    EventId::Resizer(resizer::Event::ResizeSuccessful) => "VolumeResizeSuccessful",
    EventId::Resizer(resizer::Event::Modifying(..)) => "VolumeModify",
    EventId::Resizer(resizer::Event::ModifySuccessful(..)) => "VolumeModifySuccessful",
    EventId::Resizer(resizer::Event::ModifyFailed(.., true)) => "VolumeModifyFailed: still modifying",
    EventId::Resizer(resizer::Event::ModifyFailed(.., false)) => "VolumeModifyFailed",
    EventId::Resizer(resizer::Event::NoAttributesClass(_)) => "VolumeModifyFailed: no class",
    EventId::Resizer(resizer::Event::ModifyCanceled) => "VolumeModifyCanceled",
    EventId::ExpandController(expand_controller::Event::ExternalExpanding) => "ExternalExpanding",
    EventId::KubeletExpand(kubelet_expand::Event::Expanded(_)) => "FileSystemResizeSuccessful",
    EventId::KubeletExpand(kubelet_expand::Event::ReadOnly(_)) => "FileSystemResizeFailed",
    EventId::KubeletExpand(kubelet_expand::Event::Failed(..)) => "VolumeResizeFailed on the Node",
    EventId::KubeletExpand(kubelet_expand::Event::MountFailed(..)) => "FailedMount: NodeExpandVolume",
    EventId::KubeletExpand(kubelet_expand::Event::NotSupported(_)) => "VolumeResizeFailed: no EXPAND_VOLUME",
    EventId::KubeletExpand(kubelet_expand::Event::MountNotSupported(_)) => "FailedMount: no EXPAND_VOLUME",
    EventId::Snapshots(snapshots::Event::Creating(_)) => "CreatingSnapshot",
    EventId::Snapshots(snapshots::Event::Created(_)) => "SnapshotCreated",
    EventId::Snapshots(snapshots::Event::Ready(_)) => "SnapshotReady",
    EventId::Snapshots(snapshots::Event::NoSource(_)) => "SnapshotContentCreationFailed",
    EventId::Snapshots(snapshots::Event::CreateFailed(..)) => "SnapshotCreationFailed",
    EventId::Snapshots(snapshots::Event::DeletePending) => "SnapshotDeletePending",
    EventId::Snapshots(snapshots::Event::DeleteFailed) => "SnapshotDeleteError",
    EventId::DataSource(data_source::Event::Unusable(..)) => "ProvisioningFailed: data source",
});

kinds!(PRE_FILTER, pre_filter, PreFilterReason, {
    PreFilterReason::NotFound(_) => "claim: not found",
    PreFilterReason::AwaitsEphemeral(_) => "claim: awaits the ephemeral volume controller",
    PreFilterReason::NotOwner => "claim: Pod is not owner",
    PreFilterReason::Lost(..) => "claim: bound to non-existent",
    PreFilterReason::Deleting(_) => "claim: being deleted",
    PreFilterReason::UnboundImmediate => "claim: unbound immediate",
});

kinds!(NODE_REASONS, node_reason, NodeReason, {
    NodeReason::Taint => "Node: taint",
    NodeReason::Selector => "Node: selector",
    NodeReason::InUse => "Node: ReadWriteOncePod in use",
    NodeReason::Limit => "Node: max volume count",
    NodeReason::Affinity => "Node: volume's affinity",
    NodeReason::VolumeGone => "Node: volume gone",
    NodeReason::NoVolume => "Node: no volume to bind",
    NodeReason::NoStorage => "Node: no free storage",
});

kinds!(PRE_BIND, pre_bind, PreBindReason, {
    PreBindReason::Deadline => "PreBind: deadline",
    PreBindReason::ProvisioningFailed(_) => "PreBind: provisioning failed",
    PreBindReason::SelectedNodeReset(_) => "PreBind: selectedNode reset",
    PreBindReason::ClaimGone(_) => "PreBind: claim gone",
});

kinds!(MISMATCHES, a_mismatch, Mismatch, {
    Mismatch::Deleting => "mismatch: deleting",
    Mismatch::Capacity => "mismatch: too small",
    Mismatch::Class => "mismatch: class",
    Mismatch::VolumeMode => "mismatch: volumeMode",
    Mismatch::AccessMode => "mismatch: accessMode",
});

kinds!(SOURCES, source, SourceError, {
    SourceError::SnapshotMissing => "source: snapshot missing",
    SourceError::SnapshotDeleting => "source: snapshot deleting",
    SourceError::SnapshotNotBound => "source: snapshot not bound",
    SourceError::SnapshotNotReady => "source: snapshot not ready",
    SourceError::SnapshotLarger => "source: snapshot larger",
    SourceError::ClaimMissing => "source: claim missing",
    SourceError::ClaimNotBound => "source: claim not bound",
    SourceError::ClaimDeleting => "source: claim deleting",
    SourceError::ClaimLarger => "source: claim larger",
});

kinds!(MOUNTS, mount, MountError, {
    MountError::NodeAffinity => "mount: node affinity",
    MountError::AnotherPod => "mount: another Pod",
    MountError::AttachmentMissing => "mount: VolumeAttachment missing",
    MountError::AttachmentDeleting => "mount: VolumeAttachment being deleted",
    MountError::AttachFailed => "mount: attachError",
    MountError::AttachmentNotAttached => "mount: not attached",
    MountError::NotRegistered => "mount: driver not registered",
    MountError::NotEphemeral => "mount: not Ephemeral",
    MountError::StageSecretMissing => "mount: secret for NodeStageVolume missing",
    MountError::PublishSecretMissing => "mount: secret for NodePublishVolume missing",
});

kinds!(UNPROCESSED, unprocessed, Unprocessed, {
    Unprocessed::ClaimForbidden => "populator: claim forbidden",
    Unprocessed::ClaimMissing => "populator: claim missing",
    Unprocessed::ClaimDeleting => "populator: claim deleting",
    Unprocessed::ClaimNotBound => "populator: claim not bound",
    Unprocessed::ClaimWithoutVolume => "populator: claim without volume",
    Unprocessed::VolumeMissing => "populator: volume missing",
    Unprocessed::VolumeUnclaimed => "populator: volume unclaimed",
    Unprocessed::VolumeOfAnotherClaim => "populator: volume of another claim",
    Unprocessed::SeLinuxConflict => "populator: SELinux conflict",
});

kinds!(WRONGS, wrong, Wrong, {
    Wrong::NoSource => "attach: no source",
    Wrong::BothSources => "attach: both sources",
    Wrong::VolumeMissing => "attach: volume missing",
    Wrong::VolumeDeleting => "attach: volume deleting",
    Wrong::Modes(_) => "attach: access modes",
    Wrong::SecretMissing => "attach: secret missing",
    Wrong::NoCsiNode => "attach: no CSINode",
    Wrong::NotRegistered => "attach: driver not in CSINode",
    Wrong::VolumeNotFinalized(_) => "attach: volume not finalized",
    Wrong::AttachmentNotSaved(_) => "attach: VolumeAttachment not saved",
    Wrong::NotMarkedDetached(_) => "attach: not marked detached",
    Wrong::LimitReached => "attach: limit reached",
    Wrong::PublishedElsewhere => "attach: published elsewhere",
});

/// Every kind.
pub fn all() -> impl Iterator<Item = &'static str> {
    let lists =
        [EVENTS, PRE_FILTER, NODE_REASONS, PRE_BIND, MISMATCHES, SOURCES, MOUNTS, UNPROCESSED, WRONGS];
    lists.into_iter().flatten().copied()
}

/// The kinds that an Event is of: its own, and those of the reasons in its message.
pub fn of(id: EventId) -> Vec<&'static str> {
    let mut kinds = vec![event(id)];
    match id {
        EventId::Scheduler(scheduler::Event::FailedScheduling(_, why)) => match why {
            Why::PreFilter(reason) => kinds.push(pre_filter(reason)),
            Why::Nodes(reasons) => kinds.extend(reasons.into_iter().flatten().map(node_reason)),
            Why::PreBind(reason) => kinds.push(pre_bind(reason)),
        },
        EventId::Adc(adc::Event::AttachFailed(_, Trouble::Error(Failure::Attach(why, _))))
        | EventId::Kubelet(kubelet::Event::AttachFailed(_, Failure::Attach(why, _))) => {
            kinds.push(wrong(why));
        }
        EventId::Claims(claims::Event::Mismatched(_, why)) => kinds.push(a_mismatch(why)),
        EventId::DataSource(data_source::Event::Unusable(_, why)) => kinds.push(source(why)),
        EventId::Kubelet(kubelet::Event::MountFailed(_, why, _)) => kinds.push(mount(why)),
        EventId::Kubelet(kubelet::Event::Unprocessed(_, why)) => kinds.push(unprocessed(why)),
        _ => {}
    }
    kinds
}
