//! Content is parsed once, and what is wrong with it is refused with its file and line.

use mountpath::course::{Site, load};

/// The files of `content/`, as the course reads them.
fn content() -> Vec<(String, String)> {
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
    files
}

fn site() -> Site {
    load(&content()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn the_content_of_this_repository_is_accepted() {
    let site = site();
    println!("{site:#?}");
    assert!(!site.diagrams.is_empty());
}
