//! Two Pods on two Nodes with one ReadWriteOnce volume, and one thing that goes wrong: when two Nodes hold it.

use mountpath::model::hand::Deed;
use mountpath::model::{
    AccessMode, Action, Cause, Cluster, Code, Fault, FaultKind, Link, Method, NodeId, NodeSpec, Parts, PodId,
    PodSpec, Role, World, actions, apply, next, scheduler, user,
};
use stateright::{Checker, Model, Property};
use std::collections::HashMap;
use std::fmt::Write as _;

/// Up to which action of the first Pod everything has gone well at the start.
const RUNNING: &str = "kubelet-starts-containers";
const CREATED: &str = "adc-creates-attachment";

/// A world, the state at its start, and how many states it has.
struct Danger {
    name: &'static str,
    world: World,
    start: Cluster,
    /// The cause without which no two Nodes hold the volume, if they can.
    cause: Option<Cause>,
    states: usize,
}

/// The parts of every world here: Pods `app` and `web` of one claim, and two Nodes.
struct Names {
    app: PodId,
    web: PodId,
    one: NodeId,
    two: NodeId,
    first: Link,
}

fn parts() -> Parts {
    let node = |name: &str| NodeSpec { name: name.into(), driver_id: name.into(), ..NodeSpec::default() };
    let pod = |name: &str| PodSpec { name: name.into(), ..PodSpec::default() };
    let parts = Parts {
        namespace: "default".into(),
        nodes: vec![node("node-1"), node("node-2")],
        pods: vec![pod("app"), pod("web")],
        ..Parts::default()
    };
    parts.bound_claim("data", "pvc-1", "vol-1", AccessMode::ReadWriteOnce)
}

fn names(world: &World) -> Names {
    let (app, web) = (world.pod_named("app").expect("app"), world.pod_named("web").expect("web"));
    let (one, two) = (world.node_named("node-1").expect("one"), world.node_named("node-2").expect("two"));
    Names { app, web, one, two, first: world.links().next().expect("a link") }
}

/// A world with these faults, in which `app` has come as far as `until` on node-1 and `web` waits on node-2.
fn danger(
    name: &'static str,
    until: &str,
    cause: Option<Cause>,
    states: usize,
    faults: impl Fn(&Names) -> Vec<FaultKind>,
) -> Danger {
    let plain = World::new(parts()).expect("a world");
    let known = names(&plain);
    let faults = faults(&known).into_iter().map(|kind| Fault { kind, times: Some(1) }).collect();
    let world = World::new(Parts { faults, ..parts() }).expect("a world");
    let mut start = world.initial();
    let mut play = |action: Action| start = apply(&world, &start, action).expect("enabled").cluster;
    play(Action::User(user::Act::CreatesPod(known.app)));
    play(Action::Scheduler(scheduler::Act::BindsPod(known.app, known.one)));
    let mut last = "";
    while last != until {
        let quiet = |action: &Action| {
            !matches!(action, Action::User(_) | Action::Outside(_) | Action::Hand(_) | Action::Nodes(_))
                && !action.name().ends_with("-failed")
                && action.name() != "attacher-repeats-controller-publish"
                && action.name() != "adc-sees-in-use"
        };
        let action = actions(&world, &start).into_iter().find(quiet).expect("something to do");
        last = action.name();
        start = apply(&world, &start, action).expect("enabled").cluster;
    }
    let mut play = |action: Action| start = apply(&world, &start, action).expect("enabled").cluster;
    play(Action::User(user::Act::CreatesPod(known.web)));
    play(Action::Scheduler(scheduler::Act::BindsPod(known.web, known.two)));
    Danger { name, world, start, cause, states }
}

fn answer(method: Method, node: NodeId, did: bool) -> FaultKind {
    let message = "backend error".into();
    FaultKind::Answer { method, node: Some(node), code: Code::Internal, message, did }
}

fn kubelet_down(node: NodeId) -> FaultKind {
    FaultKind::Down { role: Role::Kubelet, node: Some(node) }
}

fn by_hand(deed: Deed) -> FaultKind {
    FaultKind::ByHand { deed }
}

impl Danger {
    /// The Nodes that hold the volume: attached at the backend, or mounted.
    fn holders(&self, state: &Cluster) -> usize {
        let holds = |link: &Link| {
            let real = state.place(*link).real;
            real.published || real.staged || !real.targets.is_empty()
        };
        self.world.links().filter(holds).count()
    }
}

impl Model for Danger {
    type State = Cluster;
    type Action = Action;

    fn init_states(&self) -> Vec<Cluster> {
        vec![self.start]
    }

    fn actions(&self, state: &Cluster, found: &mut Vec<Action>) {
        // What comes after two Nodes hold the volume is not looked at.
        if self.cause.is_some() && self.holders(state) > 1 {
            return;
        }
        let known = names(&self.world);
        // The second Pod stays, and what its Node does with the attached volume changes nothing; informers keep up.
        let matters = |action: &Action| {
            *action != Action::User(user::Act::DeletesPod(known.web))
                && action.actor(state).node != Some(known.two)
                && action.name() != "attacher-repeats-controller-publish"
                && action.name() != "process-starts"
        };
        found.extend(actions(&self.world, state).into_iter().filter(matters));
    }

