//! The messages of a run in order: who sends what to whom, which line it is drawn with, and what it says.

use super::cast::{is_staging, object_of};
use super::sequence_party::Party;
use super::sequence_says::Says;
use super::wire::Line;
use crate::model::{Actor, Code, EventType, Kind, ObjectRef, Role};
use crate::trace::{Effect, Run, Step};
use std::collections::{BTreeMap, BTreeSet};

/// How a message is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// A line from sender to receiver.
    Sent(Line),
    /// A line with its words in a box: an Event, a mount or a device.
    Noted(Line),
    /// A box on the lifeline of somebody who does something alone.
    Alone,
    /// A box that says what somebody waits for from here on.
    Waits,
    /// A stretch of cluster time.
    Later,
}

/// One row of the sequence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Its part of the key, unique in the run.
    pub key: String,
    /// The reader's step it belongs to, from 1.
    pub step: usize,
    /// When it happens, in milliseconds of cluster time.
    pub sim_ms: u64,
    /// Who sends it.
    pub from: Party,
    /// Who receives it.
    pub to: Party,
    /// How it is drawn.
    pub mark: Mark,
    /// Whether it tells of something that went wrong.
    pub fault: bool,
    /// What it says, line by line.
    pub says: Vec<Says>,
}

impl Message {
    /// The class that gives it its hue: the sender's, and the reader's where something is read.
    pub fn class(&self) -> &'static str {
        match self.mark {
            _ if self.fault => "fault",
            Mark::Sent(Line::Read) => self.to.class(),
            Mark::Later => "kernel",
            Mark::Sent(_) | Mark::Noted(_) | Mark::Alone | Mark::Waits => self.from.class(),
        }
    }
}

/// From how much cluster time on the reader is told that it passes, in milliseconds.
const LATER_MS: u64 = 1000;

/// All messages of a run.
pub fn messages(run: &Run) -> Vec<Message> {
    let several = several(run);
    let mut out = Vec::new();
    let mut waiting: Vec<(Actor, &'static str)> = Vec::new();
    let mut now = 0;
    for (number, group) in (1..).zip(&run.groups) {
        let steps = run.trace.steps.get(group.cues.clone()).unwrap_or_default();
        for step in steps {
            let teller = Teller { step, number, steps, several: &several };
            if step.sim_ms >= now + LATER_MS {
                out.push(teller.later(step.sim_ms - now));
            }
            now = step.sim_ms;
            out.extend(teller.messages());
        }
        if let Some(last) = steps.last() {
            let teller = Teller { step: last, number, steps, several: &several };
            let fresh = last.waits.iter().filter(|w| !waiting.contains(w));
            out.extend(fresh.map(|(actor, fact)| teller.waits(actor, fact)));
            waiting.clone_from(&last.waits);
        }
    }
    out
}

/// The kinds of which the run has more than one object.
fn several(run: &Run) -> BTreeSet<Kind> {
    let mut names: BTreeMap<Kind, BTreeSet<&str>> = BTreeMap::new();
    for object in run.trace.steps.iter().flat_map(|s| &s.effects).filter_map(object_of) {
        names.entry(object.kind).or_default().insert(&object.name);
    }
    names.into_iter().filter(|(_, n)| n.len() > 1).map(|(kind, _)| kind).collect()
}

/// One action of a reader's step, to be told.
struct Teller<'a> {
    step: &'a Step,
    number: usize,
    /// The actions of the reader's step.
    steps: &'a [Step],
    several: &'a BTreeSet<Kind>,
}

