//! A small schema of the API objects, and YAML held against it.

use mountpath::model::Kind;
use serde_json::Value;
use std::collections::BTreeMap;

/// The fields of each kind: path, type, and whether Kubernetes asks for it.
pub struct Schema(BTreeMap<&'static str, Vec<Known>>);

/// A field's path, its type, and whether Kubernetes asks for it.
type Known = (Vec<String>, String, bool);

impl Schema {
    /// Reads the table.
    pub fn read(text: &'static str) -> Schema {
        let mut kinds: BTreeMap<&'static str, Vec<_>> = BTreeMap::new();
        let mut kind = "";
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match line.split_once(' ') {
                None => kind = line,
                Some((path, is)) => {
                    let (is, asked) = (is.trim_end_matches('!').to_owned(), is.ends_with('!'));
                    kinds.entry(kind).or_default().push((parts(path), is, asked));
                }
            }
        }
        Schema(kinds)
    }

    /// What is wrong with an object's YAML.
    pub fn faults(&self, kind: Kind, text: &str) -> Vec<String> {
        let value: Value = match serde_saphyr::from_str(text) {
            Ok(value) => value,
            Err(error) => return vec![format!("no YAML: {error}\n{text}")],
        };
        let fields = &self.0[kind.name()];
        let mut faults = Vec::new();
        let all: Vec<_> =
            fields.iter().map(|(path, is, asked)| (path.as_slice(), is.as_str(), *asked)).collect();
        check("", &value, &all, &mut faults);
        faults
    }
}

/// `a.b[].c{}` in parts: a, b, [], c, {}.
fn parts(path: &str) -> Vec<String> {
    let spaced = path.replace("[]", ".[]").replace("{}", ".{}");
    spaced.split('.').map(str::to_owned).collect()
}

/// Whether a value is what the fields that lead through it say; each has the rest of its path.
fn check(at: &str, value: &Value, fields: &[(&[String], &str, bool)], faults: &mut Vec<String>) {
    let below = |part: &str| -> Vec<(&[String], &str, bool)> {
        let through = fields.iter().filter(|(path, ..)| path.first().is_some_and(|first| first == part));
        through.map(|(path, is, asked)| (&path[1..], *is, *asked)).collect()
    };
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let any = below("{}");
                let known = below(key);
                let next = if known.is_empty() { any } else { known };
                if next.is_empty() {
                    faults.push(format!("Kubernetes has no {at}.{key}"));
                } else {
                    check(&format!("{at}.{key}"), value, &next, faults);
                }
            }
            for (path, _, _) in fields.iter().filter(|(path, _, asked)| *asked && is_here(path)) {
                let first = path.first().map_or("", String::as_str);
                if !map.contains_key(first) {
                    faults.push(format!("{at}.{first} is missing"));
                }
            }
        }
        Value::Array(items) => {
            let next = below("[]");
            if next.is_empty() {
                faults.push(format!("{at} is no list"));
            }
            items.iter().for_each(|item| check(&format!("{at}[]"), item, &next, faults));
        }
        scalar => {
            let ends = fields.iter().filter(|(path, ..)| path.is_empty());
            let types: Vec<&str> = ends.map(|(_, is, _)| *is).collect();
            if !types.iter().any(|is| fits(scalar, is)) {
                faults.push(format!("{at}: {scalar} is no {}", types.join(" or ")));
            }
        }
    }
}

/// A field of this very map, or a list or map of it that has to have something in it.
fn is_here(path: &[String]) -> bool {
    path.len() == 1 || (path.len() == 2 && path[1] == "[]")
}

fn fits(value: &Value, is: &str) -> bool {
    match (value, is) {
        (Value::Null, "null") | (Value::Bool(_), "bool") | (Value::String(_), "string") => true,
        (Value::Number(number), "int") => number.is_i64() || number.is_u64(),
        (Value::String(text), "time") => {
            let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
            shape == "0000-00-00T00:00:00Z"
        }
        (Value::String(text), "quantity") => {
            text.strip_suffix("Gi").is_some_and(|number| number.parse::<u32>().is_ok_and(|n| n > 0))
        }
        (Value::String(text), one_of) => one_of.split('|').any(|name| name == text),
        _ => false,
    }
}
