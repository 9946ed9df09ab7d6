//! What does not change in a run: the names and specs of everything in it, and the faults it has in store.

use super::candidates::Row;
use super::fault::Fault;
use super::growth::AttributesSpec;
use super::spec::{ClaimSpec, ClassSpec, NodeSpec, Origin, PodSpec, PodVolume, SnapshotSpec, VolumeSpec};
use super::{
    Action, Actor, ActorId, AttributesId, ClaimId, ClassId, Cluster, Driver, FaultId, Link, NodeId, ObjectId,
    ObjectRef, Parts, PodId, SnapshotId, VolumeId, WorldError, names,
};

/// The most Pods a world may have.
pub const MAX_PODS: usize = 4;
/// The most Nodes a world may have.
pub const MAX_NODES: usize = 2;
/// The most volumes a world may have.
pub const MAX_VOLUMES: usize = 4;
/// The most claims a world may have.
pub const MAX_CLAIMS: usize = 4;
/// The most StorageClasses a world may have.
pub const MAX_CLASSES: usize = 2;
/// The most snapshots a world may have.
pub const MAX_SNAPSHOTS: usize = 1;
/// The most faults a world may have.
pub const MAX_FAULTS: usize = 8;

/// The immutable side of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct World {
    parts: Parts,
    /// Every action that could ever happen.
    candidates: Vec<Row>,
    /// The names of the VolumeAttachments, in the order of the links: a name is a hash, and is asked for often.
    attachments: Vec<String>,
    /// Where every spec stays that a number out of range could ask for; no rule makes such a number.
    nothing: Nothing,
}

/// Empty specs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Nothing {
    class: ClassSpec,
    claim: ClaimSpec,
    volume: VolumeSpec,
    node: NodeSpec,
    pod: PodSpec,
    snapshot: SnapshotSpec,
    attributes: AttributesSpec,
}

impl World {
    /// A world of these parts.
    ///
    /// # Errors
    /// When there are no Pods or Nodes where there must be one, more of something than a [`Cluster`] has room
    /// for, or a part that names another which is not there.
    pub fn new(parts: Parts) -> Result<Self, WorldError> {
        let numbers = [
            ("Pods", 0, MAX_PODS, parts.pods.len()),
            ("Nodes", 1, MAX_NODES, parts.nodes.len()),
            ("volumes", 0, MAX_VOLUMES, parts.volumes.len()),
            ("claims", 0, MAX_CLAIMS, parts.claims.len()),
            ("StorageClasses", 0, MAX_CLASSES, parts.classes.len()),
            ("VolumeSnapshots", 0, MAX_SNAPSHOTS, parts.snapshots.len()),
            ("faults", 0, MAX_FAULTS, parts.faults.len()),
        ];
        for (what, least, most, given) in numbers {
            if !(least..=most).contains(&given) {
                return Err(WorldError::Number(what, least, most, given));
            }
        }
        let (claims, volumes) = (parts.claims.len(), parts.volumes.len());
        for pod in &parts.pods {
            match pod.source {
                PodVolume::Claim(claim) | PodVolume::Ephemeral(claim) if claim >= claims => {
                    return Err(WorldError::Missing("a Pod", "a claim"));
                }
                PodVolume::Inline(volume) if volume >= volumes => {
                    return Err(WorldError::Missing("a Pod", "a volume"));
                }
                PodVolume::Claim(_) | PodVolume::Ephemeral(_) | PodVolume::Inline(_) => {}
            }
        }
        if parts.claims.iter().filter_map(|claim| claim.volume_name).any(|volume| volume >= volumes) {
            return Err(WorldError::Missing("a claim", "a volume"));
        }
        let (classes, nodes) = (parts.classes.len(), parts.nodes.len());
        let admitted = parts.pods.iter().filter_map(|pod| pod.selector.as_ref());
        let admitted = admitted.chain(parts.volumes.iter().filter_map(|volume| volume.affinity.as_ref()));
        let admitted = admitted.chain(parts.classes.iter().filter_map(|class| class.topology.as_ref()));
        if admitted.flatten().any(|node| *node >= nodes) {
            return Err(WorldError::Missing("a Pod, volume or StorageClass", "a Node"));
        }
        if parts.claims.iter().filter_map(|claim| claim.class).any(|class| class >= classes) {
            return Err(WorldError::Missing("a claim", "a StorageClass"));
        }
        let mut world =
            Self { parts, candidates: Vec::new(), attachments: Vec::new(), nothing: Nothing::default() };
        world.candidates = Row::all(&Action::all(&world));
        let name = |link: Link| {
            let (volume, node) = (world.volume(link.volume), world.node(link.node));
            names::attachment_name(&volume.handle, &world.driver().name, &node.name)
        };
        world.attachments = world.links().map(name).collect();
        Ok(world)
    }

    pub(super) fn candidates(&self) -> &[Row] {
        &self.candidates
    }

