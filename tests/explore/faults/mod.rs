//! One fault of each kind, in small worlds for each binding mode and access mode: a claim is made, used by a Pod and
//! deleted, by a driver that attaches; and where it is about attaching, a second Pod waits on a second Node. The laws
//! hold, and it ends well wherever the fault does not say why not.

mod rows;

use crate::worlds::broken::pinned;
use crate::worlds::made::{self, bound, unstaged, whole, world};
use crate::worlds::{Explored, large, on_two_threads, text};
use mountpath::model::{AccessMode, Action, BindingMode, Cluster, Parts, Presence, Runtime, World, user};
use rows::Row;
use std::fmt::Write as _;

/// In which world a fault happens.
#[derive(Clone, Copy)]
enum Place {
    /// One Pod on one Node, with a claim that is bound in this mode.
    One(BindingMode, AccessMode),
    /// Two Pods on two Nodes, with one claim that stays.
    Two(AccessMode),
}

const PLACES: [Place; 6] = [
    Place::One(BindingMode::Immediate, AccessMode::ReadWriteOnce),
    Place::One(BindingMode::Immediate, AccessMode::ReadWriteMany),
    Place::One(BindingMode::WaitForFirstConsumer, AccessMode::ReadWriteOnce),
    Place::One(BindingMode::WaitForFirstConsumer, AccessMode::ReadWriteMany),
    Place::Two(AccessMode::ReadWriteOnce),
    Place::Two(AccessMode::ReadWriteMany),
];

impl Place {
    fn name(self) -> String {
        match self {
            Place::One(binding, access) => format!("{}, {}", binding.name(), access.name()),
            Place::Two(access) => format!("two Nodes, {}", access.name()),
        }
    }

    fn parts(self) -> Parts {
        match self {
            Place::One(binding, access) => {
                let mut parts = unstaged(whole(binding, 1));
                parts.claims.iter_mut().for_each(|claim| claim.access_mode = access);
                parts.volumes.iter_mut().for_each(|volume| volume.access_mode = access);
                parts
            }
            Place::Two(access) => unstaged(pinned(bound(access, &["app", "web"], 2))),
        }
    }
}

/// A second Pod comes when the first runs, and only then does the first go; the second stays.
fn hands_over(world: &World, state: &Cluster, action: &Action) -> bool {
    let (Some(app), Some(web)) = (world.pod_named("app"), world.pod_named("web")) else { return true };
    match action {
        Action::User(user::Act::CreatesPod(pod)) if *pod == web => {
            state.pod(app).runtime == Runtime::Running || state.pod(app).presence == Presence::Gone
        }
        Action::User(user::Act::DeletesPod(pod)) => *pod == app && state.pod(web).presence == Presence::Here,
        _ => true,
    }
}

/// The first is gone with everything that it had on its Node, and the second runs.
fn is_handed_over(world: &World, state: &Cluster) -> bool {
    let (Some(app), Some(web)) = (world.pod_named("app"), world.pod_named("web")) else { return false };
    let fresh = world.initial();
    state.pod(app).presence == Presence::Gone
        && state.pod(web).runtime == Runtime::Running
        && world.links().take(1).all(|link| state.place(link) == fresh.place(link))
}

fn explored(row: &Row, place: Place) -> Explored {
    let mut parts = Parts { faults: row.faults.clone(), ..place.parts() };
    (row.change)(&mut parts);
    let explored = Explored::new(world(parts)).only(row.users).hasty(made::INSIDE).at_most(300_000);
    match place {
        Place::Two(_) if !large() => explored.only(hands_over).ends_in(is_handed_over),
        // Where there is time, any order of the two will do.
        Place::One(..) | Place::Two(_) => explored,
    }
}

/// What came of it: states, with something left for ever, with a Pod that never runs.
type Counts = (usize, usize, usize);

/// The numbers of a world with this fault; else what is wrong in it.
fn visit(row: &Row, place: Place) -> Result<Counts, String> {
    let name = format!("{}, {}", row.name, place.name());
    let seen = explored(row, place).check().map_err(|broken| format!("{name}: {broken}"))?;
    println!("{name}: {:?}", seen.counts());
    let start = explored(row, place);
    let ends = [
        ("something is left for ever", row.leaves, seen.stuck, &seen.way_to_stuck),
        ("a Pod never runs", row.keeps, seen.lost, &seen.way_to_lost),
    ];
    for (what, why, states, way) in ends {
        if states > 0 && why.is_none() {
            return Err(format!(
                "{name}: {what} in {states} states, first after\n{}{}",
                text::story(&start, way),
                text::rest(&start, way)
            ));
        }
    }
    Ok(seen.counts())
}

#[test]
fn one_fault_of_each_kind() {
    let rows = rows::all();
    let places = |row: &Row| {
        let second = row.second;
        PLACES.into_iter().filter(move |place| second || matches!(place, Place::One(..)))
    };
    let tries: Vec<(&Row, Place)> =
        rows.iter().flat_map(|row| places(row).map(move |place| (row, place))).collect();
    let mut visited = on_two_threads(&tries, |(row, place)| visit(row, *place)).into_iter();
    let names: Vec<String> = PLACES.into_iter().map(Place::name).collect();
    let mut told = format!(
        "# fault: states, with something left for ever, with a Pod that never runs, for each of\n# {}\n",
        names.join("; ")
    );
    let mut wrong = Vec::new();
    for row in &rows {
        let mut counts: Vec<Counts> = Vec::new();
        for one in visited.by_ref().take(places(row).count()) {
            match one {
                Ok(one) => counts.push(one),
                Err(broken) => wrong.push(broken),
            }
        }
        let cells: Vec<String> =
            counts.iter().map(|(states, stuck, lost)| format!("{states}, {stuck}, {lost}")).collect();
        let _ = writeln!(told, "{}: {}", row.name, cells.join("; "));
        let sum = |of: fn(&Counts) -> usize| counts.iter().map(of).sum::<usize>();
        for (what, why, states) in [("leaves", row.leaves, sum(|n| n.1)), ("keeps", row.keeps, sum(|n| n.2))]
        {
            if let Some(why) = why.filter(|_| states == 0) {
                wrong.push(format!("{}: it {what} nothing, so it needs no reason: {why}", row.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    text::numbers("explore-faults.txt", &told);
}
