//! What the driver does although its caller has given up: it goes on, and answers ABORTED meanwhile.

use super::Act;
use crate::model::csi::Rpc;
use crate::model::driver_grows::cut;
use crate::model::effect::{About, Method, MountPoint};
use crate::model::fault::has_hangs;
use crate::model::snapshots::RealSnapshot;
use crate::model::timing::When;
use crate::model::turn::{Turn, need};
use crate::model::{
    Action, ActorId, ClaimId, Cluster, Code, FaultKind, Link, PodId, Role, SnapshotId, Unmet, VolumeId,
    VolumeMode, World,
};

type Step = Result<(), Unmet>;

/// A call that the driver has not done with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Late {
    /// ControllerPublishVolume
    Attach,
    /// ControllerUnpublishVolume
    Detach,
    /// NodeStageVolume
    Stage,
    /// NodeUnstageVolume
    Unstage,
    /// NodePublishVolume for this Pod
    Publish(PodId),
    /// NodeUnpublishVolume for this Pod
    Unpublish(PodId),
}

/// A call about a volume on no Node that the driver has not done with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum LateAtBackend {
    /// CreateVolume
    Create,
    /// DeleteVolume
    Delete,
    /// ControllerExpandVolume to so many GiB
    Expand(u16),
    /// ControllerModifyVolume
    Modify,
    /// CreateSnapshot
    Cut(SnapshotId),
    /// DeleteSnapshot
    DeleteSnapshot(SnapshotId),
}

impl LateAtBackend {
    fn method(self) -> Method {
        match self {
            LateAtBackend::Create => Method::CreateVolume,
            LateAtBackend::Delete => Method::DeleteVolume,
            LateAtBackend::Expand(_) => Method::ControllerExpandVolume,
            LateAtBackend::Modify => Method::ControllerModifyVolume,
            LateAtBackend::Cut(_) => Method::CreateSnapshot,
            LateAtBackend::DeleteSnapshot(_) => Method::DeleteSnapshot,
        }
    }

    /// The call of this method that is about this, and the volume that the driver is at with it.
    pub fn of(
        world: &World,
        cluster: &Cluster,
        method: Method,
        about: About,
    ) -> Option<(VolumeId, LateAtBackend)> {
        let late = match (method, about) {
            (Method::CreateVolume, _) => LateAtBackend::Create,
            (Method::DeleteVolume, _) => LateAtBackend::Delete,
            (Method::ControllerExpandVolume, About::Volume(volume)) => {
                let claim = cluster.volume(volume).claim?;
                LateAtBackend::Expand(cluster.claim(claim).growth.allocated_size)
            }
            (Method::ControllerModifyVolume, _) => LateAtBackend::Modify,
            (Method::CreateSnapshot, About::Snapshot(id)) => LateAtBackend::Cut(id),
            (Method::DeleteSnapshot, About::Snapshot(id)) => LateAtBackend::DeleteSnapshot(id),
            _ => return None,
        };
        let volume = match about {
            About::Claim(claim) => world.provisions(claim)?,
            About::Volume(volume) => volume,
            About::Snapshot(id) => source_of(world, cluster, id)?,
            About::Link(_) | About::Target(..) | About::Node(_) => return None,
        };
        Some((volume, late))
    }
}

/// The volume that a snapshot is taken of.
pub(in crate::model) fn source_of(world: &World, cluster: &Cluster, id: SnapshotId) -> Option<VolumeId> {
    let claim = ClaimId::of(world.snapshot(id).claim)?;
    cluster.claim(claim).volume.or_else(|| world.provisions(claim))
}

/// The methods whose calls can hang while the driver goes on with them: those that change something of a volume.
pub fn may_hang() -> impl Iterator<Item = Method> {
    Method::ALL.into_iter().filter(|method| match method {
        Method::NodeExpandVolume | Method::NodeGetInfo => false,
        Method::CreateVolume
        | Method::DeleteVolume
        | Method::ControllerPublishVolume
        | Method::ControllerUnpublishVolume
        | Method::ControllerExpandVolume
        | Method::ControllerModifyVolume
        | Method::CreateSnapshot
        | Method::DeleteSnapshot
        | Method::NodeStageVolume
        | Method::NodeUnstageVolume
        | Method::NodePublishVolume
        | Method::NodeUnpublishVolume => true,
    })
}

impl Late {
    /// A call of this method; `None` for one that is not about a volume on a Node.
    pub fn of(method: Method, pod: Option<PodId>) -> Option<Self> {
        match method {
            Method::ControllerPublishVolume => Some(Late::Attach),
            Method::ControllerUnpublishVolume => Some(Late::Detach),
            Method::NodeStageVolume => Some(Late::Stage),
            Method::NodeUnstageVolume => Some(Late::Unstage),
            Method::NodePublishVolume => pod.map(Late::Publish),
            Method::NodeUnpublishVolume => pod.map(Late::Unpublish),
            Method::CreateVolume
            | Method::DeleteVolume
            | Method::ControllerExpandVolume
            | Method::ControllerModifyVolume
            | Method::CreateSnapshot
            | Method::DeleteSnapshot
            | Method::NodeExpandVolume
            | Method::NodeGetInfo => None,
        }
    }

