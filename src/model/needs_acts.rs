//! Which of the needs each act has.

use super::action::Subject;
use super::needs::Need;
use super::{
    Action, ClaimId, Link, NodeId, PodId, Role, VolumeId, adc, attacher, claims, driver, kubelet, nodes,
    protection, provisioner, registrar, scheduler, user,
};

/// What an action needs: most are about something that must be there, and those that go on with something need it to be
/// under way. Its rule says so as well; here it is only asked once for many actions.
pub(super) fn need(action: Action) -> Need {
    if begins(action) {
        return Need::Nothing;
    }
    match action.subject() {
        // EA5 is about the PersistentVolume: there may be nothing on the Node any more.
        Subject::Link(link) if releases_volume(action) => Need::Going(link.volume),
        Subject::Pod(pod) => of_pod(action)(pod),
        Subject::Claim(claim) => of_claim(action)(claim),
        Subject::Volume(volume) => of_volume(action)(volume),
        Subject::Link(link) => of_link(action)(link),
        Subject::Node(node) => of_node(action).map_or(Need::Nothing, |need| need(node)),
        Subject::Class(_) | Subject::Snapshot(_) | Subject::Fault(_) => Need::Nothing,
    }
}

/// Whether an action may create what it is about, as a user's and the claim of a generic ephemeral volume.
fn begins(action: Action) -> bool {
    use {driver::Act as Driver, user::Act as User};
    let goes_on = matches!(
        action,
        Action::User(
            User::DeletesPod(_) | User::DeletesClaim(_) | User::DeletesVolume(_) | User::ClearsClaimRef(_)
        )
    );
    // A volume that is made late has no PersistentVolume yet.
    let late = matches!(action, Action::Driver(Driver::FinishesLateAtBackend(_)));
    late || !goes_on && (action.role() == Role::User || action.role() == Role::EphemeralController)
}

fn releases_volume(action: Action) -> bool {
    use attacher::Act as Sidecar;
    matches!(action, Action::Attacher(Sidecar::ReleasesVolume(_) | Sidecar::VolumeReleaseRefused(..)))
}

fn of_pod(action: Action) -> fn(PodId) -> Need {
    use {adc::Act as Adc, kubelet::Act as Kubelet, nodes::Act as Nodes, scheduler::Act as Scheduler};
    let waiting = matches!(
        action,
        Action::Scheduler(Scheduler::BindsPod(..) | Scheduler::SelectsNode(..) | Scheduler::FindsNoNode(_))
    );
    let bound = matches!(
        action,
        Action::Adc(Adc::FindsPod(_))
            | Action::Kubelet(
                Kubelet::AdmitsPod(_)
                    | Kubelet::WantsVolume(_)
                    | Kubelet::PullsImage(_)
                    | Kubelet::StartsContainers(_)
                    | Kubelet::RejectsPod(_)
                    | Kubelet::RemovesPod(_)
                    | Kubelet::ReportsUnprocessed(..)
            )
    );
    let containers = matches!(
        action,
        Action::Kubelet(
            Kubelet::StopsContainers(_)
                | Kubelet::ReportsContainersEnded(..)
                | Kubelet::ReportsContainersCompleted(_)
        )
    );
    let mount = matches!(
        action,
        Action::Kubelet(
            Kubelet::ReadsAttachment(_)
                | Kubelet::CallsStage(_)
                | Kubelet::CallsPublish(_)
                | Kubelet::FailsMount(..)
        )
    );
    let published =
        matches!(action, Action::Kubelet(Kubelet::CallsUnpublish(_) | Kubelet::CallsPublishAgain(_)));
    let lost = matches!(
        action,
        Action::Nodes(
            Nodes::EvictsPod(_)
                | Nodes::CancelsEviction(_)
                | Nodes::CollectsOrphan(_)
                | Nodes::CollectsOutOfService(_)
        )
    );
    if waiting {
        Need::Waiting
    } else if bound {
        Need::Bound
    } else if containers {
        Need::Containers
    } else if mount {
        Need::Mount
    } else if published {
        Need::Published
    } else if lost {
        Need::Lost
    } else {
        Need::Pod
    }
}

