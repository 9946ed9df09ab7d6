//! Nodes that are lost: the node lifecycle controller, taint eviction, Pod garbage collection and the garbage
//! collector (actors.md §15, failures E10).

use super::action::{Fact, Subject};
use super::effect::{Field, Value};
use super::event::{EventType, Text};
use super::timing::{EVICTION, NODE_GRACE, POD_GC, POD_GC_QUARANTINE, WATCH, WRITE, When};
use super::turn::{Turn, need};
use super::{
    Action, ActorId, Boot, Cluster, EventId, Node, NodeId, NodeReady, ObjectId, Phase, PodId, Presence,
};
use super::{Role, Unmet, World, kubelet};

type Step = Result<(), Unmet>;

/// Something that those who look after Nodes do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the sentence that its name in `fact` spells")]
pub enum Act {
    MarksUnready(NodeId),
    Taints(NodeId),
    TaintsNoExecute(NodeId),
    Untaints(NodeId),
    UntaintsNoExecute(NodeId),
    ReportsReady(NodeId),
    EvictsPod(PodId),
    CancelsEviction(PodId),
    CollectsOrphan(PodId),
    CollectsOutOfService(PodId),
    CollectsCsiNode(NodeId),
}

/// An Event about a Pod on a Node that is lost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Event {
    /// The Pod's Node is not ready.
    NodeNotReady,
    /// The Pod is evicted.
    MarkingForDeletion(PodId),
    /// The Pod is evicted no longer.
    CancellingDeletion(PodId),
}

impl Event {
    pub(super) fn text(self, world: &World) -> Text {
        let name = |pod| format!("{}/{}", world.namespace_of(pod), world.pod(pod).name);
        match self {
            Event::NodeNotReady => (EventType::Warning, "NodeNotReady", "Node is not ready".into()),
            Event::MarkingForDeletion(pod) => {
                (EventType::Normal, "TaintManagerEviction", format!("Marking for deletion Pod {}", name(pod)))
            }
            Event::CancellingDeletion(pod) => (
                EventType::Normal,
                "TaintManagerEviction",
                format!("Cancelling deletion of Pod {}", name(pod)),
            ),
        }
    }
}

/// A Node's taints on the volume path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct TaintSet(u8);

/// Every taint as `KEY:EFFECT`, in the order of the API server's recordings.
const TAINTS: [&str; 4] = [
    "node.kubernetes.io/out-of-service:NoExecute",
    "node.kubernetes.io/unreachable:NoExecute",
    "node.kubernetes.io/unreachable:NoSchedule",
    "maintenance:NoSchedule",
];

impl TaintSet {
    /// The taints of a Node.
    pub fn of(node: &Node) -> Self {
        let all = [node.out_of_service, node.no_execute, node.no_schedule, node.tainted];
        Self((0..).zip(all).map(|(place, is)| u8::from(is) << place).sum())
    }

    /// The taints, joined by a comma and a space; `None` when there are none.
    pub fn text(self) -> Option<String> {
        let here = (0..).zip(TAINTS).filter(|(place, _)| self.0 >> place & 1 == 1);
        let all: Vec<&str> = here.map(|(_, taint)| taint).collect();
        (!all.is_empty()).then(|| all.join(", "))
    }
}

