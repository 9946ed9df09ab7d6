//! Variants of a diagram: the same page with its switch in another position, which tells another scenario.

use super::diagram::{self, RawSource, RawStep, Reader, Text, toml};
use super::links::Link;
use super::origin::Origin;
use super::{Choice, ContentError, Diagram, DiagramStep, Inline, Problem, Source};
use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawVariant {
    switch: Text,
    label: Text,
    scenario: Text,
    lede: Option<Text>,
    figure: Option<Text>,
    sources: Option<Vec<RawSource>>,
    steps: Spanned<Vec<RawStep>>,
}

/// A variant as read; what it leaves out is its diagram's.
pub(super) struct Read {
    /// The diagram it belongs to, by its slug.
    pub slug: String,
    choice: Choice,
    /// Lines of `switch` and of `label`.
    lines: (u32, u32),
    scenario: String,
    lede: Option<Inline>,
    figure: Option<Inline>,
    sources: Option<Vec<Source>>,
    steps: Vec<DiagramStep>,
}

/// The slug of the diagram that a file below `content/` is a variant of, if it is one.
pub(super) fn diagram_of(file: &str) -> Option<&str> {
    let (slug, name) = file.strip_prefix("diagrams/")?.split_once('/')?;
    (name.ends_with(".toml") && !name.contains('/')).then_some(slug)
}

/// Reads `content/diagrams/SLUG/VALUE.toml`.
pub(super) fn read(slug: &str, origin: Origin<'_>, links: &mut Vec<Link>) -> Result<Read, ContentError> {
    let value = origin.slug()?;
    let raw: RawVariant = toml(origin, 0, origin.text)?;
    let page = format!("/diagrams/{slug}/{value}/");
    let lines = (origin.line(raw.switch.span().start), origin.line(raw.label.span().start));
    let mut reader = Reader { origin, start: 0, page: &page, links };
    Ok(Read {
        slug: slug.to_owned(),
        choice: reader.choice(raw.switch, raw.label, value)?,
        lines,
        scenario: reader.plain("scenario", raw.scenario)?,
        lede: raw.lede.map(|l| reader.inline("lede", &l)).transpose()?,
        figure: raw.figure.map(|f| reader.inline("figure", &f)).transpose()?,
        sources: raw.sources.map(|s| reader.sources(s)).transpose()?,
        steps: reader.steps(raw.steps)?,
    })
}

/// Gives each diagram its variants, which come with their files.
pub(super) fn join(
    diagrams: &mut [(&String, diagram::Read)],
    mut variants: Vec<(&String, Read)>,
) -> Result<(), ContentError> {
    variants.sort_by(|(_, a), (_, b)| a.choice.value.cmp(&b.choice.value));
    for (file, variant) in variants {
        let fail = |line: u32, problem: Problem| ContentError { file: file.clone(), line, problem };
        let Some((_, base)) = diagrams.iter_mut().find(|(_, d)| d.diagram.slug == variant.slug) else {
            return Err(fail(1, Problem::UnknownDiagram { slug: variant.slug }));
        };
        let Some(own) = &base.diagram.choice else {
            return Err(fail(variant.lines.0, Problem::NoSwitch { slug: variant.slug }));
        };
        let choice = &variant.choice;
        if own.switch != choice.switch {
            return Err(fail(variant.lines.0, Problem::OtherSwitch { switch: own.switch.clone() }));
        }
        let taken = |d: &Diagram| d.choice.as_ref().is_some_and(|c| c.label == choice.label);
        if base.diagram.tellings().any(taken) {
            return Err(fail(variant.lines.1, Problem::SameLabel { label: choice.label.clone() }));
        }
        if base.diagram.variants.iter().any(|d| d.value() == choice.value) {
            return Err(fail(1, Problem::DuplicateSlug { slug: choice.value.clone() }));
        }
        let told = variant.of(&base.diagram);
        base.diagram.variants.push(told);
    }
    let idle = diagrams.iter().find(|(_, d)| d.diagram.choice.is_some() && d.diagram.variants.is_empty());
    match idle {
        Some((file, read)) => {
            let problem = Problem::NoVariants { slug: read.diagram.slug.clone() };
            Err(ContentError { file: (*file).clone(), line: read.switch, problem })
        }
        None => Ok(()),
    }
}

impl Read {
    /// The whole diagram in this position of its switch.
    fn of(self, base: &Diagram) -> Diagram {
        let mut base = base.clone();
        base.variants.clear();
        Diagram {
            choice: Some(self.choice),
            scenario: self.scenario,
            lede: self.lede.unwrap_or(base.lede),
            figure: self.figure.unwrap_or(base.figure),
            sources: self.sources.unwrap_or(base.sources),
            steps: self.steps,
            ..base
        }
    }
}
