//! The named scenarios: each runs to its end and shows what it is there to show, at the times that upstream sets.

use mountpath::trace::{Effect, SCENARIOS, Step, Trace, record};

/// What each scenario shows, one a line: `NAME: MARK… never MARK…`.
const FACTS: &str = include_str!("scenarios/facts.txt");

/// Clocks: in this scenario, from the first of these to the first of those after it, so many milliseconds, and no
/// more than a loop's period later.
const CLOCKS: &[(&str, &str, &str, u64, u64)] = &[
    ("node-down", "process-stops", "node-lifecycle-marks-unready", 50_000, 0),
    ("node-down", "node-lifecycle-taints-no-execute", "taint-eviction-evicts-pod", 300_000, 0),
    ("node-down", "user-forces-pod-deletion", "adc-forces-detach", 360_000, 200),
    ("force-detach", "process-stops", "node-lifecycle-marks-unready", 50_000, 0),
    ("force-detach", "user-forces-pod-deletion", "adc-forces-detach", 360_000, 200),
    ("node-deleted", "pod-gc-collects-orphan", "adc-forces-detach", 360_000, 200),
    ("node-deleted", "user-deletes-node", "pod-gc-collects-orphan", 40_000, 20_000),
    ("out-of-service", "user-taints-out-of-service", "pod-gc-collects-out-of-service", 0, 20_000),
    ("attach-timeout", "adc-creates-attachment", "adc-gives-up-attach", 120_000, 0),
    ("no-attacher", "adc-finds-attachment", "adc-gives-up-attach", 120_000, 0),
    ("stage-uncertain", "driver-stages-volume", "kubelet-receives-stage-failed", 120_000, 0),
    ("attach-limit-rejected", "kubelet-wants-volume", "kubelet-rejects-pod", 123_000, 100),
    ("teardown", "kubelet-forgets-volume", "kubelet-reports-not-in-use", 0, 10_000),
    ("stuck-terminating", "provisioner-finds-still-attached", "provisioner-calls-delete-volume", 15_000, 0),
    ("driver-registration", "attacher-reports-attach-obstacle", "attacher-reports-attach-obstacle", 1_000, 0),
    ("republish", "kubelet-calls-node-publish-again", "kubelet-calls-node-publish-again", 60_000, 0),
    (
        "create-error-final",
        "provisioner-receives-create-failed",
        "provisioner-calls-create-volume",
        300_000,
        0,
    ),
    ("create-exhausted", "provisioner-receives-create-failed", "provisioner-calls-create-volume", 1_000, 0),
    ("attach-error", "attacher-records-attach-error", "attacher-calls-controller-publish", 1_000, 10),
    ("unpublish-failing", "kubelet-receives-unpublish-failed", "kubelet-calls-node-unpublish", 500, 100),
    ("default-class", "user-creates-class", "pv-controller-assigns-default-class", 0, 15_000),
    ("attachment-deleted-by-hand", "user-deletes-attachment", "adc-finds-attachment-lost", 0, 60_000),
    ("wait-for-first-consumer", "pv-controller-completes-binding", "scheduler-binds-pod", 0, 1_000),
];

fn run(name: &str) -> Trace {
    record(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// What a step shows: its action, then the reasons of its Events.
fn marks(step: &Step) -> impl Iterator<Item = &str> {
    let reasons = step.effects.iter().filter_map(|effect| match effect {
        Effect::Event { reason, .. } => Some(*reason),
        _ => None,
    });
    std::iter::once(step.action).chain(reasons)
}

#[test]
fn each_shows_what_it_is_there_to_show() {
    let rows: Vec<(&str, &str)> = FACTS.lines().filter_map(|line| line.split_once(": ")).collect();
    let mut wrong = Vec::new();
    for (name, _) in SCENARIOS {
        let Some((_, facts)) = rows.iter().find(|row| row.0 == name) else {
            wrong.push(format!("{name} has no line in tests/scenarios/facts.txt"));
            continue;
        };
        let (shown, never) = facts.split_once(" never ").unwrap_or((facts, ""));
        let trace = run(name);
        let mut left = trace.steps.iter().flat_map(marks);
        if let Some(missing) = shown.split_whitespace().find(|mark| !left.any(|there| there == *mark)) {
            wrong.push(format!("{name} does not come to {missing}"));
        }
        let comes_to = |mark: &&str| trace.steps.iter().flat_map(marks).any(|there| there == *mark);
        if let Some(there) = never.split_whitespace().find(comes_to) {
            wrong.push(format!("{name} comes to {there}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let stray = rows.iter().filter(|row| !row.0.starts_with('#') && !SCENARIOS.iter().any(|s| s.0 == row.0));
    assert_eq!(stray.count(), 0, "facts of scenarios that are not there");
}

#[test]
fn clocks_run_as_upstream_sets_them() {
    let mut wrong = Vec::new();
    for (name, from, to, least, slack) in CLOCKS {
        let trace = run(name);
        let mut steps = trace.steps.iter();
        let began = steps.find(|step| step.action == *from).map(|step| step.sim_ms);
        let ended = steps.find(|step| step.action == *to).map(|step| step.sim_ms);
        let took = ended.zip(began).map(|(ended, began)| ended - began);
        if !took.is_some_and(|took| (*least..=least + slack).contains(&took)) {
            wrong.push(format!("{name}: from {from} to {to} it takes {took:?} ms"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_says_first_what_happens_in_it() {
    for (name, text) in SCENARIOS {
        let first = text.lines().next().unwrap_or_default();
        assert!(first.starts_with("# ") && first.ends_with('.') && first.len() > 40, "{name}: {first}");
    }
}

#[test]
fn every_diagram_has_its_scenario() {
    let slugs = "volume-attachment create-volume controller-publish node-stage node-publish mount-path teardown \
                 multi-attach wait-for-first-consumer driver-registration node-down attach-error stuck-terminating \
                 expand snapshot-restore block-volume attach-not-required second-pod-same-node ephemeral-volumes \
                 read-write-once-pod";
    for slug in slugs.split(' ') {
        assert!(SCENARIOS.iter().any(|row| row.0 == slug), "{slug}");
    }
}
