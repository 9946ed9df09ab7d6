//! All scenes of a run as data: what the browser needs to draw and move them without the model.
//!
//! ```json
//! {"width": 800, "height": 608,
//!  "looks": [["class", "<markup/>"], …],
//!  "steps": [{"ms": 1200, "groups": [["key", look, "opacity", "transform", [
//!      {"opacity": ["0", "1"], "offset": [0, 1], "easing": ["linear", "linear"]}, …]], …]}, …],
//!  "cast": [["actor/kubelet", [1, 5], ["kubelet-admits-pod", …], ["field/Node/status.volumesInUse", …]], …]}
//! ```
//! Opacity and transform are the attributes at rest, empty where a group needs none.
//! A look stands once however many steps show it, so that comparing two steps is comparing numbers.

use super::{Animation, Frame, Group, Layout, View, deeds, keyframes, scenes, svg};
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
    let motions: Vec<Value> = keyframes(group, duration_ms).iter().map(motion).collect();
    let rest = svg::group_attributes(group);
    let attribute = |name: &str| rest.iter().find(|(n, _)| *n == name).map_or("", |(_, value)| value);
    json!([group.key, number, attribute("opacity"), attribute("transform"), motions])
}

/// Keyframes by property, as `Element.animate` takes them.
fn motion(animation: &Animation) -> Value {
    // A hundred thousandth of the longest step is a sixth of a millisecond.
    let offset = |o: f64| (o * 1e5).round() / 1e5;
    let all =
        |member: fn(&Frame) -> &String| animation.frames.iter().map(member).cloned().collect::<Vec<_>>();
    json!({
        animation.property: all(|f| &f.value),
        "offset": animation.frames.iter().map(|f| offset(f.offset)).collect::<Vec<_>>(),
        "easing": all(|f| &f.easing),
    })
}
