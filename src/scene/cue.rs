//! Cues: when each action of a reader's step happens in the animation, and which wires it draws.

use super::cast;
use super::geom::{Dir, Pt, Rect, length};
use super::plan::Plan;
use super::ports::thing_ports;
use super::route::{CLEAR, Port};
use super::shelf::Card;
use super::thing::Thing;
use super::wire::{CAPSULE, Line, capsule_width};
use crate::model::{Actor, Family, ObjectRef};
use crate::trace::{Effect, Run, Step};
use std::ops::Range;

/// How long a wire takes to appear, in milliseconds.
pub const CUE_MS: u32 = 150;
/// How long what lands takes to show, in milliseconds.
pub const LAND_MS: u32 = 250;
/// What it costs a call to leave its wire row, in units of length.
const AWAY: u32 = 60;
/// No step moves longer than this, in milliseconds.
const STEP_MS: u32 = 16_000;

/// A wire of a cue, routed.
#[derive(Clone, PartialEq, Debug)]
pub struct Wire {
    /// What it means.
    pub line: Line,
    /// Whose hue it bears.
    pub family: Family,
    /// Its way, from sender to receiver.
    pub points: Vec<Pt>,
    /// The capsule that travels on it: its text, and where it parks.
    pub capsule: Option<(String, Pt)>,
}

/// One action of a step in the animation. All times are milliseconds of animation.
#[derive(Clone, PartialEq, Debug)]
pub struct Cue {
    /// The action, as an index into the run's steps.
    pub index: usize,
    /// When its wires appear.
    pub start: u32,
    /// When its capsules begin to move.
    pub leave: u32,
    /// When its effects show.
    pub land: u32,
    /// Its wires.
    pub wires: Vec<Wire>,
}

/// What a wire is asked to connect.
struct Ask {
    line: Line,
    family: Family,
    from: Vec<Port>,
    to: Vec<Port>,
    capsule: Option<&'static str>,
}

/// The cues of a stretch of the run, and when the last of them has landed.
pub fn cues(run: &Run, actions: Range<usize>, plan: &Plan) -> (Vec<Cue>, u32) {
    let mut out: Vec<Cue> = Vec::new();
    let mut t = 0;
    for index in actions {
        let Some(step) = run.trace.steps.get(index) else { continue };
        let wires = wires(index, step, plan);
        let longest = wires.iter().filter(|w| w.capsule.is_some()).map(|w| length(&w.points)).max();
        let leave = t + CUE_MS;
        let (land, next) = match longest {
            Some(units) => {
                let travel = (500 + units.unsigned_abs() * 4 / 5).clamp(500, 900);
                (leave + travel, leave + travel + 120)
            }
            None if wires.is_empty() => (leave + 50, leave + 250),
            None => (leave + CUE_MS, leave + CUE_MS + 150),
        };
        out.push(Cue { index, start: t, leave, land, wires });
        t = next;
    }
    let end = out.last().map_or(0, |c| c.land + LAND_MS);
    if end <= STEP_MS {
        return (out, end);
    }
    let scaled = |ms: u32| u32::try_from(u64::from(ms) * u64::from(STEP_MS) / u64::from(end)).unwrap_or(ms);
    for c in &mut out {
        (c.start, c.leave, c.land) = (scaled(c.start), scaled(c.leave), scaled(c.land));
    }
    (out, STEP_MS)
}

/// The wires of one action. A read is drawn when it is the news: when the action writes nothing, or
/// only reports an Event about what it saw.
fn wires(index: usize, step: &Step, plan: &Plan) -> Vec<Wire> {
    let mut asks = writes(step, plan);
    asks.extend(step.effects.iter().filter_map(|e| other(e, step, plan)));
    asks.extend(work(index, step, plan));
    if step.effects.iter().all(|e| matches!(e, Effect::Event { .. })) {
        let reads = step.reads.iter().filter_map(|o| plan.card(o)).map(|card| read(card, &step.actor, plan));
        asks.splice(0..0, reads);
    }
    let mut floor = plan.floor.clone();
    let mut out = Vec::new();
    for ask in asks {
        let found = match ask.capsule {
            Some(text) => floor
                .route_with(&ask.from, &ask.to, capsule_width(text), CAPSULE)
                .map(|(points, centre)| (points, Some((text.to_owned(), centre)))),
            None => floor.route(&ask.from, &ask.to).map(|points| (points, None)),
        };
        let Some((points, capsule)) = found else { continue };
        // The next wire of this action keeps off this one.
        let pairs = points.iter().zip(points.iter().skip(1));
        floor.soft.extend(pairs.map(|(a, b)| Rect::between(*a, *b).grown(CLEAR)));
        floor.walls.extend(capsule.iter().map(|(t, c)| Rect::around(*c, capsule_width(t), CAPSULE)));
        out.push(Wire { line: ask.line, family: ask.family, points, capsule });
    }
    out
}

