//! The filter of the index: who acts, what is written, whether anything fails; the address keeps the choice.

use super::browser::{self, Element, Event as DomEvent, find, find_all, root};
use js_sys::Reflect;
use wasm_bindgen::JsValue;

/// What can be chosen, as it stands in the address and on each card.
const LISTS: [&str; 2] = ["actor", "object"];

/// Takes the choice from the address, where there is a filter on the page. What is not on the list means no choice.
pub fn open(root: &Element) {
    let Some(filter) = find(root, "[data-gallery]") else { return };
    for name in LISTS {
        let known = |wanted: &String| {
            find_all(&filter, &format!("[name={name}] option"))
                .iter()
                .any(|o| o.text_content().as_ref() == Some(wanted))
        };
        if let (Some(list), Some(wanted)) = (field(&filter, name), browser::parameter(name).filter(known)) {
            let _ = Reflect::set(&list, &"value".into(), &wanted.into());
        }
    }
    if browser::parameter("fails").is_some()
        && let Some(mark) = field(&filter, "fails")
    {
        let _ = Reflect::set(&mark, &"checked".into(), &true.into());
    }
    show(&filter);
}

/// The reader has changed something: if it is the filter, the cards follow.
pub fn chosen(event: DomEvent) {
    let Some(filter) = browser::closest(&event, "[data-gallery]") else { return };
    let [actor, object] = LISTS.map(|name| Some(value(&filter, name)).filter(|v| !v.is_empty()));
    let fails = fails(&filter).then(|| "1".to_owned());
    browser::set_parameters(&[("actor", actor), ("object", object), ("fails", fails)]);
    show(&filter);
}

/// Shows the cards that the filter lets through, and says how many there are.
fn show(filter: &Element) {
    let Some(root) = root() else { return };
    let wanted = LISTS.map(|name| (name, value(filter, name)));
    let fails = fails(filter);
    let fits = |card: &Element| {
        let listed = |(name, wanted): &(&str, String)| {
            let all = card.get_attribute(&format!("data-{name}")).unwrap_or_default();
            wanted.is_empty() || all.split('|').any(|one| one == wanted)
        };
        wanted.iter().all(listed) && (!fails || card.has_attribute("data-fails"))
    };
    let (mut all, mut found) = (0, 0);
    for group in find_all(&root, "[data-group]") {
        let mut shown = false;
        for card in find_all(&group, ".card") {
            let fit = fits(&card);
            let _ = card.toggle_attribute_with_force("hidden", !fit);
            all += 1;
            found += u32::from(fit);
            shown |= fit;
        }
        let _ = group.toggle_attribute_with_force("hidden", !shown);
    }
    if let Some(line) = find(filter, "[data-found]") {
        line.set_text_content(Some(&format!("{found} of {all} diagrams")));
    }
}

fn field(filter: &Element, name: &str) -> Option<Element> {
    find(filter, &format!("[name={name}]"))
}

fn value(filter: &Element, name: &str) -> String {
    field(filter, name)
        .and_then(|f| Reflect::get(&f, &"value".into()).ok())
        .and_then(|v| v.as_string())
        .unwrap_or_default()
}

fn fails(filter: &Element) -> bool {
    field(filter, "fails")
        .is_some_and(|f| Reflect::get(&f, &"checked".into()).unwrap_or(JsValue::UNDEFINED).is_truthy())
}
