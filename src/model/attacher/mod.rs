//! The external-attacher (EA0 to EA7).

mod access_mode;
mod checks;
mod enqueue;
mod failed;
mod rules;
mod state;
mod wrong;

use super::action::{Fact, Subject};
use super::fault::has_hangs;
use super::timing::{
    ATTACHER_RETRY, ATTACHER_RETRY_MAX, ATTACHER_SYNC, ATTACHER_TIMEOUT, WATCH, WRITE, When,
};
use super::turn::{Turn, need};
use super::{Action, Cluster, FaultId, FaultKind, Link, Method, Role, Unmet, World};
pub use access_mode::{CsiMode, ModeError, csi_mode};
pub use checks::{attach_obstacle, detach_obstacle, publishes_readonly};
pub use enqueue::enqueues;
pub(super) use failed::forget;
pub(super) use rules::advance;
pub use state::Attacher;
pub use wrong::Wrong;

/// Something that the external-attacher does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the sentence that its name in `fact` spells")]
pub enum Act {
    MarksAttachedAtOnce(Link),
    FinalizesVolume(Link),
    FinalizesAttachment(Link),
    CallsPublish(Link),
    ReceivesPublishOk(Link),
    RecordsAttached(Link),
    RepeatsPublish(Link),
    CallsUnpublish(Link),
    ReceivesUnpublishOk(Link),
    ReleasesAttachment(Link),
    ReleasesVolume(Link),
    ReportsAttachObstacle(Link),
    ReportsDetachObstacle(Link),
    ReceivesPublishFailed(Link, FaultId),
    ReceivesPublishRefused(Link),
    RecordsAttachError(Link),
    ReceivesUnpublishFailed(Link, FaultId),
    RecordsDetachError(Link),
    ReconcilesAttachment(Link),
    FinalizerRefused(Link, FaultId),
    ReleaseRefused(Link, FaultId),
    StatusRefused(Link, FaultId),
    VolumeReleaseRefused(Link, FaultId),
    ReceivesUnpublishRefused(Link),
}

/// What ends a row of failed attaches, and what makes it longer.
const ATTACH_ENDS: &[&str] = &["attacher-records-attached", "attacher-releases-attachment"];
const ATTACH_FAILS: &[&str] =
    &["attacher-records-attach-error", "attacher-reports-attach-obstacle", "attacher-finalizer-refused"];
/// The same of detaches.
const DETACH_ENDS: &[&str] = &["attacher-releases-attachment"];
const DETACH_FAILS: &[&str] = &["attacher-records-detach-error", "attacher-reports-detach-obstacle"];

/// The first write of an attempt to attach, after which the call leaves at once.
const ATTACH_BEGUN: &[&str] = &["attacher-finalizes-attachment"];

impl Act {
    pub(super) fn fact(self) -> Fact {
        const HANDLER: &str = "external-attacher pkg/controller/csi_handler.go";
        const TRIVIAL: &str = "external-attacher pkg/controller/trivial_handler.go";
        let fact = |rule, name, source| Fact { role: Role::ExternalAttacher, rule, name, source };
        match self {
            Act::MarksAttachedAtOnce(_) => fact("EA0", "attacher-marks-attached-at-once", TRIVIAL),
            Act::FinalizesVolume(_) => fact("EA1", "attacher-finalizes-volume", HANDLER),
            Act::FinalizesAttachment(_) => fact("EA1", "attacher-finalizes-attachment", HANDLER),
            Act::CallsPublish(_) => fact("EA1", "attacher-calls-controller-publish", HANDLER),
            Act::ReceivesPublishOk(_) => fact("EA1", "attacher-receives-publish-ok", HANDLER),
            Act::RecordsAttached(_) => fact("EA1", "attacher-records-attached", HANDLER),
            Act::RepeatsPublish(_) => fact("EA1", "attacher-repeats-controller-publish", HANDLER),
            Act::CallsUnpublish(_) => fact("EA3", "attacher-calls-controller-unpublish", HANDLER),
            Act::ReceivesUnpublishOk(_) => fact("EA3", "attacher-receives-unpublish-ok", HANDLER),
            Act::ReleasesAttachment(_) => fact("EA3", "attacher-releases-attachment", HANDLER),
            Act::ReleasesVolume(_) => fact("EA5", "attacher-releases-volume", HANDLER),
            Act::ReportsAttachObstacle(_) => fact("EA2", "attacher-reports-attach-obstacle", HANDLER),
            Act::ReportsDetachObstacle(_) => fact("EA4", "attacher-reports-detach-obstacle", HANDLER),
            Act::ReceivesPublishFailed(..) => fact("EA2", "attacher-receives-publish-failed", HANDLER),
            Act::ReceivesPublishRefused(_) => fact("EA2", "attacher-receives-publish-refused", HANDLER),
            Act::RecordsAttachError(_) => fact("EA2", "attacher-records-attach-error", HANDLER),
            Act::ReceivesUnpublishFailed(..) => fact("EA4", "attacher-receives-unpublish-failed", HANDLER),
            Act::RecordsDetachError(_) => fact("EA4", "attacher-records-detach-error", HANDLER),
            Act::ReconcilesAttachment(_) => fact("EA7", "attacher-reconciles-attachment", HANDLER),
            Act::FinalizerRefused(..) => fact("EA2", "attacher-finalizer-refused", HANDLER),
            Act::ReleaseRefused(..) => fact("EA4", "attacher-release-refused", HANDLER),
            Act::StatusRefused(..) => fact("EA2", "attacher-status-refused", HANDLER),
            Act::VolumeReleaseRefused(..) => fact("EA5", "attacher-volume-release-refused", HANDLER),
            Act::ReceivesUnpublishRefused(_) => fact("EA4", "attacher-receives-unpublish-refused", HANDLER),
        }
    }

