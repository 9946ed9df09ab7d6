//! Content as types: what `content/` says, parsed once, with errors that name the file and the line.
#![deny(clippy::disallowed_types)]
mod agree;
mod chapter;
mod diagram;
mod error;
mod glossary;
mod inline;
mod links;
mod load;
mod markup;
mod measured;
mod origin;
mod predict;
mod prose;
mod terms;
mod types;
mod variant;
mod vocabulary;
mod words;

pub use agree::{Told, disagreements};
pub use error::{ContentError, Problem};
pub use glossary::{Glossary, Term};
pub use load::load;
pub use terms::Terms;
pub use types::{
    Chapter, Choice, Command, Diagram, DiagramStep, Inline, Measured, Milestone, Prerequisite, Site, Source,
};
pub use vocabulary::{Vocabulary, unknown_words};
pub use words::{Place, Word};
