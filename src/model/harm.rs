//! What must not be, whatever somebody waits for.

use super::{Cluster, Link, PodId, Presence, Runtime, VolumeId, World};

/// What must not be: state that loses or spoils data.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Harm {
    /// Containers run on without their Pod object.
    RunsUnowned(PodId),
    /// A volume that only one Node may have is attached to two.
    AttachedTwice(VolumeId),
    /// Something is mounted of which the device is gone.
    MountWithoutDevice(Link),
    /// A volume is mounted of which the disk is gone.
    MountWithoutDisk(Link),
}

/// What must not be, in a state.
pub fn harms(world: &World, cluster: &Cluster) -> Vec<Harm> {
    let mut found = Vec::new();
    for id in world.pods() {
        let pod = cluster.pod(id);
        let runs = matches!(pod.runtime, Runtime::Running | Runtime::Stopping);
        if runs && pod.presence != Presence::Here {
            found.push(Harm::RunsUnowned(id));
        }
    }
    for volume in world.volumes() {
        let many = world.volume(volume).access_mode.allows_many_nodes();
        let published = world.links().filter(|l| l.volume == volume && cluster.place(*l).real.published);
        if !many && published.count() > 1 {
            found.push(Harm::AttachedTwice(volume));
        }
    }
    for link in world.links() {
        let real = cluster.place(link).real;
        let mounted = real.staged || !real.targets.is_empty();
        let attaches = world.is_attachable(link.volume) && world.driver().controller_publish;
        if mounted && attaches && !real.device {
            found.push(Harm::MountWithoutDevice(link));
        }
        if mounted && !world.is_inline(link.volume) && !cluster.volume(link.volume).disk {
            found.push(Harm::MountWithoutDisk(link));
        }
    }
    found
}
