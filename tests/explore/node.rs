//! Every reachable state of one Pod's volume on its Node, with one thing going wrong: what never happens, and that
//! it always ends clean.

use crate::claims_world::{node, pod};
use crate::worlds::Explored;
use mountpath::model::{
    AccessMode, Action, Attachment, Boot, Cluster, Code, Driver, Fault, FaultKind, KubeletOperation, Link,
    Method, MountState, NodeId, Parts, Pod, PodId, PodSpec, PodVolume, Presence, Role, Runtime, World,
    driver, kubelet, next, user,
};
use std::collections::BTreeSet;

/// A Node with a bound Pod on it, and the faults in store.
fn world(faults: Vec<Fault>) -> World {
    let pod = PodSpec { node: Some(0), volume_name: "data".into(), ..pod("app", PodVolume::Claim(0)) };
    let parts = Parts {
        namespace: "default".into(),
        driver: Driver::default(),
        nodes: vec![node("node-1")],
        pods: vec![pod],
        faults,
        ..Parts::default()
    };
    World::new(parts.bound_claim("data", "pvc-1", "vol-1", AccessMode::ReadWriteOnce)).expect("a world")
}

fn the_node(world: &World) -> NodeId {
    world.nodes().next().expect("a Node")
}

fn the_pod(world: &World) -> PodId {
    world.pods().next().expect("a Pod")
}

fn the_link(world: &World) -> Link {
    world.links().next().expect("a volume on a Node")
}

/// The volume is attached already; its Pod has just been bound.
fn start(world: &World) -> Cluster {
    let mut cluster = world.initial();
    let (node, pod) = (the_node(world), the_pod(world));
    *cluster.pod_mut(pod) = Pod { presence: Presence::Here, node: Some(node), ..Pod::default() };
    let place = cluster.place_mut(the_link(world));
    place.attachment =
        Attachment { exists: true, finalizer: true, node_id: true, attached: true, ..Attachment::default() };
    place.listed = true;
    place.real.published = true;
    place.real.device = true;
    cluster
}

/// What happens on the Node, and the deletion of its Pod.
fn is_of_node(action: Action) -> bool {
    match action {
        Action::Kubelet(_) | Action::Registrar(_) | Action::Outside(_) => true,
        Action::User(act) => matches!(act, user::Act::DeletesPod(_)),
        Action::Driver(act) => {
            !matches!(act, driver::Act::AttachesVolume(_) | driver::Act::DetachesVolume(_))
        }
        _ => false,
    }
}

/// Something is staged or published, and no rule of kubelet will ever undo it.
fn is_left_behind(world: &World, state: &Cluster) -> bool {
    let place = state.place(the_link(world));
    let (real, kubelet) = (place.real, place.kubelet);
    let booting = state.node(the_node(world)).agent.boot == Boot::Started;
    let busy = kubelet.operation != KubeletOperation::None;
    let device = kubelet.device != MountState::NotMounted || (booting && !kubelet.files.pods.is_empty());
    let pod = the_pod(world);
    let known = kubelet.mount(pod) != MountState::NotMounted || (booting && kubelet.files.pods.contains(pod));
    !busy && ((real.staged && !device) || (real.targets.contains(pod) && !known))
}

/// kubelet does not let the Pod object go while the volume is mounted for it.
fn holds_on(explored: &Explored, state: &Cluster) -> bool {
    let (world, pod) = (&explored.world, the_pod(&explored.world));
    let place = state.place(the_link(world));
    let removes = Action::Kubelet(kubelet::Act::RemovesPod(pod));
    // A mount that is just under way is not in its books yet.
    let busy = matches!(
        place.kubelet.operation,
        KubeletOperation::PublishCalled(_) | KubeletOperation::PublishDone(_)
    );
    busy || !place.real.targets.contains(pod) || next(world, state, removes).is_none()
}

/// The Pod is gone, and with it everything on the Node.
fn is_over(world: &World, state: &Cluster) -> bool {
    let place = state.place(the_link(world));
    let (real, kubelet) = (place.real, place.kubelet);
    let known = kubelet.attached || !kubelet.is_published_nowhere() || !kubelet.wanted.is_empty();
    let gone = state.pod(the_pod(world)).presence == Presence::Gone;
    gone && !real.staged && real.targets.is_empty() && !known
}

