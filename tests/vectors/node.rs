//! Vectors about kubelet's volume manager.

use super::node_desk::{Desk, text};
use mountpath::model::kubelet::{self, ErrorClass, MountError, fs_group};
use mountpath::model::{
    AccessMode, Code, Container, Failure, FsGroupPolicy, KubeletOperation, MountState, Phase,
};
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

type Answer = Result<(), String>;

/// Asks the model what a vector asks.
pub fn ask(vector: &Value) -> Answer {
    let (given, expect) = (&vector["given"], &vector["expect"]);
    match text(&vector["area"]) {
        "kubelet.fsgroup" => group(given, expect),
        "kubelet.mount_device" => mount_device(given, expect),
        "kubelet.unmount_device" => unmount_device(given, expect),
        "kubelet.setup" => set_up(given, expect),
        "kubelet.wait_for_attach" => wait_for_attach(given, expect),
        "kubelet.in_use" => in_use(given, expect),
        "kubelet.race" => race(given, expect),
        "kubelet.wait" => wait(given, expect),
        "kubelet.reconstruct" if !expect["state"]["after_setup"].is_null() => restarted(given, expect),
        "kubelet.reconstruct" => attachability(given, expect),
        _ => reconcile(given, text(&vector["event"]["type"]), expect),
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Answer {
    if found == expected { Ok(()) } else { Err(format!("{what} is {found:?}, not {expected:?}")) }
}

/// Compares what a vector names of its state with what was found.
fn states(expect: &Value, found: &[(&str, Value)]) -> Answer {
    for (key, wanted) in expect["state"].as_object().into_iter().flatten() {
        let found = found.iter().find(|(name, _)| name == key).map(|(_, value)| value);
        let found = found.ok_or_else(|| format!("the adapter knows nothing of {key}"))?;
        same(key, found, wanted)?;
    }
    Ok(())
}

/// Compares the calls, in order, of those methods that the vector speaks of.
fn calls(desk: &Desk, expect: &Value) -> Answer {
    let wanted: Vec<(String, String)> = expect["rpc"]
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(|rpc| {
            let outcome = text(&rpc["outcome"]).to_owned();
            let plugin = text(&rpc["call"]).starts_with("plugin.");
            let names = text(&rpc["call"]).trim_start_matches("plugin.").split(" / ");
            names.map(move |name| (format!("{}{name}", if plugin { "plugin." } else { "" }), outcome.clone()))
        })
        .collect();
    let plugin = wanted.iter().any(|(name, _)| name.starts_with("plugin."));
    let found = desk.calls_named(plugin);
    let found: Vec<_> = found.into_iter().filter(|(name, _)| wanted.iter().any(|(w, _)| w == name)).collect();
    same("the list of calls", found, wanted)
}

fn count(desk: &Desk, names: &[&str]) -> Value {
    desk.calls_named(true).iter().filter(|(name, _)| names.contains(&name.as_str())).count().into()
}

fn state_name(state: MountState, device: bool) -> &'static str {
    match state {
        MountState::NotMounted => "NotMounted",
        MountState::Uncertain => "Uncertain",
        MountState::Mounted if device => "GloballyMounted",
        MountState::Mounted => "Mounted",
    }
}

fn group(given: &Value, expect: &Value) -> Answer {
    let modes: Vec<AccessMode> = given["accessModes"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|mode| AccessMode::ALL.into_iter().find(|m| m.name() == *mode))
        .collect();
    let source = match text(&given["volume"]) {
        "" => None,
        "pv" => Some(fs_group::Source::Persistent(&modes)),
        _ => Some(fs_group::Source::Inline),
    };
    let mounting = fs_group::Mounting {
        group: !given["fsGroup"].is_null(),
        fs_type: !text(&given["fsType"]).is_empty(),
        read_only: given["readOnly"] == true,
        source,
    };
    let policy = match text(&given["policy"]) {
        "None" => FsGroupPolicy::None,
        "File" => FsGroupPolicy::File,
        _ => FsGroupPolicy::default(),
    };
    states(expect, &[("applies", fs_group::applies(policy, mounting).into())])
}

const HANDLE: &str = "test-vol1";

fn mount_device(given: &Value, expect: &Value) -> Answer {
    let mut desk = Desk::new(given, &[HANDLE]);
    desk.create_pod();
    desk.want(true);
    let pod = desk.pod();
    desk.kubelet().attached = true;
    desk.kubelet().operation = KubeletOperation::Mount(pod);
    let steps = kubelet::mount_device(desk.world.driver().node_stage);
    if steps.asks {
        desk.calls.push(("NodeGetCapabilities".into(), "OK".into()));
    }
    let called = desk.act_kubelet(kubelet::Act::CallsStage(pod));
    same("whether NodeStageVolume leaves", called, steps.calls)?;
    if called {
        desk.run(true);
    }
    let failed = desk.calls.iter().find(|(_, outcome)| outcome != "OK").map(|(_, outcome)| outcome.clone());
    calls(&desk, expect)?;
    let class = failed.as_deref().and_then(Code::named).map(ErrorClass::of);
    let class = match class {
        Some(ErrorClass::Final) => Value::from("final"),
        Some(ErrorClass::Uncertain) => "uncertain".into(),
        None => Value::Null,
    };
    let data = desk.kubelet().files.device;
    let result = if failed.is_some() { "error" } else { "OK" };
    let found = [
        ("vol_data", data.into()),
        ("dir_created", steps.directory.into()),
        ("result", result.into()),
        ("class", class),
    ];
    states(expect, &found)
}

fn unmount_device(given: &Value, expect: &Value) -> Answer {
    let handle = given["vol_data"]["volumeHandle"].as_str().unwrap_or(HANDLE);
    let mut desk = Desk::new(given, &[handle]);
    desk.mounted(true, false);
    let data = !given["vol_data"].is_null();
    desk.kubelet().files.device = data;
    let steps = kubelet::unmount_device(desk.world.driver().node_stage, data);
    let link = desk.link();
    let called = desk.act_kubelet(kubelet::Act::CallsUnstage(link));
    desk.run(false);
    calls(&desk, expect)?;
    let done = desk.kubelet().device == MountState::NotMounted;
    same("whether NodeUnstageVolume leaves", called, steps.calls && done)?;
    let found = [
        ("result", if done { "OK" } else { "error" }.into()),
        // Only a driver that kubelet does not know stands between it and a call.
        ("class", if steps.asks && !done { "transient" } else { "" }.into()),
        ("dir_removed", (done && steps.directory).into()),
    ];
    states(expect, &found)
}

fn set_up(given: &Value, expect: &Value) -> Answer {
    let mut desk = Desk::new(given, &[HANDLE]);
    desk.create_pod();
    desk.want(true);
    desk.mounted(true, given["remount"] == true);
    let pod = desk.pod();
    if given["reconstructed"] == true {
        desk.kubelet().uncertain.insert(pod);
        desk.kubelet().reconstructed.insert(pod);
        desk.kubelet().files.pods.insert(pod);
    }
    desk.kubelet().operation = KubeletOperation::Mount(pod);
    desk.run(true);
    calls(&desk, expect)?;
    let failed = desk.calls.iter().any(|(_, outcome)| outcome != "OK");
    let found = [
        ("result", if failed { "error" } else { "OK" }.into()),
        ("vol_data_exists", desk.kubelet().files.pods.contains(pod).into()),
    ];
    states(expect, &found)
}

fn wait_for_attach(given: &Value, expect: &Value) -> Answer {
    let mut desk = Desk::new(given, &[HANDLE]);
    desk.create_pod();
    desk.want(true);
    desk.kubelet().attached = true;
    let (pod, link, va) = (desk.pod(), desk.link(), &given["va"]);
    let attachment = &mut desk.cluster.place_mut(link).attachment;
    attachment.exists = !va.is_null();
    attachment.attached = va["attached"] == true;
    attachment.deleting = !va["deletionTimestamp"].is_null();
    let read = desk.act_kubelet(kubelet::Act::ReadsAttachment(pod));
    let error =
        MountError::ALL.into_iter().find(|error| desk.act_kubelet(kubelet::Act::FailsMount(pod, *error)));
    let found = if error == Some(MountError::AttachmentMissing) { "NotFound" } else { "OK" };
    same("the answer to the GET", found, text(&expect["rpc"][0]["outcome"]))?;
    let result = match (read, desk.events.first()) {
        (true, _) => "VA name".to_owned(),
        (false, Some((_, message))) => {
            let error = message.split_once(" : ").map_or("", |(_, error)| error);
            format!("error: {error}")
        }
        (false, None) => "nothing".into(),
    };
    let wanted = text(&expect["state"]["result"]);
    if !like(wanted, &result) {
        return Err(format!("the result is {result}, not {wanted}"));
    }
    let waits = !read && desk.kubelet().operation != KubeletOperation::None;
    same("whether it waits", waits, expect["state"]["waits"] == true)
}

/// Whether a text fits a pattern in which `<…>` stands for some word and `…` for anything.
fn like(pattern: &str, found: &str) -> bool {
    let mut rest = found;
    let mut pattern = pattern;
    loop {
        let Some(hole) = pattern.find(['<', '…']) else { return rest.ends_with(pattern) };
        let (literal, tail) = pattern.split_at(hole);
        let Some(at) = rest.find(literal) else { return false };
        rest = &rest[at + literal.len()..];
        pattern = match tail.strip_prefix('…') {
            Some(tail) => tail,
            None => tail.split_once('>').map_or("", |(_, tail)| tail),
        };
    }
}

fn in_use(given: &Value, expect: &Value) -> Answer {
    let mut desk = Desk::new(given, &["<volume>"]);
    desk.create_pod();
    desk.want(false);
    let node = desk.node();
    desk.act_kubelet(kubelet::Act::ReportsInUse(node));
    let named = desk.world.links().filter(|link| desk.cluster.place(*link).in_use);
    let named: Vec<&str> = named.map(|link| desk.world.volume(link.volume).handle.as_str()).collect();
    states(expect, &[("volumes_in_use", named.into())])
}

fn race(given: &Value, expect: &Value) -> Answer {
    let mut desk = Desk::new(given, &["volume"]);
    desk.mounted(true, false);
    let link = desk.link();
    desk.kubelet().attached = true;
    if !desk.act_kubelet(kubelet::Act::CallsUnstage(link)) {
        return Err("UnmountDevice does not begin".into());
    }
    desk.create_pod();
    let pod = desk.pod();
    desk.act_kubelet(kubelet::Act::WantsVolume(pod));
    let forgot = desk.act_kubelet(kubelet::Act::ForgetsVolume(link));
    desk.run(false);
    calls(&desk, expect)?;
    same("whether it is forgotten while the operation runs", forgot, false)?;
    same("what is left", state_name(desk.kubelet().mount(pod), false), "Mounted")
}

fn wait(given: &Value, expect: &Value) -> Answer {
    let mut desk = Desk::new(given, &["volume"]);
    desk.create_pod();
    desk.want(given["reported_in_use"] == true);
    let (pod, link) = (desk.pod(), desk.link());
    if let Some(code) = given["va"]["attachError"]["errorCode"].as_u64() {
        let failure = Code::all().find(|known| u64::from(known.number()) == code).map(Failure::Driver);
        let attachment = &mut desk.cluster.place_mut(link).attachment;
        attachment.attached = given["va"]["attached"] == true;
        attachment.attach_error = failure;
    }
    desk.run(false);
    let wanted = expect["events"].as_array().map_or(&[][..], Vec::as_slice);
    same("the number of Events", desk.events.len(), wanted.len())?;
    for ((reason, message), wanted) in desk.events.iter().zip(wanted) {
        same("the reason", *reason, text(&wanted["reason"]))?;
        if !like(text(&wanted["message"]), message) {
            return Err(format!("the message is {message}"));
        }
    }
    let state = desk.cluster.pod(pod);
    let waiting = if state.container == Container::Waiting { "ContainerCreating" } else { "" };
    let phase = match state.phase {
        Phase::Pending => "Pending",
        Phase::Running => "Running",
        Phase::Succeeded => "Succeeded",
        Phase::Failed => "Failed",
    };
    let rejected = desk.events.iter().map(|(reason, _)| *reason).find(|_| state.phase == Phase::Failed);
    let found = [
        ("pod_phase", phase.into()),
        ("waiting_reason", waiting.into()),
        ("pod_reason", rejected.unwrap_or_default().into()),
    ];
    states(expect, &found)
}

/// After a restart: which of the volumes that are on disk count as attached.
fn attachability(given: &Value, expect: &Value) -> Answer {
    let names: Vec<&str> = given["reconstructed"].as_array().into_iter().flatten().map(text).collect();
    let mut desk = Desk::new(given, &names);
    desk.restarted();
    let node = desk.node();
    desk.act_kubelet(kubelet::Act::ReconstructsVolumes(node));
    desk.act_kubelet(kubelet::Act::ResolvesVolumes(node));
    for (name, link) in names.iter().zip(desk.world.links().collect::<Vec<_>>()) {
        // A device path is something that only in-tree plugins have.
        let attachable = expect["state"][*name]["attachable"] == true;
        same(name, desk.cluster.place(link).kubelet.attached, attachable)?;
    }
    Ok(())
}

fn restarted(given: &Value, expect: &Value) -> Answer {
    let names: Vec<&str> = given["reconstructed"].as_array().into_iter().flatten().map(text).collect();
    let mut desk = Desk::new(given, &names);
    desk.restarted();
    desk.create_pod();
    desk.run(true);
    let pod = desk.pod();
    let after = state_name(desk.kubelet().mount(pod), false);
    let kept = desk.kubelet().files.pods.contains(pod);
    desk.remove_pod();
    desk.run(false);
    calls(&desk, expect)?;
    states(expect, &[("after_setup", after.into()), ("data_file_kept", kept.into())])
}

/// The reconciler at work: the volume is wanted, or is mounted and wanted no more.
fn reconcile(given: &Value, event: &str, expect: &Value) -> Answer {
    let mut desk = Desk::new(given, &["volume"]);
    desk.create_pod();
    let device = given["asw"]["device"] == "GloballyMounted";
    desk.mounted(device, given["asw"]["pod1"] == "Mounted");
    desk.want(given["reported_in_use"] != false);
    if given["asw"].is_null() {
        desk.kubelet().attached = false;
    }
    if event.starts_with("reconcile") {
        desk.hold_back(given["reported_in_use"] == false);
        desk.run(event.contains("then"));
    }
    let pod = desk.pod();
    let before = (desk.kubelet().device, desk.kubelet().mount(pod));
    if event.contains("pod removed") {
        desk.remove_pod();
        desk.run(false);
    }
    calls(&desk, expect)?;
    let unmounted = count(&desk, &["plugin.TearDown", "plugin.UnmapPodDevice"]);
    let taken_down = count(&desk, &["plugin.UnmountDevice", "plugin.TearDownDevice"]);
    let mut counts = serde_json::Map::new();
    for name in expect["state"]["counts"].as_object().into_iter().flatten().map(|(name, _)| name) {
        counts.insert(name.clone(), count(&desk, &[&format!("plugin.{name}")]));
    }
    let found = [
        ("counts", Value::Object(counts)),
        ("device_state_before_removal", state_name(before.0, true).into()),
        ("volume_state_before_removal", state_name(before.1, false).into()),
        ("unmount_volume_calls", unmounted),
        ("unmount_device_calls", taken_down),
    ];
    states(expect, &found)
}
