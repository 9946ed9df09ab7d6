//! The page of a diagram: answer, stage, transcript, changes, commands and sources.

use super::drawn::Drawn;
use super::measured;
use super::pages::html;
use super::player::{Player, PlayerProps, Shown};
use crate::course::{Command, Diagram, DiagramStep, Site, Source, Terms};
use crate::model::Actor;
use crate::scene;
use crate::trace::{Change, Fate};
use leptos::prelude::*;
use std::rc::Rc;

/// `/diagrams/SLUG/`, or `/diagrams/SLUG/VALUE/` of a variant; `base` is the diagram that has all of them.
pub fn diagram(site: &Site, base: &Diagram, diagram: &Diagram, drawn: &Drawn) -> impl IntoView + use<> {
    let mut terms = Terms::new(&site.glossary);
    let lede = terms.link(&diagram.lede.html);
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
            <p class="lede" inner_html=lede></p>
            {switch(base, diagram)}
            <div class="bench">
                {figure(drawn)}
                <section class="transcript" aria-labelledby="all-steps">
                    <h2 id="all-steps">"All steps"</h2>
                    {transcript(diagram, Some(&mut terms))}
                    {whole(drawn)}
                </section>
                <div class="panels">
                    <section class="panel cast-panel" aria-labelledby="cast">
                        <h2 id="cast">"Cast"</h2>
                        {cast(drawn)}
                    </section>
                    <section class="panel" aria-labelledby="changes">
                        <h2 id="changes">"What changed in this step"</h2>
                        {(1..=diagram.steps.len()).map(|n| panel(n, (why(drawn, n), changes(drawn, n)))).collect_view()}
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
            {measured::of(site, diagram)
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

/// The switch above the stage: links to the diagram's tellings, so that it works without a script and the address
/// says where it stands.
fn switch(base: &Diagram, shown: &Diagram) -> impl IntoView + use<> {
    shown.choice.as_ref().map(|choice| {
        let positions: Vec<_> = base
            .tellings()
            .filter_map(|told| {
                Some((told.address(), told.choice.as_ref()?.label.clone(), told.value() == shown.value()))
            })
            .map(|(href, label, here)| view! { <a href=href aria-current=here.then_some("page")>{label}</a> })
            .collect();
        view! {
            <nav class="switch" aria-label=choice.switch.clone()>
                <span aria-hidden="true">{choice.switch.clone()}</span>
                {positions}
            </nav>
        }
    })
}

/// The place where the player lives, with the figure already in it.
pub fn figure(drawn: &Drawn) -> impl IntoView + use<> {
    let props = drawn.figure.clone();
    let inner = html(move || Player(PlayerProps { props, shown: Shown::new(), ask: Rc::new(|_| ()) }));
    let [wide, narrow] = drawn.scenes.clone().map(|s| s.path);
    let [sequence_wide, sequence_narrow] = drawn.sequence.clone().map(|s| s.path);
    view! {
        <div
            class="live"
            data-live="player"
            data-slug=drawn.figure.slug.clone()
            data-title=drawn.figure.title.clone()
            data-scenes-wide=wide
            data-scenes-narrow=narrow
            data-sequence-wide=sequence_wide
            data-sequence-narrow=sequence_narrow
            inner_html=inner
        ></div>
    }
}

/// Who and what is in the run: each is a button that lifts what it does.
fn cast(drawn: &Drawn) -> impl IntoView + use<> {
    let all: Vec<_> = scene::deeds(&drawn.run)
        .into_iter()
        .map(|d| {
            let badge = d.badge.map(|(letters, hue)| {
                view! { <i class=format!("badge {hue}") aria-hidden="true">{letters}</i> }
            });
            let whole = (d.short != d.title).then_some(d.title);
            view! {
                <button type="button" data-control=format!("cast-{}", d.key) data-cast=d.key aria-pressed="false" title=whole.clone() aria-label=whole>
                    {badge}
                    {d.short}
                </button>
            }
        })
        .collect();
    view! { <div class="cast" role="group" aria-label="Cast">{all}</div> }
}

/// The whole run as a sequence.
fn whole(drawn: &Drawn) -> impl IntoView + use<> {
    let src = format!("{}sequence.svg", drawn.address);
    view! {
        <details class="why whole">
            <summary>"All steps as a sequence"</summary>
            <img src=src alt=format!("{}, message by message", drawn.figure.title) loading="lazy" width="800" />
        </details>
    }
}

/// All steps as a list: the table of contents, the alternative text and the page without a script.
/// `terms` adds details, with their terms linked, and stills.
pub fn transcript(diagram: &Diagram, mut terms: Option<&mut Terms<'_>>) -> impl IntoView + use<> {
    let items: Vec<_> = diagram
        .steps
        .iter()
        .zip(1..)
        .map(|(step, n)| {
            view! {
                <li data-step-text=n.to_string() id=format!("step-{n}") aria-current=(n == 1).then_some("step")>
                    <h3>{step.title.clone()}</h3>
                    <p data-text="" inner_html=step.caption.html.clone()></p>
                    {terms.as_mut().map(|terms| details(diagram, step, n, terms))}
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

fn details(diagram: &Diagram, step: &DiagramStep, n: usize, terms: &mut Terms<'_>) -> impl IntoView + use<> {
    let src = format!("{}step-{n}.svg", diagram.address());
    let detail = terms.link(&step.detail.html);
    view! {
        {(!detail.is_empty())
            .then(|| {
                view! {
                    <details class="why">
                        <summary>"More about this step"</summary>
                        <p inner_html=detail></p>
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

/// Why a step happens now.
fn why(drawn: &Drawn, n: usize) -> impl IntoView + use<> {
    let told: Vec<_> = drawn.why.get(n.wrapping_sub(1)).into_iter().flatten().cloned().collect();
    (!told.is_empty()).then(|| {
        let fact =
            |(actor, fact): (Actor, String)| view! { <li>{format!("{}: {fact}", actor.role.title())}</li> };
        let facts: Vec<_> = told.into_iter().map(fact).collect();
        view! {
            <p>"Why now:"</p>
            <ul class="now">{facts}</ul>
        }
    })
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
