//! What each of the cast does in a run: in which of the reader's steps, and which groups of a picture tell of it.

use super::cast::{Cast, object_of};
use super::pill::{badge, family_class};
use super::text::middle_out;
use crate::model::{Actor, ObjectRef};
use crate::trace::{Effect, Run, Step};

/// One of the cast.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deeds {
    /// The key of its group, such as `actor/kubelet` or `object/Pod`.
    pub key: String,
    /// What it is called, in full.
    pub title: String,
    /// The same with the middle of a long name left out.
    pub short: String,
    /// The letters of an actor's badge, and the class of its hue.
    pub badge: Option<(&'static str, &'static str)>,
    /// The reader's steps (from 1) in which it acts, or in which something is done to it.
    pub steps: Vec<usize>,
    /// The ids of the actions that tell of it; their groups are `wire/ID`, `message/ID` and `seq/message/ID`.
    pub actions: Vec<String>,
    /// The keys of the fields that it has written, or that it has.
    pub fields: Vec<String>,
}

/// What everybody and everything of a run's cast does, actors first.
pub fn deeds(run: &Run) -> Vec<Deeds> {
    let cast = Cast::of(run);
    let field = |effect: &Effect| match effect {
        Effect::Write { object, field, .. } => {
            object_key(&cast, object).map(|o| format!("field/{o}/{field}"))
        }
        Effect::Event { object, .. } => object_key(&cast, object).map(|o| format!("field/{o}/event")),
        Effect::Create { .. }
        | Effect::Delete { .. }
        | Effect::Rpc { .. }
        | Effect::Mount { .. }
        | Effect::Unmount { .. }
        | Effect::Device { .. } => None,
    };
    let actors = cast.actors.iter().map(|actor| {
        let title = actor.role.title();
        let title = actor.node.as_ref().map_or_else(|| title.to_owned(), |node| format!("{title}, {node}"));
        Deeds {
            key: format!("actor/{}", cast.actor_key(actor)),
            short: title.clone(),
            title,
            badge: Some((badge(actor.role), family_class(actor.role.family()))),
            ..told(run, |step| step.actor == *actor || answers(step, actor), &field)
        }
    });
    let objects = cast.objects.iter().map(|of| {
        let object = &of.object;
        let about = |effect: &Effect| object_of(effect) == Some(object);
        let own = |effect: &Effect| about(effect).then(|| field(effect)).flatten();
        Deeds {
            key: format!("object/{}", of.key),
            title: format!("{} {}", object.kind.name(), object.name),
            short: format!("{} {}", object.kind.name(), middle_out(&object.name)),
            badge: None,
            ..told(run, |step| step.effects.iter().any(about) || step.reads.contains(object), &own)
        }
    });
    actors.chain(objects).collect()
}

/// The end of the keys of an object's groups.
fn object_key(cast: &Cast, object: &ObjectRef) -> Option<String> {
    cast.objects.iter().find(|o| o.object == *object).map(|o| o.key.clone())
}

/// Whether a call's reply is this actor's.
fn answers(step: &Step, actor: &Actor) -> bool {
    step.effects.iter().any(|e| matches!(e, Effect::Rpc { callee, .. } if callee == actor))
}

/// The steps and actions that `tells` picks, and the fields that they write.
fn told(run: &Run, tells: impl Fn(&Step) -> bool, field: &impl Fn(&Effect) -> Option<String>) -> Deeds {
    let mut deeds = Deeds {
        key: String::new(),
        title: String::new(),
        short: String::new(),
        badge: None,
        steps: Vec::new(),
        actions: Vec::new(),
        fields: Vec::new(),
    };
    for (number, group) in (1..).zip(&run.groups) {
        let before = deeds.actions.len();
        for step in run.trace.steps.get(group.cues.clone()).unwrap_or_default().iter().filter(|s| tells(s)) {
            deeds.actions.push(step.id.clone());
            for key in step.effects.iter().filter_map(field) {
                if !deeds.fields.contains(&key) {
                    deeds.fields.push(key);
                }
            }
        }
        if deeds.actions.len() > before {
            deeds.steps.push(number);
        }
    }
    deeds
}
