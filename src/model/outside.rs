//! What comes from outside of the model: processes that stop and start again.

use super::action::{Fact, Subject};
use super::fault::FaultKind;
use super::timing::When;
use super::turn::{Turn, need};
use super::{Action, ActorId, Cluster, FaultId, Role, Unmet, World};

type Step = Result<(), Unmet>;

/// Something that happens to the cluster.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the sentence that its name in `fact` spells")]
pub enum Act {
    ProcessStops(FaultId),
    ProcessStarts(FaultId),
}

impl Act {
    pub(super) fn fact(self) -> Fact {
        let fact = |name| Fact { role: Role::User, rule: "fault", name, source: "a fault of the scenario" };
        match self {
            Act::ProcessStops(_) => fact("process-stops"),
            Act::ProcessStarts(_) => fact("process-starts"),
        }
    }

    pub(super) fn subject(self) -> Subject {
        match self {
            Act::ProcessStops(fault) | Act::ProcessStarts(fault) => Subject::Fault(fault),
        }
    }

    pub(super) fn when(self, _: &World, _: &Cluster) -> When {
        When::OnCommand
    }

    pub(super) fn run(self, t: &mut Turn) -> Step {
        match self {
            Act::ProcessStops(fault) => stops(t, fault),
            Act::ProcessStarts(fault) => starts(t, fault),
        }
    }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    for (id, fault) in world.faults() {
        if matches!(fault.kind, FaultKind::Down { .. }) {
            found.extend([Act::ProcessStops(id), Act::ProcessStarts(id)].map(Action::Outside));
        }
    }
}

fn process(t: &Turn, id: FaultId) -> Result<ActorId, Unmet> {
    match t.world.fault(id).map(|fault| &fault.kind) {
        Some(FaultKind::Down { role, node }) => Ok(ActorId { role: *role, node: *node }),
        Some(FaultKind::Answer { .. }) | None => Err(Unmet::NoSuchFault),
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
    if actor.role == Role::ExternalProvisioner {
        super::provisioner::forgets(t);
    }
    Ok(())
}

/// It starts again.
fn starts(t: &mut Turn, id: FaultId) -> Step {
    let actor = process(t, id)?;
    need(t.cluster.down().contains(actor), Unmet::ActorUp)?;
    t.cluster.down_mut().set(actor, false);
    Ok(())
}
