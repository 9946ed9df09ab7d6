//! What a play of the attach-detach controller came to, beside what a vector expects.

use super::super::{list, same};
use super::Play;
use serde_json::Value;
use std::collections::BTreeMap;

impl Play<'_> {
    pub(super) fn compare(&self, expect: &Value) -> Result<(), String> {
        agree("rpc", &self.rpcs, list(&expect["rpc"]))?;
        // Upstream's tests look at statuses and events only where they name some.
        if !list(&expect["writes"]).is_empty() {
            agree("writes", &self.writes, list(&expect["writes"]))?;
            let in_order = list(&expect["order"]).iter().filter_map(|item| {
                let (name, place) = item.as_str()?.trim_end_matches(']').split_once('[')?;
                Some(expect[name][place.parse::<usize>().ok()?].clone())
            });
            let in_order: Vec<Value> = in_order.collect();
            if !in_order.is_empty() {
                agree("order", &self.merged, &in_order)?;
            }
        }
        for event in list(&expect["events"]) {
            let pod = event["object"].as_str().and_then(|o| o.rsplit('/').next()).unwrap_or_default();
            let message = event["message"].as_str().unwrap_or_default();
            let starts = message.split('<').next().unwrap_or_default();
            let told = |(who, what): &(String, String)| {
                (pod.starts_with('<') || who == pod)
                    && (what == message || (starts.len() < message.len() && what.starts_with(starts)))
            };
            if !self.events.iter().any(told) {
                return Err(format!("events: {:?}, but expected {event}", self.events));
            }
        }
        self.compare_state(&expect["state"])
    }

    fn compare_state(&self, state: &Value) -> Result<(), String> {
        let count = |call: &str| self.rpcs.iter().filter(|rpc| rpc["call"] == call).count() as u64;
        for (key, wanted) in state.as_object().into_iter().flatten() {
            let first = self.cluster.place(self.link(0));
            match key.as_str() {
                "detach_calls" => same(key, Some(count("plugin.Detach")), wanted.as_u64())?,
                "detach_calls_before_taint" | "attach_calls_before_removal" => {}
                "reported" => same(key, Some(first.adc.reported), wanted.as_bool())?,
                "mounted_by_node" | "in_use_assumed" => same(key, Some(first.adc.in_use), wanted.as_bool())?,
                "node_status_updates" => same(key, Some(self.writes.len() as u64), wanted.as_u64())?,
                "nodes_for_attached_volume" => {
                    let confirmed = self.states().values().filter(|state| **state == "Attached").count();
                    same(key, confirmed, list(wanted).len())?;
                }
                "forced_detach_metric" if wanted.is_u64() => {
                    same(key, Some(self.forced.values().sum::<u64>()), wanted.as_u64())?;
                }
                "forced_detach_metric" => {
                    for (reason, times) in wanted.as_object().into_iter().flatten() {
                        let forced = self.forced.get(reason.as_str()).copied().unwrap_or_default();
                        same(reason, Some(forced), times.as_u64())?;
                    }
                }
                "detach" => {
                    let gone: Vec<&Value> = self.rpcs.iter().map(|rpc| &rpc["args"]["node"]).collect();
                    same(key, gone, list(wanted).iter().collect())?;
                }
                _ => {
                    let wanted = wanted.as_object().into_iter().flatten().filter(|(_, to)| to.is_string());
                    for (node, to) in wanted {
                        let known =
                            |states: &BTreeMap<String, &str>| states.get(node).copied() == to.as_str();
                        // What stood there in between may be over.
                        let between = key.starts_with("after") && self.seen.iter().any(known);
                        if !between && !known(&self.states()) {
                            return Err(format!("{key}: {:?}, but expected {node} {to}", self.states()));
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

fn agree(what: &str, model: &[Value], expected: &[Value]) -> Result<(), String> {
    let fits =
        model.len() == expected.len() && model.iter().zip(expected).all(|(has, want)| within(want, has));
    if fits { Ok(()) } else { Err(format!("{what}: {model:?}, but expected {expected:?}")) }
}

/// Whether everything that is wanted is there; what stands in angle brackets may be anything.
fn within(want: &Value, has: &Value) -> bool {
    match (want, has) {
        (Value::Object(want), Value::Object(has)) => {
            want.iter().all(|(key, value)| has.get(key).is_some_and(|has| within(value, has)))
        }
        (Value::String(want), Value::String(_)) if want.starts_with('<') => true,
        (want, has) => want == has,
    }
}
