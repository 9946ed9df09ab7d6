//! The Objects view on a page: its first step, and the files of all of them.

use super::drawn::Drawn;
use super::objects::markup;
use super::pages::Asset;
use crate::model::Actor;
use crate::scene::{badge, family_class};
use crate::trace::{Fate, ObjectYaml, Run, objects};
use leptos::prelude::*;

/// An actor as the view names it: name, badge and the class of its hue.
pub fn writer(actor: &Actor) -> [String; 3] {
    let title = actor.role.title();
    let name = actor.node.as_ref().map_or_else(|| title.to_owned(), |node| format!("{title} on {node}"));
    [name, badge(actor.role).to_owned(), family_class(actor.role.family()).to_owned()]
}

/// The objects of the first step, in a place that knows where those of the others are.
pub fn view(drawn: &Drawn) -> impl IntoView + use<> {
    let slug = drawn.figure.slug.clone();
    let files: Vec<_> = (1..=drawn.run.groups.len())
        .map(|n| view! { <li><a href=file(&slug, n) download="">{format!("Step {n}")}</a></li> })
        .collect();
    let first = markup(&drawn.sheet, 1, Some(&file(&slug, 1)));
    view! {
        <div data-objects=drawn.objects.path.clone() data-shown="1" data-brief="" inner_html=first></div>
        <p class="files-head">"Every step as a YAML file:"</p>
        <ul class="files">{files}</ul>
    }
}

fn file(slug: &str, step: usize) -> String {
    format!("/diagrams/{slug}/objects-{step}.yaml")
}

/// Every step's objects as a file that kubectl can read: what changed has its writer in a comment.
pub fn files(slug: &str, run: &Run) -> Vec<Asset> {
    let asset = |step| Asset { path: file(slug, step), bytes: documents(&objects(run, step)).into_bytes() };
    (1..=run.groups.len()).map(asset).collect()
}

fn documents(all: &[ObjectYaml]) -> String {
    let there = all.iter().filter(|object| object.fate != Fate::Gone);
    let texts: Vec<String> = there.map(commented).collect();
    texts.join("---\n")
}

fn commented(object: &ObjectYaml) -> String {
    let mut out = String::new();
    for line in object.sections.iter().flat_map(|s| &s.lines).filter(|line| line.fate != Fate::Gone) {
        out.push_str(&line.text);
        // A changed value's writer; of a new object the first line says it for all.
        if line.fate == Fate::New && object.fate != Fate::New {
            let [name, _, _] = writer(&line.by);
            out.push_str(&format!(" # {name}"));
        }
        out.push('\n');
    }
    out
}
