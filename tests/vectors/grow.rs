//! Vectors about expansion on the Node.

use mountpath::model::growth::Allocated;
use mountpath::model::kubelet_expand::{
    Check, Left, NodeExpandError, Sizes, check, left, node_expand_error, plugin_error,
};
use mountpath::model::{AccessMode, Code};
use serde_json::{Value, json};

/// The areas that this adapter asks.
pub const AREAS: &[&str] = &["kubelet.node_expand", "kubelet.expand"];

/// Asks the model what a vector asks.
pub fn ask(vector: &Value) -> Result<(), String> {
    let (given, expect) = (&vector["given"], &vector["expect"]);
    let fault = given["faults"].get(0).map(|fault| fault["outcome"].as_str().unwrap_or_default());
    let (calls, state) = match vector["event"]["type"].as_str().unwrap_or_default() {
        "NodeExpand" => plugin(given, fault),
        "expandOnPlugin" => claimed(given, fault)?,
        _ => mounted(given, fault)?,
    };
    let expected = expect["rpc"].as_array().map_or(0, Vec::len);
    if expected != calls {
        return Err(format!("{calls} calls instead of {expected}"));
    }
    let wanted = expect["state"].as_object().ok_or("it expects no state")?;
    for (key, value) in wanted {
        if state[key] != *value {
            return Err(format!("{key} is {} instead of {value}", state[key]));
        }
    }
    Ok(())
}

/// The error that an outcome stands for; a code, or the name of a class.
fn error(outcome: &str) -> NodeExpandError {
    match outcome {
        "INFEASIBLE" => NodeExpandError::Infeasible,
        "NOT_SUPPORTED" => NodeExpandError::NotSupported,
        other => node_expand_error(Code::named(other).unwrap_or(Code::Internal)),
    }
}

/// The CSI plugin by itself: whether it calls, and how it classes what comes of it.
fn plugin(given: &Value, fault: Option<&str>) -> (usize, Value) {
    let caps = given["driver"]["node_caps"].as_array();
    let expands = caps.is_some_and(|caps| caps.contains(&json!("EXPAND_VOLUME")));
    let result = plugin_error(expands, fault.and_then(Code::named));
    let class = match result {
        Ok(()) => None,
        Err(NodeExpandError::NotSupported) => Some("not-supported"),
        Err(NodeExpandError::InUse) => Some("in-use"),
        Err(NodeExpandError::Infeasible) => Some("infeasible"),
        Err(NodeExpandError::Final) => Some("final"),
    };
    (usize::from(expands), json!({ "success": result.is_ok(), "class": class }))
}

/// A size such as `2G` as a number.
fn size(value: &Value) -> Result<u64, String> {
    let text = value.as_str().unwrap_or_default();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    digits.parse().map_err(|_| format!("{value} is no size"))
}

/// kubelet's node expander with a claim and its PersistentVolume.
fn claimed(given: &Value, fault: Option<&str>) -> Result<(usize, Value), String> {
    let claim = &given["pvc"];
    let status = claim["allocatedResourceStatus"].as_str().unwrap_or_default();
    let modes = claim["accessModes"].as_array().cloned().unwrap_or_default();
    let many = |mode: &Value| AccessMode::ALL.iter().any(|m| mode == m.name() && m.allows_many_nodes());
    let sizes = Sizes {
        claim: size(&claim["status_capacity"])?,
        volume: size(&given["pv_capacity"])?,
        allocated: Allocated::ALL.into_iter().find(|s| s.name() == status).ok_or("no such status")?,
        many_nodes: modes.iter().any(many),
        skips_node: claim["annotation"].is_string(),
    };
    let unchanged = Left { allocated: sizes.allocated, grown: false, error: false };
    let (reported, after) = match check(sizes) {
        Check::Refused | Check::Done => (false, unchanged),
        Check::Call(marks) => {
            let result = fault.map_or(Ok(()), |outcome| Err(error(outcome)));
            // A plugin that cannot is not called, so that nothing is reported where nothing is left to do.
            let after = left(result, marks);
            (after.error || result.is_ok(), after)
        }
    };
    let capacity = if after.grown { &given["pv_capacity"] } else { &claim["status_capacity"] };
    let state = json!({
        "resize_call_reported": reported,
        "allocatedResourceStatus": after.allocated.name(),
        "status_capacity": capacity,
        "error": after.error,
        "finished": !after.error,
    });
    Ok((usize::from(reported), state))
}

/// kubelet's reconciler with a mounted volume whose PersistentVolume has grown.
fn mounted(given: &Value, fault: Option<&str>) -> Result<(usize, Value), String> {
    let (has, wants) = (size(&given["asw"]["size"])?, size(&given["pv_size"])?);
    let sizes =
        Sizes { claim: has, volume: wants, allocated: Allocated::None, many_nodes: false, skips_node: false };
    let Check::Call(marks) = check(sizes) else {
        return Ok((0, json!({ "fs_resize_required": false, "size": given["asw"]["size"] })));
    };
    let result = fault.map_or(Ok(()), |outcome| Err(error(outcome)));
    let after = left(result, marks);
    let grown = if after.grown { &given["pv_size"] } else { &given["asw"]["size"] };
    let in_use = result == Err(NodeExpandError::InUse);
    let state = json!({
        "fs_resize_required": after.error,
        "size": grown,
        "retried": after.error && !in_use,
        "marked": in_use.then_some("in-use expansion error"),
    });
    Ok((1, state))
}
