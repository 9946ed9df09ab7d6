//! A slot: one thing of the picture and its looks over a step, which become groups that cross-fade.

use super::{Group, Shape, motion::fade};

/// How a thing looks for a while.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Look {
    /// Class names of the group.
    pub class: String,
    /// What it is made of; a look without shapes is not there.
    pub shapes: Vec<Shape>,
}

/// One thing of the picture and its looks over a step.
#[derive(Clone, PartialEq, Debug)]
pub struct Slot {
    key: String,
    looks: Vec<Look>,
    /// From when (in milliseconds) which look holds, and how long it takes to appear.
    changes: Vec<(u32, usize, u32)>,
}

impl Slot {
    /// A thing that begins the step with this look.
    pub fn new(key: impl Into<String>, look: Look) -> Self {
        Slot { key: key.into(), looks: vec![look], changes: vec![(0, 0, 0)] }
    }

    /// From `ms` on it looks like this, after a fade of `fade_ms`. Times must not go back.
    pub fn show(&mut self, ms: u32, fade_ms: u32, look: Look) {
        let known = self.looks.iter().position(|l| *l == look);
        let index = known.unwrap_or_else(|| {
            self.looks.push(look);
            self.looks.len() - 1
        });
        match self.changes.last_mut() {
            Some((_, now, _)) if *now == index => {}
            Some((then, now, fade)) if *then == ms => (*now, *fade) = (index, fade_ms.max(*fade)),
            _ => self.changes.push((ms, index, fade_ms)),
        }
    }

    /// One group a look. The look at the end bears the key; when nothing is left at the end, the first
    /// look does; the others are `was/KEY`, `was-2/KEY` and so on.
    pub fn groups(self, out: &mut Vec<Group>) {
        let Some((_, last, _)) = self.changes.last().copied() else { return };
        let there = |i: usize| self.looks.get(i).is_some_and(|l| !l.shapes.is_empty());
        let shown = |i: usize| self.changes.iter().any(|c| c.1 == i);
        let bearer =
            if there(last) { Some(last) } else { (0..self.looks.len()).find(|i| there(*i) && shown(*i)) };
        let mut was = 0;
        for (i, look) in self.looks.iter().enumerate() {
            if !there(i) || !shown(i) {
                continue;
            }
            let key = if bearer == Some(i) {
                self.key.clone()
            } else {
                was += 1;
                if was == 1 { format!("was/{}", self.key) } else { format!("was-{was}/{}", self.key) }
            };
            let motions = self.motions(i);
            let moves = if motions.is_empty() { "" } else { " moves" };
            out.push(Group {
                key,
                class: format!("{}{moves}", look.class),
                opacity: if i == last { 1.0 } else { 0.0 },
                at: (0.0, 0.0),
                shapes: look.shapes.clone(),
                motions,
            });
        }
    }

    /// When one of the looks comes and goes. A fade ends before the next one begins.
    fn motions(&self, look: usize) -> Vec<super::Motion> {
        let mut out = Vec::new();
        for (n, pair) in self.changes.windows(2).enumerate() {
            let [(_, before, _), (ms, after, fade_ms)] = pair else { continue };
            let room = self.changes.get(n + 2).map_or(u32::MAX, |next| next.0 - ms);
            let fade_ms = (*fade_ms).min(room).max(1);
            if *before == look && *after != look {
                out.push(fade(*ms, fade_ms, 1.0, 0.0));
            } else if *after == look && *before != look {
                out.push(fade(*ms, fade_ms, 0.0, 1.0));
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(class: &str) -> Look {
        let shapes = vec![Shape::Circle { x: 0, y: 0, r: 1, class: "c" }];
        Look { class: class.to_owned(), shapes }
    }

    #[test]
    fn looks_cross_fade_and_the_last_bears_the_key() {
        let mut slot = Slot::new("field/x", look("old"));
        slot.show(500, 250, look("new"));
        let mut groups = Vec::new();
        slot.groups(&mut groups);
        let keys: Vec<_> = groups.iter().map(|g| (g.key.as_str(), g.class.as_str(), g.opacity)).collect();
        assert_eq!(keys, [("was/field/x", "old moves", 0.0), ("field/x", "new moves", 1.0)]);
        assert_eq!(groups[0].pose(0).0 + groups[1].pose(0).0, 1.0);
        assert_eq!(groups[1].pose(750).0, 1.0);
    }

    #[test]
    fn a_look_that_comes_back_is_one_group() {
        let mut slot = Slot::new("actor/x", look("idle"));
        for (ms, l) in [(100, "acting"), (300, "idle"), (350, "acting"), (600, "idle")] {
            slot.show(ms, 150, look(l));
        }
        let mut groups = Vec::new();
        slot.groups(&mut groups);
        assert_eq!(groups.len(), 2);
        assert_eq!((groups[0].key.as_str(), groups[0].motions.len()), ("actor/x", 4));
        for ms in [0, 120, 310, 330, 340, 400, 900] {
            let sum: f64 = groups.iter().map(|g| g.pose(ms).0).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{ms}: {sum}");
        }
    }

    #[test]
    fn a_thing_that_goes_keeps_its_key() {
        let mut slot = Slot::new("wire/a", Look::default());
        slot.show(0, 0, Look::default());
        slot.show(100, 150, look("wire"));
        slot.show(900, 150, Look::default());
        let mut groups = Vec::new();
        slot.groups(&mut groups);
        assert_eq!((groups.len(), groups[0].key.as_str(), groups[0].opacity), (1, "wire/a", 0.0));
    }
}
