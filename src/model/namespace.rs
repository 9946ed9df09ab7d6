//! The namespace controller: what is in a namespace that is being deleted goes, Pods first.

use super::action::{Fact, Subject};
use super::effect::{Field, Value};
use super::timing::{WATCH, When};
use super::turn::{Turn, need};
use super::{Action, ClaimId, Cluster, ObjectId, PodId, Presence, Role, Unmet, World};

type Step = Result<(), Unmet>;

/// Something that the namespace controller does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the sentence that its name in `fact` spells")]
pub enum Act {
    DeletesPod(PodId),
    DeletesClaim(ClaimId),
}

impl Act {
    pub(super) fn fact(self) -> Fact {
        let fact = |name| Fact {
            role: Role::NamespaceController,
            rule: "U3",
            name,
            source: "pkg/controller/namespace/deletion/namespaced_resources_deleter.go",
        };
        match self {
            Act::DeletesPod(_) => fact("namespace-controller-deletes-pod"),
            Act::DeletesClaim(_) => fact("namespace-controller-deletes-claim"),
        }
    }

    pub(super) fn subject(self) -> Subject {
        match self {
            Act::DeletesPod(pod) => Subject::Pod(pod),
            Act::DeletesClaim(claim) => Subject::Claim(claim),
        }
    }

    pub(super) fn when(self, _: &World, _: &Cluster) -> When {
        match self {
            Act::DeletesPod(_) | Act::DeletesClaim(_) => When::After(WATCH.ms),
        }
    }

    pub(super) fn run(self, t: &mut Turn) -> Step {
        match self {
            Act::DeletesPod(id) => deletes_pod(t, id),
            Act::DeletesClaim(id) => deletes_claim(t, id),
        }
    }
}

/// Only a world in which somebody deletes the namespace has anything for it to do.
pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    if !world.faults().any(|(_, fault)| matches!(fault.kind, super::FaultKind::NamespaceDeleted)) {
        return;
    }
    found.extend(world.pods().map(|id| Action::Namespace(Act::DeletesPod(id))));
    found.extend(world.claims().map(|id| Action::Namespace(Act::DeletesClaim(id))));
}

fn deletes_pod(t: &mut Turn, id: PodId) -> Step {
    need(t.cluster.terminating(), Unmet::NamespaceStays)?;
    let pod = t.cluster.pod(id);
    need(pod.presence == Presence::Here, Unmet::PodMissing)?;
    need(!pod.deleting, Unmet::PodDeleting)?;
    let bound = pod.node.is_some();
    t.cluster.pod_mut(id).deleting = true;
    t.write(ObjectId::Pod(id), Field::DeletionTimestamp, Value::Absent, Value::Set);
    if !bound {
        t.cluster.pod_mut(id).presence = Presence::Gone;
        t.delete(ObjectId::Pod(id));
    }
    Ok(())
}

/// As long as Pods have their grace period, the controller comes back to the rest later.
fn deletes_claim(t: &mut Turn, id: ClaimId) -> Step {
    need(t.cluster.terminating(), Unmet::NamespaceStays)?;
    let left = t.world.pods().any(|pod| t.cluster.pod(pod).presence == Presence::Here);
    need(!left, Unmet::PodsLeft)?;
    need(t.cluster.claim(id).presence == Presence::Here, Unmet::ClaimMissing)?;
    need(!t.cluster.claim(id).deleting, Unmet::ClaimDeleting)?;
    t.cluster.claim_mut(id).deleting = true;
    t.write(ObjectId::Claim(id), Field::DeletionTimestamp, Value::Absent, Value::Set);
    Ok(())
}
