//! How fast the model is: traces and states a second, and lines of recordings a second.
//!
//! `cargo bench --no-default-features --bench model`. The number of states a second can be held against stateright's own Paxos
//! example: in a checkout of stateright, `cargo run --release --example paxos -- check 2` prints its own.

use mountpath::model::{Action, Cluster, World, actions, next};
use mountpath::trace::{SCENARIOS, read, read_scenario, record_scenario, replay};
use stateright::{Checker, Model, Property};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long each thing is measured.
const SPAN: Duration = Duration::from_secs(2);

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
    type State = Cluster;
    type Action = Action;

    fn init_states(&self) -> Vec<Cluster> {
        vec![self.0.initial()]
    }

    fn actions(&self, state: &Cluster, found: &mut Vec<Action>) {
        found.extend(actions(&self.0, state));
    }

    fn next_state(&self, state: &Cluster, action: Action) -> Option<Cluster> {
        next(&self.0, state, action)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("it is a state", |_, _| true)]
    }
}

/// Does something again and again, and prints how many units of it a second there were in the best round.
fn measure(what: &str, unit: &str, mut round: impl FnMut() -> usize) {
    let mut best = 0.0_f64;
    let (start, mut rounds) = (Instant::now(), 0);
    while start.elapsed() < SPAN || rounds < 3 {
        let begin = Instant::now();
        let units = round();
        best = best.max(units as f64 / begin.elapsed().as_secs_f64());
        rounds += 1;
    }
    println!("{what:<44} {best:>12.0} {unit} a second  ({rounds} rounds)");
}

fn main() {
    let scenarios: Vec<_> =
        SCENARIOS.iter().map(|(name, text)| read_scenario(name, text).expect("a scenario")).collect();
    measure(&format!("record {} scenarios", scenarios.len()), "traces", || {
        scenarios.iter().map(|scenario| record_scenario(scenario).map_or(0, |_| 1)).sum()
    });
    let longest = scenarios.iter().map(|scenario| {
        let begin = Instant::now();
        record_scenario(scenario).expect("a run");
        (begin.elapsed(), &scenario.name)
    });
    if let Some((time, name)) = longest.max() {
        println!("slowest scenario: {time:.2?} for {name}");
    }
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
    let slowest = accepted.iter().map(|(name, text)| {
        let begin = Instant::now();
        replay(text).expect("accepted");
        (begin.elapsed(), name)
    });
    if let Some((time, name)) = slowest.max() {
        println!("slowest recording: {time:.2?} for {}", name.rsplit('/').next().unwrap_or(name));
    }
    let world = read_scenario("one", ONE_POD).expect("a scenario").world;
    measure("explore one Pod on two Nodes, breadth first", "unique states", || {
        Explored(world.clone()).checker().spawn_bfs().join().unique_state_count()
    });
}
