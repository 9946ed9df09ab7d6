//! The API objects of all steps of a run, every line once, with who wrote it: a block stands once however many steps
//! show it.

use super::Fate;

/// A line as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownLine {
    /// The number of the line.
    pub line: usize,
    /// What became of it in the step.
    pub fate: Fate,
    /// The value before.
    pub was: Option<String>,
}

/// A section of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownSection {
    /// Its field; empty where it is a few scalars.
    pub name: String,
    /// Its lines.
    pub lines: Vec<ShownLine>,
}

/// An object at a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Whether the step created it, left it there, or let it go.
    pub fate: Fate,
    /// The number of the writer whose doing that is.
    pub by: usize,
    /// The numbers of its sections.
    pub blocks: Vec<usize>,
}

/// The objects of all steps.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sheet {
    /// Everyone who writes: name, badge and class of the hue.
    pub writers: Vec<[String; 3]>,
    /// Every line, with the number of its writer.
    pub lines: Vec<(String, usize)>,
    /// Every section in every state that some step shows.
    pub blocks: Vec<ShownSection>,
    /// The objects of each step.
    pub steps: Vec<Vec<Shown>>,
}
