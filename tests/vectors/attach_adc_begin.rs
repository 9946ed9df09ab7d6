//! The world and the state that a vector of the attach-detach controller gives.

use super::super::{has, list, modes};
use super::Play;
use mountpath::model::{
    AccessMode, Actual, Attachment, Fault, FaultKind, Kind, NodeReady, NodeSpec, Parts, PodSpec, Presence,
    Role, World,
};
use serde_json::Value;
use std::collections::BTreeMap;

/// The Nodes that a vector speaks of. The model has two, and what is on further ones counts for the second.
fn nodes(vector: &Value) -> Vec<String> {
    let given = &vector["given"];
    let mut found: Vec<String> = Vec::new();
    let mut add = |name: &str| {
        if !name.is_empty() && !name.starts_with('<') && !found.iter().any(|known| known == name) {
            found.push(name.into());
        }
    };
    for place in ["want_attach_on", "pod_on"] {
        add(given[place].as_str().unwrap_or_default());
    }
    given["asw"].as_object().into_iter().flatten().for_each(|(name, _)| add(name));
    list(&given["dsw"]).iter().for_each(|entry| add(entry["node"].as_str().unwrap_or_default()));
    add(given["va"]["node"].as_str().unwrap_or_default());
    given["in_use"].as_object().into_iter().flatten().for_each(|(name, _)| add(name));
    vector["event"]["type"].as_str().into_iter().flat_map(|e| e.split([' ', ';'])).for_each(|word| {
        if word.contains("node-") || word.contains("-node") {
            add(word);
        }
    });
    list(&given["nodes"]).iter().for_each(|node| add(node["name"].as_str().unwrap_or_default()));
    found
}

/// `pod2 on node-name2`
pub(super) fn pod_on(phrase: &str) -> Option<(&str, &str)> {
    let (pod, node) = phrase.split_once(" on ")?;
    pod.starts_with("pod").then_some((pod, node))
}

pub(super) fn begin(vector: &Value) -> Play<'_> {
    let given = &vector["given"];
    let nodes = nodes(vector);
    let place = |name: &str| nodes.iter().position(|node| node == name).unwrap_or(1).min(1);
    let mut pods: Vec<(String, Option<String>, usize, bool)> = Vec::new();
    for entry in list(&given["dsw"]) {
        let node = place(entry["node"].as_str().unwrap_or_default());
        let names =
            entry["pod"].as_str().into_iter().chain(list(&entry["pods"]).iter().filter_map(Value::as_str));
        for name in names {
            let (namespace, name) = name.split_once('/').map_or((None, name), |(ns, name)| (Some(ns), name));
            pods.push((name.into(), namespace.map(str::to_owned), node, false));
        }
    }
    pods.extend(given["pod_on"].as_str().map(|node| ("pod".into(), None, place(node), false)));
    let event = vector["event"]["type"].as_str().unwrap_or_default();
    let later = event.split(';').filter_map(|phrase| pod_on(phrase.trim()));
    pods.extend(later.map(|(pod, node)| (pod.into(), None, place(node), true)));
    let text = |value: &Value, other: &str| value.as_str().unwrap_or(other).to_owned();
    let spec = |name: &str| NodeSpec { name: name.into(), driver_id: name.into(), ..NodeSpec::default() };
    let mut parts = Parts {
        namespace: "default".into(),
        nodes: nodes.iter().take(2).map(|name| spec(name)).collect(),
        pods: pods
            .iter()
            .map(|(name, namespace, ..)| PodSpec {
                name: name.clone(),
                namespace: namespace.clone(),
                ..PodSpec::default()
            })
            .collect(),
        force_detach_disabled: given["flags"]["disable-force-detach-on-timeout"] == true,
        ..Parts::default()
    };
    // Nobody else acts: what the plugin's calls lead to is the vector's.
    parts.driver.attacher = false;
    parts.driver.attach_required = given["driver"]["attachRequired"] != false;
    let manager = FaultKind::Down { role: Role::AttachDetachController, node: None };
    parts.faults.push(Fault { kind: manager, times: Some(1) });
    for fault in list(&given["api_faults"]) {
        let kind = [Kind::Node, Kind::VolumeAttachment].into_iter().find(|kind| fault["kind"] == kind.name());
        let kind = FaultKind::Refused { kind: kind.expect("a kind"), message: String::new() };
        parts.faults.push(Fault { kind, times: fault["fail_times"].as_u64().map(|times| times as u8) });
    }
    let all = modes(&given["pv"]["accessModes"]);
    let first = all.first().copied().unwrap_or(AccessMode::ReadWriteOnce);
    let mut parts = parts.bound_claim("claim", &text(&given["pv"]["name"], "pv"), "handle", first);
    parts.volumes[0].more_modes = all.iter().skip(1).copied().collect();
    parts.volumes[0].no_modes = all.is_empty();
    let world = World::new(parts).expect("a world");
    let mut play = Play {
        given,
        cluster: world.initial(),
        world,
        pods: pods.iter().map(|(_, _, node, later)| (*node, *later)).collect(),
        nodes,
        expired: given["detach_requested_for"].is_string(),
        rpcs: Vec::new(),
        writes: Vec::new(),
        merged: Vec::new(),
        events: Vec::new(),
        forced: BTreeMap::new(),
        seen: Vec::new(),
        waits: Vec::new(),
    };
    play.stand();
    play
}

impl Play<'_> {
    /// What stands at the start.
    fn stand(&mut self) {
        let volume = self.given["pv"]["name"].as_str().unwrap_or_default();
        for (place, name) in self.nodes.clone().iter().enumerate() {
            let link = self.link(place);
            let spec = list(&self.given["nodes"]).iter().find(|node| node["name"] == name.as_str());
            let unknown = |node: &Value| node["ready"] == false || node["present_in_lister"] == false;
            if spec.is_some_and(unknown) {
                self.cluster.node_mut(link.node).ready = NodeReady::Unknown;
            }
            let attached = list(&self.given["attached_on"]).iter().any(|on| {
                on == name.as_str() || (on.as_str().is_some_and(|on| on.starts_with('<')) && place == 1)
            });
            let actual = match self.given["asw"][name].as_str() {
                Some("Attached") => Actual::Attached,
                Some("Uncertain") => Actual::Uncertain,
                _ if attached => Actual::Attached,
                _ => continue,
            };
            if actual == Actual::Uncertain {
                self.waits.push(place);
            }
            let listed = actual == Actual::Attached;
            // A new entry is assumed to be in use.
            let said = attached || has(&self.given["in_use"][name], volume);
            let live = has(&self.given["live_node"]["volumesInUse"], volume);
            let place = self.cluster.place_mut(link);
            place.attachment = Attachment { exists: true, attached: listed, ..Attachment::default() };
            place.listed = listed;
            place.in_use = said || live;
            place.adc.actual = actual;
            place.adc.reported = listed;
            place.adc.in_use = said;
        }
        let va = &self.given["va"];
        if let Some(node) = va["node"].as_str() {
            let link = self.link(self.nodes.iter().position(|name| name == node).unwrap_or_default());
            self.cluster.place_mut(link).attachment =
                Attachment { exists: true, attached: va["attached"] == true, ..Attachment::default() };
            self.cluster.place_mut(link).listed = self.given["node_status_volumesAttached"] == true;
        }
        for (pod, (node, later)) in self.world.pods().zip(self.pods.clone()) {
            let link = self.link(node);
            let object = self.cluster.pod_mut(pod);
            object.presence = Presence::Here;
            object.node = Some(link.node);
            if !later {
                self.cluster.place_mut(link).adc.wanted.insert(pod);
            }
        }
    }
}
