//! A diagram with its run recorded, grouped and drawn: what its pages and files are made of.

use super::figure::{Figure, StepText};
use super::objects_page;
use super::pages::Asset;
use super::pane::{Pane, boxes, pane, views};
use crate::course::Diagram;
use crate::model::Actor;
use crate::scene::{self, Layout, Scene, View, svg};
use crate::trace::{self, Causes, GroupError, RecordError, Run, Scenario, Sheet};
use sha2::{Digest, Sha256};
use std::fmt::{self, Write};

/// A diagram, drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// The run it tells.
    pub run: Run,
    /// The address of its page, below which its files are.
    pub address: String,
    /// What its figure shows.
    pub figure: Figure,
    /// Of each step why it happens now: who acts, and what that waited for.
    pub why: Vec<Vec<(Actor, String)>>,
    /// Its scenes as data, wide and narrow. The names change with the content, so they can be kept for ever.
    pub scenes: [Asset; 2],
    /// Its sequence as data of the same kind, wide and narrow.
    pub sequence: [Asset; 2],
    /// Its API objects at every step, as data.
    pub objects: Asset,
}

impl Drawn {
    /// Records and draws a diagram.
    ///
    /// # Errors
    /// When the scenario is unknown or the steps do not cover its run in order.
    pub fn new(diagram: &Diagram) -> Result<Self, PageError> {
        let run = run_of(diagram)?;
        let why = why(diagram, &run)?;
        let text = |s: &crate::course::DiagramStep| StepText {
            html: s.caption.html.clone(),
            text: s.caption.text.clone(),
        };
        let steps: Vec<_> = diagram.steps.iter().map(text).collect();
        let first = steps.first().map(|s| s.text.clone()).unwrap_or_default();
        let address = diagram.address();
        let sheet = Sheet::of(&run, objects_page::writer);
        let objects = kept(&address, "objects", objects_page::all(&sheet).into_bytes());
        let layouts = [Layout::Wide, Layout::Narrow];
        let figure = Figure {
            slug: diagram.slug.clone(),
            title: diagram.title.clone(),
            line: diagram.figure.html.clone(),
            steps,
            views: views(),
            panes: {
                let map = layouts.map(|l| picture(&run, 1, l, [&diagram.title, &first]));
                let sequence = layouts.map(|l| {
                    let src = first_sequence(&address, l);
                    format!("<img src=\"{src}\" alt=\"{}\" loading=\"lazy\">", svg::escape(&diagram.title))
                });
                let objects = objects_page::first(&sheet, &objects.path, &address, run.groups.len());
                pane(Pane::Map, &boxes(&map))
                    + &pane(Pane::Sequence, &boxes(&sequence))
                    + &pane(Pane::Objects, &objects)
            },
        };
        let [scenes, sequence] = [View::Map, View::Sequence]
            .map(|view| layouts.map(|layout| packed(&run, &address, layout, view)));
        Ok(Self { run, address, figure, why, scenes, sequence, objects })
    }

    /// The rest frame of a step (from 1) as SVG for a page.
    pub fn picture(&self, step: usize, layout: Layout) -> String {
        picture(&self.run, step, layout, [&self.figure.title, &self.figure.text(step).text])
    }

    /// The sequence as files of their own, drawn with `css`: the whole run, and the first step in both layouts.
    pub fn sequences(&self, css: &str) -> Vec<Asset> {
        let says: Vec<&str> = self.figure.steps.iter().map(|s| s.text.as_str()).collect();
        let asset = |path: String, scene: &Scene, says: &str| {
            let css = scene::needed(css, scene);
            let svg = svg::document(scene, &self.figure.title, says, svg::Embedding::Alone(&css));
            Asset { path, bytes: svg.into_bytes() }
        };
        let whole = scene::sequence_whole(&self.run, Layout::Wide);
        let mut files = vec![asset(format!("{}sequence.svg", self.address), &whole, &says.join(" "))];
        files.extend([Layout::Wide, Layout::Narrow].map(|layout| {
            let first = scene::still(scene::sequence(&self.run, 1, layout), u32::MAX);
            asset(first_sequence(&self.address, layout), &first, &self.figure.text(1).text)
        }));
        files
    }

