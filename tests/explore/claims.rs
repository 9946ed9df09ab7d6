//! Every reachable state of one claim, from nothing to a mounted volume and back: what never happens, and that it ends.

use crate::claims_world::{answer, parts};
use crate::worlds::{Explored, Seen, laws, made};
use mountpath::model::{
    BindingMode, ClaimPhase, Cluster, Code, Driver, Fault, FaultKind, Method, Parts, Presence, Reclaim, Role,
    Runtime, VolumePhase,
};

fn runs(explored: &Explored, state: &Cluster) -> bool {
    explored.world.pods().any(|id| state.pod(id).runtime == Runtime::Running)
}

/// A claim says `Bound` only beside a PersistentVolume that says so of it.
fn bound_both_ways(explored: &Explored, state: &Cluster) -> bool {
    explored.world.claims().all(|id| {
        let claim = state.claim(id);
        let volume = claim.volume.map(|volume| *state.volume(volume));
        claim.presence != Presence::Here
            || claim.phase != ClaimPhase::Bound
            || volume.is_some_and(|v| v.claim == Some(id) && v.phase == VolumePhase::Bound)
    })
}

fn visit(parts: Parts) -> Seen {
    let explored = Explored::new(made::world(parts)).only(made::sane);
    explored
        .always("a bound claim has a claimed volume", bound_both_ways)
        .always("nobody attaches a volume that DeleteVolume is called for", laws::deleted_is_detached)
        .sometimes("a Pod runs", runs)
        .run()
}

fn explore(parts: Parts, states: usize) {
    assert_eq!(visit(parts).counts(), (states, 0, 0));
}

/// On one Node, with a driver that neither attaches nor stages, so that the claim is what there is to explore.
fn plain(binding: BindingMode, reclaim: Reclaim) -> Parts {
    let mut parts = parts(binding, reclaim);
    parts.driver =
        Driver { attach_required: false, controller_publish: false, node_stage: false, ..parts.driver };
    parts.nodes.truncate(1);
    parts
}

fn with(mut parts: Parts, fault: Fault) -> Parts {
    parts.faults.push(fault);
    parts
}

#[test]
fn a_claim_that_is_bound_at_once() {
    explore(plain(BindingMode::Immediate, Reclaim::Delete), 678);
}

#[test]
fn a_claim_that_waits_for_its_pod() {
    explore(plain(BindingMode::WaitForFirstConsumer, Reclaim::Delete), 971);
}

#[test]
fn a_volume_that_is_kept() {
    explore(plain(BindingMode::Immediate, Reclaim::Retain), 876);
}

#[test]
fn create_volume_fails_once_for_good() {
    let fault = answer(Method::CreateVolume, Code::Internal, "injected", false, Some(1));
    explore(with(plain(BindingMode::Immediate, Reclaim::Delete), fault), 1326);
}

#[test]
fn a_reply_to_create_volume_is_lost() {
    let fault = answer(Method::CreateVolume, Code::DeadlineExceeded, "injected", true, Some(1));
    explore(with(plain(BindingMode::Immediate, Reclaim::Delete), fault), 1326);
}

#[test]
fn the_selected_node_has_no_room() {
    let fault = answer(Method::CreateVolume, Code::ResourceExhausted, "injected", false, Some(1));
    let mut parts = plain(BindingMode::WaitForFirstConsumer, Reclaim::Delete);
    parts.driver.topology = true;
    explore(with(parts, fault), 2178);
}

#[test]
fn delete_volume_fails_once() {
    let fault = answer(Method::DeleteVolume, Code::Internal, "injected", false, Some(1));
    explore(with(plain(BindingMode::Immediate, Reclaim::Delete), fault), 958);
}

#[test]
fn a_driver_that_attaches() {
    let mut parts = plain(BindingMode::Immediate, Reclaim::Delete);
    parts.driver.attach_required = true;
    parts.driver.controller_publish = true;
    explore(parts, 6526);
}

/// The driver makes the volume and says for good that it did not: if the claim goes before the next try, nobody knows
/// of the disk any more.
#[test]
fn a_wrong_answer_may_leave_a_disk_behind() {
    let fault = answer(Method::CreateVolume, Code::Internal, "injected", true, Some(1));
    let seen = visit(with(plain(BindingMode::Immediate, Reclaim::Delete), fault));
    assert_eq!(seen.counts(), (1326, 9, 0), "from some states the disk stays for ever");
}

/// The same may happen when external-provisioner dies with the driver's reply under way; a Pod runs in the end whenever
/// the claim stays.
#[test]
fn a_provisioner_that_dies_once_may_leave_a_disk_behind() {
    let kind = FaultKind::Down { role: Role::ExternalProvisioner, node: None };
    let fault = Fault { kind, times: Some(1) };
    let seen = visit(with(plain(BindingMode::Immediate, Reclaim::Delete), fault));
    assert_eq!(seen.counts(), (2364, 18, 0));
}
