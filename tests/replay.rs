//! Recordings of a real cluster against the model: what happened is accepted, what could not is rejected.

#[path = "replay/mutants.rs"]
mod mutants;

use mountpath::trace::{Accepted, ReplayError, replay};
use std::fs;
use std::path::Path;

const FULL: &str = include_str!("recordings/01-immediate-full.jsonl");

/// Recordings that the model does not accept yet, each with what it lacks. The README there says the same.
const NOT_YET: &[(&str, &str)] = &[];

/// Every recording's name, with its text.
fn recordings() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings");
    let files = fs::read_dir(folder).expect("the recordings").map(|file| file.expect("a file").path());
    let mut found: Vec<(String, String)> = files
        .filter(|path| path.extension().is_some_and(|ext| ext == "jsonl"))
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, fs::read_to_string(path).expect("a recording"))
        })
        .collect();
    found.sort();
    found
}

fn is_not_yet(name: &str) -> bool {
    NOT_YET.iter().any(|(known, _)| *known == name)
}

#[test]
fn what_a_real_cluster_did_is_accepted() {
    let mut wrong = Vec::new();
    for (name, text) in recordings() {
        match (replay(&text), is_not_yet(&name)) {
            (Ok(Accepted { explained, .. }), false) => println!("{name}: {explained} lines"),
            (Ok(_), true) => wrong.push(format!("{name} is accepted, so take it out of NOT_YET")),
            (Err(error), false) => wrong.push(format!("{name}: {error}")),
            (Err(error), true) => println!("{name}, not yet: {error}"),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_list_of_what_is_not_accepted_names_recordings_and_stands_in_their_readme() {
    let names: Vec<String> = recordings().into_iter().map(|(name, _)| name).collect();
    let readme = include_str!("recordings/README.md");
    for (name, why) in NOT_YET {
        assert!(names.iter().any(|known| known == name), "there is no recording {name}");
        assert!(readme.contains(&format!("| `{name}` | {why} |")), "the README is to say `{name}`: {why}");
    }
}

/// The mutants of accepted recordings that a judge does not reject; there are many, so every processor has its part.
fn survivors(judge: impl Fn(&str) -> Result<Accepted, ReplayError> + Sync) -> (usize, Vec<String>) {
    let accepted: Vec<_> = recordings().into_iter().filter(|(name, _)| !is_not_yet(name)).collect();
    let parts = std::thread::available_parallelism().map_or(1, usize::from);
    let part = &|number: usize| {
        let (mut made, mut alive) = (0, Vec::new());
        for (name, text) in accepted.iter().skip(number).step_by(parts) {
            for (_, what, mutant) in mutants::mutants(text) {
                made += 1;
                if !matches!(judge(&mutant), Err(ReplayError::Unexplained(_))) {
                    alive.push(format!("{name}: {what}"));
                }
            }
        }
        (made, alive)
    };
    let found = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..parts).map(|number| scope.spawn(move || part(number))).collect();
        runs.into_iter().map(|run| run.join().expect("a part")).collect::<Vec<_>>()
    });
    found.into_iter().fold((0, Vec::new()), |(made, mut alive), (more, found)| {
        alive.extend(found);
        (made + more, alive)
    })
}

#[test]
fn what_no_cluster_can_have_done_is_rejected() {
    let (made, alive) = survivors(replay);
    assert!(made > 2_000, "only {made} mutants");
    assert!(alive.is_empty(), "{} of {made} mutants are accepted:\n{}", alive.len(), alive.join("\n"));
}

#[test]
fn every_kind_of_mutant_is_made_of_every_recording_that_it_can_be_made_of() {
    for (name, text) in recordings().into_iter().filter(|(name, _)| !is_not_yet(name)) {
        let made: Vec<mutants::Kind> = mutants::mutants(&text).into_iter().map(|(kind, _, _)| kind).collect();
        let missing: Vec<mutants::Kind> =
            mutants::kinds(&text).into_iter().filter(|kind| !made.contains(kind)).collect();
        assert!(missing.is_empty(), "{name} has no mutant {missing:?}");
    }
}

#[test]
fn a_judge_that_accepts_everything_is_found_out() {
    let (made, alive) = survivors(|_| Ok(Accepted { explained: 0, lines: (0, 0), states: 1 }));
    assert_eq!(made, alive.len());
}

/// A change to the recording that no cluster could have made.
enum Fault {
    /// The line that holds all of these comes a tenth of a second after the one that holds all of those.
    Late(&'static [&'static str], &'static [&'static str]),
    /// The line that holds all of these and the one that holds all of those change places, but not times.
    Swapped(&'static [&'static str], &'static [&'static str]),
    /// In the line that holds all of these, a text is another.
    Other(&'static [&'static str], &'static str, &'static str),
    /// The line that holds all of these is not there.
    Missing(&'static [&'static str]),
}

