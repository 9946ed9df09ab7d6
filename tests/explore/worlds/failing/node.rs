//! Worlds in which something fails on the Node (D, H).

use super::Made;
use crate::claims_world::{claim, once_pod, pod};
use crate::worlds::broken::*;
use crate::worlds::made::{self, bound, plain, whole};
use mountpath::model::hand::Deed;
use mountpath::model::{ClaimSpec, Code, DataSource, FaultKind, Method, Parts, PodSpec, PodVolume, Role};

pub const WORLDS: &[(&str, Made)] = &[
    ("stage-error", || all(fails(staged(), Method::NodeStageVolume, Code::Internal, false))),
    ("stage-lost", || all(fails(staged(), Method::NodeStageVolume, Code::DeadlineExceeded, true))),
    ("publish-error", || all(fails(staged(), Method::NodePublishVolume, Code::Internal, false))),
    ("unpublish-error", || all(fails(staged(), Method::NodeUnpublishVolume, Code::Internal, false))),
    ("unstage-error", || all(fails(staged(), Method::NodeUnstageVolume, Code::Internal, false))),
    ("unstage-error-attached", || {
        let parts = fails(bound(ONCE, &["app"], 1), Method::NodeUnstageVolume, Code::Internal, false);
        ordered(parts).hasty(made::INSIDE)
    }),
    ("block-errors", || {
        let mut parts = fails(block(staged()), Method::NodeStageVolume, Code::Internal, false);
        parts.faults.push(error(Method::NodePublishVolume, Code::Internal, false));
        all(parts)
    }),
    ("block-attach-error", || {
        all(fails(block(attaches(&["app"], 1)), Method::ControllerPublishVolume, Code::Internal, false))
    }),
    ("owner-refused", || {
        all(owned(|volume| volume.owner_error = Some("chown: operation not permitted".into())))
    }),
    ("owner-slow", || all(owned(|volume| volume.owner_seconds = 40))),
    ("owner-skipped", || all(owned(|volume| volume.fs_type = false))),
    ("stage-secret-missing", || {
        let mut parts = staged();
        parts.volumes[0].stage_secret = Some("kube-system/creds".into());
        parts.volumes[0].secret_missing = true;
        all(with(parts, FaultKind::ByHand { deed: Deed::CreateSecret(link(0, 0).volume) }))
    }),
    ("publish-secret-missing", || {
        let mut parts = staged();
        parts.volumes[0].node_publish_secret = Some("kube-system/creds".into());
        parts.volumes[0].secret_missing = true;
        all(with(parts, FaultKind::ByHand { deed: Deed::CreateSecret(link(0, 0).volume) }))
    }),
    ("labels", || {
        let mut parts = plain(once_pod(bound(ONCE, &["app", "web"], 1)));
        parts.driver.se_linux_mount = true;
        for (pod, label) in parts.pods.iter_mut().zip(["s0:c1", "s0:c2"]) {
            pod.node = Some(0);
            pod.se_linux = Some(label.into());
        }
        all(parts)
    }),
    ("plugin-down", || all(Parts { faults: vec![down(Role::DriverNode, Some(0))], ..staged() })),
    ("kubelet-restarts", || {
        all(Parts { faults: vec![down(Role::Kubelet, Some(0))], ..plain(bound(ONCE, &["app"], 1)) })
    }),
    ("inline", || inline(true, true)),
    ("inline-no-object", || inline(false, false)),
    ("inline-not-supported", || inline(true, false)),
    ("node-name", || {
        let mut parts = plain(whole(IMMEDIATE, 1));
        parts.pods[0].node = Some(0);
        all(parts)
    }),
    ("node-name-fixed", || {
        let mut parts = plain(fixed(|_| {}));
        parts.pods[0].node = Some(0);
        any(with(parts, FaultKind::ByHand { deed: Deed::StripVolume(link(0, 0).volume) }))
    }),
    ("node-name-cloned", || {
        let mut parts = filled(DataSource::Claim(0), 1);
        parts.pods = vec![PodSpec { node: Some(0), ..pod("app", PodVolume::Claim(0)) }];
        all(parts)
    }),
    ("node-name-taken", || {
        let mut parts = plain(fixed(|_| {}));
        parts.pods[0].node = Some(0);
        parts.pods[0].source = PodVolume::Claim(1);
        parts.claims.push(ClaimSpec { class: None, volume_name: Some(0), ..claim("again", 1) });
        ordered(parts)
    }),
];
