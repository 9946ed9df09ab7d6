//! The CSI driver: its controller plugin at the backend, its node plugin in a Node's kernel.

mod late;
mod provision;

use super::action::{Fact, Subject};
use super::attacher::advance;
use super::driver_grows::{self, agrees};
use super::effect::{About, Method, MountPoint};
use super::fault::{fault_in_store, hang_in_store};
use super::kubelet::{KubeletOperation as Op, begin, operation};
use super::timing::{BACKEND, MOUNT, WRITE, When};
use super::turn::{Turn, need};
use super::{
    Action, Attacher, ClaimId, Cluster, Link, NodeId, Registration, Role, SnapshotId, Unmet, VolumeId,
    VolumeMode, World,
};
pub use late::{Late, LateAtBackend, may_hang};
pub(super) use late::{forgets, is_busy, source_of};
pub(super) use provision::{answers, failures};

type Step = Result<(), Unmet>;

/// Something that the driver does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the sentence that its name in `fact` spells")]
pub enum Act {
    AttachesVolume(Link),
    DetachesVolume(Link),
    StagesVolume(Link),
    PublishesVolume(Link),
    UnpublishesVolume(Link),
    UnstagesVolume(Link),
    CreatesVolume(ClaimId),
    DeletesVolume(VolumeId),
    TellsInfo(NodeId),
    ExpandsVolume(ClaimId),
    ModifiesVolume(ClaimId),
    ExpandsFileSystem(Link),
    CutsSnapshot(SnapshotId),
    ReadiesSnapshot(SnapshotId),
    DeletesSnapshot(SnapshotId),
    CleansVolume(ClaimId),
    FinishesLate(Link),
    FinishesLateOnNode(Link),
    FinishesLateAtBackend(VolumeId),
}

impl Act {
    pub(super) fn fact(self) -> Fact {
        let controller = |name, source| Fact { role: Role::DriverController, rule: "CSI", name, source };
        let node = |name, source| Fact { role: Role::DriverNode, rule: "CSI", name, source };
        match self {
            Act::AttachesVolume(_) => {
                controller("driver-attaches-volume", "CSI spec, ControllerPublishVolume")
            }
            Act::DetachesVolume(_) => {
                controller("driver-detaches-volume", "CSI spec, ControllerUnpublishVolume")
            }
            Act::StagesVolume(_) => node("driver-stages-volume", "CSI spec, NodeStageVolume"),
            Act::PublishesVolume(_) => node("driver-publishes-volume", "CSI spec, NodePublishVolume"),
            Act::UnpublishesVolume(_) => node("driver-unpublishes-volume", "CSI spec, NodeUnpublishVolume"),
            Act::UnstagesVolume(_) => node("driver-unstages-volume", "CSI spec, NodeUnstageVolume"),
            Act::CreatesVolume(_) => controller("driver-creates-volume", "CSI spec, CreateVolume"),
            Act::DeletesVolume(_) => controller("driver-deletes-volume", "CSI spec, DeleteVolume"),
            Act::TellsInfo(_) => node("driver-tells-info", "CSI spec, NodeGetInfo"),
            Act::ExpandsVolume(_) => controller("driver-expands-volume", "CSI spec, ControllerExpandVolume"),
            Act::ModifiesVolume(_) => {
                controller("driver-modifies-volume", "CSI spec, ControllerModifyVolume")
            }
            Act::ExpandsFileSystem(_) => node("driver-expands-file-system", "CSI spec, NodeExpandVolume"),
            Act::CutsSnapshot(_) => controller("driver-cuts-snapshot", "CSI spec, CreateSnapshot"),
            Act::ReadiesSnapshot(_) => controller("driver-readies-snapshot", "CSI spec, CreateSnapshot"),
            Act::DeletesSnapshot(_) => controller("driver-deletes-snapshot", "CSI spec, DeleteSnapshot"),
            Act::CleansVolume(_) => controller("driver-cleans-volume", "CSI spec, DeleteVolume"),
            Act::FinishesLate(_) => controller("driver-finishes-late", "CSI spec, Timeouts"),
            Act::FinishesLateOnNode(_) => node("driver-finishes-late-on-node", "CSI spec, Timeouts"),
            Act::FinishesLateAtBackend(_) => {
                controller("driver-finishes-late-at-backend", "CSI spec, Timeouts")
            }
        }
    }

