//! The recorded run of the VolumeAttachment diagram: its order, its names, its steps for the reader.

use mountpath::trace::{Effect, GroupError, Trace, group, record};

const RUN: [&str; 44] = [
    "adc-finds-pod",
    "kubelet-admits-pod",
    "kubelet-wants-volume",
    "adc-creates-attachment",
    "attacher-finalizes-volume",
    "attacher-finalizes-attachment",
    "attacher-calls-controller-publish",
    "driver-attaches-volume",
    "attacher-receives-publish-ok",
    "attacher-records-attached",
    "adc-notices-attached",
    "adc-lists-attached",
    "kubelet-reports-in-use",
    "kubelet-verifies-attached",
    "kubelet-reads-attachment",
    "kubelet-calls-node-stage",
    "driver-stages-volume",
    "kubelet-receives-stage-ok",
    "kubelet-calls-node-publish",
    "driver-publishes-volume",
    "kubelet-receives-publish-ok",
    "kubelet-starts-containers",
    "user-deletes-pod",
    "kubelet-stops-containers",
    "kubelet-reports-containers-ended",
    "adc-drops-pod",
    "kubelet-drops-pod",
    "kubelet-calls-node-unpublish",
    "driver-unpublishes-volume",
    "kubelet-receives-unpublish-ok",
    "kubelet-removes-pod",
    "kubelet-calls-node-unstage",
    "driver-unstages-volume",
    "kubelet-receives-unstage-ok",
    "kubelet-forgets-volume",
    "kubelet-reports-not-in-use",
    "adc-sees-in-use",
    "adc-unlists-attached",
    "adc-deletes-attachment",
    "attacher-calls-controller-unpublish",
    "driver-detaches-volume",
    "attacher-receives-unpublish-ok",
    "attacher-releases-attachment",
    "adc-notices-detached",
];

fn run() -> Trace {
    record("volume-attachment").expect("the scenario records")
}

#[test]
fn the_run_goes_from_the_bound_pod_to_the_detached_volume() {
    let trace = run();
    let actions: Vec<&str> = trace.steps.iter().map(|s| s.action).collect();
    assert_eq!(actions, RUN);
    assert!(trace.steps.is_sorted_by_key(|s| s.sim_ms), "time never runs backwards");
    for (at, step) in trace.steps.iter().enumerate() {
        assert_eq!(step.index, at + 1);
    }
}

#[test]
fn the_same_scenario_gives_the_same_run() {
    assert_eq!(run(), run());
}

#[test]
fn every_write_starts_from_the_value_that_stands() {
    let trace = run();
    for (at, step) in trace.steps.iter().enumerate() {
        let mut values = trace.snapshot(at);
        for effect in &step.effects {
            match effect {
                Effect::Write { object, field, from, to, by: _ } => {
                    let view = values.objects.entry(object.clone()).or_default();
                    let stands = view.fields.get(field).and_then(|f| f.value.clone());
                    assert_eq!(&stands, from, "{} {object} {field}", step.id);
                    assert_ne!(from, to, "{} {object} {field}", step.id);
                }
                Effect::Create { object, .. } => {
                    values.objects.entry(object.clone()).or_default().fields.clear();
                }
                Effect::Delete { .. }
                | Effect::Rpc { .. }
                | Effect::Event { .. }
                | Effect::Mount { .. }
                | Effect::Unmount { .. }
                | Effect::Device { .. } => {}
            }
        }
    }
}

#[test]
fn snapshots_show_what_is_there() {
    let trace = run();
    let done = |action: &str| trace.snapshot(1 + RUN.iter().position(|a| *a == action).expect(action));
    let attachment = "VolumeAttachment/csi-f4c24cb450d8bb50ed94a9fe7498f9ee73f8350b12e34a249e60cba8d4711a1a";
    let attached = |action| {
        let snapshot = done(action);
        let (_, view) =
            snapshot.objects.iter().find(|(object, _)| object.to_string() == attachment).expect("shown");
        (view.exists, view.fields.get("status.attached").and_then(|f| f.value.clone()))
    };
    assert_eq!(attached("adc-creates-attachment"), (true, Some("false".into())));
    assert_eq!(attached("attacher-records-attached"), (true, Some("true".into())));
    assert!(!attached("adc-notices-detached").0);
    assert_eq!(done("driver-attaches-volume").devices.len(), 1);
    assert_eq!(done("kubelet-starts-containers").mounts.len(), 2);
    let end = trace.snapshot(trace.steps.len());
    assert!(end.mounts.is_empty() && end.devices.is_empty() && end.waits.is_empty());
    assert!(trace.snapshot(0).objects.keys().any(|o| o.to_string() == "Pod/app"));
}

#[test]
fn a_run_is_told_in_steps_that_cover_it() {
    let (first, second) = RUN.split_at(10);
    let told = group(run(), &[(first, "adc-finds-pod"), (second, "adc-notices-detached")]).expect("covers");
    assert_eq!(told.groups.len(), 2);
    assert_eq!((told.groups[1].cues.clone(), told.groups[1].key), (10..44, 43));
    assert_eq!(told.before(2), told.trace.snapshot(10));

    let all = &RUN[..];
    let none: &[&str] = &[];
    type Case<'a> = (Vec<(&'a [&'a str], &'a str)>, &'a str);
    let wrong: [Case; 5] = [
        (vec![(none, "adc-finds-pod")], "step 1 tells no action"),
        (vec![(first, "adc-finds-pod")], "no step tells `adc-notices-attached`"),
        (
            vec![(second, "adc-notices-attached")],
            "step 1 says `adc-notices-attached` where the run does `adc-finds-pod`",
        ),
        (
            vec![(all, "adc-notices-detached"), (first, "x")],
            "step 2 says `adc-finds-pod` where the run has ended",
        ),
        (vec![(first, "adc-notices-detached"), (second, "x")], "step 1 has the key `adc-notices-detached`"),
    ];
    for (steps, sentence) in wrong {
        let error: GroupError = group(run(), &steps).expect_err(sentence);
        assert!(error.to_string().starts_with(sentence), "{error}");
    }
}
