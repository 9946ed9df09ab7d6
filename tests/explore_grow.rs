//! Every reachable state of a volume that grows, is modified or is snapshotted, with one fault each.

use mountpath::model::growth::{Allocated, Growth, Modify};
use mountpath::model::snapshots::{Content, RealSnapshot};
use mountpath::model::{
    AccessMode, Action, AttributesSpec, ClaimId, ClaimSpec, ClassSpec, Cluster, Code, DataSource, Driver,
    Fault, FaultKind, Finalizer, Method, NodeSpec, Origin, Parts, PodSpec, Presence, Provision, SnapshotSpec,
    VolumeSpec, World, actions, apply, next, obeys, user,
};
use stateright::{Checker, Model, Property};
use std::collections::{BTreeSet, HashMap, VecDeque};

/// An error that a method answers once; the driver may have done it all the same.
fn answer(method: Method, code: Code, did: bool) -> Fault {
    let kind = FaultKind::Answer { method, node: None, code, message: "injected".into(), did };
    Fault { kind, times: Some(1) }
}

/// A bound claim of 1 GiB in a class that allows expansion, for a driver that needs no attach.
fn parts(pods: &[&str], faults: Vec<Fault>) -> Parts {
    let pod = |name: &&str| PodSpec {
        name: (*name).into(),
        uid: format!("uid-of-{name}"),
        container: "c".into(),
        image: "busybox".into(),
        ..PodSpec::default()
    };
    let parts = Parts {
        namespace: "default".into(),
        driver: Driver { attach_required: false, controller_publish: false, ..Driver::default() },
        classes: vec![ClassSpec {
            name: "fast".into(),
            provisioner: "disk.csi.example.com".into(),
            expansion: true,
            given: true,
            ..ClassSpec::default()
        }],
        nodes: vec![NodeSpec { name: "node-1".into(), driver_id: "i-1".into(), ..NodeSpec::default() }],
        pods: pods.iter().map(pod).collect(),
        faults,
        ..Parts::default()
    };
    let mut parts = parts.bound_claim("data", "pvc-1", "vol-1", AccessMode::ReadWriteOnce);
    parts.claims[0].class = Some(0);
    parts
}

fn grows(pods: &[&str], driver: fn(&mut Driver), faults: Vec<Fault>) -> World {
    let mut parts = parts(pods, faults);
    driver(&mut parts.driver);
    parts.claims[0].resizes = vec![2];
    World::new(parts).expect("a world")
}

fn snapshot(driver: fn(&mut Driver), faults: Vec<Fault>) -> World {
    let mut parts = parts(&[], faults);
    driver(&mut parts.driver);
    parts.snapshots = vec![SnapshotSpec {
        name: "snap".into(),
        uid: "uid-of-snap".into(),
        claim: 0,
        handle: "snap-1".into(),
        ..SnapshotSpec::default()
    }];
    World::new(parts).expect("a world")
}

fn modifies(faults: Vec<Fault>) -> World {
    let mut parts = parts(&[], faults);
    let class = |name: &str| AttributesSpec { name: name.into(), ..AttributesSpec::default() };
    parts.attributes = vec![
        class("gold"),
        AttributesSpec { rejected: Some("invalid parameters: [color]".into()), ..class("bad") },
        AttributesSpec { missing: true, ..class("nowhere") },
    ];
    World::new(parts).expect("a world")
}

/// A second claim that is filled from a snapshot of the first, or from the first itself; that one nobody deletes.
fn fills(source: DataSource, faults: Vec<Fault>) -> World {
    let mut parts = parts(&[], faults);
    parts.claims[0].kept = true;
    parts.claims.push(ClaimSpec {
        name: "copy".into(),
        uid: "uid-of-copy".into(),
        class: Some(0),
        request: 1,
        source: Some(source),
        ..ClaimSpec::default()
    });
    parts.volumes.push(VolumeSpec {
        pv: "pvc-uid-of-copy".into(),
        handle: "vol-2".into(),
        capacity: 1,
        class: Some(0),
        origin: Origin::Provisioned(1),
        ..VolumeSpec::default()
    });
    if source == DataSource::Snapshot(0) {
        parts.snapshots = vec![SnapshotSpec {
            name: "snap".into(),
            uid: "uid-of-snap".into(),
            claim: 0,
            handle: "snap-1".into(),
            ..SnapshotSpec::default()
        }];
    }
    World::new(parts).expect("a world")
}

