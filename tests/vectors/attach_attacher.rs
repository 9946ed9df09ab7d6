//! The external-attacher, played from the objects of a vector until it has nothing left to do but to try again.

use super::{has, list, modes, same};
use mountpath::model::attacher::{csi_mode, publishes_readonly};
use mountpath::model::{
    About, AccessMode, Action, Attachment, Change, Cluster, Code, Fault, FaultKind, Field, Finalizer, Kind,
    Link, Method, NodeSpec, Parts, PodSpec, Presence, Reply, Source, Value as Written, World, actions, apply,
};
use serde_json::Value;

/// One thing that the external-attacher does, told in the words of a vector.
#[derive(Debug)]
enum Step {
    Rpc { call: String, outcome: String, args: Value },
    Write { kind: &'static str, what: String, message: String, code: Option<u64>, refused: bool },
}

fn find<'v>(vector: &'v Value, kind: &str) -> Option<&'v Value> {
    list(&vector["given"]["objects"]).iter().find(|object| object["kind"] == kind)
}

fn world(vector: &Value) -> World {
    let given = &vector["given"];
    let (pv, va) = (find(vector, "PersistentVolume"), find(vector, "VolumeAttachment"));
    let csi_node = find(vector, "CSINode");
    let inline = va.map(|va| &va["spec"]["source"]["inlineVolumeSpec"]).filter(|spec| spec.is_object());
    let spec = pv.or(inline).unwrap_or(&Value::Null);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let driver = text(&given["driver"]["name"]);
    let id = csi_node.and_then(|node| list(&node["drivers"]).iter().find(|d| d["name"] == driver.as_str()));
    let id = id.map(|driver| &driver["nodeID"]);
    let id = id.or(va.map(|va| &va["annotations"]["csi.alpha.kubernetes.io/node-id"]));
    let node = va.map(|va| &va["spec"]["nodeName"]).or(csi_node.map(|node| &node["name"]));
    let secret = spec["csi"]["controllerPublishSecretRef"].as_str().map(str::to_owned);
    let capability = |name| has(&given["driver"]["controller_caps"], name);
    let mut parts = Parts {
        nodes: vec![NodeSpec {
            name: node.map_or("node".into(), text),
            driver_id: id.map(text).unwrap_or_default(),
            ..NodeSpec::default()
        }],
        pods: vec![PodSpec::default()],
        ..Parts::default()
    };
    parts.driver.name = driver;
    parts.driver.controller_publish = capability("PUBLISH_UNPUBLISH_VOLUME");
    parts.driver.single_node_multi_writer = capability("SINGLE_NODE_MULTI_WRITER");
    parts.driver.lists_published_nodes = capability("LIST_VOLUMES_PUBLISHED_NODES");
    parts.driver.publish_readonly = capability("PUBLISH_READONLY");
    let named = va.map(|va| text(&va["spec"]["source"]["persistentVolumeName"]));
    let name = pv.map(|pv| text(&pv["name"])).or(named).unwrap_or_default();
    let all = modes(&spec["accessModes"]);
    let first = all.first().copied().unwrap_or(AccessMode::ReadWriteOnce);
    let mut parts = parts.bound_claim("claim", &name, &text(&spec["csi"]["volumeHandle"]), first);
    let volume = &mut parts.volumes[0];
    volume.more_modes = all.iter().skip(1).copied().collect();
    volume.no_modes = all.is_empty();
    volume.read_only = spec["csi"]["readOnly"] == true;
    let is_it = |found: &Value| {
        let name = found["name"].as_str().and_then(|name| name.rsplit('/').next());
        name == secret.as_deref().and_then(|secret| secret.rsplit('/').next())
    };
    volume.secret_missing = !find(vector, "Secret").is_some_and(is_it);
    volume.publish_secret = secret;
    parts.faults = faults(given);
    World::new(parts).expect("a world")
}