impl Act {
    pub(super) fn fact(self) -> Fact {
        const LIFECYCLE: &str = "pkg/controller/nodelifecycle/node_lifecycle_controller.go";
        const EVICTION: &str = "pkg/controller/tainteviction/taint_eviction.go";
        const GC: &str = "pkg/controller/podgc/gc_controller.go";
        let fact = |role, name, source| Fact { role, rule: "§15", name, source };
        match self {
            Act::MarksUnready(_) => fact(Role::NodeLifecycle, "node-lifecycle-marks-unready", LIFECYCLE),
            Act::Taints(_) => fact(Role::NodeLifecycle, "node-lifecycle-taints", LIFECYCLE),
            Act::TaintsNoExecute(_) => {
                fact(Role::NodeLifecycle, "node-lifecycle-taints-no-execute", LIFECYCLE)
            }
            Act::Untaints(_) => fact(Role::NodeLifecycle, "node-lifecycle-untaints", LIFECYCLE),
            Act::UntaintsNoExecute(_) => {
                fact(Role::NodeLifecycle, "node-lifecycle-untaints-no-execute", LIFECYCLE)
            }
            Act::ReportsReady(_) => {
                fact(Role::Kubelet, "kubelet-reports-ready", "pkg/kubelet/nodestatus/setters.go")
            }
            Act::EvictsPod(_) => fact(Role::TaintEviction, "taint-eviction-evicts-pod", EVICTION),
            Act::CancelsEviction(_) => fact(Role::TaintEviction, "taint-eviction-cancels", EVICTION),
            Act::CollectsOrphan(_) => fact(Role::PodGc, "pod-gc-collects-orphan", GC),
            Act::CollectsOutOfService(_) => fact(Role::PodGc, "pod-gc-collects-out-of-service", GC),
            Act::CollectsCsiNode(_) => fact(
                Role::GarbageCollector,
                "garbage-collector-collects-csinode",
                "pkg/controller/garbagecollector/garbagecollector.go",
            ),
        }
    }

    pub(super) fn subject(self) -> Subject {
        match self {
            Act::MarksUnready(node)
            | Act::Taints(node)
            | Act::TaintsNoExecute(node)
            | Act::Untaints(node)
            | Act::UntaintsNoExecute(node)
            | Act::ReportsReady(node)
            | Act::CollectsCsiNode(node) => Subject::Node(node),
            Act::EvictsPod(pod)
            | Act::CancelsEviction(pod)
            | Act::CollectsOrphan(pod)
            | Act::CollectsOutOfService(pod) => Subject::Pod(pod),
        }
    }

    pub(super) fn when(self, _: &World, cluster: &Cluster) -> When {
        match self {
            Act::MarksUnready(_) => When::After(NODE_GRACE.ms),
            // Pods tolerate for a while that their Node cannot be reached, and not that it is out of service.
            Act::EvictsPod(pod) => {
                let pod = cluster.pod(pod);
                let out = pod.node.is_some_and(|node| cluster.node(node).out_of_service);
                let at_once = out && !pod.deleting;
                When::After(if at_once { WATCH.ms } else { EVICTION.ms })
            }
            Act::CollectsOrphan(_) => When::After(POD_GC_QUARANTINE.ms + POD_GC.ms),
            Act::CollectsOutOfService(_) => When::Every { period: POD_GC.ms, offset: 13_000 },
            Act::Taints(_)
            | Act::TaintsNoExecute(_)
            | Act::Untaints(_)
            | Act::UntaintsNoExecute(_)
            | Act::CancelsEviction(_)
            | Act::CollectsCsiNode(_) => When::After(WATCH.ms),
            Act::ReportsReady(_) => When::After(WRITE.ms),
        }
    }

