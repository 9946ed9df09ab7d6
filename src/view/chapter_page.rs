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
    view! {
        <div class="page chapter">
            <p class="crumbs">
                <a href="/">"← Home"</a>
                <span class="tag">{format!("{} min", chapter.minutes)}</span>
                <span class="tag">"Kubernetes 1.36"</span>
            </p>
            <h1>{chapter.title.clone()}</h1>
            <p class="lede">{chapter.summary.clone()}</p>
            <div class="alongside">
                {aside}
                <div class="text">
                    <nav class="contents" aria-label="On this page">
                        <ul>{contents}</ul>
                    </nav>
                    <div class="prose" inner_html=Terms::new(&site.glossary).link(&chapter.html)></div>
                    <section aria-labelledby="sources">
                        <h2 id="sources">"Sources"</h2>
                        <ul class="sources">{sources}</ul>
                    </section>
                </div>
            </div>
        </div>
    }
}
