//! The stage of a step: every thing of the picture with its looks over the step, in drawing order.

use super::cue::{CUE_MS, Cue, LAND_MS};
use super::home::{self, RowKind, Thing};
use super::plan::{self, Plan};
use super::row::Cell;
use super::slot::{Look, Slot};
use super::thing::PIPES;
use super::{Group, Shape, card, cast, pill, row, text, thing};
use crate::model::{Actor, Kind, ObjectRef};
use crate::trace::{Effect, ObjectView, Run, Snapshot, Step};

/// A step of a run in a layout, with its cues.
pub struct Stage<'a> {
    /// The run.
    pub run: &'a Run,
    /// What stands where.
    pub plan: &'a Plan,
    /// What happens when.
    pub cues: &'a [Cue],
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
        for zone in home::ZONES.into_iter().filter(|z| plan.cast.uses(*z)) {
            let (key, class) = plan::zone_names(zone);
            let shapes = plan::zone_shapes(zone, plan.layout, plan.cast.node.as_deref());
            Slot::new(key, Look { class: class.to_owned(), shapes }).groups(out);
        }
    }

    /// The clock of the cluster, which is not the animation's.
    pub fn clock(&self, out: &mut Vec<Group>) {
        let r = plan::clock_box(self.plan.layout);
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
        for object in &self.plan.cast.objects {
            let Some(place) = home::card(object.kind, self.plan.layout) else { continue };
            self.card(object, place, out);
            for (i, r) in (0..).zip(home::rows(object.kind, self.plan.layout)) {
                let place = home::row_place(place, i, self.plan.layout);
                let key = format!("field/{}/{}", object.kind.name(), r.field);
                self.follow(key, |done, state| {
                    self.cell(object, r, done, state).map_or_else(Look::default, |c| row::look(r, place, &c))
                })
                .groups(out);
            }
        }
    }

    fn card(&self, object: &ObjectRef, place: super::geom::Rect, out: &mut Vec<Group>) {
        let layout = self.plan.layout;
        let presence = |s: &Snapshot| presence(s.objects.get(object));
        let first = self.before().map_or(card::Presence::NotYet, presence);
        let key = format!("object/{}", object.kind.name());
        // News of the object as a whole: it came, it goes, or a field changed that has no row.
        let news = |done: usize, now: card::Presence| {
            let rows = home::rows(object.kind, layout);
            let unlisted = |e: &Effect| matches!(e, Effect::Write { object: o, field, .. } if o == object && !rows.iter().any(|r| r.field == *field));
            now != first || self.effects(done).any(unlisted)
        };
        let look =
            |done, now: card::Presence, acted| card::look(object, place, layout, now, acted, news(done, now));
        let mut slot = Slot::new(key, look(0, first, false));
        let writes = |s: &Step| s.effects.iter().filter_map(cast::object_of).any(|o| self.plan.cast.shows(o));
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
        let (layout, things) = (self.plan.layout, self.plan.cast.things());
        let then = |t| self.before().is_some_and(|s| self.is_there(t, s));
        for p in PIPES.iter().filter(|p| things.contains(&p.from) && things.contains(&p.to)) {
            self.follow(format!("pipe/{}", p.name), |_, s| {
                let there = self.is_there(p.to, s);
                p.look(layout, there, there != then(p.to))
            })
            .groups(out);
        }
        for t in things {
            let (key, detail) = self.thing_names(t);
            self.follow(key, |_, s| {
                let there = self.is_there(t, s);
                thing::look(t, layout, there, there != then(t), &detail)
            })
            .groups(out);
        }
    }

    fn thing_names(&self, thing: Thing) -> (String, String) {
        let cast = &self.plan.cast;
        let node = cast.node.as_deref().unwrap_or_default();
        let text = |s: &Option<String>| s.clone().unwrap_or_default();
        match thing {
            Thing::Volume => (format!("thing/volume/{}", text(&cast.volume)), text(&cast.volume)),
            Thing::Device => (format!("thing/device/{node}"), text(&cast.volume)),
            Thing::Staging => (format!("thing/staging/{node}"), text(&cast.staging)),
            Thing::Target => (format!("thing/target/{node}"), text(&cast.target)),
            Thing::Container => {
                let pod = cast.object(Kind::Pod).map(|o| o.name.clone()).unwrap_or_default();
                (format!("thing/container/{pod}"), format!("in Pod {pod}"))
            }
        }
    }

    fn is_there(&self, thing: Thing, state: &Snapshot) -> bool {
        let cast = &self.plan.cast;
        let mounted =
            |p: &Option<String>| p.as_ref().is_some_and(|p| state.mounts.iter().any(|(_, m)| m == p));
        match thing {
            Thing::Volume => true,
            Thing::Device => cast.volume.as_ref().is_some_and(|v| state.devices.iter().any(|(_, d)| d == v)),
            Thing::Staging => mounted(&cast.staging),
            Thing::Target => mounted(&cast.target),
            Thing::Container => {
                let pod = cast.object(Kind::Pod).and_then(|o| state.objects.get(o)).filter(|v| v.exists);
                let phase = pod.and_then(|v| v.fields.get("status.phase")).and_then(|f| f.value.as_deref());
                phase == Some("Running")
            }
        }
    }

    /// The pills, lit while they act.
    pub fn actors(&self, out: &mut Vec<Group>) {
        for actor in &self.plan.cast.actors {
            let Some(place) = home::pill(actor.role, self.plan.layout) else { continue };
            let look = |acting, state: Option<&Snapshot>| {
                let waits = state.and_then(|s| s.waits.iter().find(|(a, _)| a == actor)).map(|(_, f)| *f);
                pill::look(actor.role, place, self.plan.layout, acting, waits)
            };
            let mut slot = Slot::new(format!("actor/{}", actor.role.name()), look(false, self.before()));
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
