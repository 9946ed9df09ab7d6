//! What stands in API objects beside what a run writes: their manifests, and the fields of those given at the start.

use super::yaml_node::{Node, Pen};
use crate::model::{
    Actor, ClassId, Cluster, FsGroupPolicy, Kind, NodeId, ObjectId, ObjectRef, Role, SnapshotId, World,
};
use std::collections::BTreeMap;

/// A period for `nodeAllocatableUpdatePeriodSeconds`; at least ten are asked for.
const UPDATE_SECONDS: u32 = 60;
/// The annotation in which kubelet says what drivers call a Node.
const NODE_ID: &str = "csi.volume.kubernetes.io/nodeid";

/// What is known of one API object beside the writes of the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Manifest {
    /// The object.
    pub(super) object: ObjectRef,
    /// What stands in it from its creation on, whoever creates it.
    pub(super) fresh: Node,
    /// All that stands in it at the start of the run, where it is there already.
    pub(super) standing: Option<Node>,
    /// What a write of a field means, where the written value is only its name.
    pub(super) parts: BTreeMap<&'static str, Node>,
}

impl Manifest {
    /// Its `metadata.uid`, where the scenario gives one.
    pub(super) fn uid(&self) -> Option<&Node> {
        self.fresh.field("metadata").and_then(|metadata| metadata.field("uid"))
    }
}

/// The manifests of everything in a world.
pub(super) fn manifests(world: &World) -> Vec<Manifest> {
    let cluster = world.initial();
    let make = Maker { world, cluster: &cluster, you: Actor { role: Role::User, node: None } };
    let mut all: Vec<Manifest> = Vec::new();
    all.extend(world.pods().map(|id| make.pod(id)));
    all.extend(world.claims().map(|id| make.claim(id)));
    all.extend(world.volumes().filter(|id| !world.is_inline(*id)).map(|id| make.volume(id)));
    all.extend(world.links().map(|link| make.bare(ObjectId::Attachment(link))));
    all.extend(world.nodes().flat_map(|id| [make.node(id), make.csi_node(id)]));
    all.extend(world.driver().object.then(|| make.csi_driver()));
    all.extend(world.classes().map(|id| make.class(id)));
    all.extend(world.snapshots().flat_map(|id| [make.snapshot(id), make.content(id)]));
    all
}

/// Makes them for one world.
pub(super) struct Maker<'w> {
    pub world: &'w World,
    /// What is there at the start.
    pub cluster: &'w Cluster,
    /// Whoever writes manifests.
    pub you: Actor,
}

