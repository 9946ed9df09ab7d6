//! Vectors about the external-provisioner.

use serde_json::Value;

/// The areas that this adapter asks.
pub const AREAS: &[&str] = &["provisioner.error", "provisioner.claim", "provisioner.delete"];

/// Asks the model what a vector asks.
pub fn ask(vector: &Value) -> Result<(), String> {
    Err(format!("nobody asks this yet: {}", vector["event"]))
}
