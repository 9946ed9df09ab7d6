//! Vectors about kubelet's volume manager.

use serde_json::Value;

/// The areas that this adapter asks.
pub const AREAS: &[&str] = &[
    "kubelet.attach_gate",
    "kubelet.block",
    "kubelet.fsgroup",
    "kubelet.in_use",
    "kubelet.mount_device",
    "kubelet.race",
    "kubelet.reconstruct",
    "kubelet.setup",
    "kubelet.uncertain_device",
    "kubelet.uncertain_volume",
    "kubelet.unmount",
    "kubelet.unmount_device",
    "kubelet.wait",
    "kubelet.wait_for_attach",
];

/// Asks the model what a vector asks.
pub fn ask(vector: &Value) -> Result<(), String> {
    Err(format!("nobody asks this yet: {}", vector["event"]))
}
