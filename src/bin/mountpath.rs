//! The `mountpath` command.
fn main() {}
