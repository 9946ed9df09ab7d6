//! The methods of the CSI specification that some actor calls.

/// A CSI method.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Method {
    /// CSI "CreateVolume"
    CreateVolume,
    /// CSI "DeleteVolume"
    DeleteVolume,
    /// CSI "ControllerPublishVolume"
    ControllerPublishVolume,
    /// CSI "ControllerUnpublishVolume"
    ControllerUnpublishVolume,
    /// CSI "ControllerExpandVolume"
    ControllerExpandVolume,
    /// CSI "ControllerModifyVolume"
    ControllerModifyVolume,
    /// CSI "CreateSnapshot"
    CreateSnapshot,
    /// CSI "DeleteSnapshot"
    DeleteSnapshot,
    /// CSI "NodeStageVolume"
    NodeStageVolume,
    /// CSI "NodeUnstageVolume"
    NodeUnstageVolume,
    /// CSI "NodePublishVolume"
    NodePublishVolume,
    /// CSI "NodeUnpublishVolume"
    NodeUnpublishVolume,
    /// CSI "NodeExpandVolume"
    NodeExpandVolume,
    /// CSI "NodeGetInfo"
    NodeGetInfo,
}

impl Method {
    /// Every method.
    pub const ALL: [Method; 14] = [
        Method::CreateVolume,
        Method::DeleteVolume,
        Method::ControllerPublishVolume,
        Method::ControllerUnpublishVolume,
        Method::ControllerExpandVolume,
        Method::ControllerModifyVolume,
        Method::CreateSnapshot,
        Method::DeleteSnapshot,
        Method::NodeStageVolume,
        Method::NodeUnstageVolume,
        Method::NodePublishVolume,
        Method::NodeUnpublishVolume,
        Method::NodeExpandVolume,
        Method::NodeGetInfo,
    ];

    /// The method's name in the CSI specification.
    pub fn name(self) -> &'static str {
        match self {
            Method::CreateVolume => "CreateVolume",
            Method::DeleteVolume => "DeleteVolume",
            Method::ControllerPublishVolume => "ControllerPublishVolume",
            Method::ControllerUnpublishVolume => "ControllerUnpublishVolume",
            Method::ControllerExpandVolume => "ControllerExpandVolume",
            Method::ControllerModifyVolume => "ControllerModifyVolume",
            Method::CreateSnapshot => "CreateSnapshot",
            Method::DeleteSnapshot => "DeleteSnapshot",
            Method::NodeStageVolume => "NodeStageVolume",
            Method::NodeUnstageVolume => "NodeUnstageVolume",
            Method::NodePublishVolume => "NodePublishVolume",
            Method::NodeUnpublishVolume => "NodeUnpublishVolume",
            Method::NodeExpandVolume => "NodeExpandVolume",
            Method::NodeGetInfo => "NodeGetInfo",
        }
    }

    /// Whether the node plugin answers it; else the controller plugin does.
    pub fn is_of_node(self) -> bool {
        match self {
            Method::NodeStageVolume
            | Method::NodeUnstageVolume
            | Method::NodePublishVolume
            | Method::NodeUnpublishVolume
            | Method::NodeExpandVolume
            | Method::NodeGetInfo => true,
            Method::CreateVolume
            | Method::DeleteVolume
            | Method::ControllerPublishVolume
            | Method::ControllerUnpublishVolume
            | Method::ControllerExpandVolume
            | Method::ControllerModifyVolume
            | Method::CreateSnapshot
            | Method::DeleteSnapshot => false,
        }
    }
}
