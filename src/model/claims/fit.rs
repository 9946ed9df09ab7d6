//! Whether a PersistentVolume is what a claim asks for, and whether a Node may have it.

use crate::model::{ClaimId, ClassId, Cluster, NodeId, VolumeId, World};

/// The first thing in which a PersistentVolume is not what a claim asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Mismatch {
    /// It is to go.
    Deleting,
    /// It is too small.
    Capacity,
    /// Its class is another.
    Class,
    /// One is a device, the other a file system.
    VolumeMode,
    /// It does not allow the access mode.
    AccessMode,
}

impl Mismatch {
    /// What the Event says, of the PersistentVolume of this name.
    pub fn message(self, pv: &str) -> String {
        match self {
            Mismatch::Deleting => format!("the volume is marked for deletion \"{pv}\""),
            Mismatch::Capacity => "requested PV is too small".into(),
            Mismatch::Class => "storageClassName does not match".into(),
            Mismatch::VolumeMode => "incompatible volumeMode".into(),
            Mismatch::AccessMode => "incompatible accessMode".into(),
        }
    }
}

/// What keeps a PersistentVolume from a claim that asks for it, if something does.
///
/// Source: pkg/controller/volume/persistentvolume/pv_controller.go `checkVolumeSatisfyClaim`.
pub fn mismatch(world: &World, cluster: &Cluster, claim: ClaimId, volume: VolumeId) -> Option<Mismatch> {
    let (asked, wanted) = (cluster.claim(claim), world.claim(claim));
    let (found, spec) = (cluster.volume(volume), world.volume(volume));
    if found.deleting {
        Some(Mismatch::Deleting)
    } else if found.capacity < asked.request {
        Some(Mismatch::Capacity)
    } else if class_of(world, volume) != asked.class {
        Some(Mismatch::Class)
    } else if spec.mode != wanted.mode {
        Some(Mismatch::VolumeMode)
    } else if spec.access_mode != wanted.access_mode {
        Some(Mismatch::AccessMode)
    } else {
        None
    }
}

/// The class of a PersistentVolume: one that was made for a claim has the claim's.
fn class_of(world: &World, volume: VolumeId) -> Option<ClassId> {
    let own = world.volume(volume).class.map(|place| ClassId(place as u8));
    own.or_else(|| world.provisioned_for(volume).and_then(|claim| world.class_of(claim)))
}

/// Whether a PersistentVolume's `spec.nodeAffinity` admits a Node.
pub fn admits(world: &World, cluster: &Cluster, volume: VolumeId, node: NodeId) -> bool {
    let listed = world.volume(volume).affinity.as_ref();
    listed.is_none_or(|nodes| nodes.contains(&usize::from(node.0)))
        && cluster.volume(volume).node.is_none_or(|only| only == node)
}
