//! Vectors about the CSI driver.

use serde_json::Value;

/// The areas that this adapter asks.
pub const AREAS: &[&str] = &["driver.sanity"];

/// Asks the model what a vector asks.
pub fn ask(vector: &Value) -> Result<(), String> {
    Err(format!("nobody asks this yet: {}", vector["event"]))
}
