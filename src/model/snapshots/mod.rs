//! Snapshots: the snapshot-controller, which stands once in a cluster, and the csi-snapshotter beside the driver.

mod controller;
mod event;
mod sidecar;
mod state;

use super::action::{Fact, Subject};
use super::driver::answers;
use super::fault::fault_in_store;
use super::timing::{SNAPSHOT_BACKOFF, SNAPSHOTTER_TIMEOUT, WATCH, WRITE, When};
use super::turn::{Turn, finalizers};
use super::{
    Action, Cluster, Failure, FaultId, Finalizer, Method, ObjectId, Role, SnapshotId, Unmet, World,
    effect::Field,
};
pub use event::Event;
pub(super) use sidecar::forgets;
pub use state::{Content, RealSnapshot, Snapshot, Snapshotter, may_still_create};

/// Something that one of the two does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the sentence that its name in `fact` spells")]
pub enum Act {
    FinalizesSnapshot(SnapshotId),
    ProtectsClaim(SnapshotId),
    CreatesContent(SnapshotId),
    FindsNoSource(SnapshotId),
    FinalizesContent(SnapshotId),
    BindsSnapshot(SnapshotId),
    FinalizesBound(SnapshotId),
    MarksReady(SnapshotId),
    ReleasesClaim(SnapshotId),
    WaitsForRestore(SnapshotId),
    DeletesContent(SnapshotId),
    ReleasesSource(SnapshotId),
    ReleasesSnapshot(SnapshotId),
    CallsCreate(SnapshotId),
    ReceivesCreateOk(SnapshotId),
    ReceivesCreateFailed(SnapshotId, FaultId),
    ReceivesCreateRefused(SnapshotId),
    RecordsSnapshot(SnapshotId),
    CallsDelete(SnapshotId),
    ReceivesDeleteOk(SnapshotId),
    ReceivesDeleteFailed(SnapshotId, FaultId),
    ReceivesDeleteRefused(SnapshotId),
    SkipsDelete(SnapshotId),
    ClearsStatus(SnapshotId),
    ReleasesContent(SnapshotId),
}

impl Act {
    pub(super) fn fact(self) -> Fact {
        const CONTROLLER: &str = "external-snapshotter pkg/common-controller/snapshot_controller.go";
        const SIDECAR: &str = "external-snapshotter pkg/sidecar-controller/snapshot_controller.go";
        let controller = |rule, name| Fact { role: Role::SnapshotController, rule, name, source: CONTROLLER };
        let sidecar = |rule, name| Fact { role: Role::ExternalSnapshotter, rule, name, source: SIDECAR };
        match self {
            Act::FinalizesSnapshot(_) => controller("ES1", "snapshot-controller-finalizes-snapshot"),
            Act::ProtectsClaim(_) => controller("ES1", "snapshot-controller-protects-claim"),
            Act::CreatesContent(_) => controller("ES1", "snapshot-controller-creates-content"),
            Act::FindsNoSource(_) => controller("ES1", "snapshot-controller-finds-no-source"),
            Act::FinalizesContent(_) => controller("ES1", "snapshot-controller-finalizes-content"),
            Act::BindsSnapshot(_) => controller("ES3", "snapshot-controller-binds-snapshot"),
            Act::FinalizesBound(_) => controller("ES3", "snapshot-controller-finalizes-bound-snapshot"),
            Act::MarksReady(_) => controller("ES3", "snapshot-controller-marks-ready"),
            Act::ReleasesClaim(_) => controller("ES3", "snapshot-controller-releases-claim"),
            Act::WaitsForRestore(_) => controller("ES4", "snapshot-controller-waits-for-restore"),
            Act::DeletesContent(_) => controller("ES4", "snapshot-controller-deletes-content"),
            Act::ReleasesSource(_) => controller("ES4", "snapshot-controller-releases-source"),
            Act::ReleasesSnapshot(_) => controller("ES4", "snapshot-controller-releases-snapshot"),
            Act::CallsCreate(_) => sidecar("ES2", "snapshotter-calls-create-snapshot"),
            Act::ReceivesCreateOk(_) => sidecar("ES2", "snapshotter-receives-create-ok"),
            Act::ReceivesCreateFailed(..) => sidecar("ES2", "snapshotter-receives-create-failed"),
            Act::ReceivesCreateRefused(_) => sidecar("ES2", "snapshotter-receives-create-refused"),
            Act::RecordsSnapshot(_) => sidecar("ES2", "snapshotter-records-snapshot"),
            Act::CallsDelete(_) => sidecar("ES5", "snapshotter-calls-delete-snapshot"),
            Act::ReceivesDeleteOk(_) => sidecar("ES5", "snapshotter-receives-delete-ok"),
            Act::ReceivesDeleteFailed(..) => sidecar("ES5", "snapshotter-receives-delete-failed"),
            Act::ReceivesDeleteRefused(_) => sidecar("ES5", "snapshotter-receives-delete-refused"),
            Act::SkipsDelete(_) => sidecar("ES5", "snapshotter-skips-delete-snapshot"),
            Act::ClearsStatus(_) => sidecar("ES5", "snapshotter-clears-status"),
            Act::ReleasesContent(_) => sidecar("ES5", "snapshotter-releases-content"),
        }
    }

