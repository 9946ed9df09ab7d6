//! The Objects view on a page: its first step, and the files of all of them.

use super::objects::markup;
use super::pages::Asset;
use crate::model::Actor;
use crate::scene::{badge, family_class};
use crate::trace::{Fate, ObjectYaml, Run, Sheet, objects};

/// An actor as the view names it: name, badge and the class of its hue.
pub fn writer(actor: &Actor) -> [String; 3] {
    let title = actor.role.title();
    let name = actor.node.as_ref().map_or_else(|| title.to_owned(), |node| format!("{title} on {node}"));
    [name, badge(actor.role).to_owned(), family_class(actor.role.family()).to_owned()]
}

/// The objects of the first step as markup, in a place that knows where those of the others are. It is whole only
/// where something changed; the browser makes it so everywhere.
pub fn first(sheet: &Sheet, data: &str, address: &str, steps: usize) -> String {
    let files: String =
        (1..=steps).map(|n| format!("<a href=\"{}\" download>step {n}</a> ", file(address, n))).collect();
    format!(
        "<div data-objects=\"{data}\" data-shown=\"1\" data-brief>{}</div><p class=\"small files\">As YAML files: {files}</p>",
        markup(sheet, 1, Some(&file(address, 1)))
    )
}

/// The objects of every step as the browser takes them: a JSON array of markup.
pub fn all(sheet: &Sheet) -> String {
    (1..=sheet.steps.len())
        .map(|step| serde_json::Value::from(markup(sheet, step, None)))
        .collect::<serde_json::Value>()
        .to_string()
}

fn file(address: &str, step: usize) -> String {
    format!("{address}objects-{step}.yaml")
}

/// Every step's objects as a file that kubectl can read: what changed has its writer in a comment.
pub fn files(address: &str, run: &Run) -> Vec<Asset> {
    let asset =
        |step| Asset { path: file(address, step), bytes: documents(&objects(run, step)).into_bytes() };
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
