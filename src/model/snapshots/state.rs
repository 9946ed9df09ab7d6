//! A VolumeSnapshot with its VolumeSnapshotContent, its snapshot at the backend, and what the two controllers do.

use crate::model::{Code, FinalizerSet, Presence};

/// What csi-snapshotter is doing about a VolumeSnapshotContent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Snapshotter {
    /// Nothing.
    #[default]
    Idle,
    /// CreateSnapshot has left.
    CreateCalled,
    /// The driver has cut the snapshot; its reply is under way.
    CreateDone,
    /// The reply is there, and says whether the snapshot is ready.
    Created(bool),
    /// DeleteSnapshot has left.
    DeleteCalled,
    /// The driver has deleted the snapshot; its reply is under way.
    DeleteDone,
    /// The reply is there, or there was nothing to delete.
    Deleted,
    /// The content's status is cleared.
    Cleared,
}

/// A snapshot at the backend.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum RealSnapshot {
    /// Not there.
    #[default]
    None,
    /// Cut, and not ready to be used yet.
    Cut,
    /// Ready to be used.
    Ready,
}

/// A VolumeSnapshotContent object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Content {
    /// The object.
    pub presence: Presence,
    /// `metadata.deletionTimestamp` is set.
    pub deleting: bool,
    /// `metadata.finalizers`
    pub finalizers: FinalizerSet,
    /// The annotation snapshot.storage.kubernetes.io/volumesnapshot-being-created.
    pub creating: bool,
    /// `status.snapshotHandle` is set.
    pub handle: bool,
    /// `status.readyToUse`
    pub ready: Option<bool>,
    /// `status.error` is set.
    pub error: bool,
}

/// A VolumeSnapshot object, and everything that belongs to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Snapshot {
    /// The object.
    pub presence: Presence,
    /// `metadata.deletionTimestamp` is set.
    pub deleting: bool,
    /// `metadata.finalizers`
    pub finalizers: FinalizerSet,
    /// `status.boundVolumeSnapshotContentName` is set.
    pub bound: bool,
    /// `status.readyToUse`
    pub ready: Option<bool>,
    /// snapshot-controller has told why there is no content, or why the snapshot cannot go.
    pub told: bool,
    /// Its VolumeSnapshotContent.
    pub content: Content,
    /// csi-snapshotter's work.
    pub snapshotter: Snapshotter,
    /// What is true.
    pub real: RealSnapshot,
}

/// Whether the driver may still be at a snapshot after this error of CreateSnapshot; then the annotation stays.
///
/// Source: external-snapshotter pkg/sidecar-controller/snapshot_controller.go:725 `isCSIFinalError`.
pub fn may_still_create(code: Code) -> bool {
    match code {
        Code::Canceled
        | Code::DeadlineExceeded
        | Code::Unavailable
        | Code::ResourceExhausted
        | Code::Aborted => true,
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
        | Code::Unauthenticated => false,
    }
}
