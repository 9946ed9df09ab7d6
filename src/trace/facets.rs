//! What a run is about as a whole: who acts in it, what is written, and whether anything fails.

use super::{Effect, Trace};
use crate::model::{Code, EventType, Kind, Role};
use std::collections::BTreeSet;

/// What a reader may look for among runs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Facets {
    /// Who acts or answers a call.
    pub roles: BTreeSet<Role>,
    /// The kinds of objects that are written.
    pub kinds: BTreeSet<Kind>,
    /// Whether a call is refused or a Warning recorded.
    pub fails: bool,
}

impl Trace {
    /// What this run is about.
    pub fn facets(&self) -> Facets {
        let mut facets = Facets::default();
        for step in &self.steps {
            facets.roles.insert(step.actor.role);
            step.effects.iter().for_each(|effect| facets.see(effect));
        }
        facets
    }
}

impl Facets {
    fn see(&mut self, effect: &Effect) {
        match effect {
            Effect::Write { object, .. } | Effect::Create { object, .. } | Effect::Delete { object, .. } => {
                self.kinds.insert(object.kind);
            }
            Effect::Rpc { callee, code, .. } => {
                self.roles.insert(callee.role);
                self.fails |= code.is_some_and(|c| c != Code::Ok);
            }
            Effect::Event { kind, .. } => self.fails |= *kind == EventType::Warning,
            Effect::Mount { .. } | Effect::Unmount { .. } | Effect::Device { .. } => {}
        }
    }
}
