//! Two runs as sequences, as they were last looked at, and what a small one weighs. `BLESS=1 cargo test` writes anew.

mod scene_run;

use mountpath::scene::{Layout, Scene, sequence_whole, sequences, still, svg};
use mountpath::trace::Run;
use std::path::Path;

/// A diagram's run in its own steps, and one with errors, told six actions a step.
fn runs() -> Vec<(String, Run)> {
    let mut runs: Vec<_> = scene_run::runs().into_iter().filter(|r| r.0 == "volume-attachment").collect();
    runs.push(("attach-error".to_owned(), scene_run::told("attach-error", 6)));
    runs
}

#[test]
fn sequences_are_the_ones_that_were_looked_at() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = Vec::new();
    let mut check = |name: &str, layout: Layout, part: &str, scene: &Scene| {
        let rest = still(scene.clone(), u32::MAX);
        let svg = svg::document(&rest, &format!("{name}, {part}"), "", svg::Embedding::Page);
        let path = format!("tests/golden/sequence-{name}-{part}-{}.svg", layout.name());
        if bless {
            std::fs::create_dir_all(Path::new("tests/golden")).unwrap();
            std::fs::write(&path, svg).unwrap();
        } else if std::fs::read_to_string(&path).ok().as_deref() != Some(svg.as_str()) {
            wrong.push(path);
        }
    };
    for (name, run) in runs() {
        for layout in [Layout::Wide, Layout::Narrow] {
            for (step, scene) in (1..).zip(sequences(&run, layout)) {
                check(&name, layout, &step.to_string(), &scene);
            }
            check(&name, layout, "whole", &sequence_whole(&run, layout));
        }
    }
    assert!(wrong.is_empty(), "look at the new pictures, then run BLESS=1 cargo test: {wrong:?}");
}

#[cfg(feature = "site")]
#[test]
fn five_messages_in_a_file_of_their_own_weigh_two_kilobytes() {
    // The attacher's part of attaching, without what others wait for.
    let mut run = scene_run::told("volume-attachment", 1);
    let at = |name: &str| run.trace.steps.iter().position(|s| s.action == name).unwrap();
    let (first, last) = (at("attacher-finalizes-attachment"), at("attacher-records-attached"));
    run.trace.steps = run.trace.steps.drain(first..=last).collect();
    run.trace.steps.iter_mut().for_each(|step| step.waits.clear());
    run.groups.truncate(run.trace.steps.len());
    let css = mountpath::host::style::picture(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    for layout in [Layout::Wide, Layout::Narrow] {
        let scene = sequence_whole(&run, layout);
        assert_eq!(scene.groups.iter().filter(|g| g.key.starts_with("seq/message/")).count(), 5);
        let says = "The attacher calls the driver and records that the volume is attached.";
        let css = mountpath::scene::needed(&css, &scene);
        let file = svg::document(&scene, "Five messages", says, svg::Embedding::Alone(&css));
        let mut small = Vec::new();
        let params = brotli::enc::BrotliEncoderParams { quality: 11, ..Default::default() };
        brotli::BrotliCompress(&mut file.as_bytes(), &mut small, &params).unwrap();
        assert!(small.len() <= 2048, "{layout:?}: {} bytes", small.len());
    }
}