    /// The state at the start: what is given is there, and nobody has done anything yet.
    pub fn initial(&self) -> Cluster {
        Cluster::initial(self)
    }

    /// The namespace of Pods and claims.
    pub fn namespace(&self) -> &str {
        &self.parts.namespace
    }

    /// The driver.
    pub fn driver(&self) -> &Driver {
        &self.parts.driver
    }

    /// Every Pod, in order.
    pub fn pods(&self) -> impl Iterator<Item = PodId> + use<> {
        (0..self.parts.pods.len() as u8).map(PodId)
    }

    /// Every Node, in order.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.parts.nodes.len() as u8).map(NodeId)
    }

    /// Every volume, in order.
    pub fn volumes(&self) -> impl Iterator<Item = VolumeId> + use<> {
        (0..self.parts.volumes.len() as u8).map(VolumeId)
    }

    /// Every claim, in order.
    pub fn claims(&self) -> impl Iterator<Item = ClaimId> + use<> {
        (0..self.parts.claims.len() as u8).map(ClaimId)
    }

    /// Every StorageClass, in order.
    pub fn classes(&self) -> impl Iterator<Item = ClassId> + use<> {
        (0..self.parts.classes.len() as u8).map(ClassId)
    }

    /// Every VolumeSnapshot, in order.
    pub fn snapshots(&self) -> impl Iterator<Item = SnapshotId> + use<> {
        (0..self.parts.snapshots.len() as u8).map(SnapshotId)
    }

    /// Every VolumeAttributesClass, in order.
    pub fn attributes_classes(&self) -> impl Iterator<Item = AttributesId> + use<> {
        (0..self.parts.attributes.len() as u8).map(AttributesId)
    }

    /// A VolumeAttributesClass's spec.
    pub fn attributes_class(&self, class: AttributesId) -> &AttributesSpec {
        self.parts.attributes.get(usize::from(class.0)).unwrap_or(&self.nothing.attributes)
    }

    /// Every fault, in order.
    pub fn faults(&self) -> impl Iterator<Item = (FaultId, &Fault)> {
        (0..).map(FaultId).zip(&self.parts.faults)
    }

    /// Every pair of a volume and a Node, in order.
    pub fn links(&self) -> impl Iterator<Item = Link> + use<> {
        let nodes = self.parts.nodes.len() as u8;
        self.volumes().flat_map(move |volume| (0..nodes).map(move |node| Link { volume, node: NodeId(node) }))
    }

    /// The claim that a Pod uses, if it uses one.
    pub fn claim_of(&self, pod: PodId) -> Option<ClaimId> {
        match self.pod(pod).source {
            PodVolume::Claim(claim) | PodVolume::Ephemeral(claim) => Some(ClaimId(claim as u8)),
            PodVolume::Inline(_) => None,
        }
    }

    /// The claim that a volume is provisioned for, if it is.
    pub fn provisioned_for(&self, volume: VolumeId) -> Option<ClaimId> {
        match self.volume(volume).origin {
            Origin::Provisioned(claim) => Some(ClaimId(claim as u8)),
            Origin::Static | Origin::Inline(_) => None,
        }
    }

    /// The volume that provisioning makes for a claim, if the world knows of one.
    pub fn provisions(&self, claim: ClaimId) -> Option<VolumeId> {
        self.volumes().find(|volume| self.provisioned_for(*volume) == Some(claim))
    }

    /// Whether a volume is declared inline in a Pod, so that it has no PersistentVolume.
    pub fn is_inline(&self, volume: VolumeId) -> bool {
        matches!(self.volume(volume).origin, Origin::Inline(_))
    }

    /// Whether a volume must be attached to a Node before it can be mounted there: its driver says so, and it is
    /// no inline volume.
    ///
    /// Source: pkg/volume/csi/csi_plugin.go `CanAttach`.
    pub fn is_attachable(&self, volume: VolumeId) -> bool {
        self.driver().attach_required && !self.is_inline(volume)
    }

    /// Whether the attach-detach controller may attach a volume to a second Node: one mode that allows it is enough,
    /// and so is none at all (AD11).
    ///
    /// Source: pkg/volume/util/util.go `IsMultiAttachAllowed`.
    pub fn allows_many_nodes(&self, volume: VolumeId) -> bool {
        let spec = self.volume(volume);
        spec.no_modes
            || spec.access_mode.allows_many_nodes()
            || spec.more_modes.iter().any(|mode| mode.allows_many_nodes())
    }

    /// Whether kube-controller-manager runs with `--disable-force-detach-on-timeout`.
    pub fn force_detach_disabled(&self) -> bool {
        self.parts.force_detach_disabled
    }

    /// A Pod's namespace.
    pub fn namespace_of(&self, pod: PodId) -> &str {
        self.pod(pod).namespace.as_deref().unwrap_or(&self.parts.namespace)
    }

    /// A volume's spec.
    pub fn volume(&self, volume: VolumeId) -> &VolumeSpec {
        self.parts.volumes.get(usize::from(volume.0)).unwrap_or(&self.nothing.volume)
    }

    /// A claim's spec.
    pub fn claim(&self, claim: ClaimId) -> &ClaimSpec {
        self.parts.claims.get(usize::from(claim.0)).unwrap_or(&self.nothing.claim)
    }

    /// A StorageClass's spec.
    pub fn class(&self, class: ClassId) -> &ClassSpec {
        self.parts.classes.get(usize::from(class.0)).unwrap_or(&self.nothing.class)
    }

    /// A Pod's spec.
    pub fn pod(&self, pod: PodId) -> &PodSpec {
        self.parts.pods.get(usize::from(pod.0)).unwrap_or(&self.nothing.pod)
    }

    /// A Node's spec.
    pub fn node(&self, node: NodeId) -> &NodeSpec {
        self.parts.nodes.get(usize::from(node.0)).unwrap_or(&self.nothing.node)
    }

    /// A VolumeSnapshot's spec.
    pub fn snapshot(&self, snapshot: SnapshotId) -> &SnapshotSpec {
        self.parts.snapshots.get(usize::from(snapshot.0)).unwrap_or(&self.nothing.snapshot)
    }

    /// The handle of the volume that a VolumeSnapshot is taken of, if the world knows which that is.
    pub fn source_of(&self, snapshot: SnapshotId) -> Option<String> {
        let claim = ClaimId(self.snapshot(snapshot).claim as u8);
        let named = self.claim(claim).volume_name.map(|place| VolumeId(place as u8));
        let volume = named.or_else(|| self.provisions(claim))?;
        Some(self.volume(volume).handle.clone())
    }

    /// A fault.
    pub fn fault(&self, fault: FaultId) -> Option<&Fault> {
        self.parts.faults.get(usize::from(fault.0))
    }

    /// The Pod of this name.
    pub fn pod_named(&self, name: &str) -> Option<PodId> {
        self.pods().find(|p| self.pod(*p).name == name)
    }

    /// The Node of this name.
    pub fn node_named(&self, name: &str) -> Option<NodeId> {
        self.nodes().find(|n| self.node(*n).name == name)
    }

    /// The StorageClass of this name.
    pub fn class_named(&self, name: &str) -> Option<ClassId> {
        self.classes().find(|c| self.class(*c).name == name)
    }

    /// The volume whose PersistentVolume has this name.
    pub fn volume_named(&self, pv: &str) -> Option<VolumeId> {
        self.volumes().find(|v| self.volume(*v).pv == pv)
    }

    /// The StorageClass that a claim asks for.
    pub fn class_of(&self, claim: ClaimId) -> Option<ClassId> {
        self.claim(claim).class.map(|place| ClassId(place as u8))
    }

    /// Whether nobody ever deletes a volume's PersistentVolume: it is that of a claim that is kept, or there is none.
    pub fn is_kept(&self, volume: VolumeId) -> bool {
        self.is_inline(volume)
            || self
                .claims()
                .map(|claim| self.claim(claim))
                .any(|claim| claim.kept && claim.given && claim.volume_name == Some(usize::from(volume.0)))
    }

    /// The claim of this name.
    pub fn claim_named(&self, name: &str) -> Option<ClaimId> {
        self.claims().find(|c| self.claim(*c).name == name)
    }

    /// The name that `volumesAttached` and `volumesInUse` give a volume.
    pub fn unique_volume_name(&self, volume: VolumeId) -> String {
        names::unique_volume_name(&self.driver().name, &self.volume(volume).handle)
    }

    /// An object's kind and name.
    pub fn object(&self, object: ObjectId) -> ObjectRef {
        let name = match object {
            ObjectId::Pod(pod) => self.pod(pod).name.clone(),
            ObjectId::Claim(claim) => self.claim(claim).name.clone(),
            ObjectId::Volume(volume) => self.volume(volume).pv.clone(),
            ObjectId::Attachment(link) => {
                let place = usize::from(link.volume.0) * self.parts.nodes.len() + usize::from(link.node.0);
                self.attachments.get(place).cloned().unwrap_or_default()
            }
            ObjectId::Node(node) | ObjectId::CsiNode(node) => self.node(node).name.clone(),
            ObjectId::CsiDriver => self.driver().name.clone(),
            ObjectId::Class(class) => self.class(class).name.clone(),
            ObjectId::Snapshot(snapshot) => self.snapshot(snapshot).name.clone(),
            ObjectId::SnapshotContent(snapshot) => names::snapshot_content(&self.snapshot(snapshot).uid),
        };
        ObjectRef { kind: object.kind(), name }
    }

    /// An actor with its Node's name.
    pub fn actor(&self, actor: ActorId) -> Actor {
        Actor { role: actor.role, node: actor.node.map(|n| self.node(n).name.clone()) }
    }
}
