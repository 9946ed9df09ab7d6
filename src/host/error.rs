//! Why a command stops: one sentence for standard error, and the exit code that goes with it.

use std::fmt;
use std::path::Path;

/// Why a command stops. Each sentence is lower-case, names the flag, file or line, and says what to change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The command line is wrong.
    Usage(String),
    /// What was given cannot be read.
    Input(String),
    /// What was asked for did not work out, or the answer is no.
    Failed(String),
}

impl Error {
    /// The exit code of the process: 2 for usage and unreadable input, 1 otherwise.
    pub fn code(&self) -> u8 {
        match self {
            Error::Usage(_) | Error::Input(_) => 2,
            Error::Failed(_) => 1,
        }
    }

    /// For `map_err`: a file that could not be read or written.
    pub(crate) fn file(verb: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.display().to_string();
        move |e| Error::Failed(format!("cannot {verb} {path}: {e}"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage(s) | Error::Input(s) | Error::Failed(s) => f.write_str(s),
        }
    }
}

impl std::error::Error for Error {}
