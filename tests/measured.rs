//! What `content/measured/` says was seen on a real cluster: made from the recordings, and to be made anew with
//! `BLESS=1 cargo test --test measured`.

use mountpath::trace::{Milestone, milestones, record, record_scenario, scenario};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Each diagram, and the recording that shows on a real cluster what it tells.
const PAIRS: [(&str, &str); 20] = [
    ("volume-attachment", "03-delete-pod-detach"),
    ("create-volume", "01-immediate-full"),
    ("controller-publish", "01-immediate-full"),
    ("node-stage", "01-immediate-full"),
    ("node-publish", "01-immediate-full"),
    ("mount-path", "01-immediate-full"),
    ("teardown", "01-immediate-full"),
    ("multi-attach", "05-multi-attach"),
    ("wait-for-first-consumer", "02-wffc-full"),
    ("driver-registration", "09-driver-not-registered"),
    ("node-down", "11a-force-detach"),
    ("attach-error", "06-attach-internal"),
    ("stuck-terminating", "13a-pvc-deleted-in-use"),
    ("expand", "16a-expand-online"),
    ("snapshot-restore", "24-snapshot-restore"),
    ("block-volume", "15-block"),
    ("attach-not-required", "08-attach-not-required"),
    ("second-pod-same-node", "04-second-pod-same-node"),
    ("ephemeral-volumes", "18a-inline-ephemeral"),
    ("read-write-once-pod", "17-rwop"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn found(slug: &str, recording: &str) -> Vec<Milestone> {
    let file = root().join(format!("tests/recordings/{recording}.jsonl"));
    let text = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let scenario = scenario(slug).expect("a scenario").unwrap_or_else(|e| panic!("{slug}: {e}"));
    let trace = record_scenario(&scenario).unwrap_or_else(|e| panic!("{slug}: {e}"));
    milestones(&scenario, &trace, &text).unwrap_or_else(|e| panic!("{recording}: {e}"))
}

fn file(recording: &str, milestones: &[Milestone]) -> String {
    let mut text = format!("recording = {recording:?}\nmilestones = [\n");
    for Milestone { action, by, shows, ms } in milestones {
        let _ = writeln!(text, "  {{ ms = {ms}, shows = {shows:?}, by = {by:?}, action = {action:?} }},");
    }
    text.push_str("]\n");
    text
}

#[test]
fn what_was_measured_is_what_the_recordings_say() {
    let mut wrong = Vec::new();
    for (slug, recording) in PAIRS {
        let text = file(recording, &found(slug, recording));
        let path = root().join(format!("content/measured/{slug}.toml"));
        if env::var_os("BLESS").is_some() {
            fs::write(&path, &text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        }
        if fs::read_to_string(&path).unwrap_or_default() != text {
            wrong.push(format!(
                "content/measured/{slug}.toml differs from {recording}; BLESS=1 writes it anew"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_diagram_has_its_milestones_in_the_order_of_its_run() {
    for (slug, recording) in PAIRS {
        let run = record(slug).expect("a run");
        let found = found(slug, recording);
        assert!(found.len() >= 4, "{slug}: {recording} shows only {} of its milestones", found.len());
        assert_eq!(found[0].ms, 0, "{slug}");
        for milestone in &found {
            let step = run.steps.iter().find(|s| s.id == milestone.action);
            let step = step.unwrap_or_else(|| panic!("{slug} has no {}", milestone.action));
            // The recording's line is about the actor of the step, or about what its call brought about.
            let own = milestone.by.split('/').next() == Some(step.actor.role.name());
            let beside = milestone.by.starts_with("kernel/");
            assert!(own || beside, "{slug}: {} is no line of {}", milestone.shows, step.id);
        }
    }
}