    pub(super) fn subject(self) -> Subject {
        match self {
            Act::MarksAttachedAtOnce(link)
            | Act::FinalizesVolume(link)
            | Act::FinalizesAttachment(link)
            | Act::CallsPublish(link)
            | Act::ReceivesPublishOk(link)
            | Act::RecordsAttached(link)
            | Act::RepeatsPublish(link)
            | Act::CallsUnpublish(link)
            | Act::ReceivesUnpublishOk(link)
            | Act::ReleasesAttachment(link)
            | Act::ReleasesVolume(link)
            | Act::ReportsAttachObstacle(link)
            | Act::ReportsDetachObstacle(link)
            | Act::ReceivesPublishFailed(link, _)
            | Act::ReceivesPublishRefused(link)
            | Act::RecordsAttachError(link)
            | Act::ReceivesUnpublishFailed(link, _)
            | Act::RecordsDetachError(link)
            | Act::ReconcilesAttachment(link)
            | Act::FinalizerRefused(link, _)
            | Act::ReleaseRefused(link, _)
            | Act::StatusRefused(link, _)
            | Act::VolumeReleaseRefused(link, _)
            | Act::ReceivesUnpublishRefused(link) => Subject::Link(link),
        }
    }

    pub(super) fn when(self, world: &World, _: &Cluster) -> When {
        let hangs = |id| matches!(world.fault(id).map(|f| &f.kind), Some(FaultKind::Hangs { .. }));
        let retry = |first, fails, ends| When::RetryAfter {
            first,
            pause: ATTACHER_RETRY.ms,
            most: ATTACHER_RETRY_MAX.ms,
            fails,
            ends,
            begun: ATTACH_BEGUN,
        };
        match self {
            // In a recorded run every informer keeps up.
            Act::RepeatsPublish(_) => When::OnCommand,
            Act::MarksAttachedAtOnce(_) | Act::FinalizesVolume(_) | Act::ReleasesVolume(_) => {
                When::After(WATCH.ms)
            }
            Act::ReportsAttachObstacle(_) => retry(WATCH.ms, ATTACH_FAILS, ATTACH_ENDS),
            Act::FinalizesAttachment(_) | Act::CallsPublish(_) => retry(WRITE.ms, ATTACH_FAILS, ATTACH_ENDS),
            // The deletion wakes it at once, whatever its pause after failed attaches.
            Act::CallsUnpublish(_) | Act::ReportsDetachObstacle(_) => {
                retry(WATCH.ms, DETACH_FAILS, DETACH_ENDS)
            }
            Act::ReceivesPublishFailed(_, id) | Act::ReceivesUnpublishFailed(_, id) if hangs(id) => {
                When::After(ATTACHER_TIMEOUT.ms)
            }
            Act::ReconcilesAttachment(_) => When::Every { period: ATTACHER_SYNC.ms, offset: 31_000 },
            Act::ReceivesPublishOk(_)
            | Act::RecordsAttached(_)
            | Act::ReceivesUnpublishOk(_)
            | Act::ReleasesAttachment(_)
            | Act::ReceivesPublishFailed(..)
            | Act::ReceivesPublishRefused(_)
            | Act::RecordsAttachError(_)
            | Act::ReceivesUnpublishFailed(..)
            | Act::RecordsDetachError(_)
            | Act::FinalizerRefused(..)
            | Act::ReleaseRefused(..)
            | Act::StatusRefused(..)
            | Act::VolumeReleaseRefused(..)
            | Act::ReceivesUnpublishRefused(_) => When::After(WRITE.ms),
        }
    }

