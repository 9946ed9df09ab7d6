//! A Node in trouble: what kubelet says, what it does next, and when.

use mountpath::model::kubelet::{self, MountError, Unprocessed};
use mountpath::model::{
    AccessMode, Action, Attachment, Change, Cluster, Code, Driver, Fault, FaultKind, Link, Method,
    MountState, NodeId, NodeSpec, Origin, Parts, Pod, PodId, PodSpec, PodVolume, Presence, Role, VolumeMode,
    VolumeSpec, World, actions, apply,
};

fn pod(name: &str, source: PodVolume) -> PodSpec {
    PodSpec {
        name: name.into(),
        uid: format!("uid-of-{name}"),
        container: "c".into(),
        image: "busybox".into(),
        source,
        node: Some(0),
        volume_name: "vol".into(),
        ..PodSpec::default()
    }
}

/// A Node with Pods that share one bound claim.
fn parts(pods: &[&str]) -> Parts {
    let node = NodeSpec { name: "node-1".into(), driver_id: "i-1".into(), ..NodeSpec::default() };
    let parts = Parts {
        namespace: "default".into(),
        nodes: vec![node],
        pods: pods.iter().map(|name| pod(name, PodVolume::Claim(0))).collect(),
        ..Parts::default()
    };
    parts.bound_claim("data", "pvc-1", "vol-1", AccessMode::ReadWriteOnce)
}

struct Desk {
    world: World,
    cluster: Cluster,
    /// Reasons and messages of Events, codes of replies, in order.
    said: Vec<String>,
}

impl Desk {
    /// The volume is attached, and the Pods are bound.
    fn new(parts: Parts) -> Self {
        let world = World::new(parts).expect("a world");
        let mut cluster = world.initial();
        for link in world.links() {
            let place = cluster.place_mut(link);
            let attachment =
                Attachment { exists: true, finalizer: true, node_id: true, ..Attachment::default() };
            place.attachment = Attachment { attached: true, ..attachment };
            place.listed = true;
            place.real.published = true;
            place.real.device = true;
        }
        let node = world.nodes().next();
        for id in world.pods() {
            *cluster.pod_mut(id) = Pod { presence: Presence::Here, node, ..Pod::default() };
        }
        Self { world, cluster, said: Vec::new() }
    }

    fn node(&self) -> NodeId {
        self.world.nodes().next().expect("a Node")
    }

    fn link(&self) -> Link {
        self.world.links().next().expect("a volume on a Node")
    }

    fn pod(&self, name: &str) -> PodId {
        self.world.pod_named(name).expect("a Pod")
    }

    fn act(&mut self, action: Action) {
        let outcome = apply(&self.world, &self.cluster, action).unwrap_or_else(|refusal| panic!("{refusal}"));
        self.cluster = outcome.cluster;
        for change in outcome.changes {
            match change {
                Change::Event { event, .. } => {
                    let (_, reason, message) = event.text(&self.world);
                    self.said.push(format!("{reason}: {message}"));
                }
                Change::Call { method, reply: None, .. } => self.said.push(method.name().into()),
                _ => {}
            }
        }
    }

    /// Lets the first enabled action of each of these names happen, in order.
    fn play(&mut self, names: &[&str]) {
        for name in names {
            let found = actions(&self.world, &self.cluster).into_iter().find(|a| a.name() == *name);
            self.act(found.unwrap_or_else(|| panic!("{name} is not enabled")));
        }
    }

    fn can(&self, name: &str) -> bool {
        actions(&self.world, &self.cluster).iter().any(|action| action.name() == name)
    }

    fn fail_mount(&mut self, pod: &str, error: MountError) -> &str {
        let pod = self.pod(pod);
        self.act(Action::Kubelet(kubelet::Act::FailsMount(pod, error)));
        self.said.last().expect("an Event")
    }
}

const TO_ATTACHED: [&str; 3] =
    ["kubelet-wants-volume", "kubelet-reports-in-use", "kubelet-verifies-attached"];
