//! How a replay came to a state: action by action, with the lines that each left.

use crate::model::Action;

/// One action, and what came before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Past {
    /// The number of the action before; 0 is the start.
    before: usize,
    action: Action,
    /// The place of the line that was explained then.
    at: usize,
    /// A bit for each line that it left, the lowest for that line.
    left: u128,
}

/// The pasts of all states of a search; each is known by the number of its last action, the start by 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trail(Vec<Past>);

impl Trail {
    /// Adds an action to a past and returns the number of the new one.
    pub fn add(&mut self, before: usize, action: Action, at: usize, left: u128) -> usize {
        self.0.push(Past { before, action, at, left });
        self.0.len()
    }

    /// The actions of a past in order, each with the places of the lines that it left.
    pub fn to(&self, past: usize) -> Vec<(Action, Vec<usize>)> {
        let mut found = Vec::new();
        let mut number = past;
        while let Some(past) = number.checked_sub(1).and_then(|at| self.0.get(at)) {
            let left = (0..u128::BITS as usize).filter(|bit| past.left >> bit & 1 == 1);
            found.push((past.action, left.map(|bit| past.at + bit).collect()));
            number = past.before;
        }
        found.reverse();
        found
    }
}
