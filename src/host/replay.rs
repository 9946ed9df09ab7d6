//! Recordings of real clusters against the model: what `mountpath replay` says.

use super::Error;
use crate::trace::{ReplayError, replay as explain};
use std::fs;
use std::io::{Read, stdin};

/// Replays every file and returns a line for each.
///
/// # Errors
/// With the first file that cannot be read or that the model cannot explain, and where it could not.
pub(super) fn replay(files: &[String]) -> Result<String, Error> {
    let mut out = String::new();
    for file in files {
        let (name, text) = recording(file)?;
        let accepted = explain(&text).map_err(|e| {
            let sentence = format!("{name}: {e}");
            match e {
                ReplayError::Read(_) => Error::Input(sentence),
                ReplayError::World(_) | ReplayError::NoPod | ReplayError::Unexplained { .. } => {
                    Error::Failed(sentence)
                }
            }
        })?;
        let (first, last) = accepted.lines;
        out.push_str(&format!(
            "{name}: a run of the model, all {} lines that concern it, from line {first} to line {last}\n",
            accepted.explained
        ));
    }
    Ok(out)
}

/// A recording's name for sentences, and its text.
fn recording(file: &str) -> Result<(&str, String), Error> {
    let mut text = String::new();
    let (name, read) = match file {
        "-" => ("standard input", stdin().read_to_string(&mut text).map(|_| text)),
        file => (file, fs::read_to_string(file)),
    };
    let text = read.map_err(|e| Error::Input(format!("cannot read {name}: {e}")))?;
    Ok((name, text))
}
