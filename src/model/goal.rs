//! What somebody may wait for: a Pod that runs, a claim that is bound, something that is gone.

use super::growth::Allocated;
use super::{
    Claim, ClaimId, ClaimPhase, Cluster, Link, Phase, PodId, PodVolume, Presence, Runtime, SnapshotId,
    VolumeId, World,
};
use std::collections::BTreeSet;

/// What somebody waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The Pod's containers run, and its status says so.
    PodRuns(PodId),
    /// The Pod object is gone.
    PodGone(PodId),
    /// The claim is bound.
    ClaimBound(ClaimId),
    /// The claim has the size that it asks for.
    ClaimResized(ClaimId),
    /// The claim has the VolumeAttributesClass that it asks for.
    ClaimModified(ClaimId),
    /// The volume is attached to no Node, and no VolumeAttachment is left.
    VolumeDetached(VolumeId),
    /// The volume is detached from this Node, and its VolumeAttachment is gone.
    DetachedFrom(Link),
    /// The PersistentVolume is gone.
    VolumeDeleted(VolumeId),
    /// The claim is gone.
    ClaimDeleted(ClaimId),
    /// The snapshot can be used.
    SnapshotReady(SnapshotId),
    /// The VolumeSnapshot is gone, and so is its content.
    SnapshotDeleted(SnapshotId),
    /// No Pod and no claim is left in the namespace.
    NamespaceEmptied,
}

impl Goal {
    /// Whether it is reached.
    pub fn holds(self, world: &World, cluster: &Cluster) -> bool {
        match self {
            Goal::PodRuns(pod) => {
                let pod = cluster.pod(pod);
                pod.phase == Phase::Running && pod.runtime == Runtime::Running
            }
            Goal::PodGone(pod) => cluster.pod(pod).presence == Presence::Gone,
            Goal::ClaimBound(claim) => {
                let Claim { phase, presence, .. } = cluster.claim(claim);
                *presence == Presence::Here && *phase == ClaimPhase::Bound
            }
            Goal::ClaimResized(claim) => {
                let Claim { presence, request, capacity, growth, .. } = cluster.claim(claim);
                *presence == Presence::Here && capacity >= request && growth.allocated == Allocated::None
            }
            Goal::ClaimModified(claim) => {
                let Claim { presence, growth, .. } = cluster.claim(claim);
                *presence == Presence::Here && growth.current == growth.attributes && growth.target.is_none()
            }
            Goal::VolumeDetached(volume) => {
                let mut links = world.links().filter(|link| link.volume == volume);
                links.all(|link| Goal::DetachedFrom(link).holds(world, cluster))
            }
            Goal::DetachedFrom(link) => {
                let place = cluster.place(link);
                !place.attachment.exists && !place.real.published
            }
            Goal::VolumeDeleted(volume) => cluster.volume(volume).presence == Presence::Gone,
            Goal::ClaimDeleted(claim) => cluster.claim(claim).presence == Presence::Gone,
            Goal::SnapshotReady(id) => {
                let snapshot = cluster.snapshot(id);
                snapshot.presence == Presence::Here && snapshot.ready == Some(true)
            }
            Goal::SnapshotDeleted(id) => {
                let snapshot = cluster.snapshot(id);
                let left = snapshot.content.presence == Presence::Here && !world.snapshot(id).retain;
                snapshot.presence == Presence::Gone && !left
            }
            Goal::NamespaceEmptied => {
                cluster.terminating()
                    && world.pods().all(|pod| cluster.pod(pod).presence != Presence::Here)
                    && world.claims().all(|claim| cluster.claim(claim).presence != Presence::Here)
            }
        }
    }

    /// The claims and the volumes that it is about.
    pub(super) fn about(self, world: &World, cluster: &Cluster) -> (BTreeSet<ClaimId>, BTreeSet<VolumeId>) {
        let claim_of = |volume| cluster.volume(volume).claim.or(world.provisioned_for(volume));
        if self == Goal::NamespaceEmptied {
            return (world.claims().collect(), world.volumes().collect());
        }
        let (claim, volume) = match self {
            Goal::PodRuns(pod) | Goal::PodGone(pod) => {
                (world.claim_of(pod), cluster.volume_of(world, pod).or(inline(world, pod)))
            }
            Goal::ClaimBound(claim)
            | Goal::ClaimDeleted(claim)
            | Goal::ClaimResized(claim)
            | Goal::ClaimModified(claim) => (Some(claim), None),
            Goal::SnapshotReady(id) | Goal::SnapshotDeleted(id) => {
                (Some(ClaimId(world.snapshot(id).claim as u8)), None)
            }
            Goal::NamespaceEmptied => (None, None),
            Goal::DetachedFrom(link) => (claim_of(link.volume), Some(link.volume)),
            Goal::VolumeDetached(volume) | Goal::VolumeDeleted(volume) => (claim_of(volume), Some(volume)),
        };
        let claimed = claim.into_iter().flat_map(|claim| {
            let named = world.claim(claim).volume_name.and_then(|place| world.volumes().nth(place));
            let bound = cluster.claim(claim).volume.or(named);
            world.volumes().filter(move |volume| {
                let own = world.provisioned_for(*volume);
                own == Some(claim) || bound == Some(*volume) || (own.is_none() && !world.is_inline(*volume))
            })
        });
        (claim.into_iter().collect(), claimed.chain(volume).collect())
    }
}

/// The volume that a Pod declares inline.
pub(super) fn inline(world: &World, pod: PodId) -> Option<VolumeId> {
    match world.pod(pod).source {
        PodVolume::Inline(place) => world.volumes().nth(place),
        PodVolume::Claim(_) | PodVolume::Ephemeral(_) => None,
    }
}
