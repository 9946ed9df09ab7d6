//! What worlds in which something fails are made of: users, faults, drivers and claims.

use super::Explored;
use super::made::{self, bound, orderly, plain, unstaged, whole, world};
use crate::claims_world::{answer, by_hand, claim, pod, provisioned};
use mountpath::model::{
    AccessMode, Action, BindingMode, ClaimSpec, Cluster, Code, DataSource, Driver, Fault, FaultKind, Link,
    Method, NodeId, Origin, Parts, PodVolume, Reclaim, Role, SnapshotSpec, VolumeMode, VolumeSpec, World,
    actions, next, user,
};

pub const IMMEDIATE: BindingMode = BindingMode::Immediate;
pub const WAITING: BindingMode = BindingMode::WaitForFirstConsumer;
pub const ONCE: AccessMode = AccessMode::ReadWriteOnce;

/// A user who leaves PersistentVolumes alone.
pub fn all(parts: Parts) -> Explored {
    Explored::new(world(parts)).only(|world, _, action| match action {
        Action::User(user::Act::DeletesVolume(_)) => false,
        Action::User(user::Act::ClearsClaimRef(id)) => world.volume(*id).reclaim == Reclaim::Retain,
        _ => true,
    })
}

/// A user who does one thing after the other.
pub fn ordered(parts: Parts) -> Explored {
    all(parts).only(orderly)
}

/// The same, but for PersistentVolumes.
pub fn may_delete_volumes(world: &World, state: &Cluster, action: &Action) -> bool {
    orderly(world, state, action) || matches!(action, Action::User(user::Act::DeletesVolume(_)))
}

/// A user who does anything.
pub fn any(parts: Parts) -> Explored {
    Explored::new(world(parts))
}

pub fn link(volume: usize, node: usize) -> Link {
    Link::of(volume, node).expect("a link")
}

pub fn once(kind: FaultKind) -> Fault {
    Fault { kind, times: Some(1) }
}

pub fn error(method: Method, code: Code, did: bool) -> Fault {
    answer(method, code, "injected", did, Some(1))
}

pub fn down(role: Role, node: Option<usize>) -> Fault {
    once(FaultKind::Down { role, node: node.and_then(NodeId::of) })
}

pub fn fails(parts: Parts, method: Method, code: Code, did: bool) -> Parts {
    Parts { faults: vec![error(method, code, did)], ..parts }
}

pub fn with(parts: Parts, kind: FaultKind) -> Parts {
    Parts { faults: vec![once(kind)], ..parts }
}

/// One more fault.
pub fn and(mut parts: Parts, kind: FaultKind) -> Parts {
    parts.faults.push(once(kind));
    parts
}

/// Pods of one bound claim, for a driver that attaches and does not stage.
pub fn attaches(pods: &[&str], nodes: usize) -> Parts {
    unstaged(bound(ONCE, pods, nodes))
}

/// A Pod of a bound claim, for a driver that stages and does not attach.
pub fn staged() -> Parts {
    let mut parts = bound(ONCE, &["app"], 1);
    parts.driver = Driver { attach_required: false, controller_publish: false, ..parts.driver };
    parts
}

/// A Pod that wants the files to belong to its group, which is kubelet's to do for a volume with an `fsType`.
pub fn owned(change: fn(&mut VolumeSpec)) -> Parts {
    let mut parts = staged();
    parts.pods[0].fs_group = true;
    parts.volumes[0].fs_type = true;
    change(&mut parts.volumes[0]);
    parts
}

/// The first Pod goes to the first Node, the second to the second.
pub fn pinned(mut parts: Parts) -> Parts {
    for (pod, node) in parts.pods.iter_mut().zip(0..2) {
        pod.selector = Some(vec![node]);
    }
    parts
}

