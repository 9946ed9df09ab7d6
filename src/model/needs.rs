//! What an action needs so that it is worth asking its rule: most rules refuse, most of the time, for lack of one thing.

use super::world::{MAX_CLAIMS, MAX_NODES, MAX_PODS, MAX_VOLUMES};
use super::{
    ActorId, Actual, AdcOperation, Agent, Attacher, ClaimId, Cluster, Deletion, KubeletOperation, Link,
    NodeId, NodeReady, Place, PodId, Presence, Role, Runtime, VolumeId, World,
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
    /// A Pod that is or was there, of which the containers have not ended.
    Containers(PodId),
    /// A mount for a Pod that kubelet may begin, or has begun.
    Mount(PodId),
    /// A volume that is, or may be, published to a Pod.
    Published(PodId),
    /// A Pod that is to leave its Node because of the Node.
    Lost(PodId),
    /// A claim that is or was there.
    Claim(ClaimId),
    /// A claim that is there.
    ClaimHere(ClaimId),
    /// A claim that is there, and not bound.
    Unbound(ClaimId),
    /// A PersistentVolume that is or was there.
    Volume(VolumeId),
    /// A PersistentVolume that is there.
    VolumeHere(VolumeId),
    /// A PersistentVolume that is to go, or has gone.
    Going(VolumeId),
    /// The end of a disk that is under way.
    Deletion(VolumeId),
    /// A kubelet that has just started, or is not at one with the driver.
    Restless(NodeId),
    /// A Node that is not healthy, or that others take for that.
    Trouble(NodeId),
    /// A Node on which there is anything about a volume.
    Used(NodeId),
    /// Anything about a volume on a Node.
    Place(Link),
    /// The VolumeAttachment, which is to be attached.
    ToAttach(Link),
    /// The VolumeAttachment, which is to be detached.
    ToDetach(Link),
    /// A volume that the attach-detach controller wants attached.
    Wanted(Link),
    /// A volume that the attach-detach controller takes for attached, or is not sure of.
    Held(Link),
    /// An operation of the attach-detach controller.
    Operation(Link),
    /// A call of the external-attacher, or what it has to write after one.
    Attacher(Link),
    /// A volume that kubelet wants, or has.
    Known(Link),
    /// An operation of kubelet.
    Kubelet(Link),
}

const CLAIMS: usize = 7 * MAX_PODS;
const VOLUMES: usize = CLAIMS + 3 * MAX_CLAIMS;
const NODES: usize = VOLUMES + 4 * MAX_VOLUMES;
const LINKS: usize = NODES + 3 * MAX_NODES;
const ALL: usize = LINKS + 9 * MAX_VOLUMES * MAX_NODES;

impl Need {
    /// Its place among all needs, which nothing else has; there is none for what is always asked for.
    pub fn place(self) -> Option<usize> {
        let of_pod = |group, pod: PodId| Some(group * MAX_PODS + usize::from(pod.0));
        let of_claim = |group, claim: ClaimId| Some(CLAIMS + group * MAX_CLAIMS + usize::from(claim.0));
        let of_volume = |group, id: VolumeId| Some(VOLUMES + group * MAX_VOLUMES + usize::from(id.0));
        let of_node = |group, node: NodeId| Some(NODES + group * MAX_NODES + usize::from(node.0));
        let of_link = |group, link: Link| {
            let row = group * MAX_NODES + usize::from(link.node.0);
            Some(LINKS + row * MAX_VOLUMES + usize::from(link.volume.0))
        };
        match self {
            Need::Nothing => None,
            Need::Pod(pod) => of_pod(0, pod),
            Need::Waiting(pod) => of_pod(1, pod),
            Need::Bound(pod) => of_pod(2, pod),
            Need::Containers(pod) => of_pod(3, pod),
            Need::Mount(pod) => of_pod(4, pod),
            Need::Published(pod) => of_pod(5, pod),
            Need::Lost(pod) => of_pod(6, pod),
            Need::Claim(claim) => of_claim(0, claim),
            Need::ClaimHere(claim) => of_claim(1, claim),
            Need::Unbound(claim) => of_claim(2, claim),
            Need::Volume(volume) => of_volume(0, volume),
            Need::VolumeHere(volume) => of_volume(1, volume),
            Need::Going(volume) => of_volume(2, volume),
            Need::Deletion(volume) => of_volume(3, volume),
            Need::Restless(node) => of_node(0, node),
            Need::Trouble(node) => of_node(1, node),
            Need::Used(node) => of_node(2, node),
            Need::Place(link) => of_link(0, link),
            Need::ToAttach(link) => of_link(1, link),
            Need::ToDetach(link) => of_link(2, link),
            Need::Wanted(link) => of_link(3, link),
            Need::Held(link) => of_link(4, link),
            Need::Operation(link) => of_link(5, link),
            Need::Attacher(link) => of_link(6, link),
            Need::Known(link) => of_link(7, link),
            Need::Kubelet(link) => of_link(8, link),
        }
    }
}

