//! When attaches and detaches are tried again, given up and forced: runs that are recorded with their times.

use mountpath::model::hand::Deed;
use mountpath::model::{
    AccessMode, Action, Code, Fault, FaultKind, Link, Method, NodeId, NodeSpec, Parts, PodId, PodSpec, Role,
    World, candidates, user,
};
use mountpath::trace::{Cue, Effect, Moment, Scenario, Trace, record_scenario};

fn world(faults: Vec<Fault>, change: impl Fn(&mut Parts)) -> World {
    let app =
        PodSpec { name: "app".into(), uid: "uid-of-app".into(), container: "c".into(), ..PodSpec::default() };
    let parts = Parts {
        namespace: "default".into(),
        nodes: vec![NodeSpec { name: "node-1".into(), driver_id: "i-1".into(), ..NodeSpec::default() }],
        pods: vec![app],
        faults,
        ..Parts::default()
    };
    let mut parts = parts.bound_claim("data", "pvc-1", "vol-1", AccessMode::ReadWriteOnce);
    change(&mut parts);
    World::new(parts).expect("a world")
}

fn plain(kind: FaultKind, times: u8) -> World {
    world(vec![Fault { kind, times: Some(times) }], |_| {})
}

fn answer(method: Method, message: &str) -> FaultKind {
    FaultKind::Answer { method, node: None, code: Code::Internal, message: message.into(), did: false }
}

fn deed(deed: Deed) -> FaultKind {
    FaultKind::ByHand { deed }
}

/// The Pod is created, these things happen, each so long after another, and the Pod is deleted if that is said.
fn run(world: World, happens: &[(&'static str, u64, &str)], deletes: bool) -> Trace {
    let app = world.pod_named("app").expect("a Pod");
    let created = Action::User(user::Act::CreatesPod(app));
    let mut script = vec![Cue { moment: Moment::Start, wait_ms: 0, action: created }];
    for (after, wait_ms, name) in happens {
        let action = candidates(&world).find(|action| action.name() == *name).expect("an action");
        script.push(Cue { moment: Moment::After(after, None), wait_ms: *wait_ms, action });
    }
    if deletes {
        let action = Action::User(user::Act::DeletesPod(app));
        script.push(Cue { moment: Moment::After("kubelet-starts-containers", None), wait_ms: 4_000, action });
    }
    let scenario = Scenario {
        name: "attach".into(),
        world,
        script,
        given_until: Some("scheduler-binds-pod"),
        until_ms: None,
    };
    record_scenario(&scenario).expect("a run")
}

/// When actions of a name happened.
fn times(trace: &Trace, name: &str) -> Vec<u64> {
    trace.steps.iter().filter(|step| step.action == name).map(|step| step.sim_ms).collect()
}

/// The time of the first action of a name.
fn first(trace: &Trace, name: &str) -> u64 {
    *times(trace, name).first().unwrap_or_else(|| panic!("{name} happens"))
}

fn pauses(trace: &Trace, failed: &str, again: &str) -> Vec<u64> {
    let after = times(trace, again);
    times(trace, failed).iter().filter_map(|at| Some(after.iter().find(|next| *next > at)? - at)).collect()
}

fn events(trace: &Trace) -> Vec<String> {
    let effects = trace.steps.iter().flat_map(|step| &step.effects);
    let events = effects.filter_map(|effect| match effect {
        Effect::Event { reason, message, .. } => Some(format!("{reason}: {message}")),
        _ => None,
    });
    events.collect()
}

#[test]
fn the_attacher_waits_one_second_and_twice_as_long_each_time() {
    let attach = run(plain(answer(Method::ControllerPublishVolume, "no disk"), 6), &[], true);
    let calls = pauses(&attach, "attacher-records-attach-error", "attacher-calls-controller-publish");
    assert_eq!(calls, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000]);
    let told = "FailedAttachVolume: AttachVolume.Attach failed for volume \"pvc-1\" : rpc error: code = Internal \
                desc = no disk";
    assert!(events(&attach).iter().any(|event| event == told), "{:?}", events(&attach));
    assert_eq!(attach.steps.last().map(|step| step.action), Some("adc-notices-detached"));
    let detach = run(plain(answer(Method::ControllerUnpublishVolume, "busy"), 5), &[], true);
    let calls = pauses(&detach, "attacher-records-detach-error", "attacher-calls-controller-unpublish");
    assert_eq!(calls, [1_000, 2_000, 4_000, 8_000, 16_000]);
}

#[test]
fn the_controller_waits_half_a_second_and_twice_as_long_each_time() {
    let trace = run(plain(answer(Method::ControllerPublishVolume, "no disk"), 6), &[], true);
    let tries = pauses(&trace, "adc-notices-attach-failed", "adc-finds-attachment");
    assert_eq!(tries, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000]);
}

