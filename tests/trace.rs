//! The recorded run of the VolumeAttachment diagram: its order, its names, its steps for the reader.

use mountpath::trace::{Effect, GroupError, Trace, group, json, record, transcript};
use serde_json::{Value, json};

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

#[test]
fn json_has_the_form_that_scripts_rely_on() {
    let text = json(&run(), |step| (step.index == 10).then(|| "One field flips.".into()));
    assert!(text.ends_with("}\n"));
    let run: Value = serde_json::from_str(&text).expect("JSON");
    let keys = |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&run), ["mountpath", "scenario", "kubernetes", "csi", "steps"]);
    assert_eq!(
        (&run["mountpath"], &run["kubernetes"], &run["csi"]),
        (&json!(1), &json!("1.36"), &json!("1.12"))
    );
    let va = "VolumeAttachment/csi-f4c24cb450d8bb50ed94a9fe7498f9ee73f8350b12e34a249e60cba8d4711a1a";
    let (attacher, driver) = ("external-attacher", "csi-driver-controller");
    assert_eq!(
        run["steps"][9],
        json!({
            "index": 10, "id": "attacher-records-attached", "actor": attacher,
            "action": "attacher-records-attached", "rule": "EA1", "sim_ms": 129,
            "caption": "One field flips.",
            "effects": [{"write": {
                "object": va, "field": "status.attached", "from": "false", "to": "true", "by": attacher,
            }}],
        })
    );
    let request = json!({"volume_id": "vol-1", "node_id": "i-1"});
    let call = |code: Value| {
        json!([{"rpc": {
            "method": "ControllerPublishVolume", "caller": attacher, "callee": driver, "code": code,
            "request": request,
        }}])
    };
    assert_eq!(run["steps"][6]["effects"], call(Value::Null));
    assert_eq!(run["steps"][8]["effects"], call(json!("OK")));
    assert_eq!(
        run["steps"][10]["effects"],
        json!([{"event": {
            "object": "Pod/app", "type": "Normal", "reason": "SuccessfulAttachVolume",
            "message": "AttachVolume.Attach succeeded for volume \"pvc-6f1d2a3e-8c47-4b9a-9d10-2e5b7c8f0a11\" ",
            "by": "attach-detach-controller",
        }}])
    );
    assert_eq!(run["steps"][3]["effects"][0]["create"]["object"], va);
    assert_eq!(run["steps"][42]["effects"][1]["delete"], json!({"object": va, "by": attacher}));
    assert_eq!(run["steps"][7]["effects"][0]["device"]["path"], "vol-1");
    assert_eq!(run["steps"][16]["effects"][0]["mount"]["node"], "node-1");
    assert_eq!(run["steps"][32]["effects"][0]["unmount"]["node"], "node-1");
    assert_eq!(run["steps"][0]["caption"], Value::Null);
}

#[test]
fn the_transcript_has_every_step_action_and_effect() {
    let (first, second) = RUN.split_at(10);
    let told = group(run(), &[(first, "adc-finds-pod"), (second, "adc-notices-detached")]).expect("covers");
    let text = transcript(&told, &["The volume is attached."]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "1. The volume is attached.");
    assert_eq!(lines[1], "     0.005  attach-detach-controller  adc-finds-pod (AD1)");
    assert!(lines.contains(&"2."));
    let effects: usize = told.trace.steps.iter().map(|s| s.effects.len()).sum();
    assert_eq!(lines.len(), 2 + RUN.len() + effects);
}
