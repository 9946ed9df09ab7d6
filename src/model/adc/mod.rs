//! The attach-detach controller in kube-controller-manager (AD1 to AD11).

mod attach;
mod detach;
mod event;
mod failed;
mod rebuild;
mod state;

use super::action::{Fact, Subject};
use super::timing::{
    ADC_LOOP, ADC_SYNC, ATTACH_TIMEOUT, BACKOFF, BACKOFF_MAX, FORCE_DETACH, NODE_STATUS, WATCH, WRITE, When,
};
use super::turn::Turn;
use super::{Action, Cluster, FaultId, FaultKind, Link, Method, NodeId, PodId, Role, Unmet, World};
pub use attach::is_terminated;
pub use event::{Event, Trouble};
pub use failed::{attach_trouble, is_attached, is_healthy};
pub(super) use rebuild::{forget, rebuild};
pub use state::{Actual, Adc, AdcOperation};

/// Something that the attach-detach controller does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the sentence that its name in `fact` spells")]
pub enum Act {
    FindsPod(PodId),
    DropsPod(PodId),
    CreatesAttachment(Link),
    FindsAttachment(Link),
    ReportsMultiAttach(Link),
    NoticesAttached(Link),
    ListsAttached(NodeId),
    SeesInUse(NodeId),
    UnlistsAttached(Link),
    StartsDetach(Link),
    DeletesAttachment(Link),
    FindsStillInUse(Link),
    NoticesDetached(Link),
    NoticesAttachFailed(Link),
    GivesUpAttach(Link),
    FindsNoAttachment(Link),
    NoticesDetachFailed(Link),
    GivesUpDetach(Link),
    FindsAttachmentLost(Link),
    ForcesDetach(Link),
    DetachesOutOfService(Link),
    UnlistRefused(Link, FaultId),
    DeletionRefused(Link, FaultId),
    DetachesUnchecked(Link),
}

/// What makes a row of failed attaches longer, and what ends it: a success, or another operation on the volume.
const ATTACH_FAILS: &[&str] = &["adc-notices-attach-failed", "adc-gives-up-attach"];
const DETACH_FAILS: &[&str] =
    &["adc-notices-detach-failed", "adc-gives-up-detach", "adc-finds-still-in-use", "adc-deletion-refused"];
const ATTACH_BEGINS: &[&str] = &["adc-creates-attachment", "adc-finds-attachment"];
const DETACH_BEGINS: &[&str] = &["adc-deletes-attachment"];
const ATTACH_ENDS: &[&str] = &["adc-notices-attached", "adc-notices-detach-failed", "adc-notices-detached"];
const DETACH_ENDS: &[&str] = &["adc-notices-detached", "adc-notices-attach-failed", "adc-notices-attached"];

impl Act {
    pub(super) fn fact(self) -> Fact {
        const CONTROLLER: &str = "pkg/controller/volume/attachdetach/attach_detach_controller.go";
        const RECONCILER: &str = "pkg/controller/volume/attachdetach/reconciler/reconciler.go";
        const STATUS: &str = "pkg/controller/volume/attachdetach/statusupdater/node_status_updater.go";
        const CSI_ATTACHER: &str = "pkg/volume/csi/csi_attacher.go";
        const OPERATIONS: &str = "pkg/volume/util/operationexecutor/operation_generator.go";
        let fact = |rule, name, source| Fact { role: Role::AttachDetachController, rule, name, source };
        match self {
            Act::FindsPod(_) => fact("AD1", "adc-finds-pod", CONTROLLER),
            Act::DropsPod(_) => fact("AD2", "adc-drops-pod", CONTROLLER),
            Act::CreatesAttachment(_) => fact("AD6", "adc-creates-attachment", CSI_ATTACHER),
            Act::FindsAttachment(_) => fact("AD6", "adc-finds-attachment", CSI_ATTACHER),
            Act::ReportsMultiAttach(_) => fact("AD5", "adc-reports-multi-attach", RECONCILER),
            Act::NoticesAttached(_) => fact("AD6", "adc-notices-attached", CSI_ATTACHER),
            Act::ListsAttached(_) => fact("AD7", "adc-lists-attached", STATUS),
            Act::SeesInUse(_) => fact("AD8", "adc-sees-in-use", CONTROLLER),
            Act::UnlistsAttached(_) => fact("AD3", "adc-unlists-attached", RECONCILER),
            Act::StartsDetach(_) => fact("AD3", "adc-starts-detach", RECONCILER),
            Act::DeletesAttachment(_) => fact("AD4", "adc-deletes-attachment", OPERATIONS),
            Act::FindsStillInUse(_) => fact("AD4", "adc-finds-still-in-use", OPERATIONS),
            Act::NoticesDetached(_) => fact("AD4", "adc-notices-detached", CSI_ATTACHER),
            Act::NoticesAttachFailed(_) => fact("AD6", "adc-notices-attach-failed", CSI_ATTACHER),
            Act::GivesUpAttach(_) => fact("AD6", "adc-gives-up-attach", CSI_ATTACHER),
            Act::FindsNoAttachment(_) => fact("AD4", "adc-finds-no-attachment", CSI_ATTACHER),
            Act::NoticesDetachFailed(_) => fact("AD4", "adc-notices-detach-failed", CSI_ATTACHER),
            Act::GivesUpDetach(_) => fact("AD4", "adc-gives-up-detach", CSI_ATTACHER),
            Act::FindsAttachmentLost(_) => fact("AD9", "adc-finds-attachment-lost", OPERATIONS),
            Act::ForcesDetach(_) => fact("AD3", "adc-forces-detach", RECONCILER),
            Act::DetachesOutOfService(_) => fact("AD3", "adc-detaches-out-of-service", RECONCILER),
            Act::UnlistRefused(..) => fact("AD3", "adc-unlist-refused", STATUS),
            Act::DeletionRefused(..) => fact("AD4", "adc-deletion-refused", CSI_ATTACHER),
            Act::DetachesUnchecked(_) => fact("AD3", "adc-detaches-unchecked", RECONCILER),
        }
    }

