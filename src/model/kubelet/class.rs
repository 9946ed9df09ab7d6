//! What kubelet concludes from an error, and which steps a device takes to come and to go.

use crate::model::Code;

/// What an error of NodeStageVolume or NodePublishVolume tells kubelet of the volume (K5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorClass {
    /// The operation has certainly ended: what it prepared is removed.
    Final,
    /// It may still be running, or have been done: what it prepared stays, and has to be undone later.
    Uncertain,
}

impl ErrorClass {
    /// The class of a code.
    ///
    /// Source: pkg/volume/csi/csi_client.go `isFinalError`.
    pub fn of(code: Code) -> Self {
        match code {
            Code::Canceled
            | Code::DeadlineExceeded
            | Code::Unavailable
            | Code::ResourceExhausted
            | Code::Aborted => ErrorClass::Uncertain,
            Code::Ok
            | Code::Unknown
            | Code::InvalidArgument
            | Code::NotFound
            | Code::AlreadyExists
            | Code::PermissionDenied
            | Code::FailedPrecondition
            | Code::OutOfRange
            | Code::Unimplemented
            | Code::Internal
            | Code::DataLoss
            | Code::Unauthenticated => ErrorClass::Final,
        }
    }
}

/// What bringing a device to its staging path, or taking it down, consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeviceSteps {
    /// The driver is asked for its capabilities first.
    pub asks: bool,
    /// The driver is called.
    pub calls: bool,
    /// `vol_data.json` is written, or removed.
    pub data: bool,
    /// The directory is made, or removed.
    pub directory: bool,
}

/// How a device comes, by whether the node plugin has STAGE_UNSTAGE_VOLUME (K4d).
///
/// Source: pkg/volume/csi/csi_attacher.go `MountDevice`.
pub fn mount_device(node_stage: bool) -> DeviceSteps {
    DeviceSteps { asks: true, calls: node_stage, data: node_stage, directory: true }
}

/// How it goes, by that and by whether `vol_data.json` is there: without the file nobody knows the driver, so
/// nothing is called and the directory stays (K10).
///
/// Source: pkg/volume/csi/csi_attacher.go `UnmountDevice`.
pub fn unmount_device(node_stage: bool, data: bool) -> DeviceSteps {
    DeviceSteps { asks: data, calls: node_stage && data, data, directory: data }
}
