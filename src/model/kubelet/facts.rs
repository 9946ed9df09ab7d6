//! What is known of each of kubelet's acts whatever it is about: its rule, its name, its source, and when it comes.

use super::Act;
use super::{KubeletOperation, Unprocessed};
use crate::model::action::Fact;
use crate::model::fault::fault_in_store;
use crate::model::timing::{
    ATTACH_AND_MOUNT, ATTACH_TIMEOUT, BACKOFF, BACKOFF_MAX, FSGROUP_EVENT, GRACE, MOUNT, MOUNT_POLL,
    NODE_STATUS, PLUGIN_MANAGER, POD_SYNC, POD_SYNC_BACKOFF, POPULATOR, RECONCILER, START, STOP,
    VOLUMES_EXIST_POLL, WATCH, WORK, WRITE, When,
};
use crate::model::turn::link_of;
use crate::model::{Cluster, Exit, Link, Method, Role, World};

impl Act {
    pub(in crate::model) fn fact(self) -> Fact {
        const CONTAINER: &str = "pkg/kubelet/kuberuntime/kuberuntime_container.go";
        const CSI_ATTACHER: &str = "pkg/volume/csi/csi_attacher.go";
        const CSI_MOUNTER: &str = "pkg/volume/csi/csi_mounter.go";
        const CSI_PLUGIN: &str = "pkg/volume/csi/csi_plugin.go";
        const KUBELET: &str = "pkg/kubelet/kubelet.go";
        const MANAGER: &str = "pkg/kubelet/volumemanager/volume_manager.go";
        const NODE_STATUS_SETTERS: &str = "pkg/kubelet/nodestatus/setters.go";
        const OPERATIONS: &str = "pkg/volume/util/operationexecutor/operation_generator.go";
        const PLUGINS: &str = "pkg/kubelet/pluginmanager/reconciler/reconciler.go";
        const POPULATOR: &str = "pkg/kubelet/volumemanager/populator/desired_state_of_world_populator.go";
        const RECONCILER: &str = "pkg/kubelet/volumemanager/reconciler/reconciler.go";
        const RECONSTRUCT: &str = "pkg/kubelet/volumemanager/reconciler/reconstruct.go";
        const STATUS: &str = "pkg/kubelet/status/status_manager.go";
        const VOLUME_LINUX: &str = "pkg/volume/volume_linux.go";
        let fact = |rule, name, source| Fact { role: Role::Kubelet, rule, name, source };
        match self {
            Act::AdmitsPod(_) => fact("K6", "kubelet-admits-pod", KUBELET),
            Act::WantsVolume(_) => fact("K1", "kubelet-wants-volume", POPULATOR),
            Act::ReportsInUse(_) => fact("K2", "kubelet-reports-in-use", NODE_STATUS_SETTERS),
            Act::VerifiesAttached(_) => fact("K3", "kubelet-verifies-attached", OPERATIONS),
            Act::MarksAttachedAtOnce(_) => fact("K3'", "kubelet-marks-attached-at-once", OPERATIONS),
            Act::ReadsAttachment(_) => fact("K4", "kubelet-reads-attachment", CSI_ATTACHER),
            Act::CallsStage(_) => fact("K4", "kubelet-calls-node-stage", CSI_ATTACHER),
            Act::ReceivesStageOk(_) => fact("K4", "kubelet-receives-stage-ok", OPERATIONS),
            Act::CallsPublish(_) => fact("K4", "kubelet-calls-node-publish", CSI_MOUNTER),
            Act::ReceivesPublishOk(_) => fact("K4", "kubelet-receives-publish-ok", OPERATIONS),
            Act::StartsContainers(_) => fact("K6", "kubelet-starts-containers", KUBELET),
            Act::StopsContainers(_) => fact("K6", "kubelet-stops-containers", CONTAINER),
            Act::ReportsContainersEnded(..) => fact("K6", "kubelet-reports-containers-ended", STATUS),
            Act::DropsPod(_) => fact("K8", "kubelet-drops-pod", POPULATOR),
            Act::CallsUnpublish(_) => fact("K9", "kubelet-calls-node-unpublish", CSI_MOUNTER),
            Act::ReceivesUnpublishOk(_) => fact("K9", "kubelet-receives-unpublish-ok", OPERATIONS),
            Act::RemovesPod(_) => fact("K12", "kubelet-removes-pod", KUBELET),
            Act::RejectsPod(_) => fact("K6", "kubelet-rejects-pod", KUBELET),
            Act::ReportsContainersCompleted(_) => fact("K6", "kubelet-reports-containers-completed", STATUS),
            Act::CallsUnstage(_) => fact("K10", "kubelet-calls-node-unstage", CSI_ATTACHER),
            Act::ReceivesUnstageOk(_) => fact("K10", "kubelet-receives-unstage-ok", OPERATIONS),
            Act::ForgetsVolume(_) => fact("K11", "kubelet-forgets-volume", RECONCILER),
            Act::ReportsNotInUse(_) => fact("K2", "kubelet-reports-not-in-use", NODE_STATUS_SETTERS),
            Act::ReportsUnprocessed(..) => fact("K6", "kubelet-reports-unprocessed-volume", MANAGER),
            Act::FailsMount(..) => fact("K5", "kubelet-fails-mount", OPERATIONS),
            Act::ReceivesStageFailed(..) => fact("K5", "kubelet-receives-stage-failed", OPERATIONS),
            Act::ReceivesPublishFailed(..) => fact("K5", "kubelet-receives-publish-failed", OPERATIONS),
            Act::ReceivesPublishOkTooLate(_) => {
                fact("K4", "kubelet-receives-publish-ok-too-late", OPERATIONS)
            }
            Act::ReceivesUnpublishFailed(..) => fact("K9", "kubelet-receives-unpublish-failed", OPERATIONS),
            Act::ReceivesUnstageFailed(..) => fact("K10", "kubelet-receives-unstage-failed", OPERATIONS),
            Act::CallsPublishAgain(_) => fact("K15", "kubelet-calls-node-publish-again", CSI_MOUNTER),
            Act::ReconstructsVolumes(_) => fact("K14", "kubelet-reconstructs-volumes", RECONSTRUCT),
            Act::ResolvesVolumes(_) => fact("K13", "kubelet-resolves-volumes", RECONSTRUCT),
            Act::RegistersDriver(_) => fact("R2", "kubelet-registers-driver", PLUGINS),
            Act::ReceivesInfoOk(_) => fact("R2", "kubelet-receives-info-ok", CSI_PLUGIN),
            Act::ReceivesInfoFailed(..) => fact("R2", "kubelet-receives-info-failed", CSI_PLUGIN),
            Act::DropsDriver(_) => fact("R3", "kubelet-drops-driver", CSI_PLUGIN),
            Act::PullsImage(_) => fact("K6", "kubelet-pulls-image", KUBELET),
            Act::AppliesFsGroup(_) => fact("K16", "kubelet-applies-fs-group", VOLUME_LINUX),
            Act::FailsFsGroup(_) => fact("K16", "kubelet-fails-fs-group", VOLUME_LINUX),
            Act::TellsSlowFsGroup(_) => fact("K16", "kubelet-tells-slow-fs-group", VOLUME_LINUX),
        }
    }

