//! What made it possible that two Nodes hold a volume which only one may: the named dangerous causes.

/// Something that takes away a protection of a volume that only one Node may hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Cause {
    /// The attach-detach controller attached the volume although it was not certain that another Node let go:
    /// an attach or a detach had failed there (AD4, AD5).
    AttachBesideUncertain,
    /// It detached a volume in use after six minutes, because the Node was not ready, or without a look at its status
    /// (AD3).
    ForcedDetach,
    /// It detached a volume in use because of the taint node.kubernetes.io/out-of-service (AD3).
    OutOfService,
    /// Somebody deleted the VolumeAttachment.
    AttachmentDeletedByHand,
    /// Somebody took the external-attacher's finalizer off the VolumeAttachment.
    AttachmentStripped,
}

impl Cause {
    /// Every cause.
    pub const ALL: [Cause; 5] = [
        Cause::AttachBesideUncertain,
        Cause::ForcedDetach,
        Cause::OutOfService,
        Cause::AttachmentDeletedByHand,
        Cause::AttachmentStripped,
    ];

    /// Its name, such as `forced-detach`.
    pub fn name(self) -> &'static str {
        match self {
            Cause::AttachBesideUncertain => "attach-beside-uncertain",
            Cause::ForcedDetach => "forced-detach",
            Cause::OutOfService => "out-of-service",
            Cause::AttachmentDeletedByHand => "attachment-deleted-by-hand",
            Cause::AttachmentStripped => "attachment-stripped",
        }
    }
}

/// The causes that a run contains so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct CauseSet(u8);

impl CauseSet {
    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether this one is among them.
    pub fn contains(self, cause: Cause) -> bool {
        self.0 & bit(cause) != 0
    }

    /// Adds one.
    pub fn insert(&mut self, cause: Cause) {
        self.0 |= bit(cause);
    }

    /// Those in it, in order.
    pub fn iter(self) -> impl Iterator<Item = Cause> {
        Cause::ALL.into_iter().filter(move |cause| self.contains(*cause))
    }
}

fn bit(cause: Cause) -> u8 {
    1_u8.wrapping_shl(cause as u32)
}
