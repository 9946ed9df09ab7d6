//! The states that a cluster may be in along a recording: line by line, by actions that leave just these lines.

use super::recording::{Observation, Seen};
use super::replay_alike::Alike;
use super::replay_faults::Input;
use super::replay_focus::{Focus, Volumes};
use super::replay_lines::{Scope, kind_of, role, source};
use super::replay_match::{expected, is_recorded, shows};
use super::replay_trail::{Came, Trails};
use super::{Effect, render};
use crate::model::{
    Absent, Action, Change, Cluster, Kind, Moment, ObjectId, Presence, Role, Row, Visited, World, apply,
    next, promising, rows,
};
use std::collections::BTreeMap;
use std::rc::Rc;

/// How far observations of different sources may be out of step, in milliseconds.
pub(super) const SKEW_MS: u64 = 50;
/// How long one action may take from its first observation to its last, in milliseconds.
pub(super) const SPAN_MS: u64 = 1000;
/// How late an Event may be: its sender has a queue of its own for them, in milliseconds.
pub(super) const EVENT_MS: u64 = 2000;

/// A line that the model has to explain, or that happens to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// What was seen, in the model's words.
    pub seen: Observation,
    /// Nobody with rules did it, but actors react to it.
    pub imposed: bool,
}

/// A state that the cluster may be in: some lines further down are explained already.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// The cluster.
    pub cluster: Cluster,
    /// A bit for each such line, the lowest for the next one.
    pub ahead: u128,
}

/// What an action leaves: for each of its effects, the lines that show it.
type Leaves = Rc<[Wanted]>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Wanted {
    /// Numbers of lines, in order.
    pub(super) lines: Vec<usize>,
    /// Only its first occurrence is recorded.
    pub(super) once: bool,
}

/// Where no action leads on.
pub struct Stuck {
    /// The states that no line stands in the way of, but nothing more can happen in.
    pub furthest: Vec<Cluster>,
}

/// A search under way.
pub struct Search<'r> {
    world: &'r World,
    scope: &'r Scope,
    pub(super) lines: &'r [Line],
    inputs: &'r [Input],
    /// What each row of the world's candidates is about.
    about: Vec<Volumes>,
    focus: Vec<Volumes>,
    pub(super) sources: Vec<usize>,
    alike: Alike<'r>,
    states: Vec<State>,
    /// How each of the states came to be, where that is asked for.
    trails: Option<Trails>,
    /// The line from which on the namespace is being deleted: the API server takes no new Events in it.
    pub(super) silent: usize,
    leaves: BTreeMap<Vec<Change>, Leaves>,
}

impl<'r> Search<'r> {
    /// A search that stands before the first line.
    pub fn new(world: &'r World, scope: &'r Scope, lines: &'r [Line], inputs: &'r [Input]) -> Self {
        let focus = Focus::new(world);
        let mut known: Vec<(u8, &str)> = Vec::new();
        let sources = lines.iter().map(|line| {
            let from = source(&line.seen);
            known.iter().position(|s| *s == from).unwrap_or_else(|| {
                known.push(from);
                known.len() - 1
            })
        });
        Self {
            world,
            scope,
            lines,
            inputs,
            sources: sources.collect(),
            alike: Alike::new(world),
            about: rows(world).map(|row| focus.subject(row.subject())).collect(),
            focus: lines.iter().map(|line| focus.line(&line.seen)).collect(),
            silent: lines.iter().position(ends_namespace).unwrap_or(lines.len()),
            states: vec![State { cluster: world.initial(), ahead: 0 }],
            trails: None,
            leaves: BTreeMap::new(),
        }
    }

    /// Keeps from now on how each state came to be.
    pub fn keep_trails(&mut self) {
        self.trails = Some(Trails::of(&self.states));
    }

    /// How the first of the states came to be, where that was kept: each state before it, in order, with the
    /// places of the lines that show it.
    pub fn past(&self) -> Vec<(Moment, Vec<usize>)> {
        self.trails.as_ref().map_or_else(Vec::new, Trails::first)
    }

    /// The states that the cluster may be in.
    pub fn clusters(&self) -> Vec<Cluster> {
        self.states.iter().map(|state| state.cluster).collect()
    }

    /// Whatever may have stopped or started by this time has done so.
    pub fn settle(&mut self, now: u64) {
        for input in self.inputs.iter().filter(|input| input.from <= now) {
            for state in &mut self.states {
                state.cluster = next(self.world, &state.cluster, input.action).unwrap_or(state.cluster);
            }
        }
        if let Some(trails) = &mut self.trails {
            trails.mark(&self.states, now);
        }
    }