    pub(super) fn run(self, t: &mut Turn) -> Step {
        // All but kubelet run in kube-controller-manager, which goes down as a whole.
        let manager = ActorId::cluster(Role::AttachDetachController);
        need(self.fact().role == Role::Kubelet || !t.cluster.down().contains(manager), Unmet::ActorDown)?;
        match self {
            Act::MarksUnready(node) => marks_unready(t, node),
            Act::Taints(node) => taints(
                t,
                node,
                |n| n.ready != NodeReady::True && !n.no_schedule,
                |n| {
                    n.no_schedule = true;
                },
            ),
            Act::TaintsNoExecute(node) => taints_no_execute(t, node),
            Act::Untaints(node) => taints(
                t,
                node,
                |n| n.ready == NodeReady::True && n.no_schedule,
                |n| {
                    n.no_schedule = false;
                },
            ),
            Act::UntaintsNoExecute(node) => taints(
                t,
                node,
                |n| n.ready == NodeReady::True && !n.no_schedule && n.no_execute,
                |n| {
                    n.no_execute = false;
                },
            ),
            Act::ReportsReady(node) => reports_ready(t, node),
            Act::EvictsPod(pod) => evicts_pod(t, pod),
            Act::CancelsEviction(pod) => cancels_eviction(t, pod),
            Act::CollectsOrphan(pod) => collects_orphan(t, pod),
            Act::CollectsOutOfService(pod) => collects_out_of_service(t, pod),
            Act::CollectsCsiNode(node) => collects_csi_node(t, node),
        }
    }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    for node in world.nodes() {
        let all = [
            Act::MarksUnready(node),
            Act::Taints(node),
            Act::TaintsNoExecute(node),
            Act::Untaints(node),
            Act::UntaintsNoExecute(node),
            Act::ReportsReady(node),
            Act::CollectsCsiNode(node),
        ];
        found.extend(all.map(Action::Nodes));
    }
    for pod in world.pods() {
        let all = [
            Act::EvictsPod(pod),
            Act::CancelsEviction(pod),
            Act::CollectsOrphan(pod),
            Act::CollectsOutOfService(pod),
        ];
        found.extend(all.map(Action::Nodes));
    }
}

/// A taint with the effect NoExecute: the eviction of the Node's Pods is due after what they tolerate.
pub(super) fn begins_evictions(t: &mut Turn, node: NodeId) {
    for pod in pods_on(t, node) {
        let pod = t.cluster.pod_mut(pod);
        pod.evicting |= !pod.deleting;
    }
}

/// The Pods that are there and bound to a Node.
fn pods_on(t: &Turn, node: NodeId) -> Vec<PodId> {
    let here = |id: &PodId| {
        let pod = t.cluster.pod(*id);
        pod.presence == Presence::Here && pod.node == Some(node)
    };
    t.world.pods().filter(here).collect()
}

/// A Node whose kubelet says nothing for the grace period is not ready, and its Pods hear of it.
fn marks_unready(t: &mut Turn, node: NodeId) -> Step {
    need(!t.cluster.node(node).gone, Unmet::NodeMissing)?;
    need(t.cluster.down().contains(ActorId::on(Role::Kubelet, node)), Unmet::ActorUp)?;
    need(t.cluster.node(node).ready == NodeReady::True, Unmet::NodeUnready)?;
    set_ready(t, node, NodeReady::Unknown);
    for pod in pods_on(t, node) {
        t.event(ObjectId::Pod(pod), EventId::Nodes(Event::NodeNotReady));
    }
    Ok(())
}

fn set_ready(t: &mut Turn, node: NodeId, to: NodeReady) {
    let from = std::mem::replace(&mut t.cluster.node_mut(node).ready, to);
    t.write(ObjectId::Node(node), Field::Ready, Value::Ready(from), Value::Ready(to));
}

fn taints(t: &mut Turn, node: NodeId, due: fn(&Node) -> bool, set: fn(&mut Node)) -> Step {
    need(!t.cluster.node(node).gone, Unmet::NodeMissing)?;
    need(due(t.cluster.node(node)), Unmet::NothingNew)?;
    let from = TaintSet::of(t.cluster.node(node));
    set(t.cluster.node_mut(node));
    write_taints(t, node, from);
    Ok(())
}

pub(super) fn write_taints(t: &mut Turn, node: NodeId, from: TaintSet) {
    let to = TaintSet::of(t.cluster.node(node));
    t.write(ObjectId::Node(node), Field::Taints, Value::Taints(from), Value::Taints(to));
}

/// With NoExecute the eviction of the Node's Pods is due after what they tolerate.
fn taints_no_execute(t: &mut Turn, node: NodeId) -> Step {
    taints(
        t,
        node,
        |n| n.ready == NodeReady::Unknown && n.no_schedule && !n.no_execute,
        |n| {
            n.no_execute = true;
        },
    )?;
    begins_evictions(t, node);
    Ok(())
}

