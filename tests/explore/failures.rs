//! Each failure of the volume path, asked for one by one: in which small world it comes about; and whether every Event
//! that the model knows is ever told.

use crate::worlds::failing::{self, Made};
use crate::worlds::{Seen, kinds, on_two_threads, stuck, text};
use mountpath::model::{Finalizer, Kind, REASONS, Role, World};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::OnceLock;

/// Which failure shows in which world and by what, which Events no world tells, and what other worlds are there for.
fn table() -> &'static str {
    static TABLE: OnceLock<String> = OnceLock::new();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/explore/worlds/failures.txt");
    TABLE.get_or_init(|| std::fs::read_to_string(path).expect("the table of failures"))
}

/// Failures have these ids; `G` is one for all snapshots.
const IDS: &[(&str, u8)] =
    &[("A", 14), ("B", 17), ("C", 15), ("D", 22), ("E", 18), ("F", 9), ("G", 0), ("H", 6), ("I", 4)];

struct Visited {
    world: World,
    seen: Seen,
}

impl Visited {
    /// What was seen, a line each, as the table of failures spells it.
    fn lines(&self) -> BTreeSet<String> {
        let events = self
            .seen
            .events
            .iter()
            .map(|(object, event, _)| format!("event {}", text::event(&self.world, *object, *event)));
        let writes = self.seen.writes.iter().map(|(object, field, value, _)| {
            format!("write {}", text::write(&self.world, *object, *field, *value))
        });
        let actions = self.seen.names.iter().map(|name| format!("action {name}"));
        let states = self.seen.shortest.iter().map(|(name, _)| format!("state {name}"));
        events.chain(writes).chain(actions).chain(states).collect()
    }
}

/// Every world of the table, visited once for all tests.
fn visited() -> &'static BTreeMap<&'static str, Visited> {
    static VISITED: OnceLock<Result<BTreeMap<&'static str, Visited>, String>> = OnceLock::new();
    VISITED.get_or_init(visit).as_ref().unwrap_or_else(|broken| panic!("{broken}"))
}

fn visit() -> Result<BTreeMap<&'static str, Visited>, String> {
    let worlds: Vec<&(&str, Made)> = failing::all().collect();
    let done = on_two_threads(&worlds, |(name, made)| {
        let states =
            rows().filter(|(_, world, _)| world == name).filter_map(|(.., what)| what.strip_prefix("state "));
        let explored =
            states.map(stuck::named).fold(made(), |explored, (name, is)| explored.sometimes(name, is));
        let world = explored.world.clone();
        let checked = explored.check().map_err(|broken| format!("{name}: {broken}"));
        checked.map(|seen| (*name, Visited { world, seen }))
    });
    let broken: Vec<String> = done.iter().filter_map(|one| one.as_ref().err().cloned()).collect();
    if broken.is_empty() { done.into_iter().collect() } else { Err(broken.join("\n")) }
}

/// The rows of the table: id, world or `-`, and what is seen or why not.
fn rows() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    all_rows().filter(|(id, ..)| !["Event", "World"].contains(id))
}

/// The rows about Events that no world tells, or about worlds that are there for other things.
fn others(what: &'static str) -> impl Iterator<Item = &'static str> {
    all_rows().filter(move |(id, ..)| *id == what).map(|(_, name, _)| name)
}

fn all_rows() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let rows = table().lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| {
        let mut parts = line.splitn(3, " | ");
        let mut part = || parts.next().unwrap_or_else(|| panic!("ID | world | what: {line}"));
        (part(), part(), part())
    })
}

