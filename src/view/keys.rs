//! The keys of the stage.

use super::browser::{self, Event as DomEvent};
use super::player::Ask;
use crate::trace::Event;

const HELP: &str = "Keys on the stage: left and right arrow, or Page Up and Page Down, step; space plays or pauses; \
                    Home and End jump; F fills the screen.";

/// What a key pressed on the stage asks for. A key that means nothing here is left to the browser.
pub fn heard(event: &DomEvent) -> Option<Ask> {
    let asked = match browser::plain_key(event)?.as_str() {
        "ArrowRight" | "PageDown" => Ask::Player(Event::Next),
        "ArrowLeft" | "PageUp" => Ask::Player(Event::Previous),
        "Home" => Ask::Player(Event::First),
        "End" => Ask::Player(Event::Last),
        " " => Ask::Player(Event::Toggle),
        "f" | "F" => Ask::FullScreen,
        "?" => {
            browser::say(HELP);
            return None;
        }
        _ => return None,
    };
    event.prevent_default();
    Some(asked)
}
