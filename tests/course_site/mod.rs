//! The content of this repository, loaded for tests.

use mountpath::course::{Site, load};

/// Everything below `content/`; fails the test with file and line when something is wrong there.
pub fn site() -> Site {
    let mut files = Vec::new();
    for folder in ["", "chapters/", "diagrams/"] {
        let place = format!("{}/content/{folder}", env!("CARGO_MANIFEST_DIR"));
        for entry in std::fs::read_dir(place).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if name.ends_with(".md") || name.ends_with(".toml") {
                files.push((format!("{folder}{name}"), std::fs::read_to_string(path).unwrap()));
            }
        }
    }
    load(&files).unwrap_or_else(|e| panic!("{e}"))
}
