//! What stands around every page: skip link, header with navigation and settings, footer.

use leptos::prelude::*;

/// The entries of the main navigation: address and words.
pub const NAV: [(&str, &str); 4] =
    [("/", "Home"), ("/diagrams/", "Diagrams"), ("/chapters/21-csi/", "Course"), ("/glossary/", "Glossary")];

/// The mark beside the name, as everywhere else on the site.
const MARK: &str = "M8 1.5 14.5 8 8 14.5 1.5 8Z M8 5 11 8 8 11 5 8Z";

/// A whole page body around its main content, given as HTML. `path` is the page's address, for `aria-current`.
#[component]
pub fn Shell(path: String, main: String) -> impl IntoView {
    let here = move |href: &str| match href {
        "/" => path == "/",
        _ => path.starts_with(href),
    };
    view! {
        <a class="skip" href="#main">"Skip to the content"</a>
        <header class="top">
            <div class="bar">
                <a class="brand" href="/">
                    <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
                        <path d=MARK fill-rule="evenodd" />
                    </svg>
                    "Mountpath"
                </a>
                <nav aria-label="Main">
                    {NAV
                        .map(|(href, words)| {
                            view! { <a href=href aria-current=here(href).then_some("page")>{words}</a> }
                        })
                        .collect_view()}
                </nav>
                <button type="button" class="theme" data-control="theme" aria-label="Theme: Auto">
                    <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
                        <path d="M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm0 1.6v10.8a5.4 5.4 0 0 1 0-10.8Z" />
                    </svg>
                    <span data-theme-word="">"Auto"</span>
                </button>
            </div>
        </header>
        <main id="main" tabindex="-1" inner_html=main></main>
        <footer class="foot">
            <p>
                "Mountpath draws what a cluster does from one model of the Kubernetes 1.36 volume path. \
                Licence: Apache-2.0."
            </p>
        </footer>
        <p class="live-status" data-live-status="" role="status"></p>
    }
}
