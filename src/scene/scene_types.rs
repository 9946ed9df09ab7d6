//! The scene: keyed groups of shapes, and how each group moves during its step.

/// Which of the two layouts a picture is drawn in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Layout {
    /// 800 units wide.
    Wide,
    /// 360 units wide.
    Narrow,
}

impl Layout {
    /// The name in class names, `data-layout` and `--layout`.
    pub const fn name(self) -> &'static str {
        match self {
            Layout::Wide => "wide",
            Layout::Narrow => "narrow",
        }
    }
}

/// What a picture of a run is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum View {
    /// Where things are, and how they stand.
    Map,
    /// Who sends what to whom, in order.
    Sequence,
}

impl View {
    /// The name in addresses and in `data-view`.
    pub const fn name(self) -> &'static str {
        match self {
            View::Map => "map",
            View::Sequence => "sequence",
        }
    }
}

/// A picture: groups in drawing order.
#[derive(Clone, PartialEq, Debug)]
pub struct Scene {
    /// Width in units.
    pub width: i32,
    /// Height in units.
    pub height: i32,
    /// Its groups, first drawn first.
    pub groups: Vec<Group>,
}

/// One thing of the picture. Its key never changes meaning between steps.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// Such as `actor/external-attacher` or `field/VolumeAttachment/status.attached`.
    pub key: String,
    /// Class names that say its role; `style/stage.css` gives them colours.
    pub class: String,
    /// Opacity at rest, 0 to 1.
    pub opacity: f64,
    /// Displacement at rest, in units.
    pub at: (f64, f64),
    /// What it is made of.
    pub shapes: Vec<Shape>,
    /// How it gets to its rest during the step; empty when it only rests.
    pub motions: Vec<Motion>,
}

/// A drawn shape. Positions and sizes are in units; class names carry the look.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    /// A rectangle with corner radius `r`.
    Rect { x: i32, y: i32, w: i32, h: i32, r: i32, class: &'static str },
    /// A circle.
    Circle { x: i32, y: i32, r: i32, class: &'static str },
    /// A path.
    Path { d: String, class: &'static str },
    /// A line of text; `x`, `y` is the anchor on the baseline.
    Text { x: i32, y: i32, anchor: &'static str, class: &'static str, text: String },
}

/// One movement of a group, in animation time within the step.
#[derive(Clone, PartialEq, Debug)]
pub struct Motion {
    /// When it starts.
    pub delay_ms: u32,
    /// How long it takes.
    pub duration_ms: u32,
    /// How its progress runs over that time.
    pub easing: Easing,
    /// At least two; a motion sets either opacity or displacement in all of them.
    pub keyframes: Vec<Keyframe>,
}

/// A timing curve, each a cubic Bézier that CSS has too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Easing {
    /// cubic-bezier(0, 0, 1, 1)
    Linear,
    /// cubic-bezier(0.65, 0, 0.35, 1): slow in, slow out
    InOut,
    /// cubic-bezier(0, 0, 0.58, 1)
    Out,
}

/// A moment of a motion.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Keyframe {
    /// Fraction of the motion, 0 to 1.
    pub offset: f64,
    /// The opacity then.
    pub opacity: Option<f64>,
    /// The displacement then, in units.
    pub at: Option<(f64, f64)>,
}

impl Scene {
    /// How long the step moves, in milliseconds: the end of the last motion.
    pub fn duration_ms(&self) -> u32 {
        self.groups.iter().flat_map(|g| &g.motions).map(|m| m.delay_ms + m.duration_ms).max().unwrap_or(0)
    }
}
