//! The Objects view in the browser: fetches the sheet of the objects once, and shows a step of it.

use super::browser::{self, Element, Response, find_all, root, window};
use super::objects::markup;
use super::scenes::member;
use crate::trace::{Fate, Sheet, Shown, ShownLine, ShownSection};
use js_sys::{Array, JSON};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// What is kept between two steps.
#[derive(Default)]
struct Kept {
    /// The sheet that was fetched last, with its address.
    sheet: Option<(String, Rc<Sheet>)>,
    /// The objects that the reader has opened or closed against what the page does by itself.
    chosen: BTreeMap<String, bool>,
}

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::default();
}

/// Where the objects stand on the page.
fn place() -> Option<Element> {
    browser::find(&root()?, "[data-objects]")
}

/// Shows the objects at a step (from 1), unless they are hidden: whoever shows them calls this again. The first time
/// their sheet is fetched; should it not come, the page keeps the step that it has.
pub fn show(step: usize) {
    let Some(place) = place() else { return };
    let wanted = step.to_string();
    // What the page came with is whole only where something changed.
    if place.get_attribute("data-shown").as_deref() == Some(&wanted) && !place.has_attribute("data-brief") {
        return;
    }
    let _ = place.set_attribute("data-wanted", &wanted);
    // What nobody sees is shown when it is opened.
    if place.closest("[hidden]").is_ok_and(|hidden| hidden.is_some()) {
        return;
    }
    let Some(url) = place.get_attribute("data-objects") else { return };
    let known = KEPT.with_borrow(|kept| kept.sheet.clone().filter(|(known, _)| *known == url));
    match known {
        Some((_, sheet)) => draw(&place, &sheet, step),
        None => wasm_bindgen_futures::spawn_local(async move {
            let Ok(sheet) = fetch(&url).await else { return };
            let sheet = Rc::new(sheet);
            KEPT.with_borrow_mut(|kept| kept.sheet = Some((url, Rc::clone(&sheet))));
            // The reader may have gone on meanwhile.
            if place.get_attribute("data-wanted").as_deref() == Some(&wanted) {
                draw(&place, &sheet, step);
            }
        }),
    }
}

fn draw(place: &Element, sheet: &Sheet, step: usize) {
    let objects = |place: &Element| find_all(place, "[data-object]");
    KEPT.with_borrow_mut(|kept| {
        for object in objects(place) {
            let open = object.has_attribute("open");
            if let Some(name) = object.get_attribute("data-object")
                && (open != object.has_attribute("data-open") || kept.chosen.contains_key(&name))
            {
                kept.chosen.insert(name, open);
            }
        }
        let focused = browser::document().and_then(|document| document.active_element());
        let focused =
            focused.and_then(|focused| focused.closest("[data-objects] [data-object]").ok().flatten());
        let focused = focused.and_then(|object| object.get_attribute("data-object"));
        place.set_inner_html(&markup(sheet, step, None));
        let _ = place.remove_attribute("data-brief");
        let _ = place.set_attribute("data-shown", &step.to_string());
        for object in objects(place) {
            let chosen = object.get_attribute("data-object").and_then(|name| kept.chosen.get(&name).copied());
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

/// Makes the objects that the page came with whole, once the reader looks at one of them.
pub fn complete() {
    let step = place().filter(|place| place.has_attribute("data-brief"));
    let step = step.and_then(|place| place.get_attribute("data-shown")?.parse().ok());
    step.into_iter().for_each(show);
}

/// Copies the YAML of the object that a button belongs to: as it is after the step, and of one that is gone as it
/// was last.
pub fn copy(button: &Element) {
    let Some(object) = button.closest("[data-object]").ok().flatten() else { return };
    let here = find_all(&object, ".l:not(del)");
    let lines = if here.is_empty() { find_all(&object, ".l") } else { here };
    let mut text = String::new();
    for line in lines.iter().filter_map(Element::text_content) {
        text.push_str(line.trim_end_matches('\n'));
        text.push('\n');
    }
    browser::copy(text);
}

async fn fetch(url: &str) -> Result<Sheet, JsValue> {
    let window = window().ok_or(JsValue::NULL)?;
    let response: Response = JsFuture::from(window.fetch_with_str(url)).await?.dyn_into()?;
    if !response.ok() {
        return Err(JsValue::NULL);
    }
    let text = JsFuture::from(response.text()?).await?.as_string().ok_or(JsValue::NULL)?;
    let all = JSON::parse(&text)?;
    let of = |name| list(&member(&all, name));
    Ok(Sheet {
        writers: of("writers").iter().map(|w| [text_at(w, 0), text_at(w, 1), text_at(w, 2)]).collect(),
        lines: of("lines").iter().map(|line| (text_at(line, 0), number(&at(line, 1)))).collect(),
        blocks: of("blocks").iter().map(block).collect(),
        steps: of("steps").iter().map(|step| list(step).iter().map(object).collect()).collect(),
    })
}

fn block(value: &JsValue) -> ShownSection {
    ShownSection { name: text_at(value, 0), lines: list(&at(value, 1)).iter().map(line).collect() }
}

fn line(value: &JsValue) -> ShownLine {
    if let Some(line) = value.as_f64() {
        return ShownLine { line: line as usize, fate: Fate::Stays, was: None };
    }
    let was = at(value, 1);
    let fate = if was.is_null() { Fate::Gone } else { Fate::New };
    ShownLine { line: number(&at(value, 0)), fate, was: was.as_string() }
}

fn object(value: &JsValue) -> Shown {
    Shown {
        kind: text_at(value, 0),
        name: text_at(value, 1),
        fate: match number(&at(value, 2)) {
            0 => Fate::Gone,
            1 => Fate::Stays,
            _ => Fate::New,
        },
        by: number(&at(value, 3)),
        blocks: list(&at(value, 4)).iter().map(number).collect(),
    }
}

fn list(value: &JsValue) -> Vec<JsValue> {
    value.dyn_ref::<Array>().map(Array::to_vec).unwrap_or_default()
}

fn at(value: &JsValue, place: u32) -> JsValue {
    value.dyn_ref::<Array>().map_or(JsValue::UNDEFINED, |array| array.get(place))
}

fn text_at(value: &JsValue, place: u32) -> String {
    at(value, place).as_string().unwrap_or_default()
}

fn number(value: &JsValue) -> usize {
    value.as_f64().map_or(0, |number| number as usize)
}
