//! Whether kubelet changes the owner of a volume's files to the Pod's group (K16).

use crate::model::{AccessMode, FsGroupPolicy};

/// What a volume that is to be mounted comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source<'s> {
    /// A PersistentVolume with these access modes.
    Persistent(&'s [AccessMode]),
    /// A declaration in the Pod.
    Inline,
}

/// A mount, as far as the group matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mounting<'s> {
    /// `spec.securityContext.fsGroup` of the Pod is set.
    pub group: bool,
    /// `fsType` is set.
    pub fs_type: bool,
    /// The volume is mounted read-only.
    pub read_only: bool,
    /// Where the volume comes from; `None` when that is not known.
    pub source: Option<Source<'s>>,
}

/// Whether the policy lets the group apply to the mount. Who then applies it is another question: a node plugin
/// with VOLUME_MOUNT_GROUP is told the group, and kubelet changes nothing.
///
/// Source: pkg/volume/csi/csi_mounter.go `supportsFSGroup`.
pub fn applies(policy: FsGroupPolicy, mounting: Mounting) -> bool {
    if !mounting.group || mounting.read_only {
        return false;
    }
    match policy {
        FsGroupPolicy::None => false,
        FsGroupPolicy::File => true,
        FsGroupPolicy::ReadWriteOnceWithFsType => mounting.fs_type && mounting.source.is_some_and(is_for_one),
    }
}

/// Whether kubelet itself changes the owner after NodePublishVolume.
pub fn kubelet_changes_owner(policy: FsGroupPolicy, mounting: Mounting, mount_group: bool) -> bool {
    applies(policy, mounting) && !mount_group
}

fn is_for_one(source: Source) -> bool {
    match source {
        Source::Inline => true,
        Source::Persistent(modes) => modes.iter().any(|mode| match mode {
            AccessMode::ReadWriteOnce | AccessMode::ReadWriteOncePod => true,
            AccessMode::ReadOnlyMany | AccessMode::ReadWriteMany => false,
        }),
    }
}
