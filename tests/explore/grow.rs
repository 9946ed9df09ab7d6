//! Every reachable state of a volume that grows, is modified or is snapshotted, with one fault each.

use crate::claims_world::{claim, node, pod, provisioned};
use crate::worlds::{Explored, Is};
use mountpath::model::growth::{Allocated, Growth, Modify};
use mountpath::model::snapshots::{Content, RealSnapshot};
use mountpath::model::{
    AccessMode, Action, AttributesSpec, ClaimId, ClaimSpec, ClassSpec, Cluster, Code, DataSource, Driver,
    Fault, FaultKind, Finalizer, Method, Parts, PodVolume, Presence, Provision, Reclaim, SnapshotSpec, World,
    user,
};

/// An error that a method answers once; the driver may have done it all the same.
fn answer(method: Method, code: Code, did: bool) -> Fault {
    let kind = FaultKind::Answer { method, node: None, code, message: "injected".into(), did };
    Fault { kind, times: Some(1) }
}

/// A bound claim of 1 GiB in a class that allows expansion, for a driver that needs no attach.
fn parts(pods: &[&str], faults: Vec<Fault>) -> Parts {
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
        nodes: vec![node("node-1")],
        pods: pods.iter().map(|name| pod(name, PodVolume::Claim(0))).collect(),
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
    parts.claims.push(ClaimSpec { source: Some(source), ..claim("copy", 1) });
    parts.volumes.push(provisioned(1, Reclaim::Delete));
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

/// A user who leaves PersistentVolumes alone, and who restores from a snapshot when it is ready, deletes it only after
/// that, and keeps the copy.
fn sane(world: &World, state: &Cluster, action: &Action) -> bool {
    let restores = world.claims().any(|id| world.claim(id).source == Some(DataSource::Snapshot(0)));
    match action {
        Action::User(user::Act::DeletesVolume(_) | user::Act::ClearsClaimRef(_)) => false,
        Action::User(user::Act::CreatesClaim(_)) => {
            !restores || world.snapshots().all(|id| state.snapshot(id).ready == Some(true))
        }
        Action::User(user::Act::DeletesClaim(_)) => !restores,
        Action::User(user::Act::DeletesSnapshot(_)) => {
            !restores || world.claims().all(|id| state.claim(id).presence != Presence::NotYet)
        }
        _ => true,
    }
}

/// A capacity is one that the disk has.
fn disks_are_as_large(explored: &Explored, state: &Cluster) -> bool {
    explored.world.volumes().all(|id| {
        let volume = state.volume(id);
        volume.capacity <= explored.world.volume(id).capacity.max(volume.backing.size)
    })
}

/// A claim has the size of its file system.
fn file_systems_are_as_large(explored: &Explored, state: &Cluster) -> bool {
    explored.world.volumes().all(|id| {
        let volume = state.volume(id);
        let claim = volume.claim.map_or(0, |claim| state.claim(claim).capacity);
        !explored.world.driver().needs_node_expansion
            || claim <= explored.world.volume(id).capacity.max(volume.backing.file_system)
    })
}

fn ready_only_when_cut(explored: &Explored, state: &Cluster) -> bool {
    explored.world.snapshots().all(|id| {
        let snapshot = state.snapshot(id);
        let said = snapshot.content.ready == Some(true) || snapshot.ready != Some(true);
        let cut = snapshot.real == RealSnapshot::Ready || snapshot.content.deleting;
        (said || snapshot.deleting) && (cut || snapshot.content.ready != Some(true))
    })
}

fn copied_claims_are_held(explored: &Explored, state: &Cluster) -> bool {
    explored.world.snapshots().all(|id| {
        let snapshot = state.snapshot(id);
        let cutting = snapshot.content.presence == Presence::Here
            && snapshot.presence == Presence::Here
            && !snapshot.deleting
            && snapshot.ready != Some(true);
        let held = |c: ClaimId| state.claim(c).finalizers.contains(Finalizer::SnapshotOfClaim);
        !cutting || explored.world.claims().next().is_some_and(held)
    })
}

fn copied_snapshots_stay(explored: &Explored, state: &Cluster) -> bool {
    explored.world.claims().all(|id| match explored.world.claim(id).source {
        Some(DataSource::Snapshot(_)) if state.provisioner(id).step == Provision::Called => {
            explored.world.snapshots().all(|snap| state.snapshot(snap).real == RealSnapshot::Ready)
        }
        Some(_) | None => true,
    })
}

fn explored(world: World) -> Explored {
    Explored::new(world)
        .only(sane)
        .ends_in(is_settled)
        .always("a capacity is one that the disk has", disks_are_as_large)
        .always("a claim has the size of its file system", file_systems_are_as_large)
        .always("ready only after the driver said so", ready_only_when_cut)
        .always("a claim that is copied is held", copied_claims_are_held)
        .always("what is copied stays while it is copied", copied_snapshots_stay)
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

fn explore(world: World, states: usize) {
    let seen = explored(world).run();
    assert_eq!((seen.states, seen.stuck), (states, 0));
}

#[test]
fn a_claim_that_nobody_uses_waits_for_a_pod_to_grow() {
    let world = grows(&[], |_| {}, vec![answer(Method::ControllerExpandVolume, Code::Internal, false)]);
    let waits: Is =
        |m, s| m.world.claims().any(|id| s.claim(id).growth.allocated == Allocated::NodeResizePending);
    let small: Is = |m, s| m.world.claims().all(|id| s.claim(id).capacity == 1);
    let explored = explored(world).sometimes("it waits for a Node", waits);
    explored.always("no Node has grown its file system", small).run();
}

#[test]
fn a_claim_whose_driver_leaves_nothing_to_the_node() {
    let driver = |driver: &mut Driver| driver.needs_node_expansion = false;
    explore(grows(&[], driver, vec![answer(Method::ControllerExpandVolume, Code::OutOfRange, false)]), 27);
    explore(
        grows(&[], driver, vec![answer(Method::ControllerExpandVolume, Code::DeadlineExceeded, true)]),
        27,
    );
}

#[test]
fn a_mounted_volume_grows_although_the_node_plugin_fails_once() {
    explore(grows(&["app"], |_| {}, vec![answer(Method::NodeExpandVolume, Code::Internal, false)]), 3355);
}

#[test]
fn a_mounted_volume_grows_although_the_controller_plugin_fails_once() {
    explore(
        grows(&["app"], |_| {}, vec![answer(Method::ControllerExpandVolume, Code::Unavailable, true)]),
        5183,
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
    let leaks: Is = |m, s| {
        m.world.snapshots().any(|id| {
            let snapshot = s.snapshot(id);
            snapshot.content == Content { presence: Presence::Gone, ..Content::default() }
                && snapshot.real != RealSnapshot::None
        })
    };
    explored(world).sometimes("a snapshot stays that nobody knows of", leaks).run();
}

#[test]
fn a_class_of_attributes_is_changed_refused_and_missing() {
    let world = modifies(vec![answer(Method::ControllerModifyVolume, Code::Unavailable, true)]);
    fn stands(explored: &Explored, state: &Cluster, to: Modify) -> bool {
        explored.world.claims().any(|id| state.claim(id).growth.modify == to)
    }
    let seen = explored(world)
        .sometimes("none", |m, s| stands(m, s, Modify::None))
        .sometimes("Pending", |m, s| stands(m, s, Modify::Pending))
        .sometimes("InProgress", |m, s| stands(m, s, Modify::InProgress))
        .sometimes("Infeasible", |m, s| stands(m, s, Modify::Infeasible))
        .run();
    assert_eq!((seen.states, seen.stuck), (184, 0));
}

#[test]
fn a_snapshot_that_is_restored_from_stays_until_it_is_copied() {
    let world = fills(DataSource::Snapshot(0), Vec::new());
    let held: Is = |m, s| {
        m.world.snapshots().any(|id| {
            let snapshot = s.snapshot(id);
            snapshot.deleting && snapshot.finalizers.contains(Finalizer::SnapshotRestored)
        })
    };
    let seen = explored(world).sometimes("it is to go, and it is held", held).run();
    assert_eq!((seen.states, seen.stuck), (1034, 0));
}

#[test]
fn a_claim_is_cloned_although_the_driver_fails_once() {
    explore(
        fills(DataSource::Claim(0), vec![answer(Method::CreateVolume, Code::DeadlineExceeded, true)]),
        106,
    );
}
