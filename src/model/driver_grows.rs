//! The CSI driver where volumes grow, are modified and are copied.

use super::csi::Rpc;
use super::effect::{About, Method};
use super::growth::{Modifier, Resizer};
use super::kubelet_expand::ExpandStep;
use super::snapshots::{RealSnapshot, Snapshotter};
use super::turn::{Turn, need};
use super::{ClaimId, Code, Link, SnapshotId, Unmet, driver_answer};

type Step = Result<(), Unmet>;

/// The driver itself does what it is asked for.
pub(super) fn agrees(t: &Turn, method: Method, about: About) -> Step {
    let code = driver_answer(t.world, &t.cluster, method, about);
    need(code == Code::Ok, Unmet::DriverRefuses(Rpc::from(method), code))
}

/// The backend makes the disk larger; a disk never shrinks.
pub(super) fn expands_volume(t: &mut Turn, id: ClaimId) -> Step {
    let claim = t.cluster.claim(id);
    need(claim.growth.resizer == Resizer::Called, Unmet::NoSuchCall)?;
    let volume = claim.volume.ok_or(Unmet::ClaimNotBound)?;
    agrees(t, Method::ControllerExpandVolume, About::Volume(volume))?;
    let size = t.cluster.claim(id).growth.allocated_size;
    let backing = &mut t.cluster.volume_mut(volume).backing;
    backing.size = backing.size.max(size);
    t.cluster.claim_mut(id).growth.resizer = Resizer::Done;
    Ok(())
}

/// The backend gives the disk other parameters.
pub(super) fn modifies_volume(t: &mut Turn, id: ClaimId) -> Step {
    let claim = t.cluster.claim(id);
    need(claim.growth.modifier == Modifier::Called, Unmet::NoSuchCall)?;
    let volume = claim.volume.ok_or(Unmet::ClaimNotBound)?;
    agrees(t, Method::ControllerModifyVolume, About::Volume(volume))?;
    t.cluster.claim_mut(id).growth.modifier = Modifier::Done;
    Ok(())
}

/// The node plugin makes the file system as large as the disk.
pub(super) fn expands_file_system(t: &mut Turn, link: Link) -> Step {
    let expand = t.cluster.place(link).expand;
    need(expand.step == ExpandStep::Called, Unmet::NoSuchCall)?;
    let pod = expand.pod.ok_or(Unmet::NoSuchCall)?;
    agrees(t, Method::NodeExpandVolume, About::Target(link, pod))?;
    let size = t.cluster.volume(link.volume).capacity;
    let backing = &mut t.cluster.volume_mut(link.volume).backing;
    backing.file_system = backing.file_system.max(size);
    t.cluster.place_mut(link).expand.step = ExpandStep::Done;
    Ok(())
}

/// The backend cuts the snapshot; one that it has cut before it only tells of.
pub(super) fn cuts_snapshot(t: &mut Turn, id: SnapshotId) -> Step {
    need(t.cluster.snapshot(id).snapshotter == Snapshotter::CreateCalled, Unmet::NoSuchCall)?;
    agrees(t, Method::CreateSnapshot, About::Snapshot(id))?;
    t.cluster.snapshot_mut(id).snapshotter = Snapshotter::CreateDone;
    cut(t, id);
    Ok(())
}

/// The snapshot is there, and ready unless the driver takes its time.
pub(super) fn cut(t: &mut Turn, id: SnapshotId) {
    let slow = t.world.driver().snapshots_slowly;
    let snapshot = t.cluster.snapshot_mut(id);
    if snapshot.real == RealSnapshot::None {
        snapshot.real = if slow { RealSnapshot::Cut } else { RealSnapshot::Ready };
    }
}

/// A snapshot that takes its time becomes ready.
pub(super) fn readies_snapshot(t: &mut Turn, id: SnapshotId) -> Step {
    need(t.cluster.snapshot(id).real == RealSnapshot::Cut, Unmet::SnapshotReady)?;
    t.cluster.snapshot_mut(id).real = RealSnapshot::Ready;
    Ok(())
}

/// The backend deletes the snapshot.
pub(super) fn deletes_snapshot(t: &mut Turn, id: SnapshotId) -> Step {
    need(t.cluster.snapshot(id).snapshotter == Snapshotter::DeleteCalled, Unmet::NoSuchCall)?;
    agrees(t, Method::DeleteSnapshot, About::Snapshot(id))?;
    let snapshot = t.cluster.snapshot_mut(id);
    snapshot.snapshotter = Snapshotter::DeleteDone;
    snapshot.real = RealSnapshot::None;
    Ok(())
}
