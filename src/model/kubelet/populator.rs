//! The populator: which volumes kubelet wants for its Pods (K1, K8), and what it says of those it leaves out (K6).

use super::event::Event;
use super::mount::held;
use super::{Boot, Processed, Unprocessed};
use crate::model::turn::{Turn, need};
use crate::model::{
    AccessMode, ClaimPhase, EventId, Finalizer, Link, NodeId, ObjectId, PodId, PodVolume, Presence, Runtime,
    Unmet, VolumeId,
};

type Step = Result<(), Unmet>;

/// A Pod whose volume is to be in the desired state, and its Node.
fn known(t: &Turn, id: PodId) -> Result<NodeId, Unmet> {
    let pod = t.cluster.pod(id);
    need(pod.presence == Presence::Here, Unmet::PodMissing)?;
    let node = pod.node.ok_or(Unmet::PodUnbound)?;
    match t.cluster.node(node).agent.boot {
        Boot::Started => return Err(Unmet::NotReconstructed),
        // In its first round the populator adds every Pod whose containers may still run.
        Boot::Reconstructed => {}
        Boot::Ready => need(!pod.deleting, Unmet::PodDeleting)?,
    }
    need(pod.runtime != Runtime::Ended, Unmet::PodTerminated)?;
    Ok(node)
}

/// K1: the volume of a Pod, from its claim and its PersistentVolume as the API server has them now.
fn process(t: &Turn, id: PodId) -> Result<VolumeId, Unprocessed> {
    let claim_id = match t.world.pod(id).source {
        PodVolume::Inline(volume) => return Ok(VolumeId(volume as u8)),
        PodVolume::Claim(claim) | PodVolume::Ephemeral(claim) => crate::model::ClaimId(claim as u8),
    };
    let claim = t.cluster.claim(claim_id);
    if claim.presence != Presence::Here {
        return Err(Unprocessed::ClaimMissing);
    }
    if claim.deleting && !claim.finalizers.contains(Finalizer::PvcProtection) {
        return Err(Unprocessed::ClaimDeleting);
    }
    if claim.phase != ClaimPhase::Bound {
        return Err(Unprocessed::ClaimNotBound);
    }
    let volume = claim.volume.ok_or(Unprocessed::ClaimWithoutVolume)?;
    match (t.cluster.volume(volume).presence, t.cluster.volume(volume).claim) {
        (Presence::NotYet | Presence::Gone, _) => Err(Unprocessed::VolumeMissing),
        (Presence::Here, None) => Err(Unprocessed::VolumeUnclaimed),
        (Presence::Here, Some(holder)) if holder == claim_id && has_other_label(t, id, volume) => {
            Err(Unprocessed::SeLinuxConflict)
        }
        (Presence::Here, Some(holder)) if holder == claim_id => Ok(volume),
        (Presence::Here, Some(_)) => Err(Unprocessed::VolumeOfAnotherClaim),
    }
}

/// Whether another Pod of the Node wants a volume that is mounted with one SELinux label, and has another: in 1.36 that
/// is a ReadWriteOncePod volume of a driver with `seLinuxMount`.
///
/// Source: pkg/kubelet/volumemanager/cache/desired_state_of_world.go `AddPodToVolume`.
fn has_other_label(t: &Turn, id: PodId, volume: VolumeId) -> bool {
    let (world, node) = (t.world, t.cluster.pod(id).node);
    let one_pod = world.volume(volume).access_mode == AccessMode::ReadWriteOncePod;
    let (true, Some(node), Some(label)) =
        (one_pod && world.driver().se_linux_mount, node, world.pod(id).se_linux.as_ref())
    else {
        return false;
    };
    let wanted = t.cluster.place(Link { volume, node }).kubelet.wanted;
    let other = |pod: &PodId| *pod != id && wanted.contains(*pod);
    world.pods().filter(other).any(|pod| world.pod(pod).se_linux.as_ref().is_some_and(|own| own != label))
}

fn unmet(error: Unprocessed) -> Unmet {
    match error {
        Unprocessed::ClaimForbidden | Unprocessed::ClaimMissing => Unmet::ClaimMissing,
        Unprocessed::ClaimDeleting => Unmet::ClaimDeleting,
        Unprocessed::ClaimNotBound | Unprocessed::ClaimWithoutVolume => Unmet::ClaimNotBound,
        Unprocessed::VolumeMissing => Unmet::VolumeMissing,
        Unprocessed::VolumeUnclaimed | Unprocessed::VolumeOfAnotherClaim => Unmet::VolumeNotOfClaim,
        Unprocessed::SeLinuxConflict => Unmet::OtherLabel,
    }
}

