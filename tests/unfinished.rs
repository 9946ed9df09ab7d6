//! Calls that hang, disks that are gone, and processes that end with a call under way.

use mountpath::model::Code;
use mountpath::trace::{Effect, Trace, read_scenario, record_scenario};

/// A Node, a bound claim of a class that allows expansion, and its Pod.
const WORLD: &str = "
[[nodes]]
name = \"node-1\"
[[classes]]
name = \"fast\"
given = true
expansion = true
[[claims]]
name = \"data\"
given = true
class = \"fast\"
volume = \"pvc-1\"
resizes = [5, 3, 8]
[[volumes]]
name = \"pvc-1\"
handle = \"vol-1\"
class = \"fast\"
claim = \"data\"
[[pods]]
name = \"app\"
claim = \"data\"
";

/// The same before the claim is created.
fn unbound() -> String {
    WORLD.replace("name = \"data\"\ngiven = true", "name = \"data\"").replace("volume = \"pvc-1\"\n", "")
}

fn run(world: &str, more: &str) -> Trace {
    let scenario = read_scenario("test", &format!("{world}{more}")).unwrap_or_else(|error| panic!("{error}"));
    record_scenario(&scenario).unwrap_or_else(|error| panic!("{error}"))
}

/// A line of the script: what, about what, how long after the last of these.
fn then(after: &str, wait_ms: u64, action: &str, on: &str) -> String {
    let after = if after.is_empty() { String::new() } else { format!("after = \"{after}\"\n") };
    format!("[[script]]\n{after}wait_ms = {wait_ms}\ndo = \"{action}\"\non = \"{on}\"\n")
}

/// When each of these actions happens for the first time after the one before it.
fn times(trace: &Trace, names: &[&str]) -> Vec<u64> {
    let mut steps = trace.steps.iter();
    let find = |name: &&str| {
        let step = steps.find(|step| step.action == *name);
        step.unwrap_or_else(|| panic!("{name} does not come:\n{}", told(trace))).sim_ms
    };
    names.iter().map(find).collect()
}

fn told(trace: &Trace) -> String {
    trace.steps.iter().map(|step| format!("{:>8} {}\n", step.sim_ms, step.action)).collect()
}

fn count(trace: &Trace, name: &str) -> usize {
    trace.steps.iter().filter(|step| step.action == name).count()
}

/// The codes of the replies to a method, in order.
fn codes(trace: &Trace, of: &str) -> Vec<Code> {
    let effects = trace.steps.iter().flat_map(|step| &step.effects);
    let codes = effects.filter_map(|effect| match effect {
        Effect::Rpc { method, code, .. } if *method == of => *code,
        _ => None,
    });
    codes.collect()
}

/// The values that a field gets, in order.
fn values(trace: &Trace, of: &str) -> Vec<String> {
    let effects = trace.steps.iter().flat_map(|step| &step.effects);
    let values = effects.filter_map(|effect| match effect {
        Effect::Write { field, to, .. } if *field == of => Some(to.clone().unwrap_or_default()),
        _ => None,
    });
    values.collect()
}

#[test]
fn a_pod_stays_until_a_publish_that_hangs_has_come_to_its_end_and_been_undone() {
    let fault = "[[faults]]\nhangs = \"NodePublishVolume\"\nlate_ms = 20_000\ntimes = 1\n";
    let script = then("", 0, "user-creates-pod", "app")
        + &then("kubelet-receives-publish-failed", 200, "user-deletes-pod", "app");
    let trace = run(WORLD, &format!("{fault}{script}"));
    times(
        &trace,
        &[
            "kubelet-receives-publish-failed",
            "user-deletes-pod",
            "driver-finishes-late-on-node",
            "driver-unpublishes-volume",
            "kubelet-removes-pod",
        ],
    );
}

#[test]
fn a_pod_stays_while_the_mount_table_shows_its_volume_whatever_kubelet_believes() {
    // The driver has mounted it, and its reply is an error after which kubelet takes it for unmounted.
    let fault = "[[faults]]\nanswer = \"NodePublishVolume\"\ncode = \"INTERNAL\"\ndid_it = true\ntimes = 1\n";
    let script = then("", 0, "user-creates-pod", "app")
        + &then("kubelet-receives-publish-failed", 0, "user-deletes-pod", "app");
    let trace = run(WORLD, &format!("{fault}{script}"));
    times(&trace, &["kubelet-receives-publish-failed", "driver-unpublishes-volume", "kubelet-removes-pod"]);
    times(&trace, &["driver-unpublishes-volume", "driver-unstages-volume", "driver-detaches-volume"]);
}

