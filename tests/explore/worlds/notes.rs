//! What an exploration keeps: the steps between states, what each state is good for, and everything that was said.

use super::{ends, laws};
use mountpath::model::{
    Action, Change, Cluster, EventId, Field, Finalizer, FinalizerSet, Kind, ObjectId, Outcome, Role, Value,
    World,
};
use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Under way: stateright asks for the steps of one state after the other, in the order in which it has found them.
pub struct Notes {
    numbers: HashMap<u64, u32>,
    /// How many states were entered; the last of them has the number below.
    entered: u32,
    /// From a state to a state.
    steps: Vec<(u32, u32)>,
    /// For each state, from where and by what it was reached first.
    first: Vec<Option<(u32, Action)>>,
    /// For each state, what it is: see `ends`.
    kinds: Vec<u16>,
    seen: Seen,
    breach: Option<(&'static str, u32, Action)>,
    /// Nothing is noted any more: stateright only tells a way once more.
    closed: bool,
}

/// What an exploration has seen.
#[derive(Clone, Default)]
pub struct Seen {
    /// How many states there are.
    pub states: usize,
    /// How many of them cannot reach one in which nothing is left.
    pub stuck: usize,
    /// In how many of them there is a Pod, which nobody has deleted, that will never run.
    pub lost: usize,
    /// Every Event, with the object it is about and who sent it.
    pub events: BTreeSet<(ObjectId, EventId, Role)>,
    /// Every write.
    pub writes: BTreeSet<(ObjectId, Field, Value, Role)>,
    /// The name of every action.
    pub names: BTreeSet<&'static str>,
    /// Finalizers that somebody put on an object.
    pub added: BTreeSet<(Kind, Finalizer)>,
    /// Those that an actor took off again.
    pub lifted: BTreeSet<(Kind, Finalizer)>,
    /// The shortest way to each thing that comes about sometimes.
    pub shortest: Vec<(&'static str, Vec<Action>)>,
    /// The law that a step broke.
    pub broken: Option<&'static str>,
    /// How it came to that.
    pub way_to_breach: Vec<Action>,
    /// The first state from which nothing good can come any more, and how it is reached.
    pub way_to_stuck: Vec<Action>,
    /// The same for a Pod that never runs.
    pub way_to_lost: Vec<Action>,
}

impl Seen {
    /// The numbers that a test pins: states, states with something left for good, states with a Pod that never runs.
    pub fn counts(&self) -> (usize, usize, usize) {
        (self.states, self.stuck, self.lost)
    }

    /// Whether something came about.
    pub fn came_to(&self, name: &str) -> bool {
        self.shortest.iter().any(|(found, _)| *found == name)
    }

    /// The shortest way to what comes about sometimes.
    pub fn way_to(&self, name: &str) -> &[Action] {
        self.shortest.iter().find(|(found, _)| *found == name).map_or(&[], |(_, way)| way)
    }
}

fn fingerprint(state: &Cluster) -> u64 {
    let mut hasher = DefaultHasher::new();
    state.hash(&mut hasher);
    hasher.finish()
}

impl Notes {
    pub fn new(start: &Cluster) -> Self {
        Self {
            numbers: HashMap::from([(fingerprint(start), 0)]),
            entered: 0,
            steps: Vec::new(),
            first: vec![None],
            kinds: Vec::new(),
            seen: Seen::default(),
            breach: None,
            closed: false,
        }
    }

    /// The steps from a state of this kind come next.
    pub fn enter(&mut self, kind: u16) {
        if self.closed {
            return;
        }
        self.entered += 1;
        self.kinds.push(kind);
    }

    /// Whether this has come about already.
    pub fn knows(&self, name: &str) -> bool {
        self.closed || self.seen.came_to(name)
    }

    /// This comes about in the state that was entered last: it is the nearest to the start.
    pub fn comes_to(&mut self, name: &'static str) {
        let way = self.way(self.entered - 1);
        self.seen.shortest.push((name, way));
    }

    /// A step from the state that was entered last.
    pub fn step(&mut self, world: &World, before: &Cluster, action: Action, outcome: &Outcome) {
        if self.closed {
            return;
        }
        let from = self.entered - 1;
        if self.breach.is_none() {
            let broken = laws::STEPS.iter().find(|(_, holds)| !holds(world, before, action, outcome));
            self.breach = broken.map(|(law, _)| (*law, from, action));
        }
        let count = self.first.len() as u32;
        let to = *self.numbers.entry(fingerprint(&outcome.cluster)).or_insert(count);
        if to == count {
            self.first.push(Some((from, action)));
        }
        if from != to {
            self.steps.push((from, to));
        }
        self.seen.names.insert(action.name());
        for change in &outcome.changes {
            self.note(*change);
        }
    }

    fn note(&mut self, change: Change) {
        match change {
            Change::Event { object, event, by } => {
                self.seen.events.insert((object, event, by.role));
            }
            Change::Write { object, field, from, to, by } => {
                self.seen.writes.insert((object, field, to, by.role));
                if field == Field::Finalizers {
                    let (from, to) = (set(from), set(to));
                    for finalizer in Finalizer::ALL {
                        let pair = (object.kind(), finalizer);
                        match (from.contains(finalizer), to.contains(finalizer)) {
                            (false, true) => self.seen.added.insert(pair),
                            (true, false) if by.role != Role::User => self.seen.lifted.insert(pair),
                            _ => false,
                        };
                    }
                }
            }
            Change::Create { .. }
            | Change::Delete { .. }
            | Change::Call { .. }
            | Change::Mount { .. }
            | Change::Device { .. } => {}
        }
    }

    /// Everything is visited.
    pub fn finish(&mut self) -> Seen {
        self.closed = true;
        let mut seen = std::mem::take(&mut self.seen);
        seen.states = self.first.len();
        if let Some((law, from, action)) = self.breach {
            seen.broken = Some(law);
            seen.way_to_breach = self.way(from);
            seen.way_to_breach.push(action);
            return seen;
        }
        let ends = ends::Ends::of(&self.kinds, &self.steps);
        seen.stuck = ends.stuck.len();
        seen.lost = ends.lost.len();
        seen.way_to_stuck = ends.stuck.first().map(|number| self.way(*number)).unwrap_or_default();
        seen.way_to_lost = ends.lost.first().map(|number| self.way(*number)).unwrap_or_default();
        seen
    }

    /// The shortest way to a state.
    fn way(&self, number: u32) -> Vec<Action> {
        let mut way = Vec::new();
        let mut at = number;
        while let Some((before, action)) = self.first[at as usize] {
            way.push(action);
            at = before;
        }
        way.reverse();
        way
    }
}

fn set(value: Value) -> FinalizerSet {
    match value {
        Value::Finalizers(set) => set,
        _ => FinalizerSet::default(),
    }
}
