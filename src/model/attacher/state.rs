//! What the external-attacher is doing about a VolumeAttachment.

use crate::model::Failure;

/// The external-attacher's work on a VolumeAttachment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Attacher {
    /// None.
    #[default]
    Idle,
    /// ControllerPublishVolume has left.
    PublishCalled,
    /// The driver has attached; its reply is under way.
    PublishDone,
    /// The reply is there.
    Published,
    /// None, but its informer may still show the VolumeAttachment as it was before `status.attached`.
    Lagging,
    /// ControllerPublishVolume has left once more, for that reason.
    RepeatCalled,
    /// ControllerUnpublishVolume has left.
    UnpublishCalled,
    /// The driver has detached; its reply is under way.
    UnpublishDone,
    /// The reply is there.
    Unpublished,
    /// ControllerPublishVolume has failed; `status.attachError` is to be written.
    PublishFailed(Failure),
    /// ControllerUnpublishVolume has failed; `status.detachError` is to be written.
    UnpublishFailed(Failure),
}