    pub(super) fn run(self, t: &mut Turn) -> Result<(), Unmet> {
        need(t.world.driver().attacher, Unmet::NoAttacher)?;
        match self {
            Act::MarksAttachedAtOnce(link) => rules::marks_attached_at_once(t, link),
            Act::FinalizesVolume(link) => rules::finalizes_volume(t, link),
            Act::FinalizesAttachment(link) => rules::finalizes_attachment(t, link),
            Act::CallsPublish(link) => rules::calls_publish(t, link),
            Act::ReceivesPublishOk(link) => rules::receives_publish_ok(t, link),
            Act::RecordsAttached(link) => rules::records_attached(t, link),
            Act::RepeatsPublish(link) => rules::repeats_publish(t, link),
            Act::CallsUnpublish(link) => rules::calls_unpublish(t, link),
            Act::ReceivesUnpublishOk(link) => rules::receives_unpublish_ok(t, link),
            Act::ReleasesAttachment(link) => rules::releases_attachment(t, link),
            Act::ReleasesVolume(link) => rules::releases_volume(t, link),
            Act::ReportsAttachObstacle(link) => checks::reports_attach_obstacle(t, link),
            Act::ReportsDetachObstacle(link) => checks::reports_detach_obstacle(t, link),
            Act::ReceivesPublishFailed(link, fault) => failed::receives_publish_failed(t, link, fault),
            Act::ReceivesPublishRefused(link) => failed::receives_publish_refused(t, link),
            Act::RecordsAttachError(link) => failed::records_attach_error(t, link),
            Act::ReceivesUnpublishFailed(link, fault) => failed::receives_unpublish_failed(t, link, fault),
            Act::RecordsDetachError(link) => failed::records_detach_error(t, link),
            Act::ReconcilesAttachment(link) => failed::reconciles_attachment(t, link),
            Act::FinalizerRefused(link, fault) => failed::finalizer_refused(t, link, fault),
            Act::ReleaseRefused(link, fault) => failed::release_refused(t, link, fault),
            Act::StatusRefused(link, fault) => failed::status_refused(t, link, fault),
            Act::VolumeReleaseRefused(link, fault) => failed::volume_release_refused(t, link, fault),
            Act::ReceivesUnpublishRefused(link) => failed::receives_unpublish_refused(t, link),
        }
    }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    for link in world.links() {
        // A fault comes before what happens without it.
        for (id, fault) in world.faults() {
            match fault.kind {
                FaultKind::Answer { method, .. } | FaultKind::Hangs { method, .. } => {
                    if method == Method::ControllerPublishVolume {
                        found.push(Action::Attacher(Act::ReceivesPublishFailed(link, id)));
                    }
                    if method == Method::ControllerUnpublishVolume {
                        found.push(Action::Attacher(Act::ReceivesUnpublishFailed(link, id)));
                    }
                }
                FaultKind::Refused { .. } => found.extend(
                    [
                        Act::FinalizerRefused(link, id),
                        Act::ReleaseRefused(link, id),
                        Act::StatusRefused(link, id),
                        Act::VolumeReleaseRefused(link, id),
                    ]
                    .map(Action::Attacher),
                ),
                FaultKind::Down { role: Role::DriverController, .. } => {
                    found.push(Action::Attacher(Act::ReceivesUnpublishRefused(link)));
                }
                FaultKind::Down { .. }
                | FaultKind::ByHand { .. }
                | FaultKind::PodForced { .. }
                | FaultKind::Tainted { .. }
                | FaultKind::NamespaceDeleted => {}
            }
        }
        if has_hangs(world) {
            found.push(Action::Attacher(Act::ReceivesUnpublishRefused(link)));
        }
        let all = [
            Act::MarksAttachedAtOnce(link),
            Act::FinalizesVolume(link),
            Act::FinalizesAttachment(link),
            Act::CallsPublish(link),
            Act::ReceivesPublishOk(link),
            Act::RecordsAttached(link),
            Act::RepeatsPublish(link),
            Act::CallsUnpublish(link),
            Act::ReceivesUnpublishOk(link),
            Act::ReleasesAttachment(link),
            Act::ReleasesVolume(link),
            Act::ReportsAttachObstacle(link),
            Act::ReportsDetachObstacle(link),
            Act::ReceivesPublishRefused(link),
            Act::RecordsAttachError(link),
            Act::RecordsDetachError(link),
            Act::ReconcilesAttachment(link),
        ];
        found.extend(all.map(Action::Attacher));
    }
}
