//! Scenario files: what they can say, and how they are told what is wrong with them.

use mountpath::trace::{SCENARIOS, json, listing, read_scenario, record, record_scenario};

const ONE_POD: &str = SCENARIOS[0].1;

/// A claim that can grow, and the beginning of a cue.
const GROWS: &str = "[[claims]]\nname = \"a\"\nresizes = [5, 9]\n[[script]]\n";

/// Every table of a file.
const TABLES: [&str; 11] = [
    "",
    "[driver]\n",
    "[[nodes]]\n",
    "[[classes]]\n",
    "[[claims]]\n",
    "[[volumes]]\n",
    "[[snapshots]]\n",
    "[[attributes]]\n",
    "[[pods]]\n",
    "[[faults]]\n",
    "[[script]]\n",
];

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
            format!("{node}[[faults]]\nanswer = \"CreateVolume\"\nnode = \"node-1\"\n"),
            "line 4: CreateVolume is about no Node, so leave `node` out",
        ),
        (
            format!("{node}[[faults]]\nhangs = \"NodeGetInfo\"\n"),
            "line 4: there is no CSI method `NodeGetInfo`, so use one of CreateVolume, DeleteVolume,",
        ),
        (
            format!("{node}[[faults]]\nanswer = \"CreateVolume\"\ntimes = 1000\n"),
            "line 5: invalid value: integer `1000`, expected a whole number from 0 to 255",
        ),
        (
            format!("{node}[[faults]]\ndown = \"attacher\"\n"),
            "line 4: there is no actor `attacher`, so use one of user, kube-scheduler,",
        ),
        (
            format!("{node}[[faults]]\ntimes = 1\n"),
            "line 3: a fault has just one of answer, down, refuse, by_hand, force, delete_namespace",
        ),
        (
            format!("{node}[[faults]]\nanswer = \"NodeStageVolume\"\ndelete_namespace = true\n"),
            "line 3: a fault has just one of answer, down, refuse, by_hand, force, delete_namespace",
        ),
        (
            format!("{node}[[faults]]\ndown = \"kubelet\"\n"),
            "line 4: there is a kubelet on every Node, so add `node`",
        ),
        (
            format!("{node}[[faults]]\ndown = \"kube-scheduler\"\nnode = \"node-1\"\n"),
            "line 4: kube-scheduler runs on no Node, so leave `node` out",
        ),
        (
            format!("{node}[[faults]]\nrefuse = \"Secret\"\n"),
            "line 4: there is no kind `Secret`, so use one of Pod, PersistentVolumeClaim, PersistentVolume,",
        ),
        (
            format!("{node}[[faults]]\nby_hand = \"user-eats-node\"\n"),
            "line 4: there is no deed `user-eats-node`, so use one of user-deletes-node, user-taints-out-of-service,",
        ),
        (
            format!("{node}[[faults]]\nby_hand = \"user-deletes-node\"\n"),
            "line 4: `user-deletes-node` needs `node`, so add it",
        ),
        (
            format!("{node}[[faults]]\nby_hand = \"user-creates-secret\"\nvolume = \"v\"\n"),
            "line 5: there is no volume `v`, because there is none at all, so add it",
        ),
        (
            format!("{node}[[faults]]\nforce = \"p\"\n"),
            "line 4: there is no Pod `p`, because there is none at all, so add it",
        ),
        (
            format!(
                "{node}[[volumes]]\nname = \"v\"\nhandle = \"h\"\naccess_modes = [\"ReadWriteOnce\", \"Twice\"]\n"
            ),
            "line 6: `Twice` is none of ReadWriteOnce, ReadOnlyMany, ReadWriteMany, ReadWriteOncePod",
        ),
        (
            format!("{node}[[claims]]\nname = \"a\"\nattributes = \"gold\"\n"),
            "line 5: there is no VolumeAttributesClass `gold`, because there is none at all, so add it",
        ),
        (
            format!("{node}{GROWS}do = \"user-resizes-claim\"\non = \"a\"\n"),
            "line 7: `user-resizes-claim` can ask for several things, so say `to` one of 5Gi, 9Gi",
        ),
        (
            format!("{node}{GROWS}do = \"user-resizes-claim\"\nto = \"7Gi\"\n"),
            "line 8: there is no wish `7Gi`, so use one of 5Gi, 9Gi",
        ),
        (
            format!("{node}{GROWS}do = \"user-deletes-namespace\"\n"),
            "line 7: there is no action `user-deletes-namespace`, so use one of user-creates-claim,",
        ),
        (
            format!(
                "{ONE_POD}[[script]]\nafter = \"driver-stages-volume\"\nof = \"app\"\ndo = \"user-deletes-pod\"\n"
            ),
            "line 41: there is no thing it can be about, `app`, so use one of pvc-6f1d2a3e",
        ),
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

#[test]
fn the_reference_has_every_key() {
    let reference = include_str!("../src/trace/scenarios/README.md");
    for table in TABLES {
        let error = error(&format!("{table}nobody = 1\n"));
        let known = error.split("expected one of ").nth(1).unwrap_or_else(|| panic!("{table}: {error}"));
        for key in known.split(", ") {
            let list = [
                "nodes",
                "classes",
                "claims",
                "volumes",
                "snapshots",
                "pods",
                "faults",
                "script",
                "attributes",
            ];
            let bare = key.trim_matches('`');
            let told = reference.contains(key)
                || reference.contains(&format!("`[{bare}]`"))
                || list.contains(&bare) && reference.contains(&format!("`[[{bare}]]`"));
            assert!(told, "the reference does not tell of {key} in {table}");
        }
    }
}