/// From a running Pod on: its Node's kubelet stops for good, and this happens.
pub fn node_down(fault: Fault, force_detach_disabled: bool) -> Explored {
    let faults = vec![down(Role::Kubelet, Some(0)), fault];
    let world = world(Parts { faults, force_detach_disabled, ..attaches(&["app"], 1) });
    let mut start = world.initial();
    let mut last = "";
    while last != "kubelet-starts-containers" {
        let quiet = |action: &Action| {
            !matches!(action, Action::User(user::Act::DeletesPod(_)) | Action::Outside(_) | Action::Hand(_))
                && !matches!(action, Action::Nodes(_))
                && !action.name().ends_with("-repeats-controller-publish")
        };
        let moves = |action: &Action| next(&world, &start, *action).is_some_and(|after| after != start);
        let action = actions(&world, &start).into_iter().find(|action| quiet(action) && moves(action));
        let action = action.expect("something to do");
        last = action.name();
        start = next(&world, &start, action).expect("enabled");
    }
    let stays_down = |_: &World, _: &Cluster, action: &Action| action.name() != "process-starts";
    Explored::new(world).from(start).only(orderly).only(stays_down).hasty(made::INSIDE)
}

/// The first claim is bound from the start, and nobody deletes it.
pub fn kept(mut parts: Parts) -> Parts {
    parts.claims[0] = ClaimSpec { given: true, kept: true, volume_name: Some(0), ..parts.claims[0].clone() };
    parts
}

pub fn block(mut parts: Parts) -> Parts {
    parts.claims.iter_mut().for_each(|claim| claim.mode = VolumeMode::Block);
    parts.volumes.iter_mut().for_each(|volume| volume.mode = VolumeMode::Block);
    parts
}

/// A claim that names a volume which an administrator makes.
pub fn fixed(change: fn(&mut VolumeSpec)) -> Parts {
    let mut parts = whole(IMMEDIATE, 1);
    parts.volumes = vec![by_hand("static")];
    change(&mut parts.volumes[0]);
    parts.claims[0].class = None;
    parts.claims[0].volume_name = Some(0);
    parts
}

pub fn ephemeral() -> Parts {
    let mut parts = plain(whole(WAITING, 1));
    parts.claims[0].name = "app-vol".into();
    parts.pods = vec![pod("app", PodVolume::Ephemeral(0))];
    parts
}

pub fn inline(object: bool, ephemeral: bool) -> Explored {
    let mut parts = plain(bound(ONCE, &["app"], 1));
    parts.claims.clear();
    parts.driver.object = object;
    parts.driver.ephemeral = ephemeral;
    parts.pods[0].source = PodVolume::Inline(0);
    parts.volumes[0].origin = Origin::Inline(0);
    all(parts)
}

pub fn cut() -> SnapshotSpec {
    SnapshotSpec {
        name: "snap".into(),
        uid: "uid-of-snap".into(),
        claim: 0,
        handle: "snap-1".into(),
        ..SnapshotSpec::default()
    }
}

/// A claim of so many GiB, 2 being more, whose volume is filled from another.
pub fn filled(source: DataSource, size: u16) -> Parts {
    let mut parts = plain(whole(IMMEDIATE, 1));
    parts.pods.clear();
    parts.claims[0].request = size;
    parts.volumes[0].capacity = size;
    parts.claims.push(ClaimSpec { source: Some(source), source_name: "gone".into(), ..claim("copy", 1) });
    parts.volumes.push(provisioned(1, Reclaim::Delete));
    if source == DataSource::Snapshot(0) {
        parts.snapshots = vec![cut()];
    }
    parts
}

/// A bound claim of 1 GiB that may ask for 2, and a Pod.
pub fn growing(driver: fn(&mut Driver)) -> Parts {
    let mut parts = plain(whole(IMMEDIATE, 1));
    driver(&mut parts.driver);
    parts.claims = vec![ClaimSpec {
        given: true,
        kept: true,
        volume_name: Some(0),
        resizes: vec![2],
        ..claim("data", 0)
    }];
    parts
}
