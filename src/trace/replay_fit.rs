//! What fits what in a recording: no line shows selectors, affinities, pools and modes, but Events tell of them.

use super::recording::{Observation, Seen};
use crate::model::{AccessMode, ClassSpec, Origin, Parts, PodVolume, VolumeMode};

/// Adds to the parts of a world what its Events tell.
pub fn fit(seen: &[Observation], parts: &mut Parts) {
    default_class(seen, &mut parts.classes);
    mismatches(seen, parts);
    selectors(seen, parts);
    pools(seen, parts);
}

/// The Events about an object of a kind: its name and the message.
fn events<'s>(
    seen: &'s [Observation],
    kind: &'static str,
    want: &'static str,
) -> impl Iterator<Item = (&'s str, &'s str)> {
    seen.iter().filter_map(move |line| match &line.what {
        Seen::Event(object, _, reason, message) if reason == want => {
            Some((object.strip_prefix(kind)?, message.as_str()))
        }
        _ => None,
    })
}

/// A class that a claim gets although it asked for none has the annotation of the default class.
fn default_class(seen: &[Observation], classes: &mut [ClassSpec]) {
    for line in seen {
        let Seen::Update(object, changes) = &line.what else { continue };
        let given = changes.get("spec.storageClassName").filter(|(from, _)| from.is_none());
        let given =
            given.and_then(|(_, to)| to.as_deref()).filter(|_| object.starts_with("PersistentVolumeClaim/"));
        for class in classes.iter_mut().filter(|class| Some(class.name.as_str()) == given) {
            class.default = true;
        }
    }
}

/// A PersistentVolume that a claim names and does not get differs from it as the Event says.
fn mismatches(seen: &[Observation], parts: &mut Parts) {
    for (name, message) in events(seen, "PersistentVolumeClaim/", "VolumeMismatch") {
        let Some(claim) = parts.claims.iter().find(|claim| claim.name == name) else { continue };
        let Some(volume) = claim.volume_name.and_then(|place| parts.volumes.get_mut(place)) else { continue };
        if message.ends_with("incompatible accessMode") {
            let other = AccessMode::ALL.into_iter().find(|mode| *mode != claim.access_mode);
            volume.access_mode = other.unwrap_or_default();
        } else if message.ends_with("incompatible volumeMode") {
            volume.mode = match claim.mode {
                VolumeMode::Filesystem => VolumeMode::Block,
                VolumeMode::Block => VolumeMode::Filesystem,
            };
        }
    }
}

/// A Pod that some Nodes do not suit is for the Node that it gets in the end, or for the last one; where its volume
/// does not suit the others, that is on the first.
fn selectors(seen: &[Observation], parts: &mut Parts) {
    for (name, message) in events(seen, "Pod/", "FailedScheduling") {
        let Some(pod) = parts.pods.iter_mut().find(|pod| pod.name == name) else { continue };
        if !message.contains("didn't match Pod's node affinity/selector") {
            continue;
        }
        let got = events(seen, "Pod/", "Scheduled").find(|(scheduled, _)| *scheduled == name);
        let got = got.and_then(|(_, message)| message.rsplit(' ').next());
        let got = got.and_then(|node| parts.nodes.iter().position(|known| known.name == node));
        let own = got.unwrap_or(parts.nodes.len().saturating_sub(1));
        pod.selector = Some(vec![own]);
        let others = || Some((0..parts.nodes.len()).filter(|node| *node != own).collect());
        let (PodVolume::Claim(claim) | PodVolume::Ephemeral(claim)) = pod.source else { continue };
        if message.contains("didn't match PersistentVolume's node affinity") {
            let made = parts.volumes.iter_mut().filter(|volume| volume.origin == Origin::Provisioned(claim));
            made.for_each(|volume| volume.affinity = others());
        }
        if message.contains("didn't find available persistent volumes to bind") {
            let class = parts.claims.get(claim).and_then(|claim| claim.class);
            if let Some(class) = class.and_then(|class| parts.classes.get_mut(class)) {
                class.topology = others();
            }
        }
    }
}

/// A pool that runs dry holds just what is made of it.
fn pools(seen: &[Observation], parts: &mut Parts) {
    let dry =
        events(seen, "Pod/", "FailedScheduling").any(|(_, message)| message.contains("enough free storage"));
    let made = parts.volumes.iter().filter(|volume| matches!(volume.origin, Origin::Provisioned(_)));
    let made = made.fold(0_u16, |sum, volume| sum.saturating_add(volume.capacity));
    for node in parts.nodes.iter_mut().filter(|_| dry) {
        node.pool = Some(made);
    }
}
