//! The sequence: the same run as lifelines and messages, a step at a time for the stage and whole for a file.

use super::geom::Rect;
use super::measures::roomy;
use super::sequence_draw::Drawing;
use super::sequence_messages::{Mark, Message, messages};
use super::sequence_motion::Timing;
use super::sequence_party::{Columns, Party, ROOM, edges, ordered};
use super::sequence_row::{Density, Row, row};
use super::{Layout, Scene};
use crate::trace::Run;

/// The sequence at a reader's step (from 1): its messages marked, and above them as many of those before as there is
/// room for. Before the first step nobody has sent anything, after the last nothing is marked.
pub fn sequence(run: &Run, step: usize, layout: Layout) -> Scene {
    Told::new(run, layout).scene(step)
}

/// The sequence at every step of a run, in order: the same as [`sequence`] for each, and faster.
pub fn sequences(run: &Run, layout: Layout) -> Vec<Scene> {
    let told = Told::new(run, layout);
    (1..=told.steps).map(|step| told.scene(step)).collect()
}

/// The whole sequence in one tall picture that stands still, with the numbers of the reader's steps at the left.
pub fn sequence_whole(run: &Run, layout: Layout) -> Scene {
    let told = Told::new(run, layout);
    let panel = told.whole();
    let drawing = Drawing { messages: &told.messages, panel: &panel, layout, numbered: true };
    let groups = drawing.groups(None, None);
    Scene { width: roomy(layout).width, height: panel.height, groups }
}

/// A message in its place.
pub struct Placed {
    /// Which message, as an index.
    pub message: usize,
    /// What it looks like.
    pub row: Row,
    /// Where its row begins, in units.
    pub y: i32,
}

/// What stands where in a picture of the sequence. All measures are units.
pub struct Panel {
    /// The lifelines.
    pub columns: Columns,
    /// The messages, from top to bottom.
    pub placed: Vec<Placed>,
    /// The step that is marked.
    pub step: Option<usize>,
    /// What the marked step covers.
    pub now: Option<Rect>,
    /// Where lanes begin.
    pub top: i32,
    /// Where lifelines begin.
    pub head: i32,
    /// Where lanes and lifelines end.
    pub floor: i32,
    /// The height of the picture.
    pub height: i32,
    /// Between which edges lifelines and words stand.
    pub edges: (i32, i32),
}

/// A run as messages between parties.
struct Told {
    messages: Vec<Message>,
    parties: Vec<Party>,
    layout: Layout,
    steps: usize,
    /// The lifelines of each step, and how close its rows are: tight where it has more than the stage holds.
    stands: Vec<(Columns, Density)>,
    /// The height of every panel, in units: the stage's, or more where a step needs it.
    height: i32,
}

/// From the heads to the first message, in units.
const LEAD: i32 = 10;
/// Around the marked messages, in units.
const PAD: i32 = 4;
/// Between the messages of two steps, in units.
const APART: i32 = 6;

impl Told {
    fn new(run: &Run, layout: Layout) -> Told {
        let messages = messages(run);
        let parties = ordered(takers(messages.iter()));
        let (left, right) = edges(layout, false);
        let count = i32::try_from(parties.len()).unwrap_or(i32::MAX).max(1);
        let all = ((right - left) / count >= ROOM).then(|| Columns::new(&parties, left, right));
        let (steps, stage) = (run.groups.len(), super::scene(run, 1, layout).height);
        let mut told = Told { messages, parties, layout, steps, stands: Vec::new(), height: stage };
        for step in 1..=steps {
            let columns = all.clone().unwrap_or_else(|| told.columns(step));
            let roomy = told.needs(step, &columns, Density::ROOMY);
            let density = if roomy <= stage { Density::ROOMY } else { Density::TIGHT };
            // Never lower than the map, so that the stage keeps its height between the two, and on the module.
            let height = told.needs(step, &columns, density);
            told.height = told.height.max((height + 7) / 8 * 8);
            told.stands.push((columns, density));
        }
        told
    }

