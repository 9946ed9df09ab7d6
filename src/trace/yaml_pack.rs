//! From a run to the sheet of its objects.

use super::Run;
use super::yaml::{Section, objects};
use super::yaml_sheet::{Sheet, Shown, ShownLine, ShownSection};
use crate::model::Actor;

impl Sheet {
    /// The objects of a run. `writer` gives an actor's name, badge and class of the hue.
    pub fn of(run: &Run, writer: impl Fn(&Actor) -> [String; 3]) -> Sheet {
        let mut sheet = Sheet::default();
        for step in 1..=run.groups.len() {
            let shown = objects(run, step).into_iter().map(|object| Shown {
                kind: object.object.kind.name().to_owned(),
                name: object.object.name.clone(),
                fate: object.fate,
                by: number(&mut sheet.writers, writer(&object.by)),
                blocks: object.sections.iter().map(|section| sheet.block(section, &writer)).collect(),
            });
            let shown = shown.collect();
            sheet.steps.push(shown);
        }
        sheet
    }

    fn block(&mut self, section: &Section, writer: &impl Fn(&Actor) -> [String; 3]) -> usize {
        let lines = section.lines.iter().map(|line| {
            let by = number(&mut self.writers, writer(&line.by));
            let number = number(&mut self.lines, (line.text.clone(), by));
            ShownLine { line: number, fate: line.fate, was: line.was.clone() }
        });
        let shown = ShownSection { name: section.name.clone(), lines: lines.collect() };
        number(&mut self.blocks, shown)
    }
}

/// The number of a thing in a list that holds everything once.
fn number<T: PartialEq>(all: &mut Vec<T>, thing: T) -> usize {
    all.iter().position(|known| *known == thing).unwrap_or_else(|| {
        all.push(thing);
        all.len() - 1
    })
}
