//! What keeps a Pod from a Node for its volumes' sake: what the scheduler says, to the letter, and what ends it.

mod claims_world;

use claims_world::play::Play;
use claims_world::{answer, by_hand, claim, node, once_pod, parts, pod, provisioned};
use mountpath::model::{BindingMode, ClaimPhase, Code, Method, Parts, PodVolume, Reclaim, actions};

const UNBOUND: &str = "Pod/app Warning FailedScheduling 0/2 nodes are available: pod has unbound immediate \
                       PersistentVolumeClaims. not found";

fn immediate() -> Parts {
    parts(BindingMode::Immediate, Reclaim::Delete)
}

fn waiting() -> Parts {
    parts(BindingMode::WaitForFirstConsumer, Reclaim::Delete)
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
fn a_claim_that_comes_late_is_found() {
    let mut play = Play::new(immediate());
    play.user("user-creates-pod", 0).settle().says(&[
        "Pod/app Warning FailedScheduling 0/2 nodes are available: persistentvolumeclaim \"data\" not found. not found",
    ]);
    play.user("user-creates-claim", 0).settle().says(&[UNBOUND]);
    assert!(play.runs(0));
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
fn a_pod_does_not_go_to_a_node_that_is_gone_or_tainted() {
    let mut play = Play::new(immediate());
    play.user("user-creates-claim", 0).settle();
    let nodes: Vec<_> = play.world.nodes().collect();
    play.cluster.node_mut(nodes[0]).gone = true;
    play.cluster.node_mut(nodes[1]).no_execute = true;
    play.user("user-creates-pod", 0).settle().says(&[
        "Pod/app Warning FailedScheduling 0/1 nodes are available: 1 node(s) had untolerated taint(s). no new claims to \
         deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
    ]);
    play.cluster.node_mut(nodes[1]).no_execute = false;
    play.settle();
    assert_eq!(play.cluster.pod(play.world.pods().next().expect("a Pod")).node, Some(nodes[1]));
}
