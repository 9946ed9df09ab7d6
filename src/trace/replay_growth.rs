//! What a recording tells of claims that grow and of the classes that they ask for.

use super::recording::{Observation, Seen};
use super::replay_world::gib;
use crate::model::{AttributesSpec, Parts};

/// Adds the sizes that users ask for, and the VolumeAttributesClasses that external-resizer names.
pub fn grow(seen: &[Observation], parts: &mut Parts) {
    for line in seen {
        match &line.what {
            Seen::Update(object, changes) => {
                let name = object.strip_prefix("PersistentVolumeClaim/");
                let claim = parts.claims.iter_mut().find(|claim| Some(claim.name.as_str()) == name);
                let Some(claim) = claim else { continue };
                let Some((_, to)) = changes.get("spec.resources.requests.storage") else { continue };
                let size = gib(to.as_deref());
                if !claim.resizes.contains(&size) {
                    claim.resizes.push(size);
                }
            }
            Seen::Event(_, _, reason, message) if reason == "VolumeModify" => {
                let Some(name) = message.split(" with vac ").nth(1) else { continue };
                if !parts.attributes.iter().any(|class| class.name == name) {
                    parts.attributes.push(AttributesSpec { name: name.into(), ..AttributesSpec::default() });
                }
            }
            Seen::Given(..)
            | Seen::Note(_)
            | Seen::Create(..)
            | Seen::Delete(_)
            | Seen::Event(..)
            | Seen::Call(..)
            | Seen::Rpc(..)
            | Seen::Mount(_)
            | Seen::Unmount(_) => {}
        }
    }
}
