//! Pages of prose: the home page, and chapters with a live stage beside the text.

use super::diagram_page::{figure, source, transcript};
use super::drawn::Drawn;
use crate::course::{Chapter, Diagram, Site, Terms};
use crate::scene::Layout;
use leptos::prelude::*;

/// `/`, with a picture of the first diagram at the moment that says most.
pub fn home(site: &Site, first: Option<&Drawn>) -> impl IntoView + use<> {
    let picture = first.map(|drawn| {
        let step = drawn.run.groups.len().div_ceil(2) + 1;
        let slug = &drawn.figure.slug;
        view! {
            <a class="hero" href=format!("/diagrams/{slug}/?step={step}")>
                <div class="only-wide" inner_html=drawn.picture(step, Layout::Wide)></div>
                <div class="only-narrow" inner_html=drawn.picture(step, Layout::Narrow)></div>
            </a>
        }
    });
    view! {
        <div class="page home">
            <h1>{site.home.title.clone()}</h1>
            <p class="lede">{site.home.summary.clone()}</p>
            {picture}
            <div class="prose" inner_html=site.home.html.clone()></div>
        </div>
    }
}

/// `/chapters/SLUG/`.
pub fn chapter(site: &Site, chapter: &Chapter, stage: Option<(&Diagram, &Drawn)>) -> impl IntoView + use<> {
    let aside = stage.map(|(diagram, drawn)| {
        let href = format!("/diagrams/{}/", diagram.slug);
        view! {
            <aside class="beside" aria-label=format!("The stage: {}", diagram.title)>
                {figure(drawn)}
                <details class="beside-steps">
                    <summary>"All steps in words"</summary>
                    {transcript(diagram, None)}
                </details>
                <p class="small">
                    <a href=href>{format!("Open {} on its own page", diagram.title)}</a>
                </p>
            </aside>
        }
    });
    let contents: Vec<_> = chapter
        .headings
        .iter()
        .map(|(id, title)| view! { <li><a href=format!("#{id}")>{title.clone()}</a></li> })
        .collect();
    let sources: Vec<_> = chapter.sources.iter().map(|s| source(None, s)).collect();
    let mut terms = Terms::new(&site.glossary);
    let prose = terms.link(&chapter.html);
    view! {
        <div class="page chapter">
            <p class="crumbs">
                <a href="/">"← Home"</a>
                <span class="tag">{format!("{} min to read", chapter.minutes)}</span>
                <span class="tag">"Kubernetes 1.36"</span>
            </p>
            <h1>{chapter.title.clone()}</h1>
            <p class="lede">{chapter.summary.clone()}</p>
            {before(chapter)}
            <div class="alongside">
                {aside}
                <div class="text">
                    <nav class="contents" aria-label="On this page">
                        <ul>{contents}</ul>
                    </nav>
                    <div class="prose" inner_html=prose></div>
                    {after(chapter, &mut terms)}
                    <section aria-labelledby="sources">
                        <h2 id="sources">"Sources"</h2>
                        <ul class="sources">{sources}</ul>
                    </section>
                    {neighbours(site, chapter)}
                </div>
            </div>
        </div>
    }
}

/// What to have read before.
fn before(chapter: &Chapter) -> Option<impl IntoView + use<>> {
    let links: Vec<_> = chapter
        .prerequisites
        .iter()
        .map(|p| {
            let rel = p.href.starts_with("https://").then_some("noopener external");
            view! { <li><a href=p.href.clone() rel=rel>{p.title.clone()}</a></li> }
        })
        .collect();
    (!links.is_empty()).then(|| {
        view! {
            <div class="before">
                <span id="before">"Read first"</span>
                <ul aria-labelledby="before">{links}</ul>
            </div>
        }
    })
}

/// What a reader can say at the end, and where it can be tried and tested.
fn after(chapter: &Chapter, terms: &mut Terms<'_>) -> impl IntoView + use<> {
    let links: Vec<_> = [
        (&chapter.lab, "Lab: see it on a cluster of your own"),
        (&chapter.quiz, "Quiz: find out what you know"),
    ]
    .into_iter()
    .filter_map(|(href, words)| href.as_ref().map(|href| view! { <li><a href=href.clone()>{words}</a></li> }))
    .collect();
    let links = (!links.is_empty()).then(|| view! { <ul>{links}</ul> });
    view! {
        <section class="checkpoint" aria-labelledby="checkpoint">
            <h2 id="checkpoint">"Checkpoint"</h2>
            <p inner_html=terms.link(&chapter.checkpoint.html)></p>
            {links}
        </section>
    }
}

/// The chapters before and after this one.
fn neighbours(site: &Site, chapter: &Chapter) -> impl IntoView + use<> {
    let at = site.chapters.iter().position(|c| c.slug == chapter.slug).unwrap_or_default();
    let link = |other: Option<&Chapter>, rel: &'static str, word: &'static str| {
        other.map(|c| {
            let href = format!("/chapters/{}/", c.slug);
            view! { <a href=href rel=rel><span>{word}</span>{c.title.clone()}</a> }
        })
    };
    let previous = at.checked_sub(1).and_then(|at| site.chapters.get(at));
    view! {
        <nav class="neighbours" aria-label="Chapters">
            {link(previous, "prev", "Previous chapter")}
            {link(site.chapters.get(at + 1), "next", "Next chapter")}
        </nav>
    }
}