    pub(super) fn subject(self) -> Subject {
        match self {
            Act::AttachesVolume(link)
            | Act::DetachesVolume(link)
            | Act::StagesVolume(link)
            | Act::PublishesVolume(link)
            | Act::UnpublishesVolume(link)
            | Act::UnstagesVolume(link)
            | Act::FinishesLate(link)
            | Act::FinishesLateOnNode(link)
            | Act::ExpandsFileSystem(link) => Subject::Link(link),
            Act::CreatesVolume(claim) | Act::CleansVolume(claim) => Subject::Claim(claim),
            Act::DeletesVolume(volume) | Act::FinishesLateAtBackend(volume) => Subject::Volume(volume),
            Act::TellsInfo(node) => Subject::Node(node),
            Act::ExpandsVolume(claim) | Act::ModifiesVolume(claim) => Subject::Claim(claim),
            Act::CutsSnapshot(id) | Act::ReadiesSnapshot(id) | Act::DeletesSnapshot(id) => {
                Subject::Snapshot(id)
            }
        }
    }

    pub(super) fn when(self, world: &World, cluster: &Cluster) -> When {
        // What is to go wrong goes wrong first.
        let unless = |fails: bool, ms| if fails { When::OnCommand } else { When::After(ms) };
        let works =
            |of, link: Link| unless(fault_in_store(world, cluster, of, Some(link.node), false), MOUNT.ms);
        let attaches =
            |of, link: Link| unless(hang_in_store(world, cluster, of, Some(link.node)), BACKEND.ms);
        let backend = |of| unless(fault_in_store(world, cluster, of, None, false), BACKEND.ms);
        match self {
            Act::FinishesLate(link) | Act::FinishesLateOnNode(link) => late::when(world, cluster, link),
            Act::FinishesLateAtBackend(volume) => late::when_at_backend(world, cluster, volume),
            Act::AttachesVolume(link) => attaches(Method::ControllerPublishVolume, link),
            Act::DetachesVolume(link) => attaches(Method::ControllerUnpublishVolume, link),
            Act::ExpandsVolume(_) => backend(Method::ControllerExpandVolume),
            Act::ModifiesVolume(_) => backend(Method::ControllerModifyVolume),
            Act::CutsSnapshot(_) => backend(Method::CreateSnapshot),
            Act::DeletesSnapshot(_) => backend(Method::DeleteSnapshot),
            Act::CreatesVolume(_) => backend(Method::CreateVolume),
            Act::DeletesVolume(_) => backend(Method::DeleteVolume),
            Act::ReadiesSnapshot(_) | Act::CleansVolume(_) => When::After(BACKEND.ms),
            Act::StagesVolume(link) => works(Method::NodeStageVolume, link),
            Act::PublishesVolume(link) => works(Method::NodePublishVolume, link),
            Act::UnpublishesVolume(link) => works(Method::NodeUnpublishVolume, link),
            Act::UnstagesVolume(link) => works(Method::NodeUnstageVolume, link),
            Act::ExpandsFileSystem(link) => works(Method::NodeExpandVolume, link),
            Act::TellsInfo(_) => When::After(WRITE.ms),
        }
    }

    pub(super) fn run(self, t: &mut Turn) -> Step {
        match self {
            Act::AttachesVolume(link) => attaches(t, link),
            Act::DetachesVolume(link) => detaches(t, link),
            Act::StagesVolume(link) => stages(t, link),
            Act::PublishesVolume(link) => publishes(t, link),
            Act::UnpublishesVolume(link) => unpublishes(t, link),
            Act::UnstagesVolume(link) => unstages(t, link),
            Act::CreatesVolume(claim) => provision::creates(t, claim),
            Act::DeletesVolume(volume) => provision::deletes(t, volume),
            Act::TellsInfo(node) => tells_info(t, node),
            Act::ExpandsVolume(claim) => driver_grows::expands_volume(t, claim),
            Act::ModifiesVolume(claim) => driver_grows::modifies_volume(t, claim),
            Act::ExpandsFileSystem(link) => driver_grows::expands_file_system(t, link),
            Act::CutsSnapshot(id) => driver_grows::cuts_snapshot(t, id),
            Act::ReadiesSnapshot(id) => driver_grows::readies_snapshot(t, id),
            Act::DeletesSnapshot(id) => driver_grows::deletes_snapshot(t, id),
            Act::CleansVolume(claim) => provision::cleans(t, claim),
            Act::FinishesLate(link) => late::finishes(t, link, false),
            Act::FinishesLateOnNode(link) => late::finishes(t, link, true),
            Act::FinishesLateAtBackend(volume) => late::finishes_at_backend(t, volume),
        }
    }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    for link in world.links() {
        let all = [
            Act::AttachesVolume(link),
            Act::DetachesVolume(link),
            Act::StagesVolume(link),
            Act::PublishesVolume(link),
            Act::UnpublishesVolume(link),
            Act::UnstagesVolume(link),
        ];
        found.extend(all.map(Action::Driver));
    }
    late::candidates(world, found);
    provision::candidates(world, found);
    found.extend(world.nodes().map(|node| Action::Driver(Act::TellsInfo(node))));
    let grows = world.claims().any(|claim| !world.claim(claim).resizes.is_empty());
    for claim in world.claims() {
        if grows {
            found.push(Action::Driver(Act::ExpandsVolume(claim)));
        }
        if world.attributes_classes().next().is_some() {
            found.push(Action::Driver(Act::ModifiesVolume(claim)));
        }
    }
    if grows {
        found.extend(world.links().map(|link| Action::Driver(Act::ExpandsFileSystem(link))));
    }
    for id in world.snapshots() {
        let all = [Act::CutsSnapshot(id), Act::ReadiesSnapshot(id), Act::DeletesSnapshot(id)];
        found.extend(all.map(Action::Driver));
    }
}

