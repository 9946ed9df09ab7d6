//! Vectors about computed names.

use serde_json::Value;

/// The areas that this adapter asks.
pub const AREAS: &[&str] = &["naming.va", "naming.finalizer", "naming.path", "naming.inline"];

/// Asks the model what a vector asks.
pub fn ask(vector: &Value) -> Result<(), String> {
    Err(format!("nobody asks this yet: {}", vector["event"]))
}
