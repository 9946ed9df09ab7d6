//! The stage of a step: every thing of the picture with its looks over the step, in drawing order.

use super::cue::{CUE_MS, Cue, LAND_MS};
use super::home::{self, RowKind, ThingKind};
use super::pill::{self, State};
use super::plan::Plan;
use super::room;
use super::row::Cell;
use super::shelf::Card;
use super::slot::{Look, Slot};
use super::thing::Thing;
use super::{Group, Shape, card, cast, row, text};
use crate::model::{Actor, ObjectRef};
use crate::trace::{Effect, ObjectView, Run, Snapshot, Step};

/// A step of a run in a layout, with its cues.
pub struct Stage<'a> {
    /// The run.
    pub run: &'a Run,
    /// What stands where.
    pub plan: &'a Plan,
    /// What happens when.
    pub cues: &'a [Cue],
    /// The first action of the step, as an index into the run's steps.
    pub start: usize,
    /// The action whose wires stay.
    pub key: usize,
    /// When everything has landed, in milliseconds.
    pub end: u32,
    /// The cluster before the step, and after each cue.
    pub states: Vec<Snapshot>,
}

impl<'a> Stage<'a> {
    fn step(&self, cue: &Cue) -> Option<&'a Step> {
        self.run.trace.steps.get(cue.index)
    }

    /// The cues with the state of the cluster after each.
    fn landings(&self) -> impl Iterator<Item = (usize, u32, &Snapshot)> {
        self.cues.iter().zip(self.states.iter().skip(1)).enumerate().map(|(i, (c, s))| (i + 1, c.land, s))
    }

    /// The effects of the first `done` cues.
    fn effects(&self, done: usize) -> impl Iterator<Item = &'a Effect> {
        self.cues.iter().take(done).filter_map(|c| self.step(c)).flat_map(|s| &s.effects)
    }

    /// A slot whose look follows the state of the cluster.
    fn follow(&self, key: String, look: impl Fn(usize, &Snapshot) -> Look) -> Slot {
        let mut slot = Slot::new(key, self.states.first().map_or_else(Look::default, |s| look(0, s)));
        for (done, land, state) in self.landings() {
            slot.show(land, LAND_MS, look(done, state));
        }
        slot
    }

    fn before(&self) -> Option<&Snapshot> {
        self.states.first()
    }

    /// The zones and their titles.
    pub fn zones(&self, out: &mut Vec<Group>) {
        let plan = self.plan;
        for zone in &plan.rooms {
            let (key, class) = room::zone_names(zone, &plan.cast.nodes);
            let shapes = room::zone_shapes(zone, &plan.m);
            Slot::new(key, Look { class: class.to_owned(), shapes }).groups(out);
        }
    }

    /// The clock of the cluster, which is not the animation's.
    pub fn clock(&self, out: &mut Vec<Group>) {
        let Some(first) = self.plan.rooms.first() else { return };
        let r = room::clock_box(first, &self.plan.m);
        let y = r.y + 11;
        let look = |ms: u64| {
            let text = format!("cluster time {}", text::clock(ms));
            let text = Shape::Text { x: r.right(), y, anchor: "end", class: "time", text };
            Look { class: "clock".to_owned(), shapes: vec![text] }
        };
        let mut slot = Slot::new("clock", look(self.before().map_or(0, |s| s.sim_ms)));
        for cue in self.cues {
            slot.show(cue.start, CUE_MS, look(self.step(cue).map_or(0, |s| s.sim_ms)));
        }
        slot.groups(out);
    }

    /// The cards and their rows.
    pub fn objects(&self, out: &mut Vec<Group>) {
        for card in &self.plan.cards {
            self.card(card, out);
            for (r, place) in card.placed() {
                let key = format!("field/{}/{}", card.object.key, r.field);
                self.follow(key, |done, state| {
                    let cell = self.cell(&card.object.object, &r, done, state);
                    cell.map_or_else(Look::default, |c| row::look(&r, place, &c))
                })
                .groups(out);
            }
        }
    }

    fn card(&self, card: &Card, out: &mut Vec<Group>) {
        let object = &card.object.object;
        let presence = |s: &Snapshot| presence(s.objects.get(object));
        let first = self.before().map_or(card::Presence::NotYet, presence);
        let key = format!("object/{}", card.object.key);
        // News of the object as a whole: it came, it goes, or a field changed that has no row.
        let news = |done: usize, now: card::Presence| {
            let unlisted = |e: &Effect| match e {
                Effect::Write { object: o, field, .. } => o == object && card.row_of(field).is_none(),
                // An Event about what is gone has no row either.
                Effect::Event { object: o, .. } => {
                    o == object && (card.row_of("event").is_none() || now == card::Presence::Gone)
                }
                Effect::Create { .. }
                | Effect::Delete { .. }
                | Effect::Rpc { .. }
                | Effect::Mount { .. }
                | Effect::Unmount { .. }
                | Effect::Device { .. } => false,
            };
            now != first || self.effects(done).any(unlisted)
        };
        let look = |done, now: card::Presence, acted| {
            card::look(&card.object, card.place, card.header, now, acted, news(done, now))
        };
        let mut slot = Slot::new(key, look(0, first, false));
        let writes =
            |s: &Step| s.effects.iter().filter_map(cast::object_of).any(|o| self.plan.card(o).is_some());
        let touches = |s: &Step| s.effects.iter().filter_map(cast::object_of).any(|o| o == object);
        let mut acted = false;
        for ((done, land, state), cue) in self.landings().zip(self.cues) {
            if let Some(step) = self.step(cue).filter(|s| writes(s)) {
                acted = touches(step);
            }
            slot.show(land, LAND_MS, look(done, presence(state), acted));
        }
        // At rest the objects of the key action are the ones acted on; when it writes none, those of
        // the last action that does.
        let key = self.run.trace.steps.get(self.key).filter(|s| writes(s));
        if let (Some(step), Some(state)) = (key, self.states.last()) {
            slot.show(self.end, CUE_MS, look(self.cues.len(), presence(state), touches(step)));
        }
        slot.groups(out);
    }

    /// What a row shows after `done` cues; `None` while its object is not there.
    fn cell(&self, object: &ObjectRef, r: &home::Row, done: usize, state: &Snapshot) -> Option<Cell> {
        let view = state.objects.get(object).filter(|v| v.exists)?;
        let then = self.before().and_then(|s| s.objects.get(object)).filter(|v| v.exists);
        if r.kind == RowKind::Event {
            let reason = |v: &ObjectView| v.event.as_ref().map(|(reason, _)| (*reason).to_owned());
            let changed =
                self.effects(done).any(|e| matches!(e, Effect::Event { object: o, .. } if o == object));
            let by = view.event.as_ref().map(|(_, by)| by.role.family());
            return Some(Cell { old: then.and_then(reason), new: reason(view), changed, by });
        }
        let value = |v: &ObjectView| v.fields.get(r.field).and_then(|f| f.value.clone());
        let changed = self
            .effects(done)
            .any(|e| matches!(e, Effect::Write { object: o, field, .. } if o == object && *field == r.field));
        let by = view.fields.get(r.field).map(|f| f.by.role.family());
        Some(Cell { old: then.and_then(value), new: value(view), changed, by })
    }

    /// Storage, device, mounts and container, and the pipes between them.
    pub fn things(&self, out: &mut Vec<Group>) {
        let ground = &self.plan.ground;
        let find = |key: &str| ground.things.iter().find(|t| t.key == key);
        for p in &ground.pipes {
            let there = |done: usize, s: &Snapshot| {
                [&p.from, &p.to].into_iter().all(|end| find(end).is_some_and(|t| self.is_there(t, done, s)))
            };
            let then = self.before().is_some_and(|s| there(0, s));
            self.follow(p.key.clone(), |done, s| p.look(there(done, s), there(done, s) != then)).groups(out);
        }
        for t in &ground.things {
            let then = self.before().is_some_and(|s| self.is_there(t, 0, s));
            self.follow(t.key.clone(), |done, s| {
                let there = self.is_there(t, done, s);
                t.look(there, there != then || self.is_worked_on(t, done))
            })
            .groups(out);
        }
    }

    /// Whether a thing is there after `done` cues.
    fn is_there(&self, thing: &Thing, done: usize, state: &Snapshot) -> bool {
        match thing.kind {
            ThingKind::Volume | ThingKind::Snapshot => {
                let stored = self.plan.cast.real.stored.iter().find(|s| s.handle == thing.path);
                stored.is_none_or(|s| s.is_there(self.start + done))
            }
            ThingKind::Device => state.devices.iter().any(|(n, d)| *n == thing.node && *d == thing.path),
            ThingKind::Staging | ThingKind::Target | ThingKind::Map => {
                state.mounts.iter().any(|(n, p)| *n == thing.node && *p == thing.path)
            }
            ThingKind::Container => {
                let pod = thing.pod.as_ref().and_then(|o| state.objects.get(o)).filter(|v| v.exists);
                let phase = pod.and_then(|v| v.fields.get("status.phase")).and_then(|f| f.value.as_deref());
                phase == Some("Running")
            }
        }
    }

    /// Whether the first `done` cues work on a thing that is there before and after.
    fn is_worked_on(&self, thing: &Thing, done: usize) -> bool {
        let now = self.start..self.start + done;
        let mut works = self.plan.cast.real.works.iter().filter(|(at, _)| now.contains(at));
        works.any(|(_, on)| self.plan.thing_of(on).is_some_and(|t| t.key == thing.key))
    }

    /// The pills, lit while they act.
    pub fn actors(&self, out: &mut Vec<Group>) {
        for placed in &self.plan.pills {
            let actor = &placed.actor;
            let look = |acting, snapshot: Option<&Snapshot>| {
                let waits = snapshot.and_then(|s| s.waits.iter().find(|(a, _)| a == actor)).map(|(_, f)| *f);
                let state = match (snapshot.is_some_and(|s| s.down.contains(actor)), acting, waits) {
                    (true, _, _) => State::Down,
                    (false, false, None) => State::Idle,
                    (false, true, None) => State::Acting,
                    (false, false, Some(fact)) => State::Waiting(fact),
                    (false, true, Some(fact)) => State::ActingWaiting(fact),
                };
                pill::look(actor.role, placed.place, self.plan.m.badge, state)
            };
            let key = format!("actor/{}", self.plan.cast.actor_key(actor));
            let mut slot = Slot::new(key, look(false, self.before()));
            for ((cue, before), after) in self.cues.iter().zip(&self.states).zip(self.states.iter().skip(1)) {
                let Some(step) = self.step(cue) else { continue };
                slot.show(cue.start, CUE_MS, look(sends(step, actor), Some(before)));
                slot.show(cue.land, LAND_MS, look(sends(step, actor) || receives(step, actor), Some(after)));
            }
            let key = self.run.trace.steps.get(self.key);
            let acting = key.is_some_and(|s| sends(s, actor) || receives(s, actor));
            slot.show(self.end, CUE_MS, look(acting, self.states.last()));
            slot.groups(out);
        }
    }
}

