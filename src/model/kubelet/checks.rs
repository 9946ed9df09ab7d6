//! What stands in a mount's way before any call leaves (K4a to K4e, K7).

use super::event::Event;
use super::mount::held;
use super::{KubeletOperation as Op, MountError, MountState};
use crate::model::turn::{Turn, need};
use crate::model::{AccessMode, EventId, Link, ObjectId, PodId, Unmet, VolumeId, World};

type Step = Result<(), Unmet>;

/// Whether a volume has a device of its own to bring to the Node before any Pod gets it.
///
/// Source: pkg/volume/csi/csi_plugin.go `CanDeviceMount`.
pub(super) fn has_device(world: &World, volume: VolumeId) -> bool {
    !world.is_inline(volume)
}

/// What a mount needs to be tried at all (K4): wanted, attached, not mounted yet, no operation on the volume.
fn wants_mount(t: &Turn, id: PodId, link: Link) -> Step {
    let kubelet = t.cluster.place(link).kubelet;
    need(kubelet.wanted.contains(id), Unmet::NotWanted)?;
    need(kubelet.attached, Unmet::NotAttached)?;
    need(!kubelet.mounted.contains(id), Unmet::Mounted)?;
    need(kubelet.operation == Op::None, Unmet::OperationPending)
}

/// K4a to K4c: what ends a mount that begins now.
fn first_obstacle(t: &Turn, id: PodId, link: Link) -> Option<MountError> {
    if let Some(admitted) = &t.world.volume(link.volume).affinity
        && !admitted.contains(&usize::from(link.node.0))
    {
        return Some(MountError::NodeAffinity);
    }
    let kubelet = t.cluster.place(link).kubelet;
    let one_pod = t.world.volume(link.volume).access_mode == AccessMode::ReadWriteOncePod;
    // A mount that is not certain counts, too.
    if one_pod && t.world.pods().any(|other| other != id && kubelet.mount(other).may_be_mounted()) {
        return Some(MountError::AnotherPod);
    }
    if !t.world.is_attachable(link.volume) {
        return None;
    }
    let attachment = t.cluster.place(link).attachment;
    match (attachment.exists, attachment.deleting, attachment.attached) {
        (false, _, _) => Some(MountError::AttachmentMissing),
        (true, true, _) => Some(MountError::AttachmentDeleting),
        (true, false, false) if attachment.attach_error.is_some() => Some(MountError::AttachFailed),
        (true, false, false) => Some(MountError::AttachmentNotAttached),
        (true, false, true) => None,
    }
}

/// K4d, K4e: what ends it at its next call.
fn next_obstacle(t: &Turn, link: Link) -> Option<MountError> {
    let inline = t.world.is_inline(link.volume);
    if !t.cluster.node(link.node).agent.registered {
        return Some(MountError::NotRegistered);
    }
    if inline && !(t.world.driver().object && t.world.driver().ephemeral) {
        return Some(MountError::NotEphemeral);
    }
    let volume = t.world.volume(link.volume);
    let stages = t.world.driver().node_stage
        && has_device(t.world, link.volume)
        && t.cluster.place(link).kubelet.device != MountState::Mounted;
    let (secret, error) = if stages {
        (&volume.stage_secret, MountError::StageSecretMissing)
    } else {
        (&volume.node_publish_secret, MountError::PublishSecretMissing)
    };
    (secret.is_some() && !t.cluster.secrets().contains(link.volume)).then_some(error)
}

fn unmet(error: MountError) -> Unmet {
    match error {
        MountError::NodeAffinity => Unmet::NodeNotAdmitted,
        MountError::AnotherPod => Unmet::InUseByAnotherPod,
        MountError::AttachmentMissing => Unmet::AttachmentMissing,
        MountError::AttachmentDeleting => Unmet::AttachmentDeleting,
        MountError::AttachFailed | MountError::AttachmentNotAttached => Unmet::AttachmentNotAttached,
        MountError::NotRegistered => Unmet::DriverNotRegistered,
        MountError::NotEphemeral => Unmet::DriverNotEphemeral,
        MountError::StageSecretMissing | MountError::PublishSecretMissing => Unmet::SecretMissing,
    }
}

fn free(obstacle: Option<MountError>) -> Step {
    obstacle.map_or(Ok(()), |error| Err(unmet(error)))
}

/// K4c: the mount begins with one GET of the VolumeAttachment, which must be attached and not going.
pub(super) fn reads_attachment(t: &mut Turn, id: PodId) -> Step {
    let link = held(t, id)?;
    need(t.world.is_attachable(link.volume), Unmet::AttachNotRequired)?;
    wants_mount(t, id, link)?;
    free(first_obstacle(t, id, link))?;
    t.read(ObjectId::Attachment(link));
    t.cluster.place_mut(link).kubelet.operation = Op::Mount(id);
    Ok(())
}

/// A mount for this Pod that has passed its checks; where no attach is needed it may begin right here.
pub(super) fn mounting(t: &Turn, id: PodId, link: Link) -> Step {
    if t.cluster.place(link).kubelet.operation != Op::Mount(id) {
        need(!t.world.is_attachable(link.volume), Unmet::NoOperation)?;
        wants_mount(t, id, link)?;
        free(first_obstacle(t, id, link))?;
    }
    free(next_obstacle(t, link))
}

/// K5: the mount ends in an error before any call has left; what kubelet believes of the volume stays.
pub(super) fn fails_mount(t: &mut Turn, id: PodId, error: MountError) -> Step {
    let link = held(t, id)?;
    let obstacle = if t.cluster.place(link).kubelet.operation == Op::Mount(id) {
        next_obstacle(t, link)
    } else {
        wants_mount(t, id, link)?;
        let first = first_obstacle(t, id, link);
        // An attachable volume's mount has a step of its own between the two.
        if t.world.is_attachable(link.volume) { first } else { first.or_else(|| next_obstacle(t, link)) }
    };
    need(obstacle == Some(error), Unmet::NoSuchError)?;
    let kubelet = &mut t.cluster.place_mut(link).kubelet;
    kubelet.operation = Op::None;
    let device = has_device(t.world, link.volume) && kubelet.device != MountState::Mounted;
    let event = match t.cluster.place(link).attachment.attach_error {
        Some(failure) if error == MountError::AttachFailed => Event::AttachFailed(link, failure),
        Some(_) | None => Event::MountFailed(link, error, device),
    };
    t.event(ObjectId::Pod(id), EventId::Kubelet(event));
    Ok(())
}
