//! The page of a diagram: answer, stage, transcript, changes, commands and sources.

use super::drawn::Drawn;
use super::pages::html;
use super::player::{Player, PlayerProps, Shown};
use super::{measured, objects_page};
use crate::course::{Command, Diagram, DiagramStep, Site, Source};
use crate::trace::{Change, Fate};
use leptos::prelude::*;
use std::rc::Rc;

/// `/diagrams/SLUG/`.
pub fn diagram(site: &Site, diagram: &Diagram, drawn: &Drawn) -> impl IntoView + use<> {
    let more: Vec<_> = site
        .chapters
        .iter()
        .filter(|c| diagram.chapters.contains(&c.slug))
        .map(|c| view! { <li><a href=format!("/chapters/{}/", c.slug)>{c.title.clone()}</a>": "{c.summary.clone()}</li> })
        .collect();
    view! {
        <div class="page diagram">
            <p class="crumbs">
                <a href="/diagrams/">"← All diagrams"</a>
                <span class="tag">{diagram.category.clone()}</span>
                <span class="tag">"Kubernetes 1.36"</span>
            </p>
            <h1>{diagram.title.clone()}</h1>
            <p class="lede" inner_html=diagram.lede.html.clone()></p>
            <div class="bench">
                {figure(drawn)}
                <section class="transcript" aria-labelledby="all-steps">
                    <h2 id="all-steps">"All steps"</h2>
                    {transcript(diagram, true)}
                </section>
                <div class="panels">
                    <section class="panel" aria-labelledby="changes">
                        <h2 id="changes">"What changed in this step"</h2>
                        {(1..=diagram.steps.len()).map(|n| panel(n, changes(drawn, n))).collect_view()}
                    </section>
                    <section class="panel" aria-labelledby="objects">
                        <h2 id="objects">"Objects"</h2>
                        {objects_page::view(drawn)}
                    </section>
                    <section class="panel" aria-labelledby="commands">
                        <h2 id="commands">"Commands for this"</h2>
                        {diagram.steps.iter().zip(1..).map(|(s, n)| panel(n, commands(&s.commands))).collect_view()}
                    </section>
                    <section class="panel" aria-labelledby="sources">
                        <h2 id="sources">"Sources"</h2>
                        {sources(diagram)}
                    </section>
                </div>
            </div>
            {site
                .measured
                .iter()
                .find(|m| m.slug == diagram.slug)
                .map(|m| {
                    view! {
                        <section class="more" aria-labelledby="measured">
                            <h2 id="measured">"Seen on a real cluster"</h2>
                            {measured::view(drawn, diagram, m, &site.conditions)}
                        </section>
                    }
                })}
            {(!more.is_empty())
                .then(|| {
                    view! {
                        <section class="more" aria-labelledby="more">
                            <h2 id="more">"Read more"</h2>
                            <ul>{more}</ul>
                        </section>
                    }
                })}
        </div>
    }
}

/// The place where the player lives, with the figure already in it.
pub fn figure(drawn: &Drawn) -> impl IntoView + use<> {
    let props = drawn.figure.clone();
    let inner = html(move || Player(PlayerProps { props, shown: Shown::new(), ask: Rc::new(|_| ()) }));
    let [wide, narrow] = drawn.scenes.clone().map(|s| s.path);
    view! {
        <div
            class="live"
            data-live="player"
            data-slug=drawn.figure.slug.clone()
            data-title=drawn.figure.title.clone()
            data-scenes-wide=wide
            data-scenes-narrow=narrow
            inner_html=inner
        ></div>
    }
}

/// All steps as a list: the table of contents, the alternative text and the page without a script.
/// `full` adds details and stills.
pub fn transcript(diagram: &Diagram, full: bool) -> impl IntoView + use<> {
    let items: Vec<_> = diagram
        .steps
        .iter()
        .zip(1..)
        .map(|(step, n)| {
            view! {
                <li data-step-text=n.to_string() id=format!("step-{n}") aria-current=(n == 1).then_some("step")>
                    <h3>{step.title.clone()}</h3>
                    <p data-text="" inner_html=step.caption.html.clone()></p>
                    {full.then(|| details(diagram, step, n))}
                    <p class="step-links">
                        <button type="button" data-control="play-from" data-step=n.to_string()>
                            {format!("Play from step {n}")}
                        </button>
                        <a href=format!("?step={n}#step-{n}") data-step-link=n.to_string()>
                            {format!("Link to step {n}")}
                        </a>
                    </p>
                </li>
            }
        })
        .collect();
    view! { <ol class="steps">{items}</ol> }
}

