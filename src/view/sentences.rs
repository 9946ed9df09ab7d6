//! The captions in sight: those next to the shown one lie ready, so that a step changes no more than who is opaque.

use super::browser::{Element, find_all};
use std::cell::Cell;

/// The sentences of all steps, one over the other.
pub struct Sentences {
    all: Vec<Element>,
    shown: Cell<usize>,
}

impl Sentences {
    /// The sentences of a figure, the first one in sight.
    pub fn new(figure: &Element) -> Self {
        Self { all: find_all(figure, "[data-sentences] > p"), shown: Cell::new(1) }
    }

    /// Shows a step's sentence (from 1) in the place of the one before. When they are neighbours, the compositor
    /// has both already: nothing is laid out or painted for it.
    pub fn show(&self, step: usize) {
        let was = self.shown.replace(step);
        if was != step {
            self.mark(was, "near");
            self.mark(step, "shown");
        }
    }

    /// Lays the neighbours of the shown sentence ready, and takes all others away; for a quiet moment.
    pub fn ready(&self) {
        let shown = self.shown.get();
        for step in (1..=self.all.len()).filter(|s| *s != shown) {
            self.mark(step, if step.abs_diff(shown) == 1 { "near" } else { "" });
        }
    }

    fn mark(&self, step: usize, class: &str) {
        if let Some(sentence) = self.all.get(step.saturating_sub(1))
            && sentence.class_name() != class
        {
            sentence.set_class_name(class);
        }
    }
}
