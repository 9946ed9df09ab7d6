//! The site in a browser and as files: nothing blocked, nothing missing, nothing from elsewhere.
#![cfg(feature = "site")]

mod support;

use serde_json::json;
use std::collections::BTreeSet;
use support::html::{resolve, values};
use support::{BASE, Page, pages, serve, serve_dir, site};

#[test]
fn every_page_starts_without_an_error_and_asks_only_its_own_site() {
    let home = serve();
    let mut page = Page::new();
    for (path, _) in pages() {
        page.goto(&format!("{home}{path}"));
        page.ready();
        assert_eq!(page.problems(), Vec::<String>::new(), "{path}");
        let foreign: Vec<_> = page.requests().into_iter().filter(|url| !url.starts_with(&home)).collect();
        assert_eq!(foreign, Vec::<String>::new(), "{path}");
        page.forget();
    }
}

#[test]
fn the_same_files_work_at_the_root_of_a_host() {
    let mut page = Page::open(&serve_dir(site(), "/"));
    page.ready();
    assert_eq!(page.problems(), Vec::<String>::new());
}

#[test]
fn a_page_that_does_not_exist_is_answered_by_one_that_works_at_any_depth() {
    let home = serve();
    let mut page = Page::open(&format!("{home}no/such/page/"));
    page.ready();
    // That the address itself is missing is all there is to report.
    let problems = page.problems();
    assert!(problems.iter().all(|p| p.contains("404") && p.contains("/no/such/page/")), "{problems:?}");
    let links = page.eval("[...document.querySelectorAll('a[href]')].map(a => a.href)");
    let links: Vec<_> = links.as_array().unwrap().iter().map(|l| l.as_str().unwrap().to_string()).collect();
    assert!(links.contains(&home), "{links:?}");
}

#[test]
fn no_link_is_dead() {
    let pages = pages();
    let mut dead = BTreeSet::new();
    for (path, html) in &pages {
        for address in ["href", "src", "data-js", "data-wasm", "data-scenes-wide", "data-scenes-narrow"]
            .iter()
            .flat_map(|a| values(html, a))
        {
            let outside = address.starts_with("https://") || address.starts_with("data:");
            let alive = outside || resolve(path, &address).is_some_and(|to| alive(&to, &pages));
            if !alive {
                dead.insert(format!("{path}: {address}"));
            }
        }
    }
    assert_eq!(dead, BTreeSet::new());
}

/// Whether an address below the base is a page, with the id that it names, or a file.
fn alive(to: &str, pages: &[(String, String)]) -> bool {
    let (to, id) = to.split_once('#').unwrap_or((to, ""));
    let to = to.split('?').next().unwrap_or_default();
    match pages.iter().find(|(path, _)| path == to) {
        Some((_, html)) => id.is_empty() || values(html, "id").iter().any(|i| i == id),
        None => !to.ends_with('/') && site().join(to).is_file(),
    }
}

#[test]
fn addresses_are_relative_and_pages_end_in_a_slash() {
    for (path, html) in pages() {
        for address in values(&html, "href").into_iter().chain(values(&html, "src")) {
            assert!(!address.starts_with('/'), "{path}: {address}");
            assert!(!address.contains("index.html"), "{path}: {address}");
        }
    }
}

#[test]
fn every_page_says_what_it_is() {
    let mut titles = BTreeSet::new();
    for (path, html) in pages() {
        let between = |a: &str, b: &str| html.split(a).nth(1).unwrap().split(b).next().unwrap().to_string();
        assert!(titles.insert(between("<title>", "</title>")), "{path}: its title is another page's too");
        assert!(
            between("<meta name=\"description\" content=\"", "\"").len() > 40,
            "{path}: it has no description"
        );
        assert_eq!(html.matches("<h1").count(), 1, "{path}: a page has one h1");
        assert_eq!(html.matches("<main").count(), 1, "{path}: a page has one main");
        assert!(
            !html.contains(" style=\"") && !html.contains("javascript:"),
            "{path}: the policy forbids that"
        );
        assert_eq!(html.matches("<script").count(), 1, "{path}: the policy allows no inline script");
    }
}

#[test]
fn pages_read_and_lead_on_without_scripts() {
    let home = serve();
    let mut page = Page::new();
    page.scripts(false);
    page.goto(&format!("{home}diagrams/"));
    assert_eq!(page.eval("'ready' in document.documentElement.dataset"), json!(false));
    assert!(page.text("main").len() > 20);
    let first = page.eval("document.querySelector('main a[href]').href");
    page.eval("document.querySelector('main a[href]').click()");
    page.until(&format!("location.href === {first} && document.readyState === 'complete'"));
    assert!(page.text("h1").len() > 3);
    assert_eq!(page.problems(), Vec::<String>::new());
}

/// The page with the live stage, relative to the base.
const LIVE: &str = "diagrams/volume-attachment/";

#[test]
fn a_missing_program_leaves_the_page_and_one_sentence() {
    let home = serve();
    for pattern in ["*.wasm", "*/app-*.js"] {
        let mut page = Page::new();
        page.block(&[pattern]);
        page.goto(&format!("{home}{LIVE}"));
        page.wake();
        page.until("'failed' in document.documentElement.dataset");
        let status = page.text("[data-live-status]");
        let sentence = "The animation could not start: a part of its program did not load; every step is below as \
                        text and picture.";
        assert_eq!(status, sentence);
        let problems = page.problems();
        assert!(problems.iter().all(|p| p.contains("ERR_BLOCKED_BY_CLIENT")), "{problems:?}");
    }
}

#[test]
fn a_browser_without_webassembly_gets_one_sentence() {
    let mut page = Page::new();
    page.before("delete globalThis.WebAssembly");
    page.goto(&format!("{}{LIVE}", serve()));
    page.wake();
    page.until("'failed' in document.documentElement.dataset");
    assert!(page.text("[data-live-status]").contains("this browser has WebAssembly switched off"));
    assert_eq!(page.problems(), Vec::<String>::new());
}

#[test]
fn a_control_that_comes_too_early_starts_the_program_and_is_remembered() {
    let mut page = Page::new();
    // The browser is never idle, and what the program asks for never arrives.
    page.before("globalThis.requestIdleCallback = () => 0; globalThis.fetch = url => (globalThis.asked = url, new Promise(() => {}))");
    page.goto(&format!("{}{LIVE}", serve()));
    assert_eq!(page.eval("globalThis.asked ?? null"), json!(null));
    page.click("button", "Play the animation");
    assert!(page.until("globalThis.asked").as_str().unwrap().ends_with(".wasm"));
    let control = page.eval("document.activeElement.dataset.control");
    assert!(control.is_string());
    assert_eq!(page.until("document.documentElement.dataset.pending"), control);
}

#[test]
fn the_stored_theme_is_applied_and_a_corrupt_one_ignored() {
    let address = format!("{}{LIVE}", serve());
    let mut page = Page::open(&address);
    for (stored, query, theme) in [
        ("dark", "", json!("dark")),
        ("light", "", json!("light")),
        ("{\"broken", "", json!(null)),
        ("dark", "?theme=light", json!("light")),
        ("dark", "?theme=auto", json!(null)),
        ("dark", "?theme=nonsense", json!("dark")),
    ] {
        page.eval(&format!("localStorage.setItem('mountpath.theme', {})", json!(stored)));
        page.goto(&format!("{address}{query}"));
        page.ready();
        assert_eq!(page.eval("document.documentElement.dataset.theme ?? null"), theme, "{stored} {query}");
    }
    assert_eq!(page.problems(), Vec::<String>::new());
    assert!(address.contains(BASE));
}