fn details(diagram: &Diagram, step: &DiagramStep, n: usize) -> impl IntoView + use<> {
    let src = format!("/diagrams/{}/step-{n}.svg", diagram.slug);
    view! {
        {(!step.detail.html.is_empty())
            .then(|| {
                view! {
                    <details class="why">
                        <summary>"More about this step"</summary>
                        <p inner_html=step.detail.html.clone()></p>
                    </details>
                }
            })}
        <details class="still">
            <summary>{format!("Picture of step {n}")}</summary>
            <img src=src alt=step.caption.text.clone() loading="lazy" width="800" height="600" />
        </details>
    }
}

/// A part of the page that belongs to one step: only the shown step's is visible once the page is alive.
fn panel(n: usize, content: impl IntoView) -> impl IntoView {
    view! {
        <div data-panel=n.to_string() data-current=(n == 1).then_some("")>
            <h3>{format!("Step {n}")}</h3>
            {content}
        </div>
    }
}

fn changes(drawn: &Drawn, n: usize) -> impl IntoView + use<> {
    let rows: Vec<_> = drawn.run.changes(n).into_iter().map(row).collect();
    if rows.is_empty() {
        return view! { <p>"Nothing is written in this step."</p> }.into_any();
    }
    view! {
        <div class="scroll" tabindex="0" role="region" aria-label=format!("Changes of step {n}")>
            <table>
                <thead>
                    <tr>
                        <th scope="col">"Object and field"</th>
                        <th scope="col">"Old → new"</th>
                        <th scope="col">"By"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn row(change: Change) -> impl IntoView {
    let values: Vec<_> = change
        .values()
        .into_iter()
        .map(|(fate, value)| match fate {
            Fate::Gone => view! { <li><del>{value}</del></li> }.into_any(),
            Fate::Stays => view! { <li>{value}</li> }.into_any(),
            Fate::New => view! { <li>"→ "<ins>{value}</ins></li> }.into_any(),
        })
        .collect();
    view! {
        <tr>
            <td>
                <span class="object">{change.what}</span>
                <code>{change.field}</code>
            </td>
            <td><ul class="values">{values}</ul></td>
            <td>{change.by.role.title()}</td>
        </tr>
    }
}

fn commands(commands: &[Command]) -> impl IntoView + use<> {
    let items: Vec<_> = commands
        .iter()
        .map(|c| {
            view! {
                <li>
                    <p inner_html=c.shows.html.clone()></p>
                    <div class="command">
                        <pre tabindex="0"><code>{c.run.clone()}</code></pre>
                        <button type="button" data-control="copy" aria-label=format!("Copy: {}", c.run)>"Copy"</button>
                    </div>
                </li>
            }
        })
        .collect();
    view! { <ul class="commands">{items}</ul> }
}

fn sources(diagram: &Diagram) -> impl IntoView + use<> {
    let of_steps =
        diagram.steps.iter().zip(1..).flat_map(|(s, n)| s.sources.iter().map(move |c| (Some(n), c)));
    let items: Vec<_> =
        of_steps.chain(diagram.sources.iter().map(|s| (None, s))).map(|(n, s)| source(n, s)).collect();
    view! { <ul class="sources">{items}</ul> }
}

/// One source, with the number of the step it stands behind.
pub fn source(step: Option<usize>, source: &Source) -> impl IntoView + use<> {
    let place = source.place.clone();
    let place = match source.url.clone() {
        Some(url) => view! { <a href=url rel="noopener external">{place}</a> }.into_any(),
        None => view! { <span class="place">{place}</span> }.into_any(),
    };
    view! {
        <li>
            {step.map(|n| format!("Step {n}: "))}
            <span inner_html=source.claim.html.clone()></span>
            " "
            {place}
        </li>
    }
}
