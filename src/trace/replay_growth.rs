//! What a recording tells of claims that grow and of the classes that they ask for.

use super::recording::{Observation, Seen};
use super::replay_world::{gib, text};
use crate::model::{AttributesSpec, Parts};

/// Adds the sizes that users ask for, and the VolumeAttributesClasses that external-resizer names.
pub fn grow(seen: &[Observation], parts: &mut Parts) {
    sizes_and_classes(seen, parts);
    for (place, line) in seen.iter().enumerate() {
        let Seen::Rpc(method, code, fields) = &line.what else { continue };
        let own = !fields.contains_key("injected");
        if method != "ControllerModifyVolume" || code != "InvalidArgument" || !own {
            continue;
        }
        // The Event of the same attempt comes after its call.
        let named = seen.iter().skip(place).find_map(|line| named(&line.what));
        for class in parts.attributes.iter_mut().filter(|class| Some(class.name.as_str()) == named) {
            class.rejected = text(fields, "message").map(str::to_owned);
        }
    }
}

/// The VolumeAttributesClass that an Event names.
fn named(what: &Seen) -> Option<&str> {
    match what {
        Seen::Event(_, _, reason, message) if reason == "VolumeModify" => message.split(" with vac ").nth(1),
        _ => None,
    }
}

fn sizes_and_classes(seen: &[Observation], parts: &mut Parts) {
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
            event @ Seen::Event(..) => {
                let Some(name) = named(event) else { continue };
                if !parts.attributes.iter().any(|class| class.name == name) {
                    parts.attributes.push(AttributesSpec { name: name.into(), ..AttributesSpec::default() });
                }
            }
            Seen::Given(..)
            | Seen::Note(_)
            | Seen::Create(..)
            | Seen::Delete(_)
            | Seen::Call(..)
            | Seen::Rpc(..)
            | Seen::Mount(_)
            | Seen::Unmount(_) => {}
        }
    }
}