/// What a state lacks of all that actions need: a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Absent([u64; ALL.div_ceil(64)]);

impl Absent {
    /// What this state lacks.
    pub fn of(world: &World, cluster: &Cluster) -> Self {
        let mut absent = Self([0; ALL.div_ceil(64)]);
        for id in world.pods() {
            let pod = cluster.pod(id);
            let (here, begun) = (pod.presence == Presence::Here, pod.presence != Presence::NotYet);
            let (mounts, published) = kubelet_has(world, cluster, id);
            let node = pod.node.map(|node| cluster.node(node));
            absent.note(Need::Pod(id), begun);
            absent.note(Need::Waiting(id), here && pod.node.is_none());
            absent.note(Need::Bound(id), here && pod.node.is_some());
            absent.note(Need::Containers(id), begun && pod.runtime != Runtime::Ended);
            absent.note(Need::Mount(id), mounts);
            absent.note(Need::Published(id), published);
            absent.note(Need::Lost(id), pod.evicting || node.is_some_and(|n| n.gone || n.out_of_service));
        }
        for id in world.claims() {
            let claim = cluster.claim(id);
            let here = claim.presence == Presence::Here;
            absent.note(Need::Claim(id), claim.presence != Presence::NotYet);
            absent.note(Need::ClaimHere(id), here);
            absent.note(Need::Unbound(id), here && !claim.bind_completed);
        }
        for id in world.volumes() {
            let volume = cluster.volume(id);
            absent.note(Need::Volume(id), volume.presence != Presence::NotYet);
            absent.note(Need::VolumeHere(id), volume.presence == Presence::Here);
            absent.note(Need::Going(id), volume.deleting);
            absent.note(Need::Deletion(id), cluster.deleter(id).step != Deletion::Idle);
        }
        for id in world.nodes() {
            let node = cluster.node(id);
            let marked = node.ready != NodeReady::True || node.no_schedule || node.no_execute;
            let silent = cluster.down().contains(ActorId::on(Role::Kubelet, id));
            absent.note(Need::Restless(id), node.agent != Agent::at_work(true));
            absent.note(Need::Trouble(id), marked || node.gone || silent);
            let mut used = false;
            for volume in world.volumes() {
                used |= absent.of_place(cluster, Link { volume, node: id });
            }
            absent.note(Need::Used(id), used);
        }
        absent
    }

    /// Notes what there is of a volume on a Node, and says whether that is anything.
    fn of_place(&mut self, cluster: &Cluster, link: Link) -> bool {
        let place = cluster.place(link);
        let (attachment, adc, kubelet) = (&place.attachment, &place.adc, &place.kubelet);
        let calls = place.attacher != Attacher::Idle;
        let works = kubelet.operation != KubeletOperation::None;
        let any = attachment.exists || calls || works || *place != Place::default();
        self.note(Need::Place(link), any);
        self.note(Need::ToAttach(link), attachment.exists && !attachment.deleting && !attachment.attached);
        self.note(Need::ToDetach(link), attachment.exists && attachment.deleting);
        self.note(Need::Wanted(link), !adc.wanted.is_empty());
        self.note(Need::Held(link), adc.actual != Actual::Detached);
        self.note(Need::Operation(link), adc.operation != AdcOperation::None);
        self.note(Need::Attacher(link), calls);
        let has = kubelet.attached || kubelet.device.may_be_mounted();
        self.note(Need::Known(link), has || !kubelet.wanted.is_empty());
        self.note(Need::Kubelet(link), works);
        any
    }

    /// Notes whether there is what something needs.
    fn note(&mut self, need: Need, is: bool) {
        let place = need.place().filter(|_| !is);
        if let Some((place, bits)) = place.and_then(|place| Some((place, self.0.get_mut(place / 64)?))) {
            *bits |= 1 << (place % 64);
        }
    }

    /// Whether what has this place is lacking.
    pub(super) fn has(self, place: usize) -> bool {
        self.0.get(place / 64).is_some_and(|bits| bits >> (place % 64) & 1 == 1)
    }
}

/// Whether kubelet has a mount for this Pod under way, or wants one that it has not; and whether a volume is or may be
/// published to the Pod.
fn kubelet_has(world: &World, cluster: &Cluster, pod: PodId) -> (bool, bool) {
    let Some(node) = cluster.pod(pod).node else { return (false, false) };
    let (mut mounts, mut published) = (false, false);
    for volume in world.volumes() {
        let kubelet = &cluster.place(Link { volume, node }).kubelet;
        let mounted = kubelet.mounted.contains(pod);
        mounts |= kubelet.operation == KubeletOperation::Mount(pod);
        mounts |= kubelet.wanted.contains(pod) && !mounted;
        published |= mounted || kubelet.uncertain.contains(pod);
    }
    (mounts, published)
}