/// The same with a volume of which the backend knows nothing.
fn missing() -> String {
    WORLD.replace("handle = \"vol-1\"", "handle = \"vol-1\"\ndisk_missing = true")
}

#[test]
fn a_volume_that_is_gone_at_the_backend_is_attached_to_no_node_and_goes_without_resistance() {
    let script = then("", 0, "user-creates-pod", "app")
        + &then("adc-notices-attach-failed", 1_000, "user-deletes-pod", "app")
        + &then("kubelet-removes-pod", 0, "user-deletes-claim", "data");
    let trace = run(&missing(), &script);
    assert!(codes(&trace, "ControllerPublishVolume").iter().all(|code| *code == Code::NotFound));
    assert_eq!(count(&trace, "driver-attaches-volume"), 0);
    assert_eq!(codes(&trace, "ControllerUnpublishVolume"), [Code::Ok]);
    assert_eq!(codes(&trace, "DeleteVolume"), [Code::Ok]);
    times(&trace, &["attacher-releases-attachment", "provisioner-releases-volume"]);
}

#[test]
fn a_volume_that_is_gone_at_the_backend_is_not_staged_on_a_node_either() {
    let driver = "[driver]\nattach_required = false\n";
    let cut = "until_ms = 60_000\n";
    let trace = run(cut, &format!("{driver}{}{}", missing(), then("", 0, "user-creates-pod", "app")));
    let codes = codes(&trace, "NodeStageVolume");
    assert!(codes.len() > 2 && codes.iter().all(|code| *code == Code::NotFound), "{codes:?}");

    let driver = "[driver]\nattach_required = false\nnode_stage = false\n";
    let trace = run(cut, &format!("{driver}{}{}", missing(), then("", 0, "user-creates-pod", "app")));
    assert_eq!(self::codes(&trace, "NodePublishVolume").first(), Some(&Code::NotFound));
}

#[test]
fn what_is_gone_at_the_backend_can_neither_grow_nor_be_copied() {
    let cut = "until_ms = 60_000\n";
    let script = "[[script]]\ndo = \"user-resizes-claim\"\non = \"data\"\nto = \"5Gi\"\n";
    let trace = run(cut, &format!("{}{script}", missing()));
    assert_eq!(codes(&trace, "ControllerExpandVolume").first(), Some(&Code::NotFound));
    let told = values(&trace, "status.allocatedResourceStatuses.storage");
    assert_eq!(told, ["ControllerResizeInProgress", "ControllerResizeInfeasible"]);

    let snapshot = "[[snapshots]]\nname = \"snap\"\nuid = \"S\"\nhandle = \"snap-1\"\nclaim = \"data\"\n";
    let script = then("", 0, "user-creates-snapshot", "snap");
    let trace = run(cut, &format!("{}{snapshot}{script}", missing()));
    assert_eq!(codes(&trace, "CreateSnapshot").first(), Some(&Code::NotFound));

    let copy = "[[claims]]\nname = \"copy\"\nuid = \"C\"\nclass = \"fast\"\nclone = \"data\"\n\
                [[volumes]]\nname = \"pvc-C\"\nhandle = \"vol-2\"\nclaim = \"copy\"\nclass = \"fast\"\n";
    let trace = run(cut, &format!("{}{copy}{}", missing(), then("", 0, "user-creates-claim", "copy")));
    assert_eq!(codes(&trace, "CreateVolume").first(), Some(&Code::NotFound));
}

#[test]
fn create_volume_that_hangs_is_given_up_after_ten_seconds_and_makes_the_volume_all_the_same() {
    let fault = "[[faults]]\nhangs = \"CreateVolume\"\nlate_ms = 4_000\ntimes = 1\n";
    let trace = run(&unbound(), &format!("{fault}{}", then("", 0, "user-creates-claim", "data")));
    let at = times(
        &trace,
        &[
            "provisioner-calls-create-volume",
            "provisioner-receives-create-failed",
            "driver-finishes-late-at-backend",
            "provisioner-receives-create-ok",
        ],
    );
    assert_eq!([at[1] - at[0], at[2] - at[1]], [10_000, 4_000]);
    let codes = codes(&trace, "CreateVolume");
    assert_eq!(codes.first(), Some(&Code::DeadlineExceeded), "{codes:?}");
    assert_eq!(codes.last(), Some(&Code::Ok), "{codes:?}");
    assert!(codes.contains(&Code::Aborted), "the driver is still at it: {codes:?}");
}

