//! From files to the site: each file read, put in order, and held against the others.

use super::links::{self, Page};
use super::origin::Origin;
use super::{
    ContentError, Diagram, Glossary, Inline, Problem, Site, chapter, diagram, glossary, measured, variant,
};
use std::collections::BTreeMap;

/// Parses all content. `files` are paths below `content/`, such as `diagrams/volume-attachment.toml`, with
/// their texts, in any order.
///
/// # Errors
/// The first thing that is wrong, with its file and line.
pub fn load(files: &[(String, String)]) -> Result<Site, ContentError> {
    let mut links = Vec::new();
    let mut pages = BTreeMap::from([("/diagrams/".to_owned(), Page::default())]);
    let (mut diagrams, mut variants, mut chapters) = (Vec::new(), Vec::new(), Vec::new());
    let (mut measured, mut conditions) = (Vec::new(), Inline::default());
    let mut scenarios = BTreeMap::new();
    let mut home = None;
    let mut terms = Glossary::default();
    for (file, text) in files {
        let origin = Origin { file, text };
        if file == "home.md" && home.is_some() {
            return Err(origin.error(0, Problem::DuplicateSlug { slug: "home".to_owned() }));
        } else if file == "home.md" {
            let (page, parts) = chapter::read_home(origin, &mut links)?;
            home = Some(page);
            pages.insert("/".to_owned(), Page { parts, steps: 0 });
        } else if file == "glossary.toml" {
            terms = glossary::read(origin, &mut links)?;
            let parts = terms.terms.iter().map(|t| t.id.clone()).collect();
            pages.insert(glossary::ADDRESS.to_owned(), Page { parts, steps: 0 });
        } else if below(file, "diagrams/", ".toml") {
            diagrams.push((file, diagram::read(origin, &mut links)?));
        } else if let Some(slug) = variant::diagram_of(file) {
            variants.push((file, variant::read(slug, origin, &mut links)?));
        } else if below(file, "scenarios/", ".toml") {
            scenarios.insert(origin.slug()?, (file, text));
        } else if file == "measured/conditions.toml" {
            conditions = measured::read_conditions(origin, &mut links)?;
        } else if below(file, "measured/", ".toml") {
            measured.push(measured::read(origin)?);
        } else if below(file, "chapters/", ".md") {
            chapters.push((file, chapter::read(origin, &mut links)?));
        } else {
            return Err(origin.error(0, Problem::UnknownFile));
        }
    }
    let fail =
        |file: &str, line: u32, problem: Problem| ContentError { file: file.to_owned(), line, problem };
    let home = home.ok_or_else(|| fail("home.md", 1, Problem::NoHome))?;

    diagrams.sort_by_key(|(_, d)| d.order);
    chapters.sort_by_key(|(_, c)| c.order);
    let places = |order: u32, line: u32, slug: &str| (order, line, slug.to_owned());
    in_order(diagrams.iter().map(|(f, d)| (f.as_str(), places(d.order, d.lines.0, &d.diagram.slug))))?;
    in_order(chapters.iter().map(|(f, c)| (f.as_str(), places(c.order, c.lines.0, &c.chapter.slug))))?;

    variant::join(&mut diagrams, variants)?;
    let give =
        |d: &mut Diagram| d.scenario_text = scenarios.get(&d.scenario).map(|(_, text)| (*text).clone());
    for (_, read) in &mut diagrams {
        give(&mut read.diagram);
        read.diagram.variants.iter_mut().for_each(give);
    }
    let told =
        |name: &str| diagrams.iter().flat_map(|(_, d)| d.diagram.tellings()).any(|d| d.scenario == name);
    if let Some((name, (file, _))) = scenarios.iter().find(|(name, _)| !told(name)) {
        return Err(fail(file, 1, Problem::UntoldScenario { name: name.clone() }));
    }

    for (file, read) in &diagrams {
        for (slug, line) in read.diagram.chapters.iter().zip(&read.lines.1) {
            if !chapters.iter().any(|(_, c)| c.chapter.slug == *slug) {
                return Err(fail(file, *line, Problem::UnknownChapter { slug: slug.clone() }));
            }
        }
        for told in read.diagram.tellings() {
            pages.insert(told.address(), Page { parts: Vec::new(), steps: told.steps.len() });
        }
    }
    for (file, read) in &chapters {
        let mut page = Page { parts: read.parts.clone(), steps: 0 };
        if let Some(slug) = &read.chapter.diagram {
            let Some((_, d)) = diagrams.iter().find(|(_, d)| d.diagram.slug == *slug) else {
                return Err(fail(file, read.lines.1, Problem::UnknownDiagram { slug: slug.clone() }));
            };
            page.steps = d.diagram.steps.len();
        }
        pages.insert(format!("/chapters/{}/", read.chapter.slug), page);
    }
    links::check(&links, &pages)?;
    Ok(Site {
        diagrams: diagrams.into_iter().map(|(_, d)| d.diagram).collect(),
        chapters: chapters.into_iter().map(|(_, c)| c.chapter).collect(),
        home,
        glossary: terms,
        measured,
        conditions,
    })
}

/// Whether a file stands directly in a folder and has an ending.
fn below(file: &str, folder: &str, ending: &str) -> bool {
    file.strip_prefix(folder)
        .and_then(|name| name.strip_suffix(ending))
        .is_some_and(|slug| !slug.contains('/'))
}

/// Refuses two pages of one address or one place; takes file, and order, its line and the slug, sorted by order.
fn in_order<'a>(pages: impl Iterator<Item = (&'a str, (u32, u32, String))>) -> Result<(), ContentError> {
    let mut slugs: Vec<String> = Vec::new();
    let mut last: Option<(u32, String)> = None;
    for (file, (order, line, slug)) in pages {
        let fail = |line: u32, problem: Problem| Err(ContentError { file: file.to_owned(), line, problem });
        if slugs.contains(&slug) {
            return fail(1, Problem::DuplicateSlug { slug });
        }
        if let Some((_, other)) = last.filter(|(o, _)| *o == order) {
            return fail(line, Problem::SameOrder { order, other });
        }
        slugs.push(slug.clone());
        last = Some((order, slug));
    }
    Ok(())
}
