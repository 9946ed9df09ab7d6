//! The attach-detach controller, played from the desired and the actual state of a vector through what happens to it.

#[path = "attach_adc_begin.rs"]
mod begin;
#[path = "attach_adc_compare.rs"]
mod compare;

use super::list;
use begin::{begin, pod_on};
use mountpath::model::{
    Action, Actual, AdcOperation, Attachment, Change, Cluster, EventType, Failure, Field, Link, NodeReady,
    ObjectId, Value as Written, World, actions, apply, outside,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A vector under way.
struct Play<'v> {
    given: &'v Value,
    world: World,
    cluster: Cluster,
    /// The Nodes' names as the vector has them, each with the model's.
    nodes: Vec<String>,
    /// Where each Pod of the world runs, and whether it is still to come.
    pods: Vec<(usize, bool)>,
    /// Six minutes have passed since the volume was last wanted.
    expired: bool,
    rpcs: Vec<Value>,
    writes: Vec<Value>,
    merged: Vec<Value>,
    events: Vec<(String, String)>,
    forced: BTreeMap<&'static str, u64>,
    seen: Vec<BTreeMap<String, &'static str>>,
    /// Nodes whose failed operation is not due again before something happens.
    waits: Vec<usize>,
}

pub fn ask(vector: &Value) -> Result<(), String> {
    let mut play = begin(vector);
    let event = vector["event"]["type"].as_str().unwrap_or_default();
    for phrase in event.split(';').map(str::trim) {
        play.happens(phrase, &vector["expect"]["state"]);
    }
    play.compare(&vector["expect"])
}

