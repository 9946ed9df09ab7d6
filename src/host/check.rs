//! Content against the model: what `mountpath check` finds.

use super::story::Story;
use super::{Error, Project, content};
use crate::course::{Diagram, Told, Vocabulary, disagreements, unknown_words};
use crate::trace::{Run, vocabulary};

/// Checks all content and returns what was checked, in a sentence.
///
/// # Errors
/// With a sentence for everything that is wrong.
pub(super) fn check(project: &Project) -> Result<String, Error> {
    // Content that cannot be read is an answer here, not wrong input.
    let site = content::load(project).map_err(|e| Error::Failed(e.to_string()))?;
    let (diagrams, chapters) = (site.diagrams.len(), site.chapters.len());
    let mut found = Vec::new();
    for telling in site.diagrams.iter().flat_map(Diagram::tellings) {
        match Story::of(telling.clone()) {
            Ok(Story { diagram, run }) => {
                found.extend(disagreements(&diagram, &told(&run)).iter().map(ToString::to_string));
            }
            Err(e) => found.push(e.to_string()),
        }
    }
    let vocabulary = Vocabulary::new(vocabulary().map_err(|e| Error::Failed(e.to_string()))?);
    found.extend(unknown_words(&site, &vocabulary).iter().map(ToString::to_string));
    if found.is_empty() {
        Ok(format!("content and model agree (diagrams: {diagrams}, chapters: {chapters})\n"))
    } else {
        Err(Error::Failed(found.join("\n")))
    }
}

/// What the run says of each of the reader's steps, for the content to be held against.
pub fn told(run: &Run) -> Vec<Told> {
    run.touched().into_iter().map(|t| Told { actors: t.actors, words: t.words }).collect()
}
