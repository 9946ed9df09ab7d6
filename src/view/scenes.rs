//! The scenes of a diagram as the host has packed them (`scene::pack`), kept as the browser's own values.

use super::browser::{Response, window};
use js_sys::{Array, JSON, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// The scenes of one layout.
pub struct Scenes {
    looks: Array,
    steps: Array,
    cast: Array,
    /// Width and height of its pictures, in units.
    size: [u32; 2],
}

/// What one of the cast does in the run.
pub struct Deeds {
    /// The key of its group.
    pub key: String,
    /// The reader's steps (from 1) in which it does it.
    pub steps: Vec<usize>,
    /// The ids of the actions that tell of it.
    pub actions: Vec<String>,
    /// The keys of the fields that are its own.
    pub fields: Vec<String>,
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
        let list = |name: &str| member(&all, name).dyn_into::<Array>();
        let size = ["width", "height"].map(|side| member(&all, side).as_f64().unwrap_or_default() as u32);
        Ok(Self { looks: list("looks")?, steps: list("steps")?, cast: list("cast")?, size })
    }

    /// What `viewBox` says of its pictures.
    pub fn view_box(&self) -> String {
        let [width, height] = self.size;
        format!("0 0 {width} {height}")
    }

    /// What everybody and everything of the cast does.
    pub fn cast(&self) -> Vec<Deeds> {
        let list = |of: &Array, at: u32| of.get(at).dyn_into::<Array>().unwrap_or_default().to_vec();
        let texts = |of: &Array, at: u32| list(of, at).iter().filter_map(JsValue::as_string).collect();
        let deeds = |one: JsValue| {
            let one: Array = one.dyn_into().ok()?;
            Some(Deeds {
                key: one.get(0).as_string()?,
                steps: list(&one, 1).iter().filter_map(JsValue::as_f64).map(|n| n as usize).collect(),
                actions: texts(&one, 2),
                fields: texts(&one, 3),
            })
        };
        self.cast.to_vec().into_iter().filter_map(deeds).collect()
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
