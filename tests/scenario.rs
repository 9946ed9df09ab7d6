//! Scenario files: what they can say, and how they are told what is wrong with them.

use mountpath::trace::{SCENARIOS, json, listing, read_scenario, record, record_scenario};

const ONE_POD: &str = SCENARIOS[0].1;

fn error(text: &str) -> String {
    match read_scenario("test", text) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("this is accepted:\n{text}"),
    }
}

#[test]
fn every_named_scenario_is_a_file_that_runs() {
    for (name, text) in SCENARIOS {
        let scenario = read_scenario("other", text).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(scenario.name, name);
        let trace = record_scenario(&scenario).unwrap_or_else(|e| panic!("{name}: {e}"));
        let named = record(name).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(!trace.steps.is_empty(), "{name}");
        assert_eq!(json(&trace, |_| None), json(&named, |_| None), "{name}");
    }
    let unknown = record("nothing").expect_err("there is no such scenario").to_string();
    assert!(unknown.contains("so take one of volume-attachment"), "{unknown}");
}

#[test]
fn a_scenario_without_a_name_is_called_by_its_file_and_tells_everything() {
    let text = ONE_POD.replace("name = \"volume-attachment\"\ngiven_until = \"scheduler-binds-pod\"\n", "");
    let trace = record_scenario(&read_scenario("mine", &text).expect("a scenario")).expect("a run");
    assert_eq!(trace.scenario, "mine");
    assert_eq!(trace.steps[0].action, "user-creates-pod");
    assert!(listing(&trace).starts_with("     0.000  user  user-creates-pod (U2)\n"));
}

#[test]
fn a_process_stops_and_starts_where_the_script_says_so() {
    let text = format!(
        "{ONE_POD}\n[[faults]]\nname = \"crash\"\ndown = \"external-attacher\"\ntimes = 1\n\n[[script]]\n\
         after = \"kubelet-starts-containers\"\nwait_ms = 100\ndo = \"process-stops\"\non = \"crash\"\n\n\
         [[script]]\nwait_ms = 90000\ndo = \"process-starts\"\non = \"crash\"\n"
    );
    let trace = record_scenario(&read_scenario("crash", &text).expect("a scenario")).expect("a run");
    let at = |action: &str| trace.steps.iter().find(|s| s.action == action).map(|s| s.sim_ms);
    assert!(at("process-stops") < at("process-starts"));
    assert!(at("attacher-calls-controller-unpublish") > at("process-starts"), "{:?}", listing(&trace));
}

#[test]
fn what_is_wrong_is_named_by_line_with_what_is_allowed() {
    let node = "[[nodes]]\nname = \"node-1\"\n";
    let table = [
        ("nodes = 3".to_owned(), "line 1: invalid type: integer `3`"),
        (
            format!("{node}colour = \"red\"\n"),
            "line 3: unknown field `colour`, expected one of `name`, `driver_id`",
        ),
        ("[cluster]\n".to_owned(), "line 1: unknown field `cluster`, expected one of `name`, `namespace`"),
        (
            format!("{node}[[claims]]\nname = \"a\"\naccess_mode = \"Twice\"\n"),
            "line 5: `Twice` is none of ReadWriteOnce, ReadOnlyMany, ReadWriteMany, ReadWriteOncePod",
        ),
        (
            format!("{node}[[claims]]\nname = \"a\"\n[[pods]]\nname = \"p\"\nclaim = \"b\"\n"),
            "line 7: there is no claim `b`, so use one of a",
        ),
        (
            format!("{node}[[pods]]\nname = \"p\"\nclaim = \"b\"\n"),
            "line 5: there is no claim `b`, because there is none at all, so add it",
        ),
        (format!("{node}[[pods]]\nname = \"p\"\n"), "line 4: a Pod has just one of claim, ephemeral, inline"),
        (
            format!("{node}[[faults]]\nanswer = \"StageVolume\"\n"),
            "line 4: there is no CSI method `StageVolume`, so use one of CreateVolume, DeleteVolume,",
        ),
        (
            format!("{node}[[faults]]\nanswer = \"NodeStageVolume\"\ncode = \"BROKEN\"\n"),
            "line 5: there is no code `BROKEN`, so use one of CANCELLED, UNKNOWN, INVALID_ARGUMENT,",
        ),
        (
            format!("{node}[[faults]]\ndown = \"attacher\"\n"),
            "line 4: there is no actor `attacher`, so use one of user, kube-scheduler,",
        ),
        (format!("{node}[[faults]]\ntimes = 1\n"), "line 3: a fault has just one of answer, down"),
        (
            format!("{ONE_POD}[[script]]\ndo = \"kubelet-removes-pod\"\n"),
            "line 40: there is no action `kubelet-removes-pod`, so use one of user-creates-pod, user-deletes-pod",
        ),
        (
            format!("{ONE_POD}[[script]]\ndo = \"user-deletes-pod\"\non = \"b\"\n"),
            "line 41: there is no thing it can be about, `b`, so use one of app",
        ),
        (
            format!("{ONE_POD}[[script]]\nafter = \"kubelet-runs\"\ndo = \"user-deletes-pod\"\n"),
            "line 40: there is no action `kubelet-runs`, so use one of user-creates-pod,",
        ),
        (String::new(), "line 1: a world has 1 to 2 Nodes, so add one: 0 given"),
    ];
    for (text, sentence) in table {
        let error = error(&text);
        assert!(error.starts_with(sentence), "{error}\nfor\n{text}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn the_example_of_the_readme_is_a_scenario() {
    let readme = include_str!("../README.md");
    let example =
        readme.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let scenario = read_scenario("readme", example).unwrap_or_else(|e| panic!("{e}"));
    let trace = record_scenario(&scenario).unwrap_or_else(|e| panic!("{e}"));
    assert!(trace.steps.iter().any(|s| s.action == "kubelet-removes-pod"));
}
