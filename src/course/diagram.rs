//! Diagrams: a TOML file says what is told of a run, step by step.

use super::error::CAPTION_WORDS;
use super::inline::inline;
use super::links::Link;
use super::markup::Markup;
use super::origin::Origin;
use super::{Choice, Command, ContentError, Diagram, DiagramStep, Inline, Problem, Source};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;

/// A string with its place in the file.
pub(super) type Text = Spanned<String>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDiagram {
    order: Spanned<u32>,
    title: Text,
    category: Text,
    group: Option<Text>,
    summary: Text,
    lede: Text,
    figure: Text,
    scenario: Text,
    switch: Option<Text>,
    label: Option<Text>,
    #[serde(default)]
    chapters: Vec<Text>,
    #[serde(default)]
    sources: Vec<RawSource>,
    steps: Spanned<Vec<RawStep>>,
}

/// A step as files spell it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawStep {
    title: Text,
    caption: Text,
    detail: Option<Text>,
    actions: Spanned<Vec<Text>>,
    key: Text,
    #[serde(default)]
    commands: Vec<RawCommand>,
    #[serde(default)]
    sources: Vec<RawSource>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCommand {
    run: Text,
    shows: Text,
}

/// A source as files spell it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSource {
    /// What is claimed.
    pub claim: Text,
    /// Where it can be checked.
    pub place: Text,
    /// The place's address.
    pub url: Option<Text>,
}

/// A diagram as read, with what is needed until all files are.
pub(super) struct Read {
    /// The diagram.
    pub diagram: Diagram,
    /// Its place in the index.
    pub order: u32,
    /// Lines of `order`, and of each entry of `chapters`.
    pub lines: (u32, Vec<u32>),
    /// The line of `switch`; 1 without one.
    pub switch: u32,
}

/// Reads `content/diagrams/SLUG.toml`.
pub(super) fn read(origin: Origin<'_>, links: &mut Vec<Link>) -> Result<Read, ContentError> {
    let slug = origin.slug()?;
    let raw: RawDiagram = toml(origin, 0, origin.text)?;
    let page = format!("/diagrams/{slug}/");
    let mut reader = Reader { origin, start: 0, page: &page, links };
    let lines = (
        origin.line(raw.order.span().start),
        raw.chapters.iter().map(|c| origin.line(c.span().start)).collect(),
    );
    let switch = raw.switch.as_ref().map_or(1, |s| origin.line(s.span().start));
    let choice = match (raw.switch, raw.label) {
        (Some(switch), Some(label)) => Some(reader.choice(switch, label, String::new())?),
        (Some(text), None) => return Err(reader.error(&text, Problem::HalfSwitch { lacks: "label" })),
        (None, Some(text)) => return Err(reader.error(&text, Problem::HalfSwitch { lacks: "switch" })),
        (None, None) => None,
    };
    let diagram = Diagram {
        title: reader.plain("title", raw.title)?,
        group: match raw.group {
            Some(group) => reader.plain("group", group)?,
            None => raw.category.get_ref().clone(),
        },
        category: reader.plain("category", raw.category)?,
        summary: reader.plain("summary", raw.summary)?,
        lede: reader.inline("lede", &raw.lede)?,
        figure: reader.inline("figure", &raw.figure)?,
        scenario: reader.plain("scenario", raw.scenario)?,
        scenario_text: None,
        steps: reader.steps(raw.steps)?,
        sources: reader.sources(raw.sources)?,
        chapters: raw.chapters.into_iter().map(Spanned::into_inner).collect(),
        choice,
        variants: Vec::new(),
        slug,
    };
    Ok(Read { diagram, order: raw.order.into_inner(), lines, switch })
}

/// Reads TOML that begins at `start` of the file.
pub(super) fn toml<T: DeserializeOwned>(
    origin: Origin<'_>,
    start: usize,
    text: &str,
) -> Result<T, ContentError> {
    toml::from_str(text).map_err(|e| {
        let message = e.message().lines().collect::<Vec<_>>().join(", ");
        let offset = e.span().map_or(0, |s| s.start);
        origin.error(start + offset, Problem::Toml { message })
    })
}

/// Turns the strings of one TOML text into content.
pub(super) struct Reader<'a> {
    /// The file.
    pub origin: Origin<'a>,
    /// Where the TOML begins in it.
    pub start: usize,
    /// The address of its page.
    pub page: &'a str,
    /// All links so far.
    pub links: &'a mut Vec<Link>,
}

