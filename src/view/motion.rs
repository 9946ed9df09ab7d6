//! Hands the motions of a group to the compositor, through the Web Animations API.

use super::browser::{Animation, Element};
use crate::scene::FADE;
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

/// Starts the packed motions of a group on its element, in a step that moves for so long.
pub fn start(element: &Element, motions: &Array, duration_ms: f64, timing: &Object) -> Vec<Animation> {
    let element = element.unchecked_ref::<Animatable>();
    let animate = |motion: JsValue| match motion.dyn_into::<Array>() {
        Ok(packed) => element.animate(&fades(&packed, duration_ms), timing),
        Err(keyframes) => element.animate(&keyframes, timing),
    };
    motions.iter().map(animate).collect()
}

/// The keyframes of packed fades: the opacity they begin with, and of each when it begins and how long it takes.
fn fades(packed: &Array, duration_ms: f64) -> Object {
    let (opacity, offset) = (Array::new(), Array::new());
    let mut numbers = packed.iter().filter_map(|n| n.as_f64());
    let mut now = numbers.next().unwrap_or(0.0);
    let put = |value: f64, ms: f64| {
        opacity.push(&value.into());
        offset.push(&(ms / duration_ms).into());
    };
    put(now, 0.0);
    while let (Some(begin), Some(takes)) = (numbers.next(), numbers.next()) {
        put(now, begin);
        now = 1.0 - now;
        put(now, begin + takes);
    }
    put(now, duration_ms);
    let keyframes = Object::new();
    for (name, value) in [("opacity", opacity.into()), ("offset", offset.into()), ("easing", FADE.into())] {
        let _: Result<bool, JsValue> = Reflect::set(&keyframes, &name.into(), &value);
    }
    keyframes
}
