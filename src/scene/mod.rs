//! Where things are: a run, a step and a layout become shapes, and shapes become SVG.
#![deny(clippy::disallowed_types, clippy::disallowed_methods)]
mod card;
mod cast;
mod cue;
#[cfg(not(target_arch = "wasm32"))]
mod deeds;
mod geom;
mod grid;
mod ground;
mod home;
mod keyframes;
mod lane;
mod legend;
mod measures;
mod message;
mod motion;
#[cfg(not(target_arch = "wasm32"))]
mod pack;
mod pill;
mod plan;
mod ports;
mod real;
mod room;
mod route;
mod row;
mod scene_types;
mod shelf;
mod slot;
mod stage;
pub mod svg;
pub mod text;
mod thing;
#[cfg(not(target_arch = "wasm32"))]
mod thumb;
mod wire;

#[cfg(not(target_arch = "wasm32"))]
mod sequence;
#[cfg(not(target_arch = "wasm32"))]
mod sequence_draw;
#[cfg(not(target_arch = "wasm32"))]
mod sequence_messages;
#[cfg(not(target_arch = "wasm32"))]
mod sequence_motion;
#[cfg(not(target_arch = "wasm32"))]
mod sequence_party;
#[cfg(not(target_arch = "wasm32"))]
mod sequence_row;
#[cfg(not(target_arch = "wasm32"))]
mod sequence_says;
#[cfg(not(target_arch = "wasm32"))]
mod sheet;

#[cfg(not(target_arch = "wasm32"))]
pub use deeds::{Deeds, deeds};
pub use keyframes::{Animation, FADE, Frame, keyframes};
pub use motion::number;
#[cfg(not(target_arch = "wasm32"))]
pub use pack::pack;
#[cfg(not(target_arch = "wasm32"))]
pub use pill::{badge, family_class};
pub use scene_types::{Easing, Group, Keyframe, Layout, Motion, Scene, Shape, View};
#[cfg(not(target_arch = "wasm32"))]
pub use sequence::{sequence, sequence_whole, sequences};
#[cfg(not(target_arch = "wasm32"))]
pub use sheet::needed;
#[cfg(not(target_arch = "wasm32"))]
pub use thumb::thumb;

use crate::trace::Run;

/// The scene of a reader's step (from 1): every group that the step shows at any moment, as it looks
/// at the step's end, with the motions that lead there. Before the first step and after the last there
/// is only what the run leaves there, without motions.
pub fn scene(run: &Run, step: usize, layout: Layout) -> Scene {
    let plan = plan::Plan::new(cast::Cast::of(run), layout);
    let group = step.checked_sub(1).and_then(|i| run.groups.get(i));
    let done = run.trace.steps.len();
    let actions = group.map_or(if step == 0 { 0..0 } else { done..done }, |g| g.cues.clone());
    let (cues, end) = cue::cues(run, actions.clone(), &plan);
    let states = (actions.start..=actions.end).map(|n| run.trace.snapshot(n)).collect();
    let key = group.map_or(usize::MAX, |g| g.key);
    let stage = stage::Stage { run, plan: &plan, cues: &cues, start: actions.start, key, end, states };
    let mut groups = Vec::new();
    stage.zones(&mut groups);
    if let Some(middle) = plan.legend {
        slot::Slot::new("legend", legend::look(12, middle)).groups(&mut groups);
    }
    stage.clock(&mut groups);
    stage.things(&mut groups);
    stage.objects(&mut groups);
    stage.actors(&mut groups);
    message::wires(&stage, &mut groups);
    message::capsules(&stage, &mut groups);
    let (width, height) = plan.floor.size;
    Scene { width, height, groups }
}

/// The picture at `ms` of animation time within a step: the scene with its motions evaluated, and
/// without what cannot be seen. At `ms >= scene.duration_ms()` it is the rest frame.
pub fn frame(run: &Run, step: usize, ms: u32, layout: Layout) -> Scene {
    still(scene(run, step, layout), ms)
}

/// The scenes of every step of a run in one of the views, in order.
#[cfg(not(target_arch = "wasm32"))]
pub fn scenes(run: &Run, layout: Layout, view: View) -> Vec<Scene> {
    match view {
        View::Map => (1..=run.groups.len()).map(|step| scene(run, step, layout)).collect(),
        View::Sequence => sequences(run, layout),
    }
}

/// A scene at one moment: the same as [`frame`] for a scene that is already there.
pub fn still(scene: Scene, ms: u32) -> Scene {
    let groups = scene.groups.into_iter().filter_map(|g| {
        let (opacity, at) = g.pose(ms);
        let class = g.class.strip_suffix(" moves").unwrap_or(&g.class).to_owned();
        (opacity > 0.0005).then_some(Group { opacity, at, class, motions: Vec::new(), ..g })
    });
    Scene { groups: groups.collect(), ..scene }
}