fn of_claim(action: Action) -> fn(ClaimId) -> Need {
    use {claims::Act as Claims, protection::Act as Protection, user::Act as User};
    let here = matches!(
        action,
        Action::User(User::DeletesClaim(_))
            | Action::Protection(Protection::ReleasesClaim(_))
            | Action::Claims(Claims::ClaimsVolume(_) | Claims::MarksClaimBound(_) | Claims::LosesClaim(_))
    );
    let unbound = matches!(
        action,
        Action::Claims(
            Claims::WaitsForConsumer(_)
                | Claims::AsksProvisioner(_)
                | Claims::FindsNoClass(_)
                | Claims::AssignsDefaultClass(_)
                | Claims::FindsNothingToBind(_)
                | Claims::RefusesVolume(_)
                | Claims::FindsVolumeTaken(_)
                | Claims::CompletesBinding(_)
        )
    );
    if here {
        Need::ClaimHere
    } else if unbound {
        Need::Unbound
    } else {
        Need::Claim
    }
}

fn of_volume(action: Action) -> fn(VolumeId) -> Need {
    use {claims::Act as Claims, driver::Act as Driver, protection::Act as Protection};
    use {provisioner::Act as Provisioner, user::Act as User};
    let here = matches!(
        action,
        Action::User(User::ClearsClaimRef(_) | User::DeletesVolume(_))
            | Action::Claims(
                Claims::MarksVolumeBound(_) | Claims::ReleasesVolume(_) | Claims::MarksVolumeAvailable(_)
            )
            | Action::Provisioner(
                Provisioner::FinalizesVolume(_)
                    | Provisioner::UnfinalizesVolume(_)
                    | Provisioner::FindsStillAttached(..)
                    | Provisioner::CallsDelete(_)
            )
    );
    let deletion = matches!(
        action,
        Action::Driver(Driver::DeletesVolume(_))
            | Action::Provisioner(
                Provisioner::ReceivesDeleteOk(_)
                    | Provisioner::ReceivesDeleteFailed(..)
                    | Provisioner::DeletesVolume(_)
                    | Provisioner::ReleasesVolume(_)
            )
    );
    if here {
        Need::VolumeHere
    } else if deletion {
        Need::Deletion
    } else if matches!(action, Action::Protection(Protection::ReleasesVolume(_))) {
        Need::Going
    } else {
        Need::Volume
    }
}

fn of_node(action: Action) -> Option<fn(NodeId) -> Need> {
    use {adc::Act as Adc, driver::Act as Driver, kubelet::Act as Kubelet};
    use {nodes::Act as Nodes, registrar::Act as Registrar};
    let restless = matches!(
        action,
        Action::Kubelet(
            Kubelet::ReconstructsVolumes(_)
                | Kubelet::ResolvesVolumes(_)
                | Kubelet::RegistersDriver(_)
                | Kubelet::ReceivesInfoOk(_)
                | Kubelet::ReceivesInfoFailed(..)
                | Kubelet::DropsDriver(_)
        ) | Action::Driver(Driver::TellsInfo(_))
            | Action::Registrar(Registrar::OffersSocket(_))
    );
    let trouble = matches!(
        action,
        Action::Nodes(
            Nodes::MarksUnready(_)
                | Nodes::Taints(_)
                | Nodes::TaintsNoExecute(_)
                | Nodes::Untaints(_)
                | Nodes::UntaintsNoExecute(_)
                | Nodes::ReportsReady(_)
                | Nodes::CollectsCsiNode(_)
        )
    );
    let used = matches!(
        action,
        Action::Adc(Adc::ListsAttached(_) | Adc::SeesInUse(_))
            | Action::Kubelet(Kubelet::ReportsInUse(_) | Kubelet::ReportsNotInUse(_))
    );
    if restless {
        Some(Need::Restless)
    } else if trouble {
        Some(Need::Trouble)
    } else if used {
        Some(Need::Used)
    } else {
        None
    }
}