/// One wire for each object that an action writes, to the first row it writes.
fn writes(step: &Step, plan: &Plan) -> Vec<Ask> {
    let mut objects: Vec<&ObjectRef> = Vec::new();
    for object in step.effects.iter().filter_map(cast::object_of) {
        if !objects.contains(&object) {
            objects.push(object);
        }
    }
    objects.into_iter().filter_map(|object| write(step, plan.card(object)?, plan)).collect()
}

fn write(step: &Step, card: &Card, plan: &Plan) -> Option<Ask> {
    let object = &card.object.object;
    let (mut by, mut row) = (None, None);
    let (mut created, mut deleted, mut wrote, mut asked) = (false, false, false, false);
    for effect in step.effects.iter().filter(|e| cast::object_of(e) == Some(object)) {
        match effect {
            Effect::Write { field, by: who, .. } => {
                by = by.or(Some(who));
                wrote = true;
                asked |= *field == "metadata.deletionTimestamp";
                row = row.or(Some(*field).filter(|f| card.row_of(f).is_some()));
            }
            Effect::Create { by: who, .. } => {
                by = by.or(Some(who));
                created = true;
            }
            Effect::Delete { by: who, .. } => {
                by = by.or(Some(who));
                deleted = true;
            }
            Effect::Event { by: who, .. } => {
                by = by.or(Some(who));
                row = row.or(Some("event"));
            }
            Effect::Rpc { .. } | Effect::Mount { .. } | Effect::Unmount { .. } | Effect::Device { .. } => {}
        }
    }
    let verb = match () {
        () if created => "create",
        () if asked || (deleted && !wrote) => "delete",
        () if wrote => "patch",
        () => "event",
    };
    let row = if created || asked || deleted { None } else { row };
    let by = by?;
    Some(Ask {
        line: Line::Write,
        family: by.role.family(),
        from: plan.pill_ports(by, Some(card.place)),
        to: card.row_ports(row),
        capsule: Some(verb),
    })
}

/// The wire of a call, a reply or a driver's deed.
fn other(effect: &Effect, step: &Step, plan: &Plan) -> Option<Ask> {
    let ends = |from: &Actor, to: &Actor| {
        (plan.pill_ports(from, plan.place(to)), plan.pill_ports(to, plan.place(from)))
    };
    match effect {
        Effect::Rpc { method, caller, callee, code: None, .. } => {
            let (from, to) = ends(caller, callee);
            // Calls leave and enter by the wire rows: there the longest method has room.
            let by_row = |actor: &Actor, ports: Vec<Port>, stub: i32| -> Vec<Port> {
                let side = plan.calls(actor);
                let upright = ports.into_iter().filter(|p| matches!(p.out, Dir::Up | Dir::Down));
                let away = |p: &Port| if Some(p.out) == side { 0 } else { AWAY };
                upright.map(|p| Port { cost: p.cost + away(&p), stub: p.stub.max(stub), ..p }).collect()
            };
            let (from, to) = (by_row(caller, from, 0), by_row(callee, to, 16));
            Some(Ask { line: Line::Call, family: caller.role.family(), from, to, capsule: Some(*method) })
        }
        Effect::Rpc { caller, callee, code: Some(code), .. } => {
            let (from, to) = ends(callee, caller);
            let refused = *code != crate::model::Code::Ok;
            let line = if refused { Line::Refusal } else { Line::Reply };
            let capsule = refused.then_some(code.name());
            Some(Ask { line, family: callee.role.family(), from, to, capsule })
        }
        Effect::Device { path, .. } => Some(deed(step, plan.volume(path)?, plan)),
        Effect::Mount { node, path } | Effect::Unmount { node, path } => {
            Some(deed(step, plan.mount(node, path)?, plan))
        }
        Effect::Write { .. } | Effect::Create { .. } | Effect::Delete { .. } | Effect::Event { .. } => None,
    }
}

/// The wire of a driver's work that leaves no mount and no device.
fn work(index: usize, step: &Step, plan: &Plan) -> Option<Ask> {
    let (_, on) = plan.cast.real.works.iter().find(|(at, _)| *at == index)?;
    Some(deed(step, plan.thing_of(on)?, plan))
}

fn deed(step: &Step, thing: &Thing, plan: &Plan) -> Ask {
    let from = plan.pill_ports(&step.actor, Some(thing.place));
    let to = thing_ports(thing, plan.place(&step.actor));
    Ask { line: Line::Syscall, family: step.actor.role.family(), from, to, capsule: None }
}

fn read(card: &Card, reader: &Actor, plan: &Plan) -> Ask {
    let from = card.ports(plan.place(reader));
    let to = plan.pill_ports(reader, Some(card.place));
    Ask { line: Line::Read, family: reader.role.family(), from, to, capsule: None }
}
