//! What an action needs so that it is worth asking its rule: most rules refuse, most of the time, for lack of one thing.

use super::action::Subject;
use super::world::{MAX_CLAIMS, MAX_NODES, MAX_PODS, MAX_VOLUMES};
use super::{
    Action, ActorId, AdcOperation, Agent, Attacher, ClaimId, Cluster, KubeletOperation, Link, NodeId,
    NodeReady, Place, PodId, Presence, Role, VolumeId, World, adc, attacher, driver, kubelet, nodes,
    registrar, scheduler,
};

/// Something that must be there before an action is worth asking for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Need {
    Nothing,
    /// A Pod that is or was there.
    Pod(PodId),
    /// A Pod that is there and waits for its Node.
    Waiting(PodId),
    /// A Pod that is there and has its Node.
    Bound(PodId),
    /// A mount for a Pod that kubelet may begin, or has begun.
    Mount(PodId),
    /// A Pod that is to leave its Node because of the Node.
    Lost(PodId),
    Claim(ClaimId),
    Volume(VolumeId),
    /// A kubelet that has just started, or is not at one with the driver.
    Restless(NodeId),
    /// A Node that is not healthy, or that others take for that.
    Trouble(NodeId),
    /// Anything about a volume on a Node.
    Place(Link),
    /// The VolumeAttachment.
    Attachment(Link),
    /// An operation of the attach-detach controller.
    Operation(Link),
    /// A call of the external-attacher, or what it has to write after one.
    Attacher(Link),
    /// An operation of kubelet.
    Kubelet(Link),
}

const CLAIMS: usize = 5 * MAX_PODS;
const VOLUMES: usize = CLAIMS + MAX_CLAIMS;
const NODES: usize = VOLUMES + MAX_VOLUMES;
const LINKS: usize = NODES + 2 * MAX_NODES;

impl Need {
    /// Its bit, which nothing else has. What has no room is always asked for.
    pub fn bit(self) -> u128 {
        let nth = |group: usize, size: usize, number: u8| Some(group * size + usize::from(number));
        let of_pod = |group, pod: PodId| nth(group, MAX_PODS, pod.0);
        let of_node = |group, node: NodeId| nth(group, MAX_NODES, node.0).map(|n| NODES + n);
        let of_link = |group, link: Link| {
            let place = nth(group, MAX_VOLUMES * MAX_NODES, link.volume.0)?;
            Some(LINKS + place + usize::from(link.node.0) * MAX_VOLUMES)
        };
        let place = match self {
            Need::Nothing => None,
            Need::Pod(pod) => of_pod(0, pod),
            Need::Waiting(pod) => of_pod(1, pod),
            Need::Bound(pod) => of_pod(2, pod),
            Need::Mount(pod) => of_pod(3, pod),
            Need::Lost(pod) => of_pod(4, pod),
            Need::Claim(claim) => Some(CLAIMS + usize::from(claim.0)),
            Need::Volume(volume) => Some(VOLUMES + usize::from(volume.0)),
            Need::Restless(node) => of_node(0, node),
            Need::Trouble(node) => of_node(1, node),
            Need::Place(link) => of_link(0, link),
            Need::Attachment(link) => of_link(1, link),
            Need::Operation(link) => of_link(2, link),
            Need::Attacher(link) => of_link(3, link),
            Need::Kubelet(link) => of_link(4, link),
        };
        place.and_then(|place| 1_u128.checked_shl(place as u32)).unwrap_or(0)
    }
}

/// What a state lacks of all that actions need: a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Absent(u128);

impl Absent {
    /// What this state lacks.
    pub fn of(world: &World, cluster: &Cluster) -> Self {
        let mut bits = 0;
        let mut lacks = |need: Need, is: bool| bits |= if is { need.bit() } else { 0 };
        for id in world.pods() {
            let pod = cluster.pod(id);
            let here = pod.presence == Presence::Here;
            lacks(Need::Pod(id), pod.presence == Presence::NotYet);
            lacks(Need::Waiting(id), !here || pod.node.is_some());
            lacks(Need::Bound(id), !here || pod.node.is_none());
            lacks(Need::Mount(id), !mounts(world, cluster, id));
            let node = pod.node.map(|node| cluster.node(node));
            lacks(Need::Lost(id), !pod.evicting && node.is_none_or(|n| !n.gone && !n.out_of_service));
        }
        for claim in world.claims() {
            lacks(Need::Claim(claim), cluster.claim(claim).presence == Presence::NotYet);
        }
        for volume in world.volumes() {
            lacks(Need::Volume(volume), cluster.volume(volume).presence == Presence::NotYet);
        }
        for id in world.nodes() {
            let node = cluster.node(id);
            lacks(Need::Restless(id), node.agent == Agent::at_work(true));
            let marked = node.ready != NodeReady::True || node.no_schedule || node.no_execute;
            let silent = cluster.down().contains(ActorId::on(Role::Kubelet, id));
            lacks(Need::Trouble(id), !marked && !node.gone && !silent);
        }
        for link in world.links() {
            let place = cluster.place(link);
            let attached = place.attachment.exists;
            let operates = place.adc.operation != AdcOperation::None;
            let calls = place.attacher != Attacher::Idle;
            let works = place.kubelet.operation != KubeletOperation::None;
            let any = attached || operates || calls || works;
            lacks(Need::Place(link), !any && *place == Place::default());
            lacks(Need::Attachment(link), !attached);
            lacks(Need::Operation(link), !operates);
            lacks(Need::Attacher(link), !calls);
            lacks(Need::Kubelet(link), !works);
        }
        Self(bits)
    }

