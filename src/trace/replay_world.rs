//! The world that a recording speaks of, gathered from all of its lines.

use super::recording::{Fields, Observation, Seen};
use super::replay_faults::{Input, Told, faults, inputs};
use super::replay_fit::fit;
use super::replay_growth::grow;
use super::replay_lines::Scope;
use super::replay_pods::pods;
use crate::model::{
    AccessMode, BindingMode, ClaimSpec, ClassSpec, DataSource, Driver, FsGroupPolicy, Kind, NodeSpec, Origin,
    Parts, Reclaim, Role, SnapshotSpec, VolumeMode, VolumeSpec, World, WorldError,
};
use std::fmt;

/// Why a recording does not tell enough of its world.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnknownWorld {
    /// No line names a driver.
    NoDriver,
    /// It has more or less of something than the model.
    Size(WorldError),
}

impl fmt::Display for UnknownWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownWorld::NoDriver => {
                write!(
                    f,
                    "the recording names no CSI driver, so add the given CSIDriver, CSINode or StorageClass"
                )
            }
            UnknownWorld::Size(error) => {
                write!(f, "the recording is of another size than the model: {error}")
            }
        }
    }
}

/// A recording's world, who has rules in it, and what happens to its processes when.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gathered {
    /// The world.
    pub world: World,
    /// Who has rules.
    pub scope: Scope,
    /// Processes that stop and start, as the recording's notes tell.
    pub inputs: Vec<Input>,
    /// The notes that tell of processes.
    pub told: Vec<Told>,
}

/// Gathers the world.
pub fn gather(seen: &[Observation]) -> Result<Gathered, UnknownWorld> {
    let mut parts = Parts { namespace: namespace(seen), driver: driver(seen)?, ..Parts::default() };
    parts.nodes = nodes(seen, &parts.driver.name);
    parts.classes = objects(seen, "StorageClass/").map(class).collect();
    parts.claims = objects(seen, "PersistentVolumeClaim/").map(|o| claim(&parts.classes, o)).collect();
    parts.volumes = volumes(seen, &mut parts.claims);
    parts.snapshots = snapshots(seen, &parts.volumes);
    fill(seen, &mut parts.claims);
    grow(seen, &mut parts);
    parts.pods = pods(seen, &parts.nodes, &parts.claims, &mut parts.volumes);
    fit(seen, &mut parts);
    let (mut all, told) = faults(seen, &parts);
    parts.faults.append(&mut all);
    // Who has rules depends on the kinds of things in the world alone, so a first draft of it tells.
    let scope = Scope::of(&World::new(parts.clone()).map_err(UnknownWorld::Size)?);
    give(&mut parts, seen, &scope);
    let world = World::new(parts).map_err(UnknownWorld::Size)?;
    let inputs = inputs(&world, &scope, seen, &told);
    Ok(Gathered { world, scope, inputs, told })
}

/// Without rules for what brings them about, classes are there and claims are bound from the start.
fn give(parts: &mut Parts, seen: &[Observation], scope: &Scope) {
    let given = |kind: &str, name: &str| {
        seen.iter().any(|o| {
            matches!(&o.what, Seen::Given(object, _)
            if object.strip_prefix(kind).and_then(|rest| rest.strip_prefix('/')) == Some(name))
        })
    };
    for class in &mut parts.classes {
        class.given =
            !scope.acts_on(Role::User, Kind::StorageClass) || given(Kind::StorageClass.name(), &class.name);
    }
    for (place, claim) in parts.claims.iter_mut().enumerate() {
        let bound = parts.volumes.iter().position(|v| v.origin == Origin::Provisioned(place));
        claim.given = given(Kind::PersistentVolumeClaim.name(), &claim.name);
        if !scope.acts(Role::PvController) {
            claim.given = true;
            claim.volume_name = claim.volume_name.or(bound);
        }
    }
}

/// Claims and Pods stand in one namespace; the texts about them name it.
fn namespace(seen: &[Observation]) -> String {
    let named = seen.iter().find_map(|o| match &o.what {
        Seen::Create(_, fields) | Seen::Given(_, fields) => {
            text(fields, "spec.claimRef")?.split_once('/').map(|(namespace, _)| namespace)
        }
        Seen::Event(object, _, reason, message) => {
            let name = object.split('/').nth(1)?;
            let from = match reason.as_str() {
                "Scheduled" => message.strip_prefix("Successfully assigned ")?,
                "Provisioning" => message.split('"').nth(1)?,
                _ => return None,
            };
            from.split_once('/').filter(|(_, rest)| rest.starts_with(name)).map(|(namespace, _)| namespace)
        }
        _ => None,
    });
    named.unwrap_or("default").into()
}

