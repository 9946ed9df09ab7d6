//! The RPCs of the CSI specification, and the capability that each needs.

use crate::model::{Driver, Method};

/// An RPC.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the name that `name` spells")]
pub enum Rpc {
    GetPluginInfo,
    GetPluginCapabilities,
    Probe,
    CreateVolume,
    DeleteVolume,
    ControllerPublishVolume,
    ControllerUnpublishVolume,
    ValidateVolumeCapabilities,
    ListVolumes,
    GetCapacity,
    ControllerGetCapabilities,
    CreateSnapshot,
    DeleteSnapshot,
    ListSnapshots,
    GetSnapshot,
    ControllerExpandVolume,
    ControllerGetVolume,
    ControllerModifyVolume,
    NodeStageVolume,
    NodeUnstageVolume,
    NodePublishVolume,
    NodeUnpublishVolume,
    NodeGetVolumeStats,
    NodeExpandVolume,
    NodeGetCapabilities,
    NodeGetInfo,
}

/// A capability without which a call is UNIMPLEMENTED.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the name that `name` spells")]
pub enum Gate {
    CreateDeleteVolume,
    PublishUnpublishVolume,
    ListVolumes,
    GetCapacity,
    CreateDeleteSnapshot,
    ListSnapshots,
    ExpandVolume,
    GetVolume,
    ModifyVolume,
    GetSnapshot,
    SingleNodeMultiWriter,
    StageUnstageVolume,
    GetVolumeStats,
    NodeExpandVolume,
}

/// Every RPC with its name and the capability it needs.
const RPCS: [(Rpc, &str, Option<Gate>); 26] = [
    (Rpc::GetPluginInfo, "GetPluginInfo", None),
    (Rpc::GetPluginCapabilities, "GetPluginCapabilities", None),
    (Rpc::Probe, "Probe", None),
    (Rpc::CreateVolume, "CreateVolume", Some(Gate::CreateDeleteVolume)),
    (Rpc::DeleteVolume, "DeleteVolume", Some(Gate::CreateDeleteVolume)),
    (Rpc::ControllerPublishVolume, "ControllerPublishVolume", Some(Gate::PublishUnpublishVolume)),
    (Rpc::ControllerUnpublishVolume, "ControllerUnpublishVolume", Some(Gate::PublishUnpublishVolume)),
    (Rpc::ValidateVolumeCapabilities, "ValidateVolumeCapabilities", None),
    (Rpc::ListVolumes, "ListVolumes", Some(Gate::ListVolumes)),
    (Rpc::GetCapacity, "GetCapacity", Some(Gate::GetCapacity)),
    (Rpc::ControllerGetCapabilities, "ControllerGetCapabilities", None),
    (Rpc::CreateSnapshot, "CreateSnapshot", Some(Gate::CreateDeleteSnapshot)),
    (Rpc::DeleteSnapshot, "DeleteSnapshot", Some(Gate::CreateDeleteSnapshot)),
    (Rpc::ListSnapshots, "ListSnapshots", Some(Gate::ListSnapshots)),
    (Rpc::GetSnapshot, "GetSnapshot", Some(Gate::GetSnapshot)),
    (Rpc::ControllerExpandVolume, "ControllerExpandVolume", Some(Gate::ExpandVolume)),
    (Rpc::ControllerGetVolume, "ControllerGetVolume", Some(Gate::GetVolume)),
    (Rpc::ControllerModifyVolume, "ControllerModifyVolume", Some(Gate::ModifyVolume)),
    (Rpc::NodeStageVolume, "NodeStageVolume", Some(Gate::StageUnstageVolume)),
    (Rpc::NodeUnstageVolume, "NodeUnstageVolume", Some(Gate::StageUnstageVolume)),
    (Rpc::NodePublishVolume, "NodePublishVolume", None),
    (Rpc::NodeUnpublishVolume, "NodeUnpublishVolume", None),
    (Rpc::NodeGetVolumeStats, "NodeGetVolumeStats", Some(Gate::GetVolumeStats)),
    (Rpc::NodeExpandVolume, "NodeExpandVolume", Some(Gate::NodeExpandVolume)),
    (Rpc::NodeGetCapabilities, "NodeGetCapabilities", None),
    (Rpc::NodeGetInfo, "NodeGetInfo", None),
];

impl Rpc {
    /// Every RPC.
    pub fn all() -> impl Iterator<Item = Rpc> {
        RPCS.iter().map(|row| row.0)
    }

    /// The RPC of this name.
    pub fn named(name: &str) -> Option<Rpc> {
        RPCS.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// Its name in the specification.
    pub fn name(self) -> &'static str {
        RPCS.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }

