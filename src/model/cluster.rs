//! What changes in a run: API objects, what each actor remembers, the driver's truth, the Nodes' mounts.

use super::fault::{DownSet, Left};
use super::kubelet_expand::Expand;
use super::pack::Packer;
use super::slots::Slots;
use super::snapshots::Snapshot;
use super::spec::{Origin, PodVolume, Reclaim};
use super::world::{MAX_CLAIMS, MAX_CLASSES, MAX_FAULTS, MAX_NODES, MAX_PODS, MAX_SNAPSHOTS, MAX_VOLUMES};
use super::{
    ActorId, Adc, Agent, Attacher, Attachment, Binder, CauseSet, Claim, ClaimId, ClaimPhase, Class, ClassId,
    Deleter, FaultId, Finalizer, FinalizerSet, Kubelet, Late, Link, Node, NodeId, Pod, PodId, PodSet,
    Presence, Provisioner, Role, Scheduling, SnapshotId, Volume, VolumeId, VolumePhase, VolumeSet, World,
};
use std::hash::{Hash, Hasher};

/// What the driver did for a volume and a Node, and what the Node's kernel shows of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Real {
    /// The backend has attached the volume to the Node.
    pub published: bool,
    /// The Node has the volume's device.
    pub device: bool,
    /// The device is mounted at the staging path.
    pub staged: bool,
    /// The Pods at whose paths the volume is mounted.
    pub targets: PodSet,
    /// What the driver still does although its caller has given up.
    pub late: Option<Late>,
}

/// Everything about one volume on one Node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Place {
    /// The VolumeAttachment.
    pub attachment: Attachment,
    /// In the Node's `status.volumesAttached`.
    pub listed: bool,
    /// In the Node's `status.volumesInUse`.
    pub in_use: bool,
    /// What the attach-detach controller remembers.
    pub adc: Adc,
    /// What the external-attacher is doing.
    pub attacher: Attacher,
    /// What the Node's kubelet remembers.
    pub kubelet: Kubelet,
    /// What is true.
    pub real: Real,
    /// What the Node's kubelet remembers of its size.
    pub expand: Expand,
}

/// The state of a whole cluster. It has as many things of each kind as its world.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cluster {
    pods: Slots<Pod, MAX_PODS>,
    claims: Slots<Claim, MAX_CLAIMS>,
    volumes: Slots<Volume, MAX_VOLUMES>,
    classes: Slots<Class, MAX_CLASSES>,
    nodes: Slots<Node, MAX_NODES>,
    places: Slots<Slots<Place, MAX_NODES>, MAX_VOLUMES>,
    faults: Slots<Left, MAX_FAULTS>,
    down: DownSet,
    /// The volumes whose secret for the controller's calls is there.
    secrets: VolumeSet,
    causes: CauseSet,
    binders: Slots<Binder, MAX_CLAIMS>,
    provisioners: Slots<Provisioner, MAX_CLAIMS>,
    deleters: Slots<Deleter, MAX_VOLUMES>,
    schedulings: Slots<Scheduling, MAX_PODS>,
    /// The namespace is being deleted, so nothing new comes into it.
    terminating: bool,
    snapshots: Slots<Snapshot, MAX_SNAPSHOTS>,
}

impl Hash for Cluster {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self {
            pods,
            claims,
            volumes,
            classes,
            nodes,
            places,
            faults,
            down,
            secrets,
            causes,
            binders,
            provisioners,
            deleters,
            schedulings,
            terminating,
            snapshots,
        } = self;
        let mut packed = Packer::new(state);
        (pods, claims, volumes, classes, nodes, places).hash(&mut packed);
        (faults, down, secrets, causes, terminating).hash(&mut packed);
        (binders, provisioners, deleters, schedulings, snapshots).hash(&mut packed);
        packed.end();
    }
}

