//! The external-provisioner beside the driver's controller plugin (EP1 to EP7).

mod create;
mod delete;
mod event;
mod outcome;
mod state;

use super::action::{Fact, Subject};
use super::driver::failures;
use super::fault::fault_in_store;
use super::hand::Deed;
use super::timing::{self, WATCH, WRITE, When};
use super::turn::Turn;
use super::{Action, ClaimId, Cluster, Failure, FaultKind, Method, NodeId, Role, Unmet, VolumeId, World};
pub(super) use create::wants;
pub(super) use delete::forgets;
pub use event::Event;
pub use outcome::{CreateOutcome, create_outcome, is_infeasible};
pub use state::{Deleter, Deletion, Provision, Provisioner, Told};

/// Something that the external-provisioner does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the sentence that its name in `fact` spells")]
pub enum Act {
    FindsNoTopology(ClaimId),
    CallsCreate(ClaimId),
    ReceivesCreateOk(ClaimId),
    ReceivesCreateFailed(ClaimId, Failure),
    CreatesVolume(ClaimId),
    FinalizesVolume(VolumeId),
    UnfinalizesVolume(VolumeId),
    FindsStillAttached(VolumeId, NodeId),
    CallsDelete(VolumeId),
    ReceivesDeleteOk(VolumeId),
    ReceivesDeleteFailed(VolumeId, Failure),
    DeletesVolume(VolumeId),
    ReleasesVolume(VolumeId),
    PublishesCapacity(NodeId),
    FindsNoNode(ClaimId),
    CallsCleanup(ClaimId),
    ReceivesCleanupOk(ClaimId),
}

impl Act {
    pub(super) fn fact(self) -> Fact {
        const EP: &str = "external-provisioner pkg/controller/controller.go";
        const LIB: &str = "sig-storage-lib-external-provisioner controller/controller.go";
        let fact = |rule, name, source| Fact { role: Role::ExternalProvisioner, rule, name, source };
        match self {
            Act::FindsNoTopology(_) => fact(
                "EP4",
                "provisioner-finds-no-topology",
                "external-provisioner pkg/controller/topology.go",
            ),
            Act::CallsCreate(_) => fact("EP2", "provisioner-calls-create-volume", EP),
            Act::ReceivesCreateOk(_) => fact("EP3", "provisioner-receives-create-ok", EP),
            Act::ReceivesCreateFailed(..) => fact("EP4", "provisioner-receives-create-failed", EP),
            Act::CreatesVolume(_) => fact("EP3", "provisioner-creates-volume", LIB),
            Act::FinalizesVolume(_) => fact("EP7", "provisioner-finalizes-volume", LIB),
            Act::UnfinalizesVolume(_) => fact("EP7", "provisioner-unfinalizes-volume", LIB),
            Act::FindsStillAttached(..) => fact("EP6", "provisioner-finds-still-attached", EP),
            Act::CallsDelete(_) => fact("EP6", "provisioner-calls-delete-volume", EP),
            Act::ReceivesDeleteOk(_) => fact("EP6", "provisioner-receives-delete-ok", EP),
            Act::ReceivesDeleteFailed(..) => fact("EP6", "provisioner-receives-delete-failed", EP),
            Act::DeletesVolume(_) => fact("EP6", "provisioner-deletes-volume", LIB),
            Act::ReleasesVolume(_) => fact("EP6", "provisioner-releases-volume", LIB),
            Act::FindsNoNode(_) => fact("EP5", "provisioner-finds-no-node", LIB),
            Act::CallsCleanup(_) => fact("EP3", "provisioner-calls-cleanup", EP),
            Act::ReceivesCleanupOk(_) => fact("EP3", "provisioner-receives-cleanup-ok", EP),
            Act::PublishesCapacity(_) => fact(
                "objects.md §7",
                "provisioner-publishes-capacity",
                "external-provisioner pkg/capacity/capacity.go",
            ),
        }
    }

    pub(super) fn subject(self) -> Subject {
        match self {
            Act::FindsNoTopology(claim)
            | Act::CallsCreate(claim)
            | Act::ReceivesCreateOk(claim)
            | Act::ReceivesCreateFailed(claim, _)
            | Act::CreatesVolume(claim)
            | Act::FindsNoNode(claim)
            | Act::CallsCleanup(claim)
            | Act::ReceivesCleanupOk(claim) => Subject::Claim(claim),
            Act::FinalizesVolume(volume)
            | Act::UnfinalizesVolume(volume)
            | Act::FindsStillAttached(volume, _)
            | Act::CallsDelete(volume)
            | Act::ReceivesDeleteOk(volume)
            | Act::ReceivesDeleteFailed(volume, _)
            | Act::DeletesVolume(volume)
            | Act::ReleasesVolume(volume) => Subject::Volume(volume),
            Act::PublishesCapacity(node) => Subject::Node(node),
        }
    }

