//! The model's edges: refusals, sizes of a world, and when things come due.

use mountpath::model::timing::{DURATIONS, Past, When};
use mountpath::model::{
    AccessMode, Action, Cluster, NodeSpec, OWNERS, Parts, PodSpec, Unmet, World, actions, apply, candidates,
    scheduler, waits,
};
use std::collections::BTreeSet;

fn world_of(nodes: usize, pods: usize, access_mode: AccessMode) -> Result<World, String> {
    let node = |n| NodeSpec { name: format!("node-{n}"), driver_id: format!("i-{n}"), ..NodeSpec::default() };
    let pod = |n| PodSpec {
        name: format!("pod-{n}"),
        uid: format!("uid-{n}"),
        container: "c".into(),
        image: "busybox".into(),
        ..PodSpec::default()
    };
    let parts = Parts {
        namespace: "default".into(),
        nodes: (0..nodes).map(node).collect(),
        pods: (0..pods).map(pod).collect(),
        ..Parts::default()
    };
    World::new(parts.bound_claim("data", "pvc-1", "vol-1", access_mode)).map_err(|error| error.to_string())
}

fn world(access_mode: AccessMode) -> World {
    world_of(2, 2, access_mode).expect("a world")
}

/// Lets the first enabled action of each name happen, in order.
fn play(world: &World, cluster: &mut Cluster, names: &[&str]) {
    for name in names {
        let action = actions(world, cluster).into_iter().find(|a| a.name() == *name);
        let action = action.unwrap_or_else(|| panic!("{name} is not enabled"));
        *cluster = apply(world, cluster, action).expect("enabled").cluster;
    }
}

/// Why the first action of this name is refused.
fn refusal(world: &World, cluster: &Cluster, name: &str) -> Unmet {
    let action = candidates(world).find(|a| a.name() == name).expect("a name");
    apply(world, cluster, action).expect_err("refused").unmet
}

const TO_ATTACHED: [&str; 11] = [
    "user-creates-pod",
    "scheduler-binds-pod",
    "adc-finds-pod",
    "adc-creates-attachment",
    "attacher-finalizes-volume",
    "attacher-finalizes-attachment",
    "attacher-calls-controller-publish",
    "driver-attaches-volume",
    "attacher-receives-publish-ok",
    "attacher-records-attached",
    "adc-notices-attached",
];

#[test]
fn a_refusal_names_its_rule_and_what_it_lacks() {
    let world = world(AccessMode::ReadWriteOnce);
    let mut cluster = world.initial();
    let table = [
        ("scheduler-binds-pod", Unmet::PodMissing),
        ("adc-creates-attachment", Unmet::NotWanted),
        ("attacher-finalizes-volume", Unmet::AttachmentMissing),
        ("kubelet-marks-attached-at-once", Unmet::AttachRequired),
        ("attacher-marks-attached-at-once", Unmet::ControllerPublish),
        ("attacher-releases-volume", Unmet::VolumeNotDeleting),
    ];
    for (name, unmet) in table {
        assert_eq!(refusal(&world, &cluster, name), unmet, "{name}");
    }
    play(&world, &mut cluster, &TO_ATTACHED);
    play(&world, &mut cluster, &["kubelet-wants-volume"]);
    assert_eq!(refusal(&world, &cluster, "kubelet-verifies-attached"), Unmet::NotReportedInUse);
    play(&world, &mut cluster, &["kubelet-reports-in-use"]);
    assert_eq!(refusal(&world, &cluster, "kubelet-verifies-attached"), Unmet::NotListed);
    let volume = world.volumes().next().expect("a volume");
    cluster.volume_mut(volume).deleting = true;
    let action = candidates(&world).find(|a| a.name() == "attacher-releases-volume").expect("a name");
    let refused = apply(&world, &cluster, action).expect_err("a VolumeAttachment names the volume");
    assert_eq!(refused.to_string(), "attacher-releases-volume (rule EA5): there is a VolumeAttachment");
}

/// A second Pod on the other Node waits where the volume may be attached once (AD5, AD11), and only there.
#[test]
fn the_access_mode_decides_about_a_second_node() {
    let modes = [
        (AccessMode::ReadWriteOnce, "adc-reports-multi-attach"),
        (AccessMode::ReadWriteOncePod, "adc-reports-multi-attach"),
        (AccessMode::ReadWriteMany, "adc-creates-attachment"),
        (AccessMode::ReadOnlyMany, "adc-creates-attachment"),
    ];
    for (mode, expected) in modes {
        let world = world(mode);
        let mut cluster = world.initial();
        play(&world, &mut cluster, &TO_ATTACHED);
        play(&world, &mut cluster, &["user-creates-pod"]);
        let second = world.pods().last().expect("two Pods");
        let node = world.nodes().last().expect("two Nodes");
        let bind = Action::Scheduler(scheduler::Act::BindsPod(second, node));
        match apply(&world, &cluster, bind) {
            Ok(outcome) => cluster = outcome.cluster,
            Err(refusal) => {
                // The scheduler guards one mode alone; a manifest that names the Node passes it by.
                assert_eq!((mode, refusal.unmet), (AccessMode::ReadWriteOncePod, Unmet::NodeRefused));
                cluster.pod_mut(second).node = Some(node);
            }
        }
        play(&world, &mut cluster, &["adc-finds-pod"]);
        let names: Vec<&str> = actions(&world, &cluster).iter().map(|a| a.name()).collect();
        let other = if expected == "adc-creates-attachment" {
            "adc-reports-multi-attach"
        } else {
            "adc-creates-attachment"
        };
        assert!(names.contains(&expected) && !names.contains(&other), "{mode:?}: {names:?}");
    }
}

