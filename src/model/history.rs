//! What has been so far: since when somebody waits, and when it comes due for them again.

use super::timing::{Past, When};
use super::{Action, Cluster, Unmet, World, apply, candidates, is_enabled};

/// A loop that beats faster than this many milliseconds is always about to look.
const SLOW_MS: u64 = 1_000;

/// A state, when it came to be and what led to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The simulated time in milliseconds.
    pub at_ms: u64,
    /// The state.
    pub cluster: Cluster,
    /// The action that led to it from the state before; `None` for the first, and where nobody with rules acted.
    pub did: Option<Action>,
}

/// When the operation began that an action belongs to, or last failed, and how often it failed in a row. `done` are the
/// actions before with their times, the last one first.
pub fn past(
    world: &World,
    cluster: &Cluster,
    done: impl Iterator<Item = (Action, u64)> + Clone,
    action: Action,
    when: When,
) -> Past {
    let link = action.link(world, cluster);
    // About the same volume and Node, or the same claim, volume or Pod.
    let same = |past: &Action| {
        past.subject() == action.subject() || (link.is_some() && past.link(world, cluster) == link)
    };
    // Few actions have one of the names, so that is asked first.
    let mine = |names: [&'static [&'static str]; 3]| {
        let named = move |past: &Action| {
            let name = past.name();
            names.iter().any(|names| names.contains(&name))
        };
        done.clone().filter(move |(past, _)| named(past) && same(past))
    };
    match when {
        When::Poll(names) | When::Since { names, .. } => {
            let began = mine([names, &[], &[]]).next();
            Past { began: began.map_or(0, |(_, at)| at), failures: 0 }
        }
        When::Backoff { failed, .. } => {
            let fails = |(past, _): &(Action, u64)| {
                failed.contains(&past.name()) && past.subject() == action.subject()
            };
            let mut failures = done.filter(fails);
            let began = failures.next();
            Past {
                began: began.map_or(0, |(_, at)| at),
                failures: u32::from(began.is_some()) + failures.count() as u32,
            }
        }
        When::Retry { fails, ends, .. } => row(mine([fails, ends, &[]]), fails, ends, &[]),
        When::RetryAfter { fails, ends, begun, .. } => row(mine([fails, ends, begun]), fails, ends, begun),
        When::OnCommand | When::After(_) | When::Every { .. } => Past::default(),
    }
}

/// The failures in a row of these actions, the last one first; none where an attempt is under way.
fn row(mine: impl Iterator<Item = (Action, u64)>, fails: &[&str], ends: &[&str], begun: &[&str]) -> Past {
    let is = |names: &[&str], past: &Action| names.contains(&past.name());
    let mut mine = mine.take_while(|(past, _)| !is(ends, past));
    match mine.find(|(past, _)| is(fails, past) || is(begun, past)) {
        Some((last, at)) if is(fails, &last) => {
            let before = mine.filter(|(past, _)| is(fails, past)).count() as u32;
            Past { began: at, failures: 1 + before }
        }
        Some(_) | None => Past::default(),
    }
}

/// What an action lacks in a state.
pub(super) fn lacks(world: &World, cluster: &Cluster, action: Action) -> Option<Unmet> {
    apply(world, cluster, action).err().map(|refusal| refusal.unmet)
}

/// Since when an action has lacked just this without a break; what has just happened begins anew.
pub(super) fn since(world: &World, past: &[Moment], action: Action, unmet: Option<Unmet>) -> Option<u64> {
    let mut found = None;
    for moment in past.iter().rev().take_while(|moment| lacks(world, &moment.cluster, action) == unmet) {
        found = Some(moment.at_ms);
        if moment.did == Some(action) {
            break;
        }
    }
    found
}

/// When its actor does it, where it is possible, or next tries it or looks; `None` where only something else makes it
/// act, or where it looks all the time.
pub(super) fn tries(world: &World, past: &[Moment], action: Action) -> Option<u64> {
    let now = past.last()?;
    let when = beating(world, past, action, action.when(world, &now.cluster));
    let behind = behind(world, past, action, when);
    if is_enabled(world, &now.cluster, action) {
        let since = since(world, past, action, None)?;
        return when.due(since, behind).map(|at| at.max(now.at_ms));
    }
    let looks = match when {
        When::Poll(_) => true,
        When::Every { period, .. } => period >= SLOW_MS,
        When::Retry { .. } | When::RetryAfter { .. } | When::Backoff { .. } => behind.failures > 0,
        When::OnCommand | When::After(_) | When::Since { .. } => false,
    };
    when.due(now.at_ms, behind).filter(|_| looks)
}

/// When the same actor gives up what it does about the same thing: a deadline that runs.
pub(super) fn until(world: &World, past: &[Moment], action: Action) -> Option<u64> {
    let now = past.last()?.cluster;
    let same = |other: &Action| other.role() == action.role() && other.subject() == action.subject();
    let deadlines = candidates(world).filter(same).filter(|other| is_enabled(world, &now, *other));
    let ends = deadlines.filter_map(|other| match other.when(world, &now) {
        when @ When::Since { .. } => {
            when.due(since(world, past, other, None)?, behind(world, past, other, when))
        }
        When::OnCommand
        | When::After(_)
        | When::Every { .. }
        | When::Poll(_)
        | When::Retry { .. }
        | When::RetryAfter { .. }
        | When::Backoff { .. } => None,
    });
    ends.min()
}

fn behind(world: &World, moments: &[Moment], action: Action, when: When) -> Past {
    let Some(now) = moments.last() else { return Past::default() };
    let done = moments.iter().rev().filter_map(|moment| Some((moment.did?, moment.at_ms)));
    past(world, &now.cluster, done, action, when)
}

/// A loop of seconds beats as it last did, where that was seen: no two clusters start theirs at one time.
fn beating(world: &World, past: &[Moment], action: Action, when: When) -> When {
    let When::Every { period, offset } = when else { return when };
    let Some(now) = past.last().filter(|_| period >= SLOW_MS) else { return when };
    let by = action.actor(&now.cluster);
    let beat = past.windows(2).rev().find_map(|pair| match pair {
        [before, Moment { at_ms, did: Some(did), .. }] => {
            let own = did.actor(&before.cluster) == by;
            let same = matches!(did.when(world, &before.cluster),
                When::Every { period: of, offset: at } if of == period && at == offset);
            (own && same).then_some(*at_ms)
        }
        _ => None,
    });
    When::Every { period, offset: beat.unwrap_or(offset) }
}