    pub(in crate::model) fn when(self, world: &World, cluster: &Cluster) -> When {
        let reconcile = When::Every { period: RECONCILER.ms, offset: 90 };
        let node_status = When::Every { period: NODE_STATUS.ms, offset: 5_800 };
        let answered = |of, link: Link| {
            // What is to go wrong goes wrong first.
            let fails = fault_in_store(world, cluster, of, Some(link.node), true);
            if fails { When::OnCommand } else { When::After(WRITE.ms) }
        };
        match self {
            Act::AdmitsPod(_) => When::After(WATCH.ms + WRITE.ms),
            Act::WantsVolume(_) => When::Every { period: POPULATOR.ms, offset: 40 },
            // The containers end first, within the stop of which this has been possible.
            Act::DropsPod(_) => When::After(STOP.ms + POPULATOR.ms),
            Act::ReportsInUse(_) | Act::ReportsNotInUse(_) => node_status,
            Act::VerifiesAttached(_)
            | Act::MarksAttachedAtOnce(_)
            | Act::ForgetsVolume(_)
            | Act::ReconstructsVolumes(_)
            | Act::ResolvesVolumes(_) => reconcile,
            Act::FailsMount(..) | Act::ReadsAttachment(_) => retried(MOUNT_FAILS, MOUNT_ENDS),
            Act::CallsUnpublish(_) => retried(UNMOUNT_FAILS, UNMOUNT_ENDS),
            Act::CallsUnstage(_) => retried(UNSTAGE_FAILS, UNSTAGE_ENDS),
            Act::CallsStage(id) | Act::CallsPublish(id) => {
                // Of an attachable volume, the wait is over when the VolumeAttachment is read.
                let begun = link_of(world, cluster, id)
                    .is_some_and(|link| cluster.place(link).kubelet.operation == KubeletOperation::Mount(id));
                if begun { When::After(WRITE.ms) } else { retried(MOUNT_FAILS, MOUNT_ENDS) }
            }
            Act::ReceivesStageOk(link) => answered(Method::NodeStageVolume, link),
            Act::ReceivesPublishOk(link) | Act::ReceivesPublishOkTooLate(link) => {
                answered(Method::NodePublishVolume, link)
            }
            Act::ReceivesUnpublishOk(link) => answered(Method::NodeUnpublishVolume, link),
            Act::ReceivesUnstageOk(link) => answered(Method::NodeUnstageVolume, link),
            Act::ReceivesStageFailed(_, failure)
            | Act::ReceivesPublishFailed(_, failure)
            | Act::ReceivesUnpublishFailed(_, failure)
            | Act::ReceivesUnstageFailed(_, failure)
            | Act::ReceivesInfoFailed(_, failure) => {
                // A caller that hears nothing gives up.
                When::After(if failure.hangs(world) { ATTACH_TIMEOUT.ms } else { WRITE.ms })
            }
            Act::ReceivesInfoOk(_) => When::After(WRITE.ms),
            Act::StartsContainers(_) | Act::PullsImage(_) => When::After(MOUNT_POLL.ms + START.ms),
            Act::StopsContainers(_) => When::After(WATCH.ms),
            Act::ReportsContainersEnded(_, exit) => When::After(match exit {
                Exit::Completed | Exit::Unknown => STOP.ms,
                Exit::Error => GRACE.ms + STOP.ms,
            }),
            Act::RemovesPod(_) => When::Every { period: VOLUMES_EXIST_POLL.ms, offset: 20 },
            // That one is over before anybody notices.
            Act::ReportsUnprocessed(_, Unprocessed::ClaimForbidden) => When::OnCommand,
            Act::ReportsContainersCompleted(_) => When::After(WORK.ms),
            Act::RejectsPod(_) => When::After(ATTACH_AND_MOUNT.ms),
            Act::ReportsUnprocessed(..) => When::Every { period: POD_SYNC_BACKOFF.ms, offset: 340 },
            Act::CallsPublishAgain(_) => When::Every { period: POD_SYNC.ms, offset: 90 },
            Act::RegistersDriver(_) => When::Retry {
                period: PLUGIN_MANAGER.ms,
                offset: 350,
                pause: BACKOFF.ms,
                most: BACKOFF_MAX.ms,
                fails: &["kubelet-receives-info-failed"],
                ends: &["kubelet-receives-info-ok"],
            },
            Act::DropsDriver(_) => When::Every { period: PLUGIN_MANAGER.ms, offset: 350 },
            Act::FailsFsGroup(_) => When::After(MOUNT.ms),
            Act::AppliesFsGroup(link) => When::Since {
                names: PUBLISHED,
                ms: MOUNT.ms + u64::from(world.volume(link.volume).owner_seconds) * 1000,
            },
            Act::TellsSlowFsGroup(_) => When::Since { names: PUBLISHED, ms: FSGROUP_EVENT.ms },
        }
    }
}