fn faults(given: &Value) -> Vec<Fault> {
    let mut found = Vec::new();
    for fault in list(&given["faults"]) {
        let Some(outcome) = fault["outcome"].as_str() else { continue };
        let method = Method::ALL.into_iter().find(|method| fault["rpc"] == method.name()).expect("a method");
        let (code, message) = outcome.split_once(':').unwrap_or((outcome, ""));
        let (code, message) = match (code, message) {
            ("TIMEOUT", _) => (Code::DeadlineExceeded, "context deadline exceeded"),
            (code, message) => (Code::named(code).unwrap_or(Code::Unknown), message),
        };
        let did = fault["effect"].is_string();
        let kind = FaultKind::Answer { method, node: None, code, message: message.into(), did };
        found.push(Fault { kind, times: (fault["always"] != true).then_some(1) });
    }
    for fault in list(&given["api_faults"]) {
        let kind = [Kind::PersistentVolume, Kind::VolumeAttachment, Kind::Node].into_iter();
        let kind = kind.into_iter().find(|kind| fault["kind"] == kind.name()).expect("a kind");
        let message = fault["error"].as_str().unwrap_or_default().into();
        let times = fault["fail_times"].as_u64().map(|times| times as u8);
        found.push(Fault { kind: FaultKind::Refused { kind, message }, times });
    }
    found
}

/// The objects as they stand at the start.
fn cluster(vector: &Value, world: &World, link: Link) -> Cluster {
    let mut cluster = world.initial();
    let volume = cluster.volume_mut(link.volume);
    match find(vector, "PersistentVolume") {
        None => volume.presence = Presence::NotYet,
        Some(pv) => {
            volume.deleting = pv["deletionTimestamp"].is_string();
            for finalizer in list(&pv["finalizers"]) {
                let ours = finalizer == Finalizer::Attacher.text(&world.driver().name).as_str();
                let finalizer = if ours { Finalizer::Attacher } else { Finalizer::Foreign };
                volume.finalizers = volume.finalizers.with(finalizer);
            }
        }
    }
    let csi_node = find(vector, "CSINode");
    let node = cluster.node_mut(link.node);
    node.csi_node_gone = csi_node.is_none();
    node.driver = csi_node
        .is_some_and(|n| list(&n["drivers"]).iter().any(|d| d["name"] == world.driver().name.as_str()));
    if let Some(va) = find(vector, "VolumeAttachment") {
        let source = &va["spec"]["source"];
        let names = source["persistentVolumeName"].is_string();
        cluster.place_mut(link).attachment = Attachment {
            exists: true,
            deleting: va["deletionTimestamp"].is_string(),
            finalizer: !list(&va["finalizers"]).is_empty(),
            node_id: va["annotations"]["csi.alpha.kubernetes.io/node-id"].is_string(),
            attached: va["status"]["attached"] == true,
            source: match (names, source["inlineVolumeSpec"].is_object()) {
                (true, false) => Source::Volume,
                (false, true) => Source::Inline,
                (true, true) => Source::Both,
                (false, false) => Source::None,
            },
            foreign: va["spec"]["attacher"] != world.driver().name.as_str(),
            ..Attachment::default()
        };
        let handle = world.volume(link.volume).handle.as_str();
        let listed = &vector["given"]["list_volumes"];
        let node_id = world.node(link.node).driver_id.as_str();
        cluster.place_mut(link).real.published =
            if listed.is_object() { has(&listed[handle], node_id) } else { va["status"]["attached"] == true };
    }
    cluster
}

