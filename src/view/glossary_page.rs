//! The glossary: every term with its meaning, where that is written, and what belongs to it.

use crate::course::{Glossary, Term};
use leptos::prelude::*;

/// The glossary in one sentence.
pub const SUMMARY: &str = "What the words of the volume path mean, each with its source.";

/// `/glossary/`.
pub fn glossary(glossary: &Glossary) -> impl IntoView + use<> {
    let terms: Vec<_> = glossary.terms.iter().map(|t| term(glossary, t)).collect();
    view! {
        <div class="page">
            <h1>"Glossary"</h1>
            <p class="lede">{SUMMARY}</p>
            <dl class="glossary">{terms}</dl>
        </div>
    }
}

fn term(glossary: &Glossary, term: &Term) -> impl IntoView + use<> {
    let also = (!term.aliases.is_empty()).then(|| format!("also {}", term.aliases.join(", ")));
    let see: Vec<_> = term
        .see
        .iter()
        .filter_map(|id| glossary.terms.iter().find(|t| t.id == *id))
        .map(|t| view! { <a href=format!("#{}", t.id)>{t.name.clone()}</a>" " })
        .collect();
    view! {
        <div>
            <dt id=term.id.clone()>{term.name.clone()}" "{also.map(|a| view! { <span class="small">{a}</span> })}</dt>
            <dd>
                <p inner_html=term.meaning.html.clone()></p>
                <p class="small">
                    <a href=term.url.clone() rel="noopener external">{term.place.clone()}</a>
                    {(!see.is_empty()).then(|| view! { <span class="see">" · See "{see}</span> })}
                </p>
            </dd>
        </div>
    }
}
