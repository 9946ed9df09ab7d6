//! Worlds in which attaching fails (C).

use super::Made;
use crate::worlds::broken::*;
use crate::worlds::made::{self, bound, plain, unstaged};
use mountpath::model::hand::Deed;
use mountpath::model::{AccessMode, Action, Code, Driver, FaultKind, Kind, Method, PodVolume, Role, user};

pub const WORLDS: &[(&str, Made)] = &[
    ("attach-error", || {
        all(fails(attaches(&["app"], 1), Method::ControllerPublishVolume, Code::Internal, false))
    }),
    ("attach-lost", || {
        all(fails(attaches(&["app"], 1), Method::ControllerPublishVolume, Code::DeadlineExceeded, true))
    }),
    ("no-attacher", || {
        let mut parts = attaches(&["app"], 1);
        parts.driver.attacher = false;
        all(parts)
    }),
    ("unregistered", || {
        let mut parts = attaches(&["app"], 1);
        parts.nodes[0].unregistered = true;
        parts.faults = vec![down(Role::NodeDriverRegistrar, Some(0))];
        ordered(parts).hasty(made::INSIDE)
    }),
    ("unregistered-plain", || {
        let mut parts = bound(ONCE, &["app"], 1);
        parts.driver = Driver { attach_required: false, controller_publish: false, ..parts.driver };
        parts.faults = vec![down(Role::NodeDriverRegistrar, Some(0))];
        all(parts)
    }),
    ("unregistered-block", || {
        let mut parts = block(bound(ONCE, &["app"], 1));
        parts.driver = Driver { attach_required: false, controller_publish: false, ..parts.driver };
        parts.faults = vec![down(Role::NodeDriverRegistrar, Some(0))];
        all(parts)
    }),
    ("info-fails", || {
        let mut parts = plain(bound(ONCE, &["app"], 1));
        parts.nodes[0].unregistered = true;
        parts.faults =
            vec![down(Role::NodeDriverRegistrar, Some(0)), error(Method::NodeGetInfo, Code::Internal, false)];
        all(parts)
    }),
    ("pod-returns", || {
        let parts = attaches(&["app", "web"], 1);
        ordered(fails(parts, Method::ControllerUnpublishVolume, Code::Internal, false)).hasty(made::INSIDE)
    }),
    ("multi-attach", || ordered(pinned(attaches(&["app", "web"], 2))).hasty(made::INSIDE)),
    ("multi-attach-far", || {
        let mut parts = pinned(attaches(&["app", "web"], 2));
        parts.pods[1].namespace = Some("far".into());
        ordered(parts).hasty(made::INSIDE)
    }),
    ("multi-attach-near-and-far", || {
        let mut parts = pinned(attaches(&["app", "web", "else"], 2));
        parts.pods[2].selector = Some(vec![0]);
        parts.pods[2].namespace = Some("far".into());
        ordered(parts)
            .hasty(made::INSIDE)
            .only(|_, _, action| !matches!(action, Action::User(user::Act::DeletesPod(_))))
    }),
    ("fenced", || {
        let mut parts = pinned(attaches(&["app", "web"], 2));
        parts.driver.fences = true;
        ordered(fails(parts, Method::ControllerUnpublishVolume, Code::Internal, false)).hasty(made::INSIDE)
    }),
    ("attach-limit", || {
        let mut parts = unstaged(bound(ONCE, &["app", "web"], 1).bound_claim("logs", "pvc-2", "vol-2", ONCE));
        parts.driver.updates_allocatable = true;
        parts.pods[1].source = PodVolume::Claim(1);
        parts.pods.iter_mut().for_each(|pod| pod.node = Some(0));
        parts.nodes[0].limit = Some(1);
        ordered(parts).hasty(made::INSIDE)
    }),
    ("volume-deleting", || any(unstaged(fixed(|_| {}))).only(may_delete_volumes).hasty(made::INSIDE)),
    ("secret-missing", || {
        let mut parts = attaches(&["app"], 1);
        parts.volumes[0].publish_secret = Some("kube-system/creds".into());
        parts.volumes[0].secret_missing = true;
        all(with(parts, FaultKind::ByHand { deed: Deed::CreateSecret(link(0, 0).volume) }))
    }),
    ("access-modes", || {
        let mut parts = attaches(&["app"], 1);
        parts.volumes[0].more_modes = vec![AccessMode::ReadOnlyMany];
        all(parts)
    }),
    ("attachment-refused", || {
        let message = "admission webhook denied the request".into();
        all(with(attaches(&["app"], 1), FaultKind::Refused { kind: Kind::VolumeAttachment, message }))
    }),
    ("attach-error-refused", || {
        let parts = fails(attaches(&["app"], 1), Method::ControllerPublishVolume, Code::Internal, false);
        let message = "etcdserver: request is too large".into();
        let refused = FaultKind::Refused { kind: Kind::VolumeAttachment, message };
        ordered(and(parts, refused)).hasty(made::INSIDE)
    }),
    ("attachment-deleted-and-error", || {
        let parts = fails(attaches(&["app"], 1), Method::ControllerPublishVolume, Code::Internal, false);
        let deed = Deed::DeleteAttachment(link(0, 0));
        ordered(and(parts, FaultKind::ByHand { deed })).hasty(made::INSIDE)
    }),
    ("block-attachment-deleted", || {
        let deed = Deed::DeleteAttachment(link(0, 0));
        ordered(with(block(attaches(&["app"], 1)), FaultKind::ByHand { deed })).hasty(made::INSIDE)
    }),
    ("volume-refused", || {
        let message = "admission webhook denied the request".into();
        all(with(attaches(&["app"], 1), FaultKind::Refused { kind: Kind::PersistentVolume, message }))
    }),
    ("node-status-refused", || {
        let message = "etcdserver: request timed out".into();
        all(with(attaches(&["app"], 1), FaultKind::Refused { kind: Kind::Node, message }))
    }),
    ("attachment-deleted", || {
        let deed = Deed::DeleteAttachment(link(0, 0));
        ordered(with(attaches(&["app"], 1), FaultKind::ByHand { deed })).hasty(made::INSIDE)
    }),
    ("attachment-stripped", || {
        let mut parts =
            fails(attaches(&["app"], 1), Method::ControllerUnpublishVolume, Code::Internal, false);
        parts.faults.push(once(FaultKind::ByHand { deed: Deed::StripAttachment(link(0, 0)) }));
        all(parts)
    }),
];
