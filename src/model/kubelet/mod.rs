//! kubelet: its volume manager, its CSI calls, its drivers and the Pod's containers (K1 to K17, R2, R3).

mod checks;
mod class;
mod error;
mod event;
mod facts;
mod failing;
pub mod fs_group;
mod mount;
mod owner;
mod pod;
mod populator;
mod register;
mod reject;
mod restart;
mod state;
mod unmount;
mod volumes;

use super::action::Subject;
use super::driver::failures;
use super::turn::Turn;
use super::{Action, Exit, Failure, Link, Method, NodeId, PodId, Unmet, World};
pub use class::{DeviceSteps, ErrorClass, mount_device, unmount_device};
pub use error::{MountError, Processed, Unprocessed};
pub use event::Event;
pub(super) use mount::{begin, operation};
pub(super) use restart::{forgets, loses_socket};
pub use state::{Agent, Boot, Files, Kubelet, KubeletOperation, MountState, Registration};
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
    ReportsContainersCompleted(PodId),
    ReportsUnprocessed(PodId, Unprocessed),
    FailsMount(PodId, MountError),
    ReceivesStageFailed(Link, Failure),
    ReceivesPublishFailed(Link, Failure),
    ReceivesPublishOkTooLate(Link),
    ReceivesUnpublishFailed(Link, Failure),
    ReceivesUnstageFailed(Link, Failure),
    CallsPublishAgain(PodId),
    ReconstructsVolumes(NodeId),
    ResolvesVolumes(NodeId),
    RegistersDriver(NodeId),
    ReceivesInfoOk(NodeId),
    ReceivesInfoFailed(NodeId, Failure),
    DropsDriver(NodeId),
    PullsImage(PodId),
    AppliesFsGroup(Link),
    FailsFsGroup(Link),
    TellsSlowFsGroup(Link),
}

