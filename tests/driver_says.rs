//! What errors say: no answer of the driver, scripted or its own, leaves the reader without a reason.

use mountpath::model::{About, Code, Failure, Method, ObjectId, World, usual};
use mountpath::trace::{Effect, SCENARIOS, read_scenario, record, record_scenario};

const WORLD: &str = "
[[nodes]]
name = \"node-1\"
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
[[script]]
do = \"user-creates-pod\"
on = \"app\"
";

fn world() -> World {
    read_scenario("test", WORLD).expect("a scenario").world
}

/// What the effects of a run say of errors.
fn errors(effects: &[Effect]) -> Vec<String> {
    let said = effects.iter().filter_map(|effect| match effect {
        Effect::Event { message, .. } => Some(message.clone()),
        Effect::Write { field, to, .. } if field.ends_with("Error") => to.clone(),
        Effect::Rpc { code: Some(code), message, .. } if *code != Code::Ok => message.clone(),
        _ => None,
    });
    said.collect()
}

#[test]
fn no_error_of_a_named_scenario_is_without_words() {
    for (name, _) in SCENARIOS {
        let trace = record(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        for said in trace.steps.iter().flat_map(|step| errors(&step.effects)) {
            assert!(!said.is_empty() && !said.trim_end().ends_with("desc ="), "{name}: {said:?}");
        }
    }
}

#[test]
fn a_scripted_answer_without_a_message_says_what_such_an_error_usually_says() {
    let fault = "[[faults]]\nanswer = \"NodeStageVolume\"\ntimes = 1\n";
    let scenario = read_scenario("test", &format!("{WORLD}{fault}")).expect("a scenario");
    let trace = record_scenario(&scenario).expect("a run");
    let said: Vec<String> = trace.steps.iter().flat_map(|step| errors(&step.effects)).collect();
    let failed = "MountVolume.MountDevice failed for volume \"pvc-1\" : rpc error: code = Internal desc = injected \
                  NodeStageVolume failure";
    assert!(said.iter().any(|text| text == failed), "{said:?}");

    let own = fault.replace("times", "code = \"ABORTED\"\nmessage = \"busy\"\ntimes");
    let scenario = read_scenario("test", &format!("{WORLD}{own}")).expect("a scenario");
    let trace = record_scenario(&scenario).expect("a run");
    assert!(
        trace
            .steps
            .iter()
            .flat_map(|s| errors(&s.effects))
            .any(|t| t.ends_with("code = Aborted desc = busy"))
    );
}

#[test]
fn the_driver_says_why_it_refuses() {
    let world = world();
    let pod = world.pod_named("app").expect("a Pod");
    let volume = world.volumes().next().expect("a volume");
    let link = world.links().next().expect("a link");
    let cases = [
        (
            Method::NodePublishVolume,
            About::Target(link, pod),
            Code::FailedPrecondition,
            "rpc error: code = FailedPrecondition desc = volume \"vol-1\" must be staged before publishing",
        ),
        (
            Method::NodeStageVolume,
            About::Link(link),
            Code::Internal,
            "rpc error: code = Internal desc = ControllerPublishVolume must be called on volume 'vol-1' before staging \
             on node",
        ),
        (
            Method::NodeUnstageVolume,
            About::Link(link),
            Code::Internal,
            "rpc error: code = Internal desc = volume \"vol-1\" is still published",
        ),
        (
            Method::DeleteVolume,
            About::Volume(volume),
            Code::FailedPrecondition,
            "rpc error: code = FailedPrecondition desc = Volume 'vol-1' is still used",
        ),
        (
            Method::NodeUnpublishVolume,
            About::Target(link, pod),
            Code::NotFound,
            "rpc error: code = NotFound desc = volume id vol-1 does not exist in the volumes list",
        ),
    ];
    for (method, about, code, text) in cases {
        assert_eq!(Failure::Driver(code).text(&world, method, about), text);
    }
    assert_eq!(world.object(ObjectId::Volume(volume)).name, "pvc-1");
}

#[test]
fn every_error_of_every_method_has_words() {
    let world = world();
    for method in Method::ALL {
        for code in Code::all().filter(|code| *code != Code::Ok) {
            let about = About::Volume(world.volumes().next().expect("a volume"));
            assert!(!Failure::Driver(code).message(&world, method, about).is_empty());
            assert!(!usual(method, code).is_empty());
        }
    }
    assert_eq!(usual(Method::NodeStageVolume, Code::DeadlineExceeded), "context deadline exceeded");
}
