//! Which volumes a line and an action are about: what happens to other volumes unseen can wait.

use super::recording::{Observation, Seen};
use super::render;
use crate::model::{ClaimId, MountPoint, ObjectId, Origin, PodVolume, Subject, VolumeId, World};

/// A set of volumes; all of them where something is about none in particular.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Volumes(u64);

impl Volumes {
    const ALL: Volumes = Volumes(u64::MAX);
    /// No volume.
    pub const NONE: Volumes = Volumes(0);

    /// Whether the two have one in common.
    pub fn meets(self, other: Volumes) -> bool {
        self.0 & other.0 != 0
    }

    /// Those of both.
    pub fn with(self, other: Volumes) -> Self {
        Self(self.0 | other.0)
    }

    fn or_all(bits: u64) -> Self {
        if bits == 0 { Self::ALL } else { Self(bits) }
    }
}

impl Default for Volumes {
    fn default() -> Self {
        Self::ALL
    }
}

/// What stands for each volume of a world.
pub struct Focus<'w> {
    world: &'w World,
    volumes: Vec<VolumeId>,
    /// Texts that a line may hold, each with the volumes that it tells of.
    objects: Vec<(String, u64)>,
    paths: Vec<(String, u64)>,
}

impl<'w> Focus<'w> {
    /// Gathers the names.
    pub fn new(world: &'w World) -> Self {
        let mut focus =
            Self { world, volumes: world.volumes().collect(), objects: Vec::new(), paths: Vec::new() };
        let mut objects = Vec::new();
        for claim in world.claims() {
            objects.push((ObjectId::Claim(claim), focus.claim(claim)));
        }
        for pod in world.pods() {
            objects.push((ObjectId::Pod(pod), focus.pod(world.pod(pod).source)));
        }
        for volume in world.volumes() {
            objects.push((ObjectId::Volume(volume), focus.bit(volume)));
        }
        for link in world.links() {
            objects.push((ObjectId::Attachment(link), focus.bit(link.volume)));
            focus.paths.push((render::path(world, link, MountPoint::Staging), focus.bit(link.volume)));
        }
        focus.objects = objects.into_iter().map(|(id, bits)| (world.object(id).to_string(), bits)).collect();
        focus
    }

    fn bit(&self, volume: VolumeId) -> u64 {
        let place = self.volumes.iter().position(|v| *v == volume);
        place.and_then(|place| 1_u64.checked_shl(place as u32)).unwrap_or(u64::MAX)
    }

    /// The volume made for a claim, the one that it names, and every one that waits for a claim.
    fn claim(&self, claim: ClaimId) -> u64 {
        let named = self.world.claim(claim).volume_name.and_then(|place| self.volumes.get(place)).copied();
        let own = self.volumes.iter().copied().filter(|volume| {
            let spec = self.world.volume(*volume);
            self.world.provisioned_for(*volume) == Some(claim) || spec.origin == Origin::Static
        });
        own.chain(named).fold(0, |bits, volume| bits | self.bit(volume))
    }

    fn pod(&self, source: PodVolume) -> u64 {
        match source {
            PodVolume::Claim(claim) | PodVolume::Ephemeral(claim) => {
                self.world.claims().nth(claim).map_or(0, |claim| self.claim(claim))
            }
            PodVolume::Inline(volume) => self.volumes.get(volume).map_or(0, |volume| self.bit(*volume)),
        }
    }

    /// The volumes that an action about this is about.
    pub fn subject(&self, subject: Subject) -> Volumes {
        Volumes::or_all(match subject {
            Subject::Pod(pod) => self.pod(self.world.pod(pod).source),
            Subject::Link(link) => self.bit(link.volume),
            Subject::Claim(claim) => self.claim(claim),
            Subject::Volume(volume) => self.bit(volume),
            Subject::Node(_) | Subject::Class(_) | Subject::Snapshot(_) | Subject::Fault(_) => 0,
        })
    }

    /// The volumes that a line is about.
    pub fn line(&self, seen: &Observation) -> Volumes {
        let of_object = |object: &str| self.objects.iter().find(|row| row.0 == object).map_or(0, |row| row.1);
        Volumes::or_all(match &seen.what {
            Seen::Update(object, changes) if of_object(object) == 0 => {
                // A Node's lists of volumes: those that come or go.
                let pairs = changes.values();
                let is_in = |list: &Option<String>, name: &str| {
                    list.as_ref().is_some_and(|list| list.split(", ").any(|entry| entry == name))
                };
                let moved = self.volumes.iter().filter(|volume| {
                    let name = self.world.unique_volume_name(**volume);
                    pairs.clone().any(|(from, to)| is_in(from, &name) != is_in(to, &name))
                });
                moved.fold(0, |bits, volume| bits | self.bit(*volume))
            }
            Seen::Create(object, _) | Seen::Update(object, _) | Seen::Delete(object) => of_object(object),
            Seen::Event(object, ..) => of_object(object),
            Seen::Call(_, fields) | Seen::Rpc(_, _, fields) => {
                let handle = fields.get("volume").and_then(Option::as_deref);
                let named = fields.get("name").and_then(Option::as_deref);
                let own = self.volumes.iter().filter(|volume| {
                    let spec = self.world.volume(**volume);
                    handle == Some(spec.handle.as_str()) || named == Some(spec.pv.as_str())
                });
                own.fold(0, |bits, volume| bits | self.bit(*volume))
            }
            Seen::Mount(path) | Seen::Unmount(path) => {
                let staged = self.paths.iter().find(|row| row.0 == *path).map(|row| row.1);
                staged.unwrap_or_else(|| {
                    let own = self.volumes.iter().filter(|volume| {
                        let pv = &self.world.volume(**volume).pv;
                        path.split('/').any(|part| part == pv)
                    });
                    own.fold(0, |bits, volume| bits | self.bit(*volume))
                })
            }
            Seen::Given(..) | Seen::Note(_) => 0,
        })
    }
}
