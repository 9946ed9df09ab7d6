//! What the reader did before the app was there: boot.js notes it, and the app does it once it runs.

use super::browser::{Element, Event, HtmlElement, find_all};
use js_sys::Reflect;
use wasm_bindgen::{JsCast, JsValue};

/// A control that the reader touched before the app was there, with the value it had by then.
pub struct Pending {
    control: Element,
    value: Option<JsValue>,
}

impl Pending {
    /// Reads what boot.js has noted: the control's name and, after `=`, its step.
    pub fn take(root: &Element) -> Option<Self> {
        let noted = root.get_attribute("data-pending")?;
        let _ = root.remove_attribute("data-pending");
        let (name, step) = noted.split_once('=').unwrap_or((&noted, ""));
        let control = find_all(root, "[data-control]").into_iter().find(|c| {
            c.get_attribute("data-control").as_deref() == Some(name)
                && c.get_attribute("data-step").unwrap_or_default() == step
        })?;
        let valued = matches!(control.tag_name().as_str(), "INPUT" | "SELECT");
        let value = valued.then(|| Reflect::get(&control, &"value".into()).ok()).flatten();
        Some(Self { control, value })
    }

    /// Does now what was asked for then.
    pub fn perform(self) {
        match self.value {
            Some(value) => {
                let _ = Reflect::set(&self.control, &"value".into(), &value);
                for name in ["input", "change"] {
                    if let Ok(event) = Event::new(name) {
                        let _ = self.control.dispatch_event(&event);
                    }
                }
            }
            None => {
                if let Some(button) = self.control.dyn_ref::<HtmlElement>() {
                    button.click();
                }
            }
        }
    }
}
