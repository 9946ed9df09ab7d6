//! The claims of generic ephemeral volumes: made for a Pod, collected with it (paths.md §13).

use super::action::{Fact, Subject};
use super::claims::{create_claim, mark_deleted};
use super::event::{EventType, Text};
use super::timing::{WATCH, When};
use super::turn::{Turn, need};
use super::{Action, ClaimId, Cluster, EventId, ObjectId, PodId, PodVolume, Presence, Role, Unmet, World};

type Step = Result<(), Unmet>;

/// Something that the ephemeral volume controller or the garbage collector does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the sentence that its name in `fact` spells")]
pub enum Act {
    CreatesClaim(PodId),
    FindsForeignClaim(PodId),
    CollectsClaim(PodId),
}

/// An Event that the ephemeral volume controller sends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Event {
    /// The name of the Pod's claim is taken.
    NotOwner(PodId),
}

impl Event {
    pub(super) fn text(self, world: &World) -> Text {
        let Event::NotOwner(pod) = self;
        let claim = world.claim_of(pod).map_or("", |claim| world.claim(claim).name.as_str());
        // The controller names the claim after the Pod and the volume in it.
        let name = &world.pod(pod).name;
        let volume =
            claim.strip_prefix(name.as_str()).and_then(|rest| rest.strip_prefix('-')).unwrap_or(claim);
        let message = format!("ephemeral volume {volume}: {}", not_owner(world, pod));
        (EventType::Warning, "FailedBinding", message)
    }
}

/// What the controller and the scheduler say where the claim of that name belongs to somebody else.
pub(super) fn not_owner(world: &World, pod: PodId) -> String {
    let namespace = world.namespace();
    let claim = world.claim_of(pod).map_or("", |claim| world.claim(claim).name.as_str());
    format!(
        "PVC {namespace}/{claim} was not created for pod {namespace}/{} (pod is not owner)",
        world.pod(pod).name
    )
}

impl Act {
    pub(super) fn fact(self) -> Fact {
        const CONTROLLER: &str = "pkg/controller/volume/ephemeral/controller.go";
        let fact = |role, name, source| Fact { role, rule: "paths.md §13", name, source };
        match self {
            Act::CreatesClaim(_) => fact(Role::EphemeralController, "ephemeral-creates-claim", CONTROLLER),
            Act::FindsForeignClaim(_) => {
                fact(Role::EphemeralController, "ephemeral-finds-foreign-claim", CONTROLLER)
            }
            Act::CollectsClaim(_) => fact(
                Role::GarbageCollector,
                "collector-deletes-claim",
                "pkg/controller/garbagecollector/garbagecollector.go",
            ),
        }
    }

    pub(super) fn subject(self) -> Subject {
        match self {
            Act::CreatesClaim(pod) | Act::FindsForeignClaim(pod) | Act::CollectsClaim(pod) => {
                Subject::Pod(pod)
            }
        }
    }

    pub(super) fn when(self, _: &World, _: &Cluster) -> When {
        When::After(WATCH.ms)
    }

    pub(super) fn run(self, t: &mut Turn) -> Step {
        match self {
            Act::CreatesClaim(id) => creates_claim(t, id),
            Act::FindsForeignClaim(id) => finds_foreign_claim(t, id),
            Act::CollectsClaim(id) => collects_claim(t, id),
        }
    }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    for pod in world.pods().filter(|pod| template(world, *pod).is_some()) {
        let all = [Act::CreatesClaim(pod), Act::FindsForeignClaim(pod), Act::CollectsClaim(pod)];
        found.extend(all.map(Action::Ephemeral));
    }
}

/// The claim that a Pod's template makes.
fn template(world: &World, pod: PodId) -> Option<ClaimId> {
    match world.pod(pod).source {
        PodVolume::Ephemeral(claim) => Some(ClaimId(claim as u8)),
        PodVolume::Claim(_) | PodVolume::Inline(_) => None,
    }
}

/// A claim of the same name that is not this one.
pub(super) fn namesake(world: &World, cluster: &Cluster, claim: ClaimId) -> Option<ClaimId> {
    let name = &world.claim(claim).name;
    world.claims().find(|other| {
        *other != claim
            && world.claim(*other).name == *name
            && cluster.claim(*other).presence == Presence::Here
    })
}

/// A living Pod whose claim is not there, and that claim.
fn without_claim(t: &Turn, id: PodId) -> Result<ClaimId, Unmet> {
    let pod = t.cluster.pod(id);
    need(pod.presence == Presence::Here, Unmet::PodMissing)?;
    need(!pod.deleting, Unmet::PodDeleting)?;
    let claim = template(t.world, id).ok_or(Unmet::NothingNew)?;
    need(t.cluster.claim(claim).presence == Presence::NotYet, Unmet::ClaimExists)?;
    Ok(claim)
}

/// The controller creates the Pod's claim, which the Pod then owns.
fn creates_claim(t: &mut Turn, id: PodId) -> Step {
    let claim = without_claim(t, id)?;
    need(namesake(t.world, &t.cluster, claim).is_none(), Unmet::ClaimOfAnother)?;
    t.read(ObjectId::Pod(id));
    create_claim(t, claim);
    Ok(())
}

/// A claim of that name is somebody else's, so the Pod does not get one.
fn finds_foreign_claim(t: &mut Turn, id: PodId) -> Step {
    let claim = without_claim(t, id)?;
    let other = namesake(t.world, &t.cluster, claim).ok_or(Unmet::ClaimMissing)?;
    need(!t.cluster.binder(claim).told_not_owner, Unmet::AlreadyTold)?;
    t.read(ObjectId::Claim(other));
    t.cluster.binder_mut(claim).told_not_owner = true;
    t.event(ObjectId::Pod(id), EventId::Ephemeral(Event::NotOwner(id)));
    Ok(())
}

/// The Pod is gone, so the garbage collector deletes the claim that it owned.
fn collects_claim(t: &mut Turn, id: PodId) -> Step {
    let claim = template(t.world, id).ok_or(Unmet::NothingNew)?;
    need(t.cluster.pod(id).presence == Presence::Gone, Unmet::PodExists)?;
    need(t.cluster.claim(claim).presence == Presence::Here, Unmet::ClaimMissing)?;
    need(!t.cluster.claim(claim).deleting, Unmet::ClaimDeleting)?;
    t.read(ObjectId::Pod(id));
    mark_deleted(t, claim);
    Ok(())
}
