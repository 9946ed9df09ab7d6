//! external-provisioner where a new volume is to be filled from a snapshot or from another claim's volume.

use super::action::{Fact, Subject};
use super::effect::Field;
use super::event::{EventType, Text};
use super::protection::lift_from_claim;
use super::provisioner::{self, wants};
use super::snapshots::set_snapshot_finalizer;
use super::timing::{WATCH, WRITE, When};
use super::turn::{Turn, finalizers, need};
use super::{
    Action, ClaimId, ClaimPhase, Cluster, DataSource, EventId, Finalizer, ObjectId, Presence, Provision,
    Role, SnapshotId, Unmet, World,
};

type Step = Result<(), Unmet>;

/// Why a source cannot be used now.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum SourceError {
    /// There is no such VolumeSnapshot.
    SnapshotMissing,
    /// The VolumeSnapshot has a deletionTimestamp.
    SnapshotDeleting,
    /// It names no content.
    SnapshotNotBound,
    /// It is not ready.
    SnapshotNotReady,
    /// The claim asks for less than it holds.
    SnapshotLarger,
    /// There is no such claim.
    ClaimMissing,
    /// The claim is not bound.
    ClaimNotBound,
    /// It has a deletionTimestamp.
    ClaimDeleting,
    /// The new claim asks for less than it has.
    ClaimLarger,
}

/// Something that the external-provisioner does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the sentence that its name in `fact` spells")]
pub enum Act {
    BeginsFromSource(ClaimId),
    FindsSourceUnusable(ClaimId),
    ProtectsSource(ClaimId),
    ReleasesSnapshot(SnapshotId),
    ReleasesClaim(ClaimId),
}

/// An Event that the external-provisioner sends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Event {
    /// The claim's source cannot be used.
    Unusable(ClaimId, SourceError),
}

impl Event {
    pub(super) fn text(self, world: &World) -> Text {
        let Event::Unusable(claim, error) = self;
        (EventType::Warning, "ProvisioningFailed", message(world, claim, error))
    }
}

/// The error as external-provisioner spells it.
fn message(world: &World, claim: ClaimId, error: SourceError) -> String {
    let spec = world.claim(claim);
    let (kind, name, size) = match spec.source {
        Some(DataSource::Snapshot(place)) => {
            let snapshot = world.snapshot(SnapshotId(place as u8));
            let size = world.claim(ClaimId(snapshot.claim as u8)).request;
            ("VolumeSnapshot", snapshot.name.as_str(), size)
        }
        Some(DataSource::Claim(place)) => {
            let source = world.claim(ClaimId(place as u8));
            ("PersistentVolumeClaim", source.name.as_str(), source.request)
        }
        Some(DataSource::MissingSnapshot) | None => ("VolumeSnapshot", spec.source_name.as_str(), 0),
    };
    let bytes = |gib: u16| u64::from(gib) << 30;
    let what = match error {
        SourceError::SnapshotMissing => format!(
            "error getting snapshot {name} from api server: volumesnapshots.snapshot.storage.k8s.io \"{name}\" \
             not found"
        ),
        SourceError::SnapshotDeleting => format!("snapshot {name} is being deleted"),
        SourceError::SnapshotNotBound => format!("snapshot {name} not bound"),
        SourceError::SnapshotNotReady => format!("snapshot {name} is not Ready"),
        SourceError::SnapshotLarger => format!(
            "requested volume size {} is less than the size {} for the source snapshot {name}",
            bytes(spec.request),
            bytes(size)
        ),
        SourceError::ClaimMissing => format!(
            "error getting PVC {name} (namespace \"{}\") from api server: persistentvolumeclaims \"{name}\" not found",
            world.namespace()
        ),
        SourceError::ClaimNotBound => {
            format!("the PVC DataSource {name} must have a status of Bound.  Got Pending")
        }
        SourceError::ClaimDeleting => format!("the PVC DataSource {name} is currently being deleted"),
        SourceError::ClaimLarger => format!(
            "error, new PVC request must be greater than or equal in size to the specified PVC data source, \
             requested {} but source is {}",
            bytes(spec.request),
            bytes(size)
        ),
    };
    format!("error getting handle for DataSource Type {kind} by Name {name}: {what}")
}

