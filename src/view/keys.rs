//! The keys of the stage.

use super::browser::{self, Event as DomEvent, KeyboardEvent};
use crate::trace::Event;
use wasm_bindgen::JsCast;

const HELP: &str = "Keys on the stage: left and right arrow step, space plays or pauses, Home and End jump.";

/// What a key pressed on the stage asks of the player. A key that means nothing here is left to the browser.
pub fn heard(event: &DomEvent) -> Option<Event> {
    let key: &KeyboardEvent = event.dyn_ref()?;
    if key.ctrl_key() || key.meta_key() || key.alt_key() {
        return None;
    }
    let told = match key.key().as_str() {
        "ArrowRight" => Event::Next,
        "ArrowLeft" => Event::Previous,
        "Home" => Event::First,
        "End" => Event::Last,
        " " => Event::Toggle,
        "?" => {
            browser::say(HELP);
            return None;
        }
        _ => return None,
    };
    event.prevent_default();
    Some(told)
}
