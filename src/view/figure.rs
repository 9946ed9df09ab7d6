//! What a figure shows: the sentences of its steps, and its first picture.

/// One step as the player tells it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StepText {
    /// The caption as HTML.
    pub html: String,
    /// The caption without markup.
    pub text: String,
}

/// A diagram, ready to be played.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Figure {
    /// The diagram's slug.
    pub slug: String,
    /// The diagram's title.
    pub title: String,
    /// The line under the figure, as HTML.
    pub line: String,
    /// The reader's steps.
    pub steps: Vec<StepText>,
    /// The buttons that turn to another view, as markup; empty in the browser, whose page has it.
    pub views: String,
    /// The first step in every view, as markup; empty in the browser, whose page has it.
    pub panes: String,
}

impl Figure {
    /// The text of a step (from 1); the last one's for a number beyond the end.
    pub fn text(&self, step: usize) -> StepText {
        self.steps.get(step.saturating_sub(1)).or(self.steps.last()).cloned().unwrap_or_default()
    }
}