    pub(super) fn when(self, world: &World, cluster: &Cluster) -> When {
        // A reply that is to be lost does not come.
        let answered = |of| {
            let lost = fault_in_store(world, cluster, of, None, true);
            if lost { When::OnCommand } else { When::After(WRITE.ms) }
        };
        match self {
            Act::CallsCreate(claim) => match cluster.provisioner(claim).failed {
                // EP4: an infeasible claim is tried again only after the longest wait.
                Some(failure) if failure.code(world).is_some_and(is_infeasible) => {
                    When::After(timing::PROVISION_RETRY_MAX.ms)
                }
                Some(_) => timing::PROVISION_BACKOFF,
                None => When::After(WATCH.ms),
            },
            Act::CallsDelete(volume) => match cluster.deleter(volume).told {
                Some(_) => timing::DELETE_BACKOFF,
                None => When::After(WATCH.ms),
            },
            Act::FindsNoTopology(_)
            | Act::FindsNoNode(_)
            | Act::FinalizesVolume(_)
            | Act::UnfinalizesVolume(_)
            | Act::FindsStillAttached(..) => When::After(WATCH.ms),
            // The fault comes before the driver does its work, or after it in the reply's stead; who hears nothing gives
            // up.
            Act::ReceivesCreateFailed(_, failure) | Act::ReceivesDeleteFailed(_, failure) => {
                When::After(if failure.hangs(world) { timing::PROVISIONER_TIMEOUT.ms } else { 0 })
            }
            Act::ReceivesCreateOk(_) => answered(Method::CreateVolume),
            Act::ReceivesDeleteOk(_) => answered(Method::DeleteVolume),
            Act::CreatesVolume(_)
            | Act::CallsCleanup(_)
            | Act::ReceivesCleanupOk(_)
            | Act::DeletesVolume(_)
            | Act::ReleasesVolume(_) => When::After(WRITE.ms),
            Act::PublishesCapacity(_) => When::Every { period: timing::CAPACITY_POLL.ms, offset: 400 },
        }
    }

    pub(super) fn run(self, t: &mut Turn) -> Result<(), Unmet> {
        match self {
            Act::FindsNoTopology(id) => create::finds_no_topology(t, id),
            Act::CallsCreate(id) => create::calls_create(t, id),
            Act::ReceivesCreateOk(id) => create::receives_create_ok(t, id),
            Act::ReceivesCreateFailed(id, fault) => create::receives_create_failed(t, id, fault),
            Act::CreatesVolume(id) => create::creates_volume(t, id),
            Act::FinalizesVolume(id) => delete::finalizes_volume(t, id),
            Act::UnfinalizesVolume(id) => delete::unfinalizes_volume(t, id),
            Act::FindsStillAttached(id, node) => delete::finds_still_attached(t, id, node),
            Act::CallsDelete(id) => delete::calls_delete(t, id),
            Act::ReceivesDeleteOk(id) => delete::receives_delete_ok(t, id),
            Act::ReceivesDeleteFailed(id, fault) => delete::receives_delete_failed(t, id, fault),
            Act::DeletesVolume(id) => delete::deletes_volume(t, id),
            Act::ReleasesVolume(id) => delete::releases_volume(t, id),
            Act::PublishesCapacity(node) => create::publishes_capacity(t, node),
            Act::FindsNoNode(id) => create::finds_no_node(t, id),
            Act::CallsCleanup(id) => create::calls_cleanup(t, id),
            Act::ReceivesCleanupOk(id) => create::receives_cleanup_ok(t, id),
        }
    }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    if !world.driver().provisioner {
        return;
    }
    for claim in world.claims().filter(|claim| !world.claim(*claim).given) {
        found.extend(
            [
                Act::FindsNoTopology(claim),
                Act::CallsCreate(claim),
                Act::ReceivesCreateOk(claim),
                Act::CreatesVolume(claim),
            ]
            .map(Action::Provisioner),
        );
        if world
            .faults()
            .any(|(_, fault)| matches!(fault.kind, FaultKind::ByHand { deed: Deed::DeleteNode(_) }))
        {
            found.push(Action::Provisioner(Act::FindsNoNode(claim)));
        }
        if world.provisions(claim).is_some_and(|volume| world.volume(volume).made.is_some()) {
            found.extend([Act::CallsCleanup(claim), Act::ReceivesCleanupOk(claim)].map(Action::Provisioner));
        }
        let failed = failures(world, Method::CreateVolume, None)
            .map(|failure| Act::ReceivesCreateFailed(claim, failure));
        found.extend(failed.map(Action::Provisioner));
    }
    for volume in world.volumes().filter(|volume| !world.is_kept(*volume)) {
        let all = [
            Act::FinalizesVolume(volume),
            Act::UnfinalizesVolume(volume),
            Act::CallsDelete(volume),
            Act::ReceivesDeleteOk(volume),
            Act::DeletesVolume(volume),
            Act::ReleasesVolume(volume),
        ];
        found.extend(all.map(Action::Provisioner));
        let attached = world.nodes().map(|node| Act::FindsStillAttached(volume, node));
        found.extend(attached.map(Action::Provisioner));
        let failed = failures(world, Method::DeleteVolume, None)
            .map(|failure| Act::ReceivesDeleteFailed(volume, failure));
        found.extend(failed.map(Action::Provisioner));
    }
    if world.driver().storage_capacity {
        found.extend(world.nodes().map(|node| Action::Provisioner(Act::PublishesCapacity(node))));
    }
}