    /// Whether this is lacking.
    pub(super) fn has(self, bit: u128) -> bool {
        self.0 & bit != 0
    }
}

/// Whether kubelet has a mount for this Pod under way, or wants one that it has not.
fn mounts(world: &World, cluster: &Cluster, pod: PodId) -> bool {
    let Some(node) = cluster.pod(pod).node else { return false };
    world.volumes().map(|volume| &cluster.place(Link { volume, node }).kubelet).any(|kubelet| {
        kubelet.operation == KubeletOperation::Mount(pod)
            || (kubelet.wanted.contains(pod) && !kubelet.mounted.contains(pod))
    })
}

/// What an action needs: most are about something that must be there, and those that go on with something need it to be
/// under way. Its rule says so as well; here it is only asked once for many actions.
pub(super) fn need(action: Action) -> Need {
    use {adc::Act as Adc, attacher::Act as Sidecar, driver::Act as Driver, kubelet::Act as Kubelet};
    use {nodes::Act as Nodes, registrar::Act as Registrar, scheduler::Act as Scheduler};
    if begins(action) {
        return Need::Nothing;
    }
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
    let lost = matches!(
        action,
        Action::Nodes(
            Nodes::EvictsPod(_)
                | Nodes::CancelsEviction(_)
                | Nodes::CollectsOrphan(_)
                | Nodes::CollectsOutOfService(_)
        )
    );
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
    let mounts = matches!(
        action,
        Action::Kubelet(
            Kubelet::ReadsAttachment(_)
                | Kubelet::CallsStage(_)
                | Kubelet::CallsPublish(_)
                | Kubelet::FailsMount(..)
        )
    );
    let attached = matches!(
        action,
        Action::Attacher(
            Sidecar::MarksAttachedAtOnce(_)
                | Sidecar::FinalizesVolume(_)
                | Sidecar::FinalizesAttachment(_)
                | Sidecar::CallsPublish(_)
                | Sidecar::CallsUnpublish(_)
                | Sidecar::ReportsAttachObstacle(_)
                | Sidecar::ReportsDetachObstacle(_)
                | Sidecar::ReconcilesAttachment(_)
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
    match action.subject() {
        Subject::Pod(pod) if waiting => Need::Waiting(pod),
        Subject::Pod(pod) if bound => Need::Bound(pod),
        Subject::Pod(pod) if mounts => Need::Mount(pod),
        Subject::Pod(pod) if lost => Need::Lost(pod),
        Subject::Pod(pod) => Need::Pod(pod),
        Subject::Claim(claim) => Need::Claim(claim),
        Subject::Volume(volume) => Need::Volume(volume),
        Subject::Link(link) if attached => Need::Attachment(link),
        Subject::Link(link) if operates => Need::Operation(link),
        Subject::Link(link) if calls => Need::Attacher(link),
        Subject::Link(link) if on_node => Need::Kubelet(link),
        Subject::Link(link) => Need::Place(link),
        Subject::Node(node) if restless => Need::Restless(node),
        Subject::Node(node) if trouble => Need::Trouble(node),
        Subject::Node(_) | Subject::Class(_) | Subject::Snapshot(_) | Subject::Fault(_) => Need::Nothing,
    }
}

/// Whether an action may create what it is about, as a user's and the claim of a generic ephemeral volume, or is rather
/// about something else, as the finalizer of the PersistentVolume.
fn begins(action: Action) -> bool {
    let of_volume = matches!(
        action,
        Action::Attacher(attacher::Act::ReleasesVolume(_) | attacher::Act::VolumeReleaseRefused(..))
    );
    // A volume that is made late has no PersistentVolume yet.
    let late = matches!(action, Action::Driver(driver::Act::FinishesLateAtBackend(_)));
    of_volume || late || action.role() == Role::User || action.role() == Role::EphemeralController
}