    fn method(self) -> Method {
        match self {
            Late::Attach => Method::ControllerPublishVolume,
            Late::Detach => Method::ControllerUnpublishVolume,
            Late::Stage => Method::NodeStageVolume,
            Late::Unstage => Method::NodeUnstageVolume,
            Late::Publish(_) => Method::NodePublishVolume,
            Late::Unpublish(_) => Method::NodeUnpublishVolume,
        }
    }
}

/// Whether the driver is still at a call about the volume, on whichever Node.
pub(in crate::model) fn is_busy(world: &World, cluster: &Cluster, volume: VolumeId) -> bool {
    cluster.volume(volume).late.is_some()
        || world.links().any(|link| link.volume == volume && cluster.place(link).real.late.is_some())
}

/// Where it is, it takes no other.
pub(super) fn idle(t: &Turn, link: Link, method: Method) -> Step {
    let busy = is_busy(t.world, &t.cluster, link.volume);
    need(!busy, Unmet::DriverRefuses(Rpc::from(method), Code::Aborted))
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    if has_hangs(world) {
        for link in world.links() {
            found.extend([Act::FinishesLate(link), Act::FinishesLateOnNode(link)].map(Action::Driver));
        }
        found.extend(world.volumes().map(|volume| Action::Driver(Act::FinishesLateAtBackend(volume))));
    }
}

/// So long after its caller has given up as the world says.
pub(super) fn when(world: &World, cluster: &Cluster, link: Link) -> When {
    takes(world, cluster.place(link).real.late.map(Late::method))
}

/// The same of a call that is about no Node.
pub(super) fn when_at_backend(world: &World, cluster: &Cluster, volume: VolumeId) -> When {
    takes(world, cluster.volume(volume).late.map(LateAtBackend::method))
}

fn takes(world: &World, late: Option<Method>) -> When {
    let hangs = world.faults().find_map(|(_, fault)| match fault.kind {
        FaultKind::Hangs { method, ms, .. } => (Some(method) == late).then_some(u64::from(ms)),
        FaultKind::Answer { .. }
        | FaultKind::Down { .. }
        | FaultKind::Refused { .. }
        | FaultKind::ByHand { .. }
        | FaultKind::PodForced { .. }
        | FaultKind::Tainted { .. }
        | FaultKind::NamespaceDeleted => None,
    });
    When::After(hangs.unwrap_or(0))
}

/// The work is done after all.
pub(super) fn finishes(t: &mut Turn, link: Link, on_node: bool) -> Step {
    let late = t.cluster.place(link).real.late.ok_or(Unmet::NoSuchCall)?;
    need(late.method().is_of_node() == on_node, Unmet::NoSuchCall)?;
    let real = &mut t.cluster.place_mut(link).real;
    real.late = None;
    let before = *real;
    match late {
        Late::Attach | Late::Detach => {
            real.published = late == Late::Attach;
            real.device = real.published;
            let device = real.device;
            if before.device != device {
                t.device(link, device);
            }
        }
        Late::Stage | Late::Unstage => {
            real.staged = late == Late::Stage;
            let staged = real.staged;
            if before.staged != staged && t.world.volume(link.volume).mode == VolumeMode::Filesystem {
                t.mount(link, MountPoint::Staging, staged);
            }
        }
        Late::Publish(id) => {
            real.targets.insert(id);
            if !before.targets.contains(id) {
                t.mount(link, MountPoint::Target(id), true);
            }
        }
        Late::Unpublish(id) => {
            real.targets.remove(id);
            if before.targets.contains(id) {
                t.mount(link, MountPoint::Target(id), false);
            }
        }
    }
    Ok(())
}

/// The work at the backend is done after all.
pub(super) fn finishes_at_backend(t: &mut Turn, volume: VolumeId) -> Step {
    let late = t.cluster.volume(volume).late.ok_or(Unmet::NoSuchCall)?;
    let state = t.cluster.volume_mut(volume);
    state.late = None;
    match late {
        LateAtBackend::Create => state.disk = true,
        LateAtBackend::Delete => state.disk = false,
        LateAtBackend::Expand(size) => state.backing.size = state.backing.size.max(size),
        LateAtBackend::Modify => {}
        LateAtBackend::Cut(id) => cut(t, id),
        LateAtBackend::DeleteSnapshot(id) => t.cluster.snapshot_mut(id).real = RealSnapshot::None,
    }
    Ok(())
}

/// A plugin whose process ends goes on with nothing.
pub(in crate::model) fn forgets(t: &mut Turn, actor: ActorId) {
    for link in t.world.links() {
        let of_node = t.cluster.place(link).real.late.map(|late| late.method().is_of_node());
        let mine = match actor.role {
            Role::DriverNode => of_node == Some(true) && actor.node == Some(link.node),
            Role::DriverController => of_node == Some(false),
            _ => false,
        };
        if mine {
            t.cluster.place_mut(link).real.late = None;
        }
    }
    if actor.role == Role::DriverController {
        for volume in t.world.volumes() {
            t.cluster.volume_mut(volume).late = None;
        }
    }
}
