//! Moving between pages without reloading the app: the next page's own HTML is fetched and swapped in.

use super::browser::{
    self, Document, DomParser, Event, HtmlAnchorElement, HtmlLinkElement, Listener, PopStateEvent,
    ScrollBehavior, ScrollRestoration, ScrollToOptions, SupportedType, Url, Window, document, find, listen,
    window,
};
use super::live;
use std::cell::{Cell, RefCell};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;

thread_local! {
    static LISTENERS: RefCell<Vec<Listener>> = const { RefCell::new(Vec::new()) };
    /// The number of the latest move; an answer that comes after a newer one is dropped.
    static LATEST: Cell<u32> = const { Cell::new(0) };
    /// The address of the page that is shown, without query and fragment.
    static SHOWN: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Where a page is scrolled to once it is shown.
#[derive(Clone, Copy)]
enum Scroll {
    /// To its top, or to the address' fragment.
    Start,
    /// To where the reader had left it.
    Back(f64),
}

/// Takes over clicks on links within the site, and the browser's back and forward. On `file://` the browser
/// forbids both fetching and rewriting the address, so there links stay what they are.
pub fn start() {
    let Some(window) = window() else { return };
    let Some(url) = browser::address() else { return };
    if url.protocol() == "file:" {
        return;
    }
    SHOWN.set(page_of(&url));
    // The head stays when the address changes depth, so its relative addresses must not.
    for link in browser::root().iter().flat_map(|r| browser::find_all(r, "head link[href]")) {
        if let Some(link) = link.dyn_ref::<HtmlLinkElement>() {
            link.set_href(&link.href());
        }
    }
    if let Ok(history) = window.history() {
        let _ = history.set_scroll_restoration(ScrollRestoration::Manual);
    }
    let click = listen(&window, "click", clicked);
    let back = listen(&window, "popstate", |event| {
        let Some(url) = browser::address() else { return };
        if page_of(&url) == SHOWN.with_borrow(Clone::clone) {
            // Back on the page that is still shown: one that was on its way is not wanted any more.
            LATEST.set(LATEST.get().wrapping_add(1));
            return;
        }
        let state = event.dyn_ref::<PopStateEvent>().map_or(JsValue::NULL, PopStateEvent::state);
        go(url.href(), Scroll::Back(state.as_f64().unwrap_or(0.0)));
    });
    // The place the reader leaves is kept in the history entry it belongs to.
    let scrolled = listen(&window, "scrollend", |_| remember_scroll());
    LISTENERS.with_borrow_mut(|l| l.extend([click, back, scrolled]));
}

fn page_of(url: &Url) -> String {
    format!("{}{}", url.origin(), url.pathname().trim_end_matches("index.html"))
}

fn remember_scroll() {
    let Some(window) = window() else { return };
    if let (Ok(history), Ok(y)) = (window.history(), window.scroll_y()) {
        let _ = history.replace_state_with_url(&y.into(), "", None);
    }
}

fn clicked(event: Event) {
    if event.default_prevented() || browser::wants_elsewhere(&event) {
        return;
    }
    let Some(link) = browser::closest(&event, "a[href]").and_then(|a| a.dyn_into::<HtmlAnchorElement>().ok())
    else {
        return;
    };
    let (Ok(to), Some(here)) = (Url::new(&link.href()), browser::address()) else { return };
    if !link.target().is_empty() || link.has_attribute("download") || !within_site(&to) {
        return;
    }
    if page_of(&to) == page_of(&here) {
        return; // a fragment or a step of this page
    }
    event.prevent_default();
    remember_scroll();
    let Some(history) = window().and_then(|w| w.history().ok()) else { return };
    let _ = history.push_state_with_url(&JsValue::NULL, "", Some(&to.href()));
    go(to.href(), Scroll::Start);
}

/// Whether an address is a page of this site: below its root and ending as pages do.
fn within_site(to: &Url) -> bool {
    let (Some(here), Some(root)) = (browser::address(), browser::root()) else { return false };
    let up = root.get_attribute("data-root").unwrap_or_else(|| "./".into());
    let Ok(base) = Url::new_with_base(&up, &here.href()) else { return false };
    let page = to.pathname().ends_with('/') || to.pathname().ends_with(".html");
    page && to.origin() == base.origin() && to.pathname().starts_with(&base.pathname())
}

/// Shows the page at an address that the address bar has already.
fn go(href: String, scroll: Scroll) {
    let mine = LATEST.get().wrapping_add(1);
    LATEST.set(mine);
    spawn_local(async move {
        let page = fetch(href).await;
        if LATEST.get() != mine {
            return;
        }
        match page {
            Ok(page) => show(&page, scroll),
            // No answer, or none that is a page: let the browser say so in its own way.
            Err(_) => reload(),
        }
    });
}

async fn fetch(href: String) -> Result<Document, JsValue> {
    let html = browser::fetch_text(href).await?;
    DomParser::new()?.parse_from_string(&html, SupportedType::TextHtml)
}

fn show(page: &Document, scroll: Scroll) {
    let (Some(here), Some(root)) = (document(), browser::root()) else { return };
    let (Some(new_root), Some(new_main)) = (page.document_element(), page.get_element_by_id("main")) else {
        return reload();
    };
    live::sleep();
    root.set_attribute("data-root", &new_root.get_attribute("data-root").unwrap_or_default())
        .unwrap_or_default();
    here.set_title(&page.title());
    let description = "meta[name=description]";
    if let (Some(old), Some(new)) = (find(&root, description), find(&new_root, description)) {
        let _ = old.set_attribute("content", &new.get_attribute("content").unwrap_or_default());
    }
    if let (Some(old), Some(new)) = (find(&root, "header.top"), find(&new_root, "header.top")) {
        old.replace_with_with_node_1(&new).unwrap_or_default();
    }
    if let Some(old) = here.get_element_by_id("main") {
        old.replace_with_with_node_1(&new_main).unwrap_or_default();
    }
    if let Some(url) = browser::address() {
        SHOWN.set(page_of(&url));
    }
    live::wake();
    if let Some(heading) = find(&new_main, "h1") {
        let _ = heading.set_attribute("tabindex", "-1");
        browser::focus(&heading);
    }
    let Some(window) = window() else { return };
    match scroll {
        Scroll::Back(y) => scroll_to(&window, y),
        Scroll::Start => {
            let fragment = browser::address().map(|u| u.hash()).unwrap_or_default();
            let target = fragment.strip_prefix('#').and_then(|id| here.get_element_by_id(id));
            match target {
                Some(t) => t.scroll_into_view(),
                None => scroll_to(&window, 0.0),
            }
        }
    }
}

/// A new page is where it belongs at once, however smoothly the reader scrolls within one.
fn scroll_to(window: &Window, y: f64) {
    let options = ScrollToOptions::new();
    options.set_top(y);
    options.set_behavior(ScrollBehavior::Instant);
    window.scroll_to_with_scroll_to_options(&options);
}

fn reload() {
    if let Some(w) = window() {
        let _ = w.location().reload();
    }
}
