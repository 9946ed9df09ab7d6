//! Pages as readers set them up for themselves: the system's own colours, text twice and four times as large, paper.
#![cfg(feature = "site")]

mod support;

use serde_json::{Value, json};
use support::{Page, pages, serve};

/// Tells what is wrong in the colours of the system.
const FORCED: &str = include_str!("support/forced.js");
/// Tells what is wrong when everything is large.
const REFLOW: &str = include_str!("support/reflow.js");

/// A page of each kind.
const KINDS: [&str; 7] = [
    "",
    "diagrams/",
    "diagrams/volume-attachment/",
    "diagrams/teardown/",
    "diagrams/node-down/",
    "chapters/21-csi/",
    "glossary/",
];

fn texts(found: &Value) -> Vec<String> {
    found.as_array().unwrap().iter().map(|t| t.as_str().unwrap().to_owned()).collect()
}

fn go(page: &mut Page, path: &str) {
    page.goto(&format!("{}{path}", serve()));
    page.ready();
}

/// Turns a diagram's page to a view, if it is one.
fn turn(page: &mut Page, view: &str) {
    page.eval(&format!("document.querySelector('[data-control=view-{view}]')?.click()"));
    page.until(&format!(
        "(f => !f || f.dataset.view === '{view}')(document.querySelector('figure[data-view]:not(.beside *)'))"
    ));
    if view == "sequence" {
        page.until("(p => !p || p.querySelector('[data-box] svg'))(document.querySelector('[data-pane=sequence]')) !== null");
    }
}

#[test]
fn in_the_systems_own_colours_nothing_is_lost() {
    let mut page = Page::new();
    let mut wrong = Vec::new();
    let mut met: Vec<String> = Vec::new();
    for scheme in ["light", "dark"] {
        page.media(&[("forced-colors", "active"), ("prefers-color-scheme", scheme)]);
        for path in KINDS {
            for view in ["map", "sequence", "objects"] {
                go(&mut page, path);
                if page.eval("!document.querySelector('.views')") == true {
                    if view != "map" {
                        continue;
                    }
                } else {
                    turn(&mut page, view);
                    // A step in the middle has things of all kinds; whoever is clicked stays lifted.
                    page.eval("(r => { r.value = 4; r.dispatchEvent(new Event('input', { bubbles: true })) })(document.querySelector('input[type=range]'))");
                    page.until("document.querySelector('[data-diagram]').dataset.step === '4'");
                    page.until("!!document.querySelector('.steps > li:nth-child(4)[aria-current]')");
                    page.eval("document.querySelector('.cast [data-cast^=\"actor/\"]')?.click()");
                }
                let found = page.eval(&format!("({FORCED})(true)"));
                met.extend(texts(&found["met"]));
                wrong.extend(texts(&found["wrong"]).iter().map(|w| format!("/{path} {view} {scheme}: {w}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
    for mark in [".stage .mark", ".stage .acting .pill", ".stage .acted .head", "ins", ".yaml mark"] {
        assert!(met.iter().any(|m| m == mark), "no page shows {mark}: {met:?}");
    }
}

#[test]
fn at_twice_and_four_times_the_size_nothing_is_cut_off_or_covered() {
    let mut page = Page::new();
    page.media(&[("prefers-reduced-motion", "reduce")]);
    let mut wrong = Vec::new();
    // A window of 1280 by 1024 pixels at 200 % and at 400 %, as WCAG 2.2 counts: 640 and 320 CSS pixels wide.
    for (width, height, scale) in [(640, 512, 2), (320, 256, 4)] {
        let metrics =
            json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": false });
        page.call("Emulation.setDeviceMetricsOverride", metrics);
        for path in KINDS {
            go(&mut page, path);
            let views: &[&str] = if page.eval("!document.querySelector('.views')") == true {
                &["map"]
            } else {
                &["map", "sequence", "objects"]
            };
            for view in views {
                turn(&mut page, view);
                let found = page.eval(&format!("({REFLOW})()"));
                wrong.extend(texts(&found).iter().map(|w| format!("/{path} {view} at {width}: {w}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn on_paper_every_diagram_is_a_storyboard_with_a_frame_a_step() {
    let mut page = Page::new();
    let diagrams = pages()
        .into_iter()
        .filter(|(path, html)| path.starts_with("diagrams/") && html.contains("data-steps="));
    let mut seen = 0;
    for (path, _) in diagrams {
        page.goto(&format!("{}{path}", serve()));
        page.call("Emulation.setEmulatedMedia", json!({ "media": "print" }));
        let steps = page.eval("Number(document.querySelector('[data-steps]').dataset.steps)");
        let frames = page.eval(
            "Promise.all([...document.querySelectorAll('.steps .still img')].filter(i => i.offsetParent).map(i => \
             { i.loading = 'eager'; return i.decode() })).then(all => all.length)",
        );
        assert_eq!(frames, steps, "/{path}");
        // Each frame stands with its own sentence, whole on one sheet, and what cannot be used on paper is gone.
        let faults = page.eval(
            "[...document.querySelectorAll('.steps > li')].filter(li => !li.querySelector('.still img') || !li.querySelector('p')?.textContent.trim() \
             || getComputedStyle(li).breakInside !== 'avoid').length \
             + [...document.querySelectorAll('button, input, select, figure.player, .cast-panel')].filter(e => e.offsetParent).length",
        );
        assert_eq!(faults, 0, "/{path}");
        let paper = page.call("Page.printToPDF", json!({ "paperWidth": 8.27, "paperHeight": 11.69 }));
        let pdf = data_encoding::BASE64.decode(paper["data"].as_str().unwrap().as_bytes()).unwrap();
        let sheets = String::from_utf8_lossy(&pdf).matches("/Type /Page\n").count();
        assert!((2..=20).contains(&sheets), "/{path} takes {sheets} sheets");
        page.call("Emulation.setEmulatedMedia", json!({ "media": "" }));
        seen += 1;
    }
    assert!(seen >= 40, "only {seen} diagrams");
}
