//! Vectors about expansion on the Node.

use serde_json::Value;

/// The areas that this adapter asks.
pub const AREAS: &[&str] = &["kubelet.node_expand", "kubelet.expand"];

/// Asks the model what a vector asks.
pub fn ask(vector: &Value) -> Result<(), String> {
    Err(format!("nobody asks this yet: {}", vector["event"]))
}
