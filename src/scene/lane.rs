//! Lanes: pills stand in the order of their homes, in as many rows as they need.

use super::geom::{Dir, Rect};
use super::measures::Measures;
use super::pill::names;
use super::text::{Face, width};
use crate::model::{Actor, Role};

/// An actor's pill in its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placed {
    /// The actor.
    pub actor: Actor,
    /// Where its pill is.
    pub place: Rect,
    /// On which side of it calls run.
    pub calls: Dir,
}

/// Between the pills of a row, at least.
const APART: i32 = 12;
/// Between the pills of a row whose kubelet has the room that is left.
const WIDEST: i32 = 16;
/// No kubelet's pill needs more than this, in units.
const KUBELET: i32 = 264;

/// Between rows of pills among which calls run, at least: a capsule on an upright wire, with both ends to be seen.
pub const CALL: i32 = 48;

/// A row of pills: actors with the widths of their pills.
type Line<'a> = Vec<(&'a Actor, i32)>;

/// How a pill is named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Naming {
    /// In full, with room for it in semibold.
    Bold,
    /// In full; it stays regular while its actor acts.
    Full,
    /// By its short name.
    Short,
}

/// The width of a role's pill.
fn pill_width(role: Role, naming: Naming, m: &Measures) -> i32 {
    let all = names(role);
    let name = if naming == Naming::Short { all.last() } else { all.first() };
    let bold = |n: &str| if naming == Naming::Bold { width(Face::Bold, n) - 6 } else { 0 };
    let text = name.map_or(0, |n| width(Face::Sans, n).max(bold(n)));
    (m.pill / 2 + m.badge + 7 + text + 10 + 3) / 4 * 4
}

/// Splits a lane into rows that fit its room.
fn lines<'a>(actors: &[&'a Actor], naming: Naming, room: i32, m: &Measures) -> Vec<Line<'a>> {
    let mut all: Vec<Line> = Vec::new();
    for actor in actors {
        let w = pill_width(actor.role, naming, m).min(room);
        match all.last_mut() {
            Some(line) if line.iter().map(|(_, w)| w + APART).sum::<i32>() + w <= room => {
                line.push((*actor, w));
            }
            _ => all.push(vec![(*actor, w)]),
        }
    }
    all
}

/// The rows of a lane: as few as can be, and then with the fullest names.
fn fewest<'a>(actors: &[&'a Actor], room: i32, m: &Measures) -> Vec<Line<'a>> {
    if room < 400 && actors.iter().any(|a| a.role == Role::Kubelet) {
        // kubelet needs the room for what it waits for.
        return lines(actors, Naming::Short, room, m);
    }
    let all = [Naming::Bold, Naming::Full, Naming::Short].map(|naming| lines(actors, naming, room, m));
    all.into_iter().min_by_key(Vec::len).unwrap_or_default()
}

/// Gives kubelet, which has most to wait for, of the room that a row leaves.
fn grow(line: &mut Line, room: i32) {
    let taken: i32 = line.iter().map(|(_, w)| w + WIDEST).sum();
    let left = (room - taken + WIDEST).max(0) / 4 * 4;
    for (_, w) in line.iter_mut().filter(|(a, _)| a.role == Role::Kubelet) {
        *w += left.min((KUBELET - *w).max(0));
    }
}

/// The width of a lane's pills in one row, with what is between them.
pub fn one_row(actors: &[&Actor], m: &Measures) -> i32 {
    actors.iter().map(|a| pill_width(a.role, Naming::Bold, m) + APART).sum::<i32>() - APART
}

/// The same with the shortest names.
pub fn shortest_row(actors: &[&Actor], m: &Measures) -> i32 {
    actors.iter().map(|a| pill_width(a.role, Naming::Short, m) + APART).sum::<i32>() - APART
}

/// Places a row: the first pill at the left, the last at the right, the others between.
fn spread(line: &Line, place: Rect, calls: Dir, out: &mut Vec<Placed>) {
    let taken: i32 = line.iter().map(|(_, w)| w).sum();
    let gaps = i32::try_from(line.len()).unwrap_or(1) - 1;
    let (mut x, mut left) = (place.x, place.w - taken);
    for (i, (actor, w)) in (0..).zip(line) {
        let place = Rect::new(x, place.y, *w, place.h);
        out.push(Placed { actor: (*actor).clone(), place, calls });
        let gap = if i < gaps { left / (gaps - i) / 4 * 4 } else { 0 };
        left -= gap;
        x += w + gap;
    }
}

/// A lane without calls inside. Returns where it ends.
pub fn quiet(actors: &[&Actor], x: i32, y: i32, room: i32, m: &Measures, out: &mut Vec<Placed>) -> i32 {
    let mut y = y;
    for line in fewest(actors, room, m) {
        // The reader, alone beneath others, stands at the right.
        let place = match &line[..] {
            [(a, w)] if a.role == Role::User && actors.len() > 1 => Rect::new(x + room - w, y, *w, m.pill),
            _ => Rect::new(x, y, room, m.pill),
        };
        spread(&line, place, Dir::Down, out);
        y += m.pill + m.line;
    }
    y - m.line
}

/// A lane whose actors call the last of them: in one row with room for calls beneath, or in several with room for
/// calls between them. Returns where it ends.
pub fn calling(actors: &[&Actor], x: i32, y: i32, room: i32, m: &Measures, out: &mut Vec<Placed>) -> i32 {
    let mut rows = fewest(actors, room, m);
    if rows.is_empty() {
        return y;
    }
    if let [line] = &mut rows[..] {
        grow(line, room);
        spread(line, Rect::new(x, y, room, m.pill), Dir::Down, out);
        return y + m.pill + if actors.len() > 1 { m.call } else { 0 };
    }
    // Callers in one row and beneath them whom they call is better than any other split.
    let split = actors.split_last();
    let mut callers = split.map(|(_, callers)| fewest(callers, room, m)).unwrap_or_default();
    if let ([line], Some(called)) = (&mut callers[..], actors.last()) {
        grow(line, room);
        rows = callers;
        rows.push(vec![(*called, pill_width(called.role, Naming::Bold, m))]);
    }
    let gap = m.call.max(CALL);
    let mut y = y;
    let last = rows.len().saturating_sub(1);
    for (i, line) in rows.iter().enumerate() {
        let calls = if i == last { Dir::Up } else { Dir::Down };
        match &line[..] {
            // Whoever has a row alone is called from all sides.
            [(actor, w)] => {
                let w = (*w).max(room / 3 / 4 * 4);
                let place = Rect::new(x + (room - w) / 2 / 4 * 4, y, w, m.pill);
                out.push(Placed { actor: (*actor).clone(), place, calls });
            }
            _ => spread(line, Rect::new(x, y, room, m.pill), calls, out),
        }
        y += m.pill + gap;
    }
    y - gap
}

/// A Node's actors in a column of its own: kubelet above, the others below, calls between them.
pub fn upright(actors: &[&Actor], place: Rect, m: &Measures, out: &mut Vec<Placed>) {
    let Some((first, others)) = actors.split_first() else { return };
    let above = Rect::new(place.x, place.y, place.w, m.pill);
    out.push(Placed { actor: (*first).clone(), place: above, calls: Dir::Down });
    let below = Rect::new(place.x, place.bottom() - m.pill, place.w, m.pill);
    match others {
        [one] => out.push(Placed { actor: (*one).clone(), place: below, calls: Dir::Up }),
        _ => {
            lines(others, Naming::Short, place.w, m).iter().for_each(|line| spread(line, below, Dir::Up, out))
        }
    }
}
