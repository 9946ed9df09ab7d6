//! One fault of each kind, and what of the good end it takes away, with the reason.

use crate::claims_world::answer;
use crate::worlds::made::orderly;
use mountpath::model::hand::Deed;
use mountpath::model::{
    Action, ClaimId, ClaimPhase, Cluster, Code, Fault, FaultKind, Kind, Link, Method, NodeId, Parts, Phase,
    PodId, Presence, Role, World, user,
};

/// A fault, in a world that is otherwise whole.
pub struct Row {
    /// What goes wrong.
    pub name: &'static str,
    pub faults: Vec<Fault>,
    /// What is different from the start.
    pub change: fn(&mut Parts),
    /// What its users do.
    pub users: fn(&World, &Cluster, &Action) -> bool,
    /// A second Pod on a second Node has to do with it.
    pub second: bool,
    /// Why something may be left for ever.
    pub leaves: Option<&'static str>,
    /// Why a Pod may never run.
    pub keeps: Option<&'static str>,
}

impl Row {
    fn of(name: &'static str, faults: Vec<Fault>) -> Self {
        Self { name, faults, change: |_| {}, users: patient, second: false, leaves: None, keeps: None }
    }

    /// An error that a method answers once, with the work not done.
    fn fails(name: &'static str, method: Method) -> Self {
        Self::of(name, vec![answer(method, Code::Internal, "injected", false, Some(1))])
    }

    /// A reply that never arrives: the work is done.
    fn loses(name: &'static str, method: Method) -> Self {
        Self::of(
            name,
            vec![answer(method, Code::DeadlineExceeded, "context deadline exceeded", true, Some(1))],
        )
    }

    /// A call that goes on past its caller's deadline.
    fn hangs(name: &'static str, method: Method) -> Self {
        Self::once(name, FaultKind::Hangs { method, node: None, ms: 30_000 })
    }

    fn once(name: &'static str, kind: FaultKind) -> Self {
        Self::of(name, vec![once(kind)])
    }

    /// A process that stops once, and starts again.
    fn down(name: &'static str, role: Role) -> Self {
        Self::of(name, vec![down(role)])
    }

    fn refused(name: &'static str, kind: Kind) -> Self {
        Self::once(name, FaultKind::Refused { kind, message: "etcdserver: request timed out".into() })
    }

    fn by_hand(name: &'static str, deed: Deed) -> Self {
        Self::once(name, FaultKind::ByHand { deed })
    }

    /// Nothing but the start is different.
    fn from_the_start(name: &'static str, change: fn(&mut Parts)) -> Self {
        Self { change, ..Self::of(name, Vec::new()) }
    }

    fn and(mut self, fault: Fault) -> Self {
        self.faults.push(fault);
        self
    }

    fn with(self, change: fn(&mut Parts)) -> Self {
        Self { change, ..self }
    }

    fn used_by(self, users: fn(&World, &Cluster, &Action) -> bool) -> Self {
        Self { users, ..self }
    }

    /// It is also of interest to a second Pod on a second Node.
    fn and_second(self) -> Self {
        Self { second: true, ..self }
    }

    fn leaves(self, why: &'static str) -> Self {
        Self { leaves: Some(why), ..self }
    }

    fn keeps(self, why: &'static str) -> Self {
        Self { keeps: Some(why), ..self }
    }
}

fn once(kind: FaultKind) -> Fault {
    Fault { kind, times: Some(1) }
}

fn down(role: Role) -> Fault {
    once(FaultKind::Down { role, node: role.is_of_node().then(node) })
}

fn node() -> NodeId {
    NodeId::of(0).expect("a Node")
}

fn link() -> Link {
    Link::of(0, 0).expect("a link")
}

fn claim() -> ClaimId {
    ClaimId::of(0).expect("a claim")
}

/// A driver that stages as well.
fn stages(parts: &mut Parts) {
    parts.driver.node_stage = true;
}

