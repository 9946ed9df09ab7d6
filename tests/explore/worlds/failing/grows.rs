//! Worlds in which growing, modifying or a snapshot fails (F, G).

use super::Made;
use crate::worlds::broken::*;
use crate::worlds::made::{plain, whole};
use mountpath::model::{AttributesSpec, Code, Method};

pub const WORLDS: &[(&str, Made)] = &[
    ("grows-at-mount", || all(fails(growing(|_| {}), Method::NodeExpandVolume, Code::Internal, false))),
    ("grow-fails", || all(fails(growing(|_| {}), Method::ControllerExpandVolume, Code::Internal, false))),
    ("grow-infeasible", || {
        all(fails(growing(|_| {}), Method::ControllerExpandVolume, Code::InvalidArgument, false))
    }),
    ("grow-offline", || all(growing(|driver| driver.expands_online = false))),
    ("grow-no-node-expand", || all(growing(|driver| driver.node_expand = false))),
    ("grow-controller-only", || all(growing(|driver| driver.needs_node_expansion = false))),
    ("grow-no-resizer", || all(growing(|driver| driver.resizer = false))),
    ("grow-read-only", || {
        let mut parts = growing(|_| {});
        parts.pods[0].read_only = true;
        all(parts)
    }),
    ("grow-forbidden", || {
        let mut parts = growing(|_| {});
        parts.classes[0].expansion = false;
        all(parts)
    }),
    ("modify", || {
        let mut parts = growing(|_| {});
        parts.claims[0].resizes.clear();
        parts.pods.clear();
        let class = |name: &str| AttributesSpec { name: name.into(), ..AttributesSpec::default() };
        parts.attributes = vec![
            class("gold"),
            AttributesSpec { rejected: Some("invalid parameters: [color]".into()), ..class("bad") },
            AttributesSpec { missing: true, ..class("nowhere") },
        ];
        all(fails(parts, Method::ControllerModifyVolume, Code::Unavailable, true))
    }),
    ("snapshot-fails", || {
        let mut parts = growing(|_| {});
        parts.claims[0].resizes.clear();
        parts.pods.clear();
        parts.snapshots = vec![cut()];
        let mut parts = fails(parts, Method::CreateSnapshot, Code::Internal, false);
        parts.faults.push(error(Method::DeleteSnapshot, Code::Internal, false));
        all(parts)
    }),
    ("snapshot-unbound", || {
        let mut parts = plain(whole(IMMEDIATE, 1));
        parts.pods.clear();
        parts.snapshots = vec![cut()];
        ordered(parts)
    }),
];
