//! A change of the model, in words: its ids as the names of the world.

use super::Effect;
use crate::model::{
    About, AccessMode, Change, ClaimPhase, Code, Container, Exit, Field, Link, Method, MountPoint, NodeReady,
    Phase, PodId, Reply, Value, VolumeMode, VolumePhase, World, names,
};

/// Spells a change out.
pub fn effect(world: &World, change: Change) -> Effect {
    match change {
        Change::Write { object, field, from, to, by } => Effect::Write {
            object: world.object(object),
            field: field.path(),
            from: value(world, field, from),
            to: value(world, field, to),
            by: world.actor(by),
        },
        Change::Create { object, by } => Effect::Create { object: world.object(object), by: world.actor(by) },
        Change::Delete { object, by } => Effect::Delete { object: world.object(object), by: world.actor(by) },
        Change::Call { method, about, caller, callee, reply } => {
            let failure = match reply {
                Some(Reply::Failed(failure)) => Some((
                    failure.code(world).unwrap_or(Code::Unknown),
                    failure.message(world, method, about),
                )),
                Some(Reply::Ok) | None => None,
            };
            let (code, message) = match (reply, failure) {
                (None, _) => (None, None),
                (Some(_), Some((code, message))) => (Some(code), Some(message)),
                (Some(_), None) => (Some(Code::Ok), None),
            };
            Effect::Rpc {
                method: method.name(),
                caller: world.actor(caller),
                callee: world.actor(callee),
                code,
                message,
                request: request(world, method, about),
            }
        }
        Change::Event { object, event, by } => {
            let (kind, reason, message) = event.text(world);
            Effect::Event { object: world.object(object), kind, reason, message, by: world.actor(by) }
        }
        Change::Mount { link, at, present } => {
            let node = world.node(link.node).name.clone();
            let path = path(world, link, at);
            if present { Effect::Mount { node, path } } else { Effect::Unmount { node, path } }
        }
        Change::Device { link, present } => Effect::Device {
            node: world.node(link.node).name.clone(),
            path: world.volume(link.volume).handle.clone(),
            present,
        },
    }
}

/// The path of a mount.
pub fn path(world: &World, link: Link, at: MountPoint) -> String {
    let volume = world.volume(link.volume);
    match at {
        MountPoint::Staging => match volume.mode {
            VolumeMode::Filesystem => names::staging_path(&world.driver().name, &volume.handle),
            VolumeMode::Block => names::block_staging_path(&volume.pv),
        },
        MountPoint::Target(pod) => match volume.mode {
            VolumeMode::Filesystem => names::publish_path(&world.pod(pod).uid, &volume.pv),
            VolumeMode::Block => names::block_publish_path(&world.pod(pod).uid, &volume.pv),
        },
        MountPoint::Map(pod) => {
            format!("{}/{}", names::block_map_path(&volume.pv), world.pod(pod).uid)
        }
    }
}

/// The value of a field; `None` when it is absent. Lists are joined by a comma and a space.
pub fn value(world: &World, field: Field, value: Value) -> Option<String> {
    Some(match value {
        Value::Absent => return None,
        Value::Set => "set".into(),
        Value::Bool(is) => is.to_string(),
        Value::Node(node) => world.node(node).name.clone(),
        Value::DriverNodeId(node) => world.node(node).driver_id.clone(),
        Value::DriverName => world.driver().name.clone(),
        Value::VolumeName(volume) => world.volume(volume).pv.clone(),
        Value::ClaimName(claim) => format!("{}/{}", world.namespace(), world.claim(claim).name),
        Value::ClassName(class) => world.class(class).name.clone(),
        Value::Handle(volume) => world.volume(volume).handle.clone(),
        Value::SnapshotHandle(snapshot) => world.snapshot(snapshot).handle.clone(),
        Value::ContentName(snapshot) => names::snapshot_content(&world.snapshot(snapshot).uid),
        Value::Finalizers(set) => set.texts(&world.driver().name).join(", "),
        Value::Mode(mode) => mode.name().into(),
        Value::Size(gib) => format!("{gib}Gi"),
        Value::Text(text) => text.into(),
        Value::Volumes(set) => {
            let listed = world.volumes().filter(|v| set.contains(*v));
            listed.map(|v| world.unique_volume_name(v)).collect::<Vec<_>>().join(", ")
        }
        Value::Phase(phase) => match phase {
            Phase::Pending => "Pending",
            Phase::Running => "Running",
            Phase::Succeeded => "Succeeded",
            Phase::Failed => "Failed",
        }
        .into(),
        Value::ClaimPhase(phase) => match phase {
            ClaimPhase::Pending => "Pending",
            ClaimPhase::Bound => "Bound",
            ClaimPhase::Lost => "Lost",
        }
        .into(),
        Value::VolumePhase(phase) => match phase {
            VolumePhase::Pending => "Pending",
            VolumePhase::Available => "Available",
            VolumePhase::Bound => "Bound",
            VolumePhase::Released => "Released",
            VolumePhase::Failed => "Failed",
        }
        .into(),
        Value::Failure(failure, link) => {
            let method = if field == Field::DetachError {
                Method::ControllerUnpublishVolume
            } else {
                Method::ControllerPublishVolume
            };
            failure.text(world, method, About::Link(link))
        }
        Value::Container(container) => match container {
            Container::None => return None,
            Container::Waiting => "waiting/ContainerCreating",
            Container::Running => "running",
            Container::Terminated(Exit::Completed) => "terminated/Completed",
            Container::Terminated(Exit::Error) => "terminated/Error",
            Container::Terminated(Exit::Unknown) => "terminated/ContainerStatusUnknown",
        }
        .into(),
        Value::Ready(ready) => match ready {
            NodeReady::True => "True",
            NodeReady::False => "False",
            NodeReady::Unknown => "Unknown",
        }
        .into(),
        Value::Taints(set) => return set.text(),
        Value::Provisioner(class) => world.class(class).provisioner.clone(),
        Value::Conditions(set) => set.names().join(", "),
        Value::AttributesClass(class) => world.attributes_class(class).name.clone(),
    })
}