    fn next_state(&self, state: &Cluster, action: Action) -> Option<Cluster> {
        next(&self.world, state, action)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let mut all = vec![Property::always(
            "two Nodes hold a ReadWriteOnce volume only where a cause is named",
            |m: &Danger, s: &Cluster| m.holders(s) < 2 || !s.causes().is_empty(),
        )];
        if self.cause.is_some() {
            all.push(Property::sometimes("two Nodes hold it", |m: &Danger, s: &Cluster| m.holders(s) > 1));
        } else {
            all.push(Property::always("one Node holds it at most", |m: &Danger, s: &Cluster| {
                m.holders(s) < 2
            }));
        }
        all
    }
}

/// The shortest way to a state in which two Nodes hold the volume, and what it contains.
fn shortest(danger: &Danger) -> (Vec<(String, Action)>, Cluster) {
    let mut known = HashMap::from([(danger.start, 0_usize)]);
    let mut states: Vec<(Cluster, Option<(usize, Action)>)> = vec![(danger.start, None)];
    let mut at = 0;
    while danger.holders(&states[at].0) < 2 {
        let state = states[at].0;
        let mut found = Vec::new();
        danger.actions(&state, &mut found);
        for action in found {
            let next = danger.next_state(&state, action).expect("enabled");
            if known.insert(next, states.len()).is_none() {
                states.push((next, Some((at, action))));
            }
        }
        at += 1;
        assert!(at < states.len(), "{}: no way to two holders", danger.name);
    }
    let end = states[at].0;
    let mut way = Vec::new();
    while let Some((before, action)) = states[at].1 {
        let actor = danger.world.actor(action.actor(&states[before].0));
        way.push((actor.to_string(), action));
        at = before;
    }
    way.reverse();
    (way, end)
}

/// Explores one world: the number of its states, and the shortest way to two holders in its golden file.
fn explore(danger: Danger) {
    let (name, cause, states) = (danger.name, danger.cause, danger.states);
    if let Some(cause) = cause {
        let (way, end) = shortest(&danger);
        let mut told = format!("{name}: the shortest way to a volume that two Nodes hold\n");
        for (at, (actor, action)) in way.into_iter().enumerate() {
            let _ = writeln!(told, "{:>3}. {actor}: {} (rule {})", at + 1, action.name(), action.rule());
        }
        let named: Vec<&str> = end.causes().iter().map(Cause::name).collect();
        assert!(named.contains(&cause.name()), "{name}: {named:?}");
        let _ = writeln!(told, "causes: {}", named.join(", "));
        golden(&format!("{}/tests/golden/danger-{name}.txt", env!("CARGO_MANIFEST_DIR")), &told);
    }
    let checker = danger.checker().spawn_bfs().join();
    checker.assert_properties();
    assert_eq!(checker.unique_state_count(), states, "states reachable in {name}");
}

fn golden(path: &str, text: &str) {
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, text).expect("a golden file");
    }
    let held = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(held, text, "{path} differs: look at it, then BLESS=1");
}

#[test]
fn an_attach_that_fails_harms_nobody() {
    explore(danger("attach-error", RUNNING, None, 659, |names| {
        vec![answer(Method::ControllerPublishVolume, names.two, false)]
    }));
}

#[test]
fn a_lost_reply_of_an_attach_leaves_the_volume_on_a_node_that_nobody_is_certain_of() {
    explore(danger("attach-reply-lost", CREATED, Some(Cause::AttachBesideUncertain), 20_846, |names| {
        vec![answer(Method::ControllerPublishVolume, names.one, true)]
    }));
}

#[test]
fn a_failed_detach_lets_a_second_node_in() {
    explore(danger("detach-error", RUNNING, Some(Cause::AttachBesideUncertain), 1_291, |names| {
        vec![answer(Method::ControllerUnpublishVolume, names.one, false)]
    }));
}

#[test]
fn a_volume_attachment_deleted_by_hand_lets_a_second_node_in() {
    explore(danger("attachment-deleted", RUNNING, Some(Cause::AttachmentDeletedByHand), 8_746, |names| {
        vec![by_hand(Deed::DeleteAttachment(names.first))]
    }));
}

#[test]
fn a_forced_detach_from_a_node_that_still_runs_lets_a_second_node_in() {
    explore(danger("forced-detach", RUNNING, Some(Cause::ForcedDetach), 11_882, |names| {
        vec![kubelet_down(names.one), FaultKind::PodForced { pod: names.app }]
    }));
}

#[test]
fn an_out_of_service_taint_on_a_node_that_still_runs_lets_a_second_node_in() {
    explore(danger("out-of-service", RUNNING, Some(Cause::OutOfService), 17_916, |names| {
        vec![kubelet_down(names.one), by_hand(Deed::TaintOutOfService(names.one))]
    }));
}

#[test]
fn a_node_deleted_while_it_still_runs_lets_a_second_node_in() {
    explore(danger("node-deleted", RUNNING, Some(Cause::ForcedDetach), 30_906, |names| {
        vec![kubelet_down(names.one), by_hand(Deed::DeleteNode(names.one))]
    }));
}

#[test]
fn a_finalizer_stripped_after_a_failed_detach_hides_the_first_node() {
    explore(danger("finalizer-stripped", RUNNING, Some(Cause::AttachmentStripped), 3_234, |names| {
        vec![
            answer(Method::ControllerUnpublishVolume, names.one, false),
            by_hand(Deed::StripAttachment(names.first)),
        ]
    }));
}