    /// The capability that a driver must have for it to be called.
    pub fn gate(self) -> Option<Gate> {
        RPCS.iter().find(|row| row.0 == self).and_then(|row| row.2)
    }
}

impl From<Method> for Rpc {
    fn from(method: Method) -> Self {
        match method {
            Method::CreateVolume => Rpc::CreateVolume,
            Method::DeleteVolume => Rpc::DeleteVolume,
            Method::ControllerPublishVolume => Rpc::ControllerPublishVolume,
            Method::ControllerUnpublishVolume => Rpc::ControllerUnpublishVolume,
            Method::ControllerExpandVolume => Rpc::ControllerExpandVolume,
            Method::ControllerModifyVolume => Rpc::ControllerModifyVolume,
            Method::CreateSnapshot => Rpc::CreateSnapshot,
            Method::DeleteSnapshot => Rpc::DeleteSnapshot,
            Method::NodeStageVolume => Rpc::NodeStageVolume,
            Method::NodeUnstageVolume => Rpc::NodeUnstageVolume,
            Method::NodePublishVolume => Rpc::NodePublishVolume,
            Method::NodeUnpublishVolume => Rpc::NodeUnpublishVolume,
            Method::NodeExpandVolume => Rpc::NodeExpandVolume,
            Method::NodeGetInfo => Rpc::NodeGetInfo,
        }
    }
}

/// Every capability with its name in the specification; the controller's and the node plugin's EXPAND_VOLUME
/// have one name.
const GATES: [(Gate, &str, bool); 14] = [
    (Gate::CreateDeleteVolume, "CREATE_DELETE_VOLUME", false),
    (Gate::PublishUnpublishVolume, "PUBLISH_UNPUBLISH_VOLUME", false),
    (Gate::ListVolumes, "LIST_VOLUMES", false),
    (Gate::GetCapacity, "GET_CAPACITY", false),
    (Gate::CreateDeleteSnapshot, "CREATE_DELETE_SNAPSHOT", false),
    (Gate::ListSnapshots, "LIST_SNAPSHOTS", false),
    (Gate::ExpandVolume, "EXPAND_VOLUME", false),
    (Gate::GetVolume, "GET_VOLUME", false),
    (Gate::ModifyVolume, "MODIFY_VOLUME", false),
    (Gate::GetSnapshot, "GET_SNAPSHOT", false),
    (Gate::SingleNodeMultiWriter, "SINGLE_NODE_MULTI_WRITER", true),
    (Gate::StageUnstageVolume, "STAGE_UNSTAGE_VOLUME", true),
    (Gate::GetVolumeStats, "GET_VOLUME_STATS", true),
    (Gate::NodeExpandVolume, "EXPAND_VOLUME", true),
];

/// The capabilities of a driver's controller plugin and node plugin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Abilities(u16);

impl Abilities {
    /// Those of a driver that can do everything.
    pub fn all() -> Self {
        GATES.iter().fold(Self::default(), |set, row| set.with(row.0))
    }

    /// The same and this one.
    pub fn with(self, gate: Gate) -> Self {
        Self(self.0 | bit(gate))
    }

    /// The same without this one.
    pub fn without(self, gate: Gate) -> Self {
        Self(self.0 & !bit(gate))
    }

    /// Whether it is there.
    pub fn has(self, gate: Gate) -> bool {
        self.0 & bit(gate) != 0
    }

    /// The same with only these of the plugin's capabilities, by their names in the specification.
    pub fn only<'a>(self, of_node: bool, names: impl IntoIterator<Item = &'a str>) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        GATES
            .iter()
            .filter(|row| row.2 == of_node)
            .fold(self, |set, row| if names.contains(&row.1) { set.with(row.0) } else { set.without(row.0) })
    }
}

fn bit(gate: Gate) -> u16 {
    1_u16.wrapping_shl(gate as u32)
}

impl From<&Driver> for Abilities {
    fn from(driver: &Driver) -> Self {
        let without = [
            // Nobody asks a driver with `attachRequired: false` to attach.
            (driver.attach_required && driver.controller_publish, Gate::PublishUnpublishVolume),
            (driver.node_stage, Gate::StageUnstageVolume),
            (driver.controller_expand, Gate::ExpandVolume),
            (driver.node_expand, Gate::NodeExpandVolume),
            (driver.modify, Gate::ModifyVolume),
            (driver.snapshots, Gate::CreateDeleteSnapshot),
            (driver.single_node_multi_writer, Gate::SingleNodeMultiWriter),
        ];
        without.into_iter().fold(Self::all(), |set, (has, gate)| if has { set } else { set.without(gate) })
    }
}