    fn snapshot(self) -> SnapshotId {
        match self {
            Act::FinalizesSnapshot(id)
            | Act::ProtectsClaim(id)
            | Act::CreatesContent(id)
            | Act::FindsNoSource(id)
            | Act::FinalizesContent(id)
            | Act::BindsSnapshot(id)
            | Act::FinalizesBound(id)
            | Act::MarksReady(id)
            | Act::ReleasesClaim(id)
            | Act::WaitsForRestore(id)
            | Act::DeletesContent(id)
            | Act::ReleasesSource(id)
            | Act::ReleasesSnapshot(id)
            | Act::CallsCreate(id)
            | Act::ReceivesCreateOk(id)
            | Act::ReceivesCreateFailed(id, _)
            | Act::ReceivesCreateRefused(id)
            | Act::RecordsSnapshot(id)
            | Act::CallsDelete(id)
            | Act::ReceivesDeleteOk(id)
            | Act::ReceivesDeleteFailed(id, _)
            | Act::ReceivesDeleteRefused(id)
            | Act::SkipsDelete(id)
            | Act::ClearsStatus(id)
            | Act::ReleasesContent(id) => id,
        }
    }

    pub(super) fn subject(self) -> Subject {
        Subject::Snapshot(self.snapshot())
    }

    pub(super) fn when(self, world: &World, cluster: &Cluster) -> When {
        let content = cluster.snapshot(self.snapshot()).content;
        // A reply that is to be lost does not come.
        let answered = |of| {
            let lost = fault_in_store(world, cluster, of, None, true);
            if lost { When::OnCommand } else { When::After(WRITE.ms) }
        };
        match self {
            Act::ReceivesCreateFailed(_, id) | Act::ReceivesDeleteFailed(_, id) => {
                When::After(if Failure::Fault(id).hangs(world) { SNAPSHOTTER_TIMEOUT.ms } else { WRITE.ms })
            }
            Act::ReceivesCreateOk(_) => answered(Method::CreateSnapshot),
            Act::ReceivesDeleteOk(_) => answered(Method::DeleteSnapshot),
            // A try that follows a failed one, or one whose snapshot was not ready, waits.
            Act::CallsCreate(_) if content.error || content.handle => SNAPSHOT_BACKOFF,
            Act::CallsDelete(_) if content.error => SNAPSHOT_BACKOFF,
            Act::FinalizesSnapshot(_)
            | Act::FindsNoSource(_)
            | Act::FinalizesContent(_)
            | Act::MarksReady(_)
            | Act::WaitsForRestore(_)
            | Act::DeletesContent(_)
            | Act::ReleasesSnapshot(_)
            | Act::CallsCreate(_)
            | Act::CallsDelete(_)
            | Act::SkipsDelete(_) => When::After(WATCH.ms),
            Act::ProtectsClaim(_)
            | Act::CreatesContent(_)
            | Act::BindsSnapshot(_)
            | Act::FinalizesBound(_)
            | Act::ReleasesClaim(_)
            | Act::ReleasesSource(_)
            | Act::ReceivesCreateRefused(_)
            | Act::RecordsSnapshot(_)
            | Act::ReceivesDeleteRefused(_)
            | Act::ClearsStatus(_)
            | Act::ReleasesContent(_) => When::After(WRITE.ms),
        }
    }

