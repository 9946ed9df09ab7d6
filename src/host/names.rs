//! The names that Kubernetes computes for a volume on a Node, printed.

use super::Error;
use super::command::Args;
use crate::model::names::{Given, Name, list};
use serde_json::{Map, Value, json};

/// Lists the names that follow from the options.
///
/// # Errors
/// When one that is needed is missing or empty, or the format is unknown.
pub fn names(args: &Args) -> Result<String, Error> {
    let format = args.option("format").unwrap_or("text");
    let print: fn(&[Name]) -> String = match format {
        "text" => text,
        "json" => as_json,
        other => return Err(Error::Usage(format!("--format {other}: give text or json"))),
    };
    let given = Given {
        driver: needed(args, "driver", "D")?,
        handle: needed(args, "handle", "H")?,
        node: needed(args, "node", "N")?,
        pv: optional(args, "pv", "PV")?,
        pod_uid: optional(args, "pod-uid", "UID")?,
    };
    Ok(print(&list(given)))
}

fn needed<'a>(args: &'a Args, option: &str, value: &str) -> Result<&'a str, Error> {
    optional(args, option, value)?
        .ok_or_else(|| Error::Usage(format!("names needs --{option} {value}; see `mountpath names --help`")))
}

fn optional<'a>(args: &'a Args, option: &str, value: &str) -> Result<Option<&'a str>, Error> {
    match args.option(option) {
        Some("") => Err(Error::Usage(format!("--{option} {value} is empty: give one that is not"))),
        given => Ok(given),
    }
}

fn text(names: &[Name]) -> String {
    let width = names.iter().map(|name| name.what.len()).max().unwrap_or(0);
    names.iter().map(|name| format!("{:width$}  {}\n", name.what, name.value)).collect()
}

fn as_json(names: &[Name]) -> String {
    let names: Map<String, Value> =
        names.iter().map(|name| (name.key.to_string(), name.value.clone().into())).collect();
    format!("{:#}\n", json!({ "mountpath": 1, "names": names }))
}
