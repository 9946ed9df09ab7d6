//! Worlds in which scheduling, provisioning or binding fails (A, B).

use super::Made;
use crate::claims_world::{claim, once_pod, parts, pod, provisioned};
use crate::worlds::broken::*;
use crate::worlds::made::{self, bound, plain, unstaged, whole};
use mountpath::model::hand::Deed;
use mountpath::model::{
    AccessMode, ClaimId, ClaimSpec, Code, DataSource, FaultKind, Method, NodeId, PodVolume, Reclaim,
    VolumeMode,
};

pub const WORLDS: &[(&str, Made)] = &[
    ("immediate", || all(plain(whole(IMMEDIATE, 1)))),
    ("waiting", || all(plain(whole(WAITING, 1)))),
    ("two-pods-wait", || {
        let mut parts = plain(whole(WAITING, 1));
        parts.pods.push(pod("web", PodVolume::Claim(0)));
        ordered(parts)
    }),
    ("node-lost", || {
        let mut parts = plain(whole(WAITING, 2));
        parts.driver.topology = true;
        let deed = Deed::DeleteNode(NodeId::of(0).expect("a Node"));
        ordered(with(parts, FaultKind::ByHand { deed }))
    }),
    ("misbound", || {
        let mut parts = plain(bound(ONCE, &["app"], 1));
        let again = ClaimSpec { given: true, kept: true, volume_name: Some(0), ..claim("again", 1) };
        parts.claims.push(ClaimSpec { class: None, ..again });
        parts.claims[0].kept = false;
        parts.pods[0].node = Some(0);
        all(parts)
    }),
    ("node-tainted", || {
        let deed = Deed::TaintOutOfService(NodeId::of(0).expect("a Node"));
        ordered(with(plain(whole(IMMEDIATE, 1)), FaultKind::ByHand { deed }))
    }),
    ("made-too-small", || {
        let mut parts = plain(whole(IMMEDIATE, 1));
        parts.claims[0].request = 2;
        parts.volumes[0].made = Some(1);
        all(parts)
    }),
    ("two-nodes-wait", || {
        let mut parts = plain(whole(WAITING, 2));
        parts.driver.topology = true;
        parts.pods.push(pod("web", PodVolume::Claim(0)));
        ordered(parts)
    }),
    ("class-missing", || {
        let mut parts = plain(whole(IMMEDIATE, 1));
        parts.classes[0].given = false;
        ordered(parts)
    }),
    ("no-class", || {
        let mut parts = plain(whole(IMMEDIATE, 1));
        parts.claims[0].class = None;
        parts.classes[0].given = false;
        ordered(parts)
    }),
    ("volume-stripped", || {
        let deed = Deed::StripVolume(link(0, 0).volume);
        any(with(plain(fixed(|_| {})), FaultKind::ByHand { deed }))
    }),
    ("volume-stripped-attached", || {
        let mut parts = unstaged(fixed(|_| {}));
        parts.faults = vec![once(FaultKind::ByHand { deed: Deed::StripVolume(link(0, 0).volume) })];
        any(parts).only(may_delete_volumes).hasty(made::INSIDE)
    }),
    ("claim-stripped", || {
        let deed = Deed::StripClaim(ClaimId::of(0).expect("a claim"));
        all(with(plain(whole(IMMEDIATE, 1)), FaultKind::ByHand { deed }))
    }),
    ("ephemeral", || all(ephemeral())),
    ("ephemeral-taken", || {
        let mut parts = ephemeral();
        parts.claims = vec![claim("app-vol", 0), claim("app-vol", 1)];
        parts.pods[0].source = PodVolume::Ephemeral(1);
        parts.volumes.push(provisioned(1, Reclaim::Delete));
        all(parts)
    }),
    ("affinity", || {
        let mut parts = plain(whole(IMMEDIATE, 2));
        parts.volumes[0].affinity = Some(vec![0]);
        parts.pods[0].selector = Some(vec![1]);
        ordered(parts)
    }),
    ("affinity-forced", || {
        let mut parts = plain(bound(ONCE, &["app"], 2));
        parts.volumes[0].affinity = Some(vec![0]);
        parts.pods[0].node = Some(1);
        all(parts)
    }),
    ("affinity-forced-block", || {
        let mut parts = plain(bound(ONCE, &["app"], 2));
        parts.volumes[0].affinity = Some(vec![0]);
        parts.pods[0].node = Some(1);
        all(block(parts))
    }),
    ("no-volume-fits", || {
        let mut parts = plain(whole(WAITING, 2));
        parts.classes[0].topology = Some(vec![0]);
        parts.pods[0].selector = Some(vec![1]);
        ordered(parts)
    }),
    ("no-room", || {
        let mut parts = plain(whole(WAITING, 1));
        parts.driver.storage_capacity = true;
        parts.driver.topology = true;
        parts.nodes[0].pool = Some(0);
        ordered(parts)
    }),
    ("node-limit", || {
        let mut parts = unstaged(bound(ONCE, &["app", "web"], 1).bound_claim("logs", "pvc-2", "vol-2", ONCE));
        parts.pods[1].source = PodVolume::Claim(1);
        parts.nodes[0].limit = Some(1);
        ordered(parts).hasty(made::INSIDE)
    }),
    ("once-pod", || {
        let mut parts = plain(once_pod(bound(ONCE, &["app", "web"], 1)));
        parts.pods[1].selector = Some(vec![0]);
        all(parts)
    }),
    ("once-pod-forced", || {
        let mut parts = plain(once_pod(bound(ONCE, &["app", "web"], 1)));
        parts.pods.iter_mut().for_each(|pod| pod.node = Some(0));
        all(parts)
    }),
    ("exhausted", || {
        let mut parts = plain(whole(WAITING, 1));
        parts.driver.topology = true;
        all(fails(parts, Method::CreateVolume, Code::ResourceExhausted, false))
    }),
    ("create-final", || all(fails(plain(whole(IMMEDIATE, 1)), Method::CreateVolume, Code::Internal, false))),
    ("create-lost", || {
        all(fails(plain(whole(IMMEDIATE, 1)), Method::CreateVolume, Code::DeadlineExceeded, true))
    }),
    ("create-infeasible", || {
        all(fails(plain(whole(IMMEDIATE, 1)), Method::CreateVolume, Code::InvalidArgument, false))
    }),
    ("no-topology", || {
        let mut parts = plain(whole(WAITING, 1));
        parts.driver.topology = true;
        parts.nodes[0].unregistered = true;
        ordered(parts)
    }),
    ("restore-missing", || all(filled(DataSource::MissingSnapshot, 1))),
    ("restore", || all(kept(filled(DataSource::Snapshot(0), 1)))),
    ("restore-larger", || all(kept(filled(DataSource::Snapshot(0), 2)))),
    ("clone", || all(filled(DataSource::Claim(0), 1))),
    ("clone-larger", || all(filled(DataSource::Claim(0), 2))),
    ("mismatch-size", || all(fixed(|volume| volume.capacity = 0))),
    ("mismatch-class", || all(fixed(|volume| volume.class = Some(0)))),
    ("mismatch-mode", || all(fixed(|volume| volume.mode = VolumeMode::Block))),
    ("mismatch-access", || all(fixed(|volume| volume.access_mode = AccessMode::ReadWriteMany))),
    ("mismatch-deleting", || {
        let mut parts = plain(fixed(|_| {}));
        parts.pods.clear();
        any(parts)
    }),
    ("taken", || {
        let mut parts = plain(parts(IMMEDIATE, Reclaim::Retain));
        parts.nodes.truncate(1);
        parts.claims.push(ClaimSpec { volume_name: Some(0), ..claim("again", 1) });
        parts.pods.clear();
        ordered(parts)
    }),
];
