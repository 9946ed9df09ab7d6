//! The PersistentVolume controller in kube-controller-manager (PV1 to PV9).

mod bind;
mod create;
mod event;
mod fit;
mod state;
mod sync;

use super::action::{Fact, Subject};
use super::timing::{WATCH, WRITE, When};
use super::turn::Turn;
use super::{Action, ClaimId, Cluster, Role, Unmet, VolumeId, World, timing};
pub(super) use create::{class_name, create_claim, mark_deleted};
pub use event::Event;
pub use fit::{Mismatch, admits, mismatch};
pub use state::Binder;
pub use sync::{Decision, is_bound, is_delayed, sync_unbound};

/// Something that the PersistentVolume controller does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the sentence that its name in `fact` spells")]
pub enum Act {
    WaitsForConsumer(ClaimId),
    AsksProvisioner(ClaimId),
    FindsNoClass(ClaimId),
    AssignsDefaultClass(ClaimId),
    FindsNothingToBind(ClaimId),
    RefusesVolume(ClaimId),
    FindsVolumeTaken(ClaimId),
    ClaimsVolume(ClaimId),
    MarksVolumeBound(VolumeId),
    CompletesBinding(ClaimId),
    MarksClaimBound(ClaimId),
    LosesClaim(ClaimId),
    ReleasesVolume(VolumeId),
    MarksVolumeAvailable(VolumeId),
}

impl Act {
    pub(super) fn fact(self) -> Fact {
        const SOURCE: &str = "pkg/controller/volume/persistentvolume/pv_controller.go";
        let fact = |rule, name| Fact { role: Role::PvController, rule, name, source: SOURCE };
        match self {
            Act::WaitsForConsumer(_) => fact("PV1", "pv-controller-waits-for-consumer"),
            Act::AsksProvisioner(_) => fact("PV3", "pv-controller-asks-provisioner"),
            Act::FindsNoClass(_) => fact("PV3", "pv-controller-finds-no-class"),
            Act::AssignsDefaultClass(_) => fact("PV4", "pv-controller-assigns-default-class"),
            Act::FindsNothingToBind(_) => fact("PV4", "pv-controller-finds-nothing-to-bind"),
            Act::RefusesVolume(_) => fact("PV5", "pv-controller-refuses-volume"),
            Act::FindsVolumeTaken(_) => fact("PV5", "pv-controller-finds-volume-taken"),
            Act::ClaimsVolume(_) => fact("PV6", "pv-controller-claims-volume"),
            Act::MarksVolumeBound(_) => fact("PV6", "pv-controller-marks-volume-bound"),
            Act::CompletesBinding(_) => fact("PV6", "pv-controller-completes-binding"),
            Act::MarksClaimBound(_) => fact("PV6", "pv-controller-marks-claim-bound"),
            Act::LosesClaim(_) => fact("PV7", "pv-controller-loses-claim"),
            Act::ReleasesVolume(_) => fact("PV8", "pv-controller-releases-volume"),
            Act::MarksVolumeAvailable(_) => fact("PV9", "pv-controller-marks-volume-available"),
        }
    }

    pub(super) fn subject(self) -> Subject {
        match self {
            Act::WaitsForConsumer(claim)
            | Act::AsksProvisioner(claim)
            | Act::FindsNoClass(claim)
            | Act::AssignsDefaultClass(claim)
            | Act::FindsNothingToBind(claim)
            | Act::RefusesVolume(claim)
            | Act::FindsVolumeTaken(claim)
            | Act::ClaimsVolume(claim)
            | Act::CompletesBinding(claim)
            | Act::MarksClaimBound(claim)
            | Act::LosesClaim(claim) => Subject::Claim(claim),
            Act::MarksVolumeBound(volume)
            | Act::ReleasesVolume(volume)
            | Act::MarksVolumeAvailable(volume) => Subject::Volume(volume),
        }
    }

    pub(super) fn when(self, world: &World, cluster: &Cluster) -> When {
        let resync = When::Every { period: timing::PV_RESYNC.ms, offset: 800 };
        match self {
            // A claim whose class or volume nobody had when it came is looked at again at the next resync only.
            Act::AssignsDefaultClass(_) => resync,
            Act::AsksProvisioner(claim) | Act::ClaimsVolume(claim) => {
                let tried = matches!(
                    cluster.binder(claim).told,
                    Some(Event::NoClass(_) | Event::NothingToBind | Event::Taken(_) | Event::Mismatched(..))
                );
                if tried && world.class_of(claim) == cluster.claim(claim).class {
                    resync
                } else {
                    When::After(WATCH.ms)
                }
            }
            Act::WaitsForConsumer(_)
            | Act::FindsNoClass(_)
            | Act::FindsNothingToBind(_)
            | Act::RefusesVolume(_)
            | Act::FindsVolumeTaken(_)
            | Act::LosesClaim(_)
            | Act::ReleasesVolume(_)
            | Act::MarksVolumeAvailable(_) => When::After(WATCH.ms),
            Act::MarksVolumeBound(_) | Act::CompletesBinding(_) | Act::MarksClaimBound(_) => {
                When::After(WRITE.ms)
            }
        }
    }

    pub(super) fn run(self, t: &mut Turn) -> Result<(), Unmet> {
        match self {
            Act::WaitsForConsumer(id) => sync::waits_for_consumer(t, id),
            Act::AsksProvisioner(id) => sync::asks_provisioner(t, id),
            Act::FindsNoClass(id) => sync::finds_no_class(t, id),
            Act::AssignsDefaultClass(id) => sync::assigns_default_class(t, id),
            Act::FindsNothingToBind(id) => sync::finds_nothing_to_bind(t, id),
            Act::RefusesVolume(id) => sync::refuses_volume(t, id),
            Act::FindsVolumeTaken(id) => sync::finds_volume_taken(t, id),
            Act::ClaimsVolume(id) => bind::claims_volume(t, id),
            Act::MarksVolumeBound(id) => bind::marks_volume_bound(t, id),
            Act::CompletesBinding(id) => bind::completes_binding(t, id),
            Act::MarksClaimBound(id) => bind::marks_claim_bound(t, id),
            Act::LosesClaim(id) => bind::loses_claim(t, id),
            Act::ReleasesVolume(id) => bind::releases_volume(t, id),
            Act::MarksVolumeAvailable(id) => bind::marks_volume_available(t, id),
        }
    }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    for claim in world.claims().filter(|claim| !world.claim(*claim).kept) {
        let all = [
            Act::WaitsForConsumer(claim),
            Act::AsksProvisioner(claim),
            Act::FindsNoClass(claim),
            Act::AssignsDefaultClass(claim),
            Act::FindsNothingToBind(claim),
            Act::RefusesVolume(claim),
            Act::FindsVolumeTaken(claim),
            Act::ClaimsVolume(claim),
            Act::CompletesBinding(claim),
            Act::MarksClaimBound(claim),
            Act::LosesClaim(claim),
        ];
        found.extend(all.map(Action::Claims));
    }
    for volume in world.volumes().filter(|volume| !world.is_kept(*volume)) {
        let all =
            [Act::MarksVolumeBound(volume), Act::ReleasesVolume(volume), Act::MarksVolumeAvailable(volume)];
        found.extend(all.map(Action::Claims));
    }
}
