//! Adding a diagram as the README shows it: one scenario and one file of content, checked and prerendered by the
//! project's own commands.
#![cfg(feature = "site")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files that the README shows, below the folder of the content.
const FILES: [&str; 2] = ["scenarios/network-share.toml", "diagrams/network-share.toml"];

/// The built site as far as pages are framed by it.
const SHELL: &str = include_str!("../index.html");

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn fixture(file: &str) -> String {
    fs::read_to_string(root().join("tests/fixtures/adding").join(file)).unwrap()
}

/// A new folder for a test.
fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let place = to.join(path.file_name().unwrap());
        if path.is_dir() { copy(&path, &place) } else { fs::copy(&path, place).map(drop).unwrap() }
    }
}

/// Adds the diagram to a folder of content.
fn add(content: &Path) {
    for file in FILES {
        let place = content.join(file);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, fixture(file)).unwrap();
    }
}

/// Runs a command of the project; returns its exit code and what it printed.
fn mountpath(args: &[&str]) -> (Option<i32>, String) {
    let ran = Command::new(env!("CARGO_BIN_EXE_mountpath")).args(args).current_dir(root()).output().unwrap();
    let text = [ran.stdout, ran.stderr].concat();
    (ran.status.code(), String::from_utf8(text).unwrap())
}

#[test]
fn the_readme_shows_the_diagram_that_is_added_here() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let part = readme.split("\n## Adding a diagram\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let blocks = part.split("   ```toml\n").skip(1).map(|b| b.split("   ```\n").next().unwrap());
    let shown: Vec<String> = blocks
        .map(|b| b.lines().map(|l| format!("{}\n", l.strip_prefix("   ").unwrap_or(l))).collect())
        .collect();
    assert_eq!(shown, FILES.map(fixture));
}

#[test]
fn the_content_with_a_diagram_more_still_agrees_with_the_model() {
    let content = folder("adding-check");
    copy(&root().join("content"), &content);
    let diagrams = |said: &str| {
        let number = said.split("diagrams: ").nth(1).and_then(|rest| rest.split(',').next());
        number.and_then(|n| n.parse::<usize>().ok()).unwrap_or_else(|| panic!("{said}"))
    };
    let dir = content.to_str().unwrap();
    let before = diagrams(&mountpath(&["check", "--content", dir]).1);
    add(&content);
    let (code, said) = mountpath(&["check", "--content", dir]);
    assert_eq!((code, diagrams(&said)), (Some(0), before + 1), "{said}");

    // A scenario that nobody tells, and a step that the run does not have, are found.
    let diagram = content.join(FILES[1]);
    fs::write(&diagram, fixture(FILES[1]).replace("kubelet-starts-containers", "kubelet-forgets-volume"))
        .unwrap();
    let (code, said) = mountpath(&["check", "--content", dir]);
    assert!(code == Some(1) && said.contains("content/diagrams/network-share.toml"), "{said}");
    fs::remove_file(diagram).unwrap();
    let (code, said) = mountpath(&["check", "--content", dir]);
    assert!(code == Some(1) && said.contains("no diagram tells the scenario `network-share`"), "{said}");
}

#[test]
fn its_page_is_as_complete_as_any() {
    let (content, dist) = (folder("adding-content"), folder("adding-dist"));
    fs::write(content.join("home.md"), "+++\ntitle = \"Home\"\nsummary = \"Home.\"\n+++\nHome.\n").unwrap();
    add(&content);
    fs::write(dist.join("index.html"), SHELL).unwrap();
    let (code, said) =
        mountpath(&["prerender", "--content", content.to_str().unwrap(), "--dist", dist.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{said}");

    let page = dist.join("diagrams/network-share");
    let html = fs::read_to_string(page.join("index.html")).unwrap();
    for part in [
        "<h1>A network share</h1>",
        "data-diagram=\"network-share\"",
        "data-steps=\"2\"",
        "data-key=\"actor/kubelet\"",
        "data-step-text=\"2\"",
        "id=\"cast\"",
        "id=\"changes\"",
        "kubectl get volumeattachment",
        "pkg/volume/csi/csi_plugin.go",
        "Why now:",
    ] {
        assert!(html.contains(part), "the page lacks {part}");
    }
    let names: Vec<String> = fs::read_dir(&page)
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .filter(|n| !n.ends_with(".br") && !n.ends_with(".gz"))
        .collect();
    for begin in [
        "wide-",
        "narrow-",
        "sequence-wide-",
        "sequence-narrow-",
        "objects-",
        "step-1.svg",
        "step-2.svg",
        "objects-2.yaml",
    ] {
        assert!(names.iter().any(|n| n.starts_with(begin)), "no file {begin}: {names:?}");
    }
    let index = fs::read_to_string(dist.join("diagrams/index.html")).unwrap();
    assert!(index.contains("How it is decided") && index.contains("network-share/"), "the index lacks it");
}
