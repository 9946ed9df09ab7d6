//! From a claim that asks for a volume to its PersistentVolume (EP1 to EP5).

use super::{CreateOutcome, Event, Provision, create_outcome};
use crate::model::claims::is_delayed;
use crate::model::data_source;
use crate::model::effect::{About, Field, Method, Reply, Value};
use crate::model::turn::{Turn, need};
use crate::model::{
    ClaimId, Code, EventId, Failure, Finalizer, FinalizerSet, NodeId, ObjectId, Presence, Unmet, Volume,
    VolumeId, VolumePhase,
};

type Step = Result<(), Unmet>;

/// The volume that is made for a claim.
fn product(t: &Turn, id: ClaimId) -> Result<VolumeId, Unmet> {
    t.world.provisions(id).ok_or(Unmet::NothingToProvision)
}

/// EP1 and EP2: a claim that is to have a volume, and has none.
pub(in crate::model) fn wants(t: &Turn, id: ClaimId) -> Step {
    let claim = t.cluster.claim(id);
    let provisioner = t.cluster.provisioner(id);
    // A claim in progress is remembered when it is gone; whether it is to go is not looked at.
    need(claim.presence == Presence::Here || provisioner.in_progress, Unmet::ClaimMissing)?;
    need(claim.volume.is_none(), Unmet::ClaimBound)?;
    need(claim.provisioner, Unmet::ProvisionerNotAsked)?;
    let class = claim.class.ok_or(Unmet::ClassMissing)?;
    need(t.world.class(class).provisioner == t.world.driver().name, Unmet::OtherProvisioner)?;
    let delayed = is_delayed(t.world, &t.cluster, id);
    need(!delayed || claim.selected.is_some(), Unmet::NodeNotSelected)?;
    let made = product(t, id).is_ok_and(|volume| t.cluster.volume(volume).presence == Presence::Here);
    need(!made, Unmet::VolumeExists)?;
    need(provisioner.step == Provision::Idle, Unmet::OperationPending)?;
    need(t.cluster.class(class).presence == Presence::Here, Unmet::ClassMissing)
}

/// The selected Node, if the driver has topology but the Node's CSINode does not tell one.
fn without_topology(t: &Turn, id: ClaimId) -> Option<NodeId> {
    let selected = t.cluster.claim(id).selected.filter(|_| t.world.driver().topology);
    selected.filter(|node| !t.cluster.node(*node).driver)
}

/// EP4: without the selected Node's topology there is nothing to ask the driver for.
pub(super) fn finds_no_topology(t: &mut Turn, id: ClaimId) -> Step {
    wants(t, id)?;
    let node = without_topology(t, id).ok_or(Unmet::TopologyKnown)?;
    need(!t.cluster.provisioner(id).told_no_topology, Unmet::AlreadyTold)?;
    t.read(ObjectId::CsiNode(node));
    t.cluster.provisioner_mut(id).told_no_topology = true;
    t.event(ObjectId::Claim(id), EventId::Provisioner(Event::NoTopology(node)));
    Ok(())
}

/// The selected Node, if there is none of that name any more.
fn lost_node(t: &Turn, id: ClaimId) -> Option<NodeId> {
    t.cluster.claim(id).selected.filter(|node| t.cluster.node(*node).gone)
}

/// EP5: the Node that the scheduler selected is gone, so the scheduler is to choose again.
///
/// Source: sig-storage-lib-external-provisioner controller/controller.go `provisionClaimOperation`.
pub(super) fn finds_no_node(t: &mut Turn, id: ClaimId) -> Step {
    wants(t, id)?;
    let node = lost_node(t, id).ok_or(Unmet::NodeThere)?;
    t.read(ObjectId::Node(node));
    t.cluster.claim_mut(id).selected = None;
    let object = ObjectId::Claim(id);
    t.event(object, EventId::Provisioner(Event::NoNode(node)));
    t.write(object, Field::SelectedNode, Value::Node(node), Value::Absent);
    Ok(())
}

