//! The two protection controllers: a claim or a PersistentVolume in use is not removed (PP1, PP2).

use super::action::{Fact, Subject};
use super::effect::{Field, Value};
use super::timing::{WATCH, When};
use super::turn::{Turn, finalizers, need};
use super::{
    Action, ClaimId, Cluster, Finalizer, ObjectId, Presence, Role, Unmet, VolumeId, VolumePhase, World,
};

type Step = Result<(), Unmet>;

/// Something that a protection controller does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the sentence that its name in `fact` spells")]
pub enum Act {
    ReleasesClaim(ClaimId),
    ReleasesVolume(VolumeId),
}

impl Act {
    pub(super) fn fact(self) -> Fact {
        match self {
            Act::ReleasesClaim(_) => Fact {
                role: Role::PvcProtection,
                rule: "PP1",
                name: "protection-releases-claim",
                source: "pkg/controller/volume/pvcprotection/pvc_protection_controller.go:246",
            },
            Act::ReleasesVolume(_) => Fact {
                role: Role::PvProtection,
                rule: "PP2",
                name: "protection-releases-volume",
                source: "pkg/controller/volume/pvprotection/pv_protection_controller.go",
            },
        }
    }

    pub(super) fn subject(self) -> Subject {
        match self {
            Act::ReleasesClaim(claim) => Subject::Claim(claim),
            Act::ReleasesVolume(volume) => Subject::Volume(volume),
        }
    }

    pub(super) fn when(self, _: &World, _: &Cluster) -> When {
        When::After(WATCH.ms)
    }

    pub(super) fn run(self, t: &mut Turn) -> Step {
        match self {
            Act::ReleasesClaim(id) => releases_claim(t, id),
            Act::ReleasesVolume(id) => releases_volume(t, id),
        }
    }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    let claims = world.claims().filter(|claim| !world.claim(*claim).kept);
    found.extend(claims.map(|claim| Action::Protection(Act::ReleasesClaim(claim))));
    let volumes = world.volumes().filter(|volume| !world.is_kept(*volume));
    found.extend(volumes.map(|volume| Action::Protection(Act::ReleasesVolume(volume))));
}

/// Whether a Pod that was given a Node uses the claim: one that has ended counts too. A claim of the Pod's own would be
/// let go of a little earlier, when kubelet is done with the Pod; but then the Pod's object goes at once.
///
/// Source: pkg/controller/volume/pvcprotection/pvc_protection_controller.go:449 `podUsesPVC`, `podIsShutDown`.
pub fn in_use(world: &World, cluster: &Cluster, claim: ClaimId) -> bool {
    world.pods().any(|id| {
        let pod = cluster.pod(id);
        world.claim_of(id) == Some(claim) && pod.presence == Presence::Here && pod.node.is_some()
    })
}

/// PP1: the claim is to go, and no Pod with a Node uses it.
fn releases_claim(t: &mut Turn, id: ClaimId) -> Step {
    let claim = t.cluster.claim(id);
    need(claim.presence == Presence::Here, Unmet::ClaimMissing)?;
    need(claim.deleting, Unmet::ClaimNotDeleting)?;
    need(claim.finalizers.contains(Finalizer::PvcProtection), Unmet::ClaimNotProtected)?;
    need(!in_use(t.world, &t.cluster, id), Unmet::ClaimInUse)?;
    t.read(ObjectId::Claim(id));
    for pod in t.world.pods().filter(|pod| t.world.claim_of(*pod) == Some(id)) {
        t.read(ObjectId::Pod(pod));
    }
    lift_from_claim(t, id, Finalizer::PvcProtection);
    Ok(())
}

/// PP2: the PersistentVolume is to go, and it is not bound.
fn releases_volume(t: &mut Turn, id: VolumeId) -> Step {
    let volume = t.cluster.volume(id);
    need(volume.presence == Presence::Here, Unmet::VolumeMissing)?;
    need(volume.deleting, Unmet::VolumeNotDeleting)?;
    need(volume.finalizers.contains(Finalizer::PvProtection), Unmet::VolumeNotProtected)?;
    need(volume.phase != VolumePhase::Bound, Unmet::VolumeBound)?;
    t.read(ObjectId::Volume(id));
    lift_from_volume(t, id, Finalizer::PvProtection);
    Ok(())
}

/// Takes a finalizer off a claim; the last one of a claim that is to go takes the claim with it.
pub(super) fn lift_from_claim(t: &mut Turn, id: ClaimId, finalizer: Finalizer) {
    let claim = t.cluster.claim_mut(id);
    let from = claim.finalizers;
    let to = from.without(finalizer);
    claim.finalizers = to;
    let gone = claim.deleting && to.is_empty();
    if gone {
        claim.presence = Presence::Gone;
    }
    t.write(ObjectId::Claim(id), Field::Finalizers, finalizers(from), finalizers(to));
    if gone {
        t.delete(ObjectId::Claim(id));
    }
}

/// Takes a finalizer off a PersistentVolume; the last one of a volume that is to go takes the object with it.
pub(super) fn lift_from_volume(t: &mut Turn, id: VolumeId, finalizer: Finalizer) {
    let volume = t.cluster.volume_mut(id);
    let from = volume.finalizers;
    let to = from.without(finalizer);
    volume.finalizers = to;
    let gone = volume.deleting && to.is_empty();
    if gone {
        volume.presence = Presence::Gone;
    }
    t.write(ObjectId::Volume(id), Field::Finalizers, finalizers(from), finalizers(to));
    if gone {
        t.delete(ObjectId::Volume(id));
    }
}

/// A PersistentVolume is deleted: without finalizers it goes at once.
pub(super) fn delete_volume(t: &mut Turn, id: VolumeId) {
    let volume = t.cluster.volume_mut(id);
    volume.deleting = true;
    let gone = volume.finalizers.is_empty();
    if gone {
        volume.presence = Presence::Gone;
    }
    t.write(ObjectId::Volume(id), Field::DeletionTimestamp, Value::Absent, Value::Set);
    if gone {
        t.delete(ObjectId::Volume(id));
    }
}

/// By hand, all finalizers of a claim that is to go are taken off, and it goes.
pub(super) fn strips_claim(t: &mut Turn, id: ClaimId) -> Step {
    let claim = t.cluster.claim_mut(id);
    need(claim.presence == Presence::Here, Unmet::ClaimMissing)?;
    need(claim.deleting, Unmet::ClaimNotDeleting)?;
    let from = std::mem::take(&mut claim.finalizers);
    claim.presence = Presence::Gone;
    t.write(ObjectId::Claim(id), Field::Finalizers, finalizers(from), Value::Absent);
    t.delete(ObjectId::Claim(id));
    Ok(())
}

/// The same of a PersistentVolume: its disk stays at the backend.
pub(super) fn strips_volume(t: &mut Turn, id: VolumeId) -> Step {
    let volume = t.cluster.volume_mut(id);
    need(volume.presence == Presence::Here, Unmet::VolumeMissing)?;
    need(volume.deleting, Unmet::VolumeNotDeleting)?;
    let from = std::mem::take(&mut volume.finalizers);
    volume.presence = Presence::Gone;
    t.write(ObjectId::Volume(id), Field::Finalizers, finalizers(from), Value::Absent);
    t.delete(ObjectId::Volume(id));
    Ok(())
}
