//! The rules as one function: from a state and an action to the next state and what was done, or a refusal.

use super::turn::Turn;
use super::{Action, Cluster, Exit, Outcome, Refusal, Unmet, World};
use super::{rules_adc as adc, rules_attacher as attacher, rules_kubelet as kubelet};
use super::{rules_mount as mount, rules_pod as pod};

/// Lets an action happen.
///
/// # Errors
/// When its rule does not allow it now: the first guard that does not hold.
pub fn apply(world: &World, cluster: &Cluster, action: Action) -> Result<Outcome, Refusal> {
    let mut turn = Turn::new(world, cluster, action.actor(world, cluster));
    match run(&mut turn, action) {
        Ok(()) => Ok(turn.finish()),
        Err(unmet) => Err(Refusal { action, unmet }),
    }
}

/// Every action that its rule allows now, in a fixed order.
pub fn actions(world: &World, cluster: &Cluster) -> Vec<Action> {
    candidates(world).filter(|action| apply(world, cluster, *action).is_ok()).collect()
}

fn run(t: &mut Turn, action: Action) -> Result<(), Unmet> {
    match action {
        Action::UserCreatesPod(id) => pod::created(t, id),
        Action::SchedulerBindsPod(id, node) => pod::bound(t, id, node),
        Action::UserDeletesPod(id) => pod::deleted(t, id),
        Action::AdcFindsPod(id) => adc::finds_pod(t, id),
        Action::AdcDropsPod(id) => adc::drops_pod(t, id),
        Action::AdcCreatesAttachment(link) => adc::creates_attachment(t, link),
        Action::AdcFindsAttachment(link) => adc::finds_attachment(t, link),
        Action::AdcReportsMultiAttach(link) => adc::reports_multi_attach(t, link),
        Action::AdcNoticesAttached(link) => adc::notices_attached(t, link),
        Action::AdcListsAttached(node) => adc::lists_attached(t, node),
        Action::AdcSeesInUse(node) => adc::sees_in_use(t, node),
        Action::AdcUnlistsAttached(link) => adc::unlists_attached(t, link),
        Action::AdcStartsDetach(link) => adc::starts_detach(t, link),
        Action::AdcDeletesAttachment(link) => adc::deletes_attachment(t, link),
        Action::AdcFindsStillInUse(link) => adc::finds_still_in_use(t, link),
        Action::AdcNoticesDetached(link) => adc::notices_detached(t, link),
        Action::AttacherMarksAttachedAtOnce(link) => attacher::marks_attached_at_once(t, link),
        Action::AttacherFinalizesVolume(link) => attacher::finalizes_volume(t, link),
        Action::AttacherFinalizesAttachment(link) => attacher::finalizes_attachment(t, link),
        Action::AttacherCallsControllerPublish(link) => attacher::calls_publish(t, link),
        Action::AttacherReceivesPublishOk(link) => attacher::receives_publish_ok(t, link),
        Action::AttacherRecordsAttached(link) => attacher::records_attached(t, link),
        Action::AttacherRepeatsControllerPublish(link) => attacher::repeats_publish(t, link),
        Action::AttacherCallsControllerUnpublish(link) => attacher::calls_unpublish(t, link),
        Action::AttacherReceivesUnpublishOk(link) => attacher::receives_unpublish_ok(t, link),
        Action::AttacherReleasesAttachment(link) => attacher::releases_attachment(t, link),
        Action::AttacherReleasesVolume(link) => attacher::releases_volume(t, link),
        Action::DriverAttachesVolume(link) => attacher::attaches(t, link),
        Action::DriverDetachesVolume(link) => attacher::detaches(t, link),
        Action::DriverStagesVolume(link) => mount::stages(t, link),
        Action::DriverPublishesVolume(link) => mount::publishes(t, link),
        Action::DriverUnpublishesVolume(link) => mount::unpublishes(t, link),
        Action::DriverUnstagesVolume(link) => mount::unstages(t, link),
        Action::KubeletAdmitsPod(id) => pod::admitted(t, id),
        Action::KubeletWantsVolume(id) => kubelet::wants_volume(t, id),
        Action::KubeletReportsInUse(node) => kubelet::reports_in_use(t, node),
        Action::KubeletVerifiesAttached(link) => kubelet::verifies_attached(t, link),
        Action::KubeletMarksAttachedAtOnce(link) => kubelet::marks_attached_at_once(t, link),
        Action::KubeletReadsAttachment(id) => kubelet::reads_attachment(t, id),
        Action::KubeletCallsNodeStage(id) => mount::calls_stage(t, id),
        Action::KubeletReceivesStageOk(link) => mount::receives_stage_ok(t, link),
        Action::KubeletCallsNodePublish(id) => mount::calls_publish(t, id),
        Action::KubeletReceivesPublishOk(link) => mount::receives_publish_ok(t, link),
        Action::KubeletStartsContainers(id) => pod::started(t, id),
        Action::KubeletStopsContainers(id) => pod::stopped(t, id),
        Action::KubeletReportsContainersEnded(id, exit) => pod::ended(t, id, exit),
        Action::KubeletDropsPod(id) => kubelet::drops_pod(t, id),
        Action::KubeletCallsNodeUnpublish(id) => mount::calls_unpublish(t, id),
        Action::KubeletReceivesUnpublishOk(link) => mount::receives_unpublish_ok(t, link),
        Action::KubeletRemovesPod(id) => pod::removed(t, id),
        Action::KubeletCallsNodeUnstage(link) => mount::calls_unstage(t, link),
        Action::KubeletReceivesUnstageOk(link) => mount::receives_unstage_ok(t, link),
        Action::KubeletForgetsVolume(link) => kubelet::forgets_volume(t, link),
        Action::KubeletReportsNotInUse(node) => kubelet::reports_not_in_use(t, node),
    }
}

