//! The expand controller in kube-controller-manager: for a CSI volume it only says that others will expand it.

use super::action::{Fact, Subject};
use super::event::{EventType, Text};
use super::timing::{WATCH, When};
use super::turn::{Turn, need};
use super::{Action, ClaimId, ClaimPhase, Cluster, EventId, ObjectId, Presence, Role, Unmet, World};

/// Something that the expand controller does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the sentence that its name in `fact` spells")]
pub enum Act {
    WaitsForResizer(ClaimId),
}

/// An Event that the expand controller sends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Event {
    /// An external controller is to expand the volume.
    ExternalExpanding,
}

impl Event {
    pub(super) fn text(self) -> Text {
        match self {
            Event::ExternalExpanding => (
                EventType::Normal,
                "ExternalExpanding",
                "waiting for an external controller to expand this PVC".into(),
            ),
        }
    }
}

impl Act {
    pub(super) fn fact(self) -> Fact {
        match self {
            Act::WaitsForResizer(_) => Fact {
                role: Role::ExpandController,
                rule: "ER0",
                name: "expand-controller-waits-for-resizer",
                source: "pkg/controller/volume/expand/expand_controller.go",
            },
        }
    }

    pub(super) fn subject(self) -> Subject {
        match self {
            Act::WaitsForResizer(claim) => Subject::Claim(claim),
        }
    }

    pub(super) fn when(self, _: &World, _: &Cluster) -> When {
        When::After(WATCH.ms)
    }

    pub(super) fn run(self, t: &mut Turn) -> Result<(), Unmet> {
        match self {
            Act::WaitsForResizer(claim) => waits(t, claim),
        }
    }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    let grows = world.claims().filter(|claim| !world.claim(*claim).resizes.is_empty());
    found.extend(grows.map(|claim| Action::ExpandController(Act::WaitsForResizer(claim))));
}

/// ER0: a bound claim asks for more than it has, and does so anew, or has just got a part of it.
fn waits(t: &mut Turn, id: ClaimId) -> Result<(), Unmet> {
    let claim = t.cluster.claim(id);
    need(claim.presence == Presence::Here, Unmet::ClaimMissing)?;
    need(claim.phase == ClaimPhase::Bound, Unmet::ClaimNotBound)?;
    need(claim.request > claim.capacity, Unmet::LargeEnough)?;
    need(!claim.growth.told, Unmet::AlreadyTold)?;
    t.read(ObjectId::Claim(id));
    t.cluster.claim_mut(id).growth.told = true;
    t.event(ObjectId::Claim(id), EventId::ExpandController(Event::ExternalExpanding));
    Ok(())
}

/// kube-controller-manager has started: it finds every claim anew.
pub(super) fn begins(t: &mut Turn) {
    for id in t.world.claims() {
        t.cluster.claim_mut(id).growth.told = false;
    }
}
