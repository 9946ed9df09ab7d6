//! What the driver itself answers to a call, from what is true at the backend and on the Nodes.

use super::csi::{Abilities, Arg, Existing, Found, Request, Rpc, StagedAt, answer};
use super::driver::{is_busy, source_of};
use super::effect::{About, Method};
use super::snapshots::RealSnapshot;
use super::{ClaimId, Cluster, Code, DataSource, Link, PodId, SnapshotId, VolumeId, World};

/// The code of the driver's own answer, where no fault of the world changes it.
///
/// Source: CSI spec; where it leaves the choice, csi-driver-host-path pkg/hostpath.
pub fn driver_answer(world: &World, cluster: &Cluster, method: Method, about: About) -> Code {
    let view = View { world, cluster };
    let (request, found) = match about {
        About::Claim(claim) => view.claim(claim),
        About::Volume(volume) => view.volume(method, volume),
        About::Link(link) => view.link(link, None),
        About::Target(link, pod) => view.link(link, Some(pod)),
        About::Snapshot(id) => view.snapshot(id),
        About::Node(_) => (Request::default(), Found::default()),
    };
    answer(Rpc::from(method), Abilities::from(world.driver()), &request, &found)
}

#[derive(Clone, Copy)]
struct View<'a> {
    world: &'a World,
    cluster: &'a Cluster,
}

impl View<'_> {
    /// CreateVolume: by its name the driver knows a volume that it has made before.
    fn claim(self, claim: ClaimId) -> (Request, Found) {
        let volume = self.world.provisions(claim);
        let made = volume.is_some_and(|volume| self.cluster.volume(volume).disk);
        let busy = volume.is_some_and(|volume| is_busy(self.world, self.cluster, volume));
        let named = if made { Existing::Same } else { Existing::No };
        let source = match self.world.claim(claim).source {
            None => Arg::Known,
            Some(DataSource::MissingSnapshot) => Arg::Unknown,
            Some(DataSource::Snapshot(place)) => {
                let real = self.cluster.snapshot(SnapshotId(place as u8)).real;
                if real == RealSnapshot::None { Arg::Unknown } else { Arg::Known }
            }
            Some(DataSource::Claim(place)) => {
                let volume = self.cluster.claim(ClaimId(place as u8)).volume;
                volume.map_or(Arg::Unknown, |volume| self.id(volume))
            }
        };
        (Request { source, ..Request::default() }, Found { named, busy, ..Found::default() })
    }

    /// CreateSnapshot and DeleteSnapshot: what was cut under this name the driver tells of again, whatever has become of
    /// its source.
    fn snapshot(self, id: SnapshotId) -> (Request, Found) {
        let cut = self.cluster.snapshot(id).real != RealSnapshot::None;
        let source = source_of(self.world, self.cluster, id);
        let (volume, snapshot) = match source {
            _ if cut => (Arg::Known, Arg::Known),
            Some(volume) => (self.id(volume), Arg::Unknown),
            None => (Arg::Unknown, Arg::Unknown),
        };
        let named = if cut { Existing::Same } else { Existing::No };
        let busy = source.is_some_and(|volume| is_busy(self.world, self.cluster, volume));
        let request = Request { volume, snapshot, ..Request::default() };
        (request, Found { named, busy, ..Found::default() })
    }

    /// An id is known while there is such a disk.
    fn id(self, volume: VolumeId) -> Arg {
        if self.cluster.volume(volume).disk { Arg::Known } else { Arg::Unknown }
    }

    fn volume(self, method: Method, id: VolumeId) -> (Request, Found) {
        let links = self.world.links().filter(|link| link.volume == id);
        let mut reals = links.map(|link| self.cluster.place(link).real);
        let used = reals.any(|real| real.published || real.staged || !real.targets.is_empty());
        let in_use = match method {
            Method::ControllerExpandVolume => used && !self.world.driver().expands_online,
            Method::DeleteVolume => used,
            Method::CreateVolume
            | Method::ControllerPublishVolume
            | Method::ControllerUnpublishVolume
            | Method::ControllerModifyVolume
            | Method::CreateSnapshot
            | Method::DeleteSnapshot
            | Method::NodeStageVolume
            | Method::NodeUnstageVolume
            | Method::NodePublishVolume
            | Method::NodeUnpublishVolume
            | Method::NodeExpandVolume
            | Method::NodeGetInfo => false,
        };
        let target = self.cluster.volume(id).claim.and_then(|claim| self.cluster.claim(claim).growth.target);
        let parameters = target.is_none_or(|class| self.world.attributes_class(class).rejected.is_none());
        let request = Request { volume: self.id(id), parameters, ..Request::default() };
        let busy = is_busy(self.world, self.cluster, id);
        (request, Found { in_use, busy, ..Found::default() })
    }

    fn link(self, link: Link, pod: Option<PodId>) -> (Request, Found) {
        let real = self.cluster.place(link).real;
        let mine = |other: Link| other.volume == link.volume && other.node != link.node;
        let elsewhere =
            self.world.links().any(|other| mine(other) && self.cluster.place(other).real.published);
        let many = self.world.volume(link.volume).access_mode.allows_many_nodes();
        let here = self.world.links().filter(|other| other.node == link.node);
        let count = here.filter(|other| self.cluster.place(*other).real.published).count();
        let limit = self.world.node(link.node).limit.map(usize::from);
        let same = |is| if is { Existing::Same } else { Existing::No };
        let at_target = pod.is_some_and(|pod| real.targets.contains(pod));
        let others = self.world.pods().any(|other| Some(other) != pod && real.targets.contains(other));
        let found = Found {
            published: same(real.published),
            published_elsewhere: self.world.driver().fences && elsewhere && !many,
            full: limit.is_some_and(|limit| count >= limit),
            // What a Pod declares inline is published without having been staged.
            staged: if real.staged || (pod.is_some() && self.world.is_inline(link.volume)) {
                StagedAt::Path(Existing::Same)
            } else {
                StagedAt::Nowhere
            },
            at_target: same(at_target),
            at_other_target: others,
            busy: is_busy(self.world, self.cluster, link.volume),
            ..Found::default()
        };
        // What a Pod declares inline is made when it is published.
        let volume = if self.world.is_inline(link.volume) { Arg::Known } else { self.id(link.volume) };
        (Request { volume, ..Request::default() }, found)
    }
}
