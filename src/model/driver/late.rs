//! What the driver does although its caller has given up: it goes on, and answers ABORTED meanwhile.

use super::Act;
use crate::model::csi::Rpc;
use crate::model::effect::{Method, MountPoint};
use crate::model::fault::has_hangs;
use crate::model::timing::When;
use crate::model::turn::{Turn, need};
use crate::model::{
    Action, ActorId, Cluster, Code, FaultKind, Link, PodId, Role, Unmet, VolumeId, VolumeMode, World,
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
    world.links().any(|link| link.volume == volume && cluster.place(link).real.late.is_some())
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
    }
}

/// So long after its caller has given up as the world says.
pub(super) fn when(world: &World, cluster: &Cluster, link: Link) -> When {
    let late = cluster.place(link).real.late.map(Late::method);
    let hangs = world.faults().find_map(|(_, fault)| match fault.kind {
        FaultKind::Hangs { method, ms, .. } => (Some(method) == late).then_some(u64::from(ms)),
        FaultKind::Answer { .. }
        | FaultKind::Down { .. }
        | FaultKind::Refused { .. }
        | FaultKind::ByHand { .. }
        | FaultKind::PodForced { .. }
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
}
