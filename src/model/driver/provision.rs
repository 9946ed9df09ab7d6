//! The backend makes and deletes volumes: CreateVolume and DeleteVolume, each as often as it is called.

use super::Act;
use crate::model::turn::{Turn, need};
use crate::model::{
    Action, ClaimId, Deletion, FaultId, FaultKind, Method, Provision, Unmet, VolumeId, World,
};

type Step = Result<(), Unmet>;

/// The faults that answer calls of a method.
pub(in crate::model) fn answers(world: &World, of: Method) -> impl Iterator<Item = FaultId> + '_ {
    let fits = move |kind: &FaultKind| matches!(kind, FaultKind::Answer { method, .. } if *method == of);
    world.faults().filter(move |(_, fault)| fits(&fault.kind)).map(|(id, _)| id)
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    let claims = world.claims().filter(|claim| !world.claim(*claim).given);
    found.extend(claims.map(|claim| Action::Driver(Act::CreatesVolume(claim))));
    let volumes = world.volumes().filter(|volume| !world.is_kept(*volume));
    found.extend(volumes.map(|volume| Action::Driver(Act::DeletesVolume(volume))));
}

/// The backend makes the volume of this name, if it has none yet.
pub(super) fn creates(t: &mut Turn, claim: ClaimId) -> Step {
    need(t.cluster.provisioner(claim).step == Provision::Called, Unmet::NoSuchCall)?;
    let volume = t.world.provisions(claim).ok_or(Unmet::NothingToProvision)?;
    t.cluster.provisioner_mut(claim).step = Provision::Done;
    t.cluster.volume_mut(volume).disk = true;
    Ok(())
}

/// The backend deletes the volume, if it has it.
pub(super) fn deletes(t: &mut Turn, volume: VolumeId) -> Step {
    need(t.cluster.deleter(volume).step == Deletion::Called, Unmet::NoSuchCall)?;
    t.cluster.deleter_mut(volume).step = Deletion::Done;
    t.cluster.volume_mut(volume).disk = false;
    Ok(())
}
