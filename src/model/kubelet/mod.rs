//! kubelet: its volume manager, its CSI calls and the Pod's containers (K1 to K12).

mod mount;
mod pod;
mod reject;
mod state;
mod volumes;

use super::action::{Fact, Subject};
use super::event::{EventType, Text};
use super::timing::{
    ATTACH_AND_MOUNT, GRACE, MOUNT_POLL, NODE_STATUS, POPULATOR, RECONCILER, START, STOP, VOLUMES_EXIST_POLL,
    WATCH, WRITE, When,
};
use super::turn::Turn;
use super::{Action, Cluster, Exit, Link, NodeId, PodId, Role, Unmet, World};
pub(super) use mount::{begin, operation};
pub use state::{Kubelet, KubeletOperation};
pub(super) use volumes::report;

/// Something that kubelet does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the sentence that its name in `fact` spells")]
pub enum Act {
    AdmitsPod(PodId),
    WantsVolume(PodId),
    ReportsInUse(NodeId),
    VerifiesAttached(Link),
    MarksAttachedAtOnce(Link),
    ReadsAttachment(PodId),
    CallsStage(PodId),
    ReceivesStageOk(Link),
    CallsPublish(PodId),
    ReceivesPublishOk(Link),
    StartsContainers(PodId),
    StopsContainers(PodId),
    ReportsContainersEnded(PodId, Exit),
    DropsPod(PodId),
    CallsUnpublish(PodId),
    ReceivesUnpublishOk(Link),
    RemovesPod(PodId),
    CallsUnstage(Link),
    ReceivesUnstageOk(Link),
    ForgetsVolume(Link),
    ReportsNotInUse(NodeId),
    RejectsPod(PodId),
}

/// An Event that kubelet sends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Event {
    /// It found the Pod's image.
    Pulled(PodId),
    /// It created the container.
    Created,
    /// It started the container.
    Started,
    /// It told the Pod's container to stop.
    Killing(PodId),
    /// It rejected the Pod, since its Node can take no more volumes.
    VolumeAttachmentLimitExceeded(PodId),
}

impl Event {
    pub(super) fn text(self, world: &World) -> Text {
        let mut kind = EventType::Normal;
        let (reason, message) = match self {
            Event::Pulled(pod) => (
                "Pulled",
                format!(
                    "Container image \"{}\" already present on machine and can be accessed by the pod",
                    world.pod(pod).image
                ),
            ),
            Event::Created => ("Created", "Container created".into()),
            Event::Started => ("Started", "Container started".into()),
            Event::Killing(pod) => ("Killing", format!("Stopping container {}", world.pod(pod).container)),
            Event::VolumeAttachmentLimitExceeded(pod) => {
                kind = EventType::Warning;
                let volume = &world.pod(pod).volume_name;
                (
                    "VolumeAttachmentLimitExceeded",
                    format!(
                        "Node has reached its volume attachment limit, rejecting pod. unmounted \
                         volumes=[{volume}], unattached volumes=[{volume}], failed to process volumes=[]: \
                         context deadline exceeded"
                    ),
                )
            }
        };
        (kind, reason, message)
    }
}

