//! What keeps a goal away at a moment of a scenario or of a recording: what `mountpath explain` says.

use super::command::Args;
use super::replay::{failed, input};
use super::{Error, scenario};
use crate::model::{Moment, World, explain_since};
use crate::trace::{Scenario, Why, goal_text, read, read_goal, record_moments, replay_until};

/// Explains what keeps a goal away.
///
/// # Errors
/// When the arguments name no moment or no goal, or what they name cannot be read or played.
pub(super) fn explain(args: &Args) -> Result<String, Error> {
    let goal = args
        .option("goal")
        .ok_or_else(|| Error::Usage("explain needs --goal GOAL; see `mountpath explain --help`".into()))?;
    let json = match args.option("format").unwrap_or("text") {
        "text" => false,
        "json" => true,
        other => return Err(Error::Usage(format!("--format {other}: give text or json"))),
    };
    let (at, line) = (number(args, "at")?, number(args, "line")?);
    let (world, past) = match (args.option("scenario"), args.option("recording")) {
        (Some(_), Some(_)) => {
            return Err(Error::Usage(
                "--scenario and --recording exclude each other: give one of them".into(),
            ));
        }
        (None, Some(file)) => recorded(file, at, line)?,
        (file, None) if line.is_none() => played(&found(file, args.first())?, at)?,
        (_, None) => {
            return Err(Error::Usage("--line N is of a recording: give --at MS for a scenario".into()));
        }
    };
    let goal = read_goal(&world, goal).map_err(|e| Error::Usage(format!("--goal: {e}")))?;
    let explanation = explain_since(&world, &past, goal);
    let why = Why { world: &world, explanation: &explanation };
    let at_ms = past.last().map_or(0, |moment| moment.at_ms);
    Ok(if json {
        why.json(goal, at_ms)
    } else {
        let seconds = format!("{}.{:03} s", at_ms / 1000, at_ms % 1000);
        format!("What keeps \"{}\" away at {seconds}:\n{why}\n", goal_text(&world, goal))
    })
}

fn number(args: &Args, name: &str) -> Result<Option<u64>, Error> {
    let given = args.option(name);
    let read = |text: &str| {
        text.parse().map_err(|_| Error::Usage(format!("--{name} {text}: give a number, 0 or more")))
    };
    given.map(read).transpose()
}

/// The scenario of a file, or the one of this name.
fn found(file: Option<&str>, name: &str) -> Result<Scenario, Error> {
    match file {
        Some(file) => Ok(scenario::of_file(file)?.1),
        None => scenario::of_name(name),
    }
}

/// A scenario's states up to a moment.
fn played(scenario: &Scenario, at: Option<u64>) -> Result<(World, Vec<Moment>), Error> {
    let mut past = record_moments(scenario).map_err(|e| Error::Failed(format!("{}: {e}", scenario.name)))?;
    if let Some(at) = at {
        past.truncate(past.partition_point(|moment| moment.at_ms <= at));
        // Since the last step time has gone on.
        past.extend(past.last().copied().map(|moment| Moment { at_ms: at, did: None, ..moment }));
    }
    Ok((scenario.world.clone(), past))
}

/// A recording's states up to a moment.
fn recorded(file: &str, at: Option<u64>, line: Option<u64>) -> Result<(World, Vec<Moment>), Error> {
    let (name, text) = input(file)?;
    let lines = read(&text).map_err(|e| Error::Input(format!("{name}: {e}")))?;
    let last = match (at, line) {
        (Some(_), Some(_)) => {
            return Err(Error::Usage("--at and --line exclude each other: give one of them".into()));
        }
        (_, Some(line)) => usize::try_from(line).unwrap_or(usize::MAX),
        (Some(at), None) => lines.iter().rfind(|line| line.t_ms <= at).map_or(0, |line| line.line),
        (None, None) => usize::MAX,
    };
    let mut standing = replay_until(&text, last).map_err(|e| failed(name, e))?;
    // Since the last line time has gone on.
    let now = at.and_then(|at| Some(Moment { at_ms: at, did: None, ..*standing.past.last()? }));
    standing.past.extend(now);
    Ok((standing.world, standing.past))
}
