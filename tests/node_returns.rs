//! A Node that comes back, is out of service, or is kept free: what stays, what goes, and when.

use mountpath::trace::{Effect, Trace, read_scenario, record_scenario};

const WORLD: &str = "
[[nodes]]
name = \"node-1\"
[[claims]]
name = \"data\"
given = true
volume = \"pvc-1\"
[[volumes]]
name = \"pvc-1\"
handle = \"vol-1\"
claim = \"data\"
[[pods]]
name = \"app\"
claim = \"data\"
[[faults]]
name = \"outage\"
down = \"kubelet\"
node = \"node-1\"
times = 1
";

fn run(more: &str) -> Trace {
    let scenario = read_scenario("test", &format!("{WORLD}{more}")).unwrap_or_else(|error| panic!("{error}"));
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
        step.unwrap_or_else(|| panic!("{name} does not come")).sim_ms
    };
    names.iter().map(find).collect()
}

fn happens(trace: &Trace, name: &str) -> bool {
    trace.steps.iter().any(|step| step.action == name)
}

#[test]
fn a_node_that_returns_keeps_what_is_in_use_until_kubelet_has_looked_at_its_disk() {
    let script = then("", 0, "user-creates-pod", "app")
        + &then("kubelet-starts-containers", 3_000, "process-stops", "outage")
        + &then("process-stops", 120_000, "process-starts", "outage");
    let trace = run(&script);
    let at = times(&trace, &["process-starts", "kubelet-reports-ready", "kubelet-reconstructs-volumes"]);
    let writes = trace.steps.iter().filter(|step| step.sim_ms >= at[0]).flat_map(|step| &step.effects);
    let mut in_use = writes.filter_map(|effect| match effect {
        Effect::Write { field, to, .. } if *field == "status.volumesInUse" => Some(to.clone()),
        _ => None,
    });
    assert_eq!(in_use.next(), None, "what was in use still is");
    assert!(!happens(&trace, "adc-deletes-attachment"));
}

#[test]
fn a_node_that_is_out_of_service_loses_its_pods_at_once_and_gets_new_ones_without_the_taint() {
    let faults = "[[faults]]\nby_hand = \"user-taints-out-of-service\"\nnode = \"node-1\"\ntimes = 1\n\
                  [[faults]]\nby_hand = \"user-untaints-out-of-service\"\nnode = \"node-1\"\ntimes = 1\n\
                  [[pods]]\nname = \"next\"\nclaim = \"data\"\n";
    let script = then("", 0, "user-creates-pod", "app")
        + &then("kubelet-starts-containers", 3_000, "process-stops", "outage")
        + &then("node-lifecycle-marks-unready", 5_000, "user-taints-out-of-service", "node-1")
        + &then("adc-notices-detached", 0, "user-creates-pod", "next")
        + &then("adc-notices-detached", 60_000, "process-starts", "outage")
        + &then("process-starts", 30_000, "user-untaints-out-of-service", "node-1");
    let trace = run(&format!("{faults}{script}"));
    let at = times(
        &trace,
        &[
            "user-taints-out-of-service",
            "taint-eviction-evicts-pod",
            "pod-gc-collects-out-of-service",
            "adc-detaches-out-of-service",
        ],
    );
    assert!(at[1] - at[0] <= 10, "no Pod tolerates that: {at:?}");
    let at = times(&trace, &["kubelet-reports-ready", "user-untaints-out-of-service", "scheduler-binds-pod"]);
    assert!(at[2] >= at[1]);
}

#[test]
fn a_node_with_a_taint_gets_no_pods_until_it_is_off() {
    let fault = "[[faults]]\nname = \"work\"\ntaint = \"node-1\"\ntimes = 1\n";
    let script = then("", 0, "user-taints-node", "work")
        + &then("", 1_000, "user-creates-pod", "app")
        + &then("", 30_000, "user-untaints-node", "work");
    let trace = run(&format!("{fault}{script}"));
    times(
        &trace,
        &["user-taints-node", "scheduler-finds-no-node", "user-untaints-node", "scheduler-binds-pod"],
    );
    let told = trace.steps.iter().flat_map(|step| &step.effects).find_map(|effect| match effect {
        Effect::Event { reason: "FailedScheduling", message, .. } => Some(message.clone()),
        _ => None,
    });
    assert!(told.is_some_and(|text| text.contains("1 node(s) had untolerated taint(s)")));
}
