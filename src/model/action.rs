//! Everything that can happen, one variant a fact, with its name, its rule and where upstream says so.

use super::turn::link_of;
use super::{ActorId, Cluster, Exit, Link, NodeId, PodId, Role, World};

/// Something that an actor can do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the sentence that its name in `name` spells")]
pub enum Action {
    UserCreatesPod(PodId),
    SchedulerBindsPod(PodId, NodeId),
    UserDeletesPod(PodId),

    AdcFindsPod(PodId),
    AdcDropsPod(PodId),
    AdcCreatesAttachment(Link),
    AdcFindsAttachment(Link),
    AdcReportsMultiAttach(Link),
    AdcNoticesAttached(Link),
    AdcListsAttached(NodeId),
    AdcSeesInUse(NodeId),
    AdcUnlistsAttached(Link),
    AdcStartsDetach(Link),
    AdcDeletesAttachment(Link),
    AdcFindsStillInUse(Link),
    AdcNoticesDetached(Link),

    AttacherMarksAttachedAtOnce(Link),
    AttacherFinalizesVolume(Link),
    AttacherFinalizesAttachment(Link),
    AttacherCallsControllerPublish(Link),
    AttacherReceivesPublishOk(Link),
    AttacherRecordsAttached(Link),
    AttacherRepeatsControllerPublish(Link),
    AttacherCallsControllerUnpublish(Link),
    AttacherReceivesUnpublishOk(Link),
    AttacherReleasesAttachment(Link),
    AttacherReleasesVolume(Link),

    DriverAttachesVolume(Link),
    DriverDetachesVolume(Link),
    DriverStagesVolume(Link),
    DriverPublishesVolume(Link),
    DriverUnpublishesVolume(Link),
    DriverUnstagesVolume(Link),

    KubeletAdmitsPod(PodId),
    KubeletWantsVolume(PodId),
    KubeletReportsInUse(NodeId),
    KubeletVerifiesAttached(Link),
    KubeletMarksAttachedAtOnce(Link),
    KubeletReadsAttachment(PodId),
    KubeletCallsNodeStage(PodId),
    KubeletReceivesStageOk(Link),
    KubeletCallsNodePublish(PodId),
    KubeletReceivesPublishOk(Link),
    KubeletStartsContainers(PodId),
    KubeletStopsContainers(PodId),
    KubeletReportsContainersEnded(PodId, Exit),
    KubeletDropsPod(PodId),
    KubeletCallsNodeUnpublish(PodId),
    KubeletReceivesUnpublishOk(Link),
    KubeletRemovesPod(PodId),
    KubeletCallsNodeUnstage(Link),
    KubeletReceivesUnstageOk(Link),
    KubeletForgetsVolume(Link),
    KubeletReportsNotInUse(NodeId),
}

