//! The list of pages and of the files beside them: everything the prerenderer writes.

use super::figure::{Figure, StepText};
use super::shell::{Shell, ShellProps};
use super::{chapter_page, diagram_page, index_page};
use crate::course::{Diagram, Site};
use crate::scene::{self, Layout, svg};
use crate::trace::{self, GroupError, RecordError};
use hydration_context::SsrSharedContext;
use leptos::prelude::*;
use std::fmt;
use std::sync::Arc;

/// A page to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// Its address below the site's root, such as `/diagrams/`.
    pub path: String,
    /// For `<title>`.
    pub title: String,
    /// For `<meta name="description">`.
    pub description: String,
    /// The HTML inside `<body>`; links begin at the site's root.
    pub body: String,
}

/// A file beside the pages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asset {
    /// Its address below the site's root.
    pub path: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Why a page cannot be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PageError {
    /// A diagram names a scenario that the model does not have.
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

/// The run that a diagram tells, grouped into its steps.
///
/// # Errors
/// When the scenario is unknown or the steps do not cover its run in order.
pub fn run_of(diagram: &Diagram) -> Result<trace::Run, PageError> {
    let trace = trace::record(&diagram.scenario)
        .map_err(|error| PageError::Scenario { slug: diagram.slug.clone(), error })?;
    let steps: Vec<_> = diagram.steps.iter().map(|s| (s.actions.clone(), s.key.clone())).collect();
    trace::group(trace, &steps).map_err(|error| PageError::Steps { slug: diagram.slug.clone(), error })
}

/// What the player of a diagram is given.
pub(super) fn player_props(diagram: &Diagram) -> Result<Figure, PageError> {
    Ok(Figure {
        slug: diagram.slug.clone(),
        title: diagram.title.clone(),
        figure: diagram.figure.html.clone(),
        run: run_of(diagram)?,
        steps: diagram
            .steps
            .iter()
            .map(|s| StepText { html: s.caption.html.clone(), text: s.caption.text.clone() })
            .collect(),
    })
}

/// Every page of the site.
///
/// # Errors
/// When a diagram and its scenario do not fit.
pub fn pages(site: &Site) -> Result<Vec<Page>, PageError> {
    let runs = site.diagrams.iter().map(player_props).collect::<Result<Vec<_>, _>>()?;
    let mut pages = vec![
        page("/", "Mountpath: how a Kubernetes volume gets mounted", &site.home.summary, || {
            chapter_page::home(site)
        }),
        page("/diagrams/", "Diagrams · Mountpath", index_page::SUMMARY, || {
            index_page::diagrams(site, &runs)
        }),
        page("/404.html", "Page not found · Mountpath", "This address leads nowhere.", index_page::not_found),
    ];
    for (diagram, props) in site.diagrams.iter().zip(&runs) {
        let path = format!("/diagrams/{}/", diagram.slug);
        let title = format!("{} · Mountpath", diagram.title);
        pages.push(page(&path, &title, &diagram.summary, || diagram_page::diagram(site, diagram, props)));
    }
    for chapter in &site.chapters {
        let path = format!("/chapters/{}/", chapter.slug);
        let title = format!("{} · Mountpath", chapter.title);
        let props = runs.iter().find(|r| chapter.diagram.as_ref() == Some(&r.slug));
        let diagram = site.diagrams.iter().find(|d| chapter.diagram.as_ref() == Some(&d.slug));
        pages.push(page(&path, &title, &chapter.summary, || {
            chapter_page::chapter(chapter, diagram.zip(props))
        }));
    }
    Ok(pages)
}

/// The files beside the pages: a still of every step of every diagram, drawn with `css`.
///
/// # Errors
/// When a diagram and its scenario do not fit.
pub fn assets(site: &Site, css: &str) -> Result<Vec<Asset>, PageError> {
    let mut assets = Vec::new();
    for diagram in &site.diagrams {
        let props = player_props(diagram)?;
        for step in 1..=props.run.groups.len() {
            let still = scene::frame(&props.run, step, u32::MAX, Layout::Wide);
            let text = props.text(step).text;
            let svg = svg::document(&still, &props.title, &text, svg::Embedding::Alone(css));
            assets.push(Asset {
                path: format!("/diagrams/{}/step-{step}.svg", diagram.slug),
                bytes: svg.into_bytes(),
            });
        }
    }
    Ok(assets)
}

fn page<V: IntoView>(path: &str, title: &str, description: &str, main: impl FnOnce() -> V) -> Page {
    let props = ShellProps { path: path.to_string(), main: html(main) };
    let body = html(|| Shell(props));
    Page { path: path.into(), title: title.into(), description: description.into(), body }
}

/// A view as HTML, in a reactive owner of its own.
pub(super) fn html<V: IntoView>(view: impl FnOnce() -> V) -> String {
    let owner = Owner::new_root(Some(Arc::new(SsrSharedContext::new())));
    let html = owner.with(|| view().to_html());
    owner.unset_with_forced_cleanup();
    html
}
