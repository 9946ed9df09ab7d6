//! What a prerendered page says about a figure on it.

use super::browser::{Element, find_all, root};
use super::figure::{Figure, StepText};
use crate::scene::Layout;

/// From this container width on (CSS pixels) the wide layout is drawn; `style/site.css` has the same figure.
const WIDE_FROM: f64 = 704.0;

/// The layout for a container of this width, in CSS pixels.
pub fn layout_for(width: f64) -> Layout {
    if width >= WIDE_FROM { Layout::Wide } else { Layout::Narrow }
}

/// What the page says about a player: its attributes, and the steps of the transcript beside it.
pub fn read(place: &Element) -> Option<Figure> {
    let attribute = |name: &str| place.get_attribute(name).unwrap_or_default();
    let texts = find_all(&root()?, "[data-step-text] [data-text]");
    let text = |e: &Element| StepText { html: e.inner_html(), text: e.text_content().unwrap_or_default() };
    let steps: Vec<_> = texts.iter().map(text).collect();
    let [slug, title] = ["data-slug", "data-title"].map(attribute);
    (!steps.is_empty()).then(|| Figure { slug, title, steps, ..Figure::default() })
}
