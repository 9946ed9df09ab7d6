//! The command line as scripts use it: help, errors, exit codes, and output that ends early.
#![cfg(feature = "site")]

use mountpath::host::COMMANDS;
use mountpath::trace::SCENARIOS;
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Output, Stdio};

struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn mountpath(args: &[&str]) -> Ran {
    ran(Command::new(env!("CARGO_BIN_EXE_mountpath")).args(args).current_dir(env!("CARGO_MANIFEST_DIR")))
}

fn ran(command: &mut Command) -> Ran {
    finished(command.stdin(Stdio::null()).output().unwrap())
}

fn finished(output: Output) -> Ran {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

#[test]
fn the_help_names_every_command_once_and_each_has_its_own() {
    let help = mountpath(&["--help"]);
    assert_eq!((help.code, help.err.as_str()), (0, ""));
    for command in &COMMANDS {
        let line = format!("\n  {} ", command.name);
        assert_eq!(help.out.matches(&line).count(), 1, "{}", command.name);
        assert!(help.out.contains(command.about));
        let own = mountpath(&[command.name, "--help"]);
        assert_eq!((own.code, own.err.as_str()), (0, ""), "{}", command.name);
        for opt in command.options {
            assert!(own.out.contains(&format!("--{} {}", opt.name, opt.value)), "{}", own.out);
            assert!(own.out.contains(opt.about));
        }
    }
    assert_eq!(mountpath(&["-h"]).out, help.out);
    assert_eq!(mountpath(&["--version"]).out, format!("mountpath {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn wrong_usage_is_one_sentence_on_standard_error_and_exit_code_2() {
    let cases: [(&[&str], &str); 11] = [
        (&["buidl"], "no command is called `buidl`; see `mountpath --help`"),
        (&["build", "--bas", "/"], "build has no option --bas; see `mountpath build --help`"),
        (&["build", "-x"], "build has no option -x; see `mountpath build --help`"),
        (&["build", "--base"], "--base needs a PATH; see `mountpath build --help`"),
        (&["build", "--base", "/a/", "--base", "/b/"], "--base is given twice; see `mountpath build --help`"),
        (&["build", "extra"], "build does not take `extra`; see `mountpath build --help`"),
        (&["build", "--base", "sub"], "--base sub: give a path such as /sub/path/"),
        (&["build", "--base", "/a\"b/"], "--base /a\"b/: give a path such as /sub/path/"),
        (&["build", "--dist", "src"], "this is no former build, so it is not replaced: give another folder"),
        (&["serve", "--port", "eighty"], "--port eighty: give a number from 0 to 65535"),
        (&["--port", "65536"], "--port 65536: give a number from 0 to 65535"),
    ];
    for (args, sentence) in cases {
        let ran = mountpath(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(ran.err.starts_with("mountpath: ") && ran.err.contains(sentence), "{args:?}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{args:?}: {}", ran.err);
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    let ran = mountpath(&["prerender", "--dist", "no-such-folder"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("no-such-folder: no built site is there"), "{}", ran.err);
}

#[test]
fn commands_work_in_any_folder_of_a_clone_and_say_so_outside() {
    let outside = std::env::temp_dir();
    let program = env!("CARGO_BIN_EXE_mountpath");
    let ran_there = ran(Command::new(program).arg("build").current_dir(&outside));
    assert_eq!((ran_there.code, ran_there.out.as_str()), (2, ""));
    assert!(ran_there.err.contains("is not inside a clone of mountpath"), "{}", ran_there.err);
    // The refusal to replace a folder shows that the project was found from a folder inside it.
    let inside = ran(Command::new(program).args(["build", "--dist", "."]).current_dir("src/host"));
    assert!(inside.err.contains("src/host: this is no former build"), "{}", inside.err);
}

#[test]
fn a_taken_port_is_one_sentence_that_says_what_to_do() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let ran = mountpath(&["serve", "--port", &port]);
    let sentence = format!(
        "mountpath: port {port} is taken: stop the program that listens there, or choose another port with --port N\n"
    );
    assert_eq!((ran.code, ran.out.as_str(), ran.err), (1, "", sentence));
}

#[cfg(unix)]
#[test]
fn a_reader_who_leaves_early_causes_no_panic() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mountpath"))
        .arg("--help")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn the_diagrams_are_listed_and_the_content_holds() {
    let list = mountpath(&["diagrams"]);
    assert_eq!((list.code, list.err.as_str()), (0, ""));
    assert!(
        list.out.lines().any(|l| l.starts_with("volume-attachment ") && l.contains(" 6 steps ")),
        "{}",
        list.out
    );
    let check = mountpath(&["check"]);
    assert_eq!((check.code, check.err.as_str()), (0, ""));
}

#[test]
fn a_trace_is_printed_as_text_json_and_mermaid() {
    let trace = |format| {
        let ran = mountpath(&["trace", "volume-attachment", "--format", format]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        ran.out
    };
    let json: Value = serde_json::from_str(&trace("json")).unwrap();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&json), ["mountpath", "scenario", "kubernetes", "csi", "steps"]);
    assert_eq!(
        (&json["mountpath"], &json["kubernetes"], &json["csi"]),
        (&json!(1), &json!("1.36"), &json!("1.12"))
    );
    let steps = json["steps"].as_array().unwrap();
    let text = trace("text");
    for (number, step) in (1..).zip(steps) {
        assert_eq!(keys(step), ["index", "id", "actor", "action", "rule", "sim_ms", "caption", "effects"]);
        assert_eq!(step["index"], json!(number));
        assert!(text.contains(&format!("  {} (", step["id"].as_str().unwrap())), "{step}");
        assert!(text.contains(step["caption"].as_str().unwrap()), "{step}");
    }
    let effects: Vec<&Value> = steps.iter().flat_map(|s| s["effects"].as_array().unwrap()).collect();
    let flips =
        effects.iter().filter(|e| e["write"]["field"] == "status.attached" && e["write"]["to"] == "true");
    assert_eq!(flips.map(|e| &e["write"]["by"]).collect::<Vec<_>>(), [&json!("external-attacher")]);
    assert_eq!(mountpath(&["trace", "volume-attachment"]).out, text);

    let mermaid = trace("mermaid");
    assert!(mermaid.starts_with("sequenceDiagram\n    participant p0 as "));
    assert!(mermaid.contains(">>p2: create VolumeAttachment/csi-"), "{mermaid}");
}

#[test]
fn every_scenario_is_listed_with_what_happens_and_can_be_printed() {
    let list = mountpath(&["scenarios"]);
    assert_eq!((list.code, list.err.as_str(), list.out.lines().count()), (0, "", SCENARIOS.len()));
    for ((name, _), line) in SCENARIOS.iter().zip(list.out.lines()) {
        let about = line.strip_prefix(name).unwrap_or_default().trim_start();
        assert!(about.len() > 40 && about.ends_with('.'), "{line}");
    }
    assert!(mountpath(&["trace", "--help"]).out.contains("`mountpath scenarios`"));
    // In a folder of no clone, too.
    let program = env!("CARGO_BIN_EXE_mountpath");
    for (name, _) in SCENARIOS {
        let ran = ran(Command::new(program).args(["trace", name]).current_dir(std::env::temp_dir()));
        assert_eq!((ran.code, ran.err.as_str(), ran.out.is_empty()), (0, "", false), "{name}");
    }
    let told = mountpath(&["trace", "detach-failing", "--format", "json"]);
    let json: Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(json["scenario"], json!("detach-failing"));
    assert!(
        mountpath(&["trace", "detach-failing", "--format", "mermaid"]).out.starts_with("sequenceDiagram")
    );
}

#[test]
fn a_trace_of_nothing_is_refused() {
    let cases: [(&[&str], &str); 4] = [
        (&["trace"], "trace needs a NAME or --scenario; see `mountpath trace --help`"),
        (
            &["trace", "atach-eror"],
            "there is no scenario `atach-eror` (near it: `attach-error`): `mountpath scenarios` lists those there are",
        ),
        (&["trace", "zebra"], "there is no scenario `zebra`: `mountpath scenarios` lists those there are"),
        (&["trace", "volume-attachment", "--format", "yaml"], "--format yaml: give text, json or mermaid"),
    ];
    for (args, sentence) in cases {
        let ran = mountpath(args);
        assert_eq!((ran.code, ran.out.as_str(), ran.err), (2, "", format!("mountpath: {sentence}\n")));
    }
}

const RECORDING: &str = "tests/recordings/03-delete-pod-detach.jsonl";

#[test]
fn recordings_are_replayed_from_files_and_from_standard_input() {
    let ran = mountpath(&["replay", RECORDING, "tests/recordings/01-immediate-full.jsonl"]);
    assert_eq!((ran.code, ran.err.as_str(), ran.out.lines().count()), (0, "", 2));
    assert!(ran.out.starts_with(&format!("{RECORDING}: a run of the model")), "{}", ran.out);

    let ran = replay_input(&std::fs::read_to_string(RECORDING).unwrap());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.starts_with("standard input: a run of the model"), "{}", ran.out);
}

#[test]
fn a_recording_against_causality_is_not_accepted_and_one_that_is_none_cannot_be_read() {
    let text = std::fs::read_to_string(RECORDING).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let call = lines.iter().position(|l| l.contains("\"ControllerUnpublishVolume\"")).unwrap();
    // The answer before the call.
    lines.swap(call, call + 1);
    let ran = replay_input(&lines.join("\n"));
    assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{}", ran.err);
    let place = format!("mountpath: standard input: line {}: ", call + 1);
    assert!(ran.err.starts_with(&place), "{}", ran.err);

    let ran = replay_input("no recording\n");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.starts_with("mountpath: standard input: line 1 "), "{}", ran.err);
    let ran = mountpath(&["replay", RECORDING, "no-such-file"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "nothing is printed half");
    assert!(ran.err.starts_with("mountpath: cannot read no-such-file: "), "{}", ran.err);
}

fn replay_input(text: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mountpath"))
        .args(["replay", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    finished(child.wait_with_output().unwrap())
}

#[test]
fn the_names_of_a_volume_are_computed() {
    let volume = ["names", "--driver", "disk.csi.example.com", "--handle", "vol-1", "--node", "node-1"];
    let text = mountpath(&volume);
    assert_eq!((text.code, text.err.as_str()), (0, ""));
    let attachment = "csi-f4c24cb450d8bb50ed94a9fe7498f9ee73f8350b12e34a249e60cba8d4711a1a";
    assert!(text.out.lines().any(|l| l.starts_with("VolumeAttachment ") && l.ends_with(attachment)));
    assert!(!text.out.contains("volumeDevices"), "no path is made up: {}", text.out);

    let more = ["--pv", "pvc-U", "--pod-uid", "P", "--format", "json"];
    let json = mountpath(&[&volume[..], &more].concat());
    let json: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((&json["mountpath"], &json["names"]["volumeAttachment"]), (&json!(1), &json!(attachment)));
    let names = [
        ("uniqueVolumeName", "kubernetes.io/csi/disk.csi.example.com^vol-1"),
        ("attacherFinalizer", "external-attacher/disk-csi-example-com"),
        ("publishPath", "/var/lib/kubelet/pods/P/volumes/kubernetes.io~csi/pvc-U/mount"),
        ("blockPublishPath", "/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/publish/pvc-U/P"),
    ];
    for (key, name) in names {
        assert_eq!(json["names"][key], json!(name), "{key}");
    }
}

#[test]
fn handles_and_drivers_that_run_together_are_told_of_and_have_one_attachment() {
    let attachment = |handle: &str, driver: &str| {
        let args = ["names", "--driver", driver, "--handle", handle, "--node", "d", "--format", "json"];
        serde_json::from_str::<Value>(&mountpath(&args).out).unwrap()["names"]["volumeAttachment"].clone()
    };
    assert_eq!(attachment("a", "bc"), attachment("ab", "c"));
    let help = mountpath(&["names", "--help"]).out;
    assert!(help.contains("(\"a\",\"bc\",\"d\") and (\"ab\",\"c\",\"d\") collide"), "{help}");

    let cases: [(&[&str], &str); 3] = [
        (&["names", "--driver", "c", "--node", "d"], "names needs --handle H; see `mountpath names --help`"),
        (
            &["names", "--driver", "", "--handle", "ab", "--node", "d"],
            "--driver D is empty: give one that is not",
        ),
        (&["names", "--format", "yaml"], "--format yaml: give text or json"),
    ];
    for (args, sentence) in cases {
        let ran = mountpath(args);
        assert_eq!((ran.code, ran.out.as_str(), ran.err), (2, "", format!("mountpath: {sentence}\n")));
    }
}

#[test]
fn what_keeps_a_goal_away_is_told_of_a_scenario_a_file_and_a_recording() {
    let scenario = ["explain", "multi-attach", "--goal", "pod app-2 runs", "--at", "20000"];
    let pods = mountpath(&["explain", "multi-attach", "--goal", "pod nobody runs"]);
    let known = pods.err.rsplit("so name one of: ").next().unwrap_or_default().trim_end().to_owned();
    assert_eq!((pods.code, pods.out.as_str()), (2, ""), "{}", pods.err);
    let second = known.split(", ").nth(1).unwrap_or_else(|| panic!("two Pods: {}", pods.err));
    let goal = format!("pod {second} runs");
    let args: Vec<&str> =
        scenario.map(|arg| if arg.starts_with("pod ") { goal.as_str() } else { arg }).to_vec();
    let text = mountpath(&args);
    assert_eq!((text.code, text.err.as_str()), (0, ""), "{}", text.out);
    assert!(text.out.starts_with(&format!("What keeps \"{goal}\" away at 20.000 s:\n1. ")), "{}", text.out);

    let json: Value =
        serde_json::from_str(&mountpath(&[&args[..], &["--format", "json"]].concat()).out).unwrap();
    assert_eq!(
        (&json["mountpath"], &json["goal"], &json["at_ms"]),
        (&json!(1), &json!(goal), &json!(20_000))
    );
    assert_eq!(json["answer"], json!("waits"));
    let steps = json["steps"].as_array().unwrap();
    assert_eq!(text.out.lines().count(), 1 + steps.len());
    for step in steps {
        let keys: Vec<&String> = step.as_object().unwrap().keys().collect();
        let wanted = [
            "actor",
            "action",
            "rule",
            "waits_for",
            "released_by",
            "since_ms",
            "tries_ms",
            "until_ms",
            "within_ms",
            "outside",
            "effects",
            "dangerous",
        ];
        assert_eq!(keys, wanted);
        assert!(step["waits_for"].is_null() || step["released_by"].is_number(), "{step}");
    }

    let recording = "tests/recordings/30-unpublish-failing.jsonl";
    let stuck =
        mountpath(&["explain", "--recording", recording, "--at", "20000", "--goal", "pod app deleted"]);
    assert_eq!((stuck.code, stuck.err.as_str()), (0, ""));
    let first = "1. kubelet/node-1 (kubelet-calls-node-unpublish, rule K9) can act since 17.8 s and does so at 25.8 s: \
                 NodeUnpublishVolume is called.";
    assert!(stuck.out.contains(first), "{}", stuck.out);
    let line = mountpath(&["explain", "--recording", recording, "--line", "1", "--goal", "pod app runs"]);
    assert!(line.out.contains("(user-creates-claim, rule U1) can act"), "{}", line.out);

    let done = mountpath(&[
        "explain",
        "--scenario",
        "src/trace/scenarios/teardown.toml",
        "--goal",
        "pod app deleted",
    ]);
    assert!(done.out.ends_with("Nothing is missing.\n"), "{}", done.out);
    let file = "tests/recordings/20d-topology-conflict.jsonl";
    let never = mountpath(&["explain", "--recording", file, "--goal", "pod app runs", "--format", "json"]);
    let never: Value = serde_json::from_str(&never.out).unwrap();
    assert_eq!(never["answer"], json!("never"));
    assert!(never["never"].as_array().unwrap().iter().any(|rule| rule["lacks"].is_string()));
}

#[test]
fn a_question_that_cannot_be_answered_says_what_to_give() {
    let cases: [(&[&str], &str); 9] = [
        (&["explain"], "explain needs a NAME or --scenario or --recording; see `mountpath explain --help`"),
        (&["explain", "retain"], "explain needs --goal GOAL; see `mountpath explain --help`"),
        (&["explain", "retian", "--goal", "pod a runs"], "there is no scenario `retian` (near it: `retain`)"),
        (
            &["explain", "retain", "--goal", "pod app flies"],
            "--goal: `pod app flies` is no goal, so give one of: pod NAME",
        ),
        (
            &["explain", "retain", "--goal", "node app runs"],
            "--goal: `node app runs` is no goal, so give one of: pod NAME",
        ),
        (
            &["explain", "retain", "--goal", "snapshot s ready"],
            "--goal: there is no snapshot `s`, and no other snapshot",
        ),
        (
            &["explain", "retain", "--at", "soon", "--goal", "pod a runs"],
            "--at soon: give a number, 0 or more",
        ),
        (
            &["explain", "retain", "--line", "3", "--goal", "pod a runs"],
            "--line N is of a recording: give --at MS",
        ),
        (
            &["explain", "--scenario", "a", "--recording", "b", "--goal", "pod a runs"],
            "--scenario and --recording exclude each other: give one of them",
        ),
    ];
    for (args, sentence) in cases {
        let ran = mountpath(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(ran.err.starts_with(&format!("mountpath: {sentence}")), "{args:?}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{args:?}: {}", ran.err);
    }
}