    pub(super) fn run(self, t: &mut Turn) -> Result<(), Unmet> {
        match self {
            Act::FinalizesSnapshot(id) => controller::finalizes_snapshot(t, id),
            Act::ProtectsClaim(id) => controller::protects_claim(t, id),
            Act::CreatesContent(id) => controller::creates_content(t, id),
            Act::FindsNoSource(id) => controller::finds_no_source(t, id),
            Act::FinalizesContent(id) => controller::finalizes_content(t, id),
            Act::BindsSnapshot(id) => controller::binds_snapshot(t, id),
            Act::FinalizesBound(id) => controller::finalizes_bound(t, id),
            Act::MarksReady(id) => controller::marks_ready(t, id),
            Act::ReleasesClaim(id) => controller::releases_claim(t, id),
            Act::WaitsForRestore(id) => controller::waits_for_restore(t, id),
            Act::DeletesContent(id) => controller::deletes_content(t, id),
            Act::ReleasesSource(id) => controller::releases_source(t, id),
            Act::ReleasesSnapshot(id) => controller::releases_snapshot(t, id),
            Act::CallsCreate(id) => sidecar::calls_create(t, id),
            Act::ReceivesCreateOk(id) => sidecar::receives_create_ok(t, id),
            Act::ReceivesCreateFailed(id, fault) => sidecar::receives_create_failed(t, id, fault),
            Act::ReceivesCreateRefused(id) => sidecar::receives_create_refused(t, id),
            Act::RecordsSnapshot(id) => sidecar::records_snapshot(t, id),
            Act::CallsDelete(id) => sidecar::calls_delete(t, id),
            Act::ReceivesDeleteOk(id) => sidecar::receives_delete_ok(t, id),
            Act::ReceivesDeleteFailed(id, fault) => sidecar::receives_delete_failed(t, id, fault),
            Act::ReceivesDeleteRefused(id) => sidecar::receives_delete_refused(t, id),
            Act::SkipsDelete(id) => sidecar::skips_delete(t, id),
            Act::ClearsStatus(id) => sidecar::clears_status(t, id),
            Act::ReleasesContent(id) => sidecar::releases_content(t, id),
        }
    }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    for id in world.snapshots() {
        let all = [
            Act::FinalizesSnapshot(id),
            Act::ProtectsClaim(id),
            Act::CreatesContent(id),
            Act::FindsNoSource(id),
            Act::FinalizesContent(id),
            Act::BindsSnapshot(id),
            Act::FinalizesBound(id),
            Act::MarksReady(id),
            Act::ReleasesClaim(id),
            Act::WaitsForRestore(id),
            Act::DeletesContent(id),
            Act::ReleasesSource(id),
            Act::ReleasesSnapshot(id),
            Act::CallsCreate(id),
            Act::ReceivesCreateOk(id),
            Act::ReceivesCreateRefused(id),
            Act::RecordsSnapshot(id),
            Act::CallsDelete(id),
            Act::ReceivesDeleteOk(id),
            Act::ReceivesDeleteRefused(id),
            Act::SkipsDelete(id),
            Act::ClearsStatus(id),
            Act::ReleasesContent(id),
        ];
        found.extend(all.map(Action::Snapshots));
        let created = answers(world, Method::CreateSnapshot).map(|f| Act::ReceivesCreateFailed(id, f));
        found.extend(created.map(Action::Snapshots));
        let deleted = answers(world, Method::DeleteSnapshot).map(|f| Act::ReceivesDeleteFailed(id, f));
        found.extend(deleted.map(Action::Snapshots));
    }
}

/// Puts a finalizer on the VolumeSnapshot, or takes it off.
pub(super) fn set_snapshot_finalizer(t: &mut Turn, id: SnapshotId, finalizer: Finalizer, on: bool) {
    let from = t.cluster.snapshot(id).finalizers;
    let to = if on { from.with(finalizer) } else { from.without(finalizer) };
    if from != to {
        t.cluster.snapshot_mut(id).finalizers = to;
        t.write(ObjectId::Snapshot(id), Field::Finalizers, finalizers(from), finalizers(to));
    }
}