impl Play<'_> {
    fn link(&self, node: usize) -> Link {
        self.world.links().nth(node.min(1)).expect("a link")
    }

    fn happens(&mut self, phrase: &str, state: &Value) {
        let says = |text: &str| phrase.contains(text);
        self.waits.retain(|_| self.rpcs.is_empty());
        if says("controller start") {
            let (restart, _) = self.world.faults().next().expect("a restart");
            for act in [outside::Act::ProcessStops(restart), outside::Act::ProcessStarts(restart)] {
                self.apply(Action::Outside(act));
            }
            self.remember();
            // What stands there then is the start itself.
            if state["asw"].is_object() {
                return;
            }
        }
        if says("mark uncertain") {
            // A failed attach is what makes a new entry uncertain.
            let place = self.nodes.iter().position(|name| says(name)).unwrap_or_default();
            let link = self.link(place);
            let place = self.cluster.place_mut(link);
            place.adc.operation = AdcOperation::Attach;
            place.attachment =
                Attachment { exists: true, attach_error: Some(Failure::Deadline), ..Attachment::default() };
            self.step(&["adc-notices-attach-failed"]);
            return self.remember();
        }
        if says("AddVolumeNode") {
            let link = self.link(0);
            self.cluster.place_mut(link).adc.operation = AdcOperation::Attach;
            self.step(&["adc-notices-attached"]);
            return self.remember();
        }
        if says("unmounted") {
            for link in self.world.links() {
                self.cluster.place_mut(link).adc.in_use = false;
                self.cluster.place_mut(link).in_use = false;
            }
        }
        if says("removed") {
            for (pod, (node, later)) in self.world.pods().zip(self.pods.clone()) {
                let link = self.link(node);
                let keeps = later
                    || (says("attached node") && self.cluster.place(link).adc.actual != Actual::Attached);
                if !keeps {
                    self.cluster.place_mut(link).adc.wanted.remove(pod);
                }
            }
        }
        if let Some((name, _)) = pod_on(phrase) {
            let pod = self.world.pod_named(name).expect("a Pod");
            let place = self.world.pods().position(|other| other == pod).expect("a Pod");
            let link = self.link(self.pods[place].0);
            self.cluster.place_mut(link).adc.wanted.insert(pod);
        }
        self.expired |= says("elapses");
        if says("NotReady") {
            let link = self.link(0);
            self.cluster.node_mut(link.node).ready = NodeReady::Unknown;
        }
        if says("taint added") {
            let link = self.link(0);
            self.cluster.node_mut(link.node).out_of_service = true;
        }
        if phrase != "unmounted" {
            self.reconcile();
        }
    }

    /// Lets the controller do what is due until nothing is.
    fn reconcile(&mut self) {
        let mut failed: Vec<usize> = self.waits.clone();
        for _ in 0..30 {
            let due = |action: &Action| {
                let Action::Adc(_) = action else { return false };
                let node = action.link(&self.world, &self.cluster).and_then(|link| self.place_of(link));
                let waits = node.is_some_and(|node| failed.contains(&node));
                let fresh = node.is_some_and(|node| {
                    !self.cluster.place(self.link(node)).adc.wanted.is_empty() && self.waits.contains(&node)
                });
                match action.name() {
                    "adc-finds-pod" | "adc-drops-pod" | "adc-sees-in-use" | "adc-finds-attachment-lost" => {
                        false
                    }
                    "adc-forces-detach" => self.expired && !waits,
                    "adc-creates-attachment" | "adc-finds-attachment" => !waits || fresh,
                    "adc-unlists-attached" | "adc-starts-detach" | "adc-detaches-out-of-service" => !waits,
                    "adc-unlist-refused" => !waits,
                    _ => true,
                }
            };
            let mut enabled = actions(&self.world, &self.cluster).into_iter().filter(due);
            let Some(action) = enabled.next() else { break };
            let node = action.link(&self.world, &self.cluster).and_then(|link| self.place_of(link));
            let ok = self.acts(action, node.unwrap_or_default());
            if !ok {
                failed.extend(node);
            }
            self.remember();
        }
    }

    fn place_of(&self, link: Link) -> Option<usize> {
        self.world.links().position(|other| other == link)
    }

    /// One action of the controller, with what the plugin's call leads to; whether it went well.
    fn acts(&mut self, action: Action, node: usize) -> bool {
        let link = self.link(node);
        let name = self.nodes[node].clone();
        match action.name() {
            "adc-creates-attachment" | "adc-finds-attachment" => {
                self.apply(action);
                let outcome = self.outcome("plugin.Attach", &name);
                self.rpc("plugin.Attach", &name, &outcome);
                let attachment = &mut self.cluster.place_mut(link).attachment;
                match outcome.as_str() {
                    "OK" => attachment.attached = true,
                    "TIMEOUT" => {}
                    _ => attachment.attach_error = Some(Failure::Deadline),
                }
                self.step(&["adc-notices-attached", "adc-notices-attach-failed", "adc-gives-up-attach"]);
                outcome == "OK"
            }
            "adc-deletes-attachment" => {
                let outcome = self.outcome("plugin.Detach", &name);
                // Something holds it as long as the detach does not go well.
                self.cluster.place_mut(link).attachment.finalizer = outcome != "OK";
                self.apply(action);
                self.rpc("plugin.Detach", &name, &outcome);
                if !["OK", "TIMEOUT"].contains(&outcome.as_str()) {
                    self.cluster.place_mut(link).attachment.detach_error = Some(Failure::Deadline);
                }
                self.step(&["adc-notices-detached", "adc-notices-detach-failed", "adc-gives-up-detach"]);
                outcome == "OK"
            }
            "adc-finds-no-attachment" => {
                self.apply(action);
                self.rpc("plugin.Detach", &name, "OK");
                true
            }
            "adc-finds-still-in-use" => {
                self.apply(action);
                let step = json!({"call": "GET Node", "outcome": "in use"});
                self.rpcs.push(step.clone());
                self.merged.push(step);
                false
            }
            "adc-unlist-refused" => {
                self.apply(action);
                self.write(&name, json!([]), true);
                false
            }
            other => {
                let forced = match other {
                    "adc-forces-detach" => Some("timeout"),
                    "adc-detaches-out-of-service" => Some("out-of-service"),
                    _ => None,
                };
                forced.into_iter().for_each(|reason| *self.forced.entry(reason).or_default() += 1);
                self.apply(action);
                true
            }
        }
    }

    /// The first of these actions that is possible.
    fn step(&mut self, names: &[&str]) {
        let enabled = actions(&self.world, &self.cluster);
        let action = names.iter().find_map(|name| enabled.iter().find(|action| action.name() == *name));
        self.apply(*action.expect("one of them is possible"));
    }

    fn apply(&mut self, action: Action) {
        let outcome = apply(&self.world, &self.cluster, action).expect("enabled");
        self.cluster = outcome.cluster;
        for change in outcome.changes {
            match change {
                Change::Event { object: ObjectId::Pod(pod), event, .. } => {
                    let (kind, _, message) = event.text(&self.world);
                    if kind == EventType::Warning {
                        self.events.push((self.world.pod(pod).name.clone(), message));
                    }
                }
                Change::Write { object: ObjectId::Node(node), field: Field::VolumesAttached, to, .. } => {
                    let name = self.world.node(node).name.clone();
                    let none = matches!(to, Written::Absent);
                    let set = if none { json!([]) } else { json!([self.given["pv"]["name"]]) };
                    self.write(&name, set, false);
                }
                _ => {}
            }
        }
    }

    /// What the plugin's next call of this kind comes to.
    fn outcome(&self, call: &str, node: &str) -> String {
        let hits = |fault: &&Value| {
            let there = fault["node"].as_str().is_none_or(|on| on == node);
            let same = |rpc: &&Value| {
                rpc["call"] == call && (fault["node"].is_null() || rpc["args"]["node"] == node)
            };
            let nth = self.rpcs.iter().filter(same).count() as u64 + 1;
            fault["rpc"] == call && there && (fault["always"] == true || fault["nth"].as_u64() == Some(nth))
        };
        let fault = list(&self.given["faults"]).iter().find(hits);
        fault.and_then(|fault| fault["outcome"].as_str()).unwrap_or("OK").into()
    }

    fn rpc(&mut self, call: &str, node: &str, outcome: &str) {
        let step = json!({"call": call, "args": {"node": node}, "outcome": outcome});
        self.rpcs.push(step.clone());
        self.merged.push(step);
    }

    fn write(&mut self, node: &str, set: Value, refused: bool) {
        let mut step = json!({"op": "patch", "kind": "Node", "name": node, "subresource": "status",
            "set": {"volumesAttached": set}});
        if refused {
            step["result"] = "error".into();
        }
        self.writes.push(step.clone());
        self.merged.push(step);
    }

    /// What the actual state says of each Node.
    fn states(&self) -> BTreeMap<String, &'static str> {
        let state = |(place, name): (usize, &String)| {
            let actual = match self.cluster.place(self.link(place)).adc.actual {
                Actual::Detached => "Detached",
                Actual::Uncertain => "Uncertain",
                Actual::Attached => "Attached",
            };
            (name.clone(), actual)
        };
        self.nodes.iter().take(2).enumerate().map(state).collect()
    }

    fn remember(&mut self) {
        self.seen.push(self.states());
    }
}
