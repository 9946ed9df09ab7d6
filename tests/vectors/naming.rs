//! Vectors about computed names.

use mountpath::model::names::{self, Root};
use serde_json::Value;

/// The areas that this adapter asks.
pub const AREAS: &[&str] = &["naming.va", "naming.finalizer", "naming.path", "naming.inline"];

/// Asks the model what a vector asks.
pub fn ask(vector: &Value) -> Result<(), String> {
    let (given, what) = (&vector["given"], vector["event"]["what"].as_str().unwrap_or_default());
    let expected = vector["expect"]["state"].as_object().ok_or("it expects no state")?;
    for (key, value) in expected {
        let computed = compute(given, key, what).ok_or(format!("it asks for {key}, {what}: no such name"))?;
        if Some(computed.as_str()) != value.as_str() {
            return Err(format!("{key} is {computed} instead of {value}"));
        }
    }
    Ok(())
}

/// The name that an expectation's key and the event's words ask for.
fn compute(given: &Value, key: &str, what: &str) -> Option<String> {
    let text = |key: &str| given[key].as_str().unwrap_or_default();
    let driver = given["driver"]["name"].as_str().unwrap_or_default();
    let (handle, pod, pv) = (text("volumeHandle"), text("podUID"), text("pv"));
    let root = Root(given["root"].as_str().unwrap_or(names::ROOT));
    Some(match key {
        "name" => names::attachment_name(handle, driver, text("node")),
        "finalizer" => names::attacher_finalizer(driver),
        "volume_id" => names::inline_handle(pod, text("volume")),
        "unique" | "uniqueVolumeName" | "unique_volume_name" => names::unique_volume_name(driver, handle),
        "path" => match what.to_lowercase() {
            what if what.contains("block") || what.contains("map") => match what {
                what if what.contains("staging") => root.block_staging(pv),
                what if what.contains("publish") => root.block_publish(pod, pv),
                what if what.contains("data") => root.block_data(pv),
                what if what.contains("link") || what.contains("pod") => root.block_link(pod, pv),
                what if what.contains("map") => root.block_map(pv),
                _ => return None,
            },
            what if what.contains("data") && pod.is_empty() => root.staging_data(driver, handle),
            what if what.contains("data") => root.publish_data(pod, pv),
            what if what.contains("globalmount") || what.contains("staging") => root.staging(driver, handle),
            what if what.contains("publish") || what.contains("target") => root.publish(pod, pv),
            what if what.contains("registration") => root.registration(driver),
            what if what.contains("socket") => root.socket(driver),
            _ => return None,
        },
        _ => return None,
    })
}
