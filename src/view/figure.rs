//! What a figure shows: a run and the sentences of its steps.

use crate::trace::Run;

/// One step as the player tells it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StepText {
    /// The caption as HTML.
    pub html: String,
    /// The caption without markup.
    pub text: String,
}

/// A diagram, ready to be played.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// The diagram's slug.
    pub slug: String,
    /// The diagram's title.
    pub title: String,
    /// The line under the figure, as HTML.
    pub figure: String,
    /// The run, grouped into steps.
    pub run: Run,
    /// As many as the run has groups.
    pub steps: Vec<StepText>,
}

impl Figure {
    /// The text of a step (from 1); the last one's for a number beyond the end.
    pub fn text(&self, step: usize) -> StepText {
        self.steps.get(step.saturating_sub(1)).or(self.steps.last()).cloned().unwrap_or_default()
    }
}