    fn scene(&self, step: usize) -> Scene {
        let panel = self.panel(step);
        let before = step.checked_sub(1).map(|before| self.panel(before));
        let timing = Timing::new(&self.messages, &panel, before.as_ref());
        let numbered = self.layout == Layout::Wide;
        let drawing = Drawing { messages: &self.messages, panel: &panel, layout: self.layout, numbered };
        let groups = drawing.groups(Some(&timing), self.clock(step));
        Scene { width: roomy(self.layout).width, height: panel.height, groups }
    }

    /// The lifelines of a step in a run of more than there is room for: of those who take part, then of what was told
    /// before, then of what comes after, while their names have room.
    fn columns(&self, step: usize) -> Columns {
        let (left, right) = edges(self.layout, false);
        let mut parties = ordered(takers(self.of(step)));
        let mut columns = Columns::new(&parties, left, right);
        let before: Vec<&Message> = self.messages.iter().take(self.first(step)).rev().collect();
        let after: Vec<&Message> = self.messages.iter().skip(self.first(step + 1)).collect();
        for message in [before, after].into_iter().flatten() {
            let room = |parties: usize| (right - left) / i32::try_from(parties).unwrap_or(i32::MAX).max(1);
            if room(parties.len() + 1) < ROOM {
                break;
            }
            let more = ordered(parties.iter().cloned().chain(takers([message].into_iter())));
            if more.len() > parties.len() && room(more.len()) >= ROOM {
                let wider = Columns::new(&more, left, right);
                if wider.names.is_some() {
                    (parties, columns) = (more, wider);
                }
            }
        }
        columns
    }

    /// What stands where in a step's panel; before the first step and after the last as in the next one.
    fn stand(&self, step: usize) -> (Columns, Density) {
        let nearest = self.stands.get(step.clamp(1, self.steps.max(1)) - 1);
        let (left, right) = edges(self.layout, false);
        nearest.cloned().unwrap_or_else(|| (Columns::new(&self.parties, left, right), Density::ROOMY))
    }

    fn of(&self, step: usize) -> impl Iterator<Item = &Message> {
        self.messages.iter().filter(move |m| m.step == step)
    }

    /// The first message of a step or of one after it, as an index.
    fn first(&self, step: usize) -> usize {
        self.messages.iter().position(|m| m.step >= step).unwrap_or(self.messages.len())
    }

    /// The height of a step's own messages, with what is around them.
    fn needs(&self, step: usize, columns: &Columns, density: Density) -> i32 {
        let edges = edges(self.layout, false);
        let rows: i32 = self.of(step).map(|m| row(m, columns, edges, density).height).sum();
        let (top, head) = heads(columns, self.layout);
        top + head + LEAD + 2 * PAD + rows + APART + foot(columns, self.layout)
    }

    fn panel(&self, step: usize) -> Panel {
        let (columns, density) = self.stand(step);
        let edges = edges(self.layout, false);
        let (top, head) = heads(&columns, self.layout);
        let (begin, floor) = (top + head + LEAD, self.height - foot(&columns, self.layout));
        let drawn = |i: usize, m: &Message| (i, row(m, &columns, edges, density));
        let (begun, done) = (self.first(step), self.first(step.saturating_add(1)));
        let told = self.messages.iter().enumerate();
        let rows: Vec<_> = told.clone().take(done).skip(begun).map(|(i, m)| drawn(i, m)).collect();
        let marked: i32 = rows.iter().map(|(_, r)| r.height).sum();
        let band = if rows.is_empty() { 0 } else { marked + 2 * PAD + APART };
        let mut past: Vec<(usize, Row)> = Vec::new();
        let mut room = floor - begin - band;
        for (i, row) in told.take(begun).rev().map(|(i, m)| drawn(i, m)) {
            let height = row.height + self.apart(i);
            // Nothing is left out in the middle: a message without a lifeline here ends what is told again.
            if row.height == 0 || height > room {
                break;
            }
            room -= height;
            past.push((i, row));
        }
        past.reverse();
        let later = |(i, _): &&(usize, Row)| self.messages.get(*i).is_some_and(|m| m.mark == Mark::Later);
        let skip = past.iter().take_while(later).count();
        let mut placed = Vec::new();
        let mut y = begin;
        for (message, row) in past.into_iter().skip(skip) {
            y += if placed.is_empty() { 0 } else { self.apart(message) };
            let height = row.height;
            placed.push(Placed { message, row, y });
            y += height;
        }
        y += if placed.is_empty() { 0 } else { APART };
        let left = if self.layout == Layout::Wide { 4 } else { 2 };
        let width = roomy(self.layout).width - 2 * left;
        let now = (!rows.is_empty()).then(|| Rect::new(left, y, width, marked + 2 * PAD));
        y += PAD;
        for (message, row) in rows {
            let height = row.height;
            placed.push(Placed { message, row, y });
            y += height;
        }
        let step = now.map(|_| step);
        Panel { columns, placed, step, now, top, head: top + head, floor, height: self.height, edges }
    }

