//! What is known of each of kubelet's acts whatever it is about: its rule, its name, its source, and when it comes.

use super::Act;
use crate::model::action::Fact;
use crate::model::timing::{
    ATTACH_AND_MOUNT, GRACE, MOUNT_POLL, NODE_STATUS, PLUGIN_MANAGER, POD_SYNC, POD_SYNC_BACKOFF, POPULATOR,
    RECONCILER, START, STOP, VOLUMES_EXIST_POLL, WATCH, WRITE, When,
};
use crate::model::{Cluster, Exit, Role, World};

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
        }
    }

    pub(in crate::model) fn when(self, _: &World, _: &Cluster) -> When {
        let reconcile = When::Every { period: RECONCILER.ms, offset: 90 };
        let node_status = When::Every { period: NODE_STATUS.ms, offset: 5_800 };
        let plugins = When::Every { period: PLUGIN_MANAGER.ms, offset: 350 };
        match self {
            Act::AdmitsPod(_) => When::After(WATCH.ms + WRITE.ms),
            Act::WantsVolume(_) => When::Every { period: POPULATOR.ms, offset: 40 },
            // The containers end first, within the stop of which this has been possible.
            Act::DropsPod(_) => When::After(STOP.ms + POPULATOR.ms),
            Act::ReportsInUse(_) | Act::ReportsNotInUse(_) => node_status,
            Act::VerifiesAttached(_)
            | Act::MarksAttachedAtOnce(_)
            | Act::CallsUnpublish(_)
            | Act::CallsUnstage(_)
            | Act::ForgetsVolume(_)
            | Act::ReconstructsVolumes(_)
            | Act::ResolvesVolumes(_)
            | Act::FailsMount(..)
            | Act::ReadsAttachment(_) => reconcile,
            Act::CallsStage(_)
            | Act::ReceivesStageOk(_)
            | Act::CallsPublish(_)
            | Act::ReceivesPublishOk(_)
            | Act::ReceivesUnpublishOk(_)
            | Act::ReceivesStageFailed(..)
            | Act::ReceivesPublishFailed(..)
            | Act::ReceivesPublishOkTooLate(_)
            | Act::ReceivesUnpublishFailed(..)
            | Act::ReceivesUnstageFailed(..)
            | Act::ReceivesInfoOk(_)
            | Act::ReceivesInfoFailed(..)
            | Act::ReceivesUnstageOk(_) => When::After(WRITE.ms),
            Act::StartsContainers(_) => When::After(MOUNT_POLL.ms + START.ms),
            Act::StopsContainers(_) => When::After(WATCH.ms),
            Act::ReportsContainersEnded(_, exit) => When::After(match exit {
                Exit::Completed | Exit::Unknown => STOP.ms,
                Exit::Error => GRACE.ms + STOP.ms,
            }),
            Act::RemovesPod(_) => When::Every { period: VOLUMES_EXIST_POLL.ms, offset: 20 },
            Act::RejectsPod(_) => When::After(ATTACH_AND_MOUNT.ms),
            Act::ReportsUnprocessed(..) => When::Every { period: POD_SYNC_BACKOFF.ms, offset: 340 },
            Act::CallsPublishAgain(_) => When::Every { period: POD_SYNC.ms, offset: 90 },
            Act::RegistersDriver(_) | Act::DropsDriver(_) => plugins,
        }
    }
}
