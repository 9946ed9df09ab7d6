//! Two states of an object's YAML, line by line: what stays, what is new, what is gone, and who did it.

use super::Fate;
use super::yaml::{Line, Section};
use super::yaml_node::Node;
use crate::model::Actor;

/// The name of a section that is a few scalars.
const HEAD: &str = "";

/// The lines of an object in sections: a stretch of scalars, or one field with all that is in it.
/// `by` did what nobody else has done: created the object, or let it go.
pub(super) fn sections(old: Option<&Node>, new: Option<&Node>, by: &Actor) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for name in names(old, new) {
        let (old, new) = (part_of(old, &name), part_of(new, &name));
        let mut lines = Vec::new();
        entry(&mut lines, 0, &format!("{name}:"), old, new, by);
        let scalar = [new, old].into_iter().flatten().any(|node| node.text().is_some());
        let name = if scalar { HEAD } else { name.as_str() };
        match sections.last_mut() {
            Some(last) if scalar && last.name == HEAD => last.lines.append(&mut lines),
            _ => sections.push(Section { name: name.to_owned(), lines }),
        }
    }
    sections
}

/// The fields that one of two maps has, in order.
fn names(old: Option<&Node>, new: Option<&Node>) -> Vec<String> {
    let of = |node: Option<&Node>| match node {
        Some(Node::Map(fields)) => {
            fields.iter().filter(|(_, n)| n.is_there()).map(|(n, _)| n.clone()).collect()
        }
        _ => Vec::new(),
    };
    let mut all: Vec<String> = of(old);
    all.extend(of(new));
    all.sort();
    all.dedup();
    all
}

/// A field (`label` is its name with a colon).
fn entry(
    out: &mut Vec<Line>,
    indent: usize,
    label: &str,
    old: Option<&Node>,
    new: Option<&Node>,
    by: &Actor,
) {
    let there = |node: Option<&Node>| node.is_some_and(Node::is_there);
    match (old.filter(|n| n.is_there()), new.filter(|n| n.is_there())) {
        (None, None) => {}
        (Some(Node::Leaf { text: was, .. }), Some(Node::Leaf { text, by })) => {
            let was = (was != text).then(|| was.clone());
            let fate = if was.is_some() { Fate::New } else { Fate::Stays };
            push(out, indent, format!("{label} {text}"), fate, was, by);
        }
        (old, Some(Node::Leaf { text, by: writer })) => {
            entry(out, indent, label, old, None, writer);
            push(out, indent, format!("{label} {text}"), Fate::New, None, writer);
        }
        (Some(Node::Leaf { text, .. }), _) => {
            let by = remover(new).unwrap_or(by);
            push(out, indent, format!("{label} {text}"), Fate::Gone, None, by);
            entry(out, indent, label, None, new, by);
        }
        (from, to) => {
            let by = remover(new).unwrap_or(by);
            let (fate, who) = match (there(old), there(new)) {
                (true, true) => (Fate::Stays, to.and_then(Node::writer)),
                (false, _) => (Fate::New, to.and_then(Node::writer)),
                (true, false) => (Fate::Gone, None),
            };
            push(out, indent, label.to_owned(), fate, None, who.unwrap_or(by));
            match to.or(from) {
                Some(Node::List(_)) => items(out, indent, from, new, by),
                _ => {
                    for name in names(from, to) {
                        let part = |node: Option<&Node>| part_of(node, &name).cloned();
                        let (from, to) = (part(from), part(new));
                        entry(out, indent + 2, &format!("{name}:"), from.as_ref(), to.as_ref(), by);
                    }
                }
            }
        }
    }
}

/// Who took a value away; of a map or a list that is empty now, what was in it.
fn remover(node: Option<&Node>) -> Option<&Actor> {
    match node? {
        Node::Gone { by } => Some(by),
        Node::Map(fields) => fields.values().find_map(|field| remover(Some(field))),
        Node::List(items) => items.iter().find_map(|(_, item)| remover(Some(item))),
        Node::Leaf { .. } => None,
    }
}

/// The field of a map, also one that is gone.
fn part_of<'n>(node: Option<&'n Node>, name: &str) -> Option<&'n Node> {
    match node {
        Some(Node::Map(fields)) => fields.get(name),
        _ => None,
    }
}

/// The items of a list: those of now in their order, before each the ones that stood before it and are gone.
fn items(out: &mut Vec<Line>, indent: usize, old: Option<&Node>, new: Option<&Node>, by: &Actor) {
    let list = |node: Option<&Node>| match node {
        Some(Node::List(items)) => items.clone(),
        _ => Vec::new(),
    };
    let (old, now) = (list(old), list(new));
    let find = |all: &[(String, Node)], id: &str| all.iter().find(|(i, _)| i == id).map(|(_, n)| n.clone());
    let is_there = |id: &str| find(&now, id).is_some_and(|n| n.is_there());
    let mut left = old.iter().filter(|(_, n)| n.is_there()).peekable();
    for (id, node) in now.iter().filter(|(_, n)| n.is_there()) {
        let before = find(&old, id).filter(Node::is_there);
        if before.is_some() {
            while let Some((gone, node)) = left.next_if(|(other, _)| other != id) {
                if !is_there(gone) {
                    let by = find(&now, gone);
                    item(out, indent, Some(node), by.as_ref(), by.as_ref().and_then(|n| remover(Some(n))));
                }
            }
            left.next();
        }
        item(out, indent, before.as_ref(), Some(node), None);
    }
    for (gone, node) in left.filter(|(id, _)| !is_there(id)) {
        let now = find(&now, gone);
        item(out, indent, Some(node), None, now.as_ref().and_then(|n| remover(Some(n))).or(Some(by)));
    }
}

/// One item: a scalar after its dash, or a map whose first line has the dash.
fn item(out: &mut Vec<Line>, indent: usize, old: Option<&Node>, new: Option<&Node>, by: Option<&Actor>) {
    let Some(by) = by.or_else(|| new.and_then(Node::writer)).or_else(|| old.and_then(Node::writer)) else {
        return;
    };
    let there = new.filter(|n| n.is_there());
    if matches!(there.or(old), Some(Node::Leaf { .. })) {
        return entry(out, indent, "-", old, there, by);
    }
    let mut lines = Vec::new();
    for name in names(old, there) {
        let label = format!("{name}:");
        entry(&mut lines, indent + 2, &label, part_of(old, &name), part_of(new, &name), by);
    }
    // The dash belongs to the first line that stays, so that what is copied is whole.
    let first = lines.iter().position(|line| line.fate != Fate::Gone).unwrap_or(0);
    if let Some(line) = lines.get_mut(first) {
        let rest = line.text.get(indent + 2..).unwrap_or_default();
        line.text = format!("{}- {rest}", " ".repeat(indent));
    }
    out.append(&mut lines);
}

fn push(out: &mut Vec<Line>, indent: usize, text: String, fate: Fate, was: Option<String>, by: &Actor) {
    out.push(Line { text: format!("{}{text}", " ".repeat(indent)), fate, was, by: by.clone() });
}
