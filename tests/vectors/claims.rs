//! Vectors about the external-provisioner.

use mountpath::model::{
    BindingMode, Change, ClaimPhase, ClaimSpec, ClassSpec, Cluster, Code, CreateOutcome, Driver, Fault,
    FaultKind, Field, Finalizer, FinalizerSet, Link, Method, NodeSpec, ObjectId, Origin, Parts, Presence,
    Reclaim, Reply, Role, Value as Written, VolumePhase, VolumeSpec, World, actions, apply, create_outcome,
};
use serde_json::Value;

/// The areas that this adapter asks.
pub const AREAS: &[&str] = &["provisioner.error", "provisioner.claim", "provisioner.delete"];

/// Asks the model what a vector asks.
pub fn ask(vector: &Value) -> Result<(), String> {
    let world = world(vector)?;
    let mut cluster = world.initial();
    if vector["area"] == "provisioner.delete" {
        give_volume(&world, &mut cluster, &vector["given"]);
    } else {
        give_claim(&world, &mut cluster, &vector["given"]);
    }
    let changes = sync(&world, &mut cluster);
    let expect = &vector["expect"];
    calls(&world, &changes, expect)?;
    writes(&world, &changes, expect)?;
    events(&world, &changes, expect)?;
    state(&world, &cluster, &changes, expect)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A gRPC code, also as Go's constants spell it; a mere `error` is any.
fn code(name: &str) -> Result<Code, String> {
    match name {
        "CANCELED" => Ok(Code::Canceled),
        "error" => Ok(Code::Internal),
        _ => Code::named(name).ok_or_else(|| format!("no code {name}")),
    }
}

fn method(name: &str) -> Result<Method, String> {
    Method::ALL.into_iter().find(|method| method.name() == name).ok_or_else(|| format!("no method {name}"))
}

/// One claim with its class, the volume that is made for it, another volume, and a Node.
fn world(vector: &Value) -> Result<World, String> {
    let (given, expect) = (&vector["given"], &vector["expect"]);
    let lacks = |key: &str, capability: &str| {
        let all = &given["driver"][key];
        !all.is_null() && !list(all).iter().any(|c| c == capability)
    };
    let topology = given["topology"] == true
        || list(&given["driver"]["plugin_caps"]).iter().any(|c| c == "VOLUME_ACCESSIBILITY_CONSTRAINTS");
    let mut faults = Vec::new();
    let mut fault = |of: &str, name: &str, message: &str| -> Result<(), String> {
        let kind = FaultKind::Answer {
            method: method(of)?,
            node: None,
            code: code(name)?,
            message: message.into(),
            did: false,
        };
        faults.push(Fault { kind, times: Some(1) });
        Ok(())
    };
    for given in list(&given["faults"]) {
        let word = |key: &str| given[key].as_str().unwrap_or_default();
        fault(word("rpc"), word("outcome"), "fake error")?;
    }
    if let Some(result) = given["provision_result"].as_str() {
        // The test's driver answers with the code of this result, which the vector names in its call.
        let name = expect["rpc"][0]["outcome"].as_str().unwrap_or_default();
        let outcome = create_outcome(code(name)?, topology, given["selected_node"] == true);
        if format!("{outcome:?}") != result {
            return Err(format!("{name} means {outcome:?}, not {result}"));
        }
        fault("CreateVolume", name, "fake error")?;
    }
    let driver = Driver {
        topology,
        controller_publish: !lacks("controller_caps", "PUBLISH_UNPUBLISH_VOLUME"),
        ..Driver::default()
    };
    let binding = if given["selected_node"] == true {
        BindingMode::WaitForFirstConsumer
    } else {
        BindingMode::Immediate
    };
    let reclaim = if given["pv"]["policy"] == "Retain" { Reclaim::Retain } else { Reclaim::Delete };
    let origin = if given["pv"]["static"] == true { Origin::Static } else { Origin::Provisioned(0) };
    let class = ClassSpec {
        name: "class".into(),
        provisioner: driver.name.clone(),
        binding,
        given: true,
        ..ClassSpec::default()
    };
    let volume = |pv: &str, origin| VolumeSpec {
        pv: pv.into(),
        handle: pv.into(),
        capacity: 1,
        class: Some(0),
        reclaim,
        origin,
        ..VolumeSpec::default()
    };
    World::new(Parts {
        namespace: "default".into(),
        driver,
        classes: vec![class],
        claims: vec![ClaimSpec {
            name: "claim-1".into(),
            uid: "uid".into(),
            class: Some(0),
            request: 1,
            ..ClaimSpec::default()
        }],
        volumes: vec![volume("volume-1", origin), volume("other", Origin::Static)],
        nodes: vec![NodeSpec { name: "node-1".into(), driver_id: "node-1".into(), ..NodeSpec::default() }],
        faults,
        ..Parts::default()
    })
    .map_err(|error| error.to_string())
}

/// A claim that asks the provisioner for a volume, as far as the vector does not say otherwise.
fn give_claim(world: &World, cluster: &mut Cluster, given: &Value) {
    for id in world.claims() {
        let claim = cluster.claim_mut(id);
        claim.presence = if given["claim_exists"] == false { Presence::Gone } else { Presence::Here };
        claim.finalizers = FinalizerSet::of(&[Finalizer::PvcProtection]);
        claim.class = world.class_of(id);
        claim.request = 1;
        claim.provisioner = true;
        claim.selected = world.nodes().next().filter(|_| given["selected_node"] == true);
        claim.volume = world.provisions(id).filter(|_| !given["claim"]["volumeName"].is_null());
        cluster.provisioner_mut(id).in_progress = !list(&given["claims_in_progress"]).is_empty();
        if let Some(volume) = world.provisions(id).filter(|_| given["pv"].is_string()) {
            let volume = cluster.volume_mut(volume);
            volume.presence = Presence::Here;
            volume.claim = Some(id);
        }
    }
}

/// A PersistentVolume in its phase, with the claim that it was made for.
fn give_volume(world: &World, cluster: &mut Cluster, given: &Value) {
    let (Some(claim), Some(id)) = (world.claims().next(), world.volumes().next()) else { return };
    let pv = &given["pv"];
    let bound = pv["phase"] == "Bound";
    let finalizers = match pv["finalizers"].as_array() {
        None => FinalizerSet::default(),
        Some(texts) => {
            let has = |f: &Finalizer| texts.iter().any(|text| *text == f.text(&world.driver().name));
            FinalizerSet::of(&Finalizer::ALL.into_iter().filter(has).collect::<Vec<_>>())
        }
    };
    let volume = cluster.volume_mut(id);
    volume.presence = Presence::Here;
    volume.phase = match pv["phase"].as_str() {
        Some("Bound") => VolumePhase::Bound,
        Some("Available") => VolumePhase::Available,
        Some("Pending") => VolumePhase::Pending,
        Some("Failed") => VolumePhase::Failed,
        _ => VolumePhase::Released,
    };
    volume.finalizers = finalizers;
    volume.deleting = !pv["deletionTimestamp"].is_null();
    volume.claim = Some(claim);
    volume.capacity = 1;
    volume.disk = true;
    let owner = cluster.claim_mut(claim);
    owner.presence = if bound { Presence::Here } else { Presence::Gone };
    owner.phase = if bound { ClaimPhase::Bound } else { ClaimPhase::Pending };
    owner.volume = Some(id);
    owner.bind_completed = true;
    if given["va"].is_object() {
        let named = given["va"]["pv"].is_null() || given["va"]["pv"] == world.volume(id).pv.as_str();
        let volume = world.volumes().find(|volume| (*volume == id) == named);
        if let (Some(volume), Some(node)) = (volume, world.nodes().next()) {
            let attachment = &mut cluster.place_mut(Link { volume, node }).attachment;
            attachment.exists = true;
            attachment.attached = given["va"]["attached"] == true;
        }
    }
}

/// One look of the provisioner: with the driver, until nothing more is to be done or a call has failed.
fn sync(world: &World, cluster: &mut Cluster) -> Vec<Change> {
    let mut changes = Vec::new();
    loop {
        let failed = |c: &Change| matches!(c, Change::Call { reply: Some(Reply::Failed(_)), .. });
        let of = [Role::ExternalProvisioner, Role::DriverController];
        let mut enabled =
            actions(world, cluster).into_iter().filter(|a| of.contains(&a.role())).collect::<Vec<_>>();
        // A fault of the vector is what the driver answers.
        enabled.sort_by_key(|action| !action.name().ends_with("-failed"));
        let Some(action) = enabled.first().filter(|_| !changes.iter().any(failed)) else { return changes };
        let outcome = apply(world, cluster, *action).expect("enabled");
        *cluster = outcome.cluster;
        changes.extend(outcome.changes);
    }
}

fn calls(world: &World, changes: &[Change], expect: &Value) -> Result<(), String> {
    let mut made = Vec::new();
    for change in changes {
        if let Change::Call { method, reply: Some(reply), .. } = change {
            let code = match reply {
                Reply::Ok => Code::Ok,
                Reply::Failed(failure) => failure.code(world).unwrap_or_default(),
            };
            made.push((*method, code));
        }
    }
    let mut wanted = Vec::new();
    for call in list(&expect["rpc"]) {
        let word = |key: &str| call[key].as_str().unwrap_or_default();
        wanted.push((method(word("call"))?, code(word("outcome"))?));
    }
    if made == wanted { Ok(()) } else { Err(format!("calls {made:?}, expected {wanted:?}")) }
}

fn writes(world: &World, changes: &[Change], expect: &Value) -> Result<(), String> {
    let driver = &world.driver().name;
    let mut made = Vec::new();
    for change in changes {
        if let Change::Write { object, field, from, to, .. } = change {
            let texts = |value: &Written| match value {
                Written::Finalizers(set) => set.texts(driver),
                _ => Vec::new(),
            };
            let (before, after) = (texts(from), texts(to));
            made.push(match field {
                Field::DeletionTimestamp => ("delete", object.kind().name(), String::new()),
                Field::Finalizers if after.len() > before.len() => {
                    let new = after.into_iter().find(|text| !before.contains(text));
                    ("add_finalizer", object.kind().name(), new.unwrap_or_default())
                }
                Field::Finalizers => {
                    let old = before.into_iter().find(|text| !after.contains(text));
                    ("remove_finalizer", object.kind().name(), old.unwrap_or_default())
                }
                _ if *to == Written::Absent => {
                    let key = field.path().trim_start_matches("metadata.annotations[").trim_end_matches(']');
                    ("remove_annotation", object.kind().name(), key.to_owned())
                }
                _ => ("set", object.kind().name(), field.path().to_owned()),
            });
        }
    }
    let wanted: Vec<_> = list(&expect["writes"])
        .iter()
        .map(|write| {
            let kind = write["kind"].as_str().unwrap_or_default();
            let keys = ["add_finalizer", "remove_finalizer", "remove_annotation"];
            match keys.into_iter().find(|key| write[key].is_string()) {
                Some(key) => (key, kind, write[key].as_str().unwrap_or_default().to_owned()),
                None => (if write["op"] == "delete" { "delete" } else { "?" }, kind, String::new()),
            }
        })
        .collect();
    // A vector with calls and without writes comes from a test that looks at the calls alone.
    let looks = !wanted.is_empty() || list(&expect["rpc"]).is_empty();
    if !looks || made == wanted { Ok(()) } else { Err(format!("writes {made:?}, expected {wanted:?}")) }
}

fn events(world: &World, changes: &[Change], expect: &Value) -> Result<(), String> {
    let mut sent = Vec::new();
    let mut answer = "";
    for change in changes {
        match change {
            Change::Event { object, event, .. } => {
                let (kind, reason, message) = event.text(world);
                sent.push((object.kind().name(), kind.name(), reason, message));
            }
            Change::Call { reply: Some(Reply::Failed(failure)), .. } => {
                answer = failure.code(world).unwrap_or_default().go_name();
            }
            _ => {}
        }
    }
    let name = |object| world.object(object).name;
    let pv = world.volumes().next().map(|id| name(ObjectId::Volume(id))).unwrap_or_default();
    let node = world.nodes().next().map(|id| name(ObjectId::Node(id))).unwrap_or_default();
    for event in list(&expect["events"]) {
        let word = |key: &str| event[key].as_str().unwrap_or_default();
        let object = if word("object") == "PVC" { "PersistentVolumeClaim" } else { word("object") };
        let message = word("message").replace("<Code>", answer).replace("<pv>", &pv).replace("<node>", &node);
        let wanted = (object, word("type"), word("reason"), message);
        if !sent.iter().any(|(a, b, c, d)| (*a, *b, *c, d) == (wanted.0, wanted.1, wanted.2, &wanted.3)) {
            return Err(format!("events {sent:?}, expected {wanted:?}"));
        }
    }
    Ok(())
}

fn state(world: &World, cluster: &Cluster, changes: &[Change], expect: &Value) -> Result<(), String> {
    let (Some(claim), Some(volume)) = (world.claims().next(), world.volumes().next()) else {
        return Err("no claim".into());
    };
    let in_progress = cluster.provisioner(claim).in_progress;
    let selected = cluster.claim(claim).selected.is_some();
    let created = changes.iter().any(|c| matches!(c, Change::Create { object: ObjectId::Volume(_), .. }));
    let failed = changes.iter().find_map(|change| match change {
        Change::Call { reply: Some(Reply::Failed(failure)), .. } => failure.code(world),
        _ => None,
    });
    let reset = changes.iter().any(|c| matches!(c, Change::Write { field: Field::SelectedNode, .. }));
    let outcome = match failed {
        Some(_) if reset => Some(CreateOutcome::Reschedule),
        Some(_) if in_progress => Some(CreateOutcome::InBackground),
        Some(_) => Some(CreateOutcome::Finished),
        None => None,
    };
    let Some(wanted) = expect["state"].as_object() else { return Ok(()) };
    for (key, value) in wanted {
        let holds = match key.as_str() {
            "provisioning_state" => outcome.is_some_and(|o| *value == *format!("{o:?}")),
            "pv_created" => *value == created,
            "claim_in_progress" => *value == in_progress,
            "claims_in_progress" => list(value).is_empty() != in_progress,
            "selected_node_kept" => *value == selected,
            "pv_deleted" => {
                let volume = cluster.volume(volume);
                *value == (volume.deleting || volume.presence != Presence::Here)
            }
            // The error is the event's message.
            "error" => true,
            other => return Err(format!("nobody knows the state {other}")),
        };
        if !holds {
            return Err(format!("{key} is not {value}"));
        }
    }
    Ok(())
}