    /// Goes on to the states in which one more line is explained.
    pub fn explain(&mut self, at: usize) -> Result<(), Stuck> {
        let Some(line) = self.lines.get(at) else { return Ok(()) };
        self.let_inputs_happen(line.seen.t_ms);
        let mut found: Vec<State> = Vec::new();
        if line.imposed {
            for state in &mut self.states {
                impose(self.world, &mut state.cluster, &line.seen.what);
            }
        }
        if let Some(trails) = &mut self.trails {
            trails.mark(&self.states, line.seen.t_ms);
        }
        if line.imposed {
            found = self.states.clone();
            self.states.clear();
        }
        let mut furthest = Vec::new();
        let window = self.window(at);
        let mut visited: Visited<State> = std::mem::take(&mut self.states).into_iter().collect();
        let mut came: Vec<Came> = Vec::new();
        let mut place = 0;
        while let Some(state) = visited.get(place) {
            place += 1;
            if state.ahead & 1 == 1 {
                found.push(*state);
                continue;
            }
            let before = state.ahead;
            let next = self.successors(state, at, window);
            if next.is_empty() {
                furthest.push(state.cluster);
            }
            for (action, next) in next {
                if visited.insert(next) {
                    came.push(Came { from: place - 1, action, left: next.ahead & !before });
                }
            }
        }
        if found.is_empty() {
            return Err(Stuck { furthest });
        }
        for state in &mut found {
            state.ahead >>= 1;
        }
        self.states = self.earliest(found);
        if let Some(trails) = &mut self.trails {
            trails.follow(&self.states, &visited, &came, (at, line.seen.t_ms));
        }
        Ok(())
    }

    /// Stops and starts of which the time is over have happened by now.
    fn let_inputs_happen(&mut self, now: u64) {
        let before = self.lines.first().map_or(0, |line| line.seen.t_ms);
        for input in
            self.inputs.iter().filter(|input| input.until < now || (input.until == 0 && now == before))
        {
            for state in &mut self.states {
                if let Some(cluster) = next(self.world, &state.cluster, input.action) {
                    state.cluster = cluster;
                }
            }
        }
        self.inputs =
            self.inputs.get(self.inputs.partition_point(|input| input.until < now)..).unwrap_or_default();
    }

    /// Leaves out every state that another one leads to unseen: what can happen there can happen later as well. Of
    /// states that are alike one is enough.
    fn earliest(&mut self, found: Vec<State>) -> Vec<State> {
        let pairs: Vec<(Cluster, u128)> = found.iter().map(|state| (state.cluster, state.ahead)).collect();
        let needed = self.alike.needed(&pairs).into_iter().zip(found);
        let found: Visited<State> = needed.filter(|(needed, _)| *needed).map(|(_, state)| state).collect();
        // What is unseen leaves the lines as they are.
        let ahead: Vec<u128> = (0..found.len()).filter_map(|n| found.get(n)).map(|s| s.ahead).collect();
        let is_alone = |state: &State| ahead.iter().filter(|other| **other == state.ahead).count() == 1;
        let states = (0..found.len()).filter_map(|number| found.get(number));
        let leads = states.map(|state| if is_alone(state) { Vec::new() } else { self.leads(state, &found) });
        let leads: Vec<Vec<usize>> = leads.collect();
        let mut follows = vec![false; found.len()];
        for number in 0..leads.len() {
            if follows.get(number) == Some(&true) {
                continue;
            }
            let mut open = vec![number];
            while let Some(later) = open.pop().and_then(|one| leads.get(one)) {
                for place in later.iter().filter(|place| **place != number) {
                    if let Some(follows) = follows.get_mut(*place).filter(|follows| !**follows) {
                        *follows = true;
                        open.push(*place);
                    }
                }
            }
        }
        let kept = follows.iter().enumerate().filter(|(_, follows)| !**follows);
        kept.filter_map(|(number, _)| found.get(number).copied()).collect()
    }

    /// The places of the states that this one leads to unseen.
    fn leads(&mut self, state: &State, all: &Visited<State>) -> Vec<usize> {
        let mut found = Vec::new();
        for action in promising(self.world, &state.cluster) {
            if matches!(action, Action::Outside(_)) {
                continue;
            }
            let Some(cluster) = next(self.world, &state.cluster, action) else { continue };
            let Some(place) = all.place(&State { cluster, ahead: state.ahead }) else { continue };
            if let Ok(outcome) = apply(self.world, &state.cluster, action)
                && self.leaves(outcome.changes).is_empty()
            {
                found.push(place);
            }
        }
        found
    }

