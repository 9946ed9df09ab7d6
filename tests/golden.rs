//! The rest frame of every step in both layouts, as it was last looked at. `BLESS=1 cargo test` writes anew.

mod scene_run;

use mountpath::scene::{Layout, frame, svg};
use std::path::Path;

#[test]
fn pictures_are_the_ones_that_were_looked_at() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = Vec::new();
    // One cast with a Node and one with two; what holds of all pictures is held in tests/scene.rs.
    let looked_at = ["volume-attachment", "node-down"];
    for (name, run) in scene_run::runs().into_iter().filter(|(name, _)| looked_at.contains(&name.as_str())) {
        for layout in [Layout::Wide, Layout::Narrow] {
            for step in 1..=run.groups.len() {
                let rest = frame(&run, step, u32::MAX, layout);
                let word = if layout == Layout::Wide { "wide" } else { "narrow" };
                let title = format!("{name}, step {step}");
                let svg = svg::document(&rest, &title, "", svg::Embedding::Page);
                let path = format!("tests/golden/{name}-{step}-{word}.svg");
                if bless {
                    std::fs::create_dir_all(Path::new("tests/golden")).unwrap();
                    std::fs::write(&path, svg).unwrap();
                } else if std::fs::read_to_string(&path).ok().as_deref() != Some(svg.as_str()) {
                    wrong.push(path);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "look at the new pictures, then run BLESS=1 cargo test: {wrong:?}");
}
