//! Worlds in which a claim becomes a Bound volume and nothing again.
#![allow(dead_code, reason = "each test takes what it needs")]

pub mod play;

use mountpath::model::{
    AccessMode, BindingMode, ClaimSpec, ClassSpec, Driver, Fault, FaultKind, Method, NodeSpec, Origin, Parts,
    PodSpec, PodVolume, Reclaim, VolumeSpec, World,
};

/// One class, one claim, the volume that is made for it, two Nodes and one Pod; the class stands at the start.
pub fn parts(binding: BindingMode, reclaim: Reclaim) -> Parts {
    let driver = Driver::default();
    Parts {
        namespace: "default".into(),
        classes: vec![ClassSpec {
            name: "fast".into(),
            provisioner: driver.name.clone(),
            binding,
            reclaim,
            expansion: true,
            given: true,
            ..ClassSpec::default()
        }],
        driver,
        claims: vec![claim("data", 0)],
        volumes: vec![provisioned(0, reclaim)],
        nodes: vec![node("node-1"), node("node-2")],
        pods: vec![pod("app", PodVolume::Claim(0))],
        ..Parts::default()
    }
}

/// A claim of 1 GiB with the first class.
pub fn claim(name: &str, number: usize) -> ClaimSpec {
    ClaimSpec {
        name: name.into(),
        uid: number.to_string(),
        class: Some(0),
        request: 1,
        ..ClaimSpec::default()
    }
}

/// The volume that is made for a claim.
pub fn provisioned(claim: usize, reclaim: Reclaim) -> VolumeSpec {
    VolumeSpec {
        pv: format!("pvc-{claim}"),
        handle: format!("vol-{claim}"),
        capacity: 1,
        class: Some(0),
        reclaim,
        origin: Origin::Provisioned(claim),
        ..VolumeSpec::default()
    }
}

/// A PersistentVolume that an administrator makes.
pub fn by_hand(pv: &str) -> VolumeSpec {
    VolumeSpec {
        pv: pv.into(),
        handle: format!("{pv}-handle"),
        capacity: 1,
        reclaim: Reclaim::Retain,
        origin: Origin::Static,
        ..VolumeSpec::default()
    }
}

/// A Node on which the driver is registered.
pub fn node(name: &str) -> NodeSpec {
    NodeSpec { name: name.into(), driver_id: name.into(), ..NodeSpec::default() }
}

/// A Pod with one volume.
pub fn pod(name: &str, source: PodVolume) -> PodSpec {
    PodSpec {
        name: name.into(),
        uid: format!("uid-of-{name}"),
        container: "c".into(),
        image: "busybox".into(),
        source,
        ..PodSpec::default()
    }
}

/// Calls of a method are answered with a code, so many times.
pub fn answer(
    method: Method,
    code: mountpath::model::Code,
    message: &str,
    did: bool,
    times: Option<u8>,
) -> Fault {
    Fault { kind: FaultKind::Answer { method, node: None, code, message: message.into(), did }, times }
}

/// The world, which must be one.
pub fn world(parts: Parts) -> World {
    World::new(parts).expect("a world")
}

/// The same world for one Pod at a time.
pub fn once_pod(mut parts: Parts) -> Parts {
    for claim in &mut parts.claims {
        claim.access_mode = AccessMode::ReadWriteOncePod;
    }
    for volume in &mut parts.volumes {
        volume.access_mode = AccessMode::ReadWriteOncePod;
    }
    parts
}
