//! Vectors about the attach-detach controller, the in-tree attach plugin and the external-attacher.

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
    Err(format!("nobody asks this yet: {}", vector["event"]))
}