    fn whole(&self) -> Panel {
        let edges = edges(self.layout, true);
        let columns = Columns::new(&self.parties, edges.0, edges.1);
        let (top, head) = heads(&columns, self.layout);
        let mut y = top + head + LEAD;
        let mut placed = Vec::new();
        for (message, m) in self.messages.iter().enumerate() {
            y += if placed.is_empty() { 0 } else { self.apart(message) };
            let row = row(m, &columns, edges, Density::ROOMY);
            let height = row.height;
            placed.push(Placed { message, row, y });
            y += height;
        }
        let keys = keys(&columns, self.layout);
        let height = (y + APART + top + keys + 7) / 8 * 8;
        let floor = height - top - keys;
        Panel { columns, placed, step: None, now: None, top, head: top + head, floor, height, edges }
    }

    /// The room before a message that opens a step.
    fn apart(&self, message: usize) -> i32 {
        let step = |i: usize| self.messages.get(i).map(|m| m.step);
        if message.checked_sub(1).and_then(step) == step(message) { 0 } else { APART }
    }

    /// The cluster's time before a step.
    fn clock(&self, step: usize) -> Option<u64> {
        Some(self.messages.iter().rfind(|m| m.step < step).map_or(0, |m| m.sim_ms))
    }
}

/// Everyone who sends or receives, and the API server.
fn takers<'a>(messages: impl Iterator<Item = &'a Message>) -> impl Iterator<Item = Party> {
    messages.flat_map(|m| [m.from.clone(), m.to.clone()]).chain([Party::Api])
}

/// Where lanes begin, and how high the heads of the lifelines are.
fn heads(columns: &Columns, layout: Layout) -> (i32, i32) {
    let m = roomy(layout);
    let rows = columns.names.iter().flatten().map(|(_, row)| row + 1).max().unwrap_or(0);
    let names = i32::try_from(rows).unwrap_or(0) * NAME;
    match layout {
        Layout::Wide => (8, 24 + names + 6 + 2 * m.badge),
        Layout::Narrow => (4, 20 + names + 4 + 2 * m.badge),
    }
}

/// The height of a row of names, in units.
pub const NAME: i32 = 17;
/// The height of a row of the key, in units.
pub const KEY: i32 = 22;

/// The height below the lanes: the legend or the clock, and the key where the names have no room above.
fn foot(columns: &Columns, layout: Layout) -> i32 {
    keys(columns, layout) + if layout == Layout::Wide { 32 } else { 24 }
}

/// The height of the key to the badges.
fn keys(columns: &Columns, layout: Layout) -> i32 {
    let count = i32::try_from(columns.list.len()).unwrap_or(0);
    let across = per_row(layout);
    if columns.names.is_some() { 0 } else { (count + across - 1) / across * KEY + 6 }
}

/// How many badges a row of the key tells.
pub const fn per_row(layout: Layout) -> i32 {
    match layout {
        Layout::Wide => 4,
        Layout::Narrow => 2,
    }
}