const TO_STAGED: [&str; 4] = [
    "kubelet-reads-attachment",
    "kubelet-calls-node-stage",
    "driver-stages-volume",
    "kubelet-receives-stage-ok",
];
const TO_PUBLISHED: [&str; 3] =
    ["kubelet-calls-node-publish", "driver-publishes-volume", "kubelet-receives-publish-ok"];

#[test]
fn what_stands_in_a_mounts_way_is_an_event() {
    let mut desk = Desk::new(parts(&["app"]));
    desk.play(&TO_ATTACHED);
    let link = desk.link();
    desk.cluster.place_mut(link).attachment.attached = false;
    let va = desk.world.object(mountpath::model::ObjectId::Attachment(link)).name;
    assert_eq!(
        desk.fail_mount("app", MountError::AttachmentNotAttached),
        format!(
            "FailedMount: MountVolume.WaitForAttach failed for volume \"pvc-1\" : volume vol-1 is not attached for \
             volume attachment {va}"
        )
    );
    desk.cluster.place_mut(link).attachment.deleting = true;
    assert_eq!(
        desk.fail_mount("app", MountError::AttachmentDeleting),
        "FailedMount: MountVolume.WaitForAttach failed for volume \"pvc-1\" : volume attachment is being deleted"
    );
    desk.cluster.place_mut(link).attachment.exists = false;
    assert_eq!(
        desk.fail_mount("app", MountError::AttachmentMissing),
        format!(
            "FailedMount: MountVolume.WaitForAttach failed for volume \"pvc-1\" : volume vol-1 has GET error for \
             volume attachment {va}: volumeattachments.storage.k8s.io \"{va}\" is forbidden: User \
             \"system:node:node-1\" cannot get resource \"volumeattachments\" in API group \"storage.k8s.io\" at the \
             cluster scope: no relationship found between node 'node-1' and this object"
        )
    );
}

#[test]
fn a_driver_that_is_not_registered_is_missed_at_the_device_or_at_the_pod() {
    let gone = "driver name disk.csi.example.com not found in the list of registered CSI drivers";
    for (mode, device, said) in [
        (
            VolumeMode::Filesystem,
            MountState::NotMounted,
            "FailedMount: MountVolume.MountDevice failed for volume \"pvc-1\" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: ",
        ),
        (
            VolumeMode::Filesystem,
            MountState::Mounted,
            "FailedMount: MountVolume.SetUp failed for volume \"pvc-1\" : kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: ",
        ),
        (
            VolumeMode::Block,
            MountState::NotMounted,
            "FailedMapVolume: MapVolume.SetUpDevice failed for volume \"pvc-1\" : kubernetes.io/csi: blockMapper.SetUpDevice failed to get CSI client: ",
        ),
        (
            VolumeMode::Block,
            MountState::Mounted,
            "FailedMapVolume: MapVolume.MapPodDevice failed for volume \"pvc-1\" : kubernetes.io/csi: blockMapper.MapPodDevice failed to get CSI client: ",
        ),
    ] {
        let mut parts = parts(&["app"]);
        parts.volumes[0].mode = mode;
        let mut desk = Desk::new(parts);
        desk.play(&TO_ATTACHED);
        desk.play(&["kubelet-reads-attachment"]);
        let (link, node) = (desk.link(), desk.node());
        desk.cluster.place_mut(link).kubelet.device = device;
        desk.cluster.node_mut(node).agent.registered = false;
        assert_eq!(desk.fail_mount("app", MountError::NotRegistered), format!("{said}{gone}"));
        // The state stays as it is, and the next attempt begins anew.
        assert_eq!(desk.cluster.place(link).kubelet.device, device);
        assert!(desk.can("kubelet-reads-attachment"));
    }
}

#[test]
fn a_read_write_once_pod_volume_is_for_one_pod() {
    let mut parts = parts(&["app1", "app3"]);
    parts.volumes[0].access_mode = AccessMode::ReadWriteOncePod;
    let mut desk = Desk::new(parts);
    desk.play(&TO_ATTACHED);
    desk.play(&TO_STAGED);
    desk.play(&TO_PUBLISHED);
    desk.play(&["kubelet-wants-volume"]);
    assert!(!desk.can("kubelet-reads-attachment"));
    assert_eq!(
        desk.fail_mount("app3", MountError::AnotherPod),
        "FailedMount: MountVolume.SetUp failed for volume \"pvc-1\" : volume uses the ReadWriteOncePod access mode and \
         is already in use by another pod"
    );
}

