//! The Events that the attach-detach controller sends, to the letter (failures C).

use crate::model::event::{EventType, Text};
use crate::model::{About, Failure, Link, Method, PodId, PodSet, VolumeId, World};

/// Why an attach failed, as far as the controller can tell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Trouble {
    /// `status.attachError` has it.
    Error(Failure),
    /// The VolumeAttachment has a deletionTimestamp.
    Deleting,
    /// The VolumeAttachment is gone.
    Deleted,
    /// Nothing happened for two minutes.
    TimedOut,
}

impl Trouble {
    /// The error's text.
    pub fn text(self, world: &World, link: Link) -> String {
        match self {
            Trouble::Error(failure) => {
                failure.text(world, Method::ControllerPublishVolume, About::Link(link))
            }
            Trouble::Deleting => "volume attachment is being deleted".into(),
            Trouble::Deleted => "volume attachment has been deleted".into(),
            Trouble::TimedOut => format!(
                "timed out waiting for external-attacher of {} CSI driver to attach volume {}",
                world.driver().name,
                world.volume(link.volume).handle
            ),
        }
    }
}

/// An Event that the attach-detach controller sends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Event {
    /// It saw the volume attached.
    SuccessfulAttachVolume(VolumeId),
    /// The volume is attached to another Node, where these Pods use it; the last is the Pod that it tells.
    MultiAttach(VolumeId, PodSet, PodId),
    /// An attach failed.
    AttachFailed(Link, Trouble),
}

impl Event {
    pub(in crate::model) fn text(self, world: &World) -> Text {
        match self {
            Event::SuccessfulAttachVolume(volume) => (
                EventType::Normal,
                "SuccessfulAttachVolume",
                // Success texts of volume operations end with a blank.
                format!("AttachVolume.Attach succeeded for volume \"{}\" ", world.volume(volume).pv),
            ),
            Event::MultiAttach(volume, users, pod) => (
                EventType::Warning,
                "FailedAttachVolume",
                format!(
                    "Multi-Attach error for volume \"{}\" {}",
                    world.volume(volume).pv,
                    used_by(world, users, pod)
                ),
            ),
            Event::AttachFailed(link, trouble) => (
                EventType::Warning,
                "FailedAttachVolume",
                format!(
                    "AttachVolume.Attach failed for volume \"{}\" : {}",
                    world.volume(link.volume).pv,
                    trouble.text(world, link)
                ),
            ),
        }
    }
}

/// Who uses the volume: Pods of the same namespace by name, others by number.
///
/// Source: pkg/controller/volume/attachdetach/reconciler/reconciler.go `reportMultiAttachError`.
fn used_by(world: &World, users: PodSet, pod: PodId) -> String {
    let (near, far): (Vec<PodId>, Vec<PodId>) = world
        .pods()
        .filter(|user| users.contains(*user))
        .partition(|user| world.namespace_of(*user) == world.namespace_of(pod));
    let names: Vec<&str> = near.iter().map(|user| world.pod(*user).name.as_str()).collect();
    match (names.is_empty(), far.len()) {
        (true, 0) => {
            "Volume is already exclusively attached to one node and can't be attached to another".into()
        }
        (false, 0) => format!("Volume is already used by pod(s) {}", names.join(", ")),
        (true, others) => format!("Volume is already used by {others} pod(s) in different namespaces"),
        (false, others) => format!(
            "Volume is already used by pod(s) {} and {others} pod(s) in different namespaces",
            names.join(", ")
        ),
    }
}