    pub(super) fn subject(self) -> Subject {
        match self {
            Act::FindsPod(pod) | Act::DropsPod(pod) => Subject::Pod(pod),
            Act::ListsAttached(node) | Act::SeesInUse(node) => Subject::Node(node),
            Act::CreatesAttachment(link)
            | Act::FindsAttachment(link)
            | Act::ReportsMultiAttach(link)
            | Act::NoticesAttached(link)
            | Act::UnlistsAttached(link)
            | Act::StartsDetach(link)
            | Act::DeletesAttachment(link)
            | Act::FindsStillInUse(link)
            | Act::NoticesDetached(link)
            | Act::NoticesAttachFailed(link)
            | Act::GivesUpAttach(link)
            | Act::FindsNoAttachment(link)
            | Act::NoticesDetachFailed(link)
            | Act::GivesUpDetach(link)
            | Act::FindsAttachmentLost(link)
            | Act::ForcesDetach(link)
            | Act::DetachesOutOfService(link)
            | Act::UnlistRefused(link, _)
            | Act::DeletionRefused(link, _)
            | Act::DetachesUnchecked(link) => Subject::Link(link),
        }
    }

    pub(super) fn when(self, world: &World, cluster: &Cluster) -> When {
        // The loops of one run beat at different moments of their period, as on a real cluster.
        let reconcile = When::Every { period: ADC_LOOP.ms, offset: 73 };
        let retry = |fails, ends| When::Retry {
            period: ADC_LOOP.ms,
            offset: 73,
            pause: BACKOFF.ms,
            most: BACKOFF_MAX.ms,
            fails,
            ends,
        };
        match self {
            Act::FindsPod(_) | Act::DropsPod(_) => When::After(WATCH.ms),
            Act::SeesInUse(node) => {
                let assumed = world
                    .volumes()
                    .map(|volume| cluster.place(Link { volume, node }))
                    .any(|place| place.adc.in_use && !place.in_use && !place.adc.wanted.is_empty());
                // A use that is only assumed stands until the Node's next report.
                When::After(if assumed { NODE_STATUS.ms } else { WATCH.ms })
            }
            Act::ReportsMultiAttach(_) | Act::ListsAttached(_) => reconcile,
            Act::CreatesAttachment(_) | Act::FindsAttachment(_) => retry(ATTACH_FAILS, ATTACH_ENDS),
            Act::UnlistsAttached(_)
            | Act::StartsDetach(_)
            | Act::DetachesOutOfService(_)
            | Act::UnlistRefused(..) => retry(DETACH_FAILS, DETACH_ENDS),
            Act::DeletesAttachment(_)
            | Act::FindsStillInUse(_)
            | Act::FindsNoAttachment(_)
            | Act::DeletionRefused(..) => When::After(WRITE.ms),
            Act::NoticesAttached(_) | Act::NoticesAttachFailed(_) => When::Poll(ATTACH_BEGINS),
            Act::NoticesDetached(_) | Act::NoticesDetachFailed(_) => When::Poll(DETACH_BEGINS),
            Act::GivesUpAttach(_) => When::Since { names: ATTACH_BEGINS, ms: ATTACH_TIMEOUT.ms },
            Act::GivesUpDetach(_) => When::Since { names: DETACH_BEGINS, ms: ATTACH_TIMEOUT.ms },
            Act::FindsAttachmentLost(_) => When::Every { period: ADC_SYNC.ms, offset: 26_500 },
            Act::ForcesDetach(_) | Act::DetachesUnchecked(_) => {
                When::Since { names: &["adc-drops-pod"], ms: FORCE_DETACH.ms }
            }
        }
    }

