//! Everything that can happen: one kind of act an actor, each with its name, its rule and where upstream says so.

use super::timing::When;
use super::turn::{Turn, link_of};
use super::{
    ActorId, ClaimId, ClassId, Cluster, FaultId, Link, NodeId, PodId, Role, SnapshotId, Unmet, VolumeId,
    World, adc, attacher, claims, data_source, driver, ephemeral, expand_controller, kubelet, kubelet_expand,
    namespace, outside, protection, provisioner, registrar, resizer, scheduler, snapshots, user,
};
use super::{hand, nodes};

/// Something that an actor can do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Action {
    /// A user's.
    User(user::Act),
    /// kube-scheduler's.
    Scheduler(scheduler::Act),
    /// The attach-detach controller's.
    Adc(adc::Act),
    /// The external-attacher's.
    Attacher(attacher::Act),
    /// The CSI driver's.
    Driver(driver::Act),
    /// kubelet's.
    Kubelet(kubelet::Act),
    /// Of nobody in the cluster.
    Outside(outside::Act),
    /// Of those who look after Nodes.
    Nodes(nodes::Act),
    /// By hand, to the protections.
    Hand(hand::Act),
    /// The PersistentVolume controller's.
    Claims(claims::Act),
    /// The external-provisioner's.
    Provisioner(provisioner::Act),
    /// A protection controller's.
    Protection(protection::Act),
    /// The ephemeral volume controller's or the garbage collector's.
    Ephemeral(ephemeral::Act),
    /// The node-driver-registrar's.
    Registrar(registrar::Act),
    /// The namespace controller's.
    Namespace(namespace::Act),
    /// external-resizer's.
    Resizer(resizer::Act),
    /// The expand controller's.
    ExpandController(expand_controller::Act),
    /// kubelet's where a volume grows.
    KubeletExpand(kubelet_expand::Act),
    /// Of snapshot-controller or csi-snapshotter.
    Snapshots(snapshots::Act),
    /// The external-provisioner's where a volume is filled from another.
    DataSource(data_source::Act),
}

/// What is known about an action whatever it is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fact {
    /// Who does it.
    pub role: Role,
    /// The id of its rule.
    pub rule: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Where Kubernetes or CSI say so.
    pub source: &'static str,
}

/// What an action is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A Pod.
    Pod(PodId),
    /// A volume and a Node.
    Link(Link),
    /// A Node.
    Node(NodeId),
    /// A claim.
    Claim(ClaimId),
    /// A PersistentVolume.
    Volume(VolumeId),
    /// A StorageClass.
    Class(ClassId),
    /// A VolumeSnapshot.
    Snapshot(SnapshotId),
    /// A fault.
    Fault(FaultId),
}

impl Action {
    fn fact(self) -> Fact {
        match self {
            Action::User(act) => act.fact(),
            Action::Scheduler(act) => act.fact(),
            Action::Adc(act) => act.fact(),
            Action::Attacher(act) => act.fact(),
            Action::Driver(act) => act.fact(),
            Action::Kubelet(act) => act.fact(),
            Action::Outside(act) => act.fact(),
            Action::Nodes(act) => act.fact(),
            Action::Hand(act) => act.fact(),
            Action::Claims(act) => act.fact(),
            Action::Provisioner(act) => act.fact(),
            Action::Protection(act) => act.fact(),
            Action::Ephemeral(act) => act.fact(),
            Action::Registrar(act) => act.fact(),
            Action::Namespace(act) => act.fact(),
            Action::Resizer(act) => act.fact(),
            Action::ExpandController(act) => act.fact(),
            Action::KubeletExpand(act) => act.fact(),
            Action::Snapshots(act) => act.fact(),
            Action::DataSource(act) => act.fact(),
        }
    }

