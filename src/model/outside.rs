//! What comes from outside of the model: processes that stop and start, Pods and a namespace removed by hand.

use super::action::{Fact, Subject};
use super::fault::FaultKind;
use super::nodes::{TaintSet, write_taints};
use super::timing::When;
use super::turn::{Turn, need};
use super::{
    Action, ActorId, Cluster, FaultId, NodeId, ObjectId, Presence, Role, Unmet, World, adc, attacher, driver,
    expand_controller, kubelet, provisioner, resizer, snapshots,
};

type Step = Result<(), Unmet>;

/// Something that happens to the cluster.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the sentence that its name in `fact` spells")]
pub enum Act {
    ProcessStops(FaultId),
    ProcessStarts(FaultId),
    PodForced(FaultId),
    NamespaceDeleted(FaultId),
    NodeTainted(FaultId),
    NodeUntainted(FaultId),
}

impl Act {
    pub(super) fn fact(self) -> Fact {
        let fact = |name| Fact { role: Role::User, rule: "fault", name, source: "a fault of the scenario" };
        match self {
            Act::ProcessStops(_) => fact("process-stops"),
            Act::ProcessStarts(_) => fact("process-starts"),
            Act::PodForced(_) => fact("user-forces-pod-deletion"),
            Act::NamespaceDeleted(_) => fact("user-deletes-namespace"),
            Act::NodeTainted(_) => fact("user-taints-node"),
            Act::NodeUntainted(_) => fact("user-untaints-node"),
        }
    }

    pub(super) fn subject(self) -> Subject {
        match self {
            Act::ProcessStops(fault)
            | Act::ProcessStarts(fault)
            | Act::PodForced(fault)
            | Act::NodeTainted(fault)
            | Act::NodeUntainted(fault)
            | Act::NamespaceDeleted(fault) => Subject::Fault(fault),
        }
    }

    pub(super) fn when(self, _: &World, _: &Cluster) -> When {
        When::OnCommand
    }

    pub(super) fn run(self, t: &mut Turn) -> Step {
        match self {
            Act::ProcessStops(fault) => stops(t, fault),
            Act::ProcessStarts(fault) => starts(t, fault),
            Act::PodForced(fault) => forced(t, fault),
            Act::NamespaceDeleted(fault) => namespace_deleted(t, fault),
            Act::NodeTainted(fault) => node_tainted(t, fault),
            Act::NodeUntainted(fault) => node_untainted(t, fault),
        }
    }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    for (id, fault) in world.faults() {
        match fault.kind {
            FaultKind::Down { .. } => {
                found.extend([Act::ProcessStops(id), Act::ProcessStarts(id)].map(Action::Outside));
            }
            FaultKind::PodForced { .. } => found.push(Action::Outside(Act::PodForced(id))),
            FaultKind::Tainted { .. } => {
                found.extend([Act::NodeTainted(id), Act::NodeUntainted(id)].map(Action::Outside));
            }
            FaultKind::NamespaceDeleted => found.push(Action::Outside(Act::NamespaceDeleted(id))),
            FaultKind::Answer { .. }
            | FaultKind::Hangs { .. }
            | FaultKind::Refused { .. }
            | FaultKind::ByHand { .. } => {}
        }
    }
}

fn process(t: &Turn, id: FaultId) -> Result<ActorId, Unmet> {
    match t.world.fault(id).map(|fault| &fault.kind) {
        Some(FaultKind::Down { role, node }) => Ok(ActorId { role: *role, node: *node }),
        Some(_) | None => Err(Unmet::NoSuchFault),
    }
}

/// A process stops: its calls under way are lost, and so is what it remembers.
fn stops(t: &mut Turn, id: FaultId) -> Step {
    let actor = process(t, id)?;
    need(!t.cluster.left(id).is_none(), Unmet::NoSuchFault)?;
    need(!t.cluster.down().contains(actor), Unmet::ActorDown)?;
    let left = t.cluster.left(id).less();
    *t.cluster.left_mut(id) = left;
    t.cluster.down_mut().set(actor, true);
    forget(t, actor);
    driver::forgets(t, actor);
    if let Some(node) = actor.node.filter(|_| actor.role == Role::Kubelet) {
        kubelet::forgets(t, node);
    }
    if let Some(node) = actor.node.filter(|_| actor.role == Role::NodeDriverRegistrar) {
        kubelet::loses_socket(t, node);
    }
    Ok(())
}