fn driver(seen: &[Observation]) -> Result<Driver, UnknownWorld> {
    let object = objects(seen, "CSIDriver/").next();
    let of = |kind, field| objects(seen, kind).find_map(|(_, f)| text(f, field));
    let name = object
        .map(|(name, _)| name)
        .or_else(|| of("PersistentVolume/", "spec.csi.driver"))
        .or_else(|| of("CSINode/", "spec.drivers").map(bare))
        .or_else(|| of("StorageClass/", "provisioner"))
        .ok_or(UnknownWorld::NoDriver)?;
    let field = |name| object.and_then(|(_, f)| text(f, name));
    let by = |role: Role| seen.iter().any(|o| o.by == role.name());
    let called = |method| calls(seen, method).next().is_some();
    let mode = |wanted| {
        let mut all = seen.iter().filter_map(|o| match &o.what {
            Seen::Call(_, fields) => text(fields, "access_mode"),
            _ => None,
        });
        all.any(|mode| mode == wanted)
    };
    let attached = seen.iter().any(|o| {
        matches!(&o.what, Seen::Update(_, changes)
        if changes.contains_key("status.attached"))
    });
    Ok(Driver {
        name: name.into(),
        object: object.is_some(),
        attach_required: field("spec.attachRequired") != Some("false"),
        ephemeral: field("spec.volumeLifecycleModes").is_some_and(|modes| modes.contains("Ephemeral")),
        storage_capacity: field("spec.storageCapacity") == Some("true"),
        fs_group_policy: match field("spec.fsGroupPolicy") {
            Some("File") => FsGroupPolicy::File,
            Some("None") => FsGroupPolicy::None,
            Some(_) | None => FsGroupPolicy::ReadWriteOnceWithFsType,
        },
        attacher: by(Role::ExternalAttacher),
        provisioner: by(Role::ExternalProvisioner),
        controller_publish: called("ControllerPublishVolume") || !attached,
        // Only a driver that stages is told the staging path when it publishes.
        node_stage: called("NodeStageVolume")
            || calls(seen, "NodePublishVolume").all(|fields| text(fields, "staging_path").is_some()),
        single_node_multi_writer: mode("SINGLE_NODE_MULTI_WRITER") || !mode("SINGLE_NODE_WRITER"),
        topology: calls(seen, "CreateVolume").any(|fields| text(fields, "preferred").is_some()),
        ..Driver::default()
    })
}

/// A driver's name in a CSINode, without its limit.
fn bare(entry: &str) -> &str {
    entry.split(['[', ',']).next().unwrap_or(entry)
}

/// The Nodes; a CSINode lists its drivers, each with its limit in brackets where it has one.
fn nodes(seen: &[Observation], driver: &str) -> Vec<NodeSpec> {
    let node = |name: &str| {
        let entry = objects(seen, "CSINode/")
            .filter(|(csi_node, _)| *csi_node == name)
            .filter_map(|(_, fields)| text(fields, "spec.drivers"))
            .flat_map(|drivers| drivers.split(", "))
            .find(|entry| bare(entry) == driver);
        let limit =
            entry.and_then(|e| e.split_once('[')).and_then(|(_, l)| l.trim_end_matches(']').parse().ok());
        NodeSpec {
            name: name.into(),
            driver_id: name.into(),
            limit,
            unregistered: entry.is_none(),
            ..NodeSpec::default()
        }
    };
    objects(seen, "Node/").map(|(name, _)| node(name)).collect()
}

fn class((name, fields): (&str, &Fields)) -> ClassSpec {
    ClassSpec {
        name: name.into(),
        provisioner: text(fields, "provisioner").unwrap_or_default().into(),
        binding: match text(fields, "volumeBindingMode") {
            Some("WaitForFirstConsumer") => BindingMode::WaitForFirstConsumer,
            Some(_) | None => BindingMode::Immediate,
        },
        reclaim: reclaim(text(fields, "reclaimPolicy")),
        expansion: text(fields, "allowVolumeExpansion") == Some("true"),
        default: text(fields, "annotation storageclass.kubernetes.io/is-default-class") == Some("true"),
        topology: None,
        given: false,
    }
}

