//! The CSI driver: its controller plugin at the backend, its node plugin in a Node's kernel.

use super::action::{Fact, Subject};
use super::attacher::{advance, publish_answer};
use super::effect::MountPoint;
use super::kubelet::{KubeletOperation as Op, begin, operation};
use super::timing::{BACKEND, MOUNT, When};
use super::turn::{Turn, need};
use super::{Action, Attacher, Cluster, Link, Role, Unmet, World};

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
        }
    }

    pub(super) fn subject(self) -> Subject {
        match self {
            Act::AttachesVolume(link)
            | Act::DetachesVolume(link)
            | Act::StagesVolume(link)
            | Act::PublishesVolume(link)
            | Act::UnpublishesVolume(link)
            | Act::UnstagesVolume(link) => Subject::Link(link),
        }
    }

    pub(super) fn when(self, _: &World, _: &Cluster) -> When {
        match self {
            Act::AttachesVolume(_) | Act::DetachesVolume(_) => When::After(BACKEND.ms),
            Act::StagesVolume(_)
            | Act::PublishesVolume(_)
            | Act::UnpublishesVolume(_)
            | Act::UnstagesVolume(_) => When::After(MOUNT.ms),
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
}

/// The backend attaches the volume: its device appears on the Node.
fn attaches(t: &mut Turn, link: Link) -> Step {
    need(t.cluster.place(link).attacher == Attacher::PublishCalled, Unmet::NoSuchCall)?;
    need(publish_answer(t.world, &t.cluster, link).is_ok(), Unmet::DriverRefuses)?;
    advance(t, link, Attacher::PublishCalled, Attacher::PublishDone)?;
    let real = &mut t.cluster.place_mut(link).real;
    real.published = true;
    real.device = true;
    t.device(link, true);
    Ok(())
}

/// The backend detaches the volume: its device leaves the Node.
fn detaches(t: &mut Turn, link: Link) -> Step {
    advance(t, link, Attacher::UnpublishCalled, Attacher::UnpublishDone)?;
    let real = &mut t.cluster.place_mut(link).real;
    real.published = false;
    real.device = false;
    t.device(link, false);
    Ok(())
}

/// The driver mounts the device at the staging path.
fn stages(t: &mut Turn, link: Link) -> Step {
    let Op::StageCalled(id) = operation(t, link) else { return Err(Unmet::NoSuchCall) };
    begin(t, link, Op::StageDone(id));
    t.cluster.place_mut(link).real.staged = true;
    t.mount(link, MountPoint::Staging, true);
    Ok(())
}

/// The driver mounts the volume at the Pod's path.
fn publishes(t: &mut Turn, link: Link) -> Step {
    let Op::PublishCalled(id) = operation(t, link) else { return Err(Unmet::NoSuchCall) };
    begin(t, link, Op::PublishDone(id));
    t.cluster.place_mut(link).real.targets.insert(id);
    t.mount(link, MountPoint::Target(id), true);
    Ok(())
}

/// The driver unmounts the Pod's path.
fn unpublishes(t: &mut Turn, link: Link) -> Step {
    let Op::UnpublishCalled(id) = operation(t, link) else { return Err(Unmet::NoSuchCall) };
    begin(t, link, Op::UnpublishDone(id));
    t.cluster.place_mut(link).real.targets.remove(id);
    t.mount(link, MountPoint::Target(id), false);
    Ok(())
}

/// The driver unmounts the staging path.
fn unstages(t: &mut Turn, link: Link) -> Step {
    need(operation(t, link) == Op::UnstageCalled, Unmet::NoSuchCall)?;
    begin(t, link, Op::UnstageDone);
    t.cluster.place_mut(link).real.staged = false;
    t.mount(link, MountPoint::Staging, false);
    Ok(())
}