/// The backend attaches the volume: its device appears on the Node.
fn attaches(t: &mut Turn, link: Link) -> Step {
    need(t.cluster.place(link).attacher == Attacher::PublishCalled, Unmet::NoSuchCall)?;
    agrees(t, Method::ControllerPublishVolume, About::Link(link))?;
    advance(t, link, Attacher::PublishCalled, Attacher::PublishDone)?;
    let real = &mut t.cluster.place_mut(link).real;
    real.published = true;
    real.device = true;
    t.device(link, true);
    Ok(())
}

/// The backend detaches the volume: its device leaves the Node.
fn detaches(t: &mut Turn, link: Link) -> Step {
    late::idle(t, link, Method::ControllerUnpublishVolume)?;
    advance(t, link, Attacher::UnpublishCalled, Attacher::UnpublishDone)?;
    let real = &mut t.cluster.place_mut(link).real;
    real.published = false;
    real.device = false;
    t.device(link, false);
    Ok(())
}

/// The driver mounts the device at the staging path; where it is mounted already there is nothing to do. A raw
/// device is not mounted there.
fn stages(t: &mut Turn, link: Link) -> Step {
    let Op::StageCalled(id) = operation(t, link) else { return Err(Unmet::NoSuchCall) };
    agrees(t, Method::NodeStageVolume, About::Link(link))?;
    begin(t, link, Op::StageDone(id));
    let was = std::mem::replace(&mut t.cluster.place_mut(link).real.staged, true);
    if !was && has_file_system(t, link) {
        t.mount(link, MountPoint::Staging, true);
    }
    Ok(())
}

/// The driver mounts the volume at the Pod's path, unless it is there already.
fn publishes(t: &mut Turn, link: Link) -> Step {
    let Op::PublishCalled(id) = operation(t, link) else { return Err(Unmet::NoSuchCall) };
    agrees(t, Method::NodePublishVolume, About::Target(link, id))?;
    begin(t, link, Op::PublishDone(id));
    if !t.cluster.place(link).real.targets.contains(id) {
        t.cluster.place_mut(link).real.targets.insert(id);
        t.mount(link, MountPoint::Target(id), true);
    }
    Ok(())
}

/// The driver unmounts the Pod's path, if anything is mounted there.
fn unpublishes(t: &mut Turn, link: Link) -> Step {
    let Op::UnpublishCalled(id) = operation(t, link) else { return Err(Unmet::NoSuchCall) };
    agrees(t, Method::NodeUnpublishVolume, About::Target(link, id))?;
    begin(t, link, Op::UnpublishDone(id));
    if t.cluster.place(link).real.targets.contains(id) {
        t.cluster.place_mut(link).real.targets.remove(id);
        t.mount(link, MountPoint::Target(id), false);
    }
    Ok(())
}

/// The driver unmounts the staging path, if anything is mounted there.
fn unstages(t: &mut Turn, link: Link) -> Step {
    need(operation(t, link) == Op::UnstageCalled, Unmet::NoSuchCall)?;
    agrees(t, Method::NodeUnstageVolume, About::Link(link))?;
    begin(t, link, Op::UnstageDone);
    let was = std::mem::take(&mut t.cluster.place_mut(link).real.staged);
    if was && has_file_system(t, link) {
        t.mount(link, MountPoint::Staging, false);
    }
    Ok(())
}

fn has_file_system(t: &Turn, link: Link) -> bool {
    t.world.volume(link.volume).mode == VolumeMode::Filesystem
}

/// The driver tells what it calls the Node.
fn tells_info(t: &mut Turn, node: NodeId) -> Step {
    need(t.cluster.node(node).agent.registration == Registration::InfoCalled, Unmet::NoSuchCall)?;
    t.cluster.node_mut(node).agent.registration = Registration::InfoDone;
    Ok(())
}
