//! Why something has not happened, as short sentences.

use super::{Effect, render};
use crate::model::{ActorId, Explanation, Harm, ObjectId, Reason, World};
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
            Explanation::Waits(reasons) => {
                for (number, reason) in reasons.iter().enumerate() {
                    if number > 0 {
                        writeln!(f)?;
                    }
                    self.reason(f, reasons, reason)?;
                }
                Ok(())
            }
        }
    }
}

impl Why<'_> {
    fn reason(&self, f: &mut fmt::Formatter<'_>, all: &[Reason], reason: &Reason) -> fmt::Result {
        let action = reason.action;
        let what = format!("{} ({}, rule {})", self.actor(reason.by), action.name(), action.rule());
        match reason.unmet {
            Some(unmet) => write!(f, "{what} waits: {unmet}")?,
            None if reason.outside => write!(f, "{what} can act, and nobody else does it")?,
            None => write!(f, "{what} can act")?,
        }
        if let Some(since) = reason.since_ms {
            write!(f, ", since {}", seconds(since))?;
        }
        if let Some(until) = reason.until_ms {
            write!(f, ", and gives up at {}", seconds(until))?;
        }
        if let (None, Some(within)) = (reason.unmet, reason.within_ms()) {
            write!(f, ", within {}", seconds(within))?;
        }
        let releases = reason.released_by.and_then(|place| all.get(place));
        if let Some(releases) = releases.filter(|_| reason.unmet.is_some()) {
            write!(f, "; released by {}", releases.action.name())?;
            if let Some(change) = releases.changes.first() {
                write!(f, ": {}", sentence(&render::effect(self.world, *change)))?;
            }
        }
        write!(f, ".")?;
        reason.harms.iter().try_for_each(|harm| write!(f, " Dangerous: {}.", self.harm(*harm)))
    }

    fn actor(&self, actor: ActorId) -> String {
        self.world.actor(actor).to_string()
    }

    fn harm(&self, harm: Harm) -> String {
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
