//! A diagram with its run recorded, grouped and drawn: what its pages and files are made of.

use super::figure::{Figure, StepText};
use super::objects_page;
use super::pages::Asset;
use crate::course::Diagram;
use crate::scene::{self, Layout, svg};
use crate::trace::{self, GroupError, RecordError, Run, Sheet};
use sha2::{Digest, Sha256};
use std::fmt::{self, Write};

/// A diagram, drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// The run it tells.
    pub run: Run,
    /// What its figure shows.
    pub figure: Figure,
    /// Its scenes as data, wide and narrow. The names change with the content, so they can be kept for ever.
    pub scenes: [Asset; 2],
    /// Its API objects at every step.
    pub sheet: Sheet,
    /// The same as data.
    pub objects: Asset,
}

impl Drawn {
    /// Records and draws a diagram.
    ///
    /// # Errors
    /// When the scenario is unknown or the steps do not cover its run in order.
    pub fn new(diagram: &Diagram) -> Result<Self, PageError> {
        let run = run_of(diagram)?;
        let text = |s: &crate::course::DiagramStep| StepText {
            html: s.caption.html.clone(),
            text: s.caption.text.clone(),
        };
        let steps: Vec<_> = diagram.steps.iter().map(text).collect();
        let first = steps.first().map(|s| s.text.clone()).unwrap_or_default();
        let layouts = [Layout::Wide, Layout::Narrow];
        let figure = Figure {
            slug: diagram.slug.clone(),
            title: diagram.title.clone(),
            line: diagram.figure.html.clone(),
            steps,
            pictures: layouts.map(|layout| picture(&run, 1, layout, &diagram.title, &first)),
        };
        let scenes = layouts.map(|layout| packed(&run, &diagram.slug, layout));
        let sheet = Sheet::of(&run, objects_page::writer);
        let objects = kept(&diagram.slug, "objects", sheet.json().into_bytes());
        Ok(Self { run, figure, scenes, sheet, objects })
    }

    /// The rest frame of a step (from 1) as SVG for a page.
    pub fn picture(&self, step: usize, layout: Layout) -> String {
        picture(&self.run, step, layout, &self.figure.title, &self.figure.text(step).text)
    }

    /// A still of every step, each a file of its own drawn with `css`.
    pub fn stills(&self, css: &str) -> Vec<Asset> {
        (1..=self.run.groups.len())
            .map(|step| {
                let still = scene::frame(&self.run, step, u32::MAX, Layout::Wide);
                let text = self.figure.text(step).text;
                let svg = svg::document(&still, &self.figure.title, &text, svg::Embedding::Alone(css));
                let path = format!("/diagrams/{}/step-{step}.svg", self.figure.slug);
                Asset { path, bytes: svg.into_bytes() }
            })
            .collect()
    }
}

fn picture(run: &Run, step: usize, layout: Layout, title: &str, says: &str) -> String {
    svg::document(&scene::frame(run, step, u32::MAX, layout), title, says, svg::Embedding::Page)
}

fn packed(run: &Run, slug: &str, layout: Layout) -> Asset {
    kept(slug, layout.name(), scene::pack(run, layout).into_bytes())
}

/// A data file whose name changes with its content, so that it can be kept for ever.
fn kept(slug: &str, name: &str, bytes: Vec<u8>) -> Asset {
    let mut hash = String::new();
    for byte in Sha256::digest(&bytes).iter().take(5) {
        let _ = write!(hash, "{byte:02x}");
    }
    Asset { path: format!("/diagrams/{slug}/{name}-{hash}.json"), bytes }
}

/// The run that a diagram tells, grouped into its steps.
///
/// # Errors
/// When the scenario is unknown or the steps do not cover its run in order.
pub fn run_of(diagram: &Diagram) -> Result<Run, PageError> {
    let slug = || diagram.slug.clone();
    let trace =
        trace::record(&diagram.scenario).map_err(|error| PageError::Scenario { slug: slug(), error })?;
    let steps: Vec<_> = diagram.steps.iter().map(|s| (s.actions.clone(), s.key.clone())).collect();
    trace::group(trace, &steps).map_err(|error| PageError::Steps { slug: slug(), error })
}

/// Why a page cannot be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PageError {
    /// A diagram names a scenario that the model cannot record.
    Scenario {
        /// The diagram.
        slug: String,
        /// Why there is no run of it.
        error: RecordError,
    },
    /// A diagram's steps do not tell its scenario's run.
    Steps {
        /// The diagram.
        slug: String,
        /// What is wrong with them.
        error: GroupError,
    },
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PageError::Scenario { slug, error } => write!(f, "content/diagrams/{slug}.toml: {error}"),
            PageError::Steps { slug, error } => write!(f, "content/diagrams/{slug}.toml: {error}"),
        }
    }
}

impl std::error::Error for PageError {}
