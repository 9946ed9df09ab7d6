//! What the controller makes of a claim that is not bound, and what it says or asks for (PV1 to PV5).

use super::create::{class_name, default_class};
use super::{Event, Mismatch, mismatch};
use crate::model::effect::{Field, Value};
use crate::model::turn::{Turn, need};
use crate::model::{
    BindingMode, Claim, ClaimId, ClassId, Cluster, EventId, ObjectId, PodSet, Presence, Unmet, VolumeId,
    VolumePhase, World,
};

type Step = Result<(), Unmet>;

/// What is to be done about a claim that is not bound, in upstream's order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Decision {
    /// Nothing: there is no such claim.
    Missing,
    /// Nothing: it is bound.
    Bound,
    /// It names a volume that is not there, so it waits.
    AwaitVolume,
    /// It names a volume that does not fit.
    Mismatched(VolumeId, Mismatch),
    /// It names a volume that is another claim's.
    Taken(VolumeId),
    /// Bind it to this volume.
    Bind(VolumeId),
    /// It waits for a Pod that uses it, or until one of these has a Node.
    AwaitConsumer(PodSet),
    /// Its class is not there.
    NoClass(ClassId),
    /// The provisioner of its class is to make a volume.
    Provision(ClassId),
    /// It has no class: it gets the default class.
    Default(ClassId),
    /// It has no class, and there is none to give.
    Nothing,
}

impl Decision {
    /// Why anything else is not done.
    fn unmet(self) -> Unmet {
        match self {
            Decision::Missing => Unmet::ClaimMissing,
            Decision::Bound => Unmet::ClaimBound,
            Decision::AwaitVolume => Unmet::VolumeMissing,
            Decision::Mismatched(..) => Unmet::VolumeMismatched,
            Decision::Taken(_) => Unmet::VolumeTaken,
            Decision::Bind(_) => Unmet::VolumeFits,
            Decision::AwaitConsumer(_) => Unmet::NodeNotSelected,
            Decision::NoClass(_) => Unmet::ClassMissing,
            Decision::Provision(_) => Unmet::AwaitsProvisioner,
            Decision::Default(_) => Unmet::AwaitsDefaultClass,
            Decision::Nothing => Unmet::NoVolumeFits,
        }
    }
}

/// Whether a claim is fully bound: it names its volume, and the controller has said so.
///
/// Source: pkg/scheduler/framework/plugins/volumebinding/binder.go `isPVCFullyBound`.
pub fn is_bound(claim: &Claim) -> bool {
    claim.volume.is_some() && claim.bind_completed
}

/// Whether a claim's class is there and waits for a consumer.
///
/// Source: component-helpers/storage/volume/helpers.go `IsDelayBindingMode`.
pub fn is_delayed(world: &World, cluster: &Cluster, claim: ClaimId) -> bool {
    cluster.claim(claim).class.is_some_and(|class| {
        cluster.class(class).presence == Presence::Here
            && world.class(class).binding == BindingMode::WaitForFirstConsumer
    })
}

/// What is to be done about a claim.
///
/// Source: pkg/controller/volume/persistentvolume/pv_controller.go `syncUnboundClaim`.
pub fn sync_unbound(world: &World, cluster: &Cluster, id: ClaimId) -> Decision {
    let claim = cluster.claim(id);
    if claim.presence != Presence::Here {
        return Decision::Missing;
    }
    if claim.bind_completed {
        return Decision::Bound;
    }
    if let Some(named) = claim.volume {
        let volume = cluster.volume(named);
        return match volume.claim {
            _ if volume.presence != Presence::Here => Decision::AwaitVolume,
            Some(other) if other != id => Decision::Taken(named),
            Some(_) => Decision::Bind(named),
            None => mismatch(world, cluster, id, named)
                .map_or(Decision::Bind(named), |why| Decision::Mismatched(named, why)),
        };
    }
    let delayed = is_delayed(world, cluster, id);
    if let Some(volume) = best_match(world, cluster, id, delayed) {
        return Decision::Bind(volume);
    }
    if delayed && claim.selected.is_none() {
        return Decision::AwaitConsumer(unscheduled(world, cluster, id));
    }
    match claim.class {
        Some(class) if cluster.class(class).presence == Presence::Here => Decision::Provision(class),
        Some(class) => Decision::NoClass(class),
        None => world
            .classes()
            .filter(|class| world.class(*class).default)
            .filter(|class| cluster.class(*class).presence == Presence::Here)
            .last()
            .map_or(Decision::Nothing, Decision::Default),
    }
}