#[test]
fn without_an_attacher_an_attach_is_given_up_after_two_minutes() {
    let down = FaultKind::Down { role: Role::ExternalAttacher, node: None };
    let happens =
        [("scheduler-binds-pod", 0, "process-stops"), ("adc-gives-up-attach", 6_000, "process-starts")];
    let trace = run(plain(down, 1), &happens, true);
    assert_eq!(first(&trace, "adc-gives-up-attach") - first(&trace, "adc-creates-attachment"), 120_000);
    let told = "FailedAttachVolume: AttachVolume.Attach failed for volume \"pvc-1\" : timed out waiting for \
                external-attacher of disk.csi.example.com CSI driver to attach volume vol-1";
    assert!(events(&trace).iter().any(|event| event == told), "{:?}", events(&trace));
    assert_eq!(trace.steps.last().map(|step| step.action), Some("adc-notices-detached"));
}

#[test]
fn a_volume_in_use_on_a_lost_node_is_detached_after_six_minutes() {
    let node = NodeId::of(0).expect("a Node");
    let pod = PodId::of(0).expect("a Pod");
    let down = FaultKind::Down { role: Role::Kubelet, node: Some(node) };
    let faults = [down, FaultKind::PodForced { pod }].map(|kind| Fault { kind, times: Some(1) });
    let happens = [
        ("kubelet-starts-containers", 12_000, "process-stops"),
        ("node-lifecycle-marks-unready", 100, "user-forces-pod-deletion"),
    ];
    let trace = run(world(faults.into(), |_| {}), &happens, false);
    let unready = first(&trace, "node-lifecycle-marks-unready") - first(&trace, "process-stops");
    assert_eq!(unready, 50_000);
    assert_eq!(first(&trace, "adc-forces-detach") - first(&trace, "adc-drops-pod"), 360_000);
    let told = events(&trace);
    assert!(told.contains(&"NodeNotReady: Node is not ready".into()), "{told:?}");
    let cancelled = "TaintManagerEviction: Cancelling deletion of Pod default/app";
    assert!(told.contains(&cancelled.into()), "{told:?}");
}

#[test]
fn a_volume_attachment_deleted_by_hand_comes_back_within_a_minute() {
    let link = Link::of(0, 0).expect("a link");
    let happens = [("kubelet-starts-containers", 5_000, "user-deletes-attachment")];
    let trace = run(plain(deed(Deed::DeleteAttachment(link)), 1), &happens, false);
    let lost = first(&trace, "adc-finds-attachment-lost") - first(&trace, "user-deletes-attachment");
    assert!(lost <= 60_000, "{lost}");
    assert_eq!(times(&trace, "adc-creates-attachment").len(), 2);
}

#[test]
fn a_missing_secret_keeps_the_attach_waiting_until_it_is_there() {
    let volume = Link::of(0, 0).expect("a link").volume;
    let faults = vec![Fault { kind: deed(Deed::CreateSecret(volume)), times: Some(1) }];
    let world = world(faults, |parts| {
        parts.volumes[0].publish_secret = Some("storage/backend".into());
        parts.volumes[0].secret_missing = true;
    });
    let happens = [("adc-notices-attach-failed", 5_000, "user-creates-secret")];
    let trace = run(world, &happens, true);
    let told = "FailedAttachVolume: AttachVolume.Attach failed for volume \"pvc-1\" : failed to load secret \
                \"storage/backend\": secrets \"backend\" not found";
    assert!(events(&trace).iter().any(|event| event == told), "{:?}", events(&trace));
    assert_eq!(trace.steps.last().map(|step| step.action), Some("adc-notices-detached"));
}
