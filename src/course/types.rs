//! The shapes that the files of `content/` are parsed into.

use super::{Glossary, Word};

/// A sentence or two with inline Markdown, already rendered: HTML with `<code>`, `<strong>`, `<em>` and `<a>` only.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inline {
    /// For pages.
    pub html: String,
    /// For titles, alternative texts and tests: the same without markup.
    pub text: String,
}

/// All content.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Site {
    /// Diagrams in the order of the index.
    pub diagrams: Vec<Diagram>,
    /// Chapters in the order of the course.
    pub chapters: Vec<Chapter>,
    /// The home page, as a chapter without number.
    pub home: Chapter,
    /// What the words mean; empty without a file for it.
    pub glossary: Glossary,
    /// What was measured on a real cluster.
    pub measured: Vec<Measured>,
    /// Under which conditions that was.
    pub conditions: Inline,
}

/// When on a real cluster what a scenario tells happened: `content/measured/SCENARIO.toml`. It stands on the page of
/// the diagram, or of the variant of one, that tells this scenario.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Measured {
    /// The scenario.
    pub scenario: String,
    /// The name of the recording.
    pub recording: String,
    /// What was seen, in the order of time.
    pub milestones: Vec<Milestone>,
}

/// Something that was seen on a real cluster.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Milestone {
    /// The id of the action of the scenario's run that it belongs to.
    pub action: String,
    /// Who did it.
    pub by: String,
    /// What was seen, in a few words.
    pub shows: String,
    /// When, in milliseconds from the first milestone.
    pub ms: u64,
}

/// One diagram: `content/diagrams/SLUG.toml`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagram {
    /// Its address and file name.
    pub slug: String,
    /// Such as `VolumeAttachment`.
    pub title: String,
    /// Such as `Storage: CSI & Mount Path`.
    pub category: String,
    /// The heading that it stands under in the index: its category where it names none.
    pub group: String,
    /// One sentence for index cards and the page's description.
    pub summary: String,
    /// The paragraph that answers before anything moves.
    pub lede: Inline,
    /// The line under the figure.
    pub figure: Inline,
    /// The scenario it shows, by its name.
    pub scenario: String,
    /// The text of that scenario where content brings it, `content/scenarios/NAME.toml`; else it is one of the
    /// model's own.
    pub scenario_text: Option<String>,
    /// The reader's steps.
    pub steps: Vec<DiagramStep>,
    /// What the page's other claims rest on.
    pub sources: Vec<Source>,
    /// Slugs of chapters that tell more.
    pub chapters: Vec<String>,
    /// Which position of its switch this is; `None` where the diagram has no switch.
    pub choice: Option<Choice>,
    /// The same diagram in the other positions of its switch, `content/diagrams/SLUG/VALUE.toml`, each complete and
    /// without variants of its own, in the order of their values.
    pub variants: Vec<Diagram>,
}

/// A position of the switch above a diagram's stage: another scenario, told in steps of its own.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choice {
    /// What the switch is called, such as `Reclaim policy`.
    pub switch: String,
    /// What this position is called, such as `Retain`.
    pub label: String,
    /// The last part of its address, as in `/diagrams/teardown/retain/`; empty for the diagram's own, which needs none.
    pub value: String,
}

impl Diagram {
    /// All tellings, the diagram's own first.
    pub fn tellings(&self) -> impl Iterator<Item = &Diagram> {
        std::iter::once(self).chain(&self.variants)
    }

    /// The address of its page: `/diagrams/SLUG/`, or `/diagrams/SLUG/VALUE/` of a variant.
    pub fn address(&self) -> String {
        match self.value() {
            "" => format!("/diagrams/{}/", self.slug),
            value => format!("/diagrams/{}/{value}/", self.slug),
        }
    }

    /// What tells it from the diagram's other tellings; empty for the diagram's own file.
    pub fn value(&self) -> &str {
        self.choice.as_ref().map_or("", |c| c.value.as_str())
    }

    /// The file it is written in, below `content/`.
    pub fn file(&self) -> String {
        match self.value() {
            "" => format!("diagrams/{}.toml", self.slug),
            value => format!("diagrams/{}/{value}.toml", self.slug),
        }
    }
}

/// One reader's step of a diagram.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DiagramStep {
    /// A few words, such as `One field flips`.
    pub title: String,
    /// The caption's line in the diagram's file, from 1, for errors that are found later.
    pub line: u32,
    /// At most 24 words, the acting actor first.
    pub caption: Inline,
    /// More, for the transcript; may be empty.
    pub detail: Inline,
    /// The model's actions it tells, in the order of the run.
    pub actions: Vec<String>,
    /// The one of them whose wires stay on the rest frame.
    pub key: String,
    /// kubectl commands that show this step on the reader's cluster.
    pub commands: Vec<Command>,
    /// What this step's claims rest on.
    pub sources: Vec<Source>,
}

/// A command to copy.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Command {
    /// The command line.
    pub run: String,
    /// What it shows, in a sentence.
    pub shows: Inline,
}

/// Where a claim can be checked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Source {
    /// The claim in a few words.
    pub claim: Inline,
    /// A path in kubernetes/kubernetes or a sidecar's repository, or a section of the CSI specification.
    pub place: String,
    /// Its address, where there is a stable one.
    pub url: Option<String>,
}

/// A page of prose: `content/chapters/SLUG.md`, and `content/home.md`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Chapter {
    /// Its address and file name; empty for the home page.
    pub slug: String,
    /// The title.
    pub title: String,
    /// One sentence for cards and the page's description.
    pub summary: String,
    /// The diagram whose live stage stands beside the text.
    pub diagram: Option<String>,
    /// The text as HTML; headings carry ids, internal links are absolute paths such as `/diagrams/`,
    /// `[words](#step-3)` links have become `<a href="#step-3" data-step-link="3">`.
    pub html: String,
    /// Ids and titles of its `h2`, for a table of contents.
    pub headings: Vec<(String, String)>,
    /// Reading time in minutes.
    pub minutes: u32,
    /// What its claims rest on.
    pub sources: Vec<Source>,
    /// What to have read before.
    pub prerequisites: Vec<Prerequisite>,
    /// What a reader can say at the end, in a sentence; empty for the home page.
    pub checkpoint: Inline,
    /// The address of its lab.
    pub lab: Option<String>,
    /// The address of its quiz.
    pub quiz: Option<String>,
    /// The names in it.
    pub words: Vec<Word>,
    /// Words that one of its sources vouches for, each with that source's line.
    pub outside: Vec<(String, u32)>,
}

/// Something to have read before a chapter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Prerequisite {
    /// What it is called.
    pub title: String,
    /// Its address: a page of the site, or https.
    pub href: String,
}
