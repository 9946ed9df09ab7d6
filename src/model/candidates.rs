//! The actions of a world in rows that need the same, so that a row in vain is passed over at once.

use super::Action;
use super::action::Subject;
use super::needs::Absent;
use super::needs_acts::need;

/// Candidates that follow each other, are about the same thing and need the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    subject: Subject,
    /// The place in [`Absent`] of what must be there, if anything must.
    needs: Option<usize>,
    actions: Vec<Action>,
}

impl Row {
    /// These candidates in rows, in their order.
    pub(super) fn all(candidates: &[Action]) -> Vec<Row> {
        let chunks = candidates.chunk_by(|a, b| a.subject() == b.subject() && need(*a) == need(*b));
        let rows = chunks.filter_map(|actions| {
            let first = *actions.first()?;
            Some(Row { subject: first.subject(), needs: need(first).place(), actions: actions.to_vec() })
        });
        rows.collect()
    }

    /// What they are about.
    pub fn subject(&self) -> Subject {
        self.subject
    }

    /// Its actions.
    pub fn actions(&self) -> impl Iterator<Item = Action> + '_ {
        self.actions.iter().copied()
    }

    /// Whether what they need is not there, so that none of them is possible.
    pub fn rests(&self, absent: Absent) -> bool {
        self.needs.is_some_and(|place| absent.has(place))
    }
}
