//! What a user does with StorageClasses, claims and PersistentVolumes (U1, U4, and PV8's way back).

use super::{Act, Step};
use crate::model::action::Fact;
use crate::model::claims::{class_name, create_claim, mark_deleted};
use crate::model::effect::{Field, Value};
use crate::model::turn::{Turn, need};
use crate::model::{
    Action, ClaimId, ClassId, Finalizer, FinalizerSet, ObjectId, Origin, PodVolume, Presence, Role, Unmet,
    Volume, VolumeId, VolumePhase, World,
};

pub(super) fn fact(rule: &'static str, name: &'static str) -> Fact {
    const SOURCE: &str = "plugin/pkg/admission/storage; pkg/registry/core";
    Fact { role: Role::User, rule, name, source: SOURCE }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    let mut add = |act: Act| found.push(Action::User(act));
    world.classes().filter(|class| !world.class(*class).given).map(Act::CreatesClass).for_each(&mut add);
    for claim in world.claims() {
        let spec = world.claim(claim);
        let templated =
            world.pods().any(|pod| world.pod(pod).source == PodVolume::Ephemeral(usize::from(claim.0)));
        if !spec.given && !templated {
            add(Act::CreatesClaim(claim));
        }
        if !spec.kept {
            add(Act::DeletesClaim(claim));
        }
    }
    for volume in world.volumes().filter(|volume| !world.is_kept(*volume)) {
        if world.volume(volume).origin == Origin::Static {
            add(Act::CreatesVolume(volume));
        }
        add(Act::ClearsClaimRef(volume));
        add(Act::DeletesVolume(volume));
    }
}

/// U1: an administrator creates the StorageClass.
pub(super) fn class_created(t: &mut Turn, id: ClassId) -> Step {
    need(t.cluster.class(id).presence == Presence::NotYet, Unmet::ClassExists)?;
    let (binding, reclaim, expansion) = {
        let spec = t.world.class(id);
        (spec.binding, spec.reclaim, spec.expansion)
    };
    t.cluster.class_mut(id).presence = Presence::Here;
    let object = ObjectId::Class(id);
    t.create(object);
    t.write(object, Field::Provisioner, Value::Absent, Value::Provisioner(id));
    t.write(object, Field::BindingMode, Value::Absent, Value::Text(binding.name()));
    t.write(object, Field::ClassReclaimPolicy, Value::Absent, Value::Text(reclaim.name()));
    t.write(object, Field::Expansion, Value::Absent, Value::Bool(expansion));
    Ok(())
}

/// U1: the user creates the claim.
pub(super) fn claim_created(t: &mut Turn, id: ClaimId) -> Step {
    need(t.cluster.claim(id).presence == Presence::NotYet, Unmet::ClaimExists)?;
    // Names are unique: a claim of the same name must be gone first.
    let name = &t.world.claim(id).name;
    let named = t.world.claims().filter(|other| t.world.claim(*other).name == *name);
    need(
        !named.into_iter().any(|other| t.cluster.claim(other).presence == Presence::Here),
        Unmet::ClaimExists,
    )?;
    create_claim(t, id);
    Ok(())
}

/// U4: the user deletes the claim; its finalizers hold it.
pub(super) fn claim_deleted(t: &mut Turn, id: ClaimId) -> Step {
    let claim = t.cluster.claim(id);
    need(claim.presence == Presence::Here, Unmet::ClaimMissing)?;
    need(!claim.deleting, Unmet::ClaimDeleting)?;
    mark_deleted(t, id);
    Ok(())
}

/// U1: an administrator creates the PersistentVolume of a disk, which exists or not; admission adds pv-protection.
pub(super) fn volume_created(t: &mut Turn, id: VolumeId) -> Step {
    need(t.cluster.volume(id).presence == Presence::NotYet, Unmet::VolumeExists)?;
    let finalizers = FinalizerSet::of(&[Finalizer::PvProtection]);
    let (capacity, reclaim) = (t.world.volume(id).capacity, t.world.volume(id).reclaim);
    let class = t.world.volume(id).class.map(|place| ClassId(place as u8));
    let disk = !t.world.volume(id).disk_missing;
    *t.cluster.volume_mut(id) =
        Volume { presence: Presence::Here, finalizers, capacity, disk, ..Volume::default() };
    let object = ObjectId::Volume(id);
    t.create(object);
    t.write(object, Field::Finalizers, Value::Absent, Value::Finalizers(finalizers));
    t.write(object, Field::Phase, Value::Absent, Value::VolumePhase(VolumePhase::Pending));
    t.write(object, Field::Capacity, Value::Absent, Value::Size(capacity));
    t.write(object, Field::ReclaimPolicy, Value::Absent, Value::Text(reclaim.name()));
    if class.is_some() {
        t.write(object, Field::ClassName, Value::Absent, class_name(class));
    }
    t.write(object, Field::VolumeHandle, Value::Absent, Value::Handle(id));
    t.write(object, Field::CsiDriverName, Value::Absent, Value::DriverName);
    Ok(())
}

/// PV8: the user gives a volume free whose claim is gone, after a look at what is on it.
pub(super) fn claim_ref_cleared(t: &mut Turn, id: VolumeId) -> Step {
    let volume = t.cluster.volume(id);
    need(volume.presence == Presence::Here, Unmet::VolumeMissing)?;
    need(volume.phase == VolumePhase::Released, Unmet::VolumeNotReleased)?;
    let claim = volume.claim.ok_or(Unmet::VolumeUnclaimed)?;
    t.cluster.volume_mut(id).claim = None;
    t.write(ObjectId::Volume(id), Field::ClaimRef, Value::ClaimName(claim), Value::Absent);
    Ok(())
}

/// U4: an administrator deletes the PersistentVolume; its finalizers hold it.
pub(super) fn volume_deleted(t: &mut Turn, id: VolumeId) -> Step {
    let volume = t.cluster.volume(id);
    need(volume.presence == Presence::Here, Unmet::VolumeMissing)?;
    need(!volume.deleting, Unmet::VolumeDeleting)?;
    crate::model::protection::delete_volume(t, id);
    Ok(())
}
