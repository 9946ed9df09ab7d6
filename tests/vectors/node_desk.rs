//! One Node, its kubelet and a driver, as a vector describes them, and a run of their rules that keeps count.

use mountpath::model::{
    AccessMode, Action, Attachment, Boot, Change, Cluster, Code, Driver, Failure, Fault, FaultId, FaultKind,
    KubeletOperation, Link, Method, MountState, NodeId, NodeSpec, Parts, PodId, PodSpec, Presence, Reply,
    Runtime, VolumeMode, World, apply, candidates, driver, kubelet,
};
use serde_json::Value;
use std::collections::VecDeque;

/// What happened at the desk: the calls with their outcomes, in order, and the Events.
pub struct Desk {
    pub world: World,
    pub cluster: Cluster,
    pub calls: Vec<(String, String)>,
    pub events: Vec<(&'static str, String)>,
    /// How the calls to come of a method end: by a fault, or well.
    outcomes: Vec<(Method, VecDeque<Option<FaultId>>)>,
    labels: Vec<String>,
    block: bool,
    held: bool,
}

/// The method that a vector's name means, of CSI or of the in-tree plugin.
fn method(name: &str) -> Option<Method> {
    match name.trim_start_matches("plugin.") {
        "NodeStageVolume" | "MountDevice" | "SetUpDevice" => Some(Method::NodeStageVolume),
        "NodePublishVolume" | "SetUp" | "MapPodDevice" => Some(Method::NodePublishVolume),
        "NodeUnpublishVolume" | "TearDown" | "UnmapPodDevice" => Some(Method::NodeUnpublishVolume),
        "NodeUnstageVolume" | "UnmountDevice" | "TearDownDevice" => Some(Method::NodeUnstageVolume),
        _ => None,
    }
}

/// The code of an outcome; `None` when it is none.
fn code(outcome: &str) -> Option<Code> {
    match outcome {
        "OK" => None,
        "TIMEOUT" => Some(Code::DeadlineExceeded),
        "FINAL_ERROR" => Some(Code::Internal),
        name => Some(Code::named(name).unwrap_or_else(|| panic!("the outcome {name}"))),
    }
}

pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn has(list: &Value, wanted: &str) -> bool {
    list.as_array().is_some_and(|list| list.iter().any(|item| item == wanted))
}

impl Desk {
    /// Volumes of these names, each with a Pod of its own on the one Node, all of them listed as attached.
    pub fn new(given: &Value, volumes: &[&str]) -> Self {
        let caps = &given["driver"]["node_caps"];
        let mut faults = Vec::new();
        let mut labels = Vec::new();
        let mut stored: Vec<(Method, Vec<Option<usize>>)> = Vec::new();
        for fault in given["faults"].as_array().into_iter().flatten() {
            let of = method(text(&fault["rpc"])).expect("a method");
            let one = [fault["outcome"].clone()];
            let sequence = fault["sequence"].as_array().map_or(&one[..], Vec::as_slice);
            let mut queue = Vec::new();
            for outcome in sequence.iter().map(text) {
                let (label, message) = outcome.split_once(':').unwrap_or((outcome, ""));
                queue.push(code(label).map(|code| {
                    let message = message.into();
                    let kind = FaultKind::Answer { method: of, node: None, code, message, did: false };
                    faults.push(Fault { kind, times: Some(1) });
                    labels.push(label.to_owned());
                    faults.len() - 1
                }));
            }
            stored.push((of, queue));
        }
        let block = given["volumeMode"] == "Block";
        let driver = Driver {
            name: given["driver"]["name"].as_str().unwrap_or("test-driver").into(),
            attach_required: given["driver"]["attachRequired"] != false,
            node_stage: has(caps, "STAGE_UNSTAGE_VOLUME"),
            updates_allocatable: !given["csidriver"]["nodeAllocatableUpdatePeriodSeconds"].is_null(),
            // What is mounted already is mounted again only for such a driver.
            requires_republish: stored.iter().any(|(_, queue)| queue.len() > 1),
            ..Driver::default()
        };
        let mut parts = Parts {
            namespace: "default".into(),
            driver,
            nodes: vec![NodeSpec {
                name: "node1".into(),
                driver_id: "node1".into(),
                unregistered: given["driver"]["registered"] == false,
                ..NodeSpec::default()
            }],
            faults,
            ..Parts::default()
        };
        for (number, name) in volumes.iter().enumerate() {
            parts = parts.bound_claim(&format!("claim-{name}"), name, name, AccessMode::ReadWriteOnce);
            parts.pods.push(PodSpec {
                name: format!("pod{}", number + 1),
                uid: format!("uid{}", number + 1),
                source: mountpath::model::PodVolume::Claim(number),
                node: Some(0),
                ..PodSpec::default()
            });
        }
        for volume in &mut parts.volumes {
            volume.mode = if block { VolumeMode::Block } else { VolumeMode::Filesystem };
        }
        let world = World::new(parts).expect("a world");
        let ids: Vec<FaultId> = world.faults().map(|(id, _)| id).collect();
        let queue = |queue: Vec<Option<usize>>| queue.into_iter().map(|f| f.map(|f| ids[f])).collect();
        let outcomes = stored.into_iter().map(|(method, stored)| (method, queue(stored))).collect();
        let mut cluster = world.initial();
        for link in world.links() {
            let place = cluster.place_mut(link);
            place.attachment = Attachment {
                exists: true,
                finalizer: true,
                node_id: true,
                attached: true,
                ..Attachment::default()
            };
            place.real.published = true;
            place.real.device = true;
            place.listed = match &given["node_status_volumesAttached"] {
                Value::Array(_) => {
                    has(&given["node_status_volumesAttached"], &world.volume(link.volume).handle)
                }
                listed => *listed != false,
            };
        }
        Self { world, cluster, calls: Vec::new(), events: Vec::new(), outcomes, labels, block, held: false }
    }