fn reclaim(policy: Option<&str>) -> Reclaim {
    if policy == Some("Retain") { Reclaim::Retain } else { Reclaim::Delete }
}

fn mode(fields: &Fields) -> VolumeMode {
    if text(fields, "spec.volumeMode") == Some("Block") { VolumeMode::Block } else { VolumeMode::Filesystem }
}

/// A quantity in GiB, rounded up.
pub fn gib(quantity: Option<&str>) -> u16 {
    let Some(text) = quantity else { return 0 };
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    let number: u64 = digits.parse().unwrap_or(0);
    let gib = match text.get(digits.len()..) {
        Some("Gi") => number,
        Some("Mi") => number.div_ceil(1 << 10),
        Some("Ki") => number.div_ceil(1 << 20),
        Some("Ti") => number << 10,
        Some(_) | None => number.div_ceil(1 << 30),
    };
    u16::try_from(gib).unwrap_or(u16::MAX)
}

fn claim(classes: &[ClassSpec], (name, fields): (&str, &Fields)) -> ClaimSpec {
    let class = text(fields, "spec.storageClassName");
    let modes = text(fields, "spec.accessModes");
    ClaimSpec {
        name: name.into(),
        class: classes.iter().position(|known| Some(known.name.as_str()) == class),
        access_mode: AccessMode::ALL.into_iter().find(|m| Some(m.name()) == modes).unwrap_or_default(),
        mode: mode(fields),
        request: gib(text(fields, "spec.resources.requests.storage")),
        ..ClaimSpec::default()
    }
}

/// The PersistentVolumes, and those that provisioning would have made; claims get their uids from their names.
fn volumes(seen: &[Observation], claims: &mut [ClaimSpec]) -> Vec<VolumeSpec> {
    let mut found: Vec<VolumeSpec> = Vec::new();
    for (pv, fields) in objects(seen, "PersistentVolume/") {
        let owner = text(fields, "spec.claimRef").map(|r| r.split(' ').next().unwrap_or(r));
        let owner = owner.and_then(|r| r.split_once('/')).map(|(_, claim)| claim);
        let place = owner.and_then(|owner| claims.iter().position(|claim| claim.name == owner));
        let spec = place.and_then(|place| claims.get_mut(place));
        let modes = text(fields, "spec.accessModes");
        let access = AccessMode::ALL.into_iter().find(|m| Some(m.name()) == modes);
        found.push(VolumeSpec {
            pv: pv.into(),
            handle: text(fields, "spec.csi.volumeHandle").unwrap_or_default().into(),
            access_mode: access.or(spec.as_ref().map(|claim| claim.access_mode)).unwrap_or_default(),
            mode: spec.as_ref().map_or(mode(fields), |claim| claim.mode),
            capacity: gib(text(fields, "spec.capacity.storage")),
            class: spec.as_ref().and_then(|claim| claim.class),
            reclaim: reclaim(text(fields, "spec.persistentVolumeReclaimPolicy")),
            origin: place.map_or(Origin::Static, Origin::Provisioned),
            ..VolumeSpec::default()
        });
        if let (Some(claim), Some(uid)) = (spec, pv.strip_prefix("pvc-")) {
            claim.uid = uid.into();
        }
    }
    // A claim may name its volume itself.
    for (name, fields) in objects(seen, "PersistentVolumeClaim/") {
        let wanted = text(fields, "spec.volumeName");
        if let Some(claim) = claims.iter_mut().find(|claim| claim.name == name) {
            claim.volume_name = found.iter().position(|volume| Some(volume.pv.as_str()) == wanted);
        }
    }
    for fields in calls(seen, "CreateVolume") {
        let Some(name) = text(fields, "name") else { continue };
        let free = |(_, claim): &(usize, &mut ClaimSpec)| claim.uid.is_empty() && claim.volume_name.is_none();
        if found.iter().any(|volume| volume.pv == name) {
            continue;
        }
        let Some((place, claim)) = claims.iter_mut().enumerate().find(free) else { continue };
        claim.uid = name.strip_prefix("pvc-").unwrap_or_default().into();
        found.push(VolumeSpec {
            pv: name.into(),
            access_mode: claim.access_mode,
            mode: claim.mode,
            capacity: claim.request,
            class: claim.class,
            origin: Origin::Provisioned(place),
            ..VolumeSpec::default()
        });
    }
    found
}

