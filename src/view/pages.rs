//! The list of pages and of the files beside them: everything the prerenderer writes.

use super::drawn::{Drawn, PageError};
use super::shell::{Shell, ShellProps};
use super::{chapter_page, diagram_page, glossary_page, index_page, measured, objects_page};
use crate::course::{Diagram, Site};
use hydration_context::SsrSharedContext;
use leptos::prelude::*;
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

/// Every page of the site, and the files beside them, whose pictures are drawn with the style sheet `css`.
///
/// # Errors
/// When a diagram and its scenario do not fit.
pub fn pages(site: &Site, css: &str) -> Result<(Vec<Page>, Vec<Asset>), PageError> {
    let drawn = site.diagrams.iter().map(Drawn::new).collect::<Result<Vec<_>, _>>()?;
    let mut pages = vec![
        page("/", "Mountpath: how a Kubernetes volume gets mounted", &site.home.summary, || {
            chapter_page::home(site, drawn.first())
        }),
        page("/diagrams/", "Diagrams · Mountpath", index_page::SUMMARY, || {
            index_page::diagrams(site, &drawn)
        }),
        page("/glossary/", "Glossary · Mountpath", glossary_page::SUMMARY, || {
            glossary_page::glossary(&site.glossary)
        }),
        page("/404.html", "Page not found · Mountpath", index_page::NOWHERE, index_page::not_found),
    ];
    let (mut variants, mut files) = (Vec::new(), Vec::new());
    for (base, first) in site.diagrams.iter().zip(&drawn) {
        pages.push(told(site, base, base, first));
        files.extend(measured::file(site, base));
        for variant in &base.variants {
            let drawn = Drawn::new(variant)?;
            pages.push(told(site, base, variant, &drawn));
            files.extend(measured::file(site, variant));
            variants.push(drawn);
        }
    }
    for chapter in &site.chapters {
        let path = format!("/chapters/{}/", chapter.slug);
        let title = format!("{} · Mountpath", chapter.title);
        let beside =
            site.diagrams.iter().zip(&drawn).find(|(d, _)| chapter.diagram.as_ref() == Some(&d.slug));
        pages.push(page(&path, &title, &chapter.summary, || chapter_page::chapter(site, chapter, beside)));
    }
    for drawn in drawn.into_iter().chain(variants) {
        files.extend(drawn.stills(css).into_iter().chain(drawn.sequences(css)));
        files.extend(objects_page::files(&drawn.address, &drawn.run));
        files.extend(drawn.scenes.into_iter().chain(drawn.sequence).chain([drawn.objects]));
    }
    Ok((pages, files))
}

/// The page of a diagram in one position of its switch.
fn told(site: &Site, base: &Diagram, diagram: &Diagram, drawn: &Drawn) -> Page {
    let title = match diagram.choice.as_ref().filter(|_| !diagram.value().is_empty()) {
        Some(choice) => format!("{}: {} · Mountpath", diagram.title, choice.label),
        None => format!("{} · Mountpath", diagram.title),
    };
    page(&diagram.address(), &title, &diagram.summary, || diagram_page::diagram(site, base, diagram, drawn))
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
