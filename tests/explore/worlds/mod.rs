//! Exploring a world with stateright: every reachable state is held against the laws, and the steps between them are kept.
#![allow(dead_code, unused_imports, reason = "each test takes what it needs")]

pub mod broken;
pub mod ends;
pub mod failing;
pub mod kinds;
pub mod laws;
pub mod made;
pub mod notes;
pub mod stuck;
pub mod text;

use mountpath::model::{Action, Cluster, World, actions, apply, candidates, next, promising};
use notes::Notes;
pub use notes::Seen;
use stateright::{Checker, Model, Property};
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Few worlds have more steps.
const MOST_STEPS: usize = 1_500_000;

/// Whether to take the time for every detail: `MOUNTPATH_EXPLORE=large`.
pub fn large() -> bool {
    std::env::var("MOUNTPATH_EXPLORE").is_ok_and(|size| size == "large")
}

/// Whether a possible action is looked at.
pub type Choice = Box<dyn Fn(&World, &Cluster, &Action) -> bool + Send + Sync>;

/// Something that a state is or is not.
pub type Is = fn(&Explored, &Cluster) -> bool;

/// Works on all of these on two threads; the results are in their order.
pub fn on_two_threads<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let some = || {
        let mut done = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(place) else { return done };
            done.push((place, work(item)));
        }
    };
    let mut done = std::thread::scope(|scope| {
        let other = scope.spawn(some);
        let mut done = some();
        done.extend(other.join().expect("the other thread's part"));
        done
    });
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, result)| result).collect()
}

/// A world, from where it is explored, and what of it.
pub struct Explored {
    pub world: World,
    pub start: Cluster,
    choice: Choice,
    /// These happen as soon as they can, one by one: nothing else comes before them.
    hasty: HashSet<Action>,
    /// What comes after such a state is not looked at.
    last: Option<Is>,
    /// What a good end is.
    clean: fn(&World, &Cluster) -> bool,
    always: Vec<(&'static str, Is)>,
    sometimes: Vec<(&'static str, Is)>,
    notes: Mutex<Notes>,
    /// No more steps than this, so that a test never takes minutes.
    most: usize,
}

impl Explored {
    /// A world from its start on, with everything that can happen in it.
    pub fn new(world: World) -> Self {
        let start = world.initial();
        let notes = Mutex::new(Notes::new(&start));
        let choice: Choice = Box::new(|_, _, _| true);
        let (always, sometimes) = (Vec::new(), Vec::new());
        let (hasty, last, clean) = (HashSet::new(), None, ends::is_clean as fn(&World, &Cluster) -> bool);
        let most = MOST_STEPS;
        Self { world, start, choice, hasty, last, clean, always, sometimes, notes, most }
    }

    /// From this state on.
    pub fn from(mut self, start: Cluster) -> Self {
        self.notes = Mutex::new(Notes::new(&start));
        self.start = start;
        self
    }

    /// Of what can happen, only this.
    pub fn only(
        mut self,
        choice: impl Fn(&World, &Cluster, &Action) -> bool + Send + Sync + 'static,
    ) -> Self {
        let before = std::mem::replace(&mut self.choice, Box::new(|_, _, _| true));
        self.choice = Box::new(move |world, state, action| {
            before(world, state, action) && choice(world, state, action)
        });
        self
    }

    /// What happens inside of one process happens at once, where it can.
    pub fn hasty(mut self, names: &[&str]) -> Self {
        self.hasty.extend(candidates(&self.world).filter(|action| names.contains(&action.name())));
        self
    }

    /// No more steps than this.
    pub fn at_most(mut self, steps: usize) -> Self {
        self.most = steps;
        self
    }

    /// Nothing is looked at after such a state.
    pub fn until(mut self, last: Is) -> Self {
        self.last = Some(last);
        self
    }

    /// It ends well in such states, not only in those in which nothing is left.
    pub fn ends_in(mut self, clean: fn(&World, &Cluster) -> bool) -> Self {
        self.clean = clean;
        self
    }

    /// A law of this world beside those of all.
    pub fn always(mut self, name: &'static str, holds: Is) -> Self {
        self.always.push((name, holds));
        self
    }

    /// Something that comes about in this world.
    pub fn sometimes(mut self, name: &'static str, holds: Is) -> Self {
        self.sometimes.push((name, holds));
        self
    }

    /// Visits every reachable state; the laws hold in all of them, and what comes about sometimes does.
    pub fn run(self) -> Seen {
        self.check().unwrap_or_else(|broken| panic!("{broken}"))
    }

    /// The same; else which law does not hold after what.
    pub fn check(self) -> Result<Seen, String> {
        let most = if large() { usize::MAX } else { self.most };
        let checker = self.checker().target_state_count(most).spawn_bfs().join();
        if checker.state_count() >= most {
            return Err(format!("more than {most} steps: make the world smaller"));
        }
        let explored = checker.model();
        let seen = explored.notes().finish();
        if let Some(law) = &seen.broken {
            return Err(format!("{law}: not after\n{}", text::story(explored, &seen.way_to_breach)));
        }
        for (law, path) in checker.discoveries() {
            if !explored.sometimes.iter().any(|(name, _)| *name == law) {
                return Err(format!("{law}: not after\n{}", text::story(explored, &path.into_actions())));
            }
        }
        for (name, _) in &explored.sometimes {
            if checker.discovery(name).is_none() || !seen.came_to(name) {
                return Err(format!("never: {name}"));
            }
        }
        assert_eq!(checker.unique_state_count(), seen.states, "stateright and this count the same states");
        Ok(seen)
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first of the hasty actions that can happen and changes something.
    fn hurries(&self, state: &Cluster) -> Option<Action> {
        if self.hasty.is_empty() {
            return None;
        }
        let mut hasty = promising(&self.world, state).filter(|action| self.hasty.contains(action));
        hasty.find(|action| {
            (self.choice)(&self.world, state, action)
                && next(&self.world, state, *action).is_some_and(|after| after != *state)
        })
    }

    /// What can happen in a state, of what is looked at.
    pub fn enabled(&self, state: &Cluster) -> Vec<Action> {
        if let Some(action) = self.hurries(state) {
            return vec![action];
        }
        let all = actions(&self.world, state).into_iter();
        all.filter(|action| (self.choice)(&self.world, state, action)).collect()
    }
}

impl Model for Explored {
    type State = Cluster;
    type Action = Action;

    fn init_states(&self) -> Vec<Cluster> {
        vec![self.start]
    }

    fn actions(&self, state: &Cluster, found: &mut Vec<Action>) {
        let mut notes = self.notes();
        notes.enter(ends::kind(&self.world, state, self.clean));
        for (name, is) in &self.sometimes {
            if !notes.knows(name) && is(self, state) {
                notes.comes_to(name);
            }
        }
        drop(notes);
        if self.last.is_some_and(|last| last(self, state)) {
            return;
        }
        match self.hurries(state) {
            Some(action) => found.push(action),
            // Those that are not possible have no next state, so each rule is asked once.
            None => found.extend(promising(&self.world, state)),
        }
    }

    fn next_state(&self, state: &Cluster, action: Action) -> Option<Cluster> {
        let outcome = apply(&self.world, state, action).ok()?;
        if !(self.choice)(&self.world, state, &action) {
            return None;
        }
        self.notes().step(&self.world, state, action, &outcome);
        Some(outcome.cluster)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let always = laws::STATES.iter().chain(&self.always).map(|(name, is)| Property::always(name, *is));
        always.chain(self.sometimes.iter().map(|(name, is)| Property::sometimes(name, *is))).collect()
    }
}
