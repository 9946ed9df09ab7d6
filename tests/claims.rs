//! From a claim to a Bound volume and back to nothing: what each scenario says, to the letter, and where it ends.

mod claims_world;

use claims_world::play::Play;
use claims_world::{answer, by_hand, claim, parts, pod};
use mountpath::model::{
    AccessMode, BindingMode, ClaimPhase, Code, Fault, FaultKind, Finalizer, Method, Origin, Parts, PodVolume,
    Presence, Reclaim, Role, Unmet, VolumePhase, actions,
};

const ASKED: &str = "PersistentVolumeClaim/data Normal ExternalProvisioning Waiting for a volume to be created either \
                     by the external provisioner 'disk.csi.example.com' or manually by the system administrator. If \
                     volume creation is delayed, please verify that the provisioner is running and correctly \
                     registered.";
const UNBOUND: &str = "Pod/app Warning FailedScheduling 0/2 nodes are available: pod has unbound immediate \
                       PersistentVolumeClaims. not found";

fn immediate() -> Parts {
    parts(BindingMode::Immediate, Reclaim::Delete)
}

fn waiting() -> Parts {
    parts(BindingMode::WaitForFirstConsumer, Reclaim::Delete)
}

#[test]
fn a_claim_is_bound_at_once_used_and_deleted_with_everything() {
    let mut play = Play::new(immediate());
    play.user("user-creates-claim", 0).settle().says(&[
        ASKED,
        "PersistentVolumeClaim/data Normal Provisioning External provisioner is provisioning volume for claim \"default/data\"",
        "PersistentVolumeClaim/data Normal ProvisioningSucceeded Successfully provisioned volume pvc-0",
    ]);
    assert_eq!((play.phase(0), play.volume(0).phase), (ClaimPhase::Bound, VolumePhase::Bound));
    play.user("user-creates-pod", 0).settle();
    assert!(play.runs(0));
    play.user("user-deletes-pod", 0).settle().user("user-deletes-claim", 0).settle();
    let volume = play.volume(0);
    assert_eq!((volume.presence, volume.disk), (Presence::Gone, false));
}

#[test]
fn a_claim_waits_for_its_pod_which_waits_for_it() {
    let mut play = Play::new(waiting());
    play.user("user-creates-claim", 0).settle().says(&[
        "PersistentVolumeClaim/data Normal WaitForFirstConsumer waiting for first consumer to be created before binding",
    ]);
    assert_eq!(play.phase(0), ClaimPhase::Pending);
    play.user("user-creates-pod", 0).settle().says(&[ASKED]);
    assert!(play.runs(0));
    let at = |name| play.names.iter().position(|other| *other == name).expect("happened");
    assert!(at("scheduler-selects-node") < at("provisioner-calls-create-volume"));
    assert!(at("pv-controller-completes-binding") < at("scheduler-binds-pod"));
}

#[test]
fn a_claim_in_use_stays_and_its_attachment_holds_the_disk() {
    let mut play = Play::new(Parts {
        pods: vec![pod("app", PodVolume::Claim(0)), pod("late", PodVolume::Claim(0))],
        ..immediate()
    });
    play.user("user-creates-claim", 0).settle().user("user-creates-pod", 0).settle();
    play.user("user-deletes-claim", 0).settle().user("user-creates-pod", 1).settle();
    play.says(&["Pod/late Warning FailedScheduling 0/2 nodes are available: persistentvolumeclaim \"data\" is being deleted. not found"]);
    assert_eq!(play.unmet("protection-releases-claim"), Unmet::ClaimInUse);
    play.backwards = true;
    play.user("user-deletes-pod", 1).user("user-deletes-pod", 0).settle();
    assert_eq!(play.volume(0).presence, Presence::Gone);
    play.says(&["PersistentVolume/pvc-0 Warning VolumeFailedDelete persistentvolume pvc-0 is still attached to node node-1"]);
}

#[test]
fn a_volume_that_is_kept_is_bound_again_when_its_claim_ref_is_cleared() {
    let mut parts = parts(BindingMode::Immediate, Reclaim::Retain);
    parts.claims.push(claim("again", 1));
    parts.claims[1].volume_name = Some(0);
    let mut play = Play::new(parts);
    play.user("user-creates-claim", 0).settle();
    assert!(!play.volume(0).finalizers.contains(Finalizer::Provisioner));
    play.user("user-deletes-claim", 0).settle();
    assert_eq!((play.volume(0).phase, play.volume(0).disk), (VolumePhase::Released, true));
    play.user("user-creates-claim", 1).settle().says(&[
        "PersistentVolumeClaim/again Warning FailedBinding volume \"pvc-0\" already bound to a different claim.",
    ]);
    play.user("user-clears-claim-ref", 0).settle();
    assert_eq!((play.phase(1), play.volume(0).phase), (ClaimPhase::Bound, VolumePhase::Bound));
}

