//! Chapters and the home page: Markdown after a front matter in TOML.

use super::diagram::{RawSource, Reader, Text, toml};
use super::links::Link;
use super::markup::Markup;
use super::origin::Origin;
use super::prose::prose;
use super::words::words;
use super::{Chapter, ContentError, Prerequisite, Problem};
use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawChapter {
    order: Spanned<u32>,
    title: Spanned<String>,
    summary: Spanned<String>,
    diagram: Option<Spanned<String>>,
    checkpoint: Text,
    lab: Option<Text>,
    quiz: Option<Text>,
    #[serde(default)]
    prerequisites: Vec<RawPrerequisite>,
    #[serde(default)]
    sources: Vec<RawVouched>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPrerequisite {
    title: Text,
    href: Text,
}

/// A source, with words that no run of the model knows and this source does.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawVouched {
    claim: Text,
    place: Text,
    url: Option<Text>,
    #[serde(default)]
    words: Vec<Text>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawHome {
    title: Spanned<String>,
    summary: Spanned<String>,
}

/// A chapter as read, with what is needed until all files are.
pub(super) struct Read {
    /// The chapter.
    pub chapter: Chapter,
    /// Its place in the course.
    pub order: u32,
    /// Lines of `order` and of `diagram`.
    pub lines: (u32, u32),
    /// Ids of its headings.
    pub parts: Vec<String>,
}

/// Reads `content/chapters/SLUG.md`.
pub(super) fn read(origin: Origin<'_>, links: &mut Vec<Link>) -> Result<Read, ContentError> {
    let slug = origin.slug()?;
    let page = format!("/chapters/{slug}/");
    let (start, end, body) = parts(origin)?;
    let raw: RawChapter = toml(origin, start, origin.text.get(start..end).unwrap_or_default())?;
    let line = |at: usize| origin.line(start + at);
    let lines = (line(raw.order.span().start), line(raw.diagram.as_ref().map_or(0, |d| d.span().start)));
    let mut reader = Reader { origin, start, page: &page, links };
    let mut outside = Vec::new();
    let mut sources = Vec::new();
    for RawVouched { claim, place, url, words } in raw.sources {
        outside.extend(words.into_iter().map(|word| {
            let line = line(word.span().start);
            (word.into_inner(), line)
        }));
        sources.push(RawSource { claim, place, url });
    }
    let mut prerequisites = Vec::new();
    for RawPrerequisite { title, href } in raw.prerequisites {
        let href = reader.address(&href, href.get_ref().clone());
        prerequisites.push(Prerequisite { title: reader.plain("title", title)?, href });
    }
    let mut chapter = Chapter {
        title: reader.plain("title", raw.title)?,
        summary: reader.plain("summary", raw.summary)?,
        diagram: raw.diagram.map(Spanned::into_inner),
        sources: reader.sources(sources)?,
        checkpoint: reader.inline("checkpoint", &raw.checkpoint)?,
        lab: raw.lab.map(|lab| reader.address(&lab, lab.get_ref().clone())),
        quiz: raw.quiz.map(|quiz| reader.address(&quiz, format!("/quizzes/{}/", quiz.get_ref()))),
        prerequisites,
        outside,
        words: words(origin, origin.text.get(body..).unwrap_or_default(), body),
        slug,
        ..Chapter::default()
    };
    let parts = fill(&mut chapter, origin, body, &page, links)?;
    Ok(Read { chapter, order: raw.order.into_inner(), lines, parts })
}

/// Reads `content/home.md`: the page, and the ids of its headings.
pub(super) fn read_home(
    origin: Origin<'_>,
    links: &mut Vec<Link>,
) -> Result<(Chapter, Vec<String>), ContentError> {
    let (start, end, body) = parts(origin)?;
    let raw: RawHome = toml(origin, start, origin.text.get(start..end).unwrap_or_default())?;
    let reader = Reader { origin, start, page: "/", links };
    let mut home = Chapter {
        title: reader.plain("title", raw.title)?,
        summary: reader.plain("summary", raw.summary)?,
        ..Chapter::default()
    };
    let parts = fill(&mut home, origin, body, "/", links)?;
    Ok((home, parts))
}

/// Renders the Markdown from `body` on into the chapter; returns the ids of its headings.
fn fill(
    chapter: &mut Chapter,
    origin: Origin<'_>,
    body: usize,
    page: &str,
    links: &mut Vec<Link>,
) -> Result<Vec<String>, ContentError> {
    let text = origin.text.get(body..).unwrap_or_default();
    if text.trim().is_empty() {
        return Err(origin.error(body, Problem::Empty { key: "text" }));
    }
    let prose = prose(Markup { origin, text, start: body, page, links })?;
    chapter.html = prose.html;
    chapter.headings = prose.headings;
    chapter.minutes = prose.minutes;
    Ok(prose.parts)
}

/// Where the front matter begins and ends and the Markdown begins, as byte offsets.
fn parts(origin: Origin<'_>) -> Result<(usize, usize, usize), ContentError> {
    const MARK: &str = "+++\n";
    let Some(rest) = origin.text.strip_prefix(MARK) else {
        return Err(origin.error(0, Problem::NoFrontMatter));
    };
    let close = if rest.starts_with(MARK) { Some(0) } else { rest.find("\n+++\n").map(|at| at + 1) };
    let Some(close) = close else {
        return Err(origin.error(0, Problem::UnclosedFrontMatter));
    };
    let end = MARK.len() + close;
    Ok((MARK.len(), end, end + MARK.len()))
}
