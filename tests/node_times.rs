//! When kubelet tries again, and how long it waits for an answer: runs that are recorded with their times.

use mountpath::model::{
    AccessMode, Action, Code, Fault, FaultKind, Method, NodeSpec, Parts, PodSpec, World, WorldError, user,
};
use mountpath::trace::{Cue, Effect, Moment, Scenario, Trace, record_scenario};

fn world(kind: FaultKind, times: u8) -> Result<World, WorldError> {
    let app = PodSpec {
        name: "app".into(),
        uid: "uid-of-app".into(),
        container: "c".into(),
        image: "busybox".into(),
        volume_name: "vol".into(),
        ..PodSpec::default()
    };
    let parts = Parts {
        namespace: "default".into(),
        nodes: vec![NodeSpec { name: "node-1".into(), driver_id: "i-1".into(), ..NodeSpec::default() }],
        pods: vec![app],
        faults: vec![Fault { kind, times: Some(times) }],
        ..Parts::default()
    };
    World::new(parts.bound_claim("data", "pvc-1", "vol-1", AccessMode::ReadWriteOnce))
}

fn answer(method: Method, code: Code, message: &str, did: bool) -> FaultKind {
    FaultKind::Answer { method, node: None, code, message: message.into(), did }
}

type Make = fn() -> Result<World, WorldError>;

/// A Pod that is created, and deleted four seconds after it runs.
fn run(world: Make) -> Trace {
    let world = world().expect("a world");
    let app = world.pod_named("app").expect("a Pod");
    let runs = Moment::After("kubelet-starts-containers", None);
    let (created, deleted) = (user::Act::CreatesPod(app), user::Act::DeletesPod(app));
    let script = vec![
        Cue { moment: Moment::Start, wait_ms: 0, action: Action::User(created) },
        Cue { moment: runs, wait_ms: 4_000, action: Action::User(deleted) },
    ];
    let scenario = Scenario {
        name: "node".into(),
        world,
        script,
        given_until: Some("scheduler-binds-pod"),
        until_ms: None,
    };
    record_scenario(&scenario).expect("a run")
}

/// When calls of a method left, and when each ended with which code.
fn calls(trace: &Trace, wanted: &str) -> (Vec<u64>, Vec<(u64, Code)>) {
    let (mut left, mut ended) = (Vec::new(), Vec::new());
    for step in &trace.steps {
        for effect in &step.effects {
            match effect {
                Effect::Rpc { method, code: None, .. } if *method == wanted => left.push(step.sim_ms),
                Effect::Rpc { method, code: Some(code), .. } if *method == wanted => {
                    ended.push((step.sim_ms, *code));
                }
                _ => {}
            }
        }
    }
    (left, ended)
}

/// The pauses from each failure to the next attempt.
fn pauses(trace: &Trace, method: &str) -> Vec<u64> {
    let (left, ended) = calls(trace, method);
    let failed = ended.iter().filter(|(_, code)| *code != Code::Ok);
    failed.zip(left.iter().skip(1)).map(|((failed, _), next)| next - failed).collect()
}

#[test]
fn each_failure_doubles_the_wait() {
    let table: [(&str, Make); 4] = [
        ("NodeStageVolume", || world(answer(Method::NodeStageVolume, Code::Internal, "no", false), 5)),
        ("NodePublishVolume", || world(answer(Method::NodePublishVolume, Code::Internal, "no", false), 5)),
        ("NodeUnpublishVolume", || {
            world(answer(Method::NodeUnpublishVolume, Code::Internal, "busy", false), 5)
        }),
        ("NodeUnstageVolume", || world(answer(Method::NodeUnstageVolume, Code::Internal, "busy", false), 5)),
    ];
    for (method, world) in table {
        let trace = run(world);
        let pauses = pauses(&trace, method);
        // A mount has a step or two before its call.
        let expected = [500, 1_000, 2_000, 4_000, 8_000];
        assert_eq!(pauses.len(), expected.len(), "{method}");
        for (pause, expected) in pauses.iter().zip(expected) {
            assert!((expected..expected + 20).contains(pause), "{method}: {pauses:?}");
        }
        let last = trace.steps.last().map(|step| step.action);
        assert_eq!(last, Some("adc-notices-detached"), "{method}");
    }
}

#[test]
fn a_call_that_hangs_is_given_up_after_two_minutes() {
    let trace = run(|| {
        world(answer(Method::NodeStageVolume, Code::DeadlineExceeded, "context deadline exceeded", true), 1)
    });
    let (left, ended) = calls(&trace, "NodeStageVolume");
    let (given_up, code) = ended[0];
    assert_eq!(code, Code::DeadlineExceeded);
    assert!((120_000..120_050).contains(&(given_up - left[0])), "{left:?} {ended:?}");
    // The driver had done it, so nothing is mounted a second time.
    let mounts = trace.steps.iter().flat_map(|step| &step.effects);
    let staged = mounts.filter(|e| matches!(e, Effect::Mount { path, .. } if path.ends_with("globalmount")));
    assert_eq!((staged.count(), left.len()), (1, 2));
}
