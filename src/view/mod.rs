//! The room `view`.
#[cfg(not(target_arch = "wasm32"))]
mod pages {
    use crate::course::Site;

    /// One page.
    pub struct Page {
        /// Its address, such as `/diagrams/x/` or `/404.html`.
        pub path: String,
        /// Its title.
        pub title: String,
        /// One sentence.
        pub description: String,
        /// HTML inside `<body>`, with absolute paths.
        pub body: String,
    }

    /// A file beside the pages.
    pub struct Asset {
        /// Its address.
        pub path: String,
        /// What it holds.
        pub bytes: Vec<u8>,
    }

    /// Every page.
    pub fn pages(_: &Site) -> Result<Vec<Page>, String> {
        let page = |path: &str, title: &str| Page {
            path: path.into(),
            title: title.into(),
            description: format!("About {title}, in a sentence of a useful length for the search engines."),
            body: format!(
                r#"<header><a href="/">Mountpath</a> <nav aria-label="Main"><a href="/diagrams/">Diagrams</a></nav></header><main id="main"><h1>{title}</h1><p data-live-status></p><figure data-diagram="x" data-live><button type="button" data-control="play" aria-label="Play the animation">Play</button></figure><p><a href="/diagrams/volume-attachment/">VolumeAttachment</a></p></main>"#
            ),
        };
        Ok(vec![
            page("/", "Mountpath"),
            page("/diagrams/", "Diagrams"),
            page("/diagrams/volume-attachment/", "VolumeAttachment"),
            page("/404.html", "Not found"),
        ])
    }

    /// Every other file.
    pub fn assets(_: &Site) -> Result<Vec<Asset>, String> {
        Ok(Vec::new())
    }
}
#[cfg(not(target_arch = "wasm32"))]
pub use pages::{Asset, Page, assets, pages};

/// Starts the page.
#[cfg(target_arch = "wasm32")]
pub fn start() {
    if let Some(root) = leptos::prelude::document().document_element() {
        let _ = root.set_attribute("data-ready", "");
    }
}
