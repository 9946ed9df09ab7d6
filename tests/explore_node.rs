//! Every reachable state of one Pod's volume on its Node, with one thing going wrong: what never happens, and that
//! it always ends clean.

use mountpath::model::{
    AccessMode, Action, Attachment, Boot, Cluster, Code, Driver, Fault, FaultKind, KubeletOperation, Link,
    Method, MountState, NodeId, NodeSpec, Parts, Pod, PodId, PodSpec, Presence, Role, Runtime, World,
    actions, apply, driver, kubelet, next, obeys, user,
};
use stateright::{Checker, Model, Property};
use std::collections::{BTreeSet, HashMap, VecDeque};

/// A Node with a bound Pod on it, and the faults in store.
fn world(faults: Vec<Fault>) -> World {
    let node = NodeSpec { name: "node-1".into(), driver_id: "node-1".into(), ..NodeSpec::default() };
    let pod = PodSpec {
        name: "app".into(),
        uid: "uid-of-app".into(),
        container: "c".into(),
        image: "busybox".into(),
        node: Some(0),
        volume_name: "data".into(),
        ..PodSpec::default()
    };
    let parts = Parts {
        namespace: "default".into(),
        driver: Driver::default(),
        nodes: vec![node],
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

fn enabled(world: &World, state: &Cluster) -> Vec<Action> {
    actions(world, state).into_iter().filter(|action| is_of_node(*action)).collect()
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

struct Explored {
    world: World,
    /// The driver may say that it failed although it did the work, or kubelet may be stopped in the middle of it:
    /// then something may be left behind.
    leaves: bool,
}

impl Model for Explored {
    type State = Cluster;
    type Action = Action;

    fn init_states(&self) -> Vec<Cluster> {
        vec![start(&self.world)]
    }

    fn actions(&self, state: &Cluster, found: &mut Vec<Action>) {
        found.extend(enabled(&self.world, state));
    }

    fn next_state(&self, state: &Cluster, action: Action) -> Option<Cluster> {
        next(&self.world, state, action)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let mut properties = vec![
            Property::always("a mount has its device", |m: &Explored, s: &Cluster| {
                let real = s.place(the_link(&m.world)).real;
                real.device || (!real.staged && real.targets.is_empty())
            }),
            Property::always("what is published is staged", |m: &Explored, s: &Cluster| {
                let real = s.place(the_link(&m.world)).real;
                real.staged || real.targets.is_empty()
            }),
            Property::always("containers run on a mounted volume", |m: &Explored, s: &Cluster| {
                let pod = the_pod(&m.world);
                s.pod(pod).runtime != Runtime::Running
                    || s.place(the_link(&m.world)).real.targets.contains(pod)
            }),
            Property::always(
                "kubelet does not let the Pod object go while the volume is mounted for it",
                |m: &Explored, s: &Cluster| {
                    let (pod, place) = (the_pod(&m.world), s.place(the_link(&m.world)));
                    let removes = Action::Kubelet(kubelet::Act::RemovesPod(pod));
                    // A mount that is just under way is not in its books yet.
                    let busy = matches!(
                        place.kubelet.operation,
                        KubeletOperation::PublishCalled(_) | KubeletOperation::PublishDone(_)
                    );
                    m.leaves
                        || busy
                        || !place.real.targets.contains(pod)
                        || next(&m.world, s, removes).is_none()
                },
            ),
            Property::always("only a field's owner writes it", |m: &Explored, s: &Cluster| {
                let outcomes = enabled(&m.world, s).into_iter().filter_map(|a| apply(&m.world, s, a).ok());
                outcomes.flat_map(|outcome| outcome.changes).all(obeys)
            }),
            Property::sometimes("the Pod runs", |m: &Explored, s: &Cluster| {
                s.pod(the_pod(&m.world)).runtime == Runtime::Running
            }),
        ];
        properties.push(if self.leaves {
            Property::sometimes("something is left behind", |m: &Explored, s: &Cluster| {
                is_left_behind(&m.world, s)
            })
        } else {
            Property::always("nothing is left behind", |m: &Explored, s: &Cluster| {
                !is_left_behind(&m.world, s)
            })
        });
        properties
    }
}

/// The reachable states, and for each the numbers of those before it.
fn reachable(world: &World) -> (Vec<Cluster>, Vec<Vec<usize>>) {
    let mut numbers = HashMap::from([(start(world), 0_usize)]);
    let mut queue = VecDeque::from([start(world)]);
    let (mut states, mut before) = (Vec::new(), vec![Vec::new()]);
    while let Some(state) = queue.pop_front() {
        let number = states.len();
        for action in enabled(world, &state) {
            let next = next(world, &state, action).expect("enabled");
            let count = numbers.len();
            let to = *numbers.entry(next).or_insert(count);
            if to == count {
                queue.push_back(next);
                before.push(Vec::new());
            }
            before[to].push(number);
        }
        states.push(state);
    }
    (states, before)
}

/// How many of these states cannot reach one of those that are wanted.
fn stuck(
    states: &[Cluster],
    before: &[Vec<usize>],
    from: impl Fn(&Cluster) -> bool,
    to: impl Fn(&Cluster) -> bool,
) -> usize {
    let mut reaches = vec![false; states.len()];
    let mut open: Vec<usize> = (0..states.len()).filter(|number| to(&states[*number])).collect();
    while let Some(number) = open.pop() {
        if !std::mem::replace(&mut reaches[number], true) {
            open.extend(&before[number]);
        }
    }
    (0..states.len()).filter(|number| from(&states[*number]) && !reaches[*number]).count()
}

/// Visits everything: the number of states, and of those that something is left behind in for good.
fn explore(faults: Vec<Fault>, leaves: bool) -> (usize, usize) {
    let world = world(faults);
    let checker = Explored { world: world.clone(), leaves }.checker().spawn_bfs().join();
    checker.assert_properties();
    let (states, before) = reachable(&world);
    assert_eq!(checker.unique_state_count(), states.len());
    let (pod, link) = (the_pod(&world), the_link(&world));
    let lives = |s: &Cluster| s.pod(pod).presence == Presence::Here && !s.pod(pod).deleting;
    let runs = |s: &Cluster| s.pod(pod).runtime == Runtime::Running;
    assert_eq!(stuck(&states, &before, lives, runs), 0, "states of a Pod that never runs");
    let clean = |s: &Cluster| {
        let (real, kubelet) = (s.place(link).real, s.place(link).kubelet);
        let known = kubelet.attached || !kubelet.is_published_nowhere() || !kubelet.wanted.is_empty();
        s.pod(pod).presence == Presence::Gone && !real.staged && real.targets.is_empty() && !known
    };
    (states.len(), stuck(&states, &before, |_| true, clean))
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
    assert_eq!(explore(down(Role::Kubelet), true), (7035, 174));
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
    let world = world(faults);
    let (states, _) = reachable(&world);
    let mut reasons = BTreeSet::new();
    for state in &states {
        for action in enabled(&world, state) {
            let outcome = apply(&world, state, action).expect("enabled");
            reasons.extend(outcome.changes.into_iter().filter_map(|change| match change {
                mountpath::model::Change::Event { event, .. } => Some(event.text(&world).2),
                _ => None,
            }));
        }
    }
    let failed = "MountVolume.MountDevice failed for volume \"pvc-1\" : rpc error: code = Aborted desc = no";
    assert!(reasons.contains(failed), "{reasons:?}");
}
