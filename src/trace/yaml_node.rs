//! YAML as a tree whose every scalar knows who wrote it, and the rules by which kubectl quotes scalars.

use crate::model::Actor;
use std::collections::BTreeMap;

/// A value of an API object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Node {
    /// A scalar as YAML spells it, an empty map or an empty list.
    Leaf {
        /// Its text.
        text: String,
        /// Who wrote it.
        by: Actor,
    },
    /// Fields in kubectl's order, which is that of their names.
    Map(BTreeMap<String, Node>),
    /// Items, each with what tells it from the others.
    List(Vec<(String, Node)>),
    /// It was there, and somebody took it away.
    Gone {
        /// Who.
        by: Actor,
    },
}

/// What identifies an item of a list among the others, the most telling first.
const IDENTITIES: [&str; 4] = ["type", "name", "key", "ip"];

impl Node {
    /// Whether anything of it is there.
    pub fn is_there(&self) -> bool {
        match self {
            Node::Leaf { .. } => true,
            Node::Map(fields) => fields.values().any(Node::is_there),
            Node::List(items) => items.iter().any(|(_, item)| item.is_there()),
            Node::Gone { .. } => false,
        }
    }

    /// The field of this name, where it is there.
    pub fn field(&self, name: &str) -> Option<&Node> {
        match self {
            Node::Map(fields) => fields.get(name).filter(|node| node.is_there()),
            Node::Leaf { .. } | Node::List(_) | Node::Gone { .. } => None,
        }
    }

    /// The scalar's text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Node::Leaf { text, .. } => Some(text),
            Node::Map(_) | Node::List(_) | Node::Gone { .. } => None,
        }
    }

    /// Who wrote it: of a map or a list, its first part.
    pub fn writer(&self) -> Option<&Actor> {
        match self {
            Node::Leaf { by, .. } => Some(by),
            Node::Map(fields) => fields.values().filter(|node| node.is_there()).find_map(Node::writer),
            Node::List(items) => {
                items.iter().filter(|(_, item)| item.is_there()).find_map(|(_, item)| item.writer())
            }
            Node::Gone { .. } => None,
        }
    }

    /// The same, written by somebody else.
    pub fn written_by(&self, by: &Actor) -> Node {
        match self {
            Node::Leaf { text, .. } => Node::Leaf { text: text.clone(), by: by.clone() },
            Node::Map(fields) => {
                Node::Map(fields.iter().map(|(name, node)| (name.clone(), node.written_by(by))).collect())
            }
            Node::List(items) => {
                Node::List(items.iter().map(|(id, item)| (id.clone(), item.written_by(by))).collect())
            }
            Node::Gone { .. } => Node::Gone { by: by.clone() },
        }
    }

    /// Gives the value at a path another value, or (`None`) takes it away.
    pub fn set(&mut self, path: &[&str], to: Option<Node>, by: &Actor) {
        let Some((first, rest)) = path.split_first() else { return self.turn_into(to, by) };
        if !matches!(self, Node::Map(_)) {
            *self = Node::Map(BTreeMap::new());
        }
        if let Node::Map(fields) = self {
            let gone = || Node::Gone { by: by.clone() };
            fields.entry((*first).to_owned()).or_insert_with(gone).set(rest, to, by);
        }
    }

    /// What stays as it was keeps its writer.
    fn turn_into(&mut self, to: Option<Node>, by: &Actor) {
        let gone = || Node::Gone { by: by.clone() };
        let Some(to) = to else {
            *self = gone();
            return;
        };
        match (&mut *self, to) {
            (Node::Leaf { text, .. }, Node::Leaf { text: new, .. }) if *text == new => {}
            (Node::Map(old), Node::Map(mut new)) => {
                for (name, node) in old.iter_mut() {
                    node.turn_into(new.remove(name), by);
                }
                old.append(&mut new);
            }
            (Node::List(old), Node::List(new)) => {
                let mut left = std::mem::take(old);
                for (id, item) in new {
                    let known = left.iter().position(|(known, _)| *known == id);
                    let mut node = known.map_or_else(gone, |at| left.remove(at).1);
                    node.turn_into(Some(item), by);
                    old.push((id, node));
                }
                old.extend(left.into_iter().map(|(id, _)| (id, gone())));
            }
            (_, to) => *self = to,
        }
    }
}

/// Makes values in one actor's name.
#[derive(Clone, Copy)]
pub(super) struct Pen<'a>(pub &'a Actor);

