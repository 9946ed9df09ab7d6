//! The Events of the PersistentVolume controller, all about a claim.

use super::Mismatch;
use crate::model::event::{EventType, Text};
use crate::model::{ClassId, PodSet, VolumeId, World};

/// An Event that the PersistentVolume controller sends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Event {
    /// No Pod uses the claim yet.
    WaitForFirstConsumer,
    /// These Pods use it, and none of them has a Node.
    WaitForPodScheduled(PodSet),
    /// The provisioner of this class is to make a volume.
    ExternalProvisioning(ClassId),
    /// The class is not there.
    NoClass(ClassId),
    /// There is no class and no volume.
    NothingToBind,
    /// The volume that the claim names does not fit.
    Mismatched(VolumeId, Mismatch),
    /// It is another claim's.
    Taken(VolumeId),
    /// The PersistentVolume is gone.
    ClaimLost,
    /// The PersistentVolume is another claim's.
    ClaimMisbound,
}

impl Event {
    pub(in crate::model) fn text(self, world: &World) -> Text {
        use EventType::{Normal, Warning};
        match self {
            Event::WaitForFirstConsumer => (
                Normal,
                "WaitForFirstConsumer",
                "waiting for first consumer to be created before binding".into(),
            ),
            Event::WaitForPodScheduled(pods) => {
                let names: Vec<&str> = world
                    .pods()
                    .filter(|pod| pods.contains(*pod))
                    .map(|pod| world.pod(pod).name.as_str())
                    .collect();
                let which = if names.len() > 1 { "pods" } else { "pod" };
                let message = format!("waiting for {which} {} to be scheduled", names.join(","));
                (Normal, "WaitForPodScheduled", message)
            }
            Event::ExternalProvisioning(class) => (
                Normal,
                "ExternalProvisioning",
                format!(
                    "Waiting for a volume to be created either by the external provisioner '{}' or manually by \
                     the system administrator. If volume creation is delayed, please verify that the \
                     provisioner is running and correctly registered.",
                    world.class(class).provisioner
                ),
            ),
            Event::NoClass(class) => (
                Warning,
                "ProvisioningFailed",
                format!("storageclass.storage.k8s.io \"{}\" not found", world.class(class).name),
            ),
            Event::NothingToBind => (
                Normal,
                "FailedBinding",
                "no persistent volumes available for this claim and no storage class is set".into(),
            ),
            Event::Mismatched(volume, why) => {
                let pv = &world.volume(volume).pv;
                let message = format!("Cannot bind to requested volume \"{pv}\": {}", why.message(pv));
                (Warning, "VolumeMismatch", message)
            }
            Event::Taken(volume) => (
                Warning,
                "FailedBinding",
                format!("volume \"{}\" already bound to a different claim.", world.volume(volume).pv),
            ),
            Event::ClaimLost => (
                Warning,
                "ClaimLost",
                "Bound claim has lost its PersistentVolume. Data on the volume is lost!".into(),
            ),
            Event::ClaimMisbound => (
                Warning,
                "ClaimMisbound",
                "Two claims are bound to the same volume, this one is bound incorrectly".into(),
            ),
        }
    }
}
