//! Vectors about the attach-detach controller, the in-tree attach plugin and the external-attacher.

#[path = "attach_adc.rs"]
mod adc;
#[path = "attach_attacher.rs"]
mod attacher;
#[path = "attach_plugin.rs"]
mod plugin;

use mountpath::model::{AccessMode, attacher::csi_mode, attacher::enqueues};
use serde_json::Value;

/// The areas that this adapter asks.
pub const AREAS: &[&str] = &[
    "attacher.attach",
    "attacher.detach",
    "attacher.enqueue",
    "attacher.pv_finalizer",
    "attacher.reconcile",
    "attacher.trivial",
    "attacher.access_mode",
    "adc.multiattach",
    "adc.detach",
    "adc.force",
    "adc.attach",
    "adc.recovery",
    "adc.asw",
    "adc.sync",
    "plugin.attach",
    "plugin.detach",
];

/// Asks the model what a vector asks.
pub fn ask(vector: &Value) -> Result<(), String> {
    let area = vector["area"].as_str().unwrap_or_default();
    match area {
        "attacher.enqueue" => {
            let changed: Vec<&str> = vector["given"]["changed_field"].as_str().into_iter().collect();
            let changed: Vec<&str> = changed.into_iter().filter(|field| *field != "none").collect();
            same("enqueued", enqueues(&changed), vector["expect"]["state"]["enqueued"].as_bool().unwrap())
        }
        "attacher.access_mode" => {
            let given = &vector["given"];
            let multi_writer = has(&given["driver"]["controller_caps"], "SINGLE_NODE_MULTI_WRITER");
            let modes = modes(&given["objects"][0]["accessModes"]);
            let mode = csi_mode(&modes, multi_writer).map_or("error", |mode| mode.name());
            same("access mode", mode, vector["expect"]["state"]["access_mode"].as_str().unwrap())
        }
        "adc.sync" | "plugin.attach" | "plugin.detach" => plugin::ask(vector),
        _ if area.starts_with("attacher.") => attacher::ask(vector),
        _ => adc::ask(vector),
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, model: T, expected: T) -> Result<(), String> {
    if model == expected { Ok(()) } else { Err(format!("{what}: {model:?}, but expected {expected:?}")) }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn has(value: &Value, text: &str) -> bool {
    list(value).iter().any(|item| item == text)
}

fn modes(value: &Value) -> Vec<AccessMode> {
    let named = |name: &Value| AccessMode::ALL.into_iter().find(|mode| name == mode.name());
    list(value).iter().filter_map(named).collect()
}
