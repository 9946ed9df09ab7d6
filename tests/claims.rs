//! From a claim to a Bound volume and back to nothing: what each scenario says, to the letter, and where it ends.

mod claims_world;

use claims_world::{answer, by_hand, claim, node, once_pod, parts, pod, provisioned, world};
use mountpath::model::Change;
use mountpath::model::{
    AccessMode, Action, BindingMode, ClaimPhase, Cluster, Code, Fault, FaultKind, Finalizer, Method, Origin,
    Parts, PodVolume, Presence, Reclaim, Role, Runtime, Unmet, VolumePhase, World, actions, apply,
    candidates, obeys,
};

/// A run under way, with the Events so far.
struct Play {
    world: World,
    cluster: Cluster,
    events: Vec<String>,
    names: Vec<&'static str>,
    /// Of two things that may happen, the one whose actor stands further down happens first.
    backwards: bool,
}

impl Play {
    fn new(parts: Parts) -> Self {
        let world = world(parts);
        Self { cluster: world.initial(), world, events: Vec::new(), names: Vec::new(), backwards: false }
    }

    fn act(&mut self, action: Action) {
        let outcome = apply(&self.world, &self.cluster, action).unwrap_or_else(|error| panic!("{error}"));
        for change in outcome.changes {
            assert!(obeys(change), "{}: {change:?}", action.name());
            if let Change::Event { object, event, .. } = change {
                let (kind, reason, message) = event.text(&self.world);
                self.events.push(format!("{} {} {reason} {message}", self.world.object(object), kind.name()));
            }
        }
        self.names.push(action.name());
        self.cluster = outcome.cluster;
    }

    /// The user does what this name says, about the so-manyth thing for which it is possible.
    fn user(&mut self, name: &str, which: usize) -> &mut Self {
        let all: Vec<Action> = candidates(&self.world).filter(|a| a.name() == name).collect();
        let action = all.get(which).unwrap_or_else(|| panic!("no {name} {which}"));
        self.act(*action);
        self
    }

    /// Everything happens that does by itself, but what takes minutes or is a mishap.
    fn settle(&mut self) -> &mut Self {
        for _ in 0..500 {
            let mut enabled = actions(&self.world, &self.cluster);
            if self.backwards {
                enabled.reverse();
            }
            let by_itself = |a: &&Action| {
                a.role() != Role::User
                    && ![
                        "scheduler-times-out",
                        "attacher-repeats-controller-publish",
                        "provisioner-publishes-capacity",
                    ]
                    .contains(&a.name())
            };
            // What the world has in store goes wrong as soon as it can.
            let failing = enabled.iter().filter(by_itself).find(|a| a.name().ends_with("-failed"));
            let Some(action) = failing.or_else(|| enabled.iter().find(by_itself)) else { return self };
            self.act(*action);
        }
        panic!("it does not settle: {:?}", self.names.iter().rev().take(20).collect::<Vec<_>>());
    }

    fn said(&self, text: &str) -> bool {
        self.events.iter().any(|event| event == text)
    }

    fn says(&self, texts: &[&str]) -> &Self {
        for text in texts {
            assert!(self.said(text), "nobody said {text}, but {:#?}", self.events);
        }
        self
    }

    fn phase(&self, claim: usize) -> ClaimPhase {
        self.cluster.claim(self.world.claims().nth(claim).expect("a claim")).phase
    }

    fn volume(&self, volume: usize) -> mountpath::model::Volume {
        *self.cluster.volume(self.world.volumes().nth(volume).expect("a volume"))
    }

    fn runs(&self, pod: usize) -> bool {
        self.cluster.pod(self.world.pods().nth(pod).expect("a Pod")).runtime == Runtime::Running
    }

    fn unmet(&self, name: &str) -> Unmet {
        let action = candidates(&self.world).find(|a| a.name() == name).expect("a name");
        apply(&self.world, &self.cluster, action).expect_err("refused").unmet
    }
}

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
fn a_node_without_room_is_given_up_and_chosen_again() {
    let fault = answer(Method::CreateVolume, Code::ResourceExhausted, "no room", false, Some(1));
    let mut parts = Parts { faults: vec![fault], ..waiting() };
    parts.driver.topology = true;
    let mut play = Play::new(parts);
    play.backwards = true;
    play.user("user-creates-claim", 0).settle().user("user-creates-pod", 0).settle().says(&[
        "PersistentVolumeClaim/data Normal WaitForPodScheduled waiting for pod app to be scheduled",
        "Pod/app Warning FailedScheduling running PreBind plugin \"VolumeBinding\": binding volumes: provisioning failed for PVC \"data\"",
    ]);
    assert!(play.runs(0));
    assert!(play.volume(0).node.is_some());
}

