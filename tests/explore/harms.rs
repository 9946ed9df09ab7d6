//! What must not be: the shortest way to each harm, in its golden file; and that each dangerous cause has such a way.

use crate::attach::{RUNNING, by_hand, danger};
use crate::worlds::made::{plain, whole, world};
use crate::worlds::{Explored, Is, broken, text};
use mountpath::model::hand::Deed;
use mountpath::model::{BindingMode, Cause, ClaimId, FaultKind, Harm, Presence, harms};

/// A harm's name; the compiler asks for those that are forgotten.
fn name(harm: Harm) -> &'static str {
    match harm {
        Harm::RunsUnowned(_) => "runs-unowned",
        Harm::AttachedTwice(_) => "attached-twice",
        Harm::MountWithoutDevice(_) => "mount-without-device",
        Harm::MountWithoutDisk(_) => "mount-without-disk",
    }
}

/// Explores a world until this harm is done; the shortest way there is in its golden file.
fn comes_to(harm: &'static str, is: Is, explored: Explored) {
    let (world, start) = (explored.world.clone(), explored.start);
    let seen = explored.sometimes(harm, is).until(is).run();
    let story = text::story(&Explored::new(world).from(start), seen.way_to(harm));
    text::golden(&format!("harm-{harm}.txt"), &format!("{harm}: the shortest way\n{story}"));
}

#[test]
fn a_pod_removed_by_force_runs_on() {
    let is: Is =
        |explored, state| harms(&explored.world, state).iter().any(|harm| name(*harm) == "runs-unowned");
    comes_to("runs-unowned", is, danger(RUNNING, |names| vec![FaultKind::PodForced { pod: names.app }]));
}

#[test]
fn two_nodes_have_a_volume_attached() {
    let is: Is =
        |explored, state| harms(&explored.world, state).iter().any(|harm| name(*harm) == "attached-twice");
    comes_to(
        "attached-twice",
        is,
        danger(RUNNING, |names| vec![by_hand(Deed::StripAttachment(names.first))]),
    );
}

#[test]
fn a_mounted_volume_loses_its_device() {
    let is: Is = |explored, state| {
        harms(&explored.world, state).iter().any(|harm| name(*harm) == "mount-without-device")
    };
    comes_to(
        "mount-without-device",
        is,
        danger(RUNNING, |names| vec![by_hand(Deed::DeleteAttachment(names.first))]),
    );
}

/// Whoever strips a claim of its finalizer has its disk deleted while a Pod may be about to mount it. A driver that keeps
/// to CSI refuses one of the two, so nothing is ever mounted without its disk.
#[test]
fn a_mounted_volume_keeps_its_disk_for_the_driver_refuses_to_delete_it() {
    let deed = Deed::StripClaim(ClaimId::of(0).expect("a claim"));
    let parts = broken::with(plain(whole(BindingMode::Immediate, 1)), by_hand(deed));
    let keeps: Is = |explored, state| {
        !harms(&explored.world, state).iter().any(|harm| name(*harm) == "mount-without-disk")
    };
    let released: Is = |explored, state| {
        let gone = |id| state.claim(id).presence == Presence::Gone;
        explored.world.claims().any(gone)
            && explored.world.pods().any(|id| state.pod(id).presence == Presence::Here)
    };
    Explored::new(world(parts))
        .always("nothing is mounted without its disk", keeps)
        .sometimes("the claim goes while its Pod is there", released)
        .run();
}

/// The last line of a danger's golden file names its causes.
#[test]
fn each_dangerous_cause_has_its_shortest_way() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden");
    let files = std::fs::read_dir(folder).expect("golden files").map(|file| file.expect("a file").path());
    let dangers = files.filter(|path| {
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("danger-"))
    });
    let told: Vec<String> = dangers.map(|path| std::fs::read_to_string(path).expect("a danger")).collect();
    for cause in Cause::ALL {
        let ends = |text: &&String| {
            let causes = text.lines().last().and_then(|line| line.strip_prefix("causes: "));
            causes.is_some_and(|causes| causes.split(", ").any(|name| name == cause.name()))
        };
        assert!(told.iter().any(|text| ends(&text)), "no danger-*.txt ends with {}", cause.name());
    }
}
