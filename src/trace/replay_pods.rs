//! The Pods of a recording: which volume each uses, where its containers and its uid stand.

use super::recording::{Observation, Seen};
use super::replay_world::{objects, text};
use crate::model::{ClaimSpec, NodeSpec, Origin, PodSpec, PodVolume, VolumeSpec};

/// The Pods, with what paths, events and statuses tell of them; adds the volumes that they declare inline.
pub fn pods(
    seen: &[Observation],
    nodes: &[NodeSpec],
    claims: &[ClaimSpec],
    volumes: &mut Vec<VolumeSpec>,
) -> Vec<PodSpec> {
    let all: Vec<_> = objects(seen, "Pod/").collect();
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
    let mut found: Vec<PodSpec> = all
        .iter()
        .enumerate()
        .map(|(place, (name, fields))| PodSpec {
            name: (*name).into(),
            container: events(name, "Killing")
                .and_then(|m| m.strip_prefix("Stopping container "))
                .unwrap_or_default()
                .into(),
            image: events(name, "Pulled").and_then(|m| m.split('"').nth(1)).unwrap_or_default().into(),
            source: PodVolume::Claim(claim_of(seen, name, place, all.len(), claims, volumes)),
            node: nodes.iter().position(|node| Some(node.name.as_str()) == text(fields, "spec.nodeName")),
            volume_name: told(seen, name, "unmounted volumes=[", "]").unwrap_or("vol").into(),
            ..PodSpec::default()
        })
        .collect();
    let mut published = false;
    for (at, line) in seen.iter().enumerate() {
        let Seen::Call(method, fields) = &line.what else { continue };
        if method != "NodePublishVolume" {
            continue;
        }
        published = true;
        let Some((uid, name)) = text(fields, "target_path").and_then(target) else { continue };
        let handle = text(fields, "volume").unwrap_or_default();
        let node = line.by.split('/').nth(1).unwrap_or_default();
        let volume = volumes.iter().position(|volume| volume.pv == name);
        let read_only = text(fields, "readonly") == Some("true");
        if found.iter().any(|pod| pod.uid == uid) {
            continue;
        }
        let before = seen.get(..at).unwrap_or_default();
        let open = |on: &str| {
            let mut open = found.iter().enumerate().filter(|(_, pod)| {
                let uses = volume.is_none_or(|v| uses(pod, v, claims, volumes));
                pod.uid.is_empty() && uses && was_bound(before, pod, on, nodes)
            });
            // A mount that has begun may go on when its Pod is gone.
            let owner = open.clone().find(|(_, pod)| !is_gone(before, pod)).or_else(|| open.next());
            owner.map(|(place, _)| place)
        };
        // A call from a Node where no Pod is has to be explained all the same.
        let owner = open(node).or_else(|| nodes.iter().find_map(|node| open(&node.name)));
        let Some((place, pod)) = owner.and_then(|place| Some((place, found.get_mut(place)?))) else {
            continue;
        };
        pod.uid = uid.into();
        pod.read_only = read_only;
        if volume.is_none() {
            pod.source = PodVolume::Inline(volumes.len());
            volumes.push(VolumeSpec {
                pv: name.into(),
                handle: handle.into(),
                origin: Origin::Inline(place),
                ..VolumeSpec::default()
            });
        }
    }
    // Without any claim, a Pod that never got so far has an inline volume too.
    if claims.is_empty() && !published {
        for (place, pod) in found.iter_mut().enumerate() {
            pod.source = PodVolume::Inline(volumes.len());
            // What is told of it is that its mount failed.
            let pv = told(seen, &pod.name, "for volume \"", "\"").unwrap_or("data").into();
            volumes.push(VolumeSpec { pv, origin: Origin::Inline(place), ..VolumeSpec::default() });
        }
    }
    found
}

