//! A claim comes to be, and is told to go: what the API server does then, whoever asks.

use crate::model::effect::{Field, Value};
use crate::model::turn::Turn;
use crate::model::{
    Claim, ClaimId, ClaimPhase, ClassId, Finalizer, FinalizerSet, ObjectId, Presence, VolumeId,
};

/// A claim is created: admission adds the finalizer and, where the claim names no class, the default class.
///
/// Source: plugin/pkg/admission/storage/storageobjectinuseprotection, plugin/pkg/admission/storage/storageclass.
pub(in crate::model) fn create_claim(t: &mut Turn, id: ClaimId) {
    let spec = t.world.claim(id);
    let class = t.world.class_of(id).or_else(|| default_class(t));
    let volume = spec.volume_name.map(|place| VolumeId(place as u8));
    let (request, access_mode, mode) = (spec.request, spec.access_mode, spec.mode);
    let finalizers = FinalizerSet::of(&[Finalizer::PvcProtection]);
    *t.cluster.claim_mut(id) =
        Claim { presence: Presence::Here, finalizers, class, volume, request, ..Claim::default() };
    let object = ObjectId::Claim(id);
    t.create(object);
    t.write(object, Field::Finalizers, Value::Absent, Value::Finalizers(finalizers));
    t.write(object, Field::Phase, Value::Absent, Value::ClaimPhase(ClaimPhase::Pending));
    t.write(object, Field::Request, Value::Absent, Value::Size(request));
    t.write(object, Field::AccessModes, Value::Absent, Value::Mode(access_mode));
    t.write(object, Field::VolumeMode, Value::Absent, Value::Text(mode.name()));
    if class.is_some() {
        t.write(object, Field::ClassName, Value::Absent, class_name(class));
    }
    if let Some(volume) = volume {
        t.write(object, Field::VolumeName, Value::Absent, Value::VolumeName(volume));
    }
}

/// A claim is deleted: without finalizers it goes at once.
pub(in crate::model) fn mark_deleted(t: &mut Turn, id: ClaimId) {
    let claim = t.cluster.claim_mut(id);
    claim.deleting = true;
    let gone = claim.finalizers.is_empty();
    if gone {
        claim.presence = Presence::Gone;
    }
    t.write(ObjectId::Claim(id), Field::DeletionTimestamp, Value::Absent, Value::Set);
    if gone {
        t.delete(ObjectId::Claim(id));
    }
}

/// The class with the annotation of the default class; the newest wins, which is the last of the world.
pub(super) fn default_class(t: &Turn) -> Option<ClassId> {
    let there = |class: &ClassId| t.cluster.class(*class).presence == Presence::Here;
    t.world.classes().filter(|class| t.world.class(*class).default).filter(there).last()
}

/// A class's name as a field's value.
pub(in crate::model) fn class_name(class: Option<ClassId>) -> Value {
    class.map_or(Value::Absent, Value::ClassName)
}
