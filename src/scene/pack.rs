//! All scenes of a run as data: what the browser needs to draw and move them without the model.
//!
//! ```json
//! {"width": 800, "height": 608,
//!  "looks": [["class", "<markup/>"], …],
//!  "steps": [{"ms": 1200, "groups": [["key", look, "opacity", "transform", [
//!      [0, 150, 250, 1050, 150], {"transform": ["translate(0px, 9px)", …], "offset": [0, …], "easing": […]}]], …]}, …],
//!  "cast": [["actor/kubelet", [1, 5], ["kubelet-admits-pod", …], ["field/Node/status.volumesInUse", …]], …]}
//! ```
//! Opacity and transform are the attributes at rest, empty where a group needs none. Nearly all motions are fades: a list
//! of the opacity they begin with, 0 or 1, and of each fade to the other end when it begins and how long it takes, in
//! milliseconds. All others are keyframes as `Element.animate` takes them.
//! A look stands once however many steps show it, so that comparing two steps is comparing numbers.

use super::motion::decimals;
use super::{Animation, FADE, Frame, Group, Layout, View, deeds, keyframes, scenes, svg};
use crate::trace::Run;
use serde_json::{Value, json};

/// The scenes of every step of a run in one layout and one view, as JSON.
pub fn pack(run: &Run, layout: Layout, view: View) -> String {
    let mut looks: Vec<(String, String)> = Vec::new();
    let mut size = (0, 0);
    let steps: Vec<Value> = scenes(run, layout, view)
        .iter()
        .map(|scene| {
            size = (scene.width, scene.height);
            let groups: Vec<Value> =
                scene.groups.iter().map(|g| group(g, scene.duration_ms(), &mut looks)).collect();
            json!({"ms": scene.duration_ms(), "groups": groups})
        })
        .collect();
    let cast: Vec<Value> = deeds(run).iter().map(|d| json!([d.key, d.steps, d.actions, d.fields])).collect();
    json!({"width": size.0, "height": size.1, "looks": looks, "steps": steps, "cast": cast}).to_string()
}

fn group(group: &Group, duration_ms: u32, looks: &mut Vec<(String, String)>) -> Value {
    // That it moves is for the player to say, and only while it does.
    let class = group.class.strip_suffix(" moves").unwrap_or(&group.class);
    let look = (class.to_owned(), svg::group(group));
    let number = looks.iter().position(|l| *l == look).unwrap_or_else(|| {
        looks.push(look);
        looks.len() - 1
    });
    let motions: Vec<Value> = keyframes(group, duration_ms).iter().map(|a| motion(a, duration_ms)).collect();
    let rest = svg::group_attributes(group);
    let attribute = |name: &str| rest.iter().find(|(n, _)| *n == name).map_or("", |(_, value)| value);
    json!([group.key, number, attribute("opacity"), attribute("transform"), motions])
}

/// A motion: of fades what they begin with and when they are; else keyframes by property.
fn motion(animation: &Animation, duration_ms: u32) -> Value {
    fades(animation, duration_ms).unwrap_or_else(|| by_property(animation))
}

/// What fades begin with, and of each when it begins and how long it takes; `None` of what is not only fades.
fn fades(animation: &Animation, duration_ms: u32) -> Option<Value> {
    let frames = &animation.frames;
    let ms = |f: &Frame| (f.offset * f64::from(duration_ms)).round() as i64;
    let end = |f: &Frame| ["0", "1"].contains(&f.value.as_str());
    let mut out = vec![frames.first()?.value.parse::<i64>().ok()?];
    for (a, b) in frames.iter().zip(frames.iter().skip(1)).filter(|(a, b)| a.value != b.value) {
        if animation.property != "opacity" || a.easing != FADE || !end(a) || !end(b) {
            return None;
        }
        out.extend([ms(a), ms(b) - ms(a)]);
    }
    Some(json!(out))
}

/// Keyframes by property, as `Element.animate` takes them.
fn by_property(animation: &Animation) -> Value {
    // A ten thousandth of the longest step is less than two milliseconds, a tenth of a frame.
    let offset = |o: f64| (o * 1e4).round() / 1e4;
    json!({
        animation.property: animation.frames.iter().map(|f| &f.value).collect::<Vec<_>>(),
        "offset": animation.frames.iter().map(|f| offset(f.offset)).collect::<Vec<_>>(),
        "easing": animation.frames.iter().map(|f| curve(&f.easing)).collect::<Vec<_>>(),
    })
}

/// A curve in CSS with two decimals: nobody sees more.
fn curve(css: &str) -> String {
    let Some(points) = css.strip_prefix("cubic-bezier(").and_then(|rest| rest.strip_suffix(')')) else {
        return css.to_owned();
    };
    let short = |v: &str| v.trim().parse::<f64>().map_or_else(|_| v.to_owned(), |v| decimals(v, 2));
    format!("cubic-bezier({})", points.split(',').map(short).collect::<Vec<_>>().join(","))
}
