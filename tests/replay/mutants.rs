//! Recordings that no cluster could have made, derived from one that a cluster made.

use serde_json::{Value, json};

/// What was changed, and the recording that it gives.
pub type Mutant = (&'static str, String);

/// What a line must be.
type Is = fn(&Value) -> bool;

fn is(line: &Value, what: &str) -> bool {
    line["do"] == what
}

fn of(line: &Value, kind: &str) -> bool {
    line["object"].as_str().is_some_and(|object| object.starts_with(&format!("{kind}/")))
}

fn call(line: &Value, method: &str) -> bool {
    is(line, "call") && line["method"] == method
}

fn replied(line: &Value, method: &str) -> bool {
    is(line, "rpc") && line["method"] == method && line["code"] == "OK"
}

fn changes(line: &Value, kind: &str, field: &str) -> bool {
    is(line, "update") && of(line, kind) && line["changes"].get(field).is_some()
}

fn creates_attachment(line: &Value) -> bool {
    is(line, "create") && of(line, "VolumeAttachment")
}

fn attaches(line: &Value) -> bool {
    changes(line, "VolumeAttachment", "status.attached")
}

fn stages(line: &Value) -> bool {
    is(line, "mount") && line["path"].as_str().is_some_and(|path| path.contains("globalmount"))
}

/// A line that follows from another: it is moved before that one.
const FOLLOWS: [(&str, Is, Is); 12] = [
    (
        "a VolumeAttachment before its Pod is bound",
        |l| changes(l, "Pod", "spec.nodeName"),
        creates_attachment,
    ),
    ("ControllerPublishVolume before its VolumeAttachment", creates_attachment, |l| {
        call(l, "ControllerPublishVolume")
    }),
    (
        "status.attached before ControllerPublishVolume returns",
        |l| replied(l, "ControllerPublishVolume"),
        attaches,
    ),
    ("an Event of the attach before status.attached", attaches, |l| l["reason"] == "SuccessfulAttachVolume"),
    ("NodeStageVolume before status.attached", attaches, |l| call(l, "NodeStageVolume")),
    ("a mount before status.attached", attaches, stages),
    ("a mount before NodeStageVolume", |l| call(l, "NodeStageVolume"), stages),
    (
        "NodePublishVolume before NodeStageVolume returns",
        |l| replied(l, "NodeStageVolume"),
        |l| call(l, "NodePublishVolume"),
    ),
    (
        "containers before NodePublishVolume returns",
        |l| replied(l, "NodePublishVolume"),
        |l| l["reason"] == "Started",
    ),
    (
        "Killing before the Pod is deleted",
        |l| changes(l, "Pod", "metadata.deletionTimestamp"),
        |l| l["reason"] == "Killing",
    ),
    (
        "NodeUnstageVolume before NodeUnpublishVolume returns",
        |l| replied(l, "NodeUnpublishVolume"),
        |l| call(l, "NodeUnstageVolume"),
    ),
    (
        "ControllerUnpublishVolume before the VolumeAttachment is deleted",
        |l| changes(l, "VolumeAttachment", "metadata.deletionTimestamp"),
        |l| call(l, "ControllerUnpublishVolume"),
    ),
];

/// A line that another actor cannot have written.
const OTHERS: [(&str, Is, &str); 4] = [
    ("status.attached by the controller", attaches, "attach-detach-controller"),
    ("volumesAttached by kubelet", |l| changes(l, "Node", "status.volumesAttached"), "kubelet/node-1"),
    (
        "volumesInUse by the controller",
        |l| changes(l, "Node", "status.volumesInUse"),
        "attach-detach-controller",
    ),
    ("spec.nodeName by kubelet", |l| changes(l, "Pod", "spec.nodeName"), "kubelet/node-1"),
];

/// Everything that can be done to this recording.
pub fn mutants(text: &str) -> Vec<Mutant> {
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a line")).collect();
    let first = |from: usize, is: Is| lines.iter().skip(from).position(is).map(|at| at + from);
    let mut found: Vec<Mutant> = Vec::new();
    for (what, cause, effect) in FOLLOWS {
        // What has a cause only in the first place can happen once more without one.
        let Some(cause) = first(0, cause) else { continue };
        let Some(at) = first(0, effect).filter(|at| *at > cause) else { continue };
        let mut changed = lines.clone();
        let mut line = changed.remove(at);
        line["t_ms"] = json!(time(&lines[cause]).saturating_sub(100));
        insert(&mut changed, line);
        found.push((what, joined(&changed)));
    }
    for (what, is, by) in OTHERS {
        let Some(at) = first(0, is) else { continue };
        let mut changed = lines.clone();
        changed[at]["by"] = json!(by);
        found.push((what, joined(&changed)));
    }
    if let Some(at) = first(0, creates_attachment) {
        let mut changed = lines.clone();
        changed.remove(at);
        found.push(("no VolumeAttachment", joined(&changed)));
    }
    found.extend(second_attach(&lines));
    if let Some(at) = first(0, |l| call(l, "ControllerPublishVolume")) {
        let mut changed = lines.clone();
        changed[at]["node"] = json!("node-9");
        found.push(("a call for another Node", joined(&changed)));
    }
    found
}

/// While a ReadWriteOnce volume is attached, the controller asks for it on another Node as well.
fn second_attach(lines: &[Value]) -> Option<Mutant> {
    let exclusive = lines.iter().any(|l| {
        is(l, "create")
            && of(l, "PersistentVolumeClaim")
            && l["fields"]["spec.accessModes"] == json!(["ReadWriteOnce"])
    });
    let noticed = lines.iter().position(|l| l["reason"] == "SuccessfulAttachVolume").filter(|_| exclusive)?;
    let created = lines.iter().find(|l| creates_attachment(l))?;
    let node = created["fields"]["spec.nodeName"].as_str()?;
    let pv = created["fields"]["spec.source.persistentVolumeName"].as_str()?;
    let is_volume = |l: &&Value| is(l, "create") && l["object"] == format!("PersistentVolume/{pv}");
    let handle = lines.iter().find(is_volume)?["fields"]["spec.csi.volumeHandle"].as_str()?;
    let nodes = lines.iter().filter(|l| is(l, "given") && of(l, "Node"));
    let other =
        nodes.filter_map(|l| l["object"].as_str()?.strip_prefix("Node/")).find(|name| *name != node)?;
    let driver = created["fields"]["spec.attacher"].as_str()?;
    let name = mountpath::model::names::attachment_name(handle, driver, other);
    let mut line = created.clone();
    line["object"] = json!(format!("VolumeAttachment/{name}"));
    line["fields"]["spec.nodeName"] = json!(other);
    line["t_ms"] = json!(time(&lines[noticed]) + 1);
    let mut changed = lines.to_vec();
    insert(&mut changed, line);
    Some(("a second attach of a ReadWriteOnce volume", joined(&changed)))
}

fn time(line: &Value) -> u64 {
    line["t_ms"].as_u64().expect("a time")
}

/// Puts a line where its time belongs.
fn insert(lines: &mut Vec<Value>, line: Value) {
    let at = lines.iter().position(|l| time(l) > time(&line)).unwrap_or(lines.len());
    lines.insert(at, line);
}

fn joined(lines: &[Value]) -> String {
    lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n")
}