    pub fn node(&self) -> NodeId {
        self.world.nodes().next().expect("a Node")
    }

    pub fn pod(&self) -> PodId {
        self.world.pods().next().expect("a Pod")
    }

    pub fn link(&self) -> Link {
        self.world.links().next().expect("a volume on a Node")
    }

    pub fn kubelet(&mut self) -> &mut kubelet::Kubelet {
        let link = self.link();
        &mut self.cluster.place_mut(link).kubelet
    }

    /// The Pod is there, bound to the Node.
    pub fn create_pod(&mut self) {
        let (pod, node) = (self.pod(), self.node());
        let pod = self.cluster.pod_mut(pod);
        *pod = mountpath::model::Pod { presence: Presence::Here, node: Some(node), ..Default::default() };
    }

    /// The Pod is gone, and its containers have ended.
    pub fn remove_pod(&mut self) {
        let pod = self.pod();
        self.cluster.pod_mut(pod).presence = Presence::Gone;
        self.cluster.pod_mut(pod).runtime = Runtime::Ended;
        self.act_kubelet(kubelet::Act::DropsPod(pod));
    }

    /// kubelet wants the volume for the Pod, and has said that it uses it or has not.
    pub fn want(&mut self, reported: bool) {
        let pod = self.pod();
        self.kubelet().wanted.insert(pod);
        self.kubelet().reported_in_use = reported;
        let link = self.link();
        self.cluster.place_mut(link).in_use = reported;
    }

    /// The volume is staged and published, or one of the two.
    pub fn mounted(&mut self, device: bool, published: bool) {
        let (pod, link) = (self.pod(), self.link());
        let place = self.cluster.place_mut(link);
        place.kubelet.attached = true;
        if device {
            place.kubelet.device = MountState::Mounted;
            place.kubelet.files.device = true;
            place.real.staged = true;
        }
        if published {
            place.kubelet.mounted.insert(pod);
            place.kubelet.files.pods.insert(pod);
            place.real.targets.insert(pod);
        }
    }

    /// kubelet starts anew on a Node on whose disk these volumes are published, each to its Pod.
    pub fn restarted(&mut self) {
        let node = self.node();
        self.cluster.node_mut(node).agent.boot = Boot::Started;
        for (volume, pod) in self.world.volumes().zip(self.world.pods()) {
            let place = self.cluster.place_mut(Link { volume, node });
            place.kubelet.files.device = true;
            place.kubelet.files.pods.insert(pod);
            place.real.staged = true;
            place.real.targets.insert(pod);
            self.cluster.pod_mut(pod).node = Some(node);
            self.cluster.pod_mut(pod).presence = Presence::Gone;
        }
    }

    /// Lets an action happen, if it can.
    pub fn act(&mut self, action: Action) -> bool {
        let Ok(outcome) = apply(&self.world, &self.cluster, action) else { return false };
        if action.name() == "kubelet-reads-attachment" {
            self.calls.push(("plugin.WaitForAttach".into(), "OK".into()));
        }
        self.cluster = outcome.cluster;
        for change in outcome.changes {
            match change {
                Change::Call { method, about, reply: Some(reply), .. } => {
                    let outcome = match reply {
                        Reply::Ok => "OK".into(),
                        Reply::Failed(Failure::Fault(id)) => self.label(id),
                        Reply::Failed(failure) => failure.text(&self.world, method, about),
                    };
                    self.calls.push((method.name().into(), outcome));
                }
                Change::Event { event, .. } => {
                    let (_, reason, message) = event.text(&self.world);
                    self.events.push((reason, message));
                }
                _ => {}
            }
        }
        true
    }

