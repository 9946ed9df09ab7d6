//! The list of pages and of the files beside them: everything the prerenderer writes.

use super::drawn::{Drawn, PageError};
use super::shell::{Shell, ShellProps};
use super::{chapter_page, diagram_page, index_page, objects_page};
use crate::course::Site;
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
        page("/404.html", "Page not found · Mountpath", index_page::NOWHERE, index_page::not_found),
    ];
    for (diagram, drawn) in site.diagrams.iter().zip(&drawn) {
        let path = format!("/diagrams/{}/", diagram.slug);
        let title = format!("{} · Mountpath", diagram.title);
        pages.push(page(&path, &title, &diagram.summary, || diagram_page::diagram(site, diagram, drawn)));
    }
    for chapter in &site.chapters {
        let path = format!("/chapters/{}/", chapter.slug);
        let title = format!("{} · Mountpath", chapter.title);
        let beside =
            site.diagrams.iter().zip(&drawn).find(|(d, _)| chapter.diagram.as_ref() == Some(&d.slug));
        pages.push(page(&path, &title, &chapter.summary, || chapter_page::chapter(chapter, beside)));
    }
    let mut files: Vec<Asset> =
        drawn.iter().flat_map(|d| d.stills(css).into_iter().chain(d.scenes.clone())).collect();
    for drawn in &drawn {
        files.push(drawn.objects.clone());
        files.extend(objects_page::files(&drawn.figure.slug, &drawn.run));
    }
    Ok((pages, files))
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