/// What may happen; a user who restores from a snapshot does so when it is ready, deletes it only after that, and keeps
/// the copy.
fn enabled(world: &World, state: &Cluster) -> Vec<Action> {
    let asked = world.claims().all(|id| state.claim(id).presence != Presence::NotYet);
    let restores = world.claims().any(|id| world.claim(id).source == Some(DataSource::Snapshot(0)));
    let ready = world.snapshots().all(|id| state.snapshot(id).ready == Some(true));
    let patient = |action: &Action| match action {
        Action::User(user::Act::CreatesClaim(_)) => ready,
        Action::User(user::Act::DeletesClaim(_)) => false,
        Action::User(user::Act::DeletesSnapshot(_)) => asked,
        _ => true,
    };
    // Nobody meddles with PersistentVolumes.
    let meddles = |action: &Action| {
        matches!(action, Action::User(user::Act::DeletesVolume(_) | user::Act::ClearsClaimRef(_)))
    };
    let all = actions(world, state).into_iter().filter(|action| !meddles(action));
    all.filter(|action| !restores || patient(action)).collect()
}

struct Explored(World);

impl Model for Explored {
    type State = Cluster;
    type Action = Action;

    fn init_states(&self) -> Vec<Cluster> {
        vec![self.0.initial()]
    }

    fn actions(&self, state: &Cluster, found: &mut Vec<Action>) {
        found.extend(enabled(&self.0, state));
    }

    fn next_state(&self, state: &Cluster, action: Action) -> Option<Cluster> {
        next(&self.0, state, action)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("only a field's owner writes it", |m: &Explored, s: &Cluster| {
                let outcomes = enabled(&m.0, s).into_iter().filter_map(|a| apply(&m.0, s, a).ok());
                outcomes.flat_map(|outcome| outcome.changes).all(obeys)
            }),
            Property::always("no capacity shrinks", |m: &Explored, s: &Cluster| {
                enabled(&m.0, s).into_iter().filter_map(|a| next(&m.0, s, a)).all(|after| {
                    m.0.claims().all(|id| after.claim(id).capacity >= s.claim(id).capacity)
                        && m.0.volumes().all(|id| {
                            let (before, after) = (s.volume(id), after.volume(id));
                            after.capacity >= before.capacity
                                && after.backing.size >= before.backing.size
                                && after.backing.file_system >= before.backing.file_system
                        })
                })
            }),
            Property::always("a capacity is one that the disk has", |m: &Explored, s: &Cluster| {
                m.0.volumes().all(|id| {
                    let volume = s.volume(id);
                    volume.capacity <= m.0.volume(id).capacity.max(volume.backing.size)
                })
            }),
            Property::always("a claim has the size of its file system", |m: &Explored, s: &Cluster| {
                m.0.volumes().all(|id| {
                    let volume = s.volume(id);
                    let claim = volume.claim.map_or(0, |claim| s.claim(claim).capacity);
                    !m.0.driver().needs_node_expansion
                        || claim <= m.0.volume(id).capacity.max(volume.backing.file_system)
                })
            }),
            Property::always("ready only after the driver said so", |m: &Explored, s: &Cluster| {
                m.0.snapshots().all(|id| {
                    let snapshot = s.snapshot(id);
                    let said = snapshot.content.ready == Some(true) || snapshot.ready != Some(true);
                    let cut = snapshot.real == RealSnapshot::Ready || snapshot.content.deleting;
                    (said || snapshot.deleting) && (cut || snapshot.content.ready != Some(true))
                })
            }),
            Property::always("a claim that is copied is held", |m: &Explored, s: &Cluster| {
                m.0.snapshots().all(|id| {
                    let snapshot = s.snapshot(id);
                    let cutting = snapshot.content.presence == Presence::Here
                        && snapshot.presence == Presence::Here
                        && !snapshot.deleting
                        && snapshot.ready != Some(true);
                    let held = |c: ClaimId| s.claim(c).finalizers.contains(Finalizer::SnapshotOfClaim);
                    !cutting || m.0.claims().next().is_some_and(held)
                })
            }),
            Property::always("what is copied stays while it is copied", |m: &Explored, s: &Cluster| {
                m.0.claims().all(|id| match m.0.claim(id).source {
                    Some(DataSource::Snapshot(_)) if s.provisioner(id).step == Provision::Called => {
                        m.0.snapshots().all(|snap| s.snapshot(snap).real == RealSnapshot::Ready)
                    }
                    Some(_) | None => true,
                })
            }),
            Property::always(
                "where nothing more can happen, nothing is left",
                |m: &Explored, s: &Cluster| !enabled(&m.0, s).is_empty() || is_settled(&m.0, s),
            ),
        ]
    }
}