#[test]
fn create_volume_answers_with_an_error() {
    let failing = |code, times| {
        let fault = answer(Method::CreateVolume, code, "injected", false, Some(times));
        let mut play = Play::new(Parts { faults: vec![fault], ..immediate() });
        play.user("user-creates-claim", 0);
        play
    };
    let mut play = failing(Code::InvalidArgument, 2);
    play.settle().says(&["PersistentVolumeClaim/data Warning ProvisioningFailed Volume provisioning failed with \
                          infeasible error. Retries will be delayed. rpc error: code = InvalidArgument desc = injected"]);
    let mut play = failing(Code::ResourceExhausted, 2);
    play.settle().says(&[
        "PersistentVolumeClaim/data Warning ProvisioningFailed rpc error: code = ResourceExhausted desc = injected",
    ]);
    // The same text again only counts up.
    assert_eq!(play.events.iter().filter(|event| event.contains("ProvisioningFailed")).count(), 1);
    assert_eq!(play.phase(0), ClaimPhase::Bound);
}

#[test]
fn a_class_that_comes_late_is_found() {
    let mut parts = immediate();
    parts.classes[0].given = false;
    let mut play = Play::new(parts);
    play.user("user-creates-claim", 0).settle().user("user-creates-pod", 0).settle().says(&[
        "PersistentVolumeClaim/data Warning ProvisioningFailed storageclass.storage.k8s.io \"fast\" not found",
        UNBOUND,
    ]);
    play.user("user-creates-class", 0).settle();
    assert!(play.runs(0));
}

#[test]
fn a_claim_without_class_gets_the_default_class_when_there_is_one() {
    let mut parts = immediate();
    parts.classes[0].given = false;
    parts.classes[0].default = true;
    parts.claims[0].class = None;
    let mut play = Play::new(parts);
    play.user("user-creates-claim", 0).settle().user("user-creates-pod", 0).settle().says(&[
        "PersistentVolumeClaim/data Normal FailedBinding no persistent volumes available for this claim and no storage class is set",
        UNBOUND,
    ]);
    play.user("user-creates-class", 0).settle();
    assert!(play.runs(0));
    assert!(play.names.contains(&"pv-controller-assigns-default-class"));
}

#[test]
fn a_provisioner_that_is_not_there_is_waited_for() {
    let mut parts = immediate();
    parts.classes[0].provisioner = "ghost.csi.example.com".into();
    let mut play = Play::new(parts);
    play.user("user-creates-claim", 0).settle().user("user-creates-pod", 0).settle();
    play.says(&[&ASKED.replace("disk.csi", "ghost.csi"), UNBOUND]);
    assert_eq!(play.unmet("provisioner-calls-create-volume"), Unmet::OtherProvisioner);
}

#[test]
fn a_volume_made_by_hand_is_bound_if_it_fits() {
    let static_one = |mode| {
        let mut parts = immediate();
        parts.volumes = vec![by_hand("static")];
        parts.volumes[0].access_mode = mode;
        parts.claims[0].class = None;
        parts.claims[0].volume_name = Some(0);
        let mut play = Play::new(parts);
        play.user("user-creates-volume", 0).settle();
        assert_eq!(play.volume(0).phase, VolumePhase::Available);
        play.user("user-creates-claim", 0).settle();
        play
    };
    static_one(AccessMode::ReadWriteMany)
        .says(&["PersistentVolumeClaim/data Warning VolumeMismatch Cannot bind to \
                                                  requested volume \"static\": incompatible accessMode"]);
    let mut play = static_one(AccessMode::ReadWriteOnce);
    assert_eq!(play.phase(0), ClaimPhase::Bound);
    assert!(!play.names.contains(&"driver-creates-volume"));
    play.user("user-creates-pod", 0).settle();
    assert!(play.runs(0));
}