#[test]
fn a_second_pod_of_a_once_pod_claim_waits() {
    let mut parts = once_pod(immediate());
    parts.pods = ["app", "app2"].map(|name| pod(name, PodVolume::Claim(0))).to_vec();
    parts.pods[1].selector = Some(vec![0]);
    let mut play = Play::new(parts);
    play.user("user-creates-claim", 0).settle().user("user-creates-pod", 0).settle();
    play.user("user-creates-pod", 1).settle().says(&[
        "Pod/app2 Warning FailedScheduling 0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 \
         node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another \
         pod. no new claims to deallocate, preemption: 0/2 nodes are available: 1 No preemption victims found for \
         incoming pod, 1 Preemption is not helpful for scheduling.",
    ]);
    play.user("user-deletes-pod", 0).settle();
    assert!(play.runs(1));
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
fn a_claim_that_comes_late_is_found() {
    let mut play = Play::new(immediate());
    play.user("user-creates-pod", 0).settle().says(&[
        "Pod/app Warning FailedScheduling 0/2 nodes are available: persistentvolumeclaim \"data\" not found. not found",
    ]);
    play.user("user-creates-claim", 0).settle().says(&[UNBOUND]);
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
fn a_pod_whose_volume_is_on_the_other_node_waits() {
    let mut parts = immediate();
    parts.volumes[0].affinity = Some(vec![0]);
    parts.pods[0].selector = Some(vec![1]);
    let mut play = Play::new(parts);
    play.user("user-creates-claim", 0).settle().user("user-creates-pod", 0).settle().says(&[
        "Pod/app Warning FailedScheduling 0/2 nodes are available: 1 node(s) didn't match PersistentVolume's node \
         affinity, 1 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/2 \
         nodes are available: 2 Preemption is not helpful for scheduling.",
    ]);
}

#[test]
fn a_class_may_admit_no_node_that_the_pod_does() {
    let mut parts = waiting();
    parts.classes[0].topology = Some(vec![0]);
    parts.pods[0].selector = Some(vec![1]);
    let mut play = Play::new(parts);
    play.user("user-creates-claim", 0).settle().user("user-creates-pod", 0).settle().says(&[
        "Pod/app Warning FailedScheduling 0/2 nodes are available: 1 node(s) didn't find available persistent volumes to \
         bind, 1 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/2 nodes \
         are available: 2 Preemption is not helpful for scheduling.",
    ]);
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
fn the_scheduler_takes_a_volume_made_by_hand_for_a_claim_that_waits() {
    let mut parts = waiting();
    parts.classes[0].provisioner = "kubernetes.io/no-provisioner".into();
    parts.volumes = vec![by_hand("local")];
    parts.volumes[0].class = Some(0);
    parts.volumes[0].affinity = Some(vec![1]);
    let mut play = Play::new(parts);
    play.user("user-creates-claim", 0).user("user-creates-volume", 0).settle();
    assert_eq!(play.phase(0), ClaimPhase::Pending);
    play.user("user-creates-pod", 0).settle();
    assert!(play.runs(0));
    assert_eq!(play.cluster.pod(play.world.pods().next().expect("a Pod")).node, play.world.nodes().nth(1));
}

#[test]
fn the_scheduler_asks_for_room() {
    let mut parts = waiting();
    parts.driver.storage_capacity = true;
    parts.driver.topology = true;
    parts.claims = vec![claim("data", 0), claim("small", 1), claim("small2", 2)];
    parts.claims[0].request = 5;
    parts.claims[2].request = 2;
    parts.volumes = (0..3).map(|number| provisioned(number, Reclaim::Delete)).collect();
    parts.volumes.iter_mut().for_each(|volume| volume.capacity = 0);
    parts.pods =
        ["app", "app2", "app3"].iter().zip(0..).map(|(name, n)| pod(name, PodVolume::Claim(n))).collect();
    parts.nodes = ["node-1", "node-2"].map(node).to_vec();
    parts.nodes[0].pool = Some(2);
    parts.nodes[1].unregistered = true;
    let full = |pod: &str| {
        format!(
            "Pod/{pod} Warning FailedScheduling 0/2 nodes are available: 2 node(s) did not have enough free storage. no \
             new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."
        )
    };
    let mut play = Play::new(parts);
    let publish = |play: &mut Play| {
        let action = actions(&play.world, &play.cluster)
            .into_iter()
            .find(|a| a.name() == "provisioner-publishes-capacity")
            .expect("a change");
        play.act(action);
    };
    publish(&mut play);
    play.user("user-creates-claim", 0).settle().user("user-creates-pod", 0).settle().says(&[&full("app")]);
    play.user("user-creates-claim", 1).settle().user("user-creates-pod", 1).settle();
    assert!(play.runs(1));
    publish(&mut play);
    play.user("user-creates-claim", 2).settle().user("user-creates-pod", 2).settle().says(&[&full("app3")]);
}

#[test]
fn a_node_takes_no_more_volumes_than_it_may() {
    let mut parts = immediate();
    parts.claims = (0..3).map(|number| claim(&format!("data{number}"), number)).collect();
    parts.volumes = (0..3).map(|number| provisioned(number, Reclaim::Delete)).collect();
    parts.pods = (0..3).map(|number| pod(&format!("app{number}"), PodVolume::Claim(number))).collect();
    parts.pods.iter_mut().for_each(|pod| pod.selector = Some(vec![0]));
    parts.nodes[0].limit = Some(2);
    let mut play = Play::new(parts);
    for number in 0..3 {
        play.user("user-creates-claim", number).settle().user("user-creates-pod", number).settle();
    }
    play.says(&[
        "Pod/app2 Warning FailedScheduling 0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 \
         node(s) exceed max volume count. no new claims to deallocate, preemption: 0/2 nodes are available: 1 No \
         preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.",
    ]);
    play.user("user-deletes-pod", 0).settle();
    assert!(play.runs(2));
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
