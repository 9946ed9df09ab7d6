//! Scenarios: those with names and those in files, run by the model, and the list of names.

use super::Error;
use super::near::near;
use super::replay::input;
use crate::trace::{SCENARIOS, Scenario, Trace, read_scenario, record_scenario, scenario};
use std::path::Path;

/// The run of a scenario file.
///
/// # Errors
/// When it cannot be read, is no scenario, or its script cannot be played.
pub(super) fn run(file: &str) -> Result<Trace, Error> {
    let (name, scenario) = of_file(file)?;
    record_scenario(&scenario).map_err(|e| Error::Failed(format!("{name}: {e}")))
}

/// The run of the scenario of this name.
///
/// # Errors
/// When there is none.
pub(super) fn named(name: &str) -> Result<Trace, Error> {
    record_scenario(&of_name(name)?).map_err(|e| Error::Failed(format!("{name}: {e}")))
}

/// The scenario of this name.
///
/// # Errors
/// When there is none.
pub(super) fn of_name(name: &str) -> Result<Scenario, Error> {
    let found = scenario(name).ok_or_else(|| unknown(name))?;
    found.map_err(|e| Error::Failed(format!("{name}: {e}")))
}

/// A file's name for sentences, and the scenario in it.
///
/// # Errors
/// When it cannot be read, or is no scenario.
pub(super) fn of_file(file: &str) -> Result<(&str, Scenario), Error> {
    let (name, text) = input(file)?;
    let stem = Path::new(name).file_stem().map_or(name.into(), |stem| stem.to_string_lossy());
    let scenario = read_scenario(&stem, &text).map_err(|e| Error::Input(format!("{name}: {e}")))?;
    Ok((name, scenario))
}

/// That no scenario has this name, with the names that are like it.
fn unknown(name: &str) -> Error {
    let names = SCENARIOS.iter().map(|row| row.0);
    let like = near(name, names).iter().map(|like| format!("`{like}`")).collect::<Vec<_>>().join(", ");
    let like = if like.is_empty() { String::new() } else { format!(" (near it: {like})") };
    Error::Usage(format!("there is no scenario `{name}`{like}: `mountpath scenarios` lists those there are"))
}

/// The scenarios that have names, each with what happens in it.
pub(super) fn list() -> String {
    let width = SCENARIOS.iter().map(|row| row.0.len()).max().unwrap_or(0);
    let about = |text: &'static str| text.lines().next().unwrap_or_default().trim_start_matches("# ");
    SCENARIOS.iter().map(|(name, text)| format!("{name:width$}  {}\n", about(text))).collect()
}