    /// Its name, such as `adc-creates-attachment`.
    pub fn name(self) -> &'static str {
        self.fact().name
    }

    /// The id of its rule, such as `AD6`.
    pub fn rule(self) -> &'static str {
        self.fact().rule
    }

    /// A path in kubernetes/kubernetes or a sidecar's repository, or a section of the CSI specification.
    pub fn source(self) -> &'static str {
        self.fact().source
    }

    /// What kind of actor does it.
    pub fn role(self) -> Role {
        self.fact().role
    }

    /// Who does it, with the Node that it belongs to.
    pub fn actor(self, cluster: &Cluster) -> ActorId {
        let role = self.role();
        let node = if role.is_of_node() { self.node(cluster) } else { None };
        ActorId { role, node }
    }

    /// The Node that it happens on; `None` while its Pod is unbound.
    fn node(self, cluster: &Cluster) -> Option<NodeId> {
        match self.subject() {
            Subject::Pod(pod) => cluster.pod(pod).node,
            Subject::Link(link) => Some(link.node),
            Subject::Node(node) => Some(node),
            Subject::Claim(_)
            | Subject::Volume(_)
            | Subject::Class(_)
            | Subject::Snapshot(_)
            | Subject::Fault(_) => None,
        }
    }

    /// What it is about.
    pub fn subject(self) -> Subject {
        match self {
            Action::User(act) => act.subject(),
            Action::Scheduler(act) => act.subject(),
            Action::Adc(act) => act.subject(),
            Action::Attacher(act) => act.subject(),
            Action::Driver(act) => act.subject(),
            Action::Kubelet(act) => act.subject(),
            Action::Outside(act) => act.subject(),
            Action::Nodes(act) => act.subject(),
            Action::Hand(act) => act.subject(),
            Action::Claims(act) => act.subject(),
            Action::Provisioner(act) => act.subject(),
            Action::Protection(act) => act.subject(),
            Action::Ephemeral(act) => act.subject(),
            Action::Registrar(act) => act.subject(),
            Action::Namespace(act) => act.subject(),
            Action::Resizer(act) => act.subject(),
            Action::ExpandController(act) => act.subject(),
            Action::KubeletExpand(act) => act.subject(),
            Action::Snapshots(act) => act.subject(),
            Action::DataSource(act) => act.subject(),
        }
    }

    /// The volume and the Node that it is about, if it is about such a pair.
    pub fn link(self, world: &World, cluster: &Cluster) -> Option<Link> {
        match self.subject() {
            Subject::Pod(pod) => link_of(world, cluster, pod),
            Subject::Link(link) => Some(link),
            Subject::Node(_)
            | Subject::Claim(_)
            | Subject::Volume(_)
            | Subject::Class(_)
            | Subject::Snapshot(_)
            | Subject::Fault(_) => None,
        }
    }

    /// When it comes due, where it is enabled in this state.
    pub fn when(self, world: &World, cluster: &Cluster) -> When {
        match self {
            Action::User(act) => act.when(world, cluster),
            Action::Scheduler(act) => act.when(world, cluster),
            Action::Adc(act) => act.when(world, cluster),
            Action::Attacher(act) => act.when(world, cluster),
            Action::Driver(act) => act.when(world, cluster),
            Action::Kubelet(act) => act.when(world, cluster),
            Action::Outside(act) => act.when(world, cluster),
            Action::Nodes(act) => act.when(world, cluster),
            Action::Hand(act) => act.when(world, cluster),
            Action::Claims(act) => act.when(world, cluster),
            Action::Provisioner(act) => act.when(world, cluster),
            Action::Protection(act) => act.when(world, cluster),
            Action::Ephemeral(act) => act.when(world, cluster),
            Action::Registrar(act) => act.when(world, cluster),
            Action::Namespace(act) => act.when(world, cluster),
            Action::Resizer(act) => act.when(world, cluster),
            Action::ExpandController(act) => act.when(world, cluster),
            Action::KubeletExpand(act) => act.when(world, cluster),
            Action::Snapshots(act) => act.when(world, cluster),
            Action::DataSource(act) => act.when(world, cluster),
        }
    }

    pub(super) fn run(self, t: &mut Turn) -> Result<(), Unmet> {
        match self {
            Action::User(act) => act.run(t),
            Action::Scheduler(act) => act.run(t),
            Action::Adc(act) => act.run(t),
            Action::Attacher(act) => act.run(t),
            Action::Driver(act) => act.run(t),
            Action::Kubelet(act) => act.run(t),
            Action::Outside(act) => act.run(t),
            Action::Nodes(act) => act.run(t),
            Action::Hand(act) => act.run(t),
            Action::Claims(act) => act.run(t),
            Action::Provisioner(act) => act.run(t),
            Action::Protection(act) => act.run(t),
            Action::Ephemeral(act) => act.run(t),
            Action::Registrar(act) => act.run(t),
            Action::Namespace(act) => act.run(t),
            Action::Resizer(act) => act.run(t),
            Action::ExpandController(act) => act.run(t),
            Action::KubeletExpand(act) => act.run(t),
            Action::Snapshots(act) => act.run(t),
            Action::DataSource(act) => act.run(t),
        }
    }

    /// What it asks a claim to become, as a user writes it: a size such as `5Gi`, or a VolumeAttributesClass.
    pub fn wish(self, world: &World) -> Option<String> {
        let Action::User(act) = self else { return None };
        act.wish(world)
    }

    /// Every action that could ever happen in a world, in the order in which ties are broken.
    pub(super) fn all(world: &World) -> Vec<Action> {
        let mut found = Vec::new();
        user::candidates(world, &mut found);
        scheduler::candidates(world, &mut found);
        adc::candidates(world, &mut found);
        attacher::candidates(world, &mut found);
        driver::candidates(world, &mut found);
        kubelet::candidates(world, &mut found);
        outside::candidates(world, &mut found);
        nodes::candidates(world, &mut found);
        hand::candidates(world, &mut found);
        claims::candidates(world, &mut found);
        provisioner::candidates(world, &mut found);
        protection::candidates(world, &mut found);
        ephemeral::candidates(world, &mut found);
        registrar::candidates(world, &mut found);
        namespace::candidates(world, &mut found);
        resizer::candidates(world, &mut found);
        expand_controller::candidates(world, &mut found);
        kubelet_expand::candidates(world, &mut found);
        snapshots::candidates(world, &mut found);
        data_source::candidates(world, &mut found);
        found
    }
}
