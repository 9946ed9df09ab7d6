//! The rules as one function: from a state and an action to the next state and what was done, or a refusal.

use super::Absent;
use super::candidates::Row;
use super::turn::{Notes, Turn, need};
use super::{Action, Cluster, Outcome, Refusal, Unmet, World};

/// Lets an action happen.
///
/// # Errors
/// When its rule does not allow it now: the first guard that does not hold.
pub fn apply(world: &World, cluster: &Cluster, action: Action) -> Result<Outcome, Refusal> {
    let (mut after, mut notes) = (None, Notes::default());
    let mut turn = Turn::new(world, cluster, &mut after, action, Some(&mut notes));
    run(&mut turn, action).map_err(|unmet| Refusal { action, unmet })?;
    Ok(Outcome { cluster: after.unwrap_or(*cluster), changes: notes.changes, reads: notes.reads })
}

/// The state that an action leads to, for those who do not ask what was done; `None` when it is refused.
#[inline]
pub fn next(world: &World, cluster: &Cluster, action: Action) -> Option<Cluster> {
    let mut after = None;
    run(&mut Turn::new(world, cluster, &mut after, action, None), action).ok()?;
    // A state is large: it is copied only where the rule has not done so.
    if after.is_none() {
        after = Some(*cluster);
    }
    after
}

/// Whether its rule lets an action happen.
pub fn is_enabled(world: &World, cluster: &Cluster, action: Action) -> bool {
    run(&mut Turn::new(world, cluster, &mut None, action, None), action).is_ok()
}

fn run(t: &mut Turn, action: Action) -> Result<(), Unmet> {
    // A process that is down does nothing.
    let down = t.cluster.down();
    need(down.is_empty() || !down.contains(t.by()), Unmet::ActorDown)?;
    action.run(t)
}

/// Every action that its rule allows now, in a fixed order.
pub fn actions(world: &World, cluster: &Cluster) -> Vec<Action> {
    promising(world, cluster).filter(|action| is_enabled(world, cluster, *action)).collect()
}

/// Every action that could ever happen in a world, in the order in which ties are broken.
pub fn candidates(world: &World) -> impl Iterator<Item = Action> + '_ {
    world.candidates().iter().flat_map(Row::actions)
}

/// The candidates in rows about one thing each.
pub fn rows(world: &World) -> impl Iterator<Item = &Row> {
    world.candidates().iter()
}

/// The candidates without those about something of which there is nothing yet: none of these is possible.
pub fn promising<'w>(world: &'w World, cluster: &Cluster) -> impl Iterator<Item = Action> + use<'w> {
    promising_rows(world, cluster).flat_map(Row::actions)
}

/// The same in rows.
pub fn promising_rows<'w>(world: &'w World, cluster: &Cluster) -> impl Iterator<Item = &'w Row> + use<'w> {
    let absent = Absent::of(world, cluster);
    world.candidates().iter().filter(move |row| !row.rests(absent))
}