    fn label(&self, id: FaultId) -> String {
        let at = self.world.faults().position(|(other, _)| other == id).expect("a fault");
        self.labels[at].clone()
    }

    pub fn act_kubelet(&mut self, act: kubelet::Act) -> bool {
        self.act(Action::Kubelet(act))
    }

    /// Whether calls of this method, or of any, have an outcome in store.
    fn has_more(&self, of: Option<Method>) -> bool {
        self.outcomes.iter().any(|(method, queue)| of.is_none_or(|of| *method == of) && !queue.is_empty())
    }

    /// kubelet's node status does not come: what it has not reported in use stays so.
    pub fn hold_back(&mut self, held: bool) {
        self.held = held;
    }

    /// The reply to the call under way, as the vector has it in store; else the driver does its work.
    fn answers(&mut self) -> Option<Action> {
        let link = self.link();
        let (of, failed): (Method, fn(Link, Failure) -> kubelet::Act) = match self.kubelet().operation {
            KubeletOperation::StageCalled(_) => (Method::NodeStageVolume, kubelet::Act::ReceivesStageFailed),
            KubeletOperation::PublishCalled(_) => {
                (Method::NodePublishVolume, kubelet::Act::ReceivesPublishFailed)
            }
            _ => return None,
        };
        let queue = self.outcomes.iter_mut().find(|(method, _)| *method == of).map(|(_, queue)| queue)?;
        let fault = queue.pop_front()??;
        Some(Action::Kubelet(failed(link, Failure::Fault(fault))))
    }

    /// Whether a rule has a part in a plain run: no failure, and nothing repeated without a cause.
    fn is_plain(&self, action: Action) -> bool {
        match action {
            Action::Kubelet(act) => match act {
                kubelet::Act::CallsPublishAgain(_) => self.has_more(Some(Method::NodePublishVolume)),
                kubelet::Act::ReportsInUse(_) => !self.held,
                kubelet::Act::ReportsUnprocessed(..) | kubelet::Act::FailsMount(..) => false,
                _ => true,
            },
            Action::Driver(act) => {
                !matches!(act, driver::Act::AttachesVolume(_) | driver::Act::DetachesVolume(_))
            }
            _ => false,
        }
    }

    /// Lets kubelet and the driver act until nothing is left to do, or until the outcomes in store are used up.
    pub fn run(&mut self, until_used_up: bool) {
        let all: Vec<Action> = candidates(&self.world)
            .filter(|action| matches!(action, Action::Kubelet(_) | Action::Driver(_)))
            .collect();
        for _ in 0..200 {
            if let Some(answer) = self.answers() {
                assert!(self.act(answer), "{answer:?}");
                if until_used_up && !self.has_more(None) {
                    return;
                }
                continue;
            }
            if all.iter().any(|action| self.is_plain(*action) && self.act(*action)) {
                continue;
            }
            // The in-tree plugin of upstream's tests stages again what is staged.
            if self.has_more(Some(Method::NodeStageVolume))
                && self.kubelet().operation == KubeletOperation::None
            {
                let pod = self.pod();
                self.kubelet().operation = KubeletOperation::StageCalled(pod);
                continue;
            }
            return;
        }
        panic!("the run does not end");
    }

    /// The calls by the names that the expected ones have.
    pub fn calls_named(&self, plugin: bool) -> Vec<(String, String)> {
        let name = |call: &str| match (method(call), plugin, self.block) {
            (Some(Method::NodeStageVolume), true, false) => "plugin.MountDevice".into(),
            (Some(Method::NodePublishVolume), true, false) => "plugin.SetUp".into(),
            (Some(Method::NodeUnpublishVolume), true, false) => "plugin.TearDown".into(),
            (Some(Method::NodeUnstageVolume), true, false) => "plugin.UnmountDevice".into(),
            (Some(Method::NodeStageVolume), true, true) => "plugin.SetUpDevice".into(),
            (Some(Method::NodePublishVolume), true, true) => "plugin.MapPodDevice".into(),
            (Some(Method::NodeUnpublishVolume), true, true) => "plugin.UnmapPodDevice".into(),
            (Some(Method::NodeUnstageVolume), true, true) => "plugin.TearDownDevice".into(),
            _ => call.to_owned(),
        };
        self.calls.iter().map(|(call, outcome)| (name(call), outcome.clone())).collect()
    }
}