impl Act {
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
            | Act::ReportsUnprocessed(pod, _)
            | Act::RejectsPod(pod)
            | Act::ReportsContainersCompleted(pod)
            | Act::FailsMount(pod, _)
            | Act::CallsPublishAgain(pod)
            | Act::PullsImage(pod)
            | Act::ReportsContainersEnded(pod, _) => Subject::Pod(pod),
            Act::VerifiesAttached(link)
            | Act::MarksAttachedAtOnce(link)
            | Act::ReceivesStageOk(link)
            | Act::ReceivesPublishOk(link)
            | Act::ReceivesUnpublishOk(link)
            | Act::CallsUnstage(link)
            | Act::ReceivesUnstageOk(link)
            | Act::ReceivesStageFailed(link, _)
            | Act::ReceivesPublishFailed(link, _)
            | Act::ReceivesPublishOkTooLate(link)
            | Act::ReceivesUnpublishFailed(link, _)
            | Act::ReceivesUnstageFailed(link, _)
            | Act::AppliesFsGroup(link)
            | Act::FailsFsGroup(link)
            | Act::TellsSlowFsGroup(link)
            | Act::ForgetsVolume(link) => Subject::Link(link),
            Act::ReportsInUse(node)
            | Act::ReportsNotInUse(node)
            | Act::ReconstructsVolumes(node)
            | Act::ResolvesVolumes(node)
            | Act::RegistersDriver(node)
            | Act::ReceivesInfoOk(node)
            | Act::ReceivesInfoFailed(node, _)
            | Act::DropsDriver(node) => Subject::Node(node),
        }
    }

    pub(super) fn run(self, t: &mut Turn) -> Result<(), Unmet> {
        match self {
            Act::AdmitsPod(id) => pod::admitted(t, id),
            Act::WantsVolume(id) => populator::wants_volume(t, id),
            Act::ReportsInUse(node) => volumes::reports_in_use(t, node),
            Act::VerifiesAttached(link) => volumes::verifies_attached(t, link),
            Act::MarksAttachedAtOnce(link) => volumes::marks_attached_at_once(t, link),
            Act::ReadsAttachment(id) => checks::reads_attachment(t, id),
            Act::CallsStage(id) => mount::calls_stage(t, id),
            Act::ReceivesStageOk(link) => mount::receives_stage_ok(t, link),
            Act::CallsPublish(id) => mount::calls_publish(t, id),
            Act::ReceivesPublishOk(link) => mount::receives_publish_ok(t, link),
            Act::StartsContainers(id) => pod::started(t, id),
            Act::StopsContainers(id) => pod::stopped(t, id),
            Act::ReportsContainersEnded(id, exit) => pod::ended(t, id, exit),
            Act::DropsPod(id) => populator::drops_pod(t, id),
            Act::CallsUnpublish(id) => unmount::calls_unpublish(t, id),
            Act::ReceivesUnpublishOk(link) => unmount::receives_unpublish_ok(t, link),
            Act::RemovesPod(id) => pod::removed(t, id),
            Act::CallsUnstage(link) => unmount::calls_unstage(t, link),
            Act::ReceivesUnstageOk(link) => unmount::receives_unstage_ok(t, link),
            Act::ForgetsVolume(link) => unmount::forgets_volume(t, link),
            Act::ReportsNotInUse(node) => volumes::reports_not_in_use(t, node),
            Act::RejectsPod(id) => reject::rejects_pod(t, id),
            Act::ReportsContainersCompleted(id) => pod::completed(t, id),
            Act::ReportsUnprocessed(id, error) => populator::reports_unprocessed(t, id, error),
            Act::FailsMount(id, error) => checks::fails_mount(t, id, error),
            Act::ReceivesStageFailed(link, failure) => failing::stage(t, link, failure),
            Act::ReceivesPublishFailed(link, failure) => failing::publish(t, link, failure),
            Act::ReceivesPublishOkTooLate(link) => failing::publish_ok_too_late(t, link),
            Act::ReceivesUnpublishFailed(link, failure) => failing::unpublish(t, link, failure),
            Act::ReceivesUnstageFailed(link, failure) => failing::unstage(t, link, failure),
            Act::CallsPublishAgain(id) => mount::calls_publish_again(t, id),
            Act::ReconstructsVolumes(node) => restart::reconstructs(t, node),
            Act::ResolvesVolumes(node) => restart::resolves(t, node),
            Act::RegistersDriver(node) => register::registers(t, node),
            Act::ReceivesInfoOk(node) => register::receives_info_ok(t, node),
            Act::ReceivesInfoFailed(node, failure) => register::receives_info_failed(t, node, failure),
            Act::DropsDriver(node) => register::drops_driver(t, node),
            Act::PullsImage(id) => pod::begun(t, id),
            Act::AppliesFsGroup(link) => owner::applies(t, link),
            Act::FailsFsGroup(link) => owner::fails(t, link),
            Act::TellsSlowFsGroup(link) => owner::tells_slow(t, link),
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
            Act::ReportsContainersCompleted(id),
            Act::CallsPublishAgain(id),
            Act::PullsImage(id),
        ];
        found.extend(all.map(Action::Kubelet));
        let errors = MountError::ALL.into_iter().filter(|error| error.is_possible(world));
        found.extend(errors.map(|error| Action::Kubelet(Act::FailsMount(id, error))));
        let errors = Unprocessed::ALL.into_iter().filter(|error| error.is_possible(world));
        found.extend(errors.map(|error| Action::Kubelet(Act::ReportsUnprocessed(id, error))));
    }
    for node in world.nodes() {
        let all = [
            Act::ReportsInUse(node),
            Act::ReportsNotInUse(node),
            Act::ReconstructsVolumes(node),
            Act::ResolvesVolumes(node),
            Act::RegistersDriver(node),
            Act::ReceivesInfoOk(node),
            Act::DropsDriver(node),
        ];
        found.extend(all.map(Action::Kubelet));
        let failures = failures(world, Method::NodeGetInfo, Some(node));
        found.extend(failures.map(|failure| Action::Kubelet(Act::ReceivesInfoFailed(node, failure))));
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
            Act::ReceivesPublishOkTooLate(link),
        ];
        found.extend(all.map(Action::Kubelet));
        if world.pods().any(|id| owner::changes(world, link, id)) {
            let all = [Act::AppliesFsGroup(link), Act::FailsFsGroup(link), Act::TellsSlowFsGroup(link)];
            found.extend(all.map(Action::Kubelet));
        }
        let failed: [(Method, Failed); 4] = [
            (Method::NodeStageVolume, Act::ReceivesStageFailed),
            (Method::NodePublishVolume, Act::ReceivesPublishFailed),
            (Method::NodeUnpublishVolume, Act::ReceivesUnpublishFailed),
            (Method::NodeUnstageVolume, Act::ReceivesUnstageFailed),
        ];
        for (method, act) in failed {
            found.extend(failures(world, method, Some(link.node)).map(|f| Action::Kubelet(act(link, f))));
        }
    }
}

/// The act that follows a call which failed.
type Failed = fn(Link, Failure) -> Act;