/// Why a claim's source cannot be used now, in the order of upstream's checks; `None` when it can, or there is none.
///
/// Source: external-provisioner pkg/controller/controller.go `getSnapshotSource`, `getPVCSource`.
pub fn source_error(world: &World, cluster: &Cluster, claim: ClaimId) -> Option<SourceError> {
    let request = cluster.claim(claim).request;
    match world.claim(claim).source? {
        DataSource::MissingSnapshot => Some(SourceError::SnapshotMissing),
        DataSource::Snapshot(place) => {
            let id = SnapshotId(place as u8);
            let snapshot = cluster.snapshot(id);
            // A snapshot is as large as its claim was when it was cut, and a claim never shrinks.
            let size = world.claim(ClaimId(world.snapshot(id).claim as u8)).request;
            let checks = [
                (snapshot.presence != Presence::Here, SourceError::SnapshotMissing),
                (snapshot.deleting, SourceError::SnapshotDeleting),
                (!snapshot.bound, SourceError::SnapshotNotBound),
                (snapshot.ready != Some(true), SourceError::SnapshotNotReady),
                (request < size, SourceError::SnapshotLarger),
            ];
            checks.into_iter().find(|(fails, _)| *fails).map(|(_, error)| error)
        }
        DataSource::Claim(place) => {
            let source = cluster.claim(ClaimId(place as u8));
            let checks = [
                (source.presence != Presence::Here, SourceError::ClaimMissing),
                (source.phase != ClaimPhase::Bound, SourceError::ClaimNotBound),
                (source.deleting, SourceError::ClaimDeleting),
                (request < source.capacity, SourceError::ClaimLarger),
            ];
            checks.into_iter().find(|(fails, _)| *fails).map(|(_, error)| error)
        }
    }
}

impl Act {
    pub(super) fn fact(self) -> Fact {
        const EP: &str = "external-provisioner pkg/controller/controller.go";
        const CLONE: &str = "external-provisioner pkg/controller/clone_controller.go";
        let fact = |name, source| Fact { role: Role::ExternalProvisioner, rule: "EP5", name, source };
        match self {
            Act::BeginsFromSource(_) => fact("provisioner-begins-from-source", EP),
            Act::FindsSourceUnusable(_) => fact("provisioner-finds-source-unusable", EP),
            Act::ProtectsSource(_) => fact("provisioner-protects-source", EP),
            Act::ReleasesSnapshot(_) => fact("provisioner-releases-snapshot", EP),
            Act::ReleasesClaim(_) => fact("provisioner-releases-cloned-claim", CLONE),
        }
    }

    pub(super) fn subject(self) -> Subject {
        match self {
            Act::BeginsFromSource(claim)
            | Act::FindsSourceUnusable(claim)
            | Act::ProtectsSource(claim)
            | Act::ReleasesClaim(claim) => Subject::Claim(claim),
            Act::ReleasesSnapshot(snapshot) => Subject::Snapshot(snapshot),
        }
    }

    pub(super) fn when(self, _: &World, _: &Cluster) -> When {
        match self {
            Act::BeginsFromSource(_) | Act::ReleasesClaim(_) => When::After(WATCH.ms),
            Act::FindsSourceUnusable(_) | Act::ProtectsSource(_) | Act::ReleasesSnapshot(_) => {
                When::After(WRITE.ms)
            }
        }
    }

    pub(super) fn run(self, t: &mut Turn) -> Step {
        match self {
            Act::BeginsFromSource(claim) => begins(t, claim),
            Act::FindsSourceUnusable(claim) => finds_unusable(t, claim),
            Act::ProtectsSource(claim) => protects(t, claim),
            Act::ReleasesSnapshot(snapshot) => releases_snapshot(t, snapshot),
            Act::ReleasesClaim(claim) => releases_claim(t, claim),
        }
    }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    let mut claims = world.claims().filter(|claim| world.claim(*claim).source.is_some()).peekable();
    if !world.driver().provisioner || claims.peek().is_none() {
        return;
    }
    for claim in claims {
        let all = [Act::BeginsFromSource(claim), Act::FindsSourceUnusable(claim), Act::ProtectsSource(claim)];
        found.extend(all.map(Action::DataSource));
    }
    found.extend(world.snapshots().map(|snapshot| Action::DataSource(Act::ReleasesSnapshot(snapshot))));
    found.extend(world.claims().map(|claim| Action::DataSource(Act::ReleasesClaim(claim))));
}

/// EP5: the claim is provisioned from now on, and an Event says so.
fn begins(t: &mut Turn, claim: ClaimId) -> Step {
    wants(t, claim)?;
    need(!t.cluster.provisioner(claim).told, Unmet::AlreadyTold)?;
    t.read(ObjectId::Claim(claim));
    t.cluster.provisioner_mut(claim).told = true;
    t.event(ObjectId::Claim(claim), EventId::Provisioner(provisioner::Event::Provisioning(claim)));
    Ok(())
}