/// The volume that is claimed for this claim already, else, unless binding is delayed, the smallest that is free
/// and fits.
///
/// Source: component-helpers/storage/volume/pv_helpers.go `FindMatchingVolume`.
fn best_match(world: &World, cluster: &Cluster, id: ClaimId, delayed: bool) -> Option<VolumeId> {
    let claim = cluster.claim(id);
    let here = |volume: &VolumeId| cluster.volume(*volume).presence == Presence::Here;
    let fits = |volume: &VolumeId| mismatch(world, cluster, id, *volume).is_none();
    let claimed = world.volumes().filter(here).find(|volume| {
        let volume = cluster.volume(*volume);
        volume.claim == Some(id) && !volume.deleting && volume.capacity >= claim.request
    });
    if claimed.is_some() || delayed {
        return claimed;
    }
    let free = |volume: &VolumeId| {
        let volume = cluster.volume(*volume);
        volume.claim.is_none() && volume.phase == VolumePhase::Available
    };
    world.volumes().filter(here).filter(free).filter(fits).min_by_key(|v| cluster.volume(*v).capacity)
}

/// The Pods that use a claim and have no Node.
fn unscheduled(world: &World, cluster: &Cluster, claim: ClaimId) -> PodSet {
    let uses = world.pods().filter(|pod| world.claim_of(*pod) == Some(claim));
    let waits = uses.filter(|id| {
        let pod = cluster.pod(*id);
        pod.presence == Presence::Here && pod.node.is_none()
    });
    waits.collect()
}

/// Sends an Event about a claim that it has not sent last.
fn tell(t: &mut Turn, id: ClaimId, event: Event) -> Step {
    need(t.cluster.binder(id).told != Some(event), Unmet::AlreadyTold)?;
    t.read(ObjectId::Claim(id));
    t.cluster.binder_mut(id).told = Some(event);
    t.event(ObjectId::Claim(id), EventId::Claims(event));
    Ok(())
}

fn decide(t: &Turn, id: ClaimId) -> Decision {
    sync_unbound(t.world, &t.cluster, id)
}

/// PV1: the claim waits for a Pod that uses it, or for a Node for that Pod.
pub(super) fn waits_for_consumer(t: &mut Turn, id: ClaimId) -> Step {
    let pods = match decide(t, id) {
        Decision::AwaitConsumer(pods) => pods,
        other => return Err(other.unmet()),
    };
    let event = if pods.is_empty() { Event::WaitForFirstConsumer } else { Event::WaitForPodScheduled(pods) };
    tell(t, id, event)
}

/// PV3: the annotation asks the provisioner of the class for a volume.
pub(super) fn asks_provisioner(t: &mut Turn, id: ClaimId) -> Step {
    let class = match decide(t, id) {
        Decision::Provision(class) => class,
        other => return Err(other.unmet()),
    };
    need(!t.cluster.claim(id).provisioner, Unmet::ProvisionerAsked)?;
    t.read(ObjectId::Class(class));
    t.cluster.claim_mut(id).provisioner = true;
    t.write(ObjectId::Claim(id), Field::StorageProvisioner, Value::Absent, Value::Provisioner(class));
    tell(t, id, Event::ExternalProvisioning(class))
}

/// PV3: the class is not there.
pub(super) fn finds_no_class(t: &mut Turn, id: ClaimId) -> Step {
    match decide(t, id) {
        Decision::NoClass(class) => tell(t, id, Event::NoClass(class)),
        other => Err(other.unmet()),
    }
}

/// PV4: a claim without class gets the default class, although it came first.
pub(super) fn assigns_default_class(t: &mut Turn, id: ClaimId) -> Step {
    match decide(t, id) {
        Decision::Default(_) => {}
        other => return Err(other.unmet()),
    }
    let class = default_class(t);
    t.read(ObjectId::Claim(id));
    t.cluster.claim_mut(id).class = class;
    t.write(ObjectId::Claim(id), Field::ClassName, Value::Absent, class_name(class));
    Ok(())
}

/// PV4: no class, no default class, no volume.
pub(super) fn finds_nothing_to_bind(t: &mut Turn, id: ClaimId) -> Step {
    match decide(t, id) {
        Decision::Nothing => tell(t, id, Event::NothingToBind),
        other => Err(other.unmet()),
    }
}

/// PV5: the volume that the user named does not fit.
pub(super) fn refuses_volume(t: &mut Turn, id: ClaimId) -> Step {
    match decide(t, id) {
        Decision::Mismatched(volume, why) => tell(t, id, Event::Mismatched(volume, why)),
        other => Err(other.unmet()),
    }
}

/// PV5: the volume that the user named is another claim's.
pub(super) fn finds_volume_taken(t: &mut Turn, id: ClaimId) -> Step {
    match decide(t, id) {
        Decision::Taken(volume) => tell(t, id, Event::Taken(volume)),
        other => Err(other.unmet()),
    }
}

/// The volume that a claim is to be bound to.
pub(super) fn to_bind(t: &Turn, id: ClaimId) -> Result<VolumeId, Unmet> {
    match decide(t, id) {
        Decision::Bind(volume) => Ok(volume),
        other => Err(other.unmet()),
    }
}