/// K1: whether the populator's next round adds the Pod's volume.
pub(super) fn would_want(t: &Turn, id: PodId) -> Result<Link, Unmet> {
    let node = known(t, id)?;
    let volume = process(t, id).map_err(unmet)?;
    let link = Link { volume, node };
    need(!t.cluster.place(link).kubelet.wanted.contains(id), Unmet::AlreadyWanted)?;
    Ok(link)
}

/// K1: the populator puts the Pod's volume into the desired state.
pub(super) fn wants_volume(t: &mut Turn, id: PodId) -> Step {
    let link = would_want(t, id)?;
    t.read(ObjectId::Pod(id));
    t.read_volume(id, link.volume);
    let kubelet = &mut t.cluster.place_mut(link).kubelet;
    if kubelet.wanted.is_empty() {
        kubelet.reported_in_use = false;
    }
    kubelet.wanted.insert(id);
    Ok(())
}

/// K6: what the populator stored about a Pod ends the wait for its volumes, with an Event.
pub(super) fn reports_unprocessed(t: &mut Turn, id: PodId, error: Unprocessed) -> Step {
    let node = known(t, id)?;
    let volume = process(t, id);
    match (error, volume) {
        // The API server hears of the Pod's Node as late as kubelet does, so it may not show the claim yet.
        (Unprocessed::ClaimForbidden, Ok(volume)) => {
            let wanted = t.cluster.place(Link { volume, node }).kubelet.wanted.contains(id);
            need(!wanted && t.world.claim_of(id).is_some(), Unmet::AlreadyWanted)?;
        }
        (
            Unprocessed::ClaimForbidden
            | Unprocessed::ClaimMissing
            | Unprocessed::ClaimDeleting
            | Unprocessed::ClaimNotBound
            | Unprocessed::ClaimWithoutVolume
            | Unprocessed::VolumeMissing
            | Unprocessed::VolumeUnclaimed
            | Unprocessed::VolumeOfAnotherClaim
            | Unprocessed::SeLinuxConflict,
            other,
        ) => need(other == Err(error), Unmet::NoSuchError)?,
    }
    // The same text again is no news; what is forbidden only for a moment is not remembered, which leaves its bit to
    // the ninth error.
    let bit = 1_u8.wrapping_shl(error as u32);
    need(t.cluster.pod(id).told & bit == 0, Unmet::AlreadyTold)?;
    if error != Unprocessed::ClaimForbidden {
        t.cluster.pod_mut(id).told |= bit;
    }
    let volume = t.world.claim_of(id).and_then(|claim| t.cluster.claim(claim).volume);
    let holder = volume.and_then(|volume| t.cluster.volume(volume).claim);
    let processed = Processed { pod: id, node, volume, holder };
    t.event(ObjectId::Pod(id), EventId::Kubelet(Event::Unprocessed(processed, error)));
    Ok(())
}

/// K8: the Pod's containers are dead, so its volume leaves the desired state. kubelet knows that before its
/// status write has come through, so the end of the containers is no step of its own. A Pod object that is
/// still there keeps the entry as long as nothing is mounted for it, not even perhaps.
pub(super) fn drops_pod(t: &mut Turn, id: PodId) -> Step {
    let link = held(t, id)?;
    let kubelet = t.cluster.place(link).kubelet;
    need(kubelet.wanted.contains(id), Unmet::NotWanted)?;
    let pod = t.cluster.pod(id);
    let gone = pod.presence == Presence::Gone;
    need(gone || pod.deleting || pod.runtime == Runtime::Ended, Unmet::PodNotDeleting)?;
    need(pod.runtime != Runtime::Running, Unmet::ContainersNotThere)?;
    need(gone || kubelet.mount(id).may_be_mounted(), Unmet::NotMounted)?;
    let kubelet = &mut t.cluster.place_mut(link).kubelet;
    kubelet.wanted.remove(id);
    if kubelet.wanted.is_empty() {
        kubelet.reported_in_use = false;
    }
    Ok(())
}
