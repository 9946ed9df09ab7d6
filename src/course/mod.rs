//! Content as types: what `content/` says, parsed once, with errors that name the file and the line.
#![deny(clippy::disallowed_types)]
mod agree;
mod chapter;
mod diagram;
mod error;
mod inline;
mod links;
mod load;
mod markup;
mod measured;
mod origin;
mod prose;
mod types;

pub use agree::{Told, disagreements};
pub use error::{ContentError, Problem};
pub use load::load;
pub use types::{Chapter, Command, Diagram, DiagramStep, Inline, Measured, Milestone, Site, Source};