/// What the process remembered is gone.
fn forget(t: &mut Turn, actor: ActorId) {
    if actor.role == Role::ExternalAttacher {
        attacher::forget(t);
    }
    if actor.role == Role::AttachDetachController {
        adc::forget(t);
    }
    if actor.role == Role::ExternalProvisioner {
        provisioner::forgets(t);
    }
    if actor.role == Role::ExternalResizer {
        resizer::forgets(t);
    }
    if actor.role == Role::ExternalSnapshotter {
        snapshots::forgets(t);
    }
}

/// It starts again.
fn starts(t: &mut Turn, id: FaultId) -> Step {
    let actor = process(t, id)?;
    need(t.cluster.down().contains(actor), Unmet::ActorUp)?;
    t.cluster.down_mut().set(actor, false);
    if actor.role == Role::AttachDetachController {
        adc::rebuild(t);
        expand_controller::begins(t);
    }
    Ok(())
}

/// A Pod is deleted with a grace period of nothing: the object goes at once, and its kubelet finds out.
///
/// Source: pkg/registry/core/pod/strategy.go `CheckGracefulDelete`.
fn forced(t: &mut Turn, id: FaultId) -> Step {
    let pod = match t.world.fault(id).map(|fault| &fault.kind) {
        Some(FaultKind::PodForced { pod }) => *pod,
        Some(_) | None => {
            return Err(Unmet::NoSuchFault);
        }
    };
    need(!t.cluster.left(id).is_none(), Unmet::NoSuchFault)?;
    need(t.cluster.pod(pod).presence == Presence::Here, Unmet::PodMissing)?;
    let left = t.cluster.left(id).less();
    *t.cluster.left_mut(id) = left;
    t.cluster.pod_mut(pod).presence = Presence::Gone;
    t.delete(ObjectId::Pod(pod));
    Ok(())
}

/// The namespace gets a deletionTimestamp: nothing can be created in it any more, no Event either.
///
/// Source: staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go.
fn namespace_deleted(t: &mut Turn, id: FaultId) -> Step {
    let kind = t.world.fault(id).map(|fault| &fault.kind);
    need(matches!(kind, Some(FaultKind::NamespaceDeleted)), Unmet::NoSuchFault)?;
    need(!t.cluster.left(id).is_none(), Unmet::NoSuchFault)?;
    let left = t.cluster.left(id).less();
    *t.cluster.left_mut(id) = left;
    t.cluster.terminate();
    Ok(())
}

fn tainted(t: &Turn, id: FaultId) -> Result<NodeId, Unmet> {
    match t.world.fault(id).map(|fault| &fault.kind) {
        Some(FaultKind::Tainted { node }) => Ok(*node),
        Some(_) | None => Err(Unmet::NoSuchFault),
    }
}

/// The Node gets a taint that no Pod of the world tolerates.
///
/// Source: pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go.
fn node_tainted(t: &mut Turn, id: FaultId) -> Step {
    let node = tainted(t, id)?;
    need(!t.cluster.node(node).gone, Unmet::NodeMissing)?;
    need(!t.cluster.node(node).tainted, Unmet::Tainted)?;
    t.spend(id)?;
    set_tainted(t, node, true);
    Ok(())
}

/// And loses it.
fn node_untainted(t: &mut Turn, id: FaultId) -> Step {
    let node = tainted(t, id)?;
    need(!t.cluster.node(node).gone, Unmet::NodeMissing)?;
    need(t.cluster.node(node).tainted, Unmet::NothingNew)?;
    set_tainted(t, node, false);
    Ok(())
}

fn set_tainted(t: &mut Turn, node: NodeId, to: bool) {
    let from = TaintSet::of(t.cluster.node(node));
    t.cluster.node_mut(node).tainted = to;
    write_taints(t, node, from);
}