#[test]
fn an_expansion_that_hangs_is_given_up_after_ten_seconds_and_goes_on() {
    let fault = "[[faults]]\nhangs = \"ControllerExpandVolume\"\nlate_ms = 2_500\ntimes = 1\n";
    let script = "[[script]]\ndo = \"user-resizes-claim\"\non = \"data\"\nto = \"5Gi\"\n";
    let trace = run(WORLD, &format!("{fault}{script}"));
    let at = times(&trace, &["resizer-calls-controller-expand", "resizer-receives-expand-failed"]);
    assert_eq!(at[1] - at[0], 10_000);
    assert_eq!(codes(&trace, "ControllerExpandVolume")[..2], [Code::DeadlineExceeded, Code::Aborted]);
    assert_eq!(values(&trace, "spec.capacity.storage"), ["5Gi"]);
}

#[test]
fn a_request_that_is_lowered_while_the_driver_may_be_at_it_waits_for_its_end() {
    let fault = "[[faults]]\nhangs = \"ControllerExpandVolume\"\nlate_ms = 2_500\ntimes = 1\n";
    let script = "[[script]]\ndo = \"user-resizes-claim\"\non = \"data\"\nto = \"5Gi\"\n\
                  [[script]]\nafter = \"resizer-receives-expand-failed\"\nwait_ms = 100\ndo = \"user-resizes-claim\"\n\
                  on = \"data\"\nto = \"3Gi\"\n";
    let trace = run(WORLD, &format!("{fault}{script}"));
    assert_eq!(values(&trace, "spec.capacity.storage"), ["5Gi"], "what is under way comes first");
}

#[test]
fn an_infeasible_size_is_tried_again_once_and_then_every_five_minutes() {
    let fault = "[[faults]]\nanswer = \"ControllerExpandVolume\"\ncode = \"OUT_OF_RANGE\"\ntimes = 4\n";
    let script = "[[script]]\ndo = \"user-resizes-claim\"\non = \"data\"\nto = \"5Gi\"\n";
    let trace = run(WORLD, &format!("{fault}{script}"));
    let at = times(&trace, &["resizer-calls-controller-expand"; 4]);
    let waits: Vec<u64> = at.windows(2).map(|pair| (pair[1] - pair[0]) / 1_000).collect();
    assert_eq!(waits, [1, 300, 300]);
    // The same size once more says nothing new.
    let told = values(&trace, "status.allocatedResourceStatuses.storage");
    assert_eq!(told, ["ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizePending"]);
}

#[test]
fn a_lowered_request_wakes_nobody_and_a_raised_one_does() {
    let fault = "[[faults]]\nanswer = \"ControllerExpandVolume\"\ncode = \"OUT_OF_RANGE\"\ntimes = 2\n";
    let to = |size: &str, after: &str| {
        format!("[[script]]\n{after}do = \"user-resizes-claim\"\non = \"data\"\nto = \"{size}\"\n")
    };
    let after = "after = \"resizer-receives-expand-failed\"\nwait_ms = 30_000\n";
    let first = format!("{fault}{}", to("5Gi", ""));
    let lowered = run(WORLD, &format!("{first}{}", to("3Gi", after)));
    let at = times(&lowered, &["resizer-calls-controller-expand"; 3]);
    assert!(at[2] - at[1] >= 300_000, "{at:?}");
    assert_eq!(values(&lowered, "spec.capacity.storage"), ["3Gi"]);
    assert_eq!(count(&lowered, "expand-controller-waits-for-resizer"), 1);

    let raised = run(WORLD, &format!("{first}{}", to("8Gi", after)));
    let at = times(&raised, &["resizer-calls-controller-expand"; 3]);
    assert!(at[2] - at[1] < 31_000, "{at:?}");
    assert_eq!(count(&raised, "expand-controller-waits-for-resizer"), 2);
}

#[test]
fn a_resizer_that_ends_with_a_call_under_way_calls_again_when_it_starts() {
    let fault = "[[faults]]\nname = \"crash\"\ndown = \"external-resizer\"\ntimes = 1\n";
    let script = "[[script]]\ndo = \"user-resizes-claim\"\non = \"data\"\nto = \"5Gi\"\n".to_owned()
        + &then("driver-expands-volume", 0, "process-stops", "crash")
        + &then("process-stops", 20_000, "process-starts", "crash");
    let trace = run(WORLD, &format!("{fault}{script}"));
    assert_eq!(count(&trace, "resizer-calls-controller-expand"), 2);
    assert_eq!(codes(&trace, "ControllerExpandVolume"), [Code::Ok], "nobody hears the first reply");
    assert_eq!(values(&trace, "spec.capacity.storage"), ["5Gi"]);
}
