//! The rules as one function: from a state and an action to the next state and what was done, or a refusal.

use super::turn::{Turn, need};
use super::{Action, Cluster, Outcome, Refusal, Unmet, World};

/// Lets an action happen.
///
/// # Errors
/// When its rule does not allow it now: the first guard that does not hold.
pub fn apply(world: &World, cluster: &Cluster, action: Action) -> Result<Outcome, Refusal> {
    let mut turn = Turn::new(world, cluster, action.actor(cluster), false);
    match run(&mut turn, action) {
        Ok(()) => Ok(turn.finish()),
        Err(unmet) => Err(Refusal { action, unmet }),
    }
}

/// The state that an action leads to, for those who do not ask what was done; `None` when it is refused.
pub fn next(world: &World, cluster: &Cluster, action: Action) -> Option<Cluster> {
    let mut turn = Turn::new(world, cluster, action.actor(cluster), true);
    run(&mut turn, action).ok().map(|()| turn.end())
}

fn run(t: &mut Turn, action: Action) -> Result<(), Unmet> {
    // A process that is down does nothing.
    need(!t.cluster.down().contains(t.by), Unmet::ActorDown)?;
    action.run(t)
}

/// Every action that its rule allows now, in a fixed order.
pub fn actions(world: &World, cluster: &Cluster) -> Vec<Action> {
    candidates(world).filter(|action| next(world, cluster, *action).is_some()).collect()
}

/// Every action that could ever happen in a world, in the order in which ties are broken.
pub fn candidates(world: &World) -> impl Iterator<Item = Action> + '_ {
    world.candidates().iter().copied()
}
