//! The world of a scenario file: its names become places in lists.

use super::scenario_fault::fault;
use super::scenario_file::{Problem, ScenarioError, Source};
use super::scenario_raw::{RawAttributes, RawClaim, RawDriver, RawPod, RawScenario, RawVolume, Text};
use crate::model::{
    AttributesSpec, ClaimSpec, ClassSpec, DataSource, Driver, NodeSpec, Origin, Parts, PodSpec, PodVolume,
    SnapshotSpec, VolumeSpec,
};

/// The image, the container and the volume of a Pod that does not name them.
const IMAGE: &str = "docker.io/library/busybox:1.36";
const CONTAINER: &str = "c";
const VOLUME: &str = "data";

/// The parts of its world.
pub(super) fn parts(source: Source<'_>, raw: &RawScenario) -> Result<Parts, ScenarioError> {
    let names = Names { source, raw };
    let driver = driver(&raw.driver);
    let nodes = raw.nodes.iter().map(|node| NodeSpec {
        name: node.name.clone(),
        driver_id: node.driver_id.clone().unwrap_or_else(|| node.name.clone()),
        limit: node.limit,
        pool: node.pool,
        unregistered: !node.registered,
    });
    let classes = raw.classes.iter().map(|class| {
        Ok(ClassSpec {
            name: class.name.clone(),
            provisioner: class.provisioner.clone().unwrap_or_else(|| driver.name.clone()),
            binding: class.binding,
            reclaim: class.reclaim,
            expansion: class.expansion,
            default: class.default,
            topology: names.nodes(class.nodes.as_deref())?,
            given: class.given,
        })
    });
    let snapshots = raw.snapshots.iter().map(|snapshot| {
        Ok(SnapshotSpec {
            name: snapshot.name.clone(),
            uid: snapshot.uid.clone(),
            claim: names.claim(&snapshot.claim)?,
            handle: snapshot.handle.clone(),
            retain: snapshot.retain,
        })
    });
    Ok(Parts {
        namespace: raw.namespace.clone().unwrap_or_else(|| "default".into()),
        nodes: nodes.collect(),
        classes: classes.collect::<Result<_, ScenarioError>>()?,
        claims: raw.claims.iter().map(|claim| names.claim_spec(claim)).collect::<Result<_, _>>()?,
        volumes: raw.volumes.iter().map(|volume| names.volume_spec(volume)).collect::<Result<_, _>>()?,
        snapshots: snapshots.collect::<Result<_, ScenarioError>>()?,
        pods: raw.pods.iter().map(|pod| names.pod_spec(pod)).collect::<Result<_, _>>()?,
        faults: raw
            .faults
            .iter()
            .map(|raw| fault(&names, &raw.span(), raw.get_ref()))
            .collect::<Result<_, _>>()?,
        attributes: raw.attributes.iter().map(attributes_class).collect(),
        force_detach_disabled: raw.force_detach_disabled,
        driver,
    })
}

fn attributes_class(raw: &RawAttributes) -> AttributesSpec {
    AttributesSpec { name: raw.name.clone(), missing: raw.missing, rejected: raw.rejected.clone() }
}

