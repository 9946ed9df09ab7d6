//! Is a recording of a real cluster a run of the model? The first line that no rule explains says no.

use super::recording::{Observation, ReadError, Seen, read};
use super::replay_faults::{as_heard, is_unheard};
use super::replay_lines::{Concern, by_owner, concern};
use super::replay_nearest::{Nearest, nearest};
use super::replay_search::{Line, Search};
use super::replay_world::{UnknownWorld, gather};
use crate::model::Role;
use std::fmt;

/// A recording that the model accepts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Accepted {
    /// How many lines were explained.
    pub explained: usize,
    /// The numbers of the first and the last of them.
    pub lines: (usize, usize),
    /// How many states the cluster may be in at the end.
    pub states: usize,
}

/// Why a recording is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayError {
    /// It cannot be read.
    Read(ReadError),
    /// It does not tell enough of its world.
    World(UnknownWorld),
    /// It creates no Pod.
    NoPod,
    /// No rule explains a line.
    Unexplained(Box<Unexplained>),
}

/// The first line that no rule explains.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unexplained {
    /// Its number.
    pub line: usize,
    /// Who did it.
    pub by: String,
    /// What it shows.
    pub what: Seen,
    /// The rules that come nearest, with what each lacked.
    pub nearest: Vec<Nearest>,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Read(error) => error.fmt(f),
            ReplayError::World(error) => error.fmt(f),
            ReplayError::NoPod => write!(f, "the recording creates no Pod, so there is nothing to replay"),
            ReplayError::Unexplained(unexplained) => {
                let Unexplained { line, by, what, nearest } = unexplained.as_ref();
                write!(f, "line {line}: no rule explains that {by} shows {what}")?;
                nearest.iter().try_for_each(|near| write!(f, "; {near}"))
            }
        }
    }
}

impl std::error::Error for ReplayError {}

/// Replays a recording.
///
/// # Errors
/// When it cannot be read, and at the first line that no enabled rule of the right actor explains.
pub fn replay(text: &str) -> Result<Accepted, ReplayError> {
    replay_with(text, |_, _| ())
}

/// The same, telling before each line how many lines are done of how many.
///
/// # Errors
/// As [`replay`].
pub fn replay_with(text: &str, mut progress: impl FnMut(usize, usize)) -> Result<Accepted, ReplayError> {
    let mut seen = as_heard(read(text).map_err(ReplayError::Read)?);
    by_owner(&mut seen);
    let gathered = gather(&seen).map_err(ReplayError::World)?;
    let (world, scope) = (&gathered.world, &gathered.scope);
    // Without rules for claims, these are bound before the first Pod comes.
    let is_pod = |o: &Observation| matches!(&o.what, Seen::Create(object, _) if object.starts_with("Pod/"));
    let start = match seen.iter().position(is_pod) {
        _ if scope.acts(Role::PvController) => 0,
        Some(first) => first,
        None => return Err(ReplayError::NoPod),
    };
    let lines: Vec<Line> = seen
        .iter()
        .skip(start)
        .filter(|line| !is_unheard(&gathered.told, line))
        .filter_map(|line| match concern(scope, line) {
            Concern::Explain(seen) => Some(Line { seen, imposed: false }),
            Concern::Impose(seen) => Some(Line { seen, imposed: true }),
            Concern::Skip => None,
        })
        .collect();
    let mut search = Search::new(world, scope, &lines, &gathered.inputs);
    for (at, line) in lines.iter().enumerate() {
        progress(at, lines.len());
        search.explain(at).map_err(|stuck| {
            ReplayError::Unexplained(Box::new(Unexplained {
                line: line.seen.line,
                by: line.seen.by.clone(),
                what: line.seen.what.clone(),
                nearest: nearest(world, &line.seen, &stuck.furthest),
            }))
        })?;
    }
    let number = |line: Option<&Line>| line.map_or(0, |line| line.seen.line);
    Ok(Accepted {
        explained: lines.len(),
        lines: (number(lines.first()), number(lines.last())),
        states: search.states(),
    })
}
