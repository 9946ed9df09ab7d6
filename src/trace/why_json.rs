//! Why something has not happened, as JSON.

use super::json::effect;
use super::{Why, goal_text, render};
use crate::model::{Explanation, Goal, Reason};
use serde_json::{Value, json};

impl Why<'_> {
    /// The explanation as indented JSON with a newline at its end, for a goal at a time in milliseconds.
    pub fn json(&self, goal: Goal, at_ms: u64) -> String {
        let (answer, steps, lacks, states) = match self.explanation {
            Explanation::Reached => ("reached", Vec::new(), Vec::new(), None),
            Explanation::Waits(reasons) => {
                ("waits", reasons.iter().map(|reason| self.step(reason)).collect(), Vec::new(), None)
            }
            Explanation::Never(refusals) => {
                let lacks = refusals.iter().map(|refusal| {
                    let action = refusal.action;
                    json!({"action": action.name(), "rule": action.rule(), "lacks": refusal.unmet.to_string()})
                });
                ("never", Vec::new(), lacks.collect(), None)
            }
            Explanation::TooFar(states) => ("too-far", Vec::new(), Vec::new(), Some(states)),
        };
        let why = json!({
            "mountpath": 1,
            "goal": goal_text(self.world, goal),
            "at_ms": at_ms,
            "answer": answer,
            "steps": steps,
            "never": lacks,
            "states": states,
        });
        format!("{why:#}\n")
    }

    fn step(&self, reason: &Reason) -> Value {
        let effects = reason.changes.iter().map(|change| effect(&render::effect(self.world, *change)));
        json!({
            "actor": self.actor(reason.by),
            "action": reason.action.name(),
            "rule": reason.action.rule(),
            "waits_for": reason.unmet.map(|unmet| unmet.to_string()),
            "released_by": reason.released_by.filter(|_| reason.unmet.is_some()).map(|place| place + 1),
            "since_ms": reason.since_ms,
            "tries_ms": reason.tries_ms,
            "until_ms": reason.until_ms,
            "within_ms": reason.within_ms(),
            "outside": reason.outside,
            "effects": effects.collect::<Vec<_>>(),
            "dangerous": reason.harms.iter().map(|harm| self.harm(*harm)).collect::<Vec<_>>(),
        })
    }
}
