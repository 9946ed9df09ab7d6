//! What a user does, with kubectl or a script (U2, U3).

use super::action::{Fact, Subject};
use super::effect::{Field, Value};
use super::timing::When;
use super::turn::{Turn, need};
use super::{Action, Cluster, ObjectId, Phase, Pod, PodId, Presence, Role, Unmet, World};

type Step = Result<(), Unmet>;

/// Something that a user does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the sentence that its name in `fact` spells")]
pub enum Act {
    CreatesPod(PodId),
    DeletesPod(PodId),
}

impl Act {
    pub(super) fn fact(self) -> Fact {
        let fact =
            |rule, name| Fact { role: Role::User, rule, name, source: "pkg/registry/core/pod/strategy.go" };
        match self {
            Act::CreatesPod(_) => fact("U2", "user-creates-pod"),
            Act::DeletesPod(_) => fact("U3", "user-deletes-pod"),
        }
    }

    pub(super) fn subject(self) -> Subject {
        match self {
            Act::CreatesPod(pod) | Act::DeletesPod(pod) => Subject::Pod(pod),
        }
    }

    pub(super) fn when(self, _: &World, _: &Cluster) -> When {
        When::OnCommand
    }

    pub(super) fn run(self, t: &mut Turn) -> Step {
        match self {
            Act::CreatesPod(id) => created(t, id),
            Act::DeletesPod(id) => deleted(t, id),
        }
    }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    for id in world.pods() {
        found.extend([Act::CreatesPod(id), Act::DeletesPod(id)].map(Action::User));
    }
}

/// U2: a user creates the Pod.
fn created(t: &mut Turn, id: PodId) -> Step {
    need(t.cluster.pod(id).presence == Presence::NotYet, Unmet::PodExists)?;
    let node = t.world.pod(id).node.and_then(|place| t.world.nodes().nth(place));
    *t.cluster.pod_mut(id) = Pod { presence: Presence::Here, node, ..Pod::default() };
    let object = ObjectId::Pod(id);
    t.create(object);
    if let Some(node) = node {
        t.write(object, Field::NodeName, Value::Absent, Value::Node(node));
    }
    t.write(object, Field::Phase, Value::Absent, Value::Phase(Phase::Pending));
    Ok(())
}

/// U3: a user deletes the Pod. A bound one stays until its kubelet lets go, an unbound one goes at once.
///
/// Source: pkg/registry/core/pod/strategy.go `CheckGracefulDelete`.
fn deleted(t: &mut Turn, id: PodId) -> Step {
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