impl Teller<'_> {
    fn message(&self, from: Party, to: Party, mark: Mark, says: Vec<Says>) -> Message {
        let (key, sim_ms) = (self.step.id.clone(), self.step.sim_ms);
        Message { key, step: self.number, sim_ms, from, to, mark, fault: false, says }
    }

    fn later(&self, ms: u64) -> Message {
        let key = format!("{}/later", self.step.id);
        let message = self.message(Party::Api, Party::Api, Mark::Later, vec![Says::Later(ms)]);
        Message { key, ..message }
    }

    fn waits(&self, actor: &Actor, fact: &'static str) -> Message {
        let party = || Party::Actor(actor.clone());
        let key = format!("{}/waits/{actor}", self.step.id);
        let message = self.message(party(), party(), Mark::Waits, vec![Says::Waits(fact)]);
        Message { key, ..message }
    }

    /// The messages of the action, in the order of its effects. A read is told when it is the news: when the
    /// action writes nothing, or only reports an Event about what it saw.
    fn messages(&self) -> Vec<Message> {
        let mut out: Vec<Message> = Vec::new();
        let effects = &self.step.effects;
        if effects.iter().all(|e| matches!(e, Effect::Event { .. })) {
            let silent = effects.is_empty();
            out.extend((silent || !self.step.reads.is_empty()).then(|| self.does()));
        }
        let mut written: Vec<&ObjectRef> = Vec::new();
        for effect in effects {
            match effect {
                Effect::Write { object, by, .. }
                | Effect::Create { object, by }
                | Effect::Delete { object, by } => {
                    if !written.contains(&object) {
                        written.push(object);
                        let mark = Mark::Sent(Line::Write);
                        out.push(self.message(
                            Party::Actor(by.clone()),
                            Party::Api,
                            mark,
                            self.writes(object),
                        ));
                    }
                }
                Effect::Event { object, kind, reason, by, .. } => {
                    let fault = *kind == EventType::Warning;
                    let says = vec![Says::Event(reason, fault, object.kind)];
                    let mark = Mark::Noted(Line::Write);
                    out.push(Message {
                        fault,
                        ..self.message(Party::Actor(by.clone()), Party::Api, mark, says)
                    });
                }
                Effect::Rpc { method, caller, callee, code, message, .. } => {
                    out.push(self.call(method, caller, callee, *code, message.as_deref()));
                }
                Effect::Mount { node, path } => {
                    out.push(self.real(node, mount(path, ["mounts", "publishes"]), path))
                }
                Effect::Unmount { node, path } => {
                    out.push(self.real(node, mount(path, ["unmounts", "unpublishes"]), path));
                }
                Effect::Device { node, path, present } => {
                    out.push(self.real(node, if *present { "device" } else { "no device" }, path));
                }
            }
        }
        for (n, message) in (1..).zip(&mut out).skip(1) {
            message.key = format!("{}/{n}", self.step.id);
        }
        out
    }

    fn call(
        &self,
        method: &'static str,
        caller: &Actor,
        callee: &Actor,
        code: Option<Code>,
        told: Option<&str>,
    ) -> Message {
        let (caller_party, callee_party) = (Party::Actor(caller.clone()), Party::Actor(callee.clone()));
        let Some(code) = code else {
            let mark = Mark::Sent(Line::Call);
            return self.message(caller_party, callee_party, mark, vec![Says::Method(method)]);
        };
        if code == Code::Ok {
            // A dashed line under its call needs no words; one whose call was told before does.
            let mut earlier =
                self.steps.iter().take_while(|s| s.index < self.step.index).flat_map(|s| &s.effects);
            let called = earlier.any(|e| {
                matches!(e, Effect::Rpc { method: m, caller: c, callee: d, code: None, .. }
                    if *m == method && c == caller && d == callee)
            });
            let says = if called { Vec::new() } else { vec![Says::Fine(method)] };
            return self.message(callee_party, caller_party, Mark::Sent(Line::Reply), says);
        }
        let says = vec![Says::Failed(code, told.map(str::to_owned))];
        let message = self.message(callee_party, caller_party, Mark::Sent(Line::Refusal), says);
        Message { fault: true, ..message }
    }

    /// What the action does to one object: that it makes it or lets it go, and the fields it writes.
    fn writes(&self, object: &ObjectRef) -> Vec<Says> {
        let mut says = Vec::new();
        let mut begins: Option<Vec<(&'static str, String)>> = None;
        for effect in self.step.effects.iter().filter(|e| object_of(e) == Some(object)) {
            match effect {
                Effect::Create { .. } => {
                    says.push(Says::Made(object.clone()));
                    begins = Some(Vec::new());
                }
                Effect::Delete { .. } => says.push(Says::Gone(object.clone())),
                Effect::Write { field, from, to, by, .. } => match (&mut begins, from, to) {
                    (Some(begins), None, Some(to)) => begins.push((field, to.clone())),
                    _ => {
                        let several = self.several.contains(&object.kind);
                        says.push(Says::field(object, several, field, from.as_deref(), to.as_deref(), by));
                    }
                },
                Effect::Event { .. }
                | Effect::Rpc { .. }
                | Effect::Mount { .. }
                | Effect::Unmount { .. }
                | Effect::Device { .. } => {}
            }
        }
        if let Some(begins) = begins.filter(|b| !b.is_empty()) {
            says.insert(1.min(says.len()), Says::Begins(begins));
        }
        says
    }

    fn real(&self, node: &str, what: &'static str, path: &str) -> Message {
        let kernel = Party::Actor(Actor { role: Role::Kernel, node: Some(node.to_owned()) });
        let by = Party::Actor(self.step.actor.clone());
        self.message(by, kernel, Mark::Noted(Line::Syscall), vec![Says::Real(what, path.to_owned())])
    }

    /// What the actor does without writing: by what it looks at, or all by itself.
    fn does(&self) -> Message {
        let actor = Party::Actor(self.step.actor.clone());
        let says = vec![Says::Does(words(self.step.action), self.step.reads.clone())];
        match self.step.reads.is_empty() {
            true => self.message(actor.clone(), actor, Mark::Alone, says),
            false => self.message(Party::Api, actor, Mark::Sent(Line::Read), says),
        }
    }
}

/// The first word for a staging path, the second for any other.
fn mount(path: &str, [staging, other]: [&'static str; 2]) -> &'static str {
    if is_staging(path) { staging } else { other }
}

/// An action without its actor, in words: `kubelet-admits-pod` gives `admits pod`.
fn words(action: &str) -> String {
    let words: Vec<&str> = action.split('-').collect();
    // Not of a process that stops: which one it is nobody says.
    let verb = |w: &&str| w.ends_with('s') && !w.ends_with("ss");
    let start = words.iter().position(verb).filter(|_| words.first() != Some(&"process")).unwrap_or(0);
    words.get(start..).unwrap_or_default().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_become_words() {
        assert_eq!(words("kubelet-admits-pod"), "admits pod");
        assert_eq!(words("process-stops"), "process stops");
        assert_eq!(words("pod-gc-collects-orphan"), "collects orphan");
    }
}
