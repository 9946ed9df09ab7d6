//! Worlds in which an end fails, or a process or a Node is lost (E, I).

use super::Made;
use crate::worlds::broken::*;
use crate::worlds::made::{self, plain, unstaged, whole};
use mountpath::model::hand::Deed;
use mountpath::model::{Code, FaultKind, Method, NodeId, Parts, PodId, Role};

pub const WORLDS: &[(&str, Made)] = &[
    ("delete-fails", || {
        all(fails(plain(whole(IMMEDIATE, 1)), Method::DeleteVolume, Code::FailedPrecondition, false))
    }),
    ("still-attached", || ordered(unstaged(whole(IMMEDIATE, 1))).hasty(made::INSIDE)),
    ("detach-fails", || {
        all(fails(attaches(&["app"], 1), Method::ControllerUnpublishVolume, Code::Internal, false))
    }),
    ("attacher-down", || {
        all(Parts { faults: vec![down(Role::ExternalAttacher, None)], ..attaches(&["app"], 1) })
    }),
    ("controller-manager-down", || {
        all(Parts { faults: vec![down(Role::AttachDetachController, None)], ..attaches(&["app"], 1) })
    }),
    ("node-deleted", || {
        let deed = Deed::DeleteNode(NodeId::of(0).expect("a Node"));
        ordered(with(attaches(&["app"], 1), FaultKind::ByHand { deed })).hasty(made::INSIDE)
    }),
    ("node-deleted-and-down", || {
        let deed = Deed::DeleteNode(NodeId::of(0).expect("a Node"));
        node_down(once(FaultKind::ByHand { deed }), false)
    }),
    ("out-of-service", || {
        let deed = Deed::TaintOutOfService(NodeId::of(0).expect("a Node"));
        node_down(once(FaultKind::ByHand { deed }), false)
    }),
    ("force-detach", || node_down(once(FaultKind::PodForced { pod: PodId::of(0).expect("app") }), false)),
    ("force-detach-disabled", || {
        node_down(once(FaultKind::PodForced { pod: PodId::of(0).expect("app") }), true)
    }),
    ("pod-forced", || all(with(staged(), FaultKind::PodForced { pod: PodId::of(0).expect("app") }))),
    ("namespace-deleted", || all(with(plain(whole(IMMEDIATE, 1)), FaultKind::NamespaceDeleted))),
    ("completed", || {
        let mut parts = plain(whole(IMMEDIATE, 1));
        parts.pods[0].completes = true;
        all(parts)
    }),
];
