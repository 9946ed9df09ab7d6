//! The attach-detach controller in kube-controller-manager (AD1 to AD8, AD11).

mod attach;
mod detach;
mod state;

use super::action::{Fact, Subject};
use super::event::{EventType, Text};
use super::timing::{ADC_LOOP, NODE_STATUS, WATCH, WRITE, When};
use super::turn::Turn;
use super::{Action, Cluster, Link, NodeId, PodId, PodSet, Role, Unmet, VolumeId, World};
pub use attach::is_terminated;
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
}

/// An Event that the attach-detach controller sends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Event {
    /// It saw the volume attached.
    SuccessfulAttachVolume(VolumeId),
    /// The volume is attached to another Node, where these Pods use it.
    MultiAttach(VolumeId, PodSet),
}

impl Event {
    pub(super) fn text(self, world: &World) -> Text {
        match self {
            Event::SuccessfulAttachVolume(volume) => (
                EventType::Normal,
                "SuccessfulAttachVolume",
                // Success texts of volume operations end with a blank.
                format!("AttachVolume.Attach succeeded for volume \"{}\" ", world.volume(volume).pv),
            ),
            Event::MultiAttach(volume, users) => (
                EventType::Warning,
                "FailedAttachVolume",
                format!(
                    "Multi-Attach error for volume \"{}\" {}",
                    world.volume(volume).pv,
                    used_by(world, users)
                ),
            ),
        }
    }
}

fn used_by(world: &World, users: PodSet) -> String {
    let names: Vec<&str> =
        world.pods().filter(|p| users.contains(*p)).map(|p| world.pod(p).name.as_str()).collect();
    if names.is_empty() {
        "Volume is already exclusively attached to one node and can't be attached to another".into()
    } else {
        format!("Volume is already used by pod(s) {}", names.join(", "))
    }
}

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
            | Act::NoticesDetached(link) => Subject::Link(link),
        }
    }

    pub(super) fn when(self, world: &World, cluster: &Cluster) -> When {
        // The loops of one run beat at different moments of their period, as on a real cluster.
        let reconcile = When::Every { period: ADC_LOOP.ms, offset: 73 };
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
            Act::CreatesAttachment(_)
            | Act::FindsAttachment(_)
            | Act::ReportsMultiAttach(_)
            | Act::ListsAttached(_)
            | Act::UnlistsAttached(_)
            | Act::StartsDetach(_) => reconcile,
            Act::DeletesAttachment(_) | Act::FindsStillInUse(_) => When::After(WRITE.ms),
            Act::NoticesAttached(_) => When::Poll(&["adc-creates-attachment", "adc-finds-attachment"]),
            Act::NoticesDetached(_) => When::Poll(&["adc-deletes-attachment"]),
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
        ];
        found.extend(all.map(Action::Adc));
    }
}