/// A user who does one thing after the other, and gives a Pod up that cannot run any more.
fn patient(world: &World, state: &Cluster, action: &Action) -> bool {
    let lost = |id| {
        let pod = state.pod(id);
        let claim = world.claim_of(id).map(|claim| *state.claim(claim)).unwrap_or_default();
        let to_go = world.volumes().any(|volume| state.volume(volume).deleting);
        let claim = claim.deleting || claim.presence == Presence::Gone || claim.phase == ClaimPhase::Lost;
        claim || to_go || pod.phase == Phase::Failed
    };
    let nodes = || world.nodes().any(|id| state.node(id).gone || state.node(id).out_of_service);
    match action {
        Action::User(user::Act::DeletesPod(id)) => orderly(world, state, action) || lost(*id) || nodes(),
        _ => orderly(world, state, action),
    }
}

/// A user who deletes claims whenever it comes to mind.
fn deletes_claims(world: &World, state: &Cluster, action: &Action) -> bool {
    patient(world, state, action) || matches!(action, Action::User(user::Act::DeletesClaim(_)))
}

/// The same of PersistentVolumes.
fn deletes_volumes(world: &World, state: &Cluster, action: &Action) -> bool {
    patient(world, state, action) || matches!(action, Action::User(user::Act::DeletesVolume(_)))
}

/// The same of Pods.
fn deletes_pods(world: &World, state: &Cluster, action: &Action) -> bool {
    patient(world, state, action) || matches!(action, Action::User(user::Act::DeletesPod(_)))
}

/// Every fault.
pub fn all() -> Vec<Row> {
    let all = [calls(), hangs(), processes(), nodes(), hands(), specs()];
    all.into_iter().flatten().collect()
}

fn calls() -> Vec<Row> {
    use Method::*;
    vec![
        Row::of("nothing", Vec::new()).and_second(),
        Row::fails("CreateVolume fails", CreateVolume),
        Row::loses("the reply to CreateVolume is lost", CreateVolume),
        Row::fails("DeleteVolume fails", DeleteVolume),
        Row::loses("the reply to DeleteVolume is lost", DeleteVolume),
        Row::fails("ControllerPublishVolume fails", ControllerPublishVolume).and_second(),
        Row::loses("the reply to ControllerPublishVolume is lost", ControllerPublishVolume).and_second(),
        Row::fails("ControllerUnpublishVolume fails", ControllerUnpublishVolume).and_second(),
        Row::loses("the reply to ControllerUnpublishVolume is lost", ControllerUnpublishVolume).and_second(),
        Row::fails("NodeStageVolume fails", NodeStageVolume).with(stages),
        Row::loses("the reply to NodeStageVolume is lost", NodeStageVolume).with(stages),
        Row::fails("NodePublishVolume fails", NodePublishVolume),
        Row::loses("the reply to NodePublishVolume is lost", NodePublishVolume),
        Row::fails("NodeUnpublishVolume fails", NodeUnpublishVolume),
        Row::loses("the reply to NodeUnpublishVolume is lost", NodeUnpublishVolume),
        Row::fails("NodeUnstageVolume fails", NodeUnstageVolume).with(stages),
        Row::loses("the reply to NodeUnstageVolume is lost", NodeUnstageVolume).with(stages),
        Row::fails("NodeGetInfo fails", NodeGetInfo).and(down(Role::NodeDriverRegistrar)),
    ]
}

fn hangs() -> Vec<Row> {
    use Method::*;
    vec![
        Row::hangs("ControllerPublishVolume hangs", ControllerPublishVolume),
        Row::hangs("ControllerUnpublishVolume hangs", ControllerUnpublishVolume).and_second(),
        Row::hangs("NodeStageVolume hangs", NodeStageVolume).with(stages),
        Row::hangs("NodePublishVolume hangs", NodePublishVolume),
        Row::hangs("NodeUnpublishVolume hangs", NodeUnpublishVolume),
        Row::hangs("NodeUnstageVolume hangs", NodeUnstageVolume).with(stages),
    ]
}