fn of_link(action: Action) -> fn(Link) -> Need {
    use {adc::Act as Adc, attacher::Act as Sidecar, driver::Act as Driver, kubelet::Act as Kubelet};
    let attaches = matches!(
        action,
        Action::Attacher(
            Sidecar::MarksAttachedAtOnce(_)
                | Sidecar::FinalizesVolume(_)
                | Sidecar::FinalizesAttachment(_)
                | Sidecar::CallsPublish(_)
                | Sidecar::ReportsAttachObstacle(_)
        )
    );
    let detaches =
        matches!(action, Action::Attacher(Sidecar::CallsUnpublish(_) | Sidecar::ReportsDetachObstacle(_)));
    let wanted = matches!(
        action,
        Action::Adc(Adc::CreatesAttachment(_) | Adc::FindsAttachment(_) | Adc::ReportsMultiAttach(_))
    );
    let held = matches!(
        action,
        Action::Adc(
            Adc::UnlistsAttached(_)
                | Adc::StartsDetach(_)
                | Adc::FindsAttachmentLost(_)
                | Adc::ForcesDetach(_)
                | Adc::DetachesOutOfService(_)
                | Adc::DetachesUnchecked(_)
                | Adc::UnlistRefused(..)
        )
    );
    let operates = matches!(
        action,
        Action::Adc(
            Adc::NoticesAttached(_)
                | Adc::NoticesAttachFailed(_)
                | Adc::GivesUpAttach(_)
                | Adc::DeletesAttachment(_)
                | Adc::FindsStillInUse(_)
                | Adc::FindsNoAttachment(_)
                | Adc::NoticesDetached(_)
                | Adc::NoticesDetachFailed(_)
                | Adc::GivesUpDetach(_)
        )
    );
    let calls = matches!(
        action,
        Action::Attacher(
            Sidecar::ReceivesPublishOk(_)
                | Sidecar::ReceivesPublishRefused(_)
                | Sidecar::ReceivesPublishFailed(..)
                | Sidecar::RecordsAttached(_)
                | Sidecar::RecordsAttachError(_)
                | Sidecar::RepeatsPublish(_)
                | Sidecar::ReceivesUnpublishOk(_)
                | Sidecar::ReceivesUnpublishFailed(..)
                | Sidecar::RecordsDetachError(_)
                | Sidecar::ReleasesAttachment(_)
        ) | Action::Driver(Driver::AttachesVolume(_) | Driver::DetachesVolume(_))
    );
    let known = matches!(
        action,
        Action::Kubelet(
            Kubelet::VerifiesAttached(_)
                | Kubelet::MarksAttachedAtOnce(_)
                | Kubelet::CallsUnstage(_)
                | Kubelet::ForgetsVolume(_)
        )
    );
    let on_node = matches!(
        action,
        Action::Kubelet(
            Kubelet::ReceivesStageOk(_)
                | Kubelet::ReceivesStageFailed(..)
                | Kubelet::ReceivesPublishOk(_)
                | Kubelet::ReceivesPublishOkTooLate(_)
                | Kubelet::ReceivesPublishFailed(..)
                | Kubelet::ReceivesUnpublishOk(_)
                | Kubelet::ReceivesUnpublishFailed(..)
                | Kubelet::ReceivesUnstageOk(_)
                | Kubelet::ReceivesUnstageFailed(..)
        ) | Action::Driver(
            Driver::StagesVolume(_)
                | Driver::PublishesVolume(_)
                | Driver::UnpublishesVolume(_)
                | Driver::UnstagesVolume(_)
        )
    );
    if attaches {
        Need::ToAttach
    } else if detaches {
        Need::ToDetach
    } else if wanted {
        Need::Wanted
    } else if held {
        Need::Held
    } else if operates {
        Need::Operation
    } else if calls {
        Need::Attacher
    } else if known {
        Need::Known
    } else if on_node {
        Need::Kubelet
    } else {
        Need::Place
    }
}
