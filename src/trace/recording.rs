//! Reading a recording of a real cluster: one observation a line, as JSON.

use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;

/// Fields by path; `None` when absent.
pub type Fields = BTreeMap<String, Option<String>>;

/// One line of a recording.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation {
    /// The line's number, from 1.
    pub line: usize,
    /// Milliseconds since the recording's start.
    pub t_ms: u64,
    /// Who did it, such as `kubelet/node-1`.
    pub by: String,
    /// What was seen.
    pub what: Seen,
}

/// What was seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seen {
    /// An object that was there before the start.
    Given(String, Fields),
    /// A remark of whoever recorded.
    Note(String),
    /// An object came to be.
    Create(String, Fields),
    /// Fields of an object changed, from and to.
    Update(String, BTreeMap<String, (Option<String>, Option<String>)>),
    /// An object is gone.
    Delete(String),
    /// An Event: the object, its type, reason and message.
    Event(String, String, String, String),
    /// A CSI call left its caller: the method and its other keys.
    Call(String, Fields),
    /// It returned: the method, the code and its other keys.
    Rpc(String, String, Fields),
    /// Something was mounted at a path.
    Mount(String),
    /// The mount at a path was undone.
    Unmount(String),
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seen::Given(object, _) => write!(f, "the given {object}"),
            Seen::Note(_) => write!(f, "a note"),
            Seen::Create(object, _) => write!(f, "{object} created"),
            Seen::Update(object, changes) => {
                write!(f, "{object} changed")?;
                for (field, (_, to)) in changes {
                    write!(f, ", {field} to {}", to.as_deref().unwrap_or("nothing"))?;
                }
                Ok(())
            }
            Seen::Delete(object) => write!(f, "{object} gone"),
            Seen::Event(object, _, reason, _) => write!(f, "event {reason} about {object}"),
            Seen::Call(method, _) => write!(f, "a call of {method}"),
            Seen::Rpc(method, code, _) => write!(f, "{code} from {method}"),
            Seen::Mount(path) => write!(f, "a mount at {path}"),
            Seen::Unmount(path) => write!(f, "no more mount at {path}"),
        }
    }
}

/// Why a recording cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// There is no line in it.
    Empty,
    /// A line is not a JSON object, and why.
    NotJson(usize, String),
    /// A line lacks a key, or has something else there than this.
    Key(usize, &'static str, &'static str),
    /// A line does something unknown.
    Unknown(usize, String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Empty => write!(f, "the recording is empty, so give one observation a line"),
            ReadError::NotJson(line, why) => {
                write!(f, "line {line} is no JSON object ({why}), so write one observation a line")
            }
            ReadError::Key(line, key, wants) => {
                write!(f, "line {line} has no usable `{key}`, so give it {wants}")
            }
            ReadError::Unknown(line, what) => {
                write!(
                    f,
                    "line {line} does `{what}`, so use one of given, note, create, update, delete, event, call, rpc, mount and unmount"
                )
            }
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads a recording; empty lines are skipped, and so is the mark that some editors put before the first line.
///
/// # Errors
/// At the first line that is no observation.
pub fn read(text: &str) -> Result<Vec<Observation>, ReadError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let seen: Vec<Observation> =
        lines.map(|(number, line)| observation(number, line)).collect::<Result<_, _>>()?;
    if seen.is_empty() { Err(ReadError::Empty) } else { Ok(seen) }
}

/// What is wrong with a line that is no JSON object.
fn fault(error: Option<serde_json::Error>) -> String {
    match error {
        None => "it is another value".into(),
        Some(error) if error.is_eof() => "it ends too early".into(),
        Some(error) => format!("something is wrong at its character {}", error.column()),
    }
}

fn observation(line: usize, text: &str) -> Result<Observation, ReadError> {
    let keys = match serde_json::from_str(text) {
        Ok(Value::Object(keys)) => keys,
        Ok(_) => return Err(ReadError::NotJson(line, fault(None))),
        Err(error) => return Err(ReadError::NotJson(line, fault(Some(error)))),
    };
    let word = |key: &'static str| {
        let value = keys.get(key).and_then(Value::as_str).ok_or(ReadError::Key(line, key, "a text"));
        value.map(str::to_owned)
    };
    let map = |key: &'static str| match keys.get(key) {
        Some(Value::Object(map)) => Ok(map),
        _ => Err(ReadError::Key(line, key, "an object")),
    };
    let what = match word("do")?.as_str() {
        "given" => Seen::Given(word("object")?, fields(map("fields")?)),
        "note" => Seen::Note(keys.get("text").and_then(Value::as_str).unwrap_or_default().to_owned()),
        "create" => Seen::Create(word("object")?, fields(map("fields")?)),
        "update" => {
            let changes =
                map("changes")?.iter().map(|(field, pair)| match pair.as_array().map(Vec::as_slice) {
                    Some([from, to]) => Ok((field.clone(), (plain(from), plain(to)))),
                    _ => Err(ReadError::Key(line, "changes", "a pair [before, after] for each field")),
                });
            Seen::Update(word("object")?, changes.collect::<Result<_, _>>()?)
        }
        "delete" => Seen::Delete(word("object")?),
        "event" => Seen::Event(word("object")?, word("type")?, word("reason")?, word("message")?),
        "call" => Seen::Call(word("method")?, fields(&keys)),
        "rpc" => Seen::Rpc(word("method")?, word("code")?, fields(&keys)),
        "mount" => Seen::Mount(word("path")?),
        "unmount" => Seen::Unmount(word("path")?),
        other => return Err(ReadError::Unknown(line, other.to_owned())),
    };
    let t_ms = keys.get("t_ms").and_then(Value::as_u64);
    let t_ms = t_ms.ok_or(ReadError::Key(line, "t_ms", "a whole number of milliseconds"))?;
    Ok(Observation { line, t_ms, by: word("by")?, what })
}

fn fields(map: &Map<String, Value>) -> Fields {
    map.iter().map(|(field, value)| (field.clone(), plain(value))).collect()
}

/// A value as text, like a run's: lists joined by a comma and a space, nothing for null.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => Some(items.iter().filter_map(plain).collect::<Vec<_>>().join(", ")),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => Some(value.to_string()),
    }
}