/// The VolumeSnapshots; a content's name holds its snapshot's uid.
fn snapshots(seen: &[Observation], volumes: &[VolumeSpec]) -> Vec<SnapshotSpec> {
    let mut uids =
        objects(seen, "VolumeSnapshotContent/").filter_map(|(name, _)| name.strip_prefix("snapcontent-"));
    let mut taken = calls(seen, "CreateSnapshot").filter_map(|fields| text(fields, "source_volume"));
    let mut handles = seen.iter().filter_map(|o| match &o.what {
        Seen::Rpc(method, _, fields) if method == "CreateSnapshot" => text(fields, "snapshot"),
        _ => None,
    });
    let claim_of = |handle: &str| match volumes.iter().find(|v| v.handle == handle).map(|v| v.origin) {
        Some(Origin::Provisioned(claim)) => claim,
        Some(Origin::Static | Origin::Inline(_)) | None => 0,
    };
    objects(seen, "VolumeSnapshot/")
        .map(|(name, _)| SnapshotSpec {
            name: name.into(),
            uid: uids.next().unwrap_or_default().into(),
            claim: taken.next().map_or(0, claim_of),
            handle: handles.next().unwrap_or_default().into(),
            retain: false,
        })
        .collect()
}

/// What claims are filled with: what protects a source tells that the next claim reads from it.
fn fill(seen: &[Observation], claims: &mut [ClaimSpec]) {
    let mut latest: Option<usize> = None;
    for line in seen {
        match &line.what {
            Seen::Create(object, _) => {
                let name = object.strip_prefix("PersistentVolumeClaim/");
                latest = name.and_then(|name| claims.iter().position(|c| c.name == name)).or(latest);
            }
            Seen::Update(object, changes) => {
                let to =
                    changes.get("metadata.finalizers").and_then(|(_, to)| to.as_deref()).unwrap_or_default();
                let source = object.strip_prefix("PersistentVolumeClaim/");
                let source = source.and_then(|name| claims.iter().position(|c| c.name == name));
                let Some(claim) = latest.filter(|place| Some(*place) != source) else { continue };
                let Some(claim) = claims.get_mut(claim) else { continue };
                if let Some(source) = source.filter(|_| to.contains("cloning-protection")) {
                    claim.source = Some(DataSource::Claim(source));
                }
                let restored = "provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection";
                if object.starts_with("VolumeSnapshot/") && to.contains(restored) {
                    claim.source = Some(DataSource::Snapshot(0));
                }
            }
            Seen::Event(object, _, reason, message) if reason == "ProvisioningFailed" => {
                let missing = message.contains("error getting snapshot") && message.contains("not found");
                let name = object.strip_prefix("PersistentVolumeClaim/");
                if let Some(claim) = claims.iter_mut().find(|c| missing && Some(c.name.as_str()) == name) {
                    claim.source = Some(DataSource::MissingSnapshot);
                    let name = message.split("error getting snapshot ").nth(1);
                    let name = name.and_then(|rest| rest.split(' ').next());
                    claim.source_name = name.unwrap_or_default().into();
                }
            }
            _ => {}
        }
    }
}

/// Objects of a kind that were given or created, once each, in order.
pub fn objects<'s>(
    seen: &'s [Observation],
    kind: &'static str,
) -> impl Iterator<Item = (&'s str, &'s Fields)> {
    let mut names: Vec<&str> = Vec::new();
    seen.iter().filter_map(move |o| match &o.what {
        Seen::Given(object, fields) | Seen::Create(object, fields) => {
            let name = object.strip_prefix(kind).filter(|name| !names.contains(name))?;
            names.push(name);
            Some((name, fields))
        }
        _ => None,
    })
}

/// The calls of a method.
pub fn calls<'s>(seen: &'s [Observation], want: &'static str) -> impl Iterator<Item = &'s Fields> {
    seen.iter().filter_map(move |o| match &o.what {
        Seen::Call(method, fields) if method == want => Some(fields),
        _ => None,
    })
}

/// A field's text.
pub fn text<'f>(fields: &'f Fields, name: &str) -> Option<&'f str> {
    fields.get(name).and_then(Option::as_deref)
}
