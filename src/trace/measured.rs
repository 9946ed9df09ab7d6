//! When on a real cluster what a scenario tells happened: a recording's lines, found by the actions that explain them.

use super::recording::{Observation, Seen, read};
use super::{ReplayError, Scenario, Trace, explained};
use std::collections::BTreeMap;

/// Something that a recording shows, by the action of a scenario's run that it belongs to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Milestone {
    /// The id of the step of the run.
    pub action: String,
    /// Who did it, as the recording says.
    pub by: String,
    /// What was seen, in a few words.
    pub shows: String,
    /// When, in milliseconds from the first milestone.
    pub ms: u64,
}

/// A value longer than this is not repeated in a milestone's words.
const LONG: usize = 32;

/// The milestones that a recording has for a scenario's run (`trace`): where the model explains a line of it by an
/// action that the run has as often, that action's place in the run is the line's.
///
/// # Errors
/// When the recording is no run of the model.
pub fn milestones(scenario: &Scenario, trace: &Trace, text: &str) -> Result<Vec<Milestone>, ReplayError> {
    let past = explained(text)?;
    // The model's words leave out what it does not know; the values are the recording's own.
    let own: BTreeMap<usize, Observation> =
        read(text).map_err(ReplayError::Read)?.into_iter().map(|line| (line.line, line)).collect();
    // What the scenario takes as given has happened before its first step.
    let given = scenario.given_until.and_then(|last| past.iter().position(|done| done.action == last));
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut found: Vec<Milestone> = Vec::new();
    for done in past.iter().skip(given.map_or(0, |last| last + 1)) {
        let count = seen.entry(done.action).or_insert(0);
        *count += 1;
        let id = if *count == 1 { done.action.to_owned() } else { format!("{}-{count}", done.action) };
        if !trace.steps.iter().any(|step| step.id == id) {
            continue;
        }
        let told = done.lines.iter().filter_map(|line| {
            let shows = words(line, own.get(&line.line))?;
            Some(Milestone { action: id.clone(), by: line.by.clone(), shows, ms: line.t_ms })
        });
        found.extend(told);
    }
    found.sort_by_key(|milestone| milestone.ms);
    let start = found.first().map_or(0, |first| first.ms);
    found.iter_mut().for_each(|milestone| milestone.ms -= start);
    Ok(found)
}

/// What a line shows, without names that differ from cluster to cluster.
fn words(line: &Observation, own: Option<&Observation>) -> Option<String> {
    let kind = |object: &str| object.split('/').next().unwrap_or_default().to_owned();
    Some(match &line.what {
        Seen::Create(object, _) => format!("{} created", kind(object)),
        Seen::Delete(object) => format!("{} gone", kind(object)),
        Seen::Update(object, changes) => {
            let told = changes.iter().map(|(field, (_, to))| {
                let own = own.and_then(|own| match &own.what {
                    Seen::Update(_, changes) => changes.get(field),
                    _ => None,
                });
                change(field, own.map_or(to, |(_, to)| to).as_deref())
            });
            format!("{} {}", kind(object), told.collect::<Vec<_>>().join(", "))
        }
        Seen::Event(object, _, reason, _) => format!("Event {reason} about {}", kind(object)),
        Seen::Call(method, _) => format!("{method} called"),
        Seen::Rpc(method, code, _) => format!("{method}: {code}"),
        Seen::Mount(path) => format!("mount at …/{}", path.rsplit('/').next().unwrap_or_default()),
        Seen::Unmount(path) => format!("unmount of …/{}", path.rsplit('/').next().unwrap_or_default()),
        Seen::Given(..) | Seen::Note(_) => return None,
    })
}

/// A field and what became of it.
fn change(field: &str, to: Option<&str>) -> String {
    match to {
        None => format!("{field} gone"),
        Some(_) if field == "metadata.deletionTimestamp" => format!("{field} set"),
        Some(to) if to.len() > LONG || to.contains('^') || field == "metadata.finalizers" => field.to_owned(),
        Some(to) => format!("{field}: {to}"),
    }
}
