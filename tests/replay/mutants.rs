//! Recordings that no cluster could have made, derived from one that a cluster made.

use serde_json::{Value, json};

/// What kind of change it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A line stands before what brings it about.
    Moved,
    /// Somebody else has written it.
    Writer,
    /// Nobody has created the VolumeAttachment.
    Dropped,
    /// A volume that one Node may have is attached to two.
    Second,
    /// Something is mounted before the volume is attached.
    Mount,
    /// A call is about another Node, or comes from there.
    Node,
}

/// The kind, what was changed, and the recording that it gives.
pub type Mutant = (Kind, String, String);

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

fn mounts(line: &Value) -> bool {
    is(line, "mount")
}

/// Who does what others only look at, or what nobody in the model explains.
const INPUTS: [&str; 7] = [
    "user",
    "scenario",
    "node-lifecycle-controller",
    "namespace-controller",
    "taint-eviction-controller",
    "pod-garbage-collector",
    "garbage-collector",
];

/// Whether the line shows a write of an actor that has rules, to a field that some rule writes.
fn writes(line: &Value) -> bool {
    let by = line["by"].as_str().unwrap_or_default();
    let plain = |field: &String| !field.starts_with("status.condition ");
    let changed = line["changes"].as_object().is_some_and(|changes| changes.keys().any(plain));
    !INPUTS.contains(&by) && (is(line, "create") || (is(line, "update") && changed))
}

/// Mounts that follow from an attach.
const MOUNTS: [(&str, Is); 2] = [("a staging mount", stages), ("a mount", mounts)];

/// A line that follows from another: it is moved before that one.
const FOLLOWS: [(&str, Is, Is); 13] = [
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
        "a PersistentVolume before CreateVolume returns",
        |l| replied(l, "CreateVolume"),
        |l| is(l, "create") && of(l, "PersistentVolume") && l["by"] == "external-provisioner",
    ),
    (
        "a claim is bound before its PersistentVolume is there",
        |l| is(l, "create") && of(l, "PersistentVolume"),
        |l| changes(l, "PersistentVolumeClaim", "spec.volumeName"),
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

/// Everything that can be done to this recording.
pub fn mutants(text: &str) -> Vec<Mutant> {
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a line")).collect();
    let first = |is: &dyn Fn(&Value) -> bool| lines.iter().position(is);
    let mut found: Vec<Mutant> = Vec::new();
    // What has a cause only in the first place can happen once more without one.
    let moved = |cause: usize, at: usize| {
        let mut changed = lines.clone();
        let mut line = changed.remove(at);
        line["t_ms"] = json!(time(&lines[cause]).saturating_sub(100));
        insert(&mut changed, line);
        joined(&changed)
    };
    for (what, cause, effect) in FOLLOWS {
        let Some(cause) = first(&cause) else { continue };
        let Some(at) = first(&effect).filter(|at| *at > cause) else { continue };
        found.push((Kind::Moved, what.into(), moved(cause, at)));
    }
    for (what, mount) in MOUNTS {
        let Some(cause) = first(&attaches) else { continue };
        let Some(at) = first(&mount).filter(|at| *at > cause) else { continue };
        found.push((Kind::Mount, format!("{what} before status.attached"), moved(cause, at)));
    }
    for at in first_writes(&lines) {
        let object = &lines[at]["object"];
        let created = lines.iter().position(|l| is(l, "create") && l["object"] == *object);
        if let Some(cause) = created.filter(|cause| *cause < at) {
            found.push((Kind::Moved, format!("line {} before {object} is there", at + 1), moved(cause, at)));
        }
        let mut changed = lines.clone();
        let by = if lines[at]["by"].as_str().is_some_and(|by| by.starts_with("kubelet")) {
            "attach-detach-controller"
        } else {
            "kubelet/node-1"
        };
        changed[at]["by"] = json!(by);
        found.push((Kind::Writer, format!("line {} by {by}", at + 1), joined(&changed)));
    }
    if let Some(at) = first(&creates_attachment) {
        let mut changed = lines.clone();
        changed.remove(at);
        found.push((Kind::Dropped, "no VolumeAttachment".into(), joined(&changed)));
    }
    found.extend(second_attach(&lines));
    for method in ["ControllerPublishVolume", "ControllerUnpublishVolume"] {
        if let Some(at) = first(&|l| call(l, method)) {
            let mut changed = lines.clone();
            changed[at]["node"] = json!("node-9");
            found.push((Kind::Node, format!("{method} for another Node"), joined(&changed)));
        }
    }
    for method in ["NodeStageVolume", "NodePublishVolume", "NodeUnpublishVolume", "NodeUnstageVolume"] {
        let Some(at) = first(&|l| call(l, method)) else { continue };
        let own = lines[at]["by"].as_str().unwrap_or_default().to_owned();
        let mut changed = lines.clone();
        let other = if own == "kubelet/node-1" { "kubelet/node-2" } else { "kubelet/node-1" };
        changed[at]["by"] = json!(other);
        found.push((Kind::Node, format!("{method} by {other}"), joined(&changed)));
    }
    found
}

/// The first line of each writer about each kind of object and set of fields.
fn first_writes(lines: &[Value]) -> Vec<usize> {
    let mut known: Vec<(String, String, Vec<String>)> = Vec::new();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| writes(line)) {
        let kind = line["object"].as_str().unwrap_or_default().split('/').next().unwrap_or_default();
        let fields = line["changes"].as_object().map(|c| c.keys().cloned().collect()).unwrap_or_default();
        let key = (line["by"].as_str().unwrap_or_default().to_owned(), kind.to_owned(), fields);
        if !known.contains(&key) {
            known.push(key);
            found.push(at);
        }
    }
    found
}

/// The kinds of changes that can be made to this recording.
pub fn kinds(text: &str) -> Vec<Kind> {
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a line")).collect();
    let has = |is: &dyn Fn(&Value) -> bool| lines.iter().any(is);
    let attached = lines.iter().position(attaches);
    let calls = |prefix: &str| {
        has(&|l| is(l, "call") && l["method"].as_str().is_some_and(|method| method.starts_with(prefix)))
    };
    let mode = |wanted: &str| has(&|l| l["fields"]["spec.accessModes"] == json!([wanted]));
    let nodes = lines.iter().filter(|l| is(l, "given") && of(l, "Node")).count();
    let once = mode("ReadWriteOnce") && !mode("ReadWriteMany") && nodes > 1;
    let all = [
        (Kind::Moved, true),
        (Kind::Writer, true),
        (Kind::Dropped, has(&creates_attachment)),
        (Kind::Second, once && has(&|l| l["reason"] == "SuccessfulAttachVolume")),
        (Kind::Mount, attached.is_some_and(|at| lines.iter().skip(at).any(mounts))),
        (Kind::Node, calls("ControllerPublish") || calls("NodePublish") || calls("NodeStage")),
    ];
    all.into_iter().filter(|(_, applies)| *applies).map(|(kind, _)| kind).collect()
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
    Some((Kind::Second, "a second attach of a ReadWriteOnce volume".into(), joined(&changed)))
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