    pub(super) fn run(self, t: &mut Turn) -> Result<(), Unmet> {
        match self {
            Act::FindsPod(id) => attach::finds_pod(t, id),
            Act::DropsPod(id) => attach::drops_pod(t, id),
            Act::CreatesAttachment(link) => attach::creates_attachment(t, link),
            Act::FindsAttachment(link) => attach::finds_attachment(t, link),
            Act::ReportsMultiAttach(link) => attach::reports_multi_attach(t, link),
            Act::NoticesAttached(link) => attach::notices_attached(t, link),
            Act::ListsAttached(node) => attach::lists_attached(t, node),
            Act::SeesInUse(node) => attach::sees_in_use(t, node),
            Act::UnlistsAttached(link) => detach::unlists_attached(t, link),
            Act::StartsDetach(link) => detach::starts_detach(t, link),
            Act::DeletesAttachment(link) => detach::deletes_attachment(t, link),
            Act::FindsStillInUse(link) => detach::finds_still_in_use(t, link),
            Act::NoticesDetached(link) => detach::notices_detached(t, link),
            Act::NoticesAttachFailed(link) => failed::notices_attach_failed(t, link),
            Act::GivesUpAttach(link) => failed::gives_up_attach(t, link),
            Act::FindsNoAttachment(link) => detach::finds_no_attachment(t, link),
            Act::NoticesDetachFailed(link) => failed::notices_detach_failed(t, link),
            Act::GivesUpDetach(link) => failed::gives_up_detach(t, link),
            Act::FindsAttachmentLost(link) => failed::finds_attachment_lost(t, link),
            Act::ForcesDetach(link) => failed::forces_detach(t, link),
            Act::DetachesOutOfService(link) => failed::detaches_out_of_service(t, link),
            Act::UnlistRefused(link, fault) => failed::unlist_refused(t, link, fault),
            Act::DeletionRefused(link, fault) => failed::deletion_refused(t, link, fault),
            Act::DetachesUnchecked(link) => failed::detaches_after_timeout(t, link),
        }
    }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    for id in world.pods() {
        found.extend([Act::FindsPod(id), Act::DropsPod(id)].map(Action::Adc));
    }
    for node in world.nodes() {
        found.extend([Act::ListsAttached(node), Act::SeesInUse(node)].map(Action::Adc));
    }
    for link in world.links() {
        for (id, fault) in world.faults() {
            if matches!(fault.kind, FaultKind::Refused { .. }) {
                found.extend([Act::UnlistRefused(link, id), Act::DeletionRefused(link, id)].map(Action::Adc));
            }
        }
        // Only a Node that cannot let go of a volume stays ready and has it unwanted for so long.
        let holds = world.faults().any(|(_, fault)| match fault.kind {
            FaultKind::Answer { method, .. } | FaultKind::Hangs { method, .. } => {
                [Method::NodeUnpublishVolume, Method::NodeUnstageVolume].contains(&method)
            }
            FaultKind::Down { .. }
            | FaultKind::Refused { .. }
            | FaultKind::ByHand { .. }
            | FaultKind::PodForced { .. }
            | FaultKind::Tainted { .. }
            | FaultKind::NamespaceDeleted => false,
        });
        if holds {
            found.push(Action::Adc(Act::DetachesUnchecked(link)));
        }
        let all = [
            Act::CreatesAttachment(link),
            Act::FindsAttachment(link),
            Act::ReportsMultiAttach(link),
            Act::NoticesAttached(link),
            Act::UnlistsAttached(link),
            Act::StartsDetach(link),
            Act::DeletesAttachment(link),
            Act::FindsStillInUse(link),
            Act::NoticesDetached(link),
            Act::NoticesAttachFailed(link),
            Act::GivesUpAttach(link),
            Act::FindsNoAttachment(link),
            Act::NoticesDetachFailed(link),
            Act::GivesUpDetach(link),
            Act::FindsAttachmentLost(link),
            Act::ForcesDetach(link),
            Act::DetachesOutOfService(link),
        ];
        found.extend(all.map(Action::Adc));
    }
}