const MOUNT_FAILS: &[&str] = &[
    "kubelet-fails-mount",
    "kubelet-receives-stage-failed",
    "kubelet-receives-publish-failed",
    "kubelet-receives-publish-ok-too-late",
    "kubelet-fails-fs-group",
];
const PUBLISHED: &[&str] = &["kubelet-receives-publish-ok"];
const MOUNT_ENDS: &[&str] =
    &["kubelet-receives-publish-ok", "kubelet-calls-node-unpublish", "kubelet-calls-node-unstage"];
const UNMOUNT_FAILS: &[&str] = &["kubelet-receives-unpublish-failed"];
const UNMOUNT_ENDS: &[&str] = &["kubelet-receives-unpublish-ok", "kubelet-calls-node-publish"];
const UNSTAGE_FAILS: &[&str] = &["kubelet-receives-unstage-failed"];
const UNSTAGE_ENDS: &[&str] = &["kubelet-receives-unstage-ok", "kubelet-calls-node-stage"];

/// At the reconciler's next round; after a failure of the same operation, when its pause is over.
///
/// Source: pkg/volume/util/nestedpendingoperations/nestedpendingoperations.go.
fn retried(fails: &'static [&'static str], ends: &'static [&'static str]) -> When {
    When::Retry { period: RECONCILER.ms, offset: 90, pause: BACKOFF.ms, most: BACKOFF_MAX.ms, fails, ends }
}