/// What was asked for is done or gone, and nothing tells of it any more. A claim that only a Node can grow waits
/// for a Pod.
fn is_settled(world: &World, state: &Cluster) -> bool {
    let unused = world.pods().all(|id| state.pod(id).presence == Presence::Gone);
    let grown = world.claims().all(|id| {
        let claim = state.claim(id);
        // A claim whose source is gone waits for another.
        if claim.presence != Presence::Here || claim.growth.source.is_some() {
            return true;
        }
        let on_node = [Allocated::NodeResizePending, Allocated::NodeResizeInProgress];
        if unused && claim.request > claim.capacity && on_node.contains(&claim.growth.allocated) {
            return true;
        }
        let growth =
            Growth { told: false, skips_node: false, attributes: None, current: None, ..claim.growth };
        claim.request == claim.capacity
            && growth == Growth::default()
            && claim.growth.attributes == claim.growth.current
    });
    let gone = world.snapshots().all(|id| {
        let snapshot = state.snapshot(id);
        snapshot.presence == Presence::Gone
            && snapshot.content.presence != Presence::Here
            && snapshot.real == RealSnapshot::None
    });
    let held = world.claims().all(|id| !state.claim(id).finalizers.contains(Finalizer::SnapshotOfClaim));
    let unmounted = unused && world.links().all(|link| state.place(link) == world.initial().place(link));
    grown && gone && held && unmounted
}

/// Every reachable state, with the numbers of the states before it.
fn visit(world: &World, mut look: impl FnMut(&Cluster)) -> Vec<Vec<usize>> {
    let mut numbers = HashMap::from([(world.initial(), 0_usize)]);
    let mut queue = VecDeque::from([world.initial()]);
    let mut before: Vec<Vec<usize>> = vec![Vec::new()];
    while let Some(state) = queue.pop_front() {
        look(&state);
        let number = numbers[&state];
        for action in enabled(world, &state) {
            let next = next(world, &state, action).expect("enabled");
            let count = numbers.len();
            let to = *numbers.entry(next).or_insert(count);
            if to == count {
                queue.push_back(next);
                before.push(Vec::new());
            }
            before[to].push(number);
        }
    }
    before
}

/// How many of the reachable states cannot reach one where all is settled.
fn stuck(world: &World) -> usize {
    let mut settled = Vec::new();
    let mut number = 0;
    let before = visit(world, |state| {
        settled.extend(is_settled(world, state).then_some(number));
        number += 1;
    });
    let mut reaches = vec![false; before.len()];
    while let Some(number) = settled.pop() {
        if !std::mem::replace(&mut reaches[number], true) {
            settled.extend(&before[number]);
        }
    }
    reaches.iter().filter(|reaches| !**reaches).count()
}

fn explore(world: World, states: usize) {
    assert_eq!(stuck(&world), 0, "states from which what was asked for cannot come to an end");
    let checker = Explored(world).checker().spawn_bfs().join();
    checker.assert_properties();
    assert_eq!(checker.unique_state_count(), states, "states reachable");
}