impl Cluster {
    /// What stands before anybody acts.
    pub(super) fn initial(world: &World) -> Self {
        let nodes = world.nodes().count();
        let mut cluster = Self {
            pods: Slots::of(world.pods().count()),
            claims: Slots::of(world.claims().count()),
            volumes: Slots::of(world.volumes().count()),
            classes: Slots::of(world.classes().count()),
            nodes: Slots::of(nodes),
            places: Slots::of(world.volumes().count()),
            faults: Slots::of(world.faults().count()),
            down: DownSet::default(),
            secrets: world.volumes().filter(|volume| !world.volume(*volume).secret_missing).collect(),
            causes: CauseSet::default(),
            binders: Slots::of(world.claims().count()),
            provisioners: Slots::of(world.claims().count()),
            deleters: Slots::of(world.volumes().count()),
            schedulings: Slots::of(world.pods().count()),
            terminating: false,
            snapshots: Slots::of(world.snapshots().count()),
        };
        for (id, fault) in world.faults() {
            *cluster.faults.get_mut(id.0) = Left::of(fault.times);
        }
        for volume in world.volumes() {
            *cluster.places.get_mut(volume.0) = Slots::of(nodes);
            let spec = world.volume(volume);
            cluster.volume_mut(volume).disk = spec.origin == Origin::Static && !spec.disk_missing;
        }
        for node in world.nodes() {
            let registered = !world.node(node).unregistered;
            cluster.node_mut(node).driver = registered;
            cluster.node_mut(node).agent = Agent::at_work(registered);
            // There the registrar has not been started yet.
            cluster.down.set(ActorId::on(Role::NodeDriverRegistrar, node), !registered);
        }
        for class in world.classes().filter(|class| world.class(*class).given) {
            cluster.class_mut(class).presence = Presence::Here;
        }
        for claim in world.claims().filter(|claim| world.claim(*claim).given) {
            cluster.give_bound(world, claim);
        }
        cluster
    }

    /// Puts a claim there with the volume it is bound to.
    fn give_bound(&mut self, world: &World, id: ClaimId) {
        let spec = world.claim(id);
        let volume = spec.volume_name.map(|place| VolumeId(place as u8));
        *self.claim_mut(id) = Claim {
            presence: Presence::Here,
            finalizers: FinalizerSet::of(&[Finalizer::PvcProtection]),
            phase: ClaimPhase::Bound,
            class: spec.class.map(|place| ClassId(place as u8)),
            volume,
            bind_completed: true,
            request: spec.request,
            capacity: spec.request,
            ..Claim::default()
        };
        let Some(volume) = volume else { return };
        let mut finalizers = FinalizerSet::of(&[Finalizer::PvProtection]);
        if world.provisioned_for(volume).is_some() && world.volume(volume).reclaim == Reclaim::Delete {
            finalizers = finalizers.with(Finalizer::Provisioner);
        }
        *self.volume_mut(volume) = Volume {
            presence: Presence::Here,
            finalizers,
            phase: VolumePhase::Bound,
            claim: Some(id),
            capacity: world.volume(volume).capacity,
            disk: !world.volume(volume).disk_missing,
            ..Volume::default()
        };
    }

    /// A Pod.
    pub fn pod(&self, id: PodId) -> &Pod {
        self.pods.get(id.0)
    }

    /// A Pod, to change.
    pub fn pod_mut(&mut self, id: PodId) -> &mut Pod {
        self.pods.get_mut(id.0)
    }

    /// A claim.
    pub fn claim(&self, id: ClaimId) -> &Claim {
        self.claims.get(id.0)
    }

    /// A claim, to change.
    pub fn claim_mut(&mut self, id: ClaimId) -> &mut Claim {
        self.claims.get_mut(id.0)
    }

    /// A PersistentVolume.
    pub fn volume(&self, id: VolumeId) -> &Volume {
        self.volumes.get(id.0)
    }

    /// A PersistentVolume, to change.
    pub fn volume_mut(&mut self, id: VolumeId) -> &mut Volume {
        self.volumes.get_mut(id.0)
    }

    /// A StorageClass.
    pub fn class(&self, id: ClassId) -> &Class {
        self.classes.get(id.0)
    }

    /// A StorageClass, to change.
    pub fn class_mut(&mut self, id: ClassId) -> &mut Class {
        self.classes.get_mut(id.0)
    }

