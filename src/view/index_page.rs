//! The index of diagrams, and the page for addresses that lead nowhere.

use super::drawn::Drawn;
use crate::course::{Diagram, Site};
use crate::model::{Kind, Role};
use crate::scene::{self, svg};
use crate::trace::Facets;
use leptos::prelude::*;
use std::collections::BTreeSet;

/// The index in one sentence.
pub const SUMMARY: &str =
    "Every diagram of the Kubernetes volume path: each one a recorded run of one model.";

/// The page for addresses that lead nowhere in one sentence.
pub const NOWHERE: &str = "This address leads to no page of Mountpath.";

/// `/diagrams/`: a card a diagram, with the scene itself as its picture, in groups, and what to filter them by.
pub fn diagrams(site: &Site, drawn: &[Drawn]) -> impl IntoView + use<> {
    let mut groups: Vec<(&str, Vec<AnyView>)> = Vec::new();
    let (mut roles, mut kinds) = (BTreeSet::new(), BTreeSet::new());
    for (diagram, drawn) in site.diagrams.iter().zip(drawn) {
        let facets = drawn.run.trace.facets();
        let card = card(diagram, drawn, &facets).into_any();
        match groups.iter_mut().find(|(name, _)| *name == diagram.group) {
            Some((_, cards)) => cards.push(card),
            None => groups.push((&diagram.group, vec![card])),
        }
        roles.extend(facets.roles);
        kinds.extend(facets.kinds);
    }
    let groups: Vec<_> = groups
        .into_iter()
        .map(|(name, cards)| {
            view! {
                <section class="group" data-group="">
                    <h2>{name.to_owned()}</h2>
                    <ul class="cards">{cards}</ul>
                </section>
            }
        })
        .collect();
    let roles = roles.into_iter().map(Role::title).collect();
    let kinds = kinds.into_iter().map(Kind::name).collect();
    view! {
        <div class="page">
            <h1>"Diagrams"</h1>
            <p class="lede">
                "Each diagram is a recorded run of one model of the volume path: what it draws is what a cluster does."
            </p>
            <div class="filter" role="group" aria-label="Filter the diagrams" data-gallery="">
                {choice("actor", "Who acts", "anybody", roles)} {choice("object", "What is written", "anything", kinds)}
                <label>
                    <input type="checkbox" name="fails" />
                    "Something fails"
                </label>
                <p class="small" role="status" data-found=""></p>
            </div>
            {groups}
        </div>
    }
}

fn card(diagram: &Diagram, drawn: &Drawn, facets: &Facets) -> impl IntoView + use<> {
    let thumb = svg::thumbnail(&scene::thumb(&drawn.run));
    let listed = |names: Vec<&str>| names.join("|");
    let actors = listed(facets.roles.iter().map(|r| r.title()).collect());
    let objects = listed(facets.kinds.iter().map(|k| k.name()).collect());
    view! {
        <li class="card" data-actor=actors data-object=objects data-fails=facets.fails.then_some("")>
            <a href=format!("/diagrams/{}/", diagram.slug)>
                <div class="thumb" aria-hidden="true" inner_html=thumb></div>
                <h3>{diagram.title.clone()}</h3>
            </a>
            <p>{diagram.summary.clone()}</p>
            <p class="small">{format!("{} steps", drawn.run.groups.len())}</p>
        </li>
    }
}

/// A list to choose one of; without a choice every diagram is shown.
fn choice(
    name: &'static str,
    label: &'static str,
    any: &'static str,
    of: Vec<&'static str>,
) -> impl IntoView {
    view! {
        <label>
            <span>{label}</span>
            <select name=name>
                <option value="">{any}</option>
                {of.into_iter().map(|o| view! { <option>{o}</option> }).collect_view()}
            </select>
        </label>
    }
}

/// `/404.html`.
pub fn not_found() -> impl IntoView {
    view! {
        <div class="page">
            <h1>"Nothing is mounted here"</h1>
            <p class="lede">{NOWHERE}</p>
            <p>
                <a href="/">"Go to the start"</a>
                " or "
                <a href="/diagrams/">"see all diagrams"</a>
                "."
            </p>
        </div>
    }
}
