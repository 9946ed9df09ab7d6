//! Why something has not happened, as short sentences.

use super::{Effect, render};
use crate::model::{ActorId, Change, Explanation, Harm, ObjectId, Reason, World};
use std::fmt;

/// An explanation with the world that its names are from.
#[derive(Clone, Copy, Debug)]
pub struct Why<'a> {
    /// The world.
    pub world: &'a World,
    /// The explanation.
    pub explanation: &'a Explanation,
}

impl fmt::Display for Why<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.explanation {
            Explanation::Reached => write!(f, "Nothing is missing."),
            Explanation::Never(refusals) => {
                write!(f, "Nothing that can happen leads there.")?;
                refusals.iter().try_for_each(|refusal| write!(f, "\n{refusal}."))
            }
            Explanation::TooFar(states) => write!(f, "No way was found among {states} states."),
            Explanation::Waits(reasons) => (1..).zip(reasons).try_for_each(|(number, reason)| {
                let line = if number > 1 { "\n" } else { "" };
                write!(f, "{line}{number}. ")?;
                self.reason(f, reasons, reason)
            }),
        }
    }
}

impl Why<'_> {
    fn reason(&self, f: &mut fmt::Formatter<'_>, all: &[Reason], reason: &Reason) -> fmt::Result {
        let action = reason.action;
        write!(f, "{} ({}, rule {}) ", self.actor(reason.by), action.name(), action.rule())?;
        let since = reason.since_ms.map_or_else(String::new, |ms| format!(" since {}", seconds(ms)));
        match (reason.unmet, reason.tries_ms) {
            (Some(unmet), _) => write!(f, "waits{since}: {unmet}")?,
            (None, _) if reason.outside => write!(f, "can act{since}, and nobody else does it")?,
            (None, Some(at)) => write!(f, "can act{since} and does so at {}", seconds(at))?,
            (None, None) => write!(f, "can act{since}")?,
        }
        match (reason.unmet, self.release(all, reason), reason.changes.first()) {
            (Some(_), Some((number, release)), _) => write!(f, "; step {number} releases it: {release}.")?,
            (None, _, Some(change)) => write!(f, ": {}.", self.sentence(*change))?,
            _ => write!(f, ".")?,
        }
        if let (Some(_), Some(at)) = (reason.unmet, reason.tries_ms) {
            write!(f, " It tries again at {}.", seconds(at))?;
        }
        if let Some(until) = reason.until_ms {
            write!(f, " It gives up at {}.", seconds(until))?;
        }
        reason.harms.iter().try_for_each(|harm| write!(f, " Dangerous: {}.", self.harm(*harm)))
    }

    /// The number of the step that releases one that waits, and what it does.
    fn release(&self, all: &[Reason], reason: &Reason) -> Option<(usize, String)> {
        let place = reason.released_by?;
        let change = all.get(place)?.changes.first();
        let did = change
            .map_or_else(|| all.get(place).map(|r| r.action.name().to_owned()), |c| Some(self.sentence(*c)));
        Some((place + 1, did?))
    }

    /// What an action does, as a sentence without its end.
    fn sentence(&self, change: Change) -> String {
        sentence(&render::effect(self.world, change))
    }

    pub(super) fn actor(&self, actor: ActorId) -> String {
        self.world.actor(actor).to_string()
    }

    pub(super) fn harm(&self, harm: Harm) -> String {
        let name = |object| self.world.object(object).to_string();
        let node = |link: crate::model::Link| name(ObjectId::Node(link.node));
        match harm {
            Harm::RunsUnowned(pod) => {
                format!("the containers of {} run on without it", name(ObjectId::Pod(pod)))
            }
            Harm::AttachedTwice(volume) => {
                format!("{} is attached to two Nodes", name(ObjectId::Volume(volume)))
            }
            Harm::MountWithoutDevice(link) => {
                format!(
                    "{} is mounted on {} without its device",
                    name(ObjectId::Volume(link.volume)),
                    node(link)
                )
            }
            Harm::MountWithoutDisk(link) => {
                format!(
                    "{} is mounted on {} without its disk",
                    name(ObjectId::Volume(link.volume)),
                    node(link)
                )
            }
        }
    }
}

/// Milliseconds as seconds.
fn seconds(ms: u64) -> String {
    format!("{}.{} s", ms / 1000, ms % 1000 / 100)
}

/// What is waited for.
fn sentence(effect: &Effect) -> String {
    match effect {
        Effect::Write { object, field, to, .. } => match to {
            Some(to) => format!("{object} {field} becomes {to}"),
            None => format!("{object} loses {field}"),
        },
        Effect::Create { object, .. } => format!("{object} is created"),
        Effect::Delete { object, .. } => format!("{object} is gone"),
        Effect::Rpc { method, code: None, .. } => format!("{method} is called"),
        Effect::Rpc { method, code: Some(code), .. } => format!("{method} returns {}", code.name()),
        Effect::Event { object, reason, .. } => format!("Event {reason} about {object}"),
        Effect::Mount { path, .. } => format!("a mount at {path}"),
        Effect::Unmount { path, .. } => format!("no more mount at {path}"),
        Effect::Device { path, present: true, .. } => format!("the device of {path} is there"),
        Effect::Device { path, present: false, .. } => format!("the device of {path} is gone"),
    }
}
