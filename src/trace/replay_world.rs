//! The world that a recording speaks of, gathered from its own lines.

use super::recording::{Fields, Observation, Seen};
use crate::model::{AccessMode, Driver, NodeSpec, Parts, PodSpec, World, WorldError};
use std::fmt;

/// Why a recording does not tell enough of its world.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnknownWorld {
    /// It creates no PersistentVolume with this field.
    NoVolume(&'static str),
    /// It has more or less of something than the model.
    Size(WorldError),
}

impl fmt::Display for UnknownWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownWorld::NoVolume(field) => {
                write!(
                    f,
                    "the recording has no PersistentVolume with `{field}`, so add the line that creates it"
                )
            }
            UnknownWorld::Size(error) => {
                write!(f, "the recording is of another size than the model: {error}")
            }
        }
    }
}

/// Gathers the world.
pub fn world(seen: &[Observation]) -> Result<World, UnknownWorld> {
    let (pv, fields) =
        objects(seen, "PersistentVolume/").next().ok_or(UnknownWorld::NoVolume("metadata.name"))?;
    let field = |name: &'static str| text(fields, name).ok_or(UnknownWorld::NoVolume(name));
    let name = field("spec.csi.driver")?;
    // `NAMESPACE/CLAIM uid`
    let claim_ref = field("spec.claimRef")?;
    let claim_ref = claim_ref.split(' ').next().unwrap_or(claim_ref);
    let (namespace, claim) = claim_ref.split_once('/').ok_or(UnknownWorld::NoVolume("spec.claimRef"))?;
    let mode = objects(seen, "PersistentVolumeClaim/")
        .filter(|(name, _)| *name == claim)
        .find_map(|(_, fields)| text(fields, "spec.accessModes"));
    let access_mode = AccessMode::ALL.into_iter().find(|m| Some(m.name()) == mode).unwrap_or_default();
    let csi_driver = objects(seen, "CSIDriver/").find(|(driver, _)| *driver == name);
    let driver = Driver {
        name: name.into(),
        attach_required: csi_driver.and_then(|(_, f)| text(f, "spec.attachRequired")) != Some("false"),
        controller_publish: calls(seen, "ControllerPublishVolume").next().is_some(),
        // Only a driver that stages is told the staging path when it publishes.
        node_stage: calls(seen, "NodePublishVolume").all(|fields| text(fields, "staging_path").is_some()),
        ..Driver::default()
    };
    let nodes = objects(seen, "Node/")
        .map(|(name, _)| NodeSpec { name: name.into(), driver_id: name.into(), ..NodeSpec::default() })
        .collect();
    let parts = Parts { namespace: namespace.into(), driver, nodes, pods: pods(seen), ..Parts::default() };
    let handle = field("spec.csi.volumeHandle")?;
    World::new(parts.bound_claim(claim, pv, handle, access_mode)).map_err(UnknownWorld::Size)
}

/// The Pods, with what paths, events and statuses tell of them; their uids appear in the order of creation.
fn pods(seen: &[Observation]) -> Vec<PodSpec> {
    let mut uids: Vec<&str> = Vec::new();
    for fields in calls(seen, "NodePublishVolume") {
        let path = text(fields, "target_path").unwrap_or_default();
        let uid = path.strip_prefix("/var/lib/kubelet/pods/").and_then(|rest| rest.split('/').next());
        uids.extend(uid.filter(|uid| !uids.contains(uid)));
    }
    let mut uids = uids.into_iter();
    let events = |name: &str, want: &str| {
        let mut all = seen.iter().filter_map(|o| match &o.what {
            Seen::Event(object, _, reason, message)
                if object.strip_prefix("Pod/") == Some(name) && reason == want =>
            {
                Some(message.as_str())
            }
            _ => None,
        });
        all.next()
    };
    objects(seen, "Pod/")
        .map(|(name, _)| PodSpec {
            name: name.into(),
            uid: uids.next().unwrap_or_default().into(),
            container: events(name, "Killing")
                .and_then(|m| m.strip_prefix("Stopping container "))
                .unwrap_or_default()
                .into(),
            image: events(name, "Pulled").and_then(|m| m.split('"').nth(1)).unwrap_or_default().into(),
            ..PodSpec::default()
        })
        .collect()
}

/// Objects of a kind that were given or created, once each, in order.
fn objects<'s>(seen: &'s [Observation], kind: &'static str) -> impl Iterator<Item = (&'s str, &'s Fields)> {
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

fn calls<'s>(seen: &'s [Observation], want: &'static str) -> impl Iterator<Item = &'s Fields> {
    seen.iter().filter_map(move |o| match &o.what {
        Seen::Call(method, fields) if method == want => Some(fields),
        _ => None,
    })
}

fn text<'f>(fields: &'f Fields, name: &str) -> Option<&'f str> {
    fields.get(name).and_then(Option::as_deref)
}
