//! A diagram with the run that it tells.

use super::{Error, Project, content};
use crate::course::{Diagram, DiagramStep, Site};
use crate::trace::{Run, Step, StepGroup, json, transcript};
use crate::view::run_of;

/// A diagram with its run.
pub(super) struct Story {
    /// The diagram.
    pub diagram: Diagram,
    /// The run, grouped into the diagram's steps.
    pub run: Run,
}

impl Story {
    /// Records the run of a diagram.
    ///
    /// # Errors
    /// When there is no such run, or the diagram's steps do not tell it whole and in order.
    pub fn of(diagram: Diagram) -> Result<Story, Error> {
        let run = run_of(&diagram).map_err(|e| Error::Failed(e.to_string()))?;
        Ok(Story { diagram, run })
    }

    /// The diagram of this name with its run; `None` where there is no such diagram.
    ///
    /// # Errors
    /// When its content is wrong.
    pub fn named(project: &Project, slug: &str) -> Result<Option<Story>, Error> {
        let Site { diagrams, .. } = content::load(project)?;
        diagrams.into_iter().find(|d| d.slug == slug).map(Story::of).transpose()
    }

    /// The run as text: the reader's steps with their titles and captions, under each what every action did.
    pub fn text(&self) -> String {
        let told = |s: &DiagramStep| format!("{}: {}", s.title, s.caption.text);
        transcript(&self.run, &self.diagram.steps.iter().map(told).collect::<Vec<_>>())
    }

    /// The run as JSON, each action with the caption of the reader's step that tells it.
    pub fn json(&self) -> String {
        let caption = |action: &Step| {
            let mut steps = self.steps();
            steps
                .find(|(_, actions)| actions.iter().any(|a| a.index == action.index))
                .map(|(told, _)| told.caption.text.clone())
        };
        json(&self.run.trace, caption)
    }

    /// The reader's steps in order, each with the actions that it tells.
    pub fn steps(&self) -> impl Iterator<Item = (&DiagramStep, &[Step])> {
        let actions = |g: &StepGroup| self.run.trace.steps.get(g.cues.clone()).unwrap_or_default();
        self.diagram.steps.iter().zip(self.run.groups.iter().map(actions))
    }
}
