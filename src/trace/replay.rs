//! Is a recording of a real cluster a run of the model? The first line that no rule explains says no.

use super::recording::{Observation, ReadError, Seen, read};
use super::render;
use super::replay_faults::{as_heard, is_unheard};
use super::replay_lines::{Concern, by_owner, concern};
use super::replay_match::{expected, is_recorded};
use super::replay_nearest::{Nearest, nearest};
use super::replay_search::{Line, Search};
use super::replay_world::{Gathered, UnknownWorld, gather};
use crate::model::timing::When;
use crate::model::{Cluster, Moment, Role, World, apply, is_enabled, promising};
use std::fmt;

/// How many unseen steps are caught up with at most.
const MOST_UNSEEN: usize = 50;
/// How late anything can be that happens at once, in milliseconds.
const OVERDUE_MS: u64 = 500;

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
    let (gathered, lines) = prepare(text)?;
    let mut search = search(&gathered, &lines);
    follow(&mut search, &gathered, &lines, lines.len(), &mut progress)?;
    let number = |line: Option<&Line>| line.map_or(0, |line| line.seen.line);
    Ok(Accepted {
        explained: lines.len(),
        lines: (number(lines.first()), number(lines.last())),
        states: search.clusters().len(),
    })
}

/// Where a recording stands after its first lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The world that the whole recording tells of.
    pub world: World,
    /// The states that the cluster may be in, the one in which the least has happened unseen first.
    pub states: Vec<Cluster>,
    /// How the first of these states came to be: each state before it, with the time of the line that shows it.
    pub past: Vec<Moment>,
}

/// Replays the lines of a recording up to this number, which counts from 1.
///
/// # Errors
/// As [`replay`], for these lines.
pub fn replay_until(text: &str, last: usize) -> Result<Standing, ReplayError> {
    let (gathered, lines) = prepare(text)?;
    let count = lines.iter().take_while(|line| line.seen.line <= last).count();
    let mut search = search(&gathered, &lines);
    search.keep_trails();
    follow(&mut search, &gathered, &lines, count, &mut |_, _| ())?;
    let seen = read(text).map_err(ReplayError::Read)?;
    let now = seen.iter().rfind(|o| o.line <= last).map_or(0, |o| o.t_ms);
    search.settle(now);
    let states = search.clusters();
    let mut past: Vec<_> = search.past().into_iter().map(|(moment, _)| moment).collect();
    catch_up(&gathered, &mut past, now);
    // Since the last step time has gone on.
    past.extend(past.last().copied().map(|moment| Moment { at_ms: now, did: None, ..moment }));
    Ok(Standing { world: gathered.world, states, past })
}

/// An action of the run that a recording is, with the lines that it explains.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explained {
    /// The model's name of the action.
    pub action: &'static str,
    /// The lines that show it.
    pub lines: Vec<Observation>,
}

/// Replays a recording and tells which action explains which of its lines. Of several runs that would, the first.
///
/// # Errors
/// As [`replay`].
pub fn explained(text: &str) -> Result<Vec<Explained>, ReplayError> {
    let (gathered, lines) = prepare(text)?;
    let mut search = search(&gathered, &lines);
    search.keep_trails();
    follow(&mut search, &gathered, &lines, lines.len(), &mut |_, _| ())?;
    let seen = |place: usize| lines.get(place).map(|line| line.seen.clone());
    let done = search.past().into_iter().filter_map(|(moment, left)| {
        let lines = left.into_iter().filter_map(seen).collect();
        Some(Explained { action: moment.did?.name(), lines })
    });
    Ok(done.collect())
}

/// Lets happen what has been possible for so long that it must have happened, though it leaves no line: an error that is
/// written a second time, something that is noticed.
fn catch_up(gathered: &Gathered, past: &mut Vec<Moment>, now: u64) {
    let world = &gathered.world;
    for _ in 0..MOST_UNSEEN {
        let Some(last) = past.last().map(|moment| moment.cluster) else { return };
        let overdue = promising(world, &last).find_map(|action| {
            let When::After(ms) = action.when(world, &last) else { return None };
            let outcome = apply(world, &last, action).ok().filter(|_| action.role() != Role::User)?;
            let effects: Vec<_> =
                outcome.changes.iter().map(|change| render::effect(world, *change)).collect();
            let unseen = !expected(&effects).iter().any(|line| is_recorded(&gathered.scope, line));
            let possible = past.iter().rev().take_while(|moment| is_enabled(world, &moment.cluster, action));
            let at_ms = possible.last()?.at_ms + ms;
            let due = unseen && at_ms + OVERDUE_MS <= now && outcome.cluster != last;
            due.then_some(Moment { at_ms, cluster: outcome.cluster, did: Some(action) })
        });
        let Some(overdue) = overdue else { return };
        past.push(overdue);
    }
}

/// The world that a recording tells of, and the lines that the model has to explain.
fn prepare(text: &str) -> Result<(Gathered, Vec<Line>), ReplayError> {
    let mut seen = as_heard(read(text).map_err(ReplayError::Read)?);
    by_owner(&mut seen);
    let gathered = gather(&seen).map_err(ReplayError::World)?;
    let scope = &gathered.scope;
    // Without rules for claims, these are bound before the first Pod comes; of a Pod nothing can be seen before that.
    let is_pod = |o: &Observation| matches!(&o.what, Seen::Create(object, _) if object.starts_with("Pod/"));
    let start = match seen.iter().position(is_pod) {
        _ if scope.acts(Role::PvController) => 0,
        Some(first) => first,
        None => return Err(ReplayError::NoPod),
    };
    let of_pod = |o: &Observation| matches!(&o.what, Seen::Update(object, _) if object.starts_with("Pod/"));
    let lines = seen
        .iter()
        .enumerate()
        .filter(|(place, line)| *place >= start || of_pod(line))
        .map(|(_, line)| line)
        .filter(|line| !is_unheard(&gathered.told, line))
        .filter_map(|line| match concern(scope, line) {
            Concern::Explain(seen) => Some(Line { seen, imposed: false }),
            Concern::Impose(seen) => Some(Line { seen, imposed: true }),
            Concern::Skip => None,
        })
        .collect();
    Ok((gathered, lines))
}

/// A search that stands before the first line.
fn search<'g>(gathered: &'g Gathered, lines: &'g [Line]) -> Search<'g> {
    Search::new(&gathered.world, &gathered.scope, lines, &gathered.inputs)
}

/// Goes on to the states that the cluster may be in after so many lines.
fn follow(
    search: &mut Search,
    gathered: &Gathered,
    lines: &[Line],
    count: usize,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<(), ReplayError> {
    for (at, line) in lines.iter().enumerate().take(count) {
        progress(at, count);
        search.explain(at).map_err(|stuck| {
            ReplayError::Unexplained(Box::new(Unexplained {
                line: line.seen.line,
                by: line.seen.by.clone(),
                what: line.seen.what.clone(),
                nearest: nearest(&gathered.world, &line.seen, &stuck.furthest),
            }))
        })?;
    }
    Ok(())
}
