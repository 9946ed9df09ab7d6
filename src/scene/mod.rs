//! Where things are: a run, a step and a layout become shapes, and shapes become SVG.
mod scene_types;

pub use scene_types::{Easing, Group, Keyframe, Layout, Motion, Scene, Shape};

use crate::trace::Run;

/// The scene of a reader's step (from 1): every group that the step shows at any moment, as it looks
/// at the step's end, with the motions that lead there.
pub fn scene(run: &Run, step: usize, layout: Layout) -> Scene {
    let _ = (run, step, layout);
    Scene { width: 800, height: 480, groups: Vec::new() }
}

/// The picture at `ms` of animation time within a step: the scene with its motions evaluated, and
/// without what cannot be seen. At `ms >= scene.duration_ms()` it is the rest frame.
pub fn frame(run: &Run, step: usize, ms: u32, layout: Layout) -> Scene {
    let _ = ms;
    scene(run, step, layout)
}
