//! A change of the model, in words: its ids as the names of the world.

use super::{Code, Effect, EventType};
use crate::model::{
    Change, Container, EventId, Exit, Link, Method, MountPoint, ObjectId, Phase, PodId, PodSet, Value, World,
    names,
};

/// Spells a change out.
pub fn effect(world: &World, change: Change) -> Effect {
    match change {
        Change::Write { object, field, from, to, by } => Effect::Write {
            object: world.object(object),
            field: field.path(),
            from: value(world, from),
            to: value(world, to),
            by: world.actor(by),
        },
        Change::Create { object, by } => Effect::Create { object: world.object(object), by: world.actor(by) },
        Change::Delete { object, by } => Effect::Delete { object: world.object(object), by: world.actor(by) },
        Change::Call { method, link, pod, caller, callee, replied } => Effect::Rpc {
            method: method.name(),
            caller: world.actor(caller),
            callee: world.actor(callee),
            code: replied.then_some(Code("OK")),
            request: request(world, method, link, pod),
        },
        Change::Event { pod, event, by } => {
            let (kind, reason, message) = event_text(world, pod, event);
            let object = world.object(ObjectId::Pod(pod));
            Effect::Event { object, kind, reason, message, by: world.actor(by) }
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
        MountPoint::Staging => names::staging_path(&world.driver().name, &volume.handle),
        MountPoint::Target(pod) => names::publish_path(&world.pod(pod).uid, &volume.pv),
    }
}

/// The value of a field; `None` when it is absent. Lists are joined by a comma and a space.
pub fn value(world: &World, value: Value) -> Option<String> {
    let attacher = || names::attacher_finalizer(&world.driver().name);
    Some(match value {
        Value::Absent => return None,
        Value::Set => "set".into(),
        Value::Bool(is) => is.to_string(),
        Value::Node(node) => world.node(node).name.clone(),
        Value::DriverNodeId(node) => world.node(node).driver_id.clone(),
        Value::DriverName => world.driver().name.clone(),
        Value::VolumeName(volume) => world.volume(volume).pv.clone(),
        Value::VolumeFinalizers(volume, with_attacher) => {
            let mut all = world.volume(volume).finalizers.clone();
            all.extend(with_attacher.then(attacher));
            all.sort();
            if all.is_empty() {
                return None;
            }
            all.join(", ")
        }
        Value::AttacherFinalizer => attacher(),
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
        Value::Container(container) => match container {
            Container::None => return None,
            Container::Waiting => "waiting/ContainerCreating",
            Container::Running => "running",
            Container::Terminated(Exit::Completed) => "terminated/Completed",
            Container::Terminated(Exit::Error) => "terminated/Error",
            Container::Terminated(Exit::Unknown) => "terminated/ContainerStatusUnknown",
        }
        .into(),
    })
}

/// The fields of a request, by their names in the CSI specification.
fn request(world: &World, method: Method, link: Link, pod: Option<PodId>) -> Vec<(&'static str, String)> {
    let volume_id = ("volume_id", world.volume(link.volume).handle.clone());
    let node_id = || ("node_id", world.node(link.node).driver_id.clone());
    let staging = || ("staging_target_path", path(world, link, MountPoint::Staging));
    let target = pod.map(|pod| ("target_path", path(world, link, MountPoint::Target(pod))));
    let mut fields = vec![volume_id];
    match method {
        Method::ControllerPublishVolume | Method::ControllerUnpublishVolume => fields.push(node_id()),
        Method::NodeStageVolume | Method::NodeUnstageVolume => fields.push(staging()),
        Method::NodePublishVolume => {
            fields.extend(world.driver().node_stage.then(staging));
            fields.extend(target);
        }
        Method::NodeUnpublishVolume => fields.extend(target),
    }
    fields
}

/// An event's type, reason and message, to the letter; success texts of volume operations end with a blank.
fn event_text(world: &World, pod: PodId, event: EventId) -> (EventType, &'static str, String) {
    let spec = world.pod(pod);
    match event {
        EventId::Scheduled(node) => (
            EventType::Normal,
            "Scheduled",
            format!("Successfully assigned {}/{} to {}", world.namespace(), spec.name, world.node(node).name),
        ),
        EventId::SuccessfulAttachVolume(volume) => (
            EventType::Normal,
            "SuccessfulAttachVolume",
            format!("AttachVolume.Attach succeeded for volume \"{}\" ", world.volume(volume).pv),
        ),
        EventId::MultiAttach(volume, users) => (
            EventType::Warning,
            "FailedAttachVolume",
            format!(
                "Multi-Attach error for volume \"{}\" {}",
                world.volume(volume).pv,
                used_by(world, users)
            ),
        ),
        EventId::Pulled => (
            EventType::Normal,
            "Pulled",
            format!(
                "Container image \"{}\" already present on machine and can be accessed by the pod",
                spec.image
            ),
        ),
        EventId::Created => (EventType::Normal, "Created", "Container created".into()),
        EventId::Started => (EventType::Normal, "Started", "Container started".into()),
        EventId::Killing => (EventType::Normal, "Killing", format!("Stopping container {}", spec.container)),
    }
}

fn used_by(world: &World, users: PodSet) -> String {
    let names: Vec<&str> =
        world.pods().filter(|p| users.contains(*p)).map(|p| world.pod(p).name.as_str()).collect();
    if names.is_empty() {
        "Volume is already exclusively attached to one node and can't be attached to another".into()
    } else {
        format!("Volume is already used by pod(s) {}", names.join(", "))
    }
}