use Fault::{Late, Missing, Other, Swapped};

const PUBLISHED: &[&str] = &["\"rpc\"", "ControllerPublishVolume"];
const ATTACHED: &[&str] = &["VolumeAttachment", "status.attached\": [false, true]"];
const FINALIZED: &[&str] = &["VolumeAttachment", "metadata.finalizers\": [null"];
const CALLED: &[&str] = &["\"call\"", "ControllerPublishVolume"];
const NOTICED: &[&str] = &["SuccessfulAttachVolume"];
const LISTED: &[&str] = &["volumesAttached\": [null"];
const IN_USE: &[&str] = &["volumesInUse\": [null"];
const STAGE: &[&str] = &["\"call\"", "NodeStageVolume"];
const STAGED: &[&str] = &["\"rpc\"", "NodeStageVolume"];
const STAGED_MOUNT: &[&str] = &["\"mount\"", "globalmount"];
const PUBLISH: &[&str] = &["\"call\"", "NodePublishVolume"];
const NODE_PUBLISHED: &[&str] = &["\"rpc\"", "NodePublishVolume"];
const RUNS: &[&str] = &["\"Running\"]"];
const DELETED: &[&str] = &["Pod/app", "metadata.deletionTimestamp"];
const KILLING: &[&str] = &["Killing"];
const UNPUBLISH: &[&str] = &["\"call\"", "NodeUnpublishVolume"];
const UNPUBLISHED: &[&str] = &["\"rpc\"", "NodeUnpublishVolume"];
const UNSTAGE: &[&str] = &["\"call\"", "NodeUnstageVolume"];
const UNSTAGED: &[&str] = &["\"rpc\"", "NodeUnstageVolume"];
const GONE: &[&str] = &["\"delete\"", "Pod/app"];
const NOT_IN_USE: &[&str] = &["volumesInUse\": [[\""];
const UNLISTED: &[&str] = &["volumesAttached\": [[\""];
const DELETING: &[&str] = &["VolumeAttachment", "metadata.deletionTimestamp"];
const DETACH_CALLED: &[&str] = &["\"call\"", "ControllerUnpublishVolume"];
const DETACHED: &[&str] = &["\"rpc\"", "ControllerUnpublishVolume"];
const RELEASED: &[&str] = &["\"delete\"", "VolumeAttachment"];

/// What is wrong, and the line that must be named for it.
const FAULTS: [(Fault, &[&str]); 31] = [
    (Late(PUBLISHED, ATTACHED), ATTACHED),
    (Late(FINALIZED, CALLED), CALLED),
    (Late(ATTACHED, NOTICED), NOTICED),
    (Late(NOTICED, LISTED), LISTED),
    (Late(LISTED, STAGE), STAGE),
    (Late(IN_USE, STAGE), STAGE),
    (Late(STAGED, PUBLISH), PUBLISH),
    (Late(STAGED_MOUNT, STAGED), STAGED),
    (Late(NODE_PUBLISHED, RUNS), &["Pulled"]),
    (Late(DELETED, KILLING), KILLING),
    (Late(KILLING, UNPUBLISH), &["terminated/Completed"]),
    (Late(UNPUBLISHED, GONE), UNSTAGE),
    (Late(UNSTAGED, NOT_IN_USE), NOT_IN_USE),
    (Late(NOT_IN_USE, DELETING), DELETING),
    (Late(UNLISTED, DELETING), DELETING),
    (Late(DELETING, DETACH_CALLED), DETACH_CALLED),
    (Late(DETACHED, RELEASED), RELEASED),
    // These stand within 50 ms, but come from one source each.
    (Swapped(FINALIZED, ATTACHED), ATTACHED),
    (Swapped(CALLED, PUBLISHED), PUBLISHED),
    (Swapped(UNLISTED, DELETING), DELETING),
    (Swapped(DETACH_CALLED, DETACHED), DETACHED),
    (Other(ATTACHED, "external-attacher", "attach-detach-controller"), ATTACHED),
    (Other(LISTED, "attach-detach-controller", "kubelet/node-1"), LISTED),
    (Other(IN_USE, "\"kubelet/node-1", "\"kubelet/node-2"), IN_USE),
    (Other(GONE, "kubelet/node-1", "kube-scheduler"), GONE),
    (Other(STAGED_MOUNT, "kernel/node-1", "kernel/node-2"), STAGED_MOUNT),
    // An error that answers is a fault of the recording; what comes after it does not follow.
    (Other(PUBLISHED, "\"OK\"", "\"Internal\""), ATTACHED),
    (Other(UNPUBLISHED, "\"OK\"", "\"DeadlineExceeded\""), UNPUBLISHED),
    (Other(LISTED, "csi.k8s.io^", "csi.k8s.io^x"), LISTED),
    (Other(UNSTAGE, "globalmount", "elsewhere"), UNSTAGE),
    (Missing(STAGED_MOUNT), STAGED),
];