/// Whether the object is there after these steps.
fn presence(view: Option<&ObjectView>) -> card::Presence {
    match view {
        None => card::Presence::NotYet,
        Some(v) if !v.exists => card::Presence::Gone,
        Some(v) => {
            let asked = v.fields.get("metadata.deletionTimestamp").is_some_and(|f| f.value.is_some());
            if asked { card::Presence::Deleting } else { card::Presence::There }
        }
    }
}

/// Whether an actor sets off what happens in a step: it acts, or it is the one that replies.
fn sends(step: &Step, actor: &Actor) -> bool {
    let replies = |e: &Effect| matches!(e, Effect::Rpc { callee, code: Some(_), .. } if callee == actor);
    step.actor == *actor || step.effects.iter().any(replies)
}

/// Whether something of a step arrives at an actor.
fn receives(step: &Step, actor: &Actor) -> bool {
    step.effects.iter().any(|e| match e {
        Effect::Rpc { callee, code: None, .. } => callee == actor,
        Effect::Rpc { caller, code: Some(_), .. } => caller == actor,
        Effect::Write { .. }
        | Effect::Create { .. }
        | Effect::Delete { .. }
        | Effect::Event { .. }
        | Effect::Mount { .. }
        | Effect::Unmount { .. }
        | Effect::Device { .. } => false,
    })
}
