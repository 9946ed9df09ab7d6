//! Everything that the runs with names name and say, for prose that tells of no single run.

use super::touched::effect_words;
use super::{Effect, RecordError, Run, SCENARIOS, StepGroup, record};
use std::collections::BTreeSet;

/// Kinds, names, fields, values, methods, codes, reasons, paths and messages of every run with a name.
///
/// # Errors
/// When a scenario cannot be recorded.
pub fn vocabulary() -> Result<BTreeSet<String>, RecordError> {
    let mut words = BTreeSet::new();
    for (name, _) in SCENARIOS {
        let trace = record(name)?;
        for effect in trace.given.iter().chain(trace.steps.iter().flat_map(|step| &step.effects)) {
            effect_words(effect, &mut words);
            words.extend(message(effect));
        }
        let groups = vec![StepGroup { cues: 0..trace.steps.len(), key: 0 }];
        words.extend(Run { trace, groups }.touched().into_iter().flat_map(|told| told.words));
    }
    Ok(words)
}

/// What an effect says in a sentence.
fn message(effect: &Effect) -> Option<String> {
    match effect {
        Effect::Event { message, .. } => Some(message.clone()),
        Effect::Rpc { message, .. } => message.clone(),
        Effect::Write { .. }
        | Effect::Create { .. }
        | Effect::Delete { .. }
        | Effect::Mount { .. }
        | Effect::Unmount { .. }
        | Effect::Device { .. } => None,
    }
}
