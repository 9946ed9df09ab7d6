//! Recordings of real clusters against the model: what `mountpath replay` says.

use super::Error;
use crate::trace::{ReplayError, replay_with};
use std::fs;
use std::io::{ErrorKind, IsTerminal, Read, Write, stderr, stdin};
use std::time::{Duration, Instant};

/// A replay that takes longer than this tells how far it is, and how far it is again after as long.
const LONG: Duration = Duration::from_millis(500);

/// Replays every file and returns a line for each.
///
/// # Errors
/// With the first file that cannot be read or that the model cannot explain, and where it could not.
pub(super) fn replay(files: &[String]) -> Result<String, Error> {
    let mut out = String::new();
    for file in files {
        let (name, text) = input(file)?;
        let mut told = Told { at: Instant::now(), shown: false };
        let accepted = replay_with(&text, |done, all| told.progress(name, done, all));
        told.clear();
        let accepted = accepted.map_err(|e| failed(name, e))?;
        let (first, last) = accepted.lines;
        out.push_str(&format!(
            "{name}: a run of the model, all {} lines that concern it, from line {first} to line {last}\n",
            accepted.explained
        ));
    }
    Ok(out)
}

/// That a recording of this name cannot be read or explained.
pub(super) fn failed(name: &str, error: ReplayError) -> Error {
    let sentence = format!("{name}: {error}");
    match error {
        ReplayError::Read(_) => Error::Input(sentence),
        ReplayError::World(_) | ReplayError::NoPod | ReplayError::Unexplained { .. } => {
            Error::Failed(sentence)
        }
    }
}

/// What a terminal has been told of how far a recording is.
struct Told {
    /// When it was told last, or the replay began.
    at: Instant,
    /// The line stands there.
    shown: bool,
}

impl Told {
    /// Says how far a recording is that takes long.
    fn progress(&mut self, name: &str, done: usize, all: usize) {
        if self.at.elapsed() < LONG || !stderr().is_terminal() {
            return;
        }
        self.at = Instant::now();
        self.shown = true;
        line(&format!("{name}: line {done} of {all}"));
    }

    /// Takes the line back.
    fn clear(&self) {
        if self.shown {
            line("");
        }
    }
}

/// Puts a line in the place of the one that stands there. Whoever cannot be told how far it is gets the answer all the
/// same.
fn line(text: &str) {
    let mut out = stderr();
    let _ = write!(out, "\r\x1b[K{text}");
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
    let text = read.map_err(|error| {
        let why = match error.kind() {
            ErrorKind::InvalidData => "it is no text in UTF-8".into(),
            _ => error.to_string(),
        };
        Error::Input(format!("cannot read {name}: {why}"))
    })?;
    Ok((name, text))
}
