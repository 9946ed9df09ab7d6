//! Files and processes: the commands, the tools they need, building, prerendering and serving the site.
pub mod build;
mod command;
mod commands;
mod compress;
mod content;
mod error;
pub mod files;
mod help;
pub mod links;
pub mod prerender;
mod project;
mod run;
pub mod serve;
pub mod shell;
pub mod style;
pub mod tools;
mod watch;

pub use commands::COMMANDS;
pub use error::Error;
pub use help::main;
pub use project::Project;
