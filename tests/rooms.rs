//! The laws of the rooms of `src/`: heads, lengths, what each may name and import. Failures say what to do.

use std::fs;
use std::path::{Path, PathBuf};

/// No file is longer than this.
const MOST_LINES: usize = 400;
/// Rooms without clock, files, browser or hash order.
const PURE: [&str; 5] = ["model", "trace", "scene", "course", "diagnose"];
/// What pure rooms never name.
const IMPURE: [&str; 9] =
    ["leptos", "web_sys", "js_sys", "std::fs", "std::env", "std::time", "std::process", "HashMap", "HashSet"];
/// Which rooms each room may import.
const MAY_IMPORT: [(&str, &[&str]); 7] = [
    ("model", &[]),
    ("trace", &["model"]),
    ("scene", &["model", "trace"]),
    ("course", &[]),
    ("diagnose", &["model", "trace"]),
    ("view", &["model", "trace", "scene", "course", "diagnose"]),
    ("host", &["model", "trace", "scene", "course", "diagnose", "view"]),
];

/// A file of `src/`: its path from there, and its text.
struct Source {
    path: String,
    text: String,
}

impl Source {
    /// The room it is in; the files at the top belong to none.
    fn room(&self) -> Option<&str> {
        self.path.split_once('/').map(|(room, _)| room)
    }

    /// Its lines without comments and without its tests, numbered.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().take_while(|line| line.trim() != "#[cfg(test)]");
        (1..).zip(lines).map(|(number, line)| (number, line.split("//").next().unwrap_or_default()))
    }
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found: Vec<Source> = Vec::new();
    let mut open: Vec<PathBuf> = vec![root.clone()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).expect("readable").map(|entry| entry.expect("readable").path()));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let name = path.strip_prefix(&root).expect("below src").to_string_lossy().replace('\\', "/");
            found.push(Source { path: name, text: fs::read_to_string(&path).expect("readable") });
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.len() > 20, "the sources are where they are looked for");
    found
}

fn report(faults: Vec<String>) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn every_file_opens_with_one_sentence() {
    let faults = sources()
        .into_iter()
        .filter(|s| !s.text.starts_with("//! "))
        .map(|s| format!("src/{}: open it with one `//!` sentence that says what it holds", s.path));
    report(faults.collect());
}

#[test]
fn no_file_is_too_long() {
    let long = sources().into_iter().map(|s| (s.text.lines().count(), s.path));
    let faults = long.filter(|(lines, _)| *lines > MOST_LINES).map(|(lines, path)| {
        format!("src/{path}: has {lines} lines, so split it by idea until each part has at most {MOST_LINES}")
    });
    report(faults.collect());
}

#[test]
fn pure_rooms_name_nothing_impure() {
    let mut faults = Vec::new();
    for source in sources() {
        let Some(room) = source.room().filter(|room| PURE.contains(room)) else { continue };
        for (number, line) in source.code() {
            for word in IMPURE.into_iter().filter(|word| line.contains(word)) {
                faults.push(format!(
                    "src/{}:{number}: `{word}` has no place in {room}, which gives the same answer everywhere; \
                     pass what it needs in from view or host, and use BTreeMap or BTreeSet for hashes",
                    source.path
                ));
            }
        }
    }
    report(faults);
}

#[test]
fn the_model_has_no_floats() {
    let mut faults = Vec::new();
    for source in sources().iter().filter(|s| s.room() == Some("model")) {
        for (number, _) in source.code().filter(|(_, line)| line.contains("f32") || line.contains("f64")) {
            faults
                .push(format!("src/{}:{number}: count in whole milliseconds or units instead", source.path));
        }
    }
    report(faults);
}

#[test]
fn rooms_import_only_what_lies_below_them() {
    let mut faults = Vec::new();
    for source in sources() {
        let Some((room, below)) = MAY_IMPORT.iter().find(|(room, _)| source.room() == Some(room)) else {
            assert!(
                source.room().is_none_or(|room| room == "bin"),
                "src/{}: this room is not in MAY_IMPORT, so say there what it may import",
                source.path
            );
            continue;
        };
        for (number, line) in source.code() {
            for other in line.split("crate::").skip(1) {
                let other: String = other.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let known = MAY_IMPORT.iter().any(|(room, _)| *room == other);
                if known && other != *room && !below.contains(&other.as_str()) {
                    faults.push(format!(
                        "src/{}:{number}: {room} may not import {other}; move the line into a room that may, \
                         or pass the value in",
                        source.path
                    ));
                }
            }
        }
    }
    report(faults);
}

#[test]
fn only_the_browser_file_talks_to_the_browser() {
    let mut faults = Vec::new();
    for source in sources().iter().filter(|s| s.path != "view/browser.rs") {
        for (number, _) in source.code().filter(|(_, line)| line.contains("web_sys")) {
            faults.push(format!("src/{}:{number}: call the browser through view/browser.rs", source.path));
        }
    }
    report(faults);
}

#[test]
fn colours_stand_in_style_only() {
    let mut faults = Vec::new();
    for source in sources() {
        for (number, line) in source.code() {
            for part in line.split('#').skip(1) {
                let hex = part.chars().take_while(char::is_ascii_hexdigit).count();
                let ends =
                    !part.chars().nth(hex).is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-');
                if [3, 4, 6, 8].contains(&hex) && ends {
                    faults.push(format!(
                        "src/{}:{number}: `#{}` is a colour; name it in style/tokens.css and use the name",
                        source.path,
                        &part[..hex]
                    ));
                }
            }
        }
    }
    report(faults);
}
