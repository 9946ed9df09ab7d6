//! The `mountpath` command: its arguments go to `mountpath::host`.

use std::process::ExitCode;

fn main() -> ExitCode {
    mountpath::host::main(std::env::args_os().skip(1))
}