/// kubelet is back, and says so with its first node status.
fn reports_ready(t: &mut Turn, node: NodeId) -> Step {
    need(!t.cluster.node(node).gone, Unmet::NodeMissing)?;
    need(t.cluster.node(node).ready != NodeReady::True, Unmet::NodeHealthy)?;
    set_ready(t, node, NodeReady::True);
    // What is in use stands as it was until kubelet has looked at its disk (K2, K13).
    if t.cluster.node(node).agent.boot != Boot::Started {
        kubelet::report(t, node);
    }
    Ok(())
}

/// The eviction only marks the Pod: its kubelet is away, so it stays Terminating.
fn evicts_pod(t: &mut Turn, id: PodId) -> Step {
    let pod = t.cluster.pod(id);
    need(pod.presence == Presence::Here, Unmet::PodMissing)?;
    need(pod.evicting, Unmet::NotEvicting)?;
    let deleting = pod.deleting;
    let pod = t.cluster.pod_mut(id);
    pod.evicting = false;
    pod.deleting = true;
    t.event(ObjectId::Pod(id), EventId::Nodes(Event::MarkingForDeletion(id)));
    if !deleting {
        t.write(ObjectId::Pod(id), Field::DeletionTimestamp, Value::Absent, Value::Set);
    }
    Ok(())
}

/// The Pod is gone, or its Node is back, before the eviction was due.
fn cancels_eviction(t: &mut Turn, id: PodId) -> Step {
    let pod = t.cluster.pod(id);
    need(pod.evicting, Unmet::NotEvicting)?;
    let tainted = pod.node.map(|node| t.cluster.node(node)).is_some_and(|n| n.no_execute || n.out_of_service);
    need(pod.presence == Presence::Gone || !tainted, Unmet::Tainted)?;
    t.cluster.pod_mut(id).evicting = false;
    t.event(ObjectId::Pod(id), EventId::Nodes(Event::CancellingDeletion(id)));
    Ok(())
}

/// A Pod whose Node is gone is deleted by force.
fn collects_orphan(t: &mut Turn, id: PodId) -> Step {
    let pod = t.cluster.pod(id);
    need(pod.presence == Presence::Here, Unmet::PodMissing)?;
    let node = pod.node.ok_or(Unmet::PodUnbound)?;
    need(t.cluster.node(node).gone, Unmet::NodeHealthy)?;
    collect(t, id);
    Ok(())
}

/// A Terminating Pod on a Node that is not ready and out of service is deleted by force.
fn collects_out_of_service(t: &mut Turn, id: PodId) -> Step {
    let pod = t.cluster.pod(id);
    need(pod.presence == Presence::Here, Unmet::PodMissing)?;
    need(pod.deleting, Unmet::PodNotDeleting)?;
    let node = t.cluster.node(pod.node.ok_or(Unmet::PodUnbound)?);
    need(node.ready != NodeReady::True, Unmet::NodeHealthy)?;
    need(node.out_of_service, Unmet::NotOutOfService)?;
    collect(t, id);
    Ok(())
}

fn collect(t: &mut Turn, id: PodId) {
    let object = ObjectId::Pod(id);
    let pod = t.cluster.pod_mut(id);
    let (phase, deleting) = (pod.phase, pod.deleting);
    pod.presence = Presence::Gone;
    pod.phase = Phase::Failed;
    pod.deleting = true;
    t.write(object, Field::Phase, Value::Phase(phase), Value::Phase(Phase::Failed));
    if !deleting {
        t.write(object, Field::DeletionTimestamp, Value::Absent, Value::Set);
    }
    t.delete(object);
}

/// The CSINode belongs to its Node, and goes after it.
fn collects_csi_node(t: &mut Turn, node: NodeId) -> Step {
    need(t.cluster.node(node).gone, Unmet::NodeHealthy)?;
    need(!t.cluster.node(node).csi_node_gone, Unmet::NothingNew)?;
    t.cluster.node_mut(node).csi_node_gone = true;
    t.delete(ObjectId::CsiNode(node));
    Ok(())
}