/// A driver with everything that most have, but for what the file says.
fn driver(raw: &RawDriver) -> Driver {
    let most = Driver::default();
    Driver {
        name: raw.name.clone().unwrap_or(most.name),
        object: raw.object.unwrap_or(most.object),
        attach_required: raw.attach_required.unwrap_or(most.attach_required),
        ephemeral: raw.ephemeral.unwrap_or(most.ephemeral),
        storage_capacity: raw.storage_capacity.unwrap_or(most.storage_capacity),
        fs_group_policy: raw.fs_group_policy.unwrap_or(most.fs_group_policy),
        updates_allocatable: raw.updates_allocatable.unwrap_or(most.updates_allocatable),
        attacher: raw.attacher.unwrap_or(most.attacher),
        provisioner: raw.provisioner.unwrap_or(most.provisioner),
        controller_publish: raw.controller_publish.unwrap_or(most.controller_publish),
        node_stage: raw.node_stage.unwrap_or(most.node_stage),
        controller_expand: raw.controller_expand.unwrap_or(most.controller_expand),
        node_expand: raw.node_expand.unwrap_or(most.node_expand),
        single_node_multi_writer: raw.single_node_multi_writer.unwrap_or(most.single_node_multi_writer),
        lists_published_nodes: raw.lists_published_nodes.unwrap_or(most.lists_published_nodes),
        mount_group: raw.mount_group.unwrap_or(most.mount_group),
        topology: raw.topology.unwrap_or(most.topology),
        resizer: raw.resizer.unwrap_or(most.resizer),
        expands_online: raw.expands_online.unwrap_or(most.expands_online),
        needs_node_expansion: raw.needs_node_expansion.unwrap_or(most.needs_node_expansion),
        modify: raw.modify.unwrap_or(most.modify),
        snapshots: raw.snapshots.unwrap_or(most.snapshots),
        snapshots_slowly: raw.snapshots_slowly.unwrap_or(most.snapshots_slowly),
        se_linux_mount: raw.se_linux_mount.unwrap_or(most.se_linux_mount),
        fences: raw.fences.unwrap_or(most.fences),
        requires_republish: raw.requires_republish.unwrap_or(most.requires_republish),
        publish_readonly: raw.publish_readonly.unwrap_or(most.publish_readonly),
        socket: raw.socket.clone().unwrap_or(most.socket),
    }
}

/// Looks names up in the lists of the file.
pub(super) struct Names<'r> {
    pub source: Source<'r>,
    raw: &'r RawScenario,
}