impl Maker<'_> {
    pub(super) fn pen(&self) -> Pen<'_> {
        Pen(&self.you)
    }

    pub(super) fn cluster_actor(role: Role) -> Actor {
        Actor { role, node: None }
    }

    /// An object of which only the name is known beforehand.
    pub(super) fn bare(&self, id: ObjectId) -> Manifest {
        let object = self.world.object(id);
        let named = self.pen().map([("name", self.pen().text(&object.name))]);
        let fresh = self.pen().map([("metadata", named)]);
        Manifest { object, fresh, standing: None, parts: BTreeMap::new() }
    }

    pub(super) fn put(&self, node: &mut Node, path: &[&str], value: Node) {
        node.set(path, Some(value), &self.you);
    }

    pub(super) fn named(&self, id: ObjectId, namespace: Option<&str>, uid: &str) -> Manifest {
        let mut manifest = self.bare(id);
        if let Some(namespace) = namespace {
            self.put(&mut manifest.fresh, &["metadata", "namespace"], self.pen().text(namespace));
        }
        if !uid.is_empty() {
            self.put(&mut manifest.fresh, &["metadata", "uid"], self.pen().text(uid));
        }
        manifest
    }

    pub(super) fn node_name(&self, place: usize) -> String {
        NodeId::of(place).map(|node| self.world.node(node).name.clone()).unwrap_or_default()
    }

    /// A node selector that admits these Nodes, by a label that tells them apart.
    pub(super) fn node_terms(&self, label: &str, nodes: &[usize]) -> Node {
        let pen = self.pen();
        let values = pen.list(nodes.iter().map(|node| pen.text(&self.node_name(*node))));
        let expression =
            pen.map([("key", pen.text(label)), ("operator", pen.text("In")), ("values", values)]);
        let term = pen.map([("matchExpressions", pen.list([expression]))]);
        pen.map([("nodeSelectorTerms", pen.list([term]))])
    }

    /// The label that the driver gives Nodes for its topology.
    pub(super) fn topology_key(&self) -> String {
        format!("topology.{}/node", self.world.driver().name)
    }

    pub(super) fn size(&self, gib: u16) -> Node {
        self.pen().text(&format!("{gib}Gi"))
    }

    fn node(&self, id: NodeId) -> Manifest {
        let spec = self.world.node(id);
        let kubelet = Actor { role: Role::Kubelet, node: Some(spec.name.clone()) };
        let pen = Pen(&kubelet);
        let mut manifest = self.bare(ObjectId::Node(id));
        let managed = "volumes.kubernetes.io/controller-managed-attach-detach";
        self.put(&mut manifest.fresh, &["metadata", "annotations", managed], pen.text("true"));
        self.put(
            &mut manifest.fresh,
            &["metadata", "labels", "kubernetes.io/hostname"],
            pen.text(&spec.name),
        );
        let ids = format!("{{\"{}\":\"{}\"}}", self.world.driver().name, spec.driver_id);
        let mut standing = manifest.fresh.written_by(&kubelet);
        if !spec.unregistered {
            self.put(&mut standing, &["metadata", "annotations", NODE_ID], pen.text(&ids));
        }
        let ready = pen.map([("status", pen.text("True")), ("type", pen.text("Ready"))]);
        self.put(&mut standing, &["status", "conditions"], pen.list([ready]));
        manifest.standing = Some(standing);
        manifest.parts.insert("metadata.annotations[csi.volume.kubernetes.io/nodeid]", pen.text(&ids));
        manifest
    }

    fn csi_node(&self, id: NodeId) -> Manifest {
        let spec = self.world.node(id);
        let kubelet = Actor { role: Role::Kubelet, node: Some(spec.name.clone()) };
        let pen = Pen(&kubelet);
        let mut manifest = self.bare(ObjectId::CsiNode(id));
        let keys = match self.world.driver().topology {
            true => pen.list([pen.text(&self.topology_key())]),
            false => pen.raw("null"),
        };
        let mut driver = pen.map([
            ("name", pen.text(&self.world.driver().name)),
            ("nodeID", pen.text(&spec.driver_id)),
            ("topologyKeys", keys),
        ]);
        if let Some(limit) = spec.limit {
            self.put(&mut driver, &["allocatable", "count"], pen.raw(limit));
        }
        let drivers = pen.list([driver]);
        let mut standing = manifest.fresh.written_by(&kubelet);
        let none = pen.raw("null");
        self.put(&mut standing, &["spec", "drivers"], if spec.unregistered { none } else { drivers.clone() });
        manifest.standing = Some(standing);
        manifest.parts.insert("spec.drivers", drivers);
        manifest
    }

    fn csi_driver(&self) -> Manifest {
        let (driver, pen) = (self.world.driver(), self.pen());
        let mut manifest = self.bare(ObjectId::CsiDriver);
        let policy = match driver.fs_group_policy {
            FsGroupPolicy::ReadWriteOnceWithFsType => "ReadWriteOnceWithFSType",
            FsGroupPolicy::File => "File",
            FsGroupPolicy::None => "None",
        };
        let modes = ["Persistent"].into_iter().chain(driver.ephemeral.then_some("Ephemeral"));
        let mut spec = pen.map([
            ("attachRequired", pen.raw(driver.attach_required)),
            ("fsGroupPolicy", pen.text(policy)),
            ("requiresRepublish", pen.raw(driver.requires_republish)),
            ("storageCapacity", pen.raw(driver.storage_capacity)),
            ("volumeLifecycleModes", pen.list(modes.map(|mode| pen.text(mode)))),
        ]);
        if driver.updates_allocatable {
            self.put(&mut spec, &["nodeAllocatableUpdatePeriodSeconds"], pen.raw(UPDATE_SECONDS));
        }
        self.put(&mut manifest.fresh, &["spec"], spec);
        manifest.standing = Some(manifest.fresh.clone());
        manifest
    }

    fn class(&self, id: ClassId) -> Manifest {
        let (spec, pen) = (self.world.class(id), self.pen());
        let mut manifest = self.bare(ObjectId::Class(id));
        if spec.default {
            let path = ["metadata", "annotations", "storageclass.kubernetes.io/is-default-class"];
            self.put(&mut manifest.fresh, &path, pen.text("true"));
        }
        if let Some(nodes) = spec.topology.as_deref() {
            let values = pen.list(nodes.iter().map(|node| pen.text(&self.node_name(*node))));
            let expression = pen.map([("key", pen.text(&self.topology_key())), ("values", values)]);
            let term = pen.map([("matchLabelExpressions", pen.list([expression]))]);
            self.put(&mut manifest.fresh, &["allowedTopologies"], pen.list([term]));
        }
        if spec.given {
            let mut standing = manifest.fresh.clone();
            if spec.expansion {
                self.put(&mut standing, &["allowVolumeExpansion"], pen.raw(true));
            }
            self.put(&mut standing, &["provisioner"], pen.text(&spec.provisioner));
            self.put(&mut standing, &["reclaimPolicy"], pen.text(spec.reclaim.name()));
            self.put(&mut standing, &["volumeBindingMode"], pen.text(spec.binding.name()));
            manifest.standing = Some(standing);
        }
        manifest
    }

    fn snapshot(&self, id: SnapshotId) -> Manifest {
        let (spec, pen) = (self.world.snapshot(id), self.pen());
        let mut manifest = self.named(ObjectId::Snapshot(id), Some(self.world.namespace()), &spec.uid);
        if let Some(claim) = self.world.claims().nth(spec.claim) {
            let name = pen.text(&self.world.claim(claim).name);
            self.put(&mut manifest.fresh, &["spec", "source", "persistentVolumeClaimName"], name);
        }
        manifest
    }

    fn content(&self, id: SnapshotId) -> Manifest {
        let (spec, pen) = (self.world.snapshot(id), self.pen());
        let mut manifest = self.bare(ObjectId::SnapshotContent(id));
        let reference = pen.map([
            ("apiVersion", pen.text("snapshot.storage.k8s.io/v1")),
            ("kind", pen.text(Kind::VolumeSnapshot.name())),
            ("name", pen.text(&spec.name)),
            ("namespace", pen.text(self.world.namespace())),
            ("uid", pen.text(&spec.uid)),
        ]);
        let mut content = pen.map([
            ("deletionPolicy", pen.text("Delete")),
            ("driver", pen.text(&self.world.driver().name)),
            ("volumeSnapshotRef", reference),
        ]);
        if let Some(handle) = self.world.source_of(id) {
            self.put(&mut content, &["source", "volumeHandle"], pen.text(&handle));
        }
        self.put(&mut manifest.fresh, &["spec"], content);
        manifest
    }
}