/// Every action that could ever happen in a world, in the order in which ties are broken.
pub fn candidates(world: &World) -> impl Iterator<Item = Action> + '_ {
    let of_pods = world.pods().flat_map(|id| {
        let binds = world.nodes().map(move |node| Action::SchedulerBindsPod(id, node));
        binds.chain([
            Action::UserCreatesPod(id),
            Action::UserDeletesPod(id),
            Action::AdcFindsPod(id),
            Action::AdcDropsPod(id),
            Action::KubeletAdmitsPod(id),
            Action::KubeletWantsVolume(id),
            Action::KubeletReadsAttachment(id),
            Action::KubeletCallsNodeStage(id),
            Action::KubeletCallsNodePublish(id),
            Action::KubeletStartsContainers(id),
            Action::KubeletStopsContainers(id),
            Action::KubeletReportsContainersEnded(id, Exit::Completed),
            Action::KubeletReportsContainersEnded(id, Exit::Error),
            Action::KubeletReportsContainersEnded(id, Exit::Unknown),
            Action::KubeletDropsPod(id),
            Action::KubeletCallsNodeUnpublish(id),
            Action::KubeletRemovesPod(id),
        ])
    });
    let of_nodes = world.nodes().flat_map(|node| {
        [
            Action::AdcListsAttached(node),
            Action::KubeletReportsInUse(node),
            Action::KubeletReportsNotInUse(node),
            Action::AdcSeesInUse(node),
        ]
    });
    let of_links = world.links().flat_map(|link| {
        [
            Action::AdcCreatesAttachment(link),
            Action::AdcFindsAttachment(link),
            Action::AdcReportsMultiAttach(link),
            Action::AttacherMarksAttachedAtOnce(link),
            Action::AttacherFinalizesVolume(link),
            Action::AttacherFinalizesAttachment(link),
            Action::AttacherCallsControllerPublish(link),
            Action::DriverAttachesVolume(link),
            Action::AttacherReceivesPublishOk(link),
            Action::AttacherRecordsAttached(link),
            Action::AttacherRepeatsControllerPublish(link),
            Action::AdcNoticesAttached(link),
            Action::KubeletVerifiesAttached(link),
            Action::KubeletMarksAttachedAtOnce(link),
            Action::DriverStagesVolume(link),
            Action::KubeletReceivesStageOk(link),
            Action::DriverPublishesVolume(link),
            Action::KubeletReceivesPublishOk(link),
            Action::DriverUnpublishesVolume(link),
            Action::KubeletReceivesUnpublishOk(link),
            Action::KubeletCallsNodeUnstage(link),
            Action::DriverUnstagesVolume(link),
            Action::KubeletReceivesUnstageOk(link),
            Action::KubeletForgetsVolume(link),
            Action::AdcUnlistsAttached(link),
            Action::AdcStartsDetach(link),
            Action::AdcDeletesAttachment(link),
            Action::AdcFindsStillInUse(link),
            Action::AttacherCallsControllerUnpublish(link),
            Action::DriverDetachesVolume(link),
            Action::AttacherReceivesUnpublishOk(link),
            Action::AttacherReleasesAttachment(link),
            Action::AttacherReleasesVolume(link),
            Action::AdcNoticesDetached(link),
        ]
    });
    of_pods.chain(of_nodes).chain(of_links)
}
