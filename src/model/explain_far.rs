//! A way to a goal that is far off: everybody in the cluster does what they can, then one thing comes from outside.

use super::explain::is_outside;
use super::harm::harms;
use super::{Action, Cluster, Goal, Visited, World, next, promising};
use std::collections::{BTreeSet, VecDeque};

/// States that are looked at before the way counts as too long.
const MOST_STATES: usize = 20_000;

/// A harmless way to a goal with as little from outside as possible, without a step that it can do without; `None`
/// where none is found so.
pub(super) fn far(
    world: &World,
    from: &Cluster,
    goal: Goal,
    actions: &BTreeSet<Action>,
) -> Option<Vec<Action>> {
    let mut visited: Visited<Cluster> = Visited::default();
    visited.insert(*from);
    let mut open = VecDeque::from([(*from, Vec::new())]);
    while let Some((mut now, mut way)) = open.pop_front() {
        loop {
            if goal.holds(world, &now) {
                return Some(shortest(world, from, goal, way));
            }
            let (inside, _) = steps(world, &now, actions);
            let Some((action, then)) = inside.into_iter().find(|(_, then)| visited.place(then).is_none())
            else {
                break;
            };
            visited.insert(then);
            now = then;
            way.push(action);
        }
        if visited.len() > MOST_STATES {
            return None;
        }
        for (action, then) in steps(world, &now, actions).1 {
            if visited.insert(then) {
                let mut way = way.clone();
                way.push(action);
                open.push_back((then, way));
            }
        }
    }
    None
}

type Steps = Vec<(Action, Cluster)>;

/// The harmless steps from a state: those of the cluster's actors, and those from outside.
fn steps(world: &World, now: &Cluster, actions: &BTreeSet<Action>) -> (Steps, Steps) {
    let bad = harms(world, now);
    let mine = promising(world, now).filter(|action| actions.contains(action));
    let steps = mine.filter_map(|action| Some((action, next(world, now, action)?)));
    let harmless = steps.filter(|(_, then)| harms(world, then).iter().all(|harm| bad.contains(harm)));
    harmless.partition(|(action, _)| !is_outside(*action))
}

/// The way without the steps that the others do not need, looked at from its end.
fn shortest(world: &World, from: &Cluster, goal: Goal, mut way: Vec<Action>) -> Vec<Action> {
    let bad = harms(world, from);
    for place in (0..way.len()).rev() {
        let rest = || way.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, action)| *action);
        let end = rest().try_fold(*from, |now, action| {
            let then = next(world, &now, action)?;
            harms(world, &then).iter().all(|harm| bad.contains(harm)).then_some(then)
        });
        if end.is_some_and(|end| goal.holds(world, &end)) {
            way = rest().collect();
        }
    }
    way
}