#[test]
fn a_claim_that_nobody_uses_waits_for_a_pod_to_grow() {
    let world = grows(&[], |_| {}, vec![answer(Method::ControllerExpandVolume, Code::Internal, false)]);
    let mut waiting = 0;
    visit(&world, |state| {
        let claim = world.claims().next().map(|id| *state.claim(id)).expect("a claim");
        waiting += usize::from(claim.growth.allocated == Allocated::NodeResizePending);
        assert_eq!(claim.capacity, 1, "no Node has grown its file system");
    });
    assert!(waiting > 0);
}

#[test]
fn a_claim_whose_driver_leaves_nothing_to_the_node() {
    let driver = |driver: &mut Driver| driver.needs_node_expansion = false;
    explore(grows(&[], driver, vec![answer(Method::ControllerExpandVolume, Code::OutOfRange, false)]), 29);
    explore(
        grows(&[], driver, vec![answer(Method::ControllerExpandVolume, Code::DeadlineExceeded, true)]),
        29,
    );
}

#[test]
fn a_mounted_volume_grows_although_the_node_plugin_fails_once() {
    explore(grows(&["app"], |_| {}, vec![answer(Method::NodeExpandVolume, Code::Internal, false)]), 3589);
}

#[test]
fn a_mounted_volume_grows_although_the_controller_plugin_fails_once() {
    explore(
        grows(&["app"], |_| {}, vec![answer(Method::ControllerExpandVolume, Code::Unavailable, true)]),
        5433,
    );
}

#[test]
fn a_snapshot_is_cut_and_deleted() {
    let faults = [
        answer(Method::CreateSnapshot, Code::Internal, false),
        answer(Method::CreateSnapshot, Code::DeadlineExceeded, true),
        answer(Method::DeleteSnapshot, Code::Unavailable, true),
    ];
    for (fault, states) in faults.into_iter().zip([512, 502, 356]) {
        explore(snapshot(|_| {}, vec![fault]), states);
    }
    explore(snapshot(|driver| driver.snapshots_slowly = true, Vec::new()), 636);
}

#[test]
fn a_snapshot_that_was_cut_and_not_told_of_is_kept_at_the_backend_only_where_the_error_was_final() {
    // A final error takes the annotation off, so that a content which goes then is not asked about at the driver.
    let world = snapshot(|_| {}, vec![answer(Method::CreateSnapshot, Code::Internal, true)]);
    let mut leaks = 0;
    visit(&world, |state| {
        let leaked = world.snapshots().any(|id| {
            let snapshot = state.snapshot(id);
            snapshot.content == Content { presence: Presence::Gone, ..Content::default() }
                && snapshot.real != RealSnapshot::None
        });
        leaks += usize::from(leaked);
    });
    assert!(leaks > 0);
}

#[test]
fn a_class_of_attributes_is_changed_refused_and_missing() {
    let world = modifies(vec![answer(Method::ControllerModifyVolume, Code::Unavailable, true)]);
    let mut seen = BTreeSet::new();
    visit(&world, |state| {
        seen.extend(world.claims().map(|id| state.claim(id).growth.modify));
    });
    let all = BTreeSet::from([Modify::None, Modify::Pending, Modify::InProgress, Modify::Infeasible]);
    assert_eq!(seen, all);
    assert_eq!(stuck(&world), 0);
    let checker = Explored(world).checker().spawn_bfs().join();
    checker.assert_properties();
    assert_eq!(checker.unique_state_count(), 184, "states reachable");
}

#[test]
fn a_snapshot_that_is_restored_from_stays_until_it_is_copied() {
    let world = fills(DataSource::Snapshot(0), Vec::new());
    let mut pending = 0;
    visit(&world, |state| {
        pending += world
            .snapshots()
            .filter(|id| {
                let snapshot = state.snapshot(*id);
                snapshot.deleting && snapshot.finalizers.contains(Finalizer::SnapshotRestored)
            })
            .count();
    });
    assert!(pending > 0);
    explore(world, 1034);
}

#[test]
fn a_claim_is_cloned_although_the_driver_fails_once() {
    explore(
        fills(DataSource::Claim(0), vec![answer(Method::CreateVolume, Code::DeadlineExceeded, true)]),
        106,
    );
}