    /// The volumes that the lines are about which an action may leave first at this line.
    fn window(&self, at: usize) -> Volumes {
        let now = self.lines.get(at).map_or(0, |line| line.seen.t_ms);
        let near = (at..self.lines.len())
            .take_while(|number| self.lines.get(*number).is_some_and(|l| l.seen.t_ms <= now + 2 * SKEW_MS));
        near.filter_map(|number| self.focus.get(number)).fold(Volumes::NONE, |all, own| all.with(*own))
    }

    /// The states that one action leads to, if the lines that it leaves stand where they may.
    fn successors(&mut self, state: &State, at: usize, window: Volumes) -> Vec<(Action, State)> {
        let mut found = Vec::new();
        let focus = self.focus.get(at).copied().unwrap_or_default();
        let now = self.lines.get(at).map_or(0, |line| line.seen.t_ms);
        let world = self.world;
        let absent = Absent::of(world, &state.cluster);
        let near = rows(world).enumerate().filter_map(|(number, row)| {
            let about = self.about.get(number).copied().unwrap_or_default();
            (window.meets(about) && !row.rests(absent)).then_some((row, about))
        });
        let near: Vec<(&Row, Volumes)> = near.collect();
        for (action, about) in
            near.into_iter().flat_map(|(row, about)| row.actions().map(move |a| (a, about)))
        {
            let Ok(outcome) = apply(self.world, &state.cluster, action) else { continue };
            let leaves = self.leaves(outcome.changes);
            let may = if !leaves.is_empty() {
                true
            } else if matches!(action, Action::Outside(_)) {
                self.inputs.iter().any(|input| input.action == action && input.from <= now)
            } else {
                focus.meets(about)
            };
            if may && let Some(ahead) = self.place(&leaves, state.ahead, at) {
                found.push((action, State { cluster: outcome.cluster, ahead }));
            }
        }
        found
    }

    /// What these changes leave in the recording; what leaves nothing is unseen.
    fn leaves(&mut self, changes: Vec<Change>) -> Leaves {
        if let Some(known) = self.leaves.get(&changes) {
            return Rc::clone(known);
        }
        let effects: Vec<Effect> = changes.iter().map(|change| render::effect(self.world, *change)).collect();
        let wanted =
            expected(&effects).into_iter().filter(|line| is_recorded(self.scope, line)).map(|wanted| {
                let lines = self
                    .lines
                    .iter()
                    .enumerate()
                    .filter(|(_, line)| !line.imposed && shows(self.scope, &line.seen, &wanted));
                let once = matches!(wanted.what, Seen::Event(..));
                Wanted { lines: lines.map(|(number, _)| number).collect(), once }
            });
        let leaves: Leaves = wanted.collect();
        self.leaves.insert(changes, Rc::clone(&leaves));
        leaves
    }
}

/// Whether this line shows that the namespace is being deleted.
fn ends_namespace(line: &Line) -> bool {
    role(&line.seen.by) == Some(Role::NamespaceController)
}

/// Lets happen what somebody without rules wrote.
fn impose(world: &World, cluster: &mut Cluster, what: &Seen) {
    let object = match what {
        Seen::Update(object, _) | Seen::Delete(object) => object.as_str(),
        Seen::Given(..)
        | Seen::Note(_)
        | Seen::Create(..)
        | Seen::Event(..)
        | Seen::Call(..)
        | Seen::Rpc(..)
        | Seen::Mount(_)
        | Seen::Unmount(_) => return,
    };
    let is = |id: ObjectId| world.object(id).to_string() == object;
    match kind_of(object) {
        Some(Kind::Pod) => {
            for pod in world.pods().filter(|pod| is(ObjectId::Pod(*pod))) {
                cluster.pod_mut(pod).deleting = true;
                if matches!(what, Seen::Delete(_)) {
                    cluster.pod_mut(pod).presence = Presence::Gone;
                }
            }
        }
        Some(Kind::PersistentVolumeClaim) => {
            for claim in world.claims().filter(|claim| is(ObjectId::Claim(*claim))) {
                cluster.claim_mut(claim).deleting = true;
            }
        }
        Some(Kind::PersistentVolume) => {
            for volume in world.volumes().filter(|volume| is(ObjectId::Volume(*volume))) {
                cluster.volume_mut(volume).deleting = true;
            }
        }
        Some(Kind::VolumeAttachment) => {
            for link in world.links().filter(|link| is(ObjectId::Attachment(*link))) {
                cluster.place_mut(link).attachment.deleting = true;
            }
        }
        _ => {}
    }
}
