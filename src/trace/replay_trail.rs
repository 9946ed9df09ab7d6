//! How each state that a cluster may be in came to be, for those who ask since when something has been so, or which line
//! shows what.

use super::replay_search::State;
use crate::model::{Action, Moment, Visited};
use std::rc::Rc;

/// A new state that a search comes across.
pub struct Came {
    /// The place of the state that it was reached from.
    pub from: usize,
    /// By what.
    pub action: Action,
    /// A bit for each line that this left, the lowest for the line that is being explained.
    pub left: u128,
}

/// A state on the way to another, with the way to it.
struct Step {
    moment: Moment,
    /// The place of the line that was being explained, and what was left, as [`Came::left`].
    left: (usize, u128),
    before: Option<Rc<Step>>,
}

/// For each state of a search, how it came to be.
pub struct Trails(Vec<(State, Rc<Step>)>);

impl Trails {
    /// Those of states that nothing has led to.
    pub fn of(states: &[State]) -> Self {
        let first = |state: &State| {
            let moment = Moment { at_ms: 0, cluster: state.cluster, did: None };
            (*state, Rc::new(Step { moment, left: (0, 0), before: None }))
        };
        Self(states.iter().map(first).collect())
    }

    /// What came from outside by this time has changed some of the states: that is a step of its own.
    pub fn mark(&mut self, states: &[State], now: u64) {
        for ((old, trail), state) in self.0.iter_mut().zip(states) {
            if old.cluster != state.cluster {
                let moment = Moment { at_ms: now, cluster: state.cluster, did: None };
                *trail = Rc::new(Step { moment, left: (0, 0), before: Some(Rc::clone(trail)) });
            }
            *old = *state;
        }
    }

    /// Goes on to these states, in which one more line is explained, that at `line`, its place and its time: `visited`
    /// are those that the search came across, the old ones first, and `came` tells of each new one.
    pub fn follow(&mut self, states: &[State], visited: &Visited<State>, came: &[Came], line: (usize, u64)) {
        let found = states.iter().filter_map(|state| {
            let explained = State { ahead: state.ahead << 1 | 1, ..*state };
            // A line that no action explains leaves the state as it was.
            let Some(place) = visited.place(&explained) else {
                let imposed = State { ahead: state.ahead << 1, ..*state };
                return Some((*state, self.trail(&imposed)?));
            };
            Some((*state, self.way(visited, came, place, line)?))
        });
        self.0 = found.collect();
    }

    fn trail(&self, state: &State) -> Option<Rc<Step>> {
        self.0.iter().find(|(old, _)| old == state).map(|(_, trail)| Rc::clone(trail))
    }

    /// The way to the state at this place of the search.
    fn way(
        &self,
        visited: &Visited<State>,
        came: &[Came],
        mut place: usize,
        (at, now): (usize, u64),
    ) -> Option<Rc<Step>> {
        let old = visited.len().checked_sub(came.len())?;
        let mut steps = Vec::new();
        while let Some(new) = place.checked_sub(old).and_then(|new| came.get(new)) {
            let cluster = visited.get(place)?.cluster;
            steps.push((Moment { at_ms: now, cluster, did: Some(new.action) }, (at, new.left)));
            place = new.from;
        }
        let first = self.trail(visited.get(place)?)?;
        let go = |before, (moment, left)| Rc::new(Step { moment, left, before: Some(before) });
        Some(steps.into_iter().rev().fold(first, go))
    }

    /// How the first of the states came to be: each state on the way, in order, with the places of the lines that
    /// show it.
    pub fn first(&self) -> Vec<(Moment, Vec<usize>)> {
        let mut found = Vec::new();
        let mut trail = self.0.first().map(|(_, trail)| trail);
        while let Some(step) = trail {
            let (at, left) = step.left;
            let left = (0..u128::BITS as usize).filter(|bit| left >> bit & 1 == 1);
            found.push((step.moment, left.map(|bit| at + bit).collect()));
            trail = step.before.as_ref();
        }
        found.reverse();
        found
    }
}
