//! The Objects view in the browser: fetches the markup of all steps once, and shows a step of it.

use super::browser::{self, Element, find_all, root};
use js_sys::{Array, JSON};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};

/// What is kept between two steps.
#[derive(Default)]
struct Kept {
    /// The markup of each step of the diagram that was fetched last, with its address.
    steps: Option<(String, Rc<[String]>)>,
    /// The objects that the reader has opened or closed against what the page does by itself.
    chosen: Vec<(String, bool)>,
}

impl Kept {
    /// Whether the reader has opened or closed this object.
    fn choice(&self, name: &str) -> Option<bool> {
        self.chosen.iter().find(|(known, _)| known == name).map(|(_, open)| *open)
    }
}

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::default();
}

/// Where the objects stand on the page.
fn place() -> Option<Element> {
    browser::find(&root()?, "[data-objects]")
}

/// Shows the objects at a step (from 1). The first time their markup is fetched; should it not come, the page keeps the
/// step that it has.
pub fn show(step: usize) {
    let Some(place) = place() else { return };
    let wanted = step.to_string();
    // What the page came with is whole only where something changed.
    if place.get_attribute("data-shown").as_deref() == Some(&wanted) && !place.has_attribute("data-brief") {
        return;
    }
    let _ = place.set_attribute("data-wanted", &wanted);
    let Some(url) = place.get_attribute("data-objects") else { return };
    let known = KEPT.with_borrow(|kept| kept.steps.clone().filter(|(known, _)| *known == url));
    match known {
        Some((_, steps)) => draw(&place, &steps, step),
        None => wasm_bindgen_futures::spawn_local(async move {
            let Ok(steps) = fetch(url.clone()).await else { return };
            let steps: Rc<[String]> = steps.into();
            KEPT.with_borrow_mut(|kept| kept.steps = Some((url, Rc::clone(&steps))));
            // The reader may have gone on meanwhile.
            if place.get_attribute("data-wanted").as_deref() == Some(&wanted) {
                draw(&place, &steps, step);
            }
        }),
    }
}

fn draw(place: &Element, steps: &[String], step: usize) {
    let Some(markup) = steps.get(step.wrapping_sub(1)) else { return };
    let objects = |place: &Element| find_all(place, "[data-object]");
    KEPT.with_borrow_mut(|kept| {
        for object in objects(place) {
            let open = object.has_attribute("open");
            if let Some(name) = object.get_attribute("data-object")
                && (open != object.has_attribute("data-open") || kept.choice(&name).is_some())
            {
                kept.chosen.retain(|(known, _)| *known != name);
                kept.chosen.push((name, open));
            }
        }
        let focused = browser::document().and_then(|document| document.active_element());
        let focused =
            focused.and_then(|focused| focused.closest("[data-objects] [data-object]").ok().flatten());
        let focused = focused.and_then(|object| object.get_attribute("data-object"));
        place.set_inner_html(markup);
        let _ = place.remove_attribute("data-brief");
        let _ = place.set_attribute("data-shown", &step.to_string());
        for object in objects(place) {
            let chosen = object.get_attribute("data-object").and_then(|name| kept.choice(&name));
            if let Some(open) = chosen {
                let _ = object.toggle_attribute_with_force("open", open);
            }
            // Whoever was there with the keyboard still is.
            if focused.is_some() && object.get_attribute("data-object") == focused {
                browser::find(&object, "summary").iter().for_each(browser::focus);
            }
        }
    });
}

/// Copies the YAML of the object that a button belongs to: as it is after the step, and of one that is gone as it
/// was last.
pub fn copy(button: &Element) {
    let Some(object) = button.closest("[data-object]").ok().flatten() else { return };
    let here = find_all(&object, ".l:not(del)");
    let lines = if here.is_empty() { find_all(&object, ".l") } else { here };
    let mut text = String::new();
    for line in lines.iter().filter_map(|line| line.text_content()) {
        text.push_str(line.trim_end_matches('\n'));
        text.push('\n');
    }
    browser::copy(text);
}

async fn fetch(url: String) -> Result<Vec<String>, JsValue> {
    let steps: Array = JSON::parse(&browser::fetch_text(url).await?)?.dyn_into()?;
    Ok(steps.iter().filter_map(|step| step.as_string()).collect())
}
