//! The manifests of claims and PersistentVolumes, and what those hold that are there from the start.

use super::render;
use super::yaml_manifest::{Maker, Manifest};
use super::yaml_node::{Node, Pen};
use crate::model::{
    AccessMode, ClaimId, DataSource, Field, Kind, ObjectId, PodVolume, Presence, Role, Value, VolumeId,
};

/// The file system of a volume whose `fsType` is set.
const FS_TYPE: &str = "ext4";

impl Maker<'_> {
    /// A claim's spec; `whole` with all that its user writes, else with what the run does not write.
    pub(super) fn claim_spec(&self, id: ClaimId, whole: bool) -> Node {
        let (spec, pen) = (self.world.claim(id), self.pen());
        let mut tree = pen.map([]);
        if whole {
            self.put(&mut tree, &["accessModes"], pen.list([pen.text(spec.access_mode.name())]));
            self.put(&mut tree, &["resources", "requests", "storage"], self.size(spec.request));
            self.put(&mut tree, &["volumeMode"], pen.text(spec.mode.name()));
            if let Some(class) = self.world.class_of(id) {
                self.put(&mut tree, &["storageClassName"], pen.text(&self.world.class(class).name));
            }
        }
        let source = spec.source.map(|source| match source {
            DataSource::Snapshot(place) => {
                let name = self.world.snapshots().nth(place).map(|id| self.world.snapshot(id).name.clone());
                (Some("snapshot.storage.k8s.io"), Kind::VolumeSnapshot, name.unwrap_or_default())
            }
            DataSource::MissingSnapshot => {
                (Some("snapshot.storage.k8s.io"), Kind::VolumeSnapshot, spec.source_name.clone())
            }
            DataSource::Claim(place) => {
                let name = self.world.claims().nth(place).map(|id| self.world.claim(id).name.clone());
                (None, Kind::PersistentVolumeClaim, name.unwrap_or_default())
            }
        });
        if let Some((group, kind, name)) = source {
            // The API server copies one into the other.
            for field in ["dataSource", "dataSourceRef"] {
                let reference = pen.map([("kind", pen.text(kind.name())), ("name", pen.text(&name))]);
                self.put(&mut tree, &[field], reference);
                if let Some(group) = group {
                    self.put(&mut tree, &[field, "apiGroup"], pen.text(group));
                }
            }
        }
        if let Some(class) = spec.attributes.and_then(|place| self.world.attributes_classes().nth(place)) {
            let name = &self.world.attributes_class(class).name;
            self.put(&mut tree, &["volumeAttributesClassName"], pen.text(name));
        }
        tree
    }

    pub(super) fn claim(&self, id: ClaimId) -> Manifest {
        let (spec, pen) = (self.world.claim(id), self.pen());
        let mut manifest = self.named(ObjectId::Claim(id), Some(self.world.namespace()), &spec.uid);
        let own = self.claim_spec(id, false);
        if own.is_there() {
            self.put(&mut manifest.fresh, &["spec"], own);
        }
        let owner = self.world.pods().find(|pod| {
            matches!(self.world.pod(*pod).source, PodVolume::Ephemeral(place) if self.world.claims().nth(place) == Some(id))
        });
        // A claim of that name that a user creates belongs to no Pod, but then the scenario has two of them.
        if let Some(pod) = owner {
            let mut reference = pen.map([
                ("apiVersion", pen.text("v1")),
                ("blockOwnerDeletion", pen.raw(true)),
                ("controller", pen.raw(true)),
                ("kind", pen.text(Kind::Pod.name())),
                ("name", pen.text(&self.world.pod(pod).name)),
            ]);
            self.put(&mut reference, &["uid"], pen.text(&self.world.pod(pod).uid));
            self.put(&mut manifest.fresh, &["metadata", "ownerReferences"], pen.list([reference]));
        }
        let state = self.cluster.claim(id);
        if state.presence == Presence::Here {
            let mut tree = manifest.fresh.clone();
            self.put(
                &mut tree,
                &["metadata", "finalizers"],
                self.finalizers(Value::Finalizers(state.finalizers)),
            );
            self.put(&mut tree, &["spec"], self.claim_spec(id, true));
            let binder = Self::cluster_actor(Role::PvController);
            let bound = Pen(&binder);
            let done = bound.text("yes");
            tree.set(&["metadata", "annotations", "pv.kubernetes.io/bind-completed"], Some(done), &binder);
            if let Some(volume) = state.volume {
                let name = bound.text(&self.world.volume(volume).pv);
                tree.set(&["spec", "volumeName"], Some(name), &binder);
            }
            let modes = bound.list([bound.text(spec.access_mode.name())]);
            let capacity = self.size(state.capacity).written_by(&binder);
            let capacity = bound.map([("storage", capacity)]);
            let status =
                bound.map([("accessModes", modes), ("capacity", capacity), ("phase", bound.text("Bound"))]);
            tree.set(&["status"], Some(status), &binder);
            manifest.standing = Some(tree);
        }
        manifest
    }

    fn finalizers(&self, value: Value) -> Node {
        let texts = render::value(self.world, Field::Finalizers, value).unwrap_or_default();
        if texts.is_empty() { self.pen().raw("[]") } else { self.pen().texts(&texts) }
    }

    pub(super) fn volume(&self, id: VolumeId) -> Manifest {
        let (spec, pen) = (self.world.volume(id), self.pen());
        let mut manifest = self.bare(ObjectId::Volume(id));
        let tree = &mut manifest.fresh;
        let modes: Vec<AccessMode> = spec.modes();
        if !modes.is_empty() {
            self.put(
                tree,
                &["spec", "accessModes"],
                pen.list(modes.iter().map(|mode| pen.text(mode.name()))),
            );
        }
        self.put(tree, &["spec", "volumeMode"], pen.text(spec.mode.name()));
        if spec.fs_type {
            self.put(tree, &["spec", "csi", "fsType"], pen.text(FS_TYPE));
        }
        if spec.read_only {
            self.put(tree, &["spec", "csi", "readOnly"], pen.raw(true));
        }
        if let Some((namespace, name)) = spec.publish_secret.as_deref().and_then(|s| s.split_once('/')) {
            let secret = pen.map([("name", pen.text(name)), ("namespace", pen.text(namespace))]);
            self.put(tree, &["spec", "csi", "controllerPublishSecretRef"], secret);
        }
        if let Some(class) = spec.class.and_then(|place| self.world.classes().nth(place)) {
            self.put(tree, &["spec", "storageClassName"], pen.text(&self.world.class(class).name));
        }
        if let Some(nodes) = spec.affinity.as_deref() {
            let terms = self.node_terms(&self.topology_key(), nodes);
            self.put(tree, &["spec", "nodeAffinity", "required"], terms);
        }
        let state = self.cluster.volume(id);
        if state.presence == Presence::Here {
            let made = self.world.provisioned_for(id).is_some();
            let maker = if made { Self::cluster_actor(Role::ExternalProvisioner) } else { self.you.clone() };
            let pen = Pen(&maker);
            let mut tree = tree.written_by(&maker);
            let mut put = |path: &[&str], node: Node| tree.set(path, Some(node.written_by(&maker)), &maker);
            put(&["metadata", "finalizers"], self.finalizers(Value::Finalizers(state.finalizers)));
            if made {
                let key = "pv.kubernetes.io/provisioned-by";
                put(&["metadata", "annotations", key], pen.text(&self.world.driver().name));
            }
            put(&["spec", "capacity", "storage"], self.size(state.capacity));
            put(&["spec", "csi", "driver"], pen.text(&self.world.driver().name));
            put(&["spec", "csi", "volumeHandle"], pen.text(&spec.handle));
            put(&["spec", "persistentVolumeReclaimPolicy"], pen.text(spec.reclaim.name()));
            if let Some(claim) = state.claim {
                put(&["spec", "claimRef"], self.claim_ref(claim));
            }
            let binder = Self::cluster_actor(Role::PvController);
            tree.set(&["status", "phase"], Some(Pen(&binder).text("Bound")), &binder);
            manifest.standing = Some(tree);
        }
        manifest
    }

    fn claim_ref(&self, id: ClaimId) -> Node {
        let (spec, pen) = (self.world.claim(id), self.pen());
        let mut reference = pen.map([
            ("apiVersion", pen.text("v1")),
            ("kind", pen.text(Kind::PersistentVolumeClaim.name())),
            ("name", pen.text(&spec.name)),
            ("namespace", pen.text(self.world.namespace())),
        ]);
        if !spec.uid.is_empty() {
            self.put(&mut reference, &["uid"], pen.text(&spec.uid));
        }
        reference
    }
}