#[test]
fn every_failure_is_reachable_where_the_table_says() {
    let lines: BTreeMap<&str, BTreeSet<String>> =
        visited().iter().map(|(name, visited)| (*name, visited.lines())).collect();
    let mut wrong = Vec::new();
    for (id, world, what) in rows().filter(|(_, world, _)| *world != "-") {
        let Some(lines) = lines.get(world) else {
            wrong.push(format!("{id}: there is no world {world}"));
            continue;
        };
        if let Some(name) = what.strip_prefix("never ") {
            if lines.contains(&format!("action {name}")) {
                wrong.push(format!("{id}: {name} happens in {world}"));
            }
        } else if !lines.iter().any(|line| text::fits(line, what)) {
            let word = what.split(' ').take(3).collect::<Vec<_>>().join(" ");
            let near: Vec<&String> = lines.iter().filter(|line| line.starts_with(&word)).take(12).collect();
            wrong.push(format!("{id} does not show in {world} by {what}, but {near:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_table_has_every_failure() {
    let listed: BTreeSet<&str> = rows().map(|(id, ..)| id).collect();
    let all: BTreeSet<String> = IDS
        .iter()
        .flat_map(|(letter, last)| match last {
            0 => vec![(*letter).to_owned()],
            last => (1..=*last).map(|number| format!("{letter}{number}")).collect(),
        })
        .collect();
    assert_eq!(listed, all.iter().map(String::as_str).collect());
    for (id, world, _) in rows().filter(|(_, world, _)| *world == "-") {
        assert_eq!(
            rows().filter(|(other, ..)| *other == id).count(),
            1,
            "{id} shows, and it does not: {world}"
        );
    }
    let used: BTreeSet<&str> = rows().map(|(_, world, _)| world).collect();
    let idle: Vec<&str> = failing::all().map(|(name, _)| *name).filter(|name| !used.contains(name)).collect();
    assert_eq!(idle, others("World").collect::<Vec<_>>(), "worlds that no failure needs");
}

/// How many states each world has, how many with something left for ever, how many with a Pod that never runs.
#[test]
fn the_worlds_are_as_large_as_they_were() {
    let mut told =
        String::from("# world: states, with something left for ever, with a Pod that never runs\n");
    for (name, visited) in visited() {
        let (states, stuck, lost) = visited.seen.counts();
        let _ = writeln!(told, "{name}: {states}, {stuck}, {lost}");
    }
    text::golden("explore-failures.txt", &told);
}

#[test]
fn every_event_is_told_somewhere() {
    let events = || visited().values().flat_map(|visited| visited.seen.events.iter());
    let told: BTreeSet<&str> = events().flat_map(|(_, event, _)| kinds::of(*event)).collect();
    let never: Vec<&str> = kinds::all().filter(|kind| !told.contains(kind)).collect();
    assert_eq!(never, others("Event").collect::<Vec<_>>(), "Events that no world tells");
    let told: BTreeSet<(Role, &str)> = visited()
        .values()
        .flat_map(|visited| {
            visited.seen.events.iter().map(|(_, event, by)| (*by, event.text(&visited.world).1))
        })
        .collect();
    let never: Vec<_> = REASONS.iter().filter(|reason| !told.contains(reason)).collect();
    assert!(never.is_empty(), "reasons that no world tells: {never:?}");
}

#[test]
fn every_finalizer_that_is_added_is_one_that_some_actor_lifts() {
    let all = |of: fn(&Seen) -> &BTreeSet<(Kind, Finalizer)>| {
        visited().values().flat_map(|visited| of(&visited.seen).iter().copied()).collect::<BTreeSet<_>>()
    };
    let (added, lifted) = (all(|seen| &seen.added), all(|seen| &seen.lifted));
    let held: Vec<_> = added.difference(&lifted).collect();
    assert!(held.is_empty(), "nobody lifts {held:?}");
    let put: BTreeSet<Finalizer> = added.iter().map(|(_, finalizer)| *finalizer).collect();
    let never: Vec<_> = Finalizer::ALL.into_iter().filter(|finalizer| !put.contains(finalizer)).collect();
    assert_eq!(never, [Finalizer::Foreign], "finalizers that nobody adds");
}
