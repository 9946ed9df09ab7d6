//! The scenes of a diagram as the host has packed them (`scene::pack`), kept as the browser's own values.

use super::browser::{Response, window};
use js_sys::{Array, JSON, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// The scenes of one layout.
pub struct Scenes {
    looks: Array,
    steps: Array,
}

/// One group of a step.
pub struct Group {
    /// Its key.
    pub key: String,
    /// The number of its look: class and markup.
    pub look: u32,
    /// The attributes `opacity` and `transform` at rest; empty where it needs none.
    pub rest: [String; 2],
    /// Its motions, each as keyframes for `Element.animate`.
    pub motions: Array,
}

impl Group {
    /// Whether it can be seen at rest.
    pub fn rests(&self) -> bool {
        let [opacity, _] = &self.rest;
        opacity != "0"
    }
}

impl Scenes {
    /// Fetches the scenes at an address.
    ///
    /// # Errors
    /// When there is no answer, or none that can be read.
    pub async fn fetch(url: &str) -> Result<Self, JsValue> {
        let window = window().ok_or(JsValue::NULL)?;
        let response: Response = JsFuture::from(window.fetch_with_str(url)).await?.dyn_into()?;
        if !response.ok() {
            return Err(JsValue::from_f64(response.status().into()));
        }
        let text = JsFuture::from(response.text()?).await?.as_string().ok_or(JsValue::NULL)?;
        let all = JSON::parse(&text)?;
        Ok(Self { looks: member(&all, "looks").dyn_into()?, steps: member(&all, "steps").dyn_into()? })
    }

    /// How long a step (from 1) moves, in milliseconds.
    pub fn duration_ms(&self, step: usize) -> f64 {
        member(&self.step(step), "ms").as_f64().unwrap_or(0.0)
    }

    /// The groups of a step (from 1), in drawing order.
    pub fn groups(&self, step: usize) -> impl Iterator<Item = Group> + use<> {
        let groups = member(&self.step(step), "groups").dyn_into::<Array>().unwrap_or_default();
        groups.to_vec().into_iter().filter_map(|g| {
            let g: Array = g.dyn_into().ok()?;
            Some(Group {
                key: g.get(0).as_string()?,
                look: g.get(1).as_f64()? as u32,
                rest: [g.get(2).as_string()?, g.get(3).as_string()?],
                motions: g.get(4).dyn_into().ok()?,
            })
        })
    }

    /// The class names of a look.
    pub fn class(&self, look: u32) -> String {
        self.look(look, 0)
    }

    /// The markup of a look.
    pub fn markup(&self, look: u32) -> String {
        self.look(look, 1)
    }

    fn look(&self, look: u32, part: u32) -> String {
        self.looks
            .get(look)
            .dyn_into::<Array>()
            .ok()
            .and_then(|l| l.get(part).as_string())
            .unwrap_or_default()
    }

    fn step(&self, step: usize) -> JsValue {
        u32::try_from(step.saturating_sub(1)).map_or(JsValue::UNDEFINED, |i| self.steps.get(i))
    }
}

/// A member of a JavaScript object; `undefined` where there is none.
pub fn member(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or(JsValue::UNDEFINED)
}
