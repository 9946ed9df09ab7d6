//! Content as types: what `content/` says, parsed once, with errors that name the file and the line.
mod types;

pub use types::{Chapter, Command, Diagram, DiagramStep, Inline, Site, Source};