#[test]
fn a_second_pod_of_a_node_shares_the_stage() {
    let mut desk = Desk::new(parts(&["app1", "app2"]));
    desk.play(&TO_ATTACHED);
    desk.play(&TO_STAGED);
    desk.play(&TO_PUBLISHED);
    desk.play(&["kubelet-wants-volume", "kubelet-reads-attachment"]);
    assert!(!desk.can("kubelet-calls-node-stage"));
    desk.play(&TO_PUBLISHED);
    let link = desk.link();
    let first = desk.pod("app1");
    desk.cluster.pod_mut(first).presence = Presence::Gone;
    desk.play(&[
        "kubelet-drops-pod",
        "kubelet-calls-node-unpublish",
        "driver-unpublishes-volume",
        "kubelet-receives-unpublish-ok",
    ]);
    assert!(!desk.can("kubelet-calls-node-unstage"));
    assert!(desk.cluster.place(link).real.staged);
}

#[test]
fn a_node_that_the_volume_does_not_admit_is_told_off() {
    let mut parts = parts(&["app"]);
    parts.volumes[0].affinity = Some(Vec::new());
    parts.volumes[0].mode = VolumeMode::Block;
    let mut desk = Desk::new(parts);
    desk.play(&TO_ATTACHED);
    assert_eq!(
        desk.fail_mount("app", MountError::NodeAffinity),
        "FailedMount: MapVolume.NodeAffinity check failed for volume \"pvc-1\" : no matching NodeSelectorTerms"
    );
}

/// A Pod with an inline volume, and nothing else.
fn inline(driver: Driver) -> Desk {
    let mut parts = parts(&[]);
    parts.driver = driver;
    parts.claims.clear();
    parts.pods.push(pod("app", PodVolume::Inline(0)));
    parts.volumes = vec![VolumeSpec {
        pv: "vol".into(),
        handle: "csi-of-app".into(),
        origin: Origin::Inline(0),
        ..VolumeSpec::default()
    }];
    Desk::new(parts)
}

#[test]
fn an_inline_volume_is_published_and_nothing_else() {
    let mut desk = inline(Driver { ephemeral: true, ..Driver::default() });
    desk.play(&["kubelet-wants-volume", "kubelet-marks-attached-at-once"]);
    assert!(!desk.can("kubelet-calls-node-stage"));
    desk.play(&TO_PUBLISHED);
    let pod = desk.pod("app");
    desk.cluster.pod_mut(pod).presence = Presence::Gone;
    desk.play(&[
        "kubelet-drops-pod",
        "kubelet-calls-node-unpublish",
        "driver-unpublishes-volume",
        "kubelet-receives-unpublish-ok",
        "kubelet-forgets-volume",
    ]);
    assert_eq!(desk.said, ["NodePublishVolume", "NodeUnpublishVolume"]);
}

#[test]
fn an_inline_volume_takes_a_csi_driver_that_admits_it() {
    for (object, why) in [(true, "only supports [\"Persistent\"]"), (false, "no CSIDriver object")] {
        let mut desk = inline(Driver { object, ..Driver::default() });
        desk.play(&["kubelet-wants-volume", "kubelet-marks-attached-at-once"]);
        let said = format!(
            "FailedMount: MountVolume.SetUp failed for volume \"vol\" : kubernetes.io/csi: mounter.SetupAt failed to \
             check volume lifecycle mode: volume mode \"Ephemeral\" not supported by driver disk.csi.example.com ({why})"
        );
        assert_eq!(desk.fail_mount("app", MountError::NotEphemeral), said);
    }
}

/// What is done to a desk before the populator looks.
type Prepare = fn(&mut Desk);