impl Pen<'_> {
    /// A string.
    pub fn text(self, text: &str) -> Node {
        Node::Leaf { text: scalar(text), by: self.0.clone() }
    }

    /// A boolean or a number; also `{}` and `null`.
    pub fn raw(self, value: impl ToString) -> Node {
        Node::Leaf { text: value.to_string(), by: self.0.clone() }
    }

    /// Fields.
    pub fn map<const N: usize>(self, fields: [(&str, Node); N]) -> Node {
        Node::Map(fields.into_iter().map(|(name, node)| (name.to_owned(), node)).collect())
    }

    /// Items.
    pub fn list(self, items: impl IntoIterator<Item = Node>) -> Node {
        Node::List(items.into_iter().map(|item| (identity(&item), item)).collect())
    }

    /// Strings as they stand joined in a run: by a comma and a space.
    pub fn texts(self, joined: &str) -> Node {
        self.list(joined.split(", ").map(|text| self.text(text)))
    }
}

fn identity(item: &Node) -> String {
    let of = |name: &str| item.field(name).and_then(Node::text).map(str::to_owned);
    match item {
        Node::Leaf { text, .. } => text.clone(),
        // A Node may have one taint with several effects.
        Node::Map(_) => {
            let named = IDENTITIES.iter().find_map(|name| of(name)).unwrap_or_default();
            of("effect").map_or(named.clone(), |effect| format!("{named}:{effect}"))
        }
        Node::List(_) | Node::Gone { .. } => String::new(),
    }
}

/// A string as kubectl writes it: plain where it can only be a string, double quotes where it would be read as
/// something else, single quotes where a character has a meaning in YAML.
pub(super) fn scalar(text: &str) -> String {
    if text.chars().any(|c| c.is_control()) {
        return double(text);
    }
    if text.is_empty() || reads_as_other(text) {
        return format!("\"{text}\"");
    }
    let special = |c: char| "-?:,[]{}#&*!|>'\"%@`".contains(c);
    let begins = text.starts_with(special) && !text.starts_with(|c| "-?:".contains(c));
    let dash =
        ["- ", "? ", ": "].iter().any(|lead| text.starts_with(lead)) || ["-", "?", ":"].contains(&text);
    let inside = text.contains(": ") || text.contains(" #") || text.ends_with(':');
    let edges = text.starts_with(' ') || text.ends_with(' ');
    if begins || dash || inside || edges || text.starts_with("---") || text.starts_with("...") {
        return format!("'{}'", text.replace('\'', "''"));
    }
    text.to_owned()
}

/// Whether YAML takes the plain word for a boolean, nothing, a number or a time.
fn reads_as_other(text: &str) -> bool {
    let word = text.to_ascii_lowercase();
    let words = ["true", "false", "yes", "no", "on", "off", "y", "n", "null", "~", ".nan", ".inf", "<<", "="];
    let of = |set: &str| word.chars().all(|c| c.is_ascii_digit() || set.contains(c));
    let digits = word.chars().take_while(char::is_ascii_digit).count();
    let number = word.replace('_', "").parse::<f64>().is_ok();
    let based = ["0x", "0o"].iter().filter_map(|lead| word.strip_prefix(lead));
    let hex = based.into_iter().any(|rest| rest.chars().all(|c| c.is_ascii_hexdigit()));
    let time = digits == 4 && word.get(4..5) == Some("-") && of("-:tz.+ ");
    let sixties = digits > 0 && word.contains(':') && of(":.");
    words.contains(&word.as_str()) || number || hex || time || sixties
}

fn double(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::scalar;

    #[test]
    fn strings_are_quoted_as_kubectl_does() {
        let table = [
            ("node-1", "node-1"),
            ("5Gi", "5Gi"),
            ("kubernetes.io/csi/disk^vol-1", "kubernetes.io/csi/disk^vol-1"),
            ("yes", "\"yes\""),
            ("true", "\"true\""),
            ("", "\"\""),
            ("1", "\"1\""),
            ("2026-06-01T12:00:00Z", "\"2026-06-01T12:00:00Z\""),
            ("{\"a\":\"b\"}", "'{\"a\":\"b\"}'"),
            ("rpc error: code = Internal desc = it's full", "'rpc error: code = Internal desc = it''s full'"),
            ("two\nlines", "\"two\\nlines\""),
            ("6f1d2a3e-8c47", "6f1d2a3e-8c47"),
        ];
        for (text, yaml) in table {
            assert_eq!(scalar(text), yaml);
        }
    }
}
