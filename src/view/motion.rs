//! Hands the motions of a group to the compositor, through the Web Animations API.

use super::scenes::member;
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Animation, Element};

#[wasm_bindgen]
extern "C" {
    /// An element that can be animated; `web_sys` counts this method among its unstable ones.
    type Animatable;
    #[wasm_bindgen(method)]
    fn animate(this: &Animatable, keyframes: &Array, options: &JsValue) -> Animation;
}

/// Starts the motions of a group on its element; gives each with its end in milliseconds.
///
/// A packed motion has the members of the options that `animate` takes, so it is handed over as it is; its
/// frames become keyframes of its property.
pub fn start(element: &Element, motions: &Array) -> Vec<(f64, Animation)> {
    motions
        .iter()
        .map(|motion| {
            let property = member(&motion, "property");
            let frames = member(&motion, "frames").dyn_into::<Array>().unwrap_or_default();
            let keyframes: Array = frames
                .iter()
                .map(|frame| {
                    let frame: Array = frame.dyn_into().unwrap_or_default();
                    let keyframe = Object::new();
                    let _ = Reflect::set(&keyframe, &"offset".into(), &frame.get(0));
                    let _ = Reflect::set(&keyframe, &property, &frame.get(1));
                    keyframe
                })
                .collect();
            let ms = |name: &str| member(&motion, name).as_f64().unwrap_or(0.0);
            let animation = element.unchecked_ref::<Animatable>().animate(&keyframes, &motion);
            (ms("delay") + ms("duration"), animation)
        })
        .collect()
}
