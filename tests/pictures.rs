//! Every picture of every diagram in a browser, with real fonts and colours: both views, both layouts, both themes.
//!
//! `MOUNTPATH_SHEET=DIR cargo test --test pictures` writes contact sheets as well: every step of every diagram as
//! PNG files to look at.
#![cfg(feature = "site")]

mod course_site;
mod support;

use mountpath::course::Diagram;
use mountpath::scene::{self, Layout, Scene, View, svg};
use mountpath::trace::Run;
use mountpath::view::run_of;
use serde_json::Value;
use std::path::PathBuf;
use support::{Page, serve};

const LAYOUTS: [Layout; 2] = [Layout::Wide, Layout::Narrow];
const THEMES: [&str; 2] = ["light", "dark"];

/// Every telling of every diagram with its run.
fn tellings() -> Vec<(String, Run)> {
    let run = |d: &Diagram| {
        let name = d.address().trim_matches('/').replace('/', "-").replace("diagrams-", "");
        (name, run_of(d).unwrap())
    };
    course_site::site().diagrams.iter().flat_map(Diagram::tellings).map(run).collect()
}

/// The rest frames of a run, side by side.
fn sheet(run: &Run, layout: Layout, view: View) -> String {
    let rest = |s: Scene| svg::document(&scene::still(s, u32::MAX), "", "", svg::Embedding::Page);
    let width = if layout == Layout::Wide { 800 } else { 360 };
    let frame = |svg: String| format!("<figure class=\"frame-{width}\">{svg}</figure>");
    scene::scenes(run, layout, view).into_iter().map(|s| frame(rest(s))).collect()
}

/// A page of the site with nothing on it but what a test puts there.
fn empty() -> Page {
    let mut page = Page::open(&format!("{}404.html", serve()));
    page.viewport(1640, 1000);
    page.eval(
        "(() => { const sheet = new CSSStyleSheet();\
         sheet.replaceSync('body { margin: 0; display: flex; flex-wrap: wrap; gap: 16px; background: var(--panel) }\
         figure { margin: 0; flex: none } .frame-800 { width: 800px } .frame-360 { width: 360px }');\
         document.adoptedStyleSheets = [sheet]; return 1 })()",
    );
    page
}

fn put(page: &mut Page, sheet: &str, theme: &str) {
    let html = serde_json::to_string(sheet).unwrap();
    page.eval(&format!(
        "(document.documentElement.dataset.theme = '{theme}', document.body.innerHTML = {html}, 1)"
    ));
}

/// Looks at every frame on the page as a reader would, and tells what is wrong with it.
const LOOK: &str = include_str!("support/look.js");

#[test]
fn every_picture_can_be_read() {
    let mut page = empty();
    let mut wrong: Vec<String> = Vec::new();
    for (name, run) in tellings() {
        for view in [View::Map, View::Sequence] {
            for layout in LAYOUTS {
                let sheet = sheet(&run, layout, view);
                for theme in THEMES {
                    put(&mut page, &sheet, theme);
                    let found = page.eval(&format!("({LOOK})({})", theme == THEMES[0]));
                    let place = format!("{name}, {}, {}, {theme}", view.name(), layout.name());
                    let texts = found.as_array().unwrap_or_else(|| panic!("{place}: {found}"));
                    wrong.extend(
                        texts.iter().filter_map(Value::as_str).map(|text| format!("{place}: {text}")),
                    );
                    if let Some(dir) = std::env::var_os("MOUNTPATH_SHEET").map(PathBuf::from) {
                        std::fs::create_dir_all(&dir).unwrap();
                        let file = format!("{name}-{}-{}-{theme}.png", view.name(), layout.name());
                        let height =
                            page.eval("Math.ceil(document.documentElement.scrollHeight)").as_u64().unwrap();
                        page.viewport(1640, u32::try_from(height).unwrap());
                        page.screenshot(&dir.join(file));
                        page.viewport(1640, 1000);
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}
