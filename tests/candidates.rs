//! What is passed over as hopeless is truly not possible: in every state that recordings go through, and around it.

use mountpath::model::{Action, Cluster, World, actions, candidates, is_enabled, next};
use mountpath::trace::replay_until;
use std::collections::BTreeSet;
use std::path::Path;

fn every(world: &World, state: &Cluster) -> Vec<Action> {
    candidates(world).filter(|action| is_enabled(world, state, *action)).collect()
}

#[test]
fn what_is_passed_over_is_not_possible() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings");
    let (mut looked, mut worlds) = (0, 0);
    for file in std::fs::read_dir(folder).expect("the recordings") {
        let path = file.expect("a file").path();
        if path.extension().is_none_or(|ext| ext != "jsonl") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a recording");
        let Ok(standing) = replay_until(&text, usize::MAX) else { continue };
        let world = &standing.world;
        let seen: BTreeSet<Cluster> = standing.past.iter().map(|moment| moment.cluster).collect();
        worlds += 1;
        for state in &seen {
            let possible = every(world, state);
            assert_eq!(actions(world, state), possible, "{}", path.display());
            let beside = possible.iter().step_by(3).filter_map(|action| next(world, state, *action));
            for other in beside.take(8) {
                assert_eq!(actions(world, &other), every(world, &other), "{}", path.display());
                looked += 1;
            }
        }
    }
    assert!(worlds > 50 && looked > 5_000, "{looked} states of {worlds} worlds");
}