#[test]
fn what_the_populator_leaves_out_is_an_event() {
    let claim = "FailedMount: Unable to attach or mount volumes: unmounted volumes=[vol], unattached volumes=[], failed \
                 to process volumes=[vol]: error processing PVC default/data: ";
    let table: [(Unprocessed, Prepare, &str); 4] = [
        (
            Unprocessed::ClaimForbidden,
            |_| {},
            "failed to fetch PVC from API server: persistentvolumeclaims \"data\" is forbidden: User \
             \"system:node:node-1\" cannot get resource \"persistentvolumeclaims\" in API group \"\" in the namespace \
             \"default\": no relationship found between node 'node-1' and this object",
        ),
        (
            Unprocessed::ClaimMissing,
            |desk| {
                let claim = desk.world.claims().next().expect("a claim");
                desk.cluster.claim_mut(claim).presence = Presence::Gone;
            },
            "failed to fetch PVC from API server: persistentvolumeclaims \"data\" not found",
        ),
        (
            Unprocessed::ClaimNotBound,
            |desk| {
                let claim = desk.world.claims().next().expect("a claim");
                desk.cluster.claim_mut(claim).phase = mountpath::model::ClaimPhase::Pending;
            },
            "PVC is not bound",
        ),
        (
            Unprocessed::VolumeUnclaimed,
            |desk| {
                let volume = desk.world.volumes().next().expect("a volume");
                desk.cluster.volume_mut(volume).claim = None;
            },
            "found PV object pvc-1 but it has a nil pv.Spec.ClaimRef indicating it is not yet bound to the claim",
        ),
    ];
    for (error, prepare, why) in table {
        let mut desk = Desk::new(parts(&["app"]));
        prepare(&mut desk);
        let pod = desk.pod("app");
        desk.act(Action::Kubelet(kubelet::Act::ReportsUnprocessed(pod, error)));
        assert_eq!(desk.said, [format!("{claim}{why}")]);
    }
}

#[test]
fn a_raw_device_is_mapped_and_told() {
    let mut parts = parts(&["app"]);
    parts.volumes[0].mode = VolumeMode::Block;
    let mut desk = Desk::new(parts);
    desk.play(&TO_ATTACHED);
    desk.play(&TO_STAGED);
    desk.play(&TO_PUBLISHED);
    let csi = "/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices";
    let told = [
        "NodeStageVolume".to_owned(),
        "NodePublishVolume".into(),
        format!(
            "SuccessfulMountVolume: MapVolume.MapPodDevice succeeded for volume \"pvc-1\" globalMapPath \
             \"{csi}/pvc-1/dev\""
        ),
        "SuccessfulMountVolume: MapVolume.MapPodDevice succeeded for volume \"pvc-1\" volumeMapPath \
         \"/var/lib/kubelet/pods/uid-of-app/volumeDevices/kubernetes.io~csi\""
            .into(),
    ];
    assert_eq!(desk.said, told);
}

#[test]
fn a_driver_that_wants_it_is_called_again() {
    let mut parts = parts(&["app"]);
    parts.driver.requires_republish = true;
    let kind = FaultKind::Answer {
        method: Method::NodePublishVolume,
        node: None,
        code: Code::Internal,
        message: "no token".into(),
        did: false,
    };
    parts.faults.push(Fault { kind, times: Some(1) });
    let mut desk = Desk::new(parts);
    desk.play(&TO_ATTACHED);
    desk.play(&TO_STAGED);
    desk.play(&TO_PUBLISHED);
    desk.play(&["kubelet-calls-node-publish-again", "kubelet-receives-publish-failed"]);
    let (link, pod) = (desk.link(), desk.pod("app"));
    assert_eq!(
        desk.cluster.place(link).kubelet.mount(pod),
        MountState::Mounted,
        "a mount is not lost by a repetition"
    );
    desk.play(&[
        "kubelet-calls-node-publish-again",
        "driver-publishes-volume",
        "kubelet-receives-publish-ok",
    ]);
}