/// Who does it, the rule it follows, its name, and where Kubernetes or CSI say so.
type Fact = (Role, &'static str, &'static str, &'static str);

impl Action {
    /// Its name, such as `adc-creates-attachment`.
    pub fn name(self) -> &'static str {
        self.fact().2
    }

    /// The id of its rule, such as `AD6`.
    pub fn rule(self) -> &'static str {
        self.fact().1
    }

    /// A path in kubernetes/kubernetes or a sidecar's repository, or a section of the CSI specification.
    pub fn source(self) -> &'static str {
        self.fact().3
    }

    /// What kind of actor does it.
    pub fn role(self) -> Role {
        self.fact().0
    }

    /// Who does it, with the Node that it belongs to.
    pub fn actor(self, world: &World, cluster: &Cluster) -> ActorId {
        let role = self.role();
        let node = match role {
            Role::User
            | Role::KubeScheduler
            | Role::AttachDetachController
            | Role::ExternalAttacher
            | Role::DriverController => None,
            Role::Kubelet | Role::DriverNode | Role::Kernel => self.node(world, cluster),
        };
        ActorId { role, node }
    }

    fn fact(self) -> Fact {
        use Role::AttachDetachController as Adc;
        use Role::{DriverController, DriverNode, ExternalAttacher, KubeScheduler, Kubelet, User};
        const ADC: &str = "pkg/controller/volume/attachdetach/attach_detach_controller.go";
        const RECONCILER: &str = "pkg/controller/volume/attachdetach/reconciler/reconciler.go";
        const ADC_STATUS: &str = "pkg/controller/volume/attachdetach/statusupdater/node_status_updater.go";
        const CSI_ATTACHER: &str = "pkg/volume/csi/csi_attacher.go";
        const OPERATIONS: &str = "pkg/volume/util/operationexecutor/operation_generator.go";
        const EA_HANDLER: &str = "external-attacher pkg/controller/csi_handler.go";
        const EA_TRIVIAL: &str = "external-attacher pkg/controller/trivial_handler.go";
        const POPULATOR: &str = "pkg/kubelet/volumemanager/populator/desired_state_of_world_populator.go";
        const VOLUME_RECONCILER: &str = "pkg/kubelet/volumemanager/reconciler/reconciler.go";
        const NODE_STATUS: &str = "pkg/kubelet/nodestatus/setters.go";
        const KUBELET: &str = "pkg/kubelet/kubelet.go";
        match self {
            Action::UserCreatesPod(_) => {
                (User, "U2", "user-creates-pod", "pkg/registry/core/pod/strategy.go")
            }
            Action::SchedulerBindsPod(..) => (
                KubeScheduler,
                "SC4",
                "scheduler-binds-pod",
                "pkg/scheduler/framework/plugins/defaultbinder/default_binder.go",
            ),
            Action::UserDeletesPod(_) => {
                (User, "U3", "user-deletes-pod", "pkg/registry/core/pod/strategy.go")
            }
            Action::AdcFindsPod(_) => (Adc, "AD1", "adc-finds-pod", ADC),
            Action::AdcDropsPod(_) => (Adc, "AD2", "adc-drops-pod", ADC),
            Action::AdcCreatesAttachment(_) => (Adc, "AD6", "adc-creates-attachment", CSI_ATTACHER),
            Action::AdcFindsAttachment(_) => (Adc, "AD6", "adc-finds-attachment", CSI_ATTACHER),
            Action::AdcReportsMultiAttach(_) => (Adc, "AD5", "adc-reports-multi-attach", RECONCILER),
            Action::AdcNoticesAttached(_) => (Adc, "AD6", "adc-notices-attached", CSI_ATTACHER),
            Action::AdcListsAttached(_) => (Adc, "AD7", "adc-lists-attached", ADC_STATUS),
            Action::AdcSeesInUse(_) => (Adc, "AD8", "adc-sees-in-use", ADC),
            Action::AdcUnlistsAttached(_) => (Adc, "AD3", "adc-unlists-attached", RECONCILER),
            Action::AdcStartsDetach(_) => (Adc, "AD3", "adc-starts-detach", RECONCILER),
            Action::AdcDeletesAttachment(_) => (Adc, "AD4", "adc-deletes-attachment", OPERATIONS),
            Action::AdcFindsStillInUse(_) => (Adc, "AD4", "adc-finds-still-in-use", OPERATIONS),
            Action::AdcNoticesDetached(_) => (Adc, "AD4", "adc-notices-detached", CSI_ATTACHER),
            Action::AttacherMarksAttachedAtOnce(_) => {
                (ExternalAttacher, "EA0", "attacher-marks-attached-at-once", EA_TRIVIAL)
            }
            Action::AttacherFinalizesVolume(_) => {
                (ExternalAttacher, "EA1", "attacher-finalizes-volume", EA_HANDLER)
            }
            Action::AttacherFinalizesAttachment(_) => {
                (ExternalAttacher, "EA1", "attacher-finalizes-attachment", EA_HANDLER)
            }
            Action::AttacherCallsControllerPublish(_) => {
                (ExternalAttacher, "EA1", "attacher-calls-controller-publish", EA_HANDLER)
            }
            Action::AttacherReceivesPublishOk(_) => {
                (ExternalAttacher, "EA1", "attacher-receives-publish-ok", EA_HANDLER)
            }
            Action::AttacherRecordsAttached(_) => {
                (ExternalAttacher, "EA1", "attacher-records-attached", EA_HANDLER)
            }
            Action::AttacherRepeatsControllerPublish(_) => {
                (ExternalAttacher, "EA1", "attacher-repeats-controller-publish", EA_HANDLER)
            }
            Action::AttacherCallsControllerUnpublish(_) => {
                (ExternalAttacher, "EA3", "attacher-calls-controller-unpublish", EA_HANDLER)
            }
            Action::AttacherReceivesUnpublishOk(_) => {
                (ExternalAttacher, "EA3", "attacher-receives-unpublish-ok", EA_HANDLER)
            }
            Action::AttacherReleasesAttachment(_) => {
                (ExternalAttacher, "EA3", "attacher-releases-attachment", EA_HANDLER)
            }
            Action::AttacherReleasesVolume(_) => {
                (ExternalAttacher, "EA5", "attacher-releases-volume", EA_HANDLER)
            }
            Action::DriverAttachesVolume(_) => {
                (DriverController, "CSI", "driver-attaches-volume", "CSI spec, ControllerPublishVolume")
            }
            Action::DriverDetachesVolume(_) => {
                (DriverController, "CSI", "driver-detaches-volume", "CSI spec, ControllerUnpublishVolume")
            }
            Action::DriverStagesVolume(_) => {
                (DriverNode, "CSI", "driver-stages-volume", "CSI spec, NodeStageVolume")
            }
            Action::DriverPublishesVolume(_) => {
                (DriverNode, "CSI", "driver-publishes-volume", "CSI spec, NodePublishVolume")
            }
            Action::DriverUnpublishesVolume(_) => {
                (DriverNode, "CSI", "driver-unpublishes-volume", "CSI spec, NodeUnpublishVolume")
            }
            Action::DriverUnstagesVolume(_) => {
                (DriverNode, "CSI", "driver-unstages-volume", "CSI spec, NodeUnstageVolume")
            }
            Action::KubeletAdmitsPod(_) => (Kubelet, "K6", "kubelet-admits-pod", KUBELET),
            Action::KubeletWantsVolume(_) => (Kubelet, "K1", "kubelet-wants-volume", POPULATOR),
            Action::KubeletReportsInUse(_) => (Kubelet, "K2", "kubelet-reports-in-use", NODE_STATUS),
            Action::KubeletVerifiesAttached(_) => (Kubelet, "K3", "kubelet-verifies-attached", OPERATIONS),
            Action::KubeletMarksAttachedAtOnce(_) => {
                (Kubelet, "K3'", "kubelet-marks-attached-at-once", OPERATIONS)
            }
            Action::KubeletReadsAttachment(_) => (Kubelet, "K4", "kubelet-reads-attachment", CSI_ATTACHER),
            Action::KubeletCallsNodeStage(_) => (Kubelet, "K4", "kubelet-calls-node-stage", CSI_ATTACHER),
            Action::KubeletReceivesStageOk(_) => (Kubelet, "K4", "kubelet-receives-stage-ok", OPERATIONS),
            Action::KubeletCallsNodePublish(_) => {
                (Kubelet, "K4", "kubelet-calls-node-publish", "pkg/volume/csi/csi_mounter.go")
            }
            Action::KubeletReceivesPublishOk(_) => (Kubelet, "K4", "kubelet-receives-publish-ok", OPERATIONS),
            Action::KubeletStartsContainers(_) => (Kubelet, "K6", "kubelet-starts-containers", KUBELET),
            Action::KubeletStopsContainers(_) => (
                Kubelet,
                "K6",
                "kubelet-stops-containers",
                "pkg/kubelet/kuberuntime/kuberuntime_container.go",
            ),
            Action::KubeletReportsContainersEnded(..) => {
                (Kubelet, "K6", "kubelet-reports-containers-ended", "pkg/kubelet/status/status_manager.go")
            }
            Action::KubeletDropsPod(_) => (Kubelet, "K8", "kubelet-drops-pod", POPULATOR),
            Action::KubeletCallsNodeUnpublish(_) => {
                (Kubelet, "K9", "kubelet-calls-node-unpublish", "pkg/volume/csi/csi_mounter.go")
            }
            Action::KubeletReceivesUnpublishOk(_) => {
                (Kubelet, "K9", "kubelet-receives-unpublish-ok", OPERATIONS)
            }
            Action::KubeletRemovesPod(_) => (Kubelet, "K12", "kubelet-removes-pod", KUBELET),
            Action::KubeletCallsNodeUnstage(_) => {
                (Kubelet, "K10", "kubelet-calls-node-unstage", CSI_ATTACHER)
            }
            Action::KubeletReceivesUnstageOk(_) => {
                (Kubelet, "K10", "kubelet-receives-unstage-ok", OPERATIONS)
            }
            Action::KubeletForgetsVolume(_) => (Kubelet, "K11", "kubelet-forgets-volume", VOLUME_RECONCILER),
            Action::KubeletReportsNotInUse(_) => (Kubelet, "K2", "kubelet-reports-not-in-use", NODE_STATUS),
        }
    }

    /// The Node that it happens on; `None` while its Pod is unbound.
    fn node(self, world: &World, cluster: &Cluster) -> Option<NodeId> {
        match self.subject() {
            Subject::Pod(pod) => link_of(world, cluster, pod).map(|link| link.node),
            Subject::Link(link) => Some(link.node),
            Subject::Node(node) => Some(node),
        }
    }

    /// What it is about.
    pub fn subject(self) -> Subject {
        use Action::*;
        match self {
            UserCreatesPod(pod)
            | SchedulerBindsPod(pod, _)
            | UserDeletesPod(pod)
            | AdcFindsPod(pod)
            | AdcDropsPod(pod)
            | KubeletAdmitsPod(pod)
            | KubeletWantsVolume(pod)
            | KubeletReadsAttachment(pod)
            | KubeletCallsNodeStage(pod)
            | KubeletCallsNodePublish(pod)
            | KubeletStartsContainers(pod)
            | KubeletStopsContainers(pod)
            | KubeletReportsContainersEnded(pod, _)
            | KubeletDropsPod(pod)
            | KubeletCallsNodeUnpublish(pod)
            | KubeletRemovesPod(pod) => Subject::Pod(pod),
            AdcCreatesAttachment(link)
            | AdcFindsAttachment(link)
            | AdcReportsMultiAttach(link)
            | AdcNoticesAttached(link)
            | AdcUnlistsAttached(link)
            | AdcStartsDetach(link)
            | AdcDeletesAttachment(link)
            | AdcFindsStillInUse(link)
            | AdcNoticesDetached(link)
            | AttacherMarksAttachedAtOnce(link)
            | AttacherFinalizesVolume(link)
            | AttacherFinalizesAttachment(link)
            | AttacherCallsControllerPublish(link)
            | AttacherReceivesPublishOk(link)
            | AttacherRecordsAttached(link)
            | AttacherRepeatsControllerPublish(link)
            | AttacherCallsControllerUnpublish(link)
            | AttacherReceivesUnpublishOk(link)
            | AttacherReleasesAttachment(link)
            | AttacherReleasesVolume(link)
            | DriverAttachesVolume(link)
            | DriverDetachesVolume(link)
            | DriverStagesVolume(link)
            | DriverPublishesVolume(link)
            | DriverUnpublishesVolume(link)
            | DriverUnstagesVolume(link)
            | KubeletVerifiesAttached(link)
            | KubeletMarksAttachedAtOnce(link)
            | KubeletReceivesStageOk(link)
            | KubeletReceivesPublishOk(link)
            | KubeletReceivesUnpublishOk(link)
            | KubeletCallsNodeUnstage(link)
            | KubeletReceivesUnstageOk(link)
            | KubeletForgetsVolume(link) => Subject::Link(link),
            AdcListsAttached(node)
            | AdcSeesInUse(node)
            | KubeletReportsInUse(node)
            | KubeletReportsNotInUse(node) => Subject::Node(node),
        }
    }
}

/// What an action is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A Pod.
    Pod(PodId),
    /// A volume and a Node.
    Link(Link),
    /// A Node.
    Node(NodeId),
}
