//! The manifests of Pods: their one container, and where its volume comes from.

use super::yaml_manifest::{Maker, Manifest};
use crate::model::{ObjectId, PodId, PodVolume, VolumeMode};

/// Where a container sees its volume. The model has no use for it, but a Pod must say it.
const MOUNT_PATH: &str = "/data";
/// The same for a raw block volume.
const DEVICE_PATH: &str = "/dev/xvda";
/// A group for `fsGroup`: the model knows only that there is one.
const FS_GROUP: u32 = 2000;

impl Maker<'_> {
    pub(super) fn pod(&self, id: PodId) -> Manifest {
        let (spec, pen) = (self.world.pod(id), self.pen());
        let mut manifest = self.named(ObjectId::Pod(id), Some(self.world.namespace_of(id)), &spec.uid);
        let tree = &mut manifest.fresh;
        let name = pen.text(&spec.volume_name);
        let (claim, mode) = match spec.source {
            PodVolume::Claim(place) | PodVolume::Ephemeral(place) => {
                let claim = self.world.claims().nth(place);
                (claim, claim.map_or(VolumeMode::Filesystem, |claim| self.world.claim(claim).mode))
            }
            PodVolume::Inline(_) => (None, VolumeMode::Filesystem),
        };
        let read_only = spec.read_only.then(|| pen.raw(true));
        let mut container = pen.map([("image", pen.text(&spec.image)), ("name", pen.text(&spec.container))]);
        let (list, place, at) = match mode {
            VolumeMode::Filesystem => ("volumeMounts", "mountPath", MOUNT_PATH),
            VolumeMode::Block => ("volumeDevices", "devicePath", DEVICE_PATH),
        };
        let mount = pen.map([(place, pen.text(at)), ("name", name.clone())]);
        self.put(&mut container, &[list], pen.list([mount]));
        self.put(tree, &["spec", "containers"], pen.list([container]));
        let mut volume = pen.map([("name", name)]);
        match spec.source {
            PodVolume::Claim(_) => {
                let mut source = pen.map([]);
                if let Some(claim) = claim {
                    self.put(&mut source, &["claimName"], pen.text(&self.world.claim(claim).name));
                }
                if let Some(read_only) = read_only {
                    self.put(&mut source, &["readOnly"], read_only);
                }
                self.put(&mut volume, &["persistentVolumeClaim"], source);
            }
            PodVolume::Ephemeral(_) => {
                if let Some(claim) = claim {
                    self.put(
                        &mut volume,
                        &["ephemeral", "volumeClaimTemplate", "spec"],
                        self.claim_spec(claim, true),
                    );
                }
            }
            PodVolume::Inline(_) => {
                self.put(&mut volume, &["csi", "driver"], pen.text(&self.world.driver().name));
                if let Some(read_only) = read_only {
                    self.put(&mut volume, &["csi", "readOnly"], read_only);
                }
            }
        }
        self.put(tree, &["spec", "volumes"], pen.list([volume]));
        if spec.completes {
            self.put(tree, &["spec", "restartPolicy"], pen.text("Never"));
        }
        if spec.fs_group {
            self.put(tree, &["spec", "securityContext", "fsGroup"], pen.raw(FS_GROUP));
        }
        match spec.selector.as_deref() {
            Some([node]) => {
                let hostname = self.node_name(*node);
                self.put(tree, &["spec", "nodeSelector", "kubernetes.io/hostname"], pen.text(&hostname));
            }
            Some(nodes) => {
                let terms = self.node_terms("kubernetes.io/hostname", nodes);
                let path =
                    ["spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"];
                self.put(tree, &path, terms);
            }
            None => {}
        }
        let status = pen.map([
            ("image", pen.text(&spec.image)),
            ("imageID", pen.text("")),
            ("name", pen.text(&spec.container)),
            ("restartCount", pen.raw(0)),
        ]);
        manifest.parts.insert("status.containerStatuses", status);
        manifest
    }
}
