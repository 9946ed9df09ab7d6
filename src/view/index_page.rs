//! The index of diagrams, and the page for addresses that lead nowhere.

use super::drawn::Drawn;
use crate::course::Site;
use crate::scene::{self, svg};
use leptos::prelude::*;

/// The index in one sentence.
pub const SUMMARY: &str =
    "Every diagram of the Kubernetes volume path: each one a recorded run of one model.";

/// The page for addresses that lead nowhere in one sentence.
pub const NOWHERE: &str = "This address leads to no page of Mountpath.";

/// `/diagrams/`: a card a diagram, with the scene itself as its picture.
pub fn diagrams(site: &Site, drawn: &[Drawn]) -> impl IntoView + use<> {
    let cards: Vec<_> = site
        .diagrams
        .iter()
        .zip(drawn)
        .map(|(d, drawn)| {
            let thumb = svg::thumbnail(&scene::thumb(&drawn.run));
            let href = format!("/diagrams/{}/", d.slug);
            let steps = format!("{} steps", drawn.run.groups.len());
            view! {
                <li class="card">
                    <a href=href>
                        <div class="thumb" aria-hidden="true" inner_html=thumb></div>
                        <h2>{d.title.clone()}</h2>
                    </a>
                    <p>{d.summary.clone()}</p>
                    <p class="small">{d.category.clone()}" · "{steps}</p>
                </li>
            }
        })
        .collect();
    view! {
        <div class="page">
            <h1>"Diagrams"</h1>
            <p class="lede">
                "Each diagram is a recorded run of one model of the volume path: what it draws is what a cluster does."
            </p>
            <ul class="cards">{cards}</ul>
        </div>
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