/// EP2: CreateVolume leaves, under the name that the claim's uid gives the volume.
pub(super) fn calls_create(t: &mut Turn, id: ClaimId) -> Step {
    wants(t, id)?;
    need(lost_node(t, id).is_none(), Unmet::NodeMissing)?;
    need(without_topology(t, id).is_none(), Unmet::TopologyUnknown)?;
    data_source::ready(t, id)?;
    product(t, id)?;
    t.read(ObjectId::Claim(id));
    if let Some(class) = t.cluster.claim(id).class {
        t.read(ObjectId::Class(class));
    }
    let told = t.cluster.provisioner(id).told;
    let provisioner = t.cluster.provisioner_mut(id);
    provisioner.step = Provision::Called;
    provisioner.told = true;
    t.call(Method::CreateVolume, About::Claim(id));
    // The Event is sent first and seen last, since it waits in its sender's queue.
    if !told {
        t.event(ObjectId::Claim(id), EventId::Provisioner(Event::Provisioning(id)));
    }
    Ok(())
}

/// EP3: the reply to CreateVolume arrives.
pub(super) fn receives_create_ok(t: &mut Turn, id: ClaimId) -> Step {
    need(t.cluster.provisioner(id).step == Provision::Done, Unmet::NoSuchCall)?;
    t.cluster.provisioner_mut(id).step = Provision::Received;
    t.reply(Method::CreateVolume, About::Claim(id), Reply::Ok);
    Ok(())
}

/// EP4: CreateVolume fails; the code decides what becomes of the claim.
pub(super) fn receives_create_failed(t: &mut Turn, id: ClaimId, failure: Failure) -> Step {
    let did = match t.cluster.provisioner(id).step {
        Provision::Called => false,
        Provision::Done => true,
        Provision::Idle | Provision::Received | Provision::CleanupCalled | Provision::CleanupDone => {
            return Err(Unmet::NoSuchCall);
        }
    };
    t.fails(failure, Method::CreateVolume, About::Claim(id), did)?;
    let claim = *t.cluster.claim(id);
    let code = failure.code(t.world).unwrap_or(Code::Unknown);
    let outcome = create_outcome(code, t.world.driver().topology, claim.selected.is_some());
    let known = t.cluster.provisioner(id).failed == Some(failure);
    let provisioner = t.cluster.provisioner_mut(id);
    provisioner.step = Provision::Idle;
    provisioner.failed = Some(failure);
    provisioner.in_progress = outcome == CreateOutcome::InBackground;
    t.reply(Method::CreateVolume, About::Claim(id), Reply::Failed(failure));
    let object = ObjectId::Claim(id);
    if !known {
        t.event(object, EventId::Provisioner(Event::ProvisioningFailed(id, failure)));
    }
    let selected = claim.selected.filter(|_| claim.presence == Presence::Here);
    if let Some(node) = selected.filter(|_| outcome == CreateOutcome::Reschedule) {
        t.cluster.claim_mut(id).selected = None;
        t.write(object, Field::SelectedNode, Value::Node(node), Value::Absent);
    }
    Ok(())
}

/// Whether the driver has made less than the claim asks for.
fn is_short(t: &Turn, id: ClaimId, volume: VolumeId) -> bool {
    t.world.volume(volume).made.is_some_and(|made| made < t.cluster.claim(id).request)
}

/// EP3: the driver has made less than it was asked for, so what it has made is deleted at once.
///
/// Source: external-provisioner pkg/controller/controller.go `Provision`, `cleanupVolume`.
pub(super) fn calls_cleanup(t: &mut Turn, id: ClaimId) -> Step {
    need(t.cluster.provisioner(id).step == Provision::Received, Unmet::NoSuchCall)?;
    let volume = product(t, id)?;
    need(is_short(t, id, volume), Unmet::VolumeLargeEnough)?;
    t.cluster.provisioner_mut(id).step = Provision::CleanupCalled;
    t.call(Method::DeleteVolume, About::Volume(volume));
    Ok(())
}

