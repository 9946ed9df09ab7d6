//! The backend makes and deletes volumes: CreateVolume and DeleteVolume, each as often as it is called.

use super::Act;
use crate::model::driver_grows::agrees;
use crate::model::fault::has_hangs;
use crate::model::turn::{Turn, need};
use crate::model::{
    About, Action, ClaimId, Code, Deletion, Failure, FaultId, FaultKind, Method, NodeId, Provision, Role,
    Unmet, VolumeId, World,
};

type Step = Result<(), Unmet>;

/// The faults that end calls of a method.
pub(in crate::model) fn answers(world: &World, of: Method) -> impl Iterator<Item = FaultId> + '_ {
    let fits = move |kind: &FaultKind| matches!(kind, FaultKind::Answer { method, .. } | FaultKind::Hangs { method, .. } if *method == of);
    world.faults().filter(move |(_, fault)| fits(&fault.kind)).map(|(id, _)| id)
}

/// The errors that a call of a method may end in, in this world: the faults in store, the node plugin's absence, and
/// the driver's own refusals.
pub(in crate::model) fn failures(
    world: &World,
    of: Method,
    on: Option<NodeId>,
) -> impl Iterator<Item = Failure> + '_ {
    let stored = world.faults().filter_map(move |(id, fault)| match fault.kind {
        FaultKind::Answer { method, node, .. } => {
            (method == of && (node.is_none() || node == on)).then_some(Failure::Fault(id))
        }
        FaultKind::Hangs { method, node, .. } => {
            (method == of && (node.is_none() || node == on)).then_some(Failure::Fault(id))
        }
        FaultKind::Down { role, node } => {
            let of_node = of.is_of_node() && role == Role::DriverNode && node == on;
            let of_cluster = !of.is_of_node() && role == Role::DriverController;
            (of_node || of_cluster).then_some(Failure::Unreachable)
        }
        FaultKind::PodForced { .. }
        | FaultKind::NamespaceDeleted
        | FaultKind::Tainted { .. }
        | FaultKind::Refused { .. }
        | FaultKind::ByHand { .. } => None,
    });
    let codes: &[Code] = match of {
        Method::CreateVolume => &[Code::NotFound, Code::InvalidArgument],
        Method::DeleteVolume => &[Code::FailedPrecondition],
        Method::NodeStageVolume => &[Code::NotFound, Code::Internal],
        Method::NodePublishVolume => &[Code::NotFound, Code::FailedPrecondition],
        Method::NodeUnstageVolume => &[Code::NotFound, Code::Internal],
        Method::NodeUnpublishVolume => &[Code::NotFound],
        Method::ControllerPublishVolume
        | Method::ControllerUnpublishVolume
        | Method::ControllerExpandVolume
        | Method::ControllerModifyVolume
        | Method::CreateSnapshot
        | Method::DeleteSnapshot
        | Method::NodeExpandVolume
        | Method::NodeGetInfo => &[],
    };
    // While it goes on with a call that hangs.
    let busy = has_hangs(world) && of != Method::NodeGetInfo;
    stored.chain(codes.iter().copied().chain(busy.then_some(Code::Aborted)).map(Failure::Driver))
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    let claims = world.claims().filter(|claim| !world.claim(*claim).given);
    found.extend(claims.map(|claim| Action::Driver(Act::CreatesVolume(claim))));
    let short = |claim: &ClaimId| world.provisions(*claim).is_some_and(|v| world.volume(v).made.is_some());
    found.extend(world.claims().filter(short).map(|claim| Action::Driver(Act::CleansVolume(claim))));
    let volumes = world.volumes().filter(|volume| !world.is_kept(*volume));
    found.extend(volumes.map(|volume| Action::Driver(Act::DeletesVolume(volume))));
}

/// The backend makes the volume of this name, if it has none yet.
pub(super) fn creates(t: &mut Turn, claim: ClaimId) -> Step {
    need(t.cluster.provisioner(claim).step == Provision::Called, Unmet::NoSuchCall)?;
    let volume = t.world.provisions(claim).ok_or(Unmet::NothingToProvision)?;
    agrees(t, Method::CreateVolume, About::Claim(claim))?;
    t.cluster.provisioner_mut(claim).step = Provision::Done;
    t.cluster.volume_mut(volume).disk = true;
    Ok(())
}

/// The backend deletes what it has just made.
pub(super) fn cleans(t: &mut Turn, claim: ClaimId) -> Step {
    need(t.cluster.provisioner(claim).step == Provision::CleanupCalled, Unmet::NoSuchCall)?;
    let volume = t.world.provisions(claim).ok_or(Unmet::NothingToProvision)?;
    t.cluster.provisioner_mut(claim).step = Provision::CleanupDone;
    t.cluster.volume_mut(volume).disk = false;
    Ok(())
}

/// The backend deletes the volume, if it has it.
pub(super) fn deletes(t: &mut Turn, volume: VolumeId) -> Step {
    need(t.cluster.deleter(volume).step == Deletion::Called, Unmet::NoSuchCall)?;
    agrees(t, Method::DeleteVolume, About::Volume(volume))?;
    t.cluster.deleter_mut(volume).step = Deletion::Done;
    t.cluster.volume_mut(volume).disk = false;
    Ok(())
}