impl Reader<'_> {
    /// A problem at a string.
    fn error(&self, at: &Text, problem: Problem) -> ContentError {
        self.origin.error(self.start + at.span().start, problem)
    }

    /// A string without markup.
    pub fn plain(&self, key: &'static str, text: Text) -> Result<String, ContentError> {
        if text.get_ref().trim().is_empty() {
            return Err(self.error(&text, Problem::Empty { key }));
        }
        Ok(text.into_inner())
    }

    /// A string with inline Markdown.
    pub fn inline(&mut self, key: &'static str, text: &Text) -> Result<Inline, ContentError> {
        if text.get_ref().trim().is_empty() {
            return Err(self.error(text, Problem::Empty { key }));
        }
        let span = self.start + text.span().start..self.start + text.span().end;
        inline(Markup {
            origin: self.origin,
            text: text.get_ref(),
            start: self.origin.string_start(&span),
            page: self.page,
            links: self.links,
        })
    }

    /// The address `to`, which stands or is meant at a string and is kept for the check of all links.
    pub fn address(&mut self, at: &Text, to: String) -> String {
        let line = self.origin.line(self.start + at.span().start);
        let (file, page) = (self.origin.file.to_owned(), self.page.to_owned());
        self.links.push(Link { file, line, page, to: to.clone() });
        to
    }

    /// The list of sources.
    pub fn sources(&mut self, raw: Vec<RawSource>) -> Result<Vec<Source>, ContentError> {
        raw.into_iter().map(|s| self.source(s)).collect()
    }

    fn source(&mut self, raw: RawSource) -> Result<Source, ContentError> {
        if let Some(url) = raw.url.as_ref().filter(|u| !u.get_ref().starts_with("https://")) {
            return Err(self.error(url, Problem::LinkForm { to: url.get_ref().clone() }));
        }
        Ok(Source {
            claim: self.inline("claim", &raw.claim)?,
            place: self.plain("place", raw.place)?,
            url: raw.url.map(Spanned::into_inner),
        })
    }

    /// A position of a switch.
    pub fn choice(&self, switch: Text, label: Text, value: String) -> Result<Choice, ContentError> {
        Ok(Choice { switch: self.plain("switch", switch)?, label: self.plain("label", label)?, value })
    }

    /// The reader's steps, of which there must be some.
    pub fn steps(&mut self, raw: Spanned<Vec<RawStep>>) -> Result<Vec<DiagramStep>, ContentError> {
        let at = self.start + raw.span().start;
        if raw.get_ref().is_empty() {
            return Err(self.origin.error(at, Problem::NoEntries { key: "steps" }));
        }
        raw.into_inner().into_iter().map(|s| self.step(s)).collect()
    }

    fn step(&mut self, raw: RawStep) -> Result<DiagramStep, ContentError> {
        let caption = self.inline("caption", &raw.caption)?;
        if let Some(problem) = caption_problem(&caption) {
            return Err(self.error(&raw.caption, problem));
        }
        let actions_at = raw.actions.span().start;
        let actions: Vec<String> = raw.actions.into_inner().into_iter().map(Spanned::into_inner).collect();
        if actions.is_empty() {
            return Err(self.origin.error(actions_at, Problem::NoEntries { key: "actions" }));
        }
        if !actions.contains(raw.key.get_ref()) {
            let key = raw.key.get_ref().clone();
            return Err(self.error(&raw.key, Problem::KeyNotAmongActions { key }));
        }
        let detail = raw.detail.map(|d| self.inline("detail", &d)).transpose()?.unwrap_or_default();
        let commands = raw.commands.into_iter().map(|c| self.command(c)).collect::<Result<_, _>>()?;
        Ok(DiagramStep {
            title: self.plain("title", raw.title)?,
            line: self.origin.line(raw.caption.span().start),
            caption,
            detail,
            actions,
            key: raw.key.into_inner(),
            commands,
            sources: self.sources(raw.sources)?,
        })
    }

    fn command(&mut self, raw: RawCommand) -> Result<Command, ContentError> {
        Ok(Command { run: self.plain("run", raw.run)?, shows: self.inline("shows", &raw.shows)? })
    }
}

/// What is wrong with a caption, if anything.
fn caption_problem(caption: &Inline) -> Option<Problem> {
    let words = caption.text.split_whitespace().count();
    if words > CAPTION_WORDS {
        return Some(Problem::CaptionWords { words });
    }
    if !caption.html.starts_with("<strong>") {
        return Some(Problem::CaptionActor);
    }
    let mut sentences = caption.text.split(". ").skip(1);
    let reason = sentences.next().is_none_or(|s| s.starts_with("Because ") || s.starts_with("Until "));
    (!reason || sentences.next().is_some()).then_some(Problem::CaptionSentences)
}