/// EP3: it is deleted, and CreateVolume is tried again in the background.
pub(super) fn receives_cleanup_ok(t: &mut Turn, id: ClaimId) -> Step {
    need(t.cluster.provisioner(id).step == Provision::CleanupDone, Unmet::NoSuchCall)?;
    let volume = product(t, id)?;
    t.reply(Method::DeleteVolume, About::Volume(volume), Reply::Ok);
    let known = t.cluster.provisioner(id).failed == Some(Failure::TooSmall);
    let provisioner = t.cluster.provisioner_mut(id);
    provisioner.step = Provision::Idle;
    provisioner.failed = Some(Failure::TooSmall);
    provisioner.in_progress = true;
    if !known {
        let event = Event::ProvisioningFailed(id, Failure::TooSmall);
        t.event(ObjectId::Claim(id), EventId::Provisioner(event));
    }
    Ok(())
}

/// EP3: the PersistentVolume is created, already claimed for the claim.
pub(super) fn creates_volume(t: &mut Turn, id: ClaimId) -> Step {
    need(t.cluster.provisioner(id).step == Provision::Received, Unmet::NoSuchCall)?;
    let volume = product(t, id)?;
    need(!is_short(t, id, volume), Unmet::VolumeTooSmall)?;
    let claim = *t.cluster.claim(id);
    let finalizers = FinalizerSet::of(&[Finalizer::Provisioner, Finalizer::PvProtection]);
    let (spec, topology) = (t.world.volume(volume), t.world.driver().topology);
    let capacity = if spec.capacity > 0 { spec.capacity } else { claim.request };
    let reclaim = spec.reclaim;
    *t.cluster.provisioner_mut(id) = super::Provisioner::default();
    *t.cluster.volume_mut(volume) = Volume {
        presence: Presence::Here,
        finalizers,
        claim: Some(id),
        capacity,
        disk: true,
        node: claim.selected.filter(|_| topology),
        ..Volume::default()
    };
    let object = ObjectId::Volume(volume);
    t.create(object);
    t.write(object, Field::Finalizers, Value::Absent, Value::Finalizers(finalizers));
    t.write(object, Field::ProvisionedBy, Value::Absent, Value::DriverName);
    t.write(object, Field::Phase, Value::Absent, Value::VolumePhase(VolumePhase::Pending));
    t.write(object, Field::ClaimRef, Value::Absent, Value::ClaimName(id));
    t.write(object, Field::Capacity, Value::Absent, Value::Size(capacity));
    t.write(object, Field::ReclaimPolicy, Value::Absent, Value::Text(reclaim.name()));
    t.write(object, Field::VolumeHandle, Value::Absent, Value::Handle(volume));
    t.write(object, Field::CsiDriverName, Value::Absent, Value::DriverName);
    t.event(ObjectId::Claim(id), EventId::Provisioner(Event::ProvisioningSucceeded(volume)));
    Ok(())
}

/// The CSIStorageCapacity of a Node gets what GetCapacity answers.
///
/// Source: external-provisioner pkg/capacity/capacity.go `syncCapacity`.
pub(super) fn publishes_capacity(t: &mut Turn, node: NodeId) -> Step {
    need(t.cluster.node(node).driver, Unmet::DriverNotRegistered)?;
    let free = free(t, node);
    need(t.cluster.node(node).capacity != Some(free), Unmet::NothingNew)?;
    t.cluster.node_mut(node).capacity = Some(free);
    Ok(())
}

/// What is left of the pool from which the driver makes volumes for a Node, in GiB.
fn free(t: &Turn, node: NodeId) -> u16 {
    let Some(pool) = t.world.node(node).pool else { return u16::MAX };
    let taken = t.world.volumes().filter(|volume| {
        let volume = t.cluster.volume(*volume);
        volume.disk && volume.node.is_none_or(|only| only == node)
    });
    taken.fold(pool, |left, volume| left.saturating_sub(t.cluster.volume(volume).capacity))
}
