//! How fast the model is: traces and states a second, and lines of recordings a second.
//!
//! `cargo bench --no-default-features --bench model`. States a second are counted by the same checker, on one thread, for
//! single-decree Paxos too, which its users know: the two figures are of one machine and one moment.

mod paxos;

use mountpath::model::{Action, Cluster, World, next, promising_rows};
use mountpath::trace::{SCENARIOS, read, read_scenario, record_scenario, replay};
use stateright::{Checker, Model, Property};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long each thing is measured.
const SPAN: Duration = Duration::from_millis(1000);

/// One Pod and two Nodes that it may land on: a world of which every state is explored in the tests too.
const ONE_POD: &str = "
[[nodes]]
name = \"node-1\"
[[nodes]]
name = \"node-2\"
[[claims]]
name = \"data\"
given = true
volume = \"pvc-1\"
[[volumes]]
name = \"pvc-1\"
handle = \"vol-1\"
claim = \"data\"
[[pods]]
name = \"app\"
claim = \"data\"
";

struct Explored(World);

impl Model for Explored {
    // What waits to be looked at is handed on by its address.
    type State = Box<Cluster>;
    type Action = Action;

    fn init_states(&self) -> Vec<Box<Cluster>> {
        vec![Box::new(self.0.initial())]
    }

    fn actions(&self, state: &Box<Cluster>, found: &mut Vec<Action>) {
        // What is not possible now has no next state, so that each rule is asked once.
        for row in promising_rows(&self.0, state) {
            found.extend(row.actions());
        }
    }

    fn next_state(&self, state: &Box<Cluster>, action: Action) -> Option<Box<Cluster>> {
        next(&self.0, state, action).map(Box::new)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(
                "a ReadWriteOnce volume is attached to one Node at most",
                |m: &Self, s: &Self::State| {
                    m.0.links().filter(|link| s.place(*link).real.published).count() <= 1
                },
            ),
            Property::always("a mount has its device", |m: &Self, s: &Self::State| {
                m.0.links()
                    .map(|link| s.place(link).real)
                    .all(|real| real.device || (!real.staged && real.targets.is_empty()))
            }),
        ]
    }
}

/// The processor time that this process has used, where the system tells it: other work on the machine does not
/// count then.
fn used() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let fields = stat.rsplit(')').next()?.split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Some(Duration::from_millis(ticks * 10))
}

/// Does something again and again, and prints how many units of it there were a second of processor time, and by the
/// clock in the best round.
fn measure(what: &str, unit: &str, mut round: impl FnMut() -> usize) {
    let (mut best, mut all) = (0.0_f64, 0);
    let (start, before, mut rounds) = (Instant::now(), used(), 0);
    while start.elapsed() < SPAN || rounds < 3 {
        let begin = Instant::now();
        let units = round();
        best = best.max(units as f64 / begin.elapsed().as_secs_f64());
        all += units;
        rounds += 1;
    }
    let spent = used().zip(before).map_or(start.elapsed(), |(now, before)| now - before);
    let pure = all as f64 / spent.as_secs_f64();
    println!("{what:<44} {pure:>9.0} {unit} a second  ({best:.0} by the clock)");
}

/// Does each of these things a few times, and prints those that take longest even in their best round.
fn slowest<'n>(things: impl Iterator<Item = (&'n str, impl Fn())>) {
    let mut times: Vec<(Duration, &str)> = things
        .map(|(name, act)| {
            let rounds = (0..9).map(|_| {
                let begin = Instant::now();
                act();
                begin.elapsed()
            });
            (rounds.min().unwrap_or_default(), name)
        })
        .collect();
    times.sort();
    for (time, name) in times.iter().rev().take(5) {
        println!("{name:<44} {:>9.2} ms, the best of nine", time.as_secs_f64() * 1000.0);
    }
}

fn main() {
    println!("a state takes {} bytes", size_of::<Cluster>());
    let scenarios: Vec<_> =
        SCENARIOS.iter().map(|(name, text)| read_scenario(name, text).expect("a scenario")).collect();
    measure(&format!("record {} scenarios", scenarios.len()), "traces", || {
        scenarios.iter().map(|scenario| record_scenario(scenario).map_or(0, |_| 1)).sum()
    });
    slowest(scenarios.iter().map(|scenario| (scenario.name.as_str(), || drop(record_scenario(scenario)))));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings");
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("recordings").map(|f| f.expect("a file").path()).collect();
    files.sort();
    let texts: Vec<(String, String)> = files
        .iter()
        .filter(|path| path.extension().is_some_and(|ext| ext == "jsonl"))
        .map(|path| (path.display().to_string(), fs::read_to_string(path).expect("a recording")))
        .collect();
    let accepted: Vec<&(String, String)> = texts.iter().filter(|(_, text)| replay(text).is_ok()).collect();
    let lines = |text: &str| read(text).map_or(0, |seen| seen.len());
    measure(&format!("replay {} accepted recordings", accepted.len()), "lines", || {
        let all = accepted.iter().map(|(_, text)| {
            replay(text).expect("accepted");
            lines(text)
        });
        all.sum()
    });
    slowest(
        accepted.iter().map(|(name, text)| (name.rsplit('/').next().unwrap_or(name), || drop(replay(text)))),
    );
    let world = read_scenario("one", ONE_POD).expect("a scenario").world;
    let explore = || {
        let checker = Explored(world.clone()).checker().spawn_bfs().join();
        checker.assert_properties();
        (checker.state_count(), checker.unique_state_count())
    };
    for (what, (states, unique)) in [("one Pod on two Nodes", explore()), ("Paxos", paxos::explore())] {
        println!("{what}: {states} states generated, {unique} of them unique");
    }
    // By turns, so that whatever else the machine does meets both.
    for _ in 0..3 {
        measure("explore one Pod on two Nodes", "unique states", || explore().1);
        measure("explore single-decree Paxos", "unique states", || paxos::explore().1);
    }
}
