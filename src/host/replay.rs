//! Recordings of real clusters against the model: what `mountpath replay` says.

use super::Error;
use crate::trace::{ReplayError, replay_with};
use std::fs;
use std::io::{IsTerminal, Read, Write, stderr, stdin};

/// A recording of so many lines is long.
const LONG: usize = 500;
/// After how many lines it is told how far a long one is.
const TOLD_EVERY: usize = 50;

/// Replays every file and returns a line for each.
///
/// # Errors
/// With the first file that cannot be read or that the model cannot explain, and where it could not.
pub(super) fn replay(files: &[String]) -> Result<String, Error> {
    let mut out = String::new();
    for file in files {
        let (name, text) = input(file)?;
        let accepted = replay_with(&text, |done, all| progress(name, done, all)).map_err(|e| {
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

/// Says on a terminal how far a long recording is, and takes the line back at its end.
fn progress(name: &str, done: usize, all: usize) {
    let mut out = stderr();
    if all < LONG || !done.is_multiple_of(TOLD_EVERY) && done + 1 < all || !out.is_terminal() {
        return;
    }
    let line = if done + 1 < all { format!("{name}: line {done} of {all}") } else { String::new() };
    // Whoever cannot be told how far it is gets the answer all the same.
    let _ = write!(out, "\r\x1b[K{line}");
    let _ = out.flush();
}

/// A file's name for sentences, and its text; `-` is standard input.
///
/// # Errors
/// When it cannot be read.
pub(super) fn input(file: &str) -> Result<(&str, String), Error> {
    let mut text = String::new();
    let (name, read) = match file {
        "-" => ("standard input", stdin().read_to_string(&mut text).map(|_| text)),
        file => (file, fs::read_to_string(file)),
    };
    let text = read.map_err(|e| Error::Input(format!("cannot read {name}: {e}")))?;
    Ok((name, text))
}
