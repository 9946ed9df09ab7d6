//! Hands the motions of a group to the compositor, through the Web Animations API.

use super::browser::{Animation, Element};
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

#[wasm_bindgen]
extern "C" {
    /// An element that can be animated; the bindings count this method among its unstable ones.
    type Animatable;
    #[wasm_bindgen(method)]
    fn animate(this: &Animatable, keyframes: &JsValue, options: &Object) -> Animation;
}

/// How long the motions of a step take, in milliseconds: all of them as long, so that the main thread is woken
/// only once, at their end.
pub fn timing(duration_ms: f64) -> Object {
    let timing = Object::new();
    let _ = Reflect::set(&timing, &"duration".into(), &duration_ms.into());
    let _ = Reflect::set(&timing, &"fill".into(), &"both".into());
    timing
}

/// Starts the packed motions of a group, which are keyframes as `animate` takes them, on its element.
pub fn start(element: &Element, motions: &Array, timing: &Object) -> Vec<Animation> {
    let element = element.unchecked_ref::<Animatable>();
    motions.iter().map(|keyframes| element.animate(&keyframes, timing)).collect()
}
