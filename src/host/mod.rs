//! Files and processes: the commands, the tools they need, building, prerendering and serving the site.
pub mod build;
mod check;
mod command;
mod commands;
mod compress;
pub mod content;
mod error;
pub mod files;
mod help;
pub mod links;
mod mermaid;
mod names;
pub mod prerender;
mod project;
mod replay;
mod run;
pub mod serve;
pub mod shell;
mod story;
pub mod style;
pub mod tools;
mod watch;

pub use commands::COMMANDS;
pub use error::Error;
pub use help::main;
pub use project::Project;
pub use watch::SOURCES;