/// The fields of a request, by their names in the CSI specification.
fn request(world: &World, method: Method, about: About) -> Vec<(&'static str, String)> {
    let (link, pod): (Option<Link>, Option<PodId>) = match about {
        About::Link(link) => (Some(link), None),
        About::Target(link, pod) => (Some(link), Some(pod)),
        About::Claim(_) | About::Volume(_) | About::Snapshot(_) | About::Node(_) => (None, None),
    };
    let mut fields = Vec::new();
    match about {
        About::Claim(claim) => {
            fields.push(("name", names::provisioned_volume(&world.claim(claim).uid)));
            let bytes = u64::from(world.claim(claim).request) << 30;
            fields.push(("required_bytes", bytes.to_string()));
        }
        About::Volume(volume) => fields.push(("volume_id", world.volume(volume).handle.clone())),
        About::Link(link) | About::Target(link, _) => {
            fields.push(("volume_id", world.volume(link.volume).handle.clone()));
        }
        About::Snapshot(snapshot) => match method {
            Method::DeleteSnapshot => {
                fields.push(("snapshot_id", world.snapshot(snapshot).handle.clone()));
            }
            _ => {
                fields.push(("name", names::snapshot(&world.snapshot(snapshot).uid)));
                fields.extend(world.source_of(snapshot).map(|handle| ("source_volume_id", handle)));
            }
        },
        About::Node(_) => {}
    }
    let node_id = link.map(|link| ("node_id", world.node(link.node).driver_id.clone()));
    let staging = link.map(|link| ("staging_target_path", path(world, link, MountPoint::Staging)));
    let target = link.zip(pod).map(|(l, pod)| ("target_path", path(world, l, MountPoint::Target(pod))));
    match method {
        Method::ControllerPublishVolume | Method::ControllerUnpublishVolume => fields.extend(node_id),
        Method::NodeStageVolume | Method::NodeUnstageVolume => fields.extend(staging),
        Method::NodePublishVolume => {
            let staged = |link: Link| !world.is_inline(link.volume);
            // A raw block volume has a staging path even where nothing is staged.
            let block = |link: Link| world.volume(link.volume).mode == VolumeMode::Block;
            let staging = staging
                .filter(|_| link.is_some_and(|l| staged(l) && (world.driver().node_stage || block(l))));
            fields.extend(staging);
            fields.extend(target);
            let read_only = pod.is_some_and(|pod| world.pod(pod).read_only);
            fields.extend(read_only.then(|| ("readonly", "true".into())));
            let labelled = |link: Link| {
                let one_pod = world.volume(link.volume).access_mode == AccessMode::ReadWriteOncePod;
                one_pod && world.driver().se_linux_mount
            };
            let label = pod.and_then(|pod| world.pod(pod).se_linux.as_ref());
            let label = label.filter(|_| link.is_some_and(labelled));
            fields.extend(label.map(|label| ("mount_flags", format!("context=\"{label}\""))));
        }
        Method::NodeUnpublishVolume => fields.extend(target),
        Method::NodeExpandVolume => {
            fields.extend(staging.filter(|_| world.driver().node_stage));
            fields.extend(target.map(|(_, path)| ("volume_path", path)));
        }
        Method::CreateVolume
        | Method::DeleteVolume
        | Method::ControllerExpandVolume
        | Method::ControllerModifyVolume
        | Method::CreateSnapshot
        | Method::DeleteSnapshot
        | Method::NodeGetInfo => {}
    }
    fields
}
