//! A diagram with the run that it tells.

use super::{Error, Project, content};
use crate::course::{Diagram, DiagramStep, Site};
use crate::trace::{Run, Step, group, record};

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
        let fail = |what: String| Error::Failed(format!("content/diagrams/{}.toml: {what}", diagram.slug));
        let trace = record(&diagram.scenario).map_err(|e| fail(e.to_string()))?;
        let steps: Vec<_> = diagram.steps.iter().map(|s| (s.actions.as_slice(), s.key.clone())).collect();
        let run = group(trace, &steps).map_err(|e| fail(e.to_string()))?;
        Ok(Story { diagram, run })
    }

    /// The diagram of this name with its run.
    ///
    /// # Errors
    /// When there is none, or its content is wrong.
    pub fn named(project: &Project, slug: &str) -> Result<Story, Error> {
        let Site { diagrams, .. } = content::load(project)?;
        let diagram = diagrams.into_iter().find(|d| d.slug == slug).ok_or_else(|| {
            Error::Usage(format!("there is no diagram `{slug}`: `mountpath diagrams` lists those there are"))
        })?;
        Story::of(diagram)
    }

    /// The reader's steps in order, each with the actions that it tells.
    pub fn steps(&self) -> impl Iterator<Item = (&DiagramStep, &[Step])> {
        let actions =
            |g: &crate::trace::StepGroup| self.run.trace.steps.get(g.cues.clone()).unwrap_or_default();
        self.diagram.steps.iter().zip(self.run.groups.iter().map(actions))
    }
}
