//! The views of one run that a figure can show in the place of its stage.

#[cfg(not(target_arch = "wasm32"))]
use std::fmt::Write;

/// What a figure shows of its run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Pane {
    /// Where things are.
    Map,
    /// Who sends what to whom, in order.
    Sequence,
    /// The YAML of every object.
    Objects,
}

impl Pane {
    /// Every view, in the order of the switch.
    pub const ALL: [Pane; 3] = [Pane::Map, Pane::Sequence, Pane::Objects];

    /// The name in `?view=` and in the markup.
    pub const fn name(self) -> &'static str {
        match self {
            Pane::Map => "map",
            Pane::Sequence => "sequence",
            Pane::Objects => "objects",
        }
    }

    /// What its button says.
    #[cfg(not(target_arch = "wasm32"))]
    pub const fn title(self) -> &'static str {
        match self {
            Pane::Map => "Map",
            Pane::Sequence => "Sequence",
            Pane::Objects => "Objects",
        }
    }

    /// The view of that name; the map for any other.
    #[cfg(target_arch = "wasm32")]
    pub fn from_name(name: &str) -> Pane {
        Pane::ALL.into_iter().find(|p| p.name() == name).unwrap_or(Pane::Map)
    }
}

/// The markup of the buttons that turn to another view.
#[cfg(not(target_arch = "wasm32"))]
pub fn views() -> String {
    let button = |p: Pane| {
        let (name, title, here) = (p.name(), p.title(), p == Pane::Map);
        format!(
            "<button type=\"button\" data-control=\"view-{name}\" aria-pressed=\"{here}\">{title}</button>"
        )
    };
    Pane::ALL.map(button).concat()
}

/// The markup of one view, given what is in it.
#[cfg(not(target_arch = "wasm32"))]
pub fn pane(pane: Pane, inner: &str) -> String {
    format!("<div data-pane=\"{}\">{inner}</div>", pane.name())
}

/// The markup of a picture that there is in two layouts, of which the width of the figure shows one.
#[cfg(not(target_arch = "wasm32"))]
pub fn boxes([wide, narrow]: &[String; 2]) -> String {
    let mut out = String::new();
    for (layout, picture) in [("wide", wide), ("narrow", narrow)] {
        let _ = write!(out, "<div class=\"only-{layout}\" data-box=\"{layout}\">{picture}</div>");
    }
    out
}