fn processes() -> Vec<Row> {
    vec![
        Row::down("kube-scheduler is down", Role::KubeScheduler),
        Row::down("kube-controller-manager is down", Role::AttachDetachController).and_second(),
        Row::down("external-provisioner is down", Role::ExternalProvisioner),
        Row::down("external-attacher is down", Role::ExternalAttacher).and_second(),
        Row::down("the controller plugin is down", Role::DriverController),
        Row::down("the node plugin is down", Role::DriverNode),
        Row::down("node-driver-registrar is down", Role::NodeDriverRegistrar),
        Row::refused("a write to a VolumeAttachment is refused", Kind::VolumeAttachment).and_second(),
        Row::refused("a write to a PersistentVolume is refused", Kind::PersistentVolume),
        Row::refused("a write to a Node is refused", Kind::Node).and_second(),
    ]
}

/// A kubelet that is down, and a Node that is deleted, make worlds too large for here: `worlds/failing/ends.rs` and
/// `node.rs` have them from a running Pod on.
fn nodes() -> Vec<Row> {
    vec![
        Row::by_hand("the Node is tainted out-of-service", Deed::TaintOutOfService(node()))
            .keeps("nobody takes the taint away"),
    ]
}

fn hands() -> Vec<Row> {
    let pod = PodId::of(0).expect("a Pod");
    vec![
        Row::of("claims are deleted at any time", Vec::new()).used_by(deletes_claims),
        Row::of("PersistentVolumes are deleted at any time", Vec::new())
            .used_by(deletes_volumes)
            .keeps("a PersistentVolume that is to go is attached nowhere"),
        Row::of("Pods are deleted at any time", Vec::new()).used_by(deletes_pods),
        Row::once("the Pod is removed by force", FaultKind::PodForced { pod }).and_second(),
        Row::once("the namespace is deleted", FaultKind::NamespaceDeleted),
        Row::by_hand("the VolumeAttachment is deleted", Deed::DeleteAttachment(link())).and_second(),
        Row::by_hand("the VolumeAttachment's finalizer is stripped", Deed::StripAttachment(link()))
            .and_second()
            .leaves("without its VolumeAttachment nobody knows that the disk is attached"),
        Row::by_hand("a claim is deleted and its finalizers stripped", Deed::StripClaim(claim()))
            .used_by(deletes_claims),
        Row::by_hand(
            "a PersistentVolume is deleted and its finalizers stripped",
            Deed::StripVolume(link().volume),
        )
        .used_by(deletes_volumes)
        .leaves("without its PersistentVolume nobody deletes the disk")
        .keeps("a claim that has lost its PersistentVolume does not get another"),
    ]
}

fn specs() -> Vec<Row> {
    let secret = || once(FaultKind::ByHand { deed: Deed::CreateSecret(link().volume) });
    vec![
        Row::from_the_start("the StorageClass comes late", |parts| parts.classes[0].given = false),
        Row::from_the_start("the StorageClass names another driver", |parts| {
            parts.classes[0].provisioner = "other.csi.example.com".into();
        })
        .used_by(deletes_pods)
        .keeps("nobody provisions for that driver"),
        Row::from_the_start("the secret for attaching is missing", |parts| {
            parts.volumes[0].publish_secret = Some("kube-system/creds".into());
            parts.volumes[0].secret_missing = true;
        })
        .used_by(deletes_pods)
        .keeps("nobody creates the secret"),
        Row::of("the secret for attaching comes late", vec![secret()]).with(|parts| {
            parts.volumes[0].publish_secret = Some("kube-system/creds".into());
            parts.volumes[0].secret_missing = true;
        }),
        Row::of("the secret for staging comes late", vec![secret()]).with(|parts| {
            parts.driver.node_stage = true;
            parts.volumes[0].stage_secret = Some("kube-system/creds".into());
            parts.volumes[0].secret_missing = true;
        }),
        Row::from_the_start("there is no CSIDriver", |parts| parts.driver.object = false),
        Row::from_the_start("there is no external-attacher", |parts| parts.driver.attacher = false)
            .used_by(deletes_pods)
            .keeps("nobody attaches"),
        Row::from_the_start("there is no external-provisioner", |parts| parts.driver.provisioner = false)
            .used_by(deletes_pods)
            .keeps("nobody provisions"),
        Row::of("the driver is registered late", vec![down(Role::NodeDriverRegistrar)])
            .with(|parts| parts.nodes[0].unregistered = true),
    ]
}