    /// A still of every step, each a file of its own drawn with `css`.
    pub fn stills(&self, css: &str) -> Vec<Asset> {
        (1..=self.run.groups.len())
            .map(|step| {
                let still = scene::frame(&self.run, step, u32::MAX, Layout::Wide);
                let text = self.figure.text(step).text;
                let css = scene::needed(css, &still);
                let svg = svg::document(&still, &self.figure.title, &text, svg::Embedding::Alone(&css));
                let path = format!("{}step-{step}.svg", self.address);
                Asset { path, bytes: svg.into_bytes() }
            })
            .collect()
    }
}

/// The address of the first step's sequence.
fn first_sequence(address: &str, layout: Layout) -> String {
    format!("{address}sequence-1-{}.svg", layout.name())
}

fn picture(run: &Run, step: usize, layout: Layout, [title, says]: [&str; 2]) -> String {
    svg::document(&scene::frame(run, step, u32::MAX, layout), title, says, svg::Embedding::Page)
}

fn packed(run: &Run, address: &str, layout: Layout, view: View) -> Asset {
    let name = match view {
        View::Map => layout.name().to_owned(),
        View::Sequence => format!("sequence-{}", layout.name()),
    };
    kept(address, &name, scene::pack(run, layout, view).into_bytes())
}

/// A data file whose name changes with its content, so that it can be kept for ever.
fn kept(address: &str, name: &str, bytes: Vec<u8>) -> Asset {
    Asset { path: format!("{address}{name}-{}.json", short_hash(&bytes)), bytes }
}

/// A few digits that change with the content of a file, for its name.
pub fn short_hash(bytes: &[u8]) -> String {
    let mut hash = String::new();
    for byte in Sha256::digest(bytes).iter().take(5) {
        let _ = write!(hash, "{byte:02x}");
    }
    hash
}

/// The run that a diagram tells, grouped into its steps.
///
/// # Errors
/// When the scenario is unknown or the steps do not cover its run in order.
pub fn run_of(diagram: &Diagram) -> Result<Run, PageError> {
    let trace = trace::record_scenario(&scenario_of(diagram)?).map_err(|error| fail(diagram, error))?;
    let steps: Vec<_> = diagram.steps.iter().map(|s| (s.actions.clone(), s.key.clone())).collect();
    trace::group(trace, &steps).map_err(|error| PageError::Steps { file: diagram.file(), error })
}

/// The scenario that a diagram tells: its content's own, or the model's of this name.
fn scenario_of(diagram: &Diagram) -> Result<Scenario, PageError> {
    let name = &diagram.scenario;
    let found = match &diagram.scenario_text {
        Some(text) => Some(trace::read_scenario(name, text)),
        None => trace::scenario(name),
    };
    let scenario = found.ok_or_else(|| fail(diagram, RecordError::Unknown(name.clone())))?;
    scenario.map_err(|error| fail(diagram, RecordError::Text(error)))
}

fn fail(diagram: &Diagram, error: RecordError) -> PageError {
    PageError::Scenario { file: diagram.file(), error }
}

/// Why each step of a diagram's run happens now.
fn why(diagram: &Diagram, run: &Run) -> Result<Vec<Vec<(Actor, String)>>, PageError> {
    let scenario = scenario_of(diagram)?;
    let causes = Causes::of(&scenario).map_err(|error| fail(diagram, error))?;
    Ok((1..=run.groups.len()).map(|step| causes.why_now(run, step)).collect())
}

/// Why a page cannot be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PageError {
    /// A diagram names a scenario that the model cannot record.
    Scenario {
        /// Its file below `content/`.
        file: String,
        /// Why there is no run of it.
        error: RecordError,
    },
    /// A diagram's steps do not tell its scenario's run.
    Steps {
        /// Its file below `content/`.
        file: String,
        /// What is wrong with them.
        error: GroupError,
    },
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PageError::Scenario { file, error } => write!(f, "content/{file}: {error}"),
            PageError::Steps { file, error } => write!(f, "content/{file}: {error}"),
        }
    }
}

impl std::error::Error for PageError {}
