//! Running other programs, with their output on standard error so that ours stays clean.

use super::Error;
use std::process::{Command, Stdio};

/// Runs a program to its end, its output on standard error.
///
/// # Errors
/// When it cannot be started or ends without success.
pub(super) fn run(command: &mut Command) -> Result<(), Error> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command
        .stdin(Stdio::null())
        .stdout(Stdio::from(std::io::stderr()))
        .status()
        .map_err(|e| Error::Failed(format!("cannot start {name}: {e}")))?;
    if status.success() { Ok(()) } else { Err(Error::Failed(format!("{name} failed ({status}); see above"))) }
}

/// What a program prints, trimmed; `None` when it cannot be started or ends without success.
pub(super) fn output(command: &mut Command) -> Option<String> {
    let out = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    out.status.success().then(|| String::from_utf8_lossy(&out.stdout).trim().to_string())
}

/// Cargo: the one that runs us, if one does.
pub(super) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}
