//! What is written: the kinds of API objects on the volume path, and references to one of them.

use std::fmt;

/// A kind of API object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// v1 Pod.
    Pod,
    /// v1 PersistentVolumeClaim.
    PersistentVolumeClaim,
    /// v1 PersistentVolume.
    PersistentVolume,
    /// storage.k8s.io/v1 VolumeAttachment.
    VolumeAttachment,
    /// v1 Node.
    Node,
    /// storage.k8s.io/v1 CSINode.
    CsiNode,
    /// storage.k8s.io/v1 CSIDriver.
    CsiDriver,
    /// storage.k8s.io/v1 StorageClass.
    StorageClass,
    /// snapshot.storage.k8s.io/v1 VolumeSnapshot.
    VolumeSnapshot,
    /// snapshot.storage.k8s.io/v1 VolumeSnapshotContent.
    VolumeSnapshotContent,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 10] = [
        Kind::Pod,
        Kind::PersistentVolumeClaim,
        Kind::PersistentVolume,
        Kind::VolumeAttachment,
        Kind::Node,
        Kind::CsiNode,
        Kind::CsiDriver,
        Kind::StorageClass,
        Kind::VolumeSnapshot,
        Kind::VolumeSnapshotContent,
    ];

    /// The kind of this name.
    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The kind as manifests spell it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Pod => "Pod",
            Kind::PersistentVolumeClaim => "PersistentVolumeClaim",
            Kind::PersistentVolume => "PersistentVolume",
            Kind::VolumeAttachment => "VolumeAttachment",
            Kind::Node => "Node",
            Kind::CsiNode => "CSINode",
            Kind::CsiDriver => "CSIDriver",
            Kind::StorageClass => "StorageClass",
            Kind::VolumeSnapshot => "VolumeSnapshot",
            Kind::VolumeSnapshotContent => "VolumeSnapshotContent",
        }
    }
}

/// One API object, as `Kind/name`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectRef {
    /// Its kind.
    pub kind: Kind,
    /// Its `metadata.name`.
    pub name: String,
}

impl fmt::Display for ObjectRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.kind.name(), self.name)
    }
}
