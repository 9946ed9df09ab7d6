//! Two Pods on two Nodes with one ReadWriteOnce volume, and one thing that goes wrong: when two Nodes hold it.

use crate::claims_world::node;
use crate::worlds::{Explored, laws, made, text};
use mountpath::model::hand::Deed;
use mountpath::model::{
    AccessMode, Action, Cause, Cluster, Code, Driver, Fault, FaultKind, Link, Method, NodeId, Parts, PodId,
    Role, World, actions, apply, next, scheduler, user,
};

/// Up to which action of the first Pod everything has gone well at the start.
pub const RUNNING: &str = "kubelet-starts-containers";
const CREATED: &str = "adc-creates-attachment";

/// What the dangers come to.
const TWO: &str = "two Nodes hold it";

/// The parts of every world here: Pods `app` and `web` of one claim, and two Nodes.
pub struct Names {
    pub app: PodId,
    pub web: PodId,
    pub one: NodeId,
    pub two: NodeId,
    pub first: Link,
}

fn names(world: &World) -> Names {
    let (app, web) = (world.pod_named("app").expect("app"), world.pod_named("web").expect("web"));
    let (one, two) = (world.node_named("node-1").expect("one"), world.node_named("node-2").expect("two"));
    Names { app, web, one, two, first: world.links().next().expect("a link") }
}

fn parts() -> Parts {
    made::bound(AccessMode::ReadWriteOnce, &["app", "web"], 2)
}

/// A world with these faults, in which `app` has come as far as `until` on node-1 and `web` waits on node-2.
pub fn danger(until: &str, faults: impl Fn(&Names) -> Vec<FaultKind>) -> Explored {
    let faults = faults(&names(&made::world(parts())));
    let faults = faults.into_iter().map(|kind| Fault { kind, times: Some(1) }).collect();
    let world = made::world(Parts { faults, ..parts() });
    let known = names(&world);
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
    // The second Pod stays, and what its Node does with the attached volume changes nothing; informers keep up.
    let (web, two) = (known.web, known.two);
    Explored::new(world).from(start).only(move |_, state, action| {
        *action != Action::User(user::Act::DeletesPod(web))
            && action.actor(state).node != Some(two)
            && action.name() != "attacher-repeats-controller-publish"
            && action.name() != "process-starts"
    })
}

fn answer(method: Method, node: NodeId, did: bool) -> FaultKind {
    let message = "backend error".into();
    FaultKind::Answer { method, node: Some(node), code: Code::Internal, message, did }
}

fn kubelet_down(node: NodeId) -> FaultKind {
    FaultKind::Down { role: Role::Kubelet, node: Some(node) }
}

pub fn by_hand(deed: Deed) -> FaultKind {
    FaultKind::ByHand { deed }
}

/// Explores a world in which two Nodes come to hold the volume by this cause: the shortest way is in its golden file.
fn comes_to_two(name: &str, cause: Cause, states: usize, danger: Explored) {
    let (world, start) = (danger.world.clone(), danger.start);
    let seen = danger.sometimes(TWO, laws::two_hold).until(laws::two_hold).run();
    let way = seen.way_to(TWO);
    let end = way.iter().fold(start, |state, action| next(&world, &state, *action).expect("enabled"));
    let causes: Vec<&str> = end.causes().iter().map(Cause::name).collect();
    assert!(causes.contains(&cause.name()), "{name}: {causes:?}");
    let story = text::story(&Explored::new(world).from(start), way);
    let told = format!(
        "{name}: the shortest way to a volume that two Nodes hold\n{story}causes: {}\n",
        causes.join(", ")
    );
    text::golden(&format!("danger-{name}.txt"), &told);
    assert_eq!(seen.states, states, "states reachable in {name}");
}

#[test]
fn an_attach_that_fails_harms_nobody() {
    let danger = danger(RUNNING, |names| vec![answer(Method::ControllerPublishVolume, names.two, false)]);
    let one = |explored: &Explored, state: &Cluster| !laws::two_hold(explored, state);
    assert_eq!(danger.always("one Node holds it at most", one).run().states, 659);
}

#[test]
fn a_lost_reply_of_an_attach_leaves_the_volume_on_a_node_that_nobody_is_certain_of() {
    let danger = danger(CREATED, |names| vec![answer(Method::ControllerPublishVolume, names.one, true)]);
    comes_to_two("attach-reply-lost", Cause::AttachBesideUncertain, 20_846, danger);
}

#[test]
fn a_failed_detach_lets_a_second_node_in() {
    let danger = danger(RUNNING, |names| vec![answer(Method::ControllerUnpublishVolume, names.one, false)]);
    comes_to_two("detach-error", Cause::AttachBesideUncertain, 1_291, danger);
}

#[test]
fn a_volume_attachment_deleted_by_hand_lets_a_second_node_in() {
    let danger = danger(RUNNING, |names| vec![by_hand(Deed::DeleteAttachment(names.first))]);
    comes_to_two("attachment-deleted", Cause::AttachmentDeletedByHand, 8_746, danger);
}

#[test]
fn a_forced_detach_from_a_node_that_still_runs_lets_a_second_node_in() {
    let danger =
        danger(RUNNING, |names| vec![kubelet_down(names.one), FaultKind::PodForced { pod: names.app }]);
    comes_to_two("forced-detach", Cause::ForcedDetach, 11_882, danger);
}

#[test]
fn an_out_of_service_taint_on_a_node_that_still_runs_lets_a_second_node_in() {
    let danger =
        danger(RUNNING, |names| vec![kubelet_down(names.one), by_hand(Deed::TaintOutOfService(names.one))]);
    comes_to_two("out-of-service", Cause::OutOfService, 31_257, danger);
}

#[test]
fn a_node_deleted_while_it_still_runs_lets_a_second_node_in() {
    let danger = danger(RUNNING, |names| vec![kubelet_down(names.one), by_hand(Deed::DeleteNode(names.one))]);
    comes_to_two("node-deleted", Cause::ForcedDetach, 30_906, danger);
}

#[test]
fn a_finalizer_stripped_after_a_failed_detach_hides_the_first_node() {
    let danger = danger(RUNNING, |names| {
        vec![
            answer(Method::ControllerUnpublishVolume, names.one, false),
            by_hand(Deed::StripAttachment(names.first)),
        ]
    });
    comes_to_two("finalizer-stripped", Cause::AttachmentStripped, 3_234, danger);
}

/// Without an attach nobody asks whether another Node has the volume: the access mode alone keeps no Node away.
#[test]
fn a_driver_that_needs_no_attach_lets_every_node_in() {
    let mut parts = parts();
    parts.driver =
        Driver { attach_required: false, controller_publish: false, node_stage: false, ..parts.driver };
    parts.nodes = vec![node("node-1"), node("node-2")];
    let explored = Explored::new(made::world(parts)).only(made::orderly);
    let (world, start) = (explored.world.clone(), explored.start);
    let seen = explored.sometimes(TWO, laws::two_hold).until(laws::two_hold).run();
    let story = text::story(&Explored::new(world).from(start), seen.way_to(TWO));
    let told = format!(
        "no-attach: the shortest way to a volume that two Nodes hold\n{story}causes: nobody attaches\n"
    );
    text::golden("danger-no-attach.txt", &told);
}
