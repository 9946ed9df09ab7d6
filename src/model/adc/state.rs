//! What the attach-detach controller remembers of a volume and a Node.

use crate::model::PodSet;

/// The attach-detach controller's actual state of a volume on a Node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Actual {
    /// Not in its list.
    #[default]
    Detached,
    /// An operation failed: it may be attached or not.
    Uncertain,
    /// Attached, confirmed.
    Attached,
}

/// The attach-detach controller's operation on a volume and a Node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum AdcOperation {
    /// None.
    #[default]
    None,
    /// Attach: polling the VolumeAttachment for `status.attached`.
    Attach,
    /// Detach: about to check and delete the VolumeAttachment.
    Detach,
    /// Detach: polling until the VolumeAttachment is gone.
    AwaitGone,
    /// Detach: about to delete the VolumeAttachment, without the check whether the Node uses the volume.
    DetachUnchecked,
}

/// What the attach-detach controller remembers of a volume and a Node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Adc {
    /// Desired state: the Pods on this Node that want the volume.
    pub wanted: PodSet,
    /// Actual state.
    pub actual: Actual,
    /// Its operation under way.
    pub operation: AdcOperation,
    /// To be listed in the Node's `status.volumesAttached`.
    pub reported: bool,
    /// It believes that the Node uses the volume.
    pub in_use: bool,
    /// The Multi-Attach event was sent for this desired entry.
    pub multi_attach_told: bool,
}
