//! The external-attacher (EA0, EA1, EA3, EA5).

mod rules;
mod state;

use super::action::{Fact, Subject};
use super::timing::{WATCH, WRITE, When};
use super::turn::Turn;
use super::{Action, Cluster, Link, Role, Unmet, World};
pub(super) use rules::advance;
pub use state::Attacher;

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
}

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
            | Act::ReleasesVolume(link) => Subject::Link(link),
        }
    }

    pub(super) fn when(self, _: &World, _: &Cluster) -> When {
        match self {
            // In a recorded run every informer keeps up.
            Act::RepeatsPublish(_) => When::OnCommand,
            Act::MarksAttachedAtOnce(_)
            | Act::FinalizesVolume(_)
            | Act::CallsUnpublish(_)
            | Act::ReleasesVolume(_) => When::After(WATCH.ms),
            Act::FinalizesAttachment(_)
            | Act::CallsPublish(_)
            | Act::ReceivesPublishOk(_)
            | Act::RecordsAttached(_)
            | Act::ReceivesUnpublishOk(_)
            | Act::ReleasesAttachment(_) => When::After(WRITE.ms),
        }
    }

    pub(super) fn run(self, t: &mut Turn) -> Result<(), Unmet> {
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
        }
    }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    for link in world.links() {
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
        ];
        found.extend(all.map(Action::Attacher));
    }
}