    /// A Node.
    pub fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(id.0)
    }

    /// A Node, to change.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        self.nodes.get_mut(id.0)
    }

    /// A volume on a Node.
    pub fn place(&self, link: Link) -> &Place {
        self.places.get(link.volume.0).get(link.node.0)
    }

    /// A volume on a Node, to change.
    pub fn place_mut(&mut self, link: Link) -> &mut Place {
        self.places.get_mut(link.volume.0).get_mut(link.node.0)
    }

    /// How many times a fault can still happen.
    pub fn left(&self, id: FaultId) -> Left {
        *self.faults.get(id.0)
    }

    /// The same, to change.
    pub fn left_mut(&mut self, id: FaultId) -> &mut Left {
        self.faults.get_mut(id.0)
    }

    /// A VolumeSnapshot with what belongs to it.
    pub fn snapshot(&self, id: SnapshotId) -> &Snapshot {
        self.snapshots.get(id.0)
    }

    /// The same, to change.
    pub fn snapshot_mut(&mut self, id: SnapshotId) -> &mut Snapshot {
        self.snapshots.get_mut(id.0)
    }

    /// The processes that are down.
    pub fn down(&self) -> DownSet {
        self.down
    }

    /// The same, to change.
    pub fn down_mut(&mut self) -> &mut DownSet {
        &mut self.down
    }

    /// The volumes whose secret for the controller's calls is there.
    pub fn secrets(&self) -> VolumeSet {
        self.secrets
    }

    /// The same, to change.
    pub fn secrets_mut(&mut self) -> &mut VolumeSet {
        &mut self.secrets
    }

    /// What this run contains that takes a volume's protection away.
    pub fn causes(&self) -> CauseSet {
        self.causes
    }

    /// The same, to change.
    pub fn causes_mut(&mut self) -> &mut CauseSet {
        &mut self.causes
    }

    /// What the PersistentVolume controller remembers of a claim.
    pub fn binder(&self, id: ClaimId) -> &Binder {
        self.binders.get(id.0)
    }

    /// The same, to change.
    pub fn binder_mut(&mut self, id: ClaimId) -> &mut Binder {
        self.binders.get_mut(id.0)
    }

    /// What external-provisioner does about a claim.
    pub fn provisioner(&self, id: ClaimId) -> &Provisioner {
        self.provisioners.get(id.0)
    }

    /// The same, to change.
    pub fn provisioner_mut(&mut self, id: ClaimId) -> &mut Provisioner {
        self.provisioners.get_mut(id.0)
    }

    /// What external-provisioner does about the end of a volume.
    pub fn deleter(&self, id: VolumeId) -> &Deleter {
        self.deleters.get(id.0)
    }

    /// The same, to change.
    pub fn deleter_mut(&mut self, id: VolumeId) -> &mut Deleter {
        self.deleters.get_mut(id.0)
    }

    /// What kube-scheduler remembers of a Pod.
    pub fn scheduling(&self, id: PodId) -> &Scheduling {
        self.schedulings.get(id.0)
    }

    /// The same, to change.
    pub fn scheduling_mut(&mut self, id: PodId) -> &mut Scheduling {
        self.schedulings.get_mut(id.0)
    }

    /// The volume that a Pod uses: that of its bound claim, or its inline one. Whoever still works for a Pod that is
    /// gone remembers the volume that it had.
    /// Whether the namespace is being deleted.
    pub fn terminating(&self) -> bool {
        self.terminating
    }

    /// The namespace is being deleted from now on.
    pub(super) fn terminate(&mut self) {
        self.terminating = true;
    }

    /// The volume that a Pod uses: that of its bound claim, or its inline one.
    pub fn volume_of(&self, world: &World, pod: PodId) -> Option<VolumeId> {
        match world.pod(pod).source {
            PodVolume::Inline(volume) => Some(VolumeId(volume as u8)),
            PodVolume::Claim(claim) | PodVolume::Ephemeral(claim) => {
                let id = ClaimId(claim as u8);
                let gone = self.pod(pod).presence == Presence::Gone;
                self.claim(id).volume.filter(|volume| gone || self.volume(*volume).claim == Some(id))
            }
        }
    }
}