#[test]
fn a_driver_comes_to_a_node_and_leaves_it() {
    let mut parts = parts(&["app"]);
    parts.nodes[0].unregistered = true;
    let node = World::new(parts.clone()).expect("a world").nodes().next();
    let kind = FaultKind::Down { role: Role::NodeDriverRegistrar, node };
    parts.faults.push(Fault { kind, times: Some(1) });
    let mut desk = Desk::new(parts);
    let node = desk.node();
    assert!(!desk.can("registrar-offers-socket"));
    desk.play(&[
        "process-starts",
        "registrar-offers-socket",
        "kubelet-registers-driver",
        "driver-tells-info",
        "kubelet-receives-info-ok",
    ]);
    assert!(desk.cluster.node(node).driver && desk.cluster.node(node).agent.registered);
    desk.play(&["process-stops", "kubelet-drops-driver"]);
    assert!(!desk.cluster.node(node).driver && !desk.cluster.node(node).agent.registered);
}

#[test]
fn a_namespace_that_is_deleted_takes_pods_first_and_no_events() {
    let mut parts = parts(&["app"]);
    parts.faults.push(Fault { kind: FaultKind::NamespaceDeleted, times: Some(1) });
    let mut desk = Desk::new(parts);
    desk.play(&["kubelet-admits-pod"]);
    desk.play(&TO_ATTACHED);
    desk.play(&TO_STAGED);
    desk.play(&TO_PUBLISHED);
    desk.play(&["kubelet-starts-containers"]);
    desk.said.clear();
    desk.play(&["user-deletes-namespace", "namespace-controller-deletes-pod", "kubelet-stops-containers"]);
    assert!(desk.said.is_empty(), "{:?}", desk.said);
    assert!(!desk.can("namespace-controller-deletes-claim"));
    desk.play(&[
        "kubelet-reports-containers-ended",
        "kubelet-drops-pod",
        "kubelet-calls-node-unpublish",
        "driver-unpublishes-volume",
        "kubelet-receives-unpublish-ok",
        "kubelet-removes-pod",
        "namespace-controller-deletes-claim",
    ]);
}

#[test]
fn a_pod_that_completes_lets_go_of_its_volume_and_stays() {
    let mut parts = parts(&["app"]);
    parts.pods[0].completes = true;
    let mut desk = Desk::new(parts);
    desk.play(&["kubelet-admits-pod"]);
    desk.play(&TO_ATTACHED);
    desk.play(&TO_STAGED);
    desk.play(&TO_PUBLISHED);
    desk.play(&["kubelet-starts-containers", "kubelet-reports-containers-completed", "kubelet-drops-pod"]);
    assert!(!desk.can("kubelet-wants-volume"));
    desk.play(&[
        "kubelet-calls-node-unpublish",
        "driver-unpublishes-volume",
        "kubelet-receives-unpublish-ok",
        "kubelet-calls-node-unstage",
        "driver-unstages-volume",
        "kubelet-receives-unstage-ok",
        "kubelet-forgets-volume",
    ]);
    assert!(!desk.can("kubelet-removes-pod"));
    desk.play(&["user-deletes-pod", "kubelet-removes-pod"]);
}

#[test]
fn a_driver_whose_info_fails_is_not_registered_and_tried_again() {
    let mut parts = parts(&["app"]);
    parts.nodes[0].unregistered = true;
    let node = World::new(parts.clone()).expect("a world").nodes().next();
    let info = FaultKind::Answer {
        method: Method::NodeGetInfo,
        node: None,
        code: Code::Internal,
        message: "no metadata".into(),
        did: false,
    };
    let down = FaultKind::Down { role: Role::NodeDriverRegistrar, node };
    parts.faults = [down, info].map(|kind| Fault { kind, times: Some(1) }).into();
    let mut desk = Desk::new(parts);
    let node = desk.node();
    desk.play(&["process-starts", "registrar-offers-socket", "kubelet-registers-driver"]);
    assert!(desk.cluster.node(node).agent.registered, "mounts may use it before it has answered");
    desk.play(&["kubelet-receives-info-failed"]);
    assert!(!desk.cluster.node(node).agent.registered && !desk.cluster.node(node).driver);
    desk.play(&["kubelet-registers-driver", "driver-tells-info", "kubelet-receives-info-ok"]);
    assert!(desk.cluster.node(node).driver);
}
