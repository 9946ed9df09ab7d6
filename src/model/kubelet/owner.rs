//! How the files of a published volume get the Pod's group, where that is kubelet's to do (K16, D9, D10).

use super::event::Event;
use super::fs_group::{Mounting, Source, kubelet_changes_owner};
use super::mount::{begin, ends_mount, operation};
use super::{KubeletOperation as Op, MountState};
use crate::model::turn::{Turn, need};
use crate::model::{EventId, Link, ObjectId, PodId, Unmet, VolumeMode, World};

type Step = Result<(), Unmet>;

/// Whether kubelet changes the owner of the files after it has published the volume for this Pod.
pub(super) fn changes(world: &World, link: Link, id: PodId) -> bool {
    let (pod, volume, driver) = (world.pod(id), world.volume(link.volume), world.driver());
    let modes = volume.modes();
    let source = if world.is_inline(link.volume) { Source::Inline } else { Source::Persistent(&modes) };
    let mounting = Mounting {
        group: pod.fs_group,
        fs_type: volume.fs_type,
        read_only: pod.read_only,
        source: Some(source),
    };
    volume.mode == VolumeMode::Filesystem
        && kubelet_changes_owner(driver.fs_group_policy, mounting, driver.mount_group)
}

/// The Pod for which the files get another owner.
fn under_way(t: &Turn, link: Link) -> Result<PodId, Unmet> {
    match operation(t, link) {
        Op::Own(id) | Op::OwnSlowly(id) => Ok(id),
        Op::None
        | Op::Mount(_)
        | Op::StageCalled(_)
        | Op::StageDone(_)
        | Op::PublishCalled(_)
        | Op::PublishDone(_)
        | Op::UnpublishCalled(_)
        | Op::UnpublishDone(_)
        | Op::UnstageCalled
        | Op::UnstageDone
        | Op::Expand => Err(Unmet::NoOwnerChange),
    }
}

/// K16: every file has the Pod's group, and so the mount is over.
pub(super) fn applies(t: &mut Turn, link: Link) -> Step {
    let id = under_way(t, link)?;
    need(t.world.volume(link.volume).owner_error.is_none(), Unmet::OwnerRefused)?;
    begin(t, link, Op::None);
    ends_mount(t, link, id);
    Ok(())
}

/// D9: the file system does not let kubelet: the volume is published, but counts as uncertain.
pub(super) fn fails(t: &mut Turn, link: Link) -> Step {
    let id = under_way(t, link)?;
    need(t.world.volume(link.volume).owner_error.is_some(), Unmet::NoSuchError)?;
    begin(t, link, Op::None);
    t.cluster.place_mut(link).kubelet.set_mount(id, MountState::Uncertain);
    t.event(ObjectId::Pod(id), EventId::Kubelet(Event::OwnerFailed(link)));
    Ok(())
}

/// D10: after half a minute an Event tells why the Pod does not start.
pub(super) fn tells_slow(t: &mut Turn, link: Link) -> Step {
    let Op::Own(id) = operation(t, link) else { return Err(Unmet::NoOwnerChange) };
    begin(t, link, Op::OwnSlowly(id));
    t.event(ObjectId::Pod(id), EventId::Kubelet(Event::OwnerSlow(link, id)));
    Ok(())
}