/// EP5: the source cannot be used, so that CreateVolume is not called; it is looked at again later.
fn finds_unusable(t: &mut Turn, claim: ClaimId) -> Step {
    wants(t, claim)?;
    need(t.cluster.provisioner(claim).told, Unmet::NoOperation)?;
    need(!is_protected(t.world, &t.cluster, claim), Unmet::SourceProtected)?;
    let error = source_error(t.world, &t.cluster, claim).ok_or(Unmet::SourceUsable)?;
    need(t.cluster.claim(claim).growth.source != Some(error), Unmet::AlreadyTold)?;
    t.cluster.claim_mut(claim).growth.source = Some(error);
    t.event(ObjectId::Claim(claim), EventId::DataSource(Event::Unusable(claim, error)));
    Ok(())
}

/// The finalizer is on the source of this claim, or it has none.
fn is_protected(world: &World, cluster: &Cluster, claim: ClaimId) -> bool {
    match world.claim(claim).source {
        None => true,
        Some(DataSource::MissingSnapshot) => false,
        Some(DataSource::Snapshot(place)) => {
            cluster.snapshot(SnapshotId(place as u8)).finalizers.contains(Finalizer::SnapshotRestored)
        }
        Some(DataSource::Claim(place)) => {
            cluster.claim(ClaimId(place as u8)).finalizers.contains(Finalizer::Cloning)
        }
    }
}

/// EP5: a claim may be provisioned when its source is held; what is held was found usable, and may be on its way out
/// by now.
pub(super) fn ready(t: &Turn, claim: ClaimId) -> Step {
    need(is_protected(t.world, &t.cluster, claim), Unmet::SourceNotProtected)
}

/// EP5: the source may not go while the driver copies it.
fn protects(t: &mut Turn, claim: ClaimId) -> Step {
    wants(t, claim)?;
    need(t.cluster.provisioner(claim).told, Unmet::NoOperation)?;
    need(source_error(t.world, &t.cluster, claim).is_none(), Unmet::SourceUnusable)?;
    need(!is_protected(t.world, &t.cluster, claim), Unmet::SourceProtected)?;
    t.cluster.claim_mut(claim).growth.source = None;
    match t.world.claim(claim).source {
        Some(DataSource::Snapshot(place)) => {
            let id = SnapshotId(place as u8);
            t.read(ObjectId::Snapshot(id));
            set_snapshot_finalizer(t, id, Finalizer::SnapshotRestored, true);
        }
        Some(DataSource::Claim(place)) => hold_claim(t, ClaimId(place as u8)),
        Some(DataSource::MissingSnapshot) | None => {}
    }
    Ok(())
}

/// A claim that is still to be filled from this source.
fn is_pending(t: &Turn, claim: ClaimId) -> bool {
    let state = t.cluster.claim(claim);
    let made = t.world.provisions(claim).is_some_and(|v| t.cluster.volume(v).presence == Presence::Here);
    let received = t.cluster.provisioner(claim).step == Provision::Received;
    state.presence == Presence::Here && state.volume.is_none() && !made && !received
}

/// EP5: the driver has copied what was to be copied.
fn releases_snapshot(t: &mut Turn, id: SnapshotId) -> Step {
    let held = t.cluster.snapshot(id).finalizers.contains(Finalizer::SnapshotRestored);
    need(held, Unmet::SourceNotProtected)?;
    let restores = |claim: ClaimId| {
        let of = t.world.claim(claim).source == Some(DataSource::Snapshot(usize::from(id.0)));
        of && is_pending(t, claim)
    };
    need(!t.world.claims().any(restores), Unmet::InUse)?;
    set_snapshot_finalizer(t, id, Finalizer::SnapshotRestored, false);
    Ok(())
}

/// EP5: a claim that was cloned loses its finalizer only when it is to go, and no clone of it is pending.
fn releases_claim(t: &mut Turn, id: ClaimId) -> Step {
    let claim = t.cluster.claim(id);
    need(claim.finalizers.contains(Finalizer::Cloning), Unmet::SourceNotProtected)?;
    need(claim.deleting, Unmet::ClaimNotDeleting)?;
    let clones = |other: ClaimId| {
        let of = t.world.claim(other).source == Some(DataSource::Claim(usize::from(id.0)));
        of && is_pending(t, other)
    };
    need(!t.world.claims().any(clones), Unmet::InUse)?;
    lift_from_claim(t, id, Finalizer::Cloning);
    Ok(())
}

/// The finalizer comes on a claim that is cloned.
fn hold_claim(t: &mut Turn, id: ClaimId) {
    let from = t.cluster.claim(id).finalizers;
    let to = from.with(Finalizer::Cloning);
    t.cluster.claim_mut(id).finalizers = to;
    t.write(ObjectId::Claim(id), Field::Finalizers, finalizers(from), finalizers(to));
}
