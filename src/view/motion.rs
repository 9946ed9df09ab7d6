//! Hands the motions of a scene's groups to the compositor, through the Web Animations API.

use crate::scene::{self, Group};
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Animation, Element};

#[wasm_bindgen]
extern "C" {
    /// An element that can be animated; `web_sys` counts this method among its unstable ones.
    type Animatable;
    #[wasm_bindgen(method)]
    fn animate(this: &Animatable, keyframes: &Array, options: &Object) -> Animation;
}

/// Starts every motion of a group on its element and returns them, in the order of the group's motions.
pub fn start(element: &Element, group: &Group) -> Vec<Animation> {
    scene::keyframes(group)
        .into_iter()
        .map(|motion| {
            let frames = Array::new();
            for (offset, value) in &motion.frames {
                let frame = Object::new();
                set(&frame, "offset", *offset);
                set(&frame, motion.property, value.as_str());
                frames.push(&frame);
            }
            let timing = Object::new();
            set(&timing, "delay", motion.delay_ms);
            set(&timing, "duration", motion.duration_ms);
            set(&timing, "easing", motion.easing.as_str());
            set(&timing, "fill", motion.fill);
            element.unchecked_ref::<Animatable>().animate(&frames, &timing)
        })
        .collect()
}

fn set(object: &Object, name: &str, value: impl Into<JsValue>) {
    let _ = Reflect::set(object, &name.into(), &value.into());
}