impl Names<'_> {
    pub fn node(&self, name: &Text) -> Result<usize, ScenarioError> {
        self.source.place("Node", name, self.raw.nodes.iter().map(|node| node.name.as_str()))
    }

    fn nodes(&self, names: Option<&[Text]>) -> Result<Option<Vec<usize>>, ScenarioError> {
        names.map(|names| names.iter().map(|name| self.node(name)).collect()).transpose()
    }

    fn class(&self, name: Option<&Text>) -> Result<Option<usize>, ScenarioError> {
        let all = self.raw.classes.iter().map(|class| class.name.as_str());
        name.map(|name| self.source.place("StorageClass", name, all)).transpose()
    }

    pub fn claim(&self, name: &Text) -> Result<usize, ScenarioError> {
        self.source.place("claim", name, self.raw.claims.iter().map(|claim| claim.name.as_str()))
    }

    pub fn volume(&self, name: &Text) -> Result<usize, ScenarioError> {
        self.source.place("volume", name, self.raw.volumes.iter().map(|volume| volume.name.as_str()))
    }

    pub fn pod(&self, name: &Text) -> Result<usize, ScenarioError> {
        self.source.place("Pod", name, self.raw.pods.iter().map(|pod| pod.name.get_ref().as_str()))
    }

    fn attributes(&self, name: &Text) -> Result<usize, ScenarioError> {
        let all = self.raw.attributes.iter().map(|class| class.name.as_str());
        self.source.place("VolumeAttributesClass", name, all)
    }

    fn claim_spec(&self, raw: &RawClaim) -> Result<ClaimSpec, ScenarioError> {
        let snapshots = self.raw.snapshots.iter().map(|snapshot| snapshot.name.as_str());
        let source = match (&raw.snapshot, &raw.clone) {
            // A snapshot that nobody declares does not exist.
            (Some(name), _) => Some(match snapshots.clone().position(|known| known == name.get_ref()) {
                Some(place) => DataSource::Snapshot(place),
                None => DataSource::MissingSnapshot,
            }),
            (None, Some(name)) => Some(DataSource::Claim(self.claim(name)?)),
            (None, None) => None,
        };
        Ok(ClaimSpec {
            name: raw.name.clone(),
            uid: raw.uid.clone(),
            class: self.class(raw.class.as_ref())?,
            access_mode: raw.access_mode,
            mode: raw.mode,
            request: raw.gib,
            volume_name: raw.volume.as_ref().map(|name| self.volume(name)).transpose()?,
            source,
            given: raw.given,
            kept: raw.kept,
            resizes: raw.resizes.clone(),
            source_name: raw.snapshot.as_ref().map(|name| name.get_ref().clone()).unwrap_or_default(),
            attributes: raw.attributes.as_ref().map(|name| self.attributes(name)).transpose()?,
        })
    }

    fn volume_spec(&self, raw: &RawVolume) -> Result<VolumeSpec, ScenarioError> {
        let origin = match (&raw.claim, &raw.pod) {
            (Some(claim), None) => Origin::Provisioned(self.claim(claim)?),
            (None, Some(pod)) => Origin::Inline(self.pod(pod)?),
            (None, None) => Origin::Static,
            (Some(claim), Some(_)) => {
                return Err(self.source.error(&claim.span(), Problem::OneOf("a volume", &["claim", "pod"])));
            }
        };
        // Several modes, or none at all, take the place of the one.
        let modes = raw.access_modes.clone().unwrap_or_else(|| vec![raw.access_mode]);
        Ok(VolumeSpec {
            pv: raw.name.clone(),
            handle: raw.handle.clone(),
            access_mode: modes.first().copied().unwrap_or_default(),
            mode: raw.mode,
            capacity: raw.gib,
            class: self.class(raw.class.as_ref())?,
            reclaim: raw.reclaim,
            origin,
            affinity: self.nodes(raw.nodes.as_deref())?,
            fs_type: raw.fs_type,
            more_modes: modes.get(1..).unwrap_or_default().to_vec(),
            no_modes: modes.is_empty(),
            read_only: raw.read_only,
            publish_secret: raw.publish_secret.clone(),
            secret_missing: raw.secret_missing,
            disk_missing: raw.disk_missing,
            stage_secret: raw.stage_secret.clone(),
            node_publish_secret: raw.node_publish_secret.clone(),
            made: raw.made_gib,
            owner_error: raw.owner_error.clone(),
            owner_seconds: raw.owner_seconds,
        })
    }

    fn pod_spec(&self, raw: &RawPod) -> Result<PodSpec, ScenarioError> {
        let source = match (&raw.claim, &raw.ephemeral, &raw.inline) {
            (Some(claim), None, None) => PodVolume::Claim(self.claim(claim)?),
            (None, Some(claim), None) => PodVolume::Ephemeral(self.claim(claim)?),
            (None, None, Some(volume)) => PodVolume::Inline(self.volume(volume)?),
            _ => {
                let keys = &["claim", "ephemeral", "inline"];
                return Err(self.source.error(&raw.name.span(), Problem::OneOf("a Pod", keys)));
            }
        };
        let volume_name = match (&raw.volume_name, &raw.ephemeral, &raw.inline) {
            (Some(name), _, _) => name.clone(),
            (None, None, Some(volume)) => volume.get_ref().clone(),
            // The claim of a template is called by the Pod and the volume.
            (None, Some(claim), _) => {
                let volume = claim.get_ref().strip_prefix(raw.name.get_ref().as_str());
                volume.and_then(|rest| rest.strip_prefix('-')).unwrap_or(claim.get_ref()).to_owned()
            }
            (None, None, None) => VOLUME.to_owned(),
        };
        Ok(PodSpec {
            name: raw.name.get_ref().clone(),
            uid: raw.uid.clone(),
            container: raw.container.clone().unwrap_or_else(|| CONTAINER.into()),
            image: raw.image.clone().unwrap_or_else(|| IMAGE.into()),
            source,
            node: raw.node.as_ref().map(|name| self.node(name)).transpose()?,
            fs_group: raw.fs_group,
            read_only: raw.read_only,
            namespace: raw.namespace.clone(),
            selector: self.nodes(raw.nodes.as_deref())?,
            volume_name,
            completes: raw.completes,
            se_linux: raw.se_linux.clone(),
        })
    }
}