/// Visits everything; `leaves` says that the driver may tell that it failed although it did the work, or that kubelet may
/// be stopped in the middle of it: then something may be left behind. The number of states, and of those that something
/// is left behind in for good.
fn explore(faults: Vec<Fault>, leaves: bool) -> (usize, usize) {
    let explored = explored(faults);
    let runs = |m: &Explored, s: &Cluster| s.pod(the_pod(&m.world)).runtime == Runtime::Running;
    let left = |m: &Explored, s: &Cluster| is_left_behind(&m.world, s);
    let explored = explored.ends_in(is_over).sometimes("the Pod runs", runs);
    let seen = if leaves {
        explored.sometimes("something is left behind", left).run()
    } else {
        let nothing = |m: &Explored, s: &Cluster| !is_left_behind(&m.world, s);
        explored
            .always("nothing is left behind", nothing)
            .always("kubelet holds on to the Pod", holds_on)
            .run()
    };
    assert_eq!(seen.lost, 0, "states of a Pod that never runs");
    (seen.states, seen.stuck)
}

fn explored(faults: Vec<Fault>) -> Explored {
    let world = world(faults);
    let start = start(&world);
    Explored::new(world).from(start).only(|_, _, action| is_of_node(*action))
}

fn answer(method: Method, code: Code, did: bool) -> Vec<Fault> {
    let kind = FaultKind::Answer { method, node: None, code, message: "no".into(), did };
    vec![Fault { kind, times: Some(1) }]
}

fn down(role: Role) -> Vec<Fault> {
    let node = Some(the_node(&world(Vec::new())));
    vec![Fault { kind: FaultKind::Down { role, node }, times: Some(1) }]
}

#[test]
fn nothing_goes_wrong() {
    assert_eq!(explore(Vec::new(), false), (176, 0));
}

#[test]
fn a_call_ends_in_an_error_after_which_nothing_is_certain() {
    let table = [
        (Method::NodeStageVolume, [(341, 0), (341, 0)]),
        (Method::NodePublishVolume, [(335, 0), (328, 0)]),
        (Method::NodeUnpublishVolume, [(269, 0), (269, 0)]),
        (Method::NodeUnstageVolume, [(242, 0), (242, 0)]),
    ];
    let visited = |(method, _)| {
        let one = |did| explore(answer(method, Code::DeadlineExceeded, did), false);
        (method, [one(false), one(true)])
    };
    assert_eq!(table.map(visited), table);
}

/// Only a Pod that goes while its volume is being published can lose sight of it: kubelet is not certain of the
/// first call, calls once more, and believes the error (K4f, K5).
#[test]
fn a_call_ends_in_a_final_error() {
    let table = [
        (Method::NodeStageVolume, false, (338, 0)),
        (Method::NodePublishVolume, true, (323, 1)),
        (Method::NodeUnpublishVolume, false, (269, 0)),
        (Method::NodeUnstageVolume, false, (242, 0)),
    ];
    let visited =
        |(method, leaves, _)| (method, leaves, explore(answer(method, Code::Internal, false), leaves));
    assert_eq!(table.map(visited), table);
}

/// kubelet believes a final error: what the driver has staged or published all the same, nobody takes down once
/// the Pod is gone.
#[test]
fn a_final_error_that_is_not_true_leaves_something_behind() {
    let table = [(Method::NodeStageVolume, (341, 3)), (Method::NodePublishVolume, (318, 1))];
    let visited = |(method, _)| (method, explore(answer(method, Code::Internal, true), true));
    assert_eq!(table.map(visited), table);
}

/// After a restart kubelet finds what is published, but not what is only staged (K14): a Pod that is deleted in
/// the meantime leaves its device staged.
#[test]
fn kubelet_restarts() {
    assert_eq!(explore(down(Role::Kubelet), true), (6969, 174));
}

#[test]
fn the_node_plugin_is_down() {
    assert_eq!(explore(down(Role::DriverNode), false), (892, 0));
}

#[test]
fn the_driver_leaves_the_node_and_comes_back() {
    assert_eq!(explore(down(Role::NodeDriverRegistrar), false), (1620, 0));
}

#[test]
fn the_pod_is_removed_by_force() {
    let world = world(Vec::new());
    let faults = vec![Fault { kind: FaultKind::PodForced { pod: the_pod(&world) }, times: Some(1) }];
    assert_eq!(explore(faults, false), (593, 0));
}

#[test]
fn every_error_of_a_mount_has_its_event() {
    let faults = answer(Method::NodeStageVolume, Code::Aborted, true);
    let explored = explored(faults);
    let world = explored.world.clone();
    let told: BTreeSet<String> =
        explored.run().events.into_iter().map(|(_, event, _)| event.text(&world).2).collect();
    let failed = "MountVolume.MountDevice failed for volume \"pvc-1\" : rpc error: code = Aborted desc = no";
    assert!(told.contains(failed), "{told:?}");
}