#[test]
fn who_waits_is_told_with_the_field() {
    let world = world(AccessMode::ReadWriteOnce);
    let mut cluster = world.initial();
    play(&world, &mut cluster, &TO_ATTACHED[..4]);
    play(&world, &mut cluster, &["kubelet-wants-volume"]);
    let told = |cluster: &Cluster| -> Vec<String> {
        let all = waits(&world, cluster).into_iter();
        all.map(|(actor, fact)| format!("{}: {fact}", world.actor(actor))).collect()
    };
    let controller = "attach-detach-controller: status.attached: true";
    assert_eq!(
        told(&cluster),
        [controller, "kubelet/node-0: status.volumesInUse"],
        "its own report comes first"
    );
    play(&world, &mut cluster, &["kubelet-reports-in-use"]);
    assert_eq!(told(&cluster), [controller, "kubelet/node-0: status.volumesAttached"]);
}

#[test]
fn a_world_is_as_large_as_a_cluster_has_room_for() {
    let sentence = |nodes, pods| world_of(nodes, pods, AccessMode::ReadWriteOnce).expect_err("too large");
    assert_eq!(sentence(1, 5), "a world has 0 to 4 Pods, so leave some out: 5 given");
    assert_eq!(sentence(0, 1), "a world has 1 to 2 Nodes, so add one: 0 given");
    assert_eq!(sentence(9, 1), "a world has 1 to 2 Nodes, so leave some out: 9 given");
}

#[test]
fn names_of_actions_fields_and_durations_stand_once() {
    let world = world_of(1, 1, AccessMode::ReadWriteOnce).expect("a world");
    // Actions of one name differ in what they are about, in how a container ended or in what went wrong: all
    // of them have one rule, one actor and one source.
    let facts: BTreeSet<_> = candidates(&world).map(|a| (a.name(), a.rule(), a.role(), a.source())).collect();
    let names: BTreeSet<&str> = facts.iter().map(|fact| fact.0).collect();
    assert_eq!(names.len(), facts.len());
    let owned: BTreeSet<_> = OWNERS.iter().map(|o| (o.kind, o.field)).collect();
    assert_eq!(owned.len(), OWNERS.len());
    let lengths: BTreeSet<_> = DURATIONS.iter().map(|d| d.name).collect();
    assert_eq!(lengths.len(), DURATIONS.len());
    assert!(candidates(&world).all(|a| !a.source().is_empty() && !a.rule().is_empty()));
}

#[test]
fn things_come_due_by_delay_loop_or_poll() {
    let every = When::Every { period: 100, offset: 73 };
    let table = [
        (When::After(5), 20, 0, Some(25)),
        (every, 0, 0, Some(73)),
        (every, 72, 0, Some(73)),
        (every, 73, 0, Some(173)),
        (every, 174, 0, Some(273)),
        (When::Poll(&[]), 18, 0, Some(500)),
        (When::Poll(&[]), 501, 0, Some(1025)),
        (When::Poll(&[]), 1518, 1000, Some(2025)),
        (When::OnCommand, 0, 0, None),
    ];
    for (when, since, began, due) in table {
        let past = Past { began, failures: 0 };
        assert_eq!(when.due(since, past), due, "{when:?} since {since}");
    }
}

#[test]
fn failures_in_a_row_wait_longer_each_time() {
    let retry = When::Retry { period: 100, offset: 73, pause: 500, most: 122_000, fails: &[], ends: &[] };
    let backoff =
        When::RetryAfter { first: 5, pause: 1_000, most: 300_000, fails: &[], ends: &[], begun: &[] };
    let due = |when: When, failures| when.due(1_000, Past { began: 1_000, failures });
    let pauses = |when| -> Vec<u64> {
        (0..10).map(|failures| due(when, failures).map_or(0, |at| at - 1_000)).collect()
    };
    let attaches = pauses(retry);
    assert_eq!(attaches, [73, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 122_000]);
    let calls = pauses(backoff);
    assert_eq!(calls, [5, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000]);
    // The pause is over before the action is possible.
    assert_eq!(retry.due(9_000, Past { began: 1_000, failures: 1 }), Some(9_073));
    assert_eq!(backoff.due(9_000, Past { began: 1_000, failures: 1 }), Some(9_005));
    // A queue has tried three times more by then, and comes to it a fourth time.
    let queue = |tries| When::Backoff { first: 1_000, most: 300_000, failed: &[], tries };
    assert_eq!(queue(true).due(9_000, Past { began: 1_000, failures: 1 }), Some(16_000));
    assert_eq!(queue(false).due(9_000, Past { began: 1_000, failures: 1 }), Some(9_000));
    let forced = When::Since { names: &[], ms: 360_000 };
    assert_eq!(forced.due(5_000, Past { began: 1_000, failures: 0 }), Some(361_000));
    assert_eq!(forced.due(500_000, Past { began: 1_000, failures: 0 }), Some(500_000));
}
