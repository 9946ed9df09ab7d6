//! The content of this repository, loaded for tests.
#![allow(dead_code, reason = "each test file uses its part")]

use mountpath::course::{Diagram, Site, load};
use mountpath::trace::{Trace, read_scenario, record, record_scenario};
use std::path::Path;

/// Everything below `content/`; fails the test with file and line when something is wrong there.
pub fn site() -> Site {
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("content"), "", &mut files);
    load(&files).unwrap_or_else(|e| panic!("{e}"))
}

/// The run of the scenario that a diagram tells: its content's own, or the model's of this name.
pub fn trace_of(diagram: &Diagram) -> Trace {
    let told = match &diagram.scenario_text {
        Some(text) => record_scenario(&read_scenario(&diagram.scenario, text).unwrap()),
        None => record(&diagram.scenario),
    };
    told.unwrap_or_else(|e| panic!("content/{}: {e}", diagram.file()))
}

/// The texts below a folder, by their paths below `content/`.
fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{prefix}{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            collect(&path, &format!("{name}/"), files);
        } else if name.ends_with(".md") || name.ends_with(".toml") {
            files.push((name, std::fs::read_to_string(path).unwrap()));
        }
    }
}
