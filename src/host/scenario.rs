//! Scenario files: read, and run by the model.

use super::Error;
use super::replay::input;
use crate::trace::{Trace, read_scenario, record_scenario};
use std::path::Path;

/// The run of a scenario file.
///
/// # Errors
/// When it cannot be read, is no scenario, or its script cannot be played.
pub(super) fn run(file: &str) -> Result<Trace, Error> {
    let (name, text) = input(file)?;
    let stem = Path::new(name).file_stem().map_or(name.into(), |stem| stem.to_string_lossy());
    let scenario = read_scenario(&stem, &text).map_err(|e| Error::Input(format!("{name}: {e}")))?;
    record_scenario(&scenario).map_err(|e| Error::Failed(format!("{name}: {e}")))
}