pub fn ask(vector: &Value) -> Result<(), String> {
    let world = world(vector);
    let link = world.links().next().expect("a link");
    let mut cluster = cluster(vector, &world, link);
    let expected = expected(&vector["expect"]);
    let tick = vector["event"]["type"].as_str().is_some_and(|event| event.contains("reconcile"));
    let mut steps: Vec<Step> = Vec::new();
    let mut attached_after = Vec::new();
    for _ in 0..100 {
        let Some(action) = next(&world, &cluster, tick) else { break };
        if steps.len() >= expected.len() && tries_again(action) {
            break;
        }
        let outcome = apply(&world, &cluster, action).expect("enabled");
        cluster = outcome.cluster;
        steps.extend(told(&world, action, &outcome.changes, link, &cluster));
        attached_after.push(cluster.place(link).attachment.attached);
    }
    compare(&steps, &expected)?;
    let state = &vector["expect"]["state"];
    if let Some(requeue) = state["requeue"].as_bool() {
        same("requeue", next(&world, &cluster, tick).is_some(), requeue)?;
    }
    if let Some(finalizer) = state["va_finalizer"].as_bool() {
        same("finalizer of the VolumeAttachment", cluster.place(link).attachment.finalizer, finalizer)?;
    }
    if let Some(attached) = state["after_first"]["attached"].as_bool() {
        same("attached after the first try", attached_after.first().copied(), Some(attached))?;
    }
    if state["pv_finalizers"].is_array() {
        let ours = Finalizer::Attacher.text(&world.driver().name);
        let has_ours = cluster.volume(link.volume).finalizers.contains(Finalizer::Attacher);
        same("finalizer of the PersistentVolume", has_ours, has(&state["pv_finalizers"], &ours))?;
    }
    Ok(())
}

/// What the external-attacher or the driver does next; a fault happens as long as it is in store.
fn next(world: &World, cluster: &Cluster, tick: bool) -> Option<Action> {
    let theirs = |action: &Action| match action {
        Action::Attacher(_) => {
            // The informer keeps up, and the driver is asked for its list only at a tick.
            let name = action.name();
            name != "attacher-repeats-controller-publish"
                && (tick || name != "attacher-reconciles-attachment")
        }
        Action::Driver(_) => true,
        _ => false,
    };
    actions(world, cluster).into_iter().find(theirs)
}

/// Whether this only repeats what failed.
fn tries_again(action: Action) -> bool {
    action.name().ends_with("-obstacle") || action.name().ends_with("-refused")
}

fn told(world: &World, action: Action, changes: &[Change], link: Link, after: &Cluster) -> Vec<Step> {
    let refused = action.name().ends_with("-refused") && !changes.iter().any(is_call);
    let write = |kind, what: &str, refused| Step::Write {
        kind,
        what: what.into(),
        message: String::new(),
        code: None,
        refused,
    };
    if refused {
        let failed = after.place(link).attacher;
        return vec![match action.name() {
            "attacher-finalizer-refused" => {
                let on_volume = format!("{failed:?}").contains("VolumeNotFinalized");
                write(if on_volume { "PersistentVolume" } else { "VolumeAttachment" }, "add_finalizer", true)
            }
            "attacher-release-refused" => write("VolumeAttachment", "remove_finalizer", true),
            "attacher-volume-release-refused" => write("PersistentVolume", "remove_finalizer", true),
            _ => write("VolumeAttachment", "status", true),
        }];
    }
    let mut steps = Vec::new();
    for change in changes {
        match change {
            Change::Call { method, about: About::Link(link), reply: Some(reply), .. } => {
                let outcome = match reply {
                    Reply::Ok => "OK".into(),
                    Reply::Failed(failure) => failure.code(world).map_or("", Code::name).into(),
                };
                let spec = world.volume(link.volume);
                let mode = csi_mode(&spec.modes(), world.driver().single_node_multi_writer);
                steps.push(Step::Rpc {
                    call: method.name().into(),
                    outcome,
                    args: serde_json::json!({
                        "volume_id": spec.handle,
                        "node_id": world.node(link.node).driver_id,
                        "readonly": publishes_readonly(world, link.volume),
                        "access_mode": mode.map_or("error", |mode| mode.name()),
                    }),
                });
            }
            Change::Write { object, field: Field::Finalizers, from, to, .. } => {
                let size = |value: &Written| match value {
                    Written::Finalizers(set) => set.texts("").len(),
                    _ => 0,
                };
                let what = if size(to) > size(from) { "add_finalizer" } else { "remove_finalizer" };
                steps.push(write(object.kind().name(), what, false));
            }
            Change::Write { field: Field::Attached, to: Written::Bool(true), .. } => {
                steps.push(write("VolumeAttachment", "attached", false));
            }
            Change::Write { field, to: Written::Failure(failure, link), .. } => steps.push(Step::Write {
                kind: "VolumeAttachment",
                what: if *field == Field::AttachError { "attachError" } else { "detachError" }.into(),
                message: failure.text(world, Method::ControllerPublishVolume, About::Link(*link)),
                code: failure.code(world).map(|code| u64::from(code.number())),
                refused: false,
            }),
            _ => {}
        }
    }
    steps
}

