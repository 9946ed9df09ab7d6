//! From the process's arguments to its output and exit code.

use super::commands::COMMANDS;
use super::{Error, command::Command};
use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// Runs the command that the arguments name. Without one, the first of the table.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    match answer(args.into_iter().collect()).and_then(|text| print(&text)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            // Nobody is left to tell when standard error is gone too.
            let _ = writeln!(std::io::stderr(), "mountpath: {e}");
            ExitCode::from(e.code())
        }
    }
}

fn answer(mut args: Vec<OsString>) -> Result<String, Error> {
    let first = args.first().map(|a| a.to_string_lossy().into_owned()).unwrap_or_default();
    match first.as_str() {
        "help" | "--help" | "-h" => return Ok(overview()),
        "--version" | "-V" => return Ok(format!("mountpath {}\n", env!("CARGO_PKG_VERSION"))),
        _ => {}
    }
    // Options alone are the default command's.
    let default = first.is_empty() || first.starts_with('-');
    let command = if default { COMMANDS.first() } else { COMMANDS.iter().find(|c| c.name == first) };
    let Some(command) = command else {
        return Err(Error::Usage(format!("no command is called `{first}`; see `mountpath --help`")));
    };
    if !default {
        args.remove(0);
    }
    let args = command.parse(&mut lexopt::Parser::from_args(args))?;
    if args.help { Ok(help(command)) } else { (command.run)(&args) }
}

/// Prints an answer whole. A reader who has closed the pipe has seen enough.
fn print(text: &str) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(Error::Failed(format!("cannot print: {e}"))),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn overview() -> String {
    let mut text =
        format!("{}\n\nusage: mountpath [COMMAND] …\n\ncommands:\n", env!("CARGO_PKG_DESCRIPTION"));
    for (i, command) in COMMANDS.iter().enumerate() {
        let default = if i == 0 { " (the default)" } else { "" };
        text.push_str(&format!("  {:<10} {}{default}\n", command.name, command.about));
    }
    text.push_str("\n`mountpath COMMAND --help` tells its options.\n");
    text
}

fn help(command: &Command) -> String {
    let mut text =
        format!("mountpath {}: {}\n\nusage: mountpath {}\n", command.name, command.about, command.usage());
    if !command.options.is_empty() {
        text.push_str("\noptions:\n");
    }
    for opt in command.options {
        text.push_str(&format!("  {:<16} {}\n", format!("--{} {}", opt.name, opt.value), opt.about));
    }
    text
}