/// What stands between two texts in an Event about a Pod.
fn told<'s>(seen: &'s [Observation], pod: &str, before: &str, after: &str) -> Option<&'s str> {
    seen.iter().find_map(|line| match &line.what {
        Seen::Event(object, _, _, message) if object.strip_prefix("Pod/") == Some(pod) => {
            message.split_once(before)?.1.split_once(after).map(|(text, _)| text)
        }
        _ => None,
    })
}

/// The Pod's uid and the volume's name in a publish path, of a file system or of a block device.
fn target(path: &str) -> Option<(&str, &str)> {
    if let Some(rest) = path.strip_prefix("/var/lib/kubelet/pods/") {
        let mut parts = rest.split('/');
        return Some((parts.next()?, parts.nth(2)?));
    }
    let rest = path.split_once("/volumeDevices/publish/")?.1;
    rest.split_once('/').map(|(name, uid)| (uid, name))
}

fn uses(pod: &PodSpec, volume: usize, claims: &[ClaimSpec], volumes: &[VolumeSpec]) -> bool {
    let PodVolume::Claim(claim) = pod.source else { return false };
    let origin = volumes.get(volume).map(|volume| volume.origin);
    let named = claims.get(claim).and_then(|claim| claim.volume_name);
    origin == Some(Origin::Provisioned(claim)) || named == Some(volume) || origin == Some(Origin::Static)
}

/// Whether a Pod was bound to a Node in these lines.
fn was_bound(before: &[Observation], pod: &PodSpec, node: &str, nodes: &[NodeSpec]) -> bool {
    let given = pod.node.and_then(|place| nodes.get(place)).map(|node| node.name.as_str());
    let is = |object: &str| object.strip_prefix("Pod/") == Some(pod.name.as_str());
    before.iter().any(|line| match &line.what {
        Seen::Update(object, changes) => {
            let to = changes.get("spec.nodeName").and_then(|(_, to)| to.as_deref());
            is(object) && to == Some(node)
        }
        Seen::Create(object, _) => is(object) && given == Some(node),
        _ => false,
    })
}

/// Whether a Pod was gone after these lines.
fn is_gone(before: &[Observation], pod: &PodSpec) -> bool {
    before.iter().any(|line| {
        matches!(&line.what, Seen::Delete(object) if object.strip_prefix("Pod/") == Some(pod.name.as_str()))
    })
}

/// The claim that a Pod uses. No line says it, but what is told about the Pod names its volume; else Pods and claims
/// come in the same order, or share the one claim.
fn claim_of(
    seen: &[Observation],
    pod: &str,
    place: usize,
    pods: usize,
    claims: &[ClaimSpec],
    volumes: &[VolumeSpec],
) -> usize {
    let told = seen.iter().find_map(|line| match &line.what {
        Seen::Event(object, _, _, message) if object.strip_prefix("Pod/") == Some(pod) => {
            let volume = volumes.iter().position(|v| !v.pv.is_empty() && message.contains(&v.pv))?;
            let made = match volumes.get(volume)?.origin {
                Origin::Provisioned(claim) => Some(claim),
                Origin::Static | Origin::Inline(_) => None,
            };
            let names = |(_, claim): &(usize, &ClaimSpec)| claim.volume_name == Some(volume);
            let all = made.into_iter().chain(claims.iter().enumerate().filter(names).map(|(place, _)| place));
            // A volume may have two claims one after the other: the Pod uses the last that was there before it.
            let there = created(seen, &format!("Pod/{pod}"));
            let before = |place: &usize| {
                let name = claims.get(*place).map(|claim| format!("PersistentVolumeClaim/{}", claim.name));
                name.is_some_and(|name| created(seen, &name) < there)
            };
            all.clone().rfind(before).or_else(|| all.clone().next())
        }
        _ => None,
    });
    told.unwrap_or(if pods == claims.len() { place } else { 0 })
}

/// The line that creates an object.
fn created(seen: &[Observation], wanted: &str) -> Option<usize> {
    seen.iter().position(|line| matches!(&line.what, Seen::Create(object, _) if object == wanted))
}
