//! Why something has not happened: what a state's actors wait for, and who would release them.

use mountpath::model::{
    Action, Cluster, Explanation, Goal, Harm, Phase, PodId, Presence, Reason, Unmet, VolumeId, World,
    actions, explain, harms, next,
};
use mountpath::trace::read_scenario;

const WORLD: &str = "
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
[[pods]]
name = \"app2\"
claim = \"data\"
";

fn world(more: &str) -> World {
    read_scenario("test", &format!("{WORLD}{more}")).expect("a scenario").world
}

/// Lets an action of this name happen, to this Pod where it is about one; where there are several, the first.
fn happen(world: &World, state: &mut Cluster, name: &str, pod: Option<PodId>) {
    let is = |action: &Action| {
        let of_pod = format!("{action:?}").contains(&format!("{:?}", pod.unwrap_or_else(|| first(world))));
        action.name() == name && (pod.is_none() || of_pod)
    };
    let action =
        actions(world, state).into_iter().find(is).unwrap_or_else(|| panic!("{name} is not possible"));
    *state = next(world, state, action).expect("it is possible");
}

fn first(world: &World) -> PodId {
    world.pod_named("app").expect("a Pod")
}

fn volume(world: &World) -> VolumeId {
    world.volumes().next().expect("a volume")
}

/// Follows an explanation to its goal.
fn follow(world: &World, mut state: Cluster, goal: Goal) -> Cluster {
    for reason in way(world, &state, goal) {
        state = next(world, &state, reason.action).expect("each step is possible in its turn");
    }
    assert!(goal.holds(world, &state));
    state
}

fn way(world: &World, state: &Cluster, goal: Goal) -> Vec<Reason> {
    match explain(world, state, goal) {
        Explanation::Waits(reasons) => reasons,
        other => panic!("{goal:?}: {other:?}"),
    }
}

fn step<'r>(way: &'r [Reason], name: &str) -> &'r Reason {
    way.iter().find(|reason| reason.action.name() == name).unwrap_or_else(|| panic!("no {name}: {way:?}"))
}

#[test]
fn from_nothing_only_the_user_is_missing() {
    let world = world("");
    let pod = first(&world);
    let way = way(&world, &world.initial(), Goal::PodRuns(pod));
    let outside: Vec<&str> = way.iter().filter(|r| r.outside).map(|r| r.action.name()).collect();
    assert_eq!(outside, ["user-creates-pod"]);
    assert_eq!((way[0].action.name(), way[0].unmet, way[0].released_by), ("user-creates-pod", None, None));
    assert!(way.iter().all(|reason| reason.harms.is_empty()));
    assert_eq!(way.last().map(|r| r.action.name()), Some("kubelet-starts-containers"));
}

#[test]
fn kubelet_waits_for_its_own_status_report_and_it_is_said_how_long() {
    let world = world("");
    let mut state = world.initial();
    for name in ["user-creates-pod", "scheduler-binds-pod", "kubelet-wants-volume"] {
        happen(&world, &mut state, name, Some(first(&world)));
    }
    let way = way(&world, &state, Goal::PodRuns(first(&world)));
    let verifies = step(&way, "kubelet-verifies-attached");
    assert_eq!(verifies.unmet, Some(Unmet::NotReportedInUse));
    assert_eq!(step(&way, "kubelet-reports-in-use").within_ms(), Some(10_000));
    let releases = &way[verifies.released_by.expect("something releases it")];
    assert!(["kubelet-reports-in-use", "adc-lists-attached"].contains(&releases.action.name()));
}

#[test]
fn a_second_pod_waits_until_somebody_deletes_the_first() {
    let world = world("");
    let (one, two) = (first(&world), world.pod_named("app2").expect("a Pod"));
    let mut state = world.initial();
    happen(&world, &mut state, "user-creates-pod", Some(one));
    state = follow(&world, state, Goal::PodRuns(one));
    happen(&world, &mut state, "user-creates-pod", Some(two));
    let binds = actions(&world, &state).into_iter().filter(|a| a.name() == "scheduler-binds-pod");
    let mut bound = binds.filter_map(|action| next(&world, &state, action));
    state = bound.find(|s| s.pod(two).node != s.pod(one).node).expect("another Node");
    happen(&world, &mut state, "adc-finds-pod", Some(two));
    let way = way(&world, &state, Goal::PodRuns(two));
    let outside: Vec<&str> = way.iter().filter(|r| r.outside).map(|r| r.action.name()).collect();
    assert_eq!(outside, ["user-deletes-pod"]);
    assert_eq!(step(&way, "adc-creates-attachment").unmet, Some(Unmet::AttachedElsewhere));
}

#[test]
fn a_process_that_is_down_is_named_and_has_to_start() {
    let world = world("[[faults]]\ndown = \"external-attacher\"\ntimes = 1\n");
    let mut state = world.initial();
    happen(&world, &mut state, "user-creates-pod", Some(first(&world)));
    happen(&world, &mut state, "process-stops", None);
    let way = way(&world, &state, Goal::PodRuns(first(&world)));
    assert_eq!(step(&way, "attacher-calls-controller-publish").unmet, Some(Unmet::ActorDown));
    assert!(step(&way, "process-starts").outside);
}

#[test]
fn from_a_running_pod_there_is_a_way_to_a_detached_volume_and_back_to_nothing() {
    let world = world("");
    let pod = first(&world);
    let running = follow(&world, world.initial(), Goal::PodRuns(pod));
    assert_eq!(running.pod(pod).phase, Phase::Running);
    assert_eq!(explain(&world, &running, Goal::PodRuns(pod)), Explanation::Reached);
    let detached = follow(&world, running, Goal::VolumeDetached(volume(&world)));
    let gone = follow(&world, running, Goal::PodGone(pod));
    assert_eq!(gone.pod(pod).presence, Presence::Gone);
    assert_eq!((harms(&world, &detached), harms(&world, &gone)), (Vec::new(), Vec::new()));
    assert!(matches!(explain(&world, &gone, Goal::PodRuns(pod)), Explanation::Never(_)));
}

#[test]
fn harm_is_named() {
    let world = world("");
    let pod = first(&world);
    let mut state = follow(&world, world.initial(), Goal::PodRuns(pod));
    state.pod_mut(pod).presence = Presence::Gone;
    assert_eq!(harms(&world, &state), [Harm::RunsUnowned(pod)]);
}
