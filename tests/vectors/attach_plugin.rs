//! The in-tree CSI plugin's Attach, Detach and VolumesAreAttached: operations of the attach-detach controller.

use super::{list, same};
use mountpath::model::adc::is_attached;
use mountpath::model::{
    AccessMode, Action, Actual, Attachment, Change, Cluster, Code, Failure, Fault, FaultKind, Kind, Link,
    Method, NodeSpec, ObjectId, Parts, PodSpec, World, actions, apply,
};
use serde_json::Value;

fn world(given: &Value, handle: &str) -> World {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let node = text(&given["node"]).unwrap_or("node".into());
    let mut parts = Parts {
        nodes: vec![NodeSpec { name: node, ..NodeSpec::default() }],
        pods: vec![PodSpec::default()],
        ..Parts::default()
    };
    parts.driver.attacher = false;
    parts.driver.object = given["driver"]["csidriver"] != "absent";
    parts.driver.attach_required = given["driver"]["attachRequired"] != false;
    if let Some(name) = text(&given["driver"]["name"]) {
        parts.driver.name = name;
    }
    if let Some(message) = text(&given["va_status"]["attachError"]) {
        let method = Method::ControllerPublishVolume;
        let kind = FaultKind::Answer { method, node: None, code: Code::Unknown, message, did: false };
        parts.faults.push(Fault { kind, times: Some(1) });
    }
    for fault in list(&given["api_faults"]) {
        let message = fault["error"].as_str().unwrap_or_default().into();
        parts
            .faults
            .push(Fault { kind: FaultKind::Refused { kind: Kind::VolumeAttachment, message }, times: None });
    }
    World::new(parts.bound_claim("claim", "pv", handle, AccessMode::ReadWriteOnce)).expect("a world")
}

pub fn ask(vector: &Value) -> Result<(), String> {
    let given = &vector["given"];
    match vector["area"].as_str() {
        Some("adc.sync") => asks_attached(vector),
        Some("plugin.attach") => {
            attach(vector, &world(given, given["volumeHandle"].as_str().unwrap_or("vol")))
        }
        _ => detach(vector, &world(given, given["volumeHandle"].as_str().unwrap_or("vol"))),
    }
}

fn asks_attached(vector: &Value) -> Result<(), String> {
    for (name, attached) in vector["given"]["vas"].as_object().expect("VolumeAttachments") {
        let world = world(&vector["given"], name);
        let link = world.links().next().expect("a link");
        let mut cluster = world.initial();
        cluster.place_mut(link).attachment = Attachment {
            exists: attached.is_boolean(),
            attached: attached == &Value::Bool(true),
            ..Attachment::default()
        };
        let expected = &vector["expect"]["state"]["attached"][name];
        same(name, is_attached(&world, &cluster, link), expected == &Value::Bool(true))?;
    }
    Ok(())
}

/// Lets the controller do what it can, one step after another; gives the names and what was done.
fn play(
    world: &World,
    cluster: &mut Cluster,
    mut between: impl FnMut(&mut Cluster),
) -> Vec<(&'static str, Change)> {
    let mut done = Vec::new();
    for _ in 0..10 {
        let own = |action: &Action| matches!(action, Action::Adc(_)) && !action.name().ends_with("-pod");
        let Some(action) = actions(world, cluster).into_iter().find(own) else { break };
        let outcome = apply(world, cluster, action).expect("enabled");
        *cluster = outcome.cluster;
        between(cluster);
        done.extend(outcome.changes.into_iter().map(|change| (action.name(), change)));
        let ended = ["adc-notices-attach-failed", "adc-gives-up-attach", "adc-finds-no-attachment"];
        if ended.contains(&action.name()) || action.name().ends_with("-refused") {
            break;
        }
    }
    done
}

fn attach(vector: &Value, world: &World) -> Result<(), String> {
    let state = &vector["expect"]["state"];
    let link = world.links().next().expect("a link");
    if let Some(can_attach) = state["can_attach"].as_bool() {
        same("can attach", world.is_attachable(link.volume), can_attach)?;
    }
    let mut cluster = world.initial();
    let wanted = world.is_attachable(link.volume);
    if wanted {
        cluster.place_mut(link).adc.wanted.insert(world.pods().next().expect("a Pod"));
    }
    let error = world.faults().next().map(|(fault, _)| Failure::Fault(fault));
    let attached = vector["given"]["va_status"]["attached"] == true;
    let done = play(world, &mut cluster, |cluster| {
        let attachment = &mut cluster.place_mut(link).attachment;
        attachment.attach_error = error.filter(|_| attachment.exists);
        attachment.attached = attached;
    });
    let creates = done.iter().filter(|(_, change)| matches!(change, Change::Create { .. })).count();
    let writes = list(&vector["expect"]["writes"]);
    same("VolumeAttachments created", creates, writes.len())?;
    for name in writes.iter().filter_map(|write| write["name"].as_str()).filter(|name| !name.starts_with('<'))
    {
        same("name", world.object(ObjectId::Attachment(link)).name.as_str(), name)?;
    }
    let Some(result) = state["result"].as_str().and_then(|result| result.strip_prefix("error: ")) else {
        return Ok(());
    };
    let said = done.iter().find_map(|(_, change)| match change {
        Change::Event { event, .. } => Some(event.text(world).2),
        _ => None,
    });
    let said = said.unwrap_or_default();
    let given = &vector["given"]["va_status"]["attachError"];
    let result = if result.starts_with('<') { given.as_str().unwrap_or_default() } else { result };
    if said.ends_with(result) { Ok(()) } else { Err(format!("{said:?}, but expected {result:?}")) }?;
    if let Some(waits) = state["waits_full_timeout"].as_bool() {
        same("waits", done.iter().any(|(name, _)| *name == "adc-gives-up-attach"), waits)?;
    }
    Ok(())
}

fn detach(vector: &Value, world: &World) -> Result<(), String> {
    let link: Link = world.links().next().expect("a link");
    let mut cluster = world.initial();
    cluster.place_mut(link).adc.actual = Actual::Attached;
    let refused = !list(&vector["given"]["api_faults"]).is_empty();
    cluster.place_mut(link).attachment.exists = refused;
    play(world, &mut cluster, |_| {});
    let result = if cluster.place(link).adc.actual == Actual::Detached { "OK" } else { "error" };
    same("result", result, vector["expect"]["state"]["result"].as_str().unwrap_or("OK"))
}