fn is_call(change: &Change) -> bool {
    matches!(change, Change::Call { .. })
}

/// The steps of `expect`, in its order. ListVolumes is no step of the model, which reads the driver's list as it is;
/// a VolumeAttachment that loses its last finalizer is gone, so that no status is written after it.
fn expected(expect: &Value) -> Vec<&Value> {
    let listed: Vec<&Value> = match expect["order"].as_array() {
        None => list(&expect["rpc"]).iter().chain(list(&expect["writes"])).collect(),
        Some(order) => {
            let at = |item: &Value| {
                let (name, place) = item.as_str()?.trim_end_matches(']').split_once('[')?;
                Some(&expect[name][place.parse::<usize>().ok()?])
            };
            order.iter().filter_map(at).collect()
        }
    };
    listed
        .into_iter()
        .filter(|step| step["call"] != "ListVolumes" && step["set"]["attached"] != Value::Bool(false))
        .collect()
}

fn compare(steps: &[Step], expected: &[&Value]) -> Result<(), String> {
    for (step, want) in steps.iter().zip(expected) {
        if !agrees(step, want) {
            return Err(format!("{step:?}, but expected {want}"));
        }
    }
    if steps.len() == expected.len() { Ok(()) } else { Err(format!("{steps:?}, but expected {expected:?}")) }
}

fn agrees(step: &Step, want: &Value) -> bool {
    match step {
        Step::Rpc { call, outcome, args } => {
            let wanted = want["outcome"].as_str().unwrap_or_default();
            let same_outcome = match (wanted, outcome.as_str()) {
                ("TIMEOUT", "DEADLINE_EXCEEDED") => true,
                // An error of the test's own driver has no code.
                (wanted, "UNKNOWN") => wanted.starts_with("error"),
                (wanted, outcome) => wanted == outcome,
            };
            // What secrets and contexts hold is handed on as it is, and not in the model.
            let known =
                |key: &String| ["volume_id", "node_id", "readonly", "access_mode"].contains(&key.as_str());
            let mut wanted = want["args"].as_object().into_iter().flatten().filter(|(key, _)| known(key));
            want["call"] == call.as_str() && same_outcome && wanted.all(|(key, value)| args[key] == *value)
        }
        Step::Write { kind, what, message, code, refused } => {
            let set = &want["set"];
            let wanted = ["add_finalizer", "remove_finalizer"].into_iter().find(|w| want[w].is_string());
            let wanted = wanted.unwrap_or_else(|| match () {
                () if set["attached"] == true => "attached",
                () if set["attachError"].is_object() => "attachError",
                () => "detachError",
            });
            let error = &set[wanted];
            let said = error["message"].as_str().unwrap_or_default();
            let status = *refused && what == "status" && want["subresource"] == "status";
            want["kind"] == *kind
                && (want["result"] == "error") == *refused
                && (status
                    || (wanted == what
                        && (message == said || message.ends_with(&format!(" desc = {said}")))
                        && error["errorCode"].as_u64().is_none_or(|number| Some(number) == *code)))
        }
    }
}