impl Act {
    pub(super) fn fact(self) -> Fact {
        const CONTAINER: &str = "pkg/kubelet/kuberuntime/kuberuntime_container.go";
        const CSI_ATTACHER: &str = "pkg/volume/csi/csi_attacher.go";
        const CSI_MOUNTER: &str = "pkg/volume/csi/csi_mounter.go";
        const KUBELET: &str = "pkg/kubelet/kubelet.go";
        const NODE_STATUS_SETTERS: &str = "pkg/kubelet/nodestatus/setters.go";
        const OPERATIONS: &str = "pkg/volume/util/operationexecutor/operation_generator.go";
        const POPULATOR: &str = "pkg/kubelet/volumemanager/populator/desired_state_of_world_populator.go";
        const RECONCILER_GO: &str = "pkg/kubelet/volumemanager/reconciler/reconciler.go";
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
            Act::CallsUnstage(_) => fact("K10", "kubelet-calls-node-unstage", CSI_ATTACHER),
            Act::ReceivesUnstageOk(_) => fact("K10", "kubelet-receives-unstage-ok", OPERATIONS),
            Act::ForgetsVolume(_) => fact("K11", "kubelet-forgets-volume", RECONCILER_GO),
            Act::ReportsNotInUse(_) => fact("K2", "kubelet-reports-not-in-use", NODE_STATUS_SETTERS),
            Act::RejectsPod(_) => fact("K6", "kubelet-rejects-pod", KUBELET),
        }
    }

    pub(super) fn subject(self) -> Subject {
        match self {
            Act::AdmitsPod(pod)
            | Act::WantsVolume(pod)
            | Act::ReadsAttachment(pod)
            | Act::CallsStage(pod)
            | Act::CallsPublish(pod)
            | Act::StartsContainers(pod)
            | Act::StopsContainers(pod)
            | Act::DropsPod(pod)
            | Act::CallsUnpublish(pod)
            | Act::RemovesPod(pod)
            | Act::ReportsContainersEnded(pod, _)
            | Act::RejectsPod(pod) => Subject::Pod(pod),
            Act::VerifiesAttached(link)
            | Act::MarksAttachedAtOnce(link)
            | Act::ReceivesStageOk(link)
            | Act::ReceivesPublishOk(link)
            | Act::ReceivesUnpublishOk(link)
            | Act::CallsUnstage(link)
            | Act::ReceivesUnstageOk(link)
            | Act::ForgetsVolume(link) => Subject::Link(link),
            Act::ReportsInUse(node) | Act::ReportsNotInUse(node) => Subject::Node(node),
        }
    }

    pub(super) fn when(self, _: &World, _: &Cluster) -> When {
        let reconcile = When::Every { period: RECONCILER.ms, offset: 90 };
        let node_status = When::Every { period: NODE_STATUS.ms, offset: 5_800 };
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
            | Act::ReadsAttachment(_) => reconcile,
            Act::CallsStage(_)
            | Act::ReceivesStageOk(_)
            | Act::CallsPublish(_)
            | Act::ReceivesPublishOk(_)
            | Act::ReceivesUnpublishOk(_)
            | Act::ReceivesUnstageOk(_) => When::After(WRITE.ms),
            Act::StartsContainers(_) => When::After(MOUNT_POLL.ms + START.ms),
            Act::StopsContainers(_) => When::After(WATCH.ms),
            Act::ReportsContainersEnded(_, exit) => When::After(match exit {
                Exit::Completed | Exit::Unknown => STOP.ms,
                Exit::Error => GRACE.ms + STOP.ms,
            }),
            Act::RemovesPod(_) => When::Every { period: VOLUMES_EXIST_POLL.ms, offset: 20 },
            Act::RejectsPod(_) => When::After(ATTACH_AND_MOUNT.ms),
        }
    }

    pub(super) fn run(self, t: &mut Turn) -> Result<(), Unmet> {
        match self {
            Act::AdmitsPod(id) => pod::admitted(t, id),
            Act::WantsVolume(id) => volumes::wants_volume(t, id),
            Act::ReportsInUse(node) => volumes::reports_in_use(t, node),
            Act::VerifiesAttached(link) => volumes::verifies_attached(t, link),
            Act::MarksAttachedAtOnce(link) => volumes::marks_attached_at_once(t, link),
            Act::ReadsAttachment(id) => volumes::reads_attachment(t, id),
            Act::CallsStage(id) => mount::calls_stage(t, id),
            Act::ReceivesStageOk(link) => mount::receives_stage_ok(t, link),
            Act::CallsPublish(id) => mount::calls_publish(t, id),
            Act::ReceivesPublishOk(link) => mount::receives_publish_ok(t, link),
            Act::StartsContainers(id) => pod::started(t, id),
            Act::StopsContainers(id) => pod::stopped(t, id),
            Act::ReportsContainersEnded(id, exit) => pod::ended(t, id, exit),
            Act::DropsPod(id) => volumes::drops_pod(t, id),
            Act::CallsUnpublish(id) => mount::calls_unpublish(t, id),
            Act::ReceivesUnpublishOk(link) => mount::receives_unpublish_ok(t, link),
            Act::RemovesPod(id) => pod::removed(t, id),
            Act::CallsUnstage(link) => mount::calls_unstage(t, link),
            Act::ReceivesUnstageOk(link) => mount::receives_unstage_ok(t, link),
            Act::ForgetsVolume(link) => volumes::forgets_volume(t, link),
            Act::ReportsNotInUse(node) => volumes::reports_not_in_use(t, node),
            Act::RejectsPod(id) => reject::rejects_pod(t, id),
        }
    }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    for id in world.pods() {
        let all = [
            Act::AdmitsPod(id),
            Act::WantsVolume(id),
            Act::ReadsAttachment(id),
            Act::CallsStage(id),
            Act::CallsPublish(id),
            Act::StartsContainers(id),
            Act::StopsContainers(id),
            Act::DropsPod(id),
            Act::CallsUnpublish(id),
            Act::RemovesPod(id),
            Act::ReportsContainersEnded(id, Exit::Completed),
            Act::ReportsContainersEnded(id, Exit::Error),
            Act::ReportsContainersEnded(id, Exit::Unknown),
            Act::RejectsPod(id),
        ];
        found.extend(all.map(Action::Kubelet));
    }
    for node in world.nodes() {
        found.extend([Act::ReportsInUse(node), Act::ReportsNotInUse(node)].map(Action::Kubelet));
    }
    for link in world.links() {
        let all = [
            Act::VerifiesAttached(link),
            Act::MarksAttachedAtOnce(link),
            Act::ReceivesStageOk(link),
            Act::ReceivesPublishOk(link),
            Act::ReceivesUnpublishOk(link),
            Act::CallsUnstage(link),
            Act::ReceivesUnstageOk(link),
            Act::ForgetsVolume(link),
        ];
        found.extend(all.map(Action::Kubelet));
    }
}
