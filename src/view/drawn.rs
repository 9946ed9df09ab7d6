//! A diagram with its run recorded, grouped and drawn: what its pages and files are made of.

use super::figure::{Figure, StepText};
use super::pages::Asset;
use crate::course::Diagram;
use crate::scene::{self, Layout, View, svg};
use crate::trace::{self, GroupError, RecordError, Run};
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
    /// Its sequence as data of the same kind, wide and narrow.
    pub sequence: [Asset; 2],
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
            pictures: layouts.map(|layout| picture(&run, 1, layout, View::Map, [&diagram.title, &first])),
        };
        let [scenes, sequence] = [View::Map, View::Sequence]
            .map(|view| layouts.map(|layout| packed(&run, &diagram.slug, layout, view)));
        Ok(Self { run, figure, scenes, sequence })
    }

    /// The rest frame of a step (from 1) as SVG for a page.
    pub fn picture(&self, step: usize, layout: Layout) -> String {
        self.view(step, layout, View::Map)
    }

    /// The rest frame of a step (from 1) in one of the views as SVG for a page.
    pub fn view(&self, step: usize, layout: Layout, view: View) -> String {
        picture(&self.run, step, layout, view, [&self.figure.title, &self.figure.text(step).text])
    }

    /// The whole run as a sequence, a file of its own drawn with `css`.
    pub fn whole(&self, css: &str) -> Asset {
        let scene = scene::sequence_whole(&self.run, Layout::Wide);
        let says: Vec<&str> = self.figure.steps.iter().map(|s| s.text.as_str()).collect();
        let css = scene::needed(css, &scene);
        let svg = svg::document(&scene, &self.figure.title, &says.join(" "), svg::Embedding::Alone(&css));
        Asset { path: format!("/diagrams/{}/sequence.svg", self.figure.slug), bytes: svg.into_bytes() }
    }

    /// A still of every step, each a file of its own drawn with `css`.
    pub fn stills(&self, css: &str) -> Vec<Asset> {
        (1..=self.run.groups.len())
            .map(|step| {
                let still = scene::frame(&self.run, step, u32::MAX, Layout::Wide);
                let text = self.figure.text(step).text;
                let css = scene::needed(css, &still);
                let svg = svg::document(&still, &self.figure.title, &text, svg::Embedding::Alone(&css));
                let path = format!("/diagrams/{}/step-{step}.svg", self.figure.slug);
                Asset { path, bytes: svg.into_bytes() }
            })
            .collect()
    }
}

fn picture(run: &Run, step: usize, layout: Layout, view: View, [title, says]: [&str; 2]) -> String {
    let scene = match view {
        View::Map => scene::scene(run, step, layout),
        View::Sequence => scene::sequence(run, step, layout),
    };
    let rest = scene::still(scene, u32::MAX);
    svg::document(&rest, title, says, svg::Embedding::Page)
}

fn packed(run: &Run, slug: &str, layout: Layout, view: View) -> Asset {
    let bytes = scene::pack(run, layout, view).into_bytes();
    let mut hash = String::new();
    for byte in Sha256::digest(&bytes).iter().take(5) {
        let _ = write!(hash, "{byte:02x}");
    }
    let name = match view {
        View::Map => layout.name().to_owned(),
        View::Sequence => format!("sequence-{}", layout.name()),
    };
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