#[test]
fn a_provisioner_that_dies_calls_again_under_the_same_name() {
    let fault =
        Fault { kind: FaultKind::Down { role: Role::ExternalProvisioner, node: None }, times: Some(1) };
    let mut play = Play::new(Parts { faults: vec![fault], ..immediate() });
    play.user("user-creates-claim", 0);
    while play.names.last() != Some(&"driver-creates-volume") {
        let action = actions(&play.world, &play.cluster).into_iter().find(|a| a.role() != Role::User);
        play.act(action.expect("the driver creates the volume"));
    }
    play.user("process-stops", 0).settle();
    assert_eq!((play.phase(0), play.volume(0).disk), (ClaimPhase::Pending, true));
    play.user("process-starts", 0).settle();
    assert_eq!(play.phase(0), ClaimPhase::Bound);
    assert_eq!(play.names.iter().filter(|name| **name == "provisioner-calls-create-volume").count(), 2);
}

#[test]
fn delete_volume_fails_and_is_called_again() {
    let fault = answer(Method::DeleteVolume, Code::FailedPrecondition, "it has snapshots", false, Some(1));
    let mut play = Play::new(Parts { faults: vec![fault], ..immediate() });
    play.user("user-creates-claim", 0).settle().user("user-deletes-claim", 0).settle().says(&[
        "PersistentVolume/pvc-0 Warning VolumeFailedDelete rpc error: code = FailedPrecondition desc = it has snapshots",
    ]);
    assert_eq!(play.volume(0).presence, Presence::Gone);
}

#[test]
fn a_claim_loses_a_volume_that_is_deleted_under_it() {
    let mut parts = immediate();
    parts.volumes = vec![by_hand("static")];
    parts.claims[0].class = None;
    let mut play = Play::new(parts);
    play.user("user-creates-volume", 0).settle().user("user-creates-claim", 0).settle();
    play.user("user-deletes-volume", 0).settle();
    assert_eq!(play.unmet("protection-releases-volume"), Unmet::VolumeBound);
    // Somebody strips the finalizers.
    let volume = play.world.volumes().next().expect("a volume");
    play.cluster.volume_mut(volume).presence = Presence::Gone;
    play.settle().user("user-creates-pod", 0).settle().says(&[
        "PersistentVolumeClaim/data Warning ClaimLost Bound claim has lost its PersistentVolume. Data on the volume is lost!",
        "Pod/app Warning FailedScheduling 0/2 nodes are available: persistentvolumeclaim \"data\" bound to non-existent persistentvolume \"static\". not found",
    ]);
    assert_eq!(play.phase(0), ClaimPhase::Lost);
}

#[test]
fn a_generic_ephemeral_volume_comes_and_goes_with_its_pod() {
    let mut parts = waiting();
    parts.claims[0].name = "app-vol".into();
    parts.pods = vec![pod("app", PodVolume::Ephemeral(0))];
    let mut play = Play::new(parts);
    play.user("user-creates-pod", 0);
    let waits = "scheduler-finds-no-node";
    let action = actions(&play.world, &play.cluster).into_iter().find(|a| a.name() == waits);
    play.act(action.expect("the scheduler waits"));
    play.settle().says(&[
        "Pod/app Warning FailedScheduling 0/2 nodes are available: waiting for ephemeral volume controller to create the persistentvolumeclaim \"app-vol\". not found",
    ]);
    assert!(play.runs(0));
    play.user("user-deletes-pod", 0).settle();
    assert_eq!(play.volume(0).presence, Presence::Gone);
}

#[test]
fn the_name_of_an_ephemeral_claim_may_be_taken() {
    let mut parts = immediate();
    parts.claims = vec![claim("app-vol", 0), claim("app-vol", 1)];
    parts.pods = vec![pod("app", PodVolume::Ephemeral(1))];
    let mut play = Play::new(parts);
    play.user("user-creates-claim", 0).settle().user("user-creates-pod", 0).settle().says(&[
        "Pod/app Warning FailedBinding ephemeral volume vol: PVC default/app-vol was not created for pod default/app (pod is not owner)",
        "Pod/app Warning FailedScheduling 0/2 nodes are available: PVC default/app-vol was not created for pod default/app (pod is not owner). not found",
    ]);
}

#[test]
fn a_static_volume_with_the_policy_delete_loses_its_disk() {
    let mut parts = immediate();
    parts.volumes = vec![by_hand("static")];
    parts.volumes[0].reclaim = Reclaim::Delete;
    parts.claims[0].class = None;
    assert_eq!(parts.volumes[0].origin, Origin::Static);
    let mut play = Play::new(parts);
    play.user("user-creates-volume", 0).settle().user("user-creates-claim", 0).settle();
    assert!(play.volume(0).finalizers.contains(Finalizer::Provisioner));
    play.user("user-deletes-claim", 0).settle();
    assert_eq!((play.volume(0).presence, play.volume(0).disk), (Presence::Gone, false));
}
