//! kube-scheduler, as far as volumes matter to it (SC4).

use super::action::{Fact, Subject};
use super::effect::{Field, Value};
use super::event::{EventType, Text};
use super::timing::{WATCH, When};
use super::turn::{Turn, need};
use super::{Action, Cluster, EventId, NodeId, ObjectId, PodId, Presence, Role, Unmet, World};

type Step = Result<(), Unmet>;

/// Something that kube-scheduler does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the sentence that its name in `fact` spells")]
pub enum Act {
    BindsPod(PodId, NodeId),
}

/// An Event that kube-scheduler sends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Event {
    /// It bound the Pod to this Node.
    Scheduled(PodId, NodeId),
}

impl Event {
    pub(super) fn text(self, world: &World) -> Text {
        match self {
            Event::Scheduled(pod, node) => (
                EventType::Normal,
                "Scheduled",
                format!(
                    "Successfully assigned {}/{} to {}",
                    world.namespace(),
                    world.pod(pod).name,
                    world.node(node).name
                ),
            ),
        }
    }
}

impl Act {
    pub(super) fn fact(self) -> Fact {
        match self {
            Act::BindsPod(..) => Fact {
                role: Role::KubeScheduler,
                rule: "SC4",
                name: "scheduler-binds-pod",
                source: "pkg/scheduler/framework/plugins/defaultbinder/default_binder.go",
            },
        }
    }

    pub(super) fn subject(self) -> Subject {
        match self {
            Act::BindsPod(pod, _) => Subject::Pod(pod),
        }
    }

    pub(super) fn when(self, _: &World, _: &Cluster) -> When {
        When::After(WATCH.ms)
    }

    pub(super) fn run(self, t: &mut Turn) -> Step {
        match self {
            Act::BindsPod(id, node) => bound(t, id, node),
        }
    }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    for id in world.pods() {
        found.extend(world.nodes().map(|node| Action::Scheduler(Act::BindsPod(id, node))));
    }
}

/// SC4: the scheduler binds the Pod to a Node; nobody attaches before that.
fn bound(t: &mut Turn, id: PodId, node: NodeId) -> Step {
    let pod = t.cluster.pod(id);
    need(pod.presence == Presence::Here, Unmet::PodMissing)?;
    need(pod.node.is_none(), Unmet::PodBound)?;
    t.read(ObjectId::Pod(id));
    if let Some(claim) = t.world.claim_of(id) {
        t.read(ObjectId::Claim(claim));
    }
    t.cluster.pod_mut(id).node = Some(node);
    t.write(ObjectId::Pod(id), Field::NodeName, Value::Absent, Value::Node(node));
    t.event(ObjectId::Pod(id), EventId::Scheduler(Event::Scheduled(id, node)));
    Ok(())
}