#[test]
fn what_cannot_have_happened_is_rejected_at_its_line() {
    for (number, (fault, named)) in FAULTS.iter().enumerate() {
        let mut lines: Vec<String> = FULL.lines().map(str::to_owned).collect();
        match fault {
            Late(late, after) => {
                let line = lines.remove(find(&lines, late));
                let after = find(&lines, after);
                let moment = time(&lines[after]) + 100;
                let line = line.replacen(&time(&line).to_string(), &moment.to_string(), 1);
                lines.insert(after + 1, line);
            }
            Swapped(one, other) => {
                let (one, other) = (find(&lines, one), find(&lines, other));
                let times = (time(&lines[one]), time(&lines[other]));
                lines.swap(one, other);
                lines[one] = lines[one].replacen(&times.1.to_string(), &times.0.to_string(), 1);
                lines[other] = lines[other].replacen(&times.0.to_string(), &times.1.to_string(), 1);
            }
            Other(of, from, to) => {
                let at = find(&lines, of);
                assert!(lines[at].contains(from), "fault {number} changes nothing");
                lines[at] = lines[at].replace(from, to);
            }
            Missing(of) => {
                lines.remove(find(&lines, of));
            }
        }
        match replay(&lines.join("\n")) {
            Err(ReplayError::Unexplained(unexplained)) => {
                let line = unexplained.line;
                assert!(
                    named.iter().all(|part| lines[line - 1].contains(part)),
                    "fault {number} is to be named at {named:?}, not at line {line}: {}",
                    lines[line - 1]
                );
            }
            other => panic!("fault {number}: {other:?}"),
        }
    }
}

fn find(lines: &[String], parts: &[&str]) -> usize {
    let holds = |line: &String| parts.iter().all(|part| line.contains(part));
    lines.iter().position(holds).unwrap_or_else(|| panic!("no line holds {parts:?}"))
}

/// The line's `t_ms`, which stands first.
fn time(line: &str) -> u64 {
    let digits = line.trim_start_matches("{\"t_ms\": ").split(',').next().unwrap_or_default();
    digits.parse().expect("a time")
}

#[test]
fn a_rejection_names_the_rule_and_what_it_lacked() {
    let lines = FULL.lines().filter(|line| !line.contains("volumesInUse\": [null"));
    let error = replay(&lines.collect::<Vec<_>>().join("\n")).expect_err("staged unreported").to_string();
    let start = "line 30: no rule explains that kubelet/node-1 shows a call of NodeStageVolume";
    assert!(error.starts_with(start), "{error}");
    let lacked =
        "kubelet-verifies-attached (rule K3): the volume is not in the Node's status.volumesInUse yet";
    assert!(error.ends_with(lacked), "{error}");
}

#[test]
fn line_ends_of_windows_and_a_byte_order_mark_change_nothing() {
    let text = format!("\u{feff}{}", FULL.replace('\n', "\r\n"));
    assert_eq!(replay(&text), replay(FULL));
    assert!(replay(FULL).is_ok());
}

#[test]
fn what_cannot_be_read_is_named_by_line() {
    let created = FULL.lines().find(|line| line.contains("Pod/app")).expect("the recording has a Pod");
    let table = [
        ("{\"t_ms\": 0", "line 1 is no JSON object (it ends too early)"),
        ("{\"t_ms\" 0}", "line 1 is no JSON object (something is wrong at its character 9)"),
        ("\n[]", "line 2 is no JSON object (it is another value)"),
        ("{\"t_ms\": 0, \"by\": \"user\"}", "line 1 has no usable `do`"),
        ("{\"t_ms\": 0, \"by\": \"user\", \"do\": \"dream\"}", "line 1 does `dream`"),
        ("{\"by\": \"user\", \"do\": \"note\"}", "line 1 has no usable `t_ms`"),
        ("{\"t_ms\": -1, \"by\": \"user\", \"do\": \"note\"}", "line 1 has no usable `t_ms`"),
        ("{\"t_ms\": 0, \"do\": \"note\"}", "line 1 has no usable `by`"),
        (
            "{\"t_ms\": 0, \"by\": \"user\", \"do\": \"update\", \"object\": \"Pod/a\", \"changes\": {\"x\": 1}}",
            "line 1 has no usable `changes`",
        ),
        ("", "the recording is empty"),
        ("\r\n\r\n", "the recording is empty"),
        (created, "the recording names no CSI driver"),
    ];
    for (text, sentence) in table {
        let error = replay(text).expect_err(sentence).to_string();
        assert!(error.starts_with(sentence), "{error}");
    }
}
