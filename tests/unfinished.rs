//! Calls that hang, disks that are gone, and processes that end with a call under way.

use mountpath::trace::{Trace, read_scenario, record_scenario};

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
