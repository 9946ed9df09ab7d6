//! Who acts: the processes on the volume path, by the names that Kubernetes and CSI give them.

use std::fmt;

/// A process (or a person) that does something on the volume path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Role {
    /// Whoever talks to the API server with kubectl.
    User,
    /// kube-scheduler.
    KubeScheduler,
    /// The PersistentVolume controller in kube-controller-manager (`persistentvolume-binder`).
    PvController,
    /// The PersistentVolumeClaim protection controller in kube-controller-manager.
    PvcProtection,
    /// The PersistentVolume protection controller in kube-controller-manager.
    PvProtection,
    /// The expand controller in kube-controller-manager.
    ExpandController,
    /// The generic ephemeral volume controller in kube-controller-manager.
    EphemeralController,
    /// The node lifecycle controller in kube-controller-manager, with taint eviction.
    NodeLifecycle,
    /// Pod garbage collection in kube-controller-manager.
    PodGc,
    /// The namespace controller in kube-controller-manager.
    NamespaceController,
    /// The garbage collector in kube-controller-manager.
    GarbageCollector,
    /// The external-provisioner sidecar beside the driver's controller plugin.
    ExternalProvisioner,
    /// The external-resizer sidecar beside the driver's controller plugin.
    ExternalResizer,
    /// The snapshot-controller of the external-snapshotter project, one a cluster.
    SnapshotController,
    /// The csi-snapshotter sidecar beside the driver's controller plugin.
    ExternalSnapshotter,
    /// The node-driver-registrar sidecar beside the driver's node plugin, one a Node.
    NodeDriverRegistrar,
    /// The attach-detach controller in kube-controller-manager.
    AttachDetachController,
    /// The external-attacher sidecar beside the driver's controller plugin.
    ExternalAttacher,
    /// The CSI driver's controller plugin.
    DriverController,
    /// kubelet, one a Node.
    Kubelet,
    /// The CSI driver's node plugin, one a Node.
    DriverNode,
    /// The Linux kernel of a Node.
    Kernel,
    /// Taint eviction in kube-controller-manager.
    TaintEviction,
}

/// Whose code an actor runs; the picture gives each family one hue.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Family {
    /// The reader, with kubectl.
    User,
    /// Kubernetes itself.
    Kubernetes,
    /// The CSI sidecars that the Kubernetes project ships.
    Sidecar,
    /// The vendor's driver.
    Driver,
    /// The Node's operating system.
    Kernel,
}

impl Role {
    /// Every role.
    pub const ALL: [Role; 23] = [
        Role::User,
        Role::KubeScheduler,
        Role::PvController,
        Role::PvcProtection,
        Role::PvProtection,
        Role::ExpandController,
        Role::EphemeralController,
        Role::NodeLifecycle,
        Role::PodGc,
        Role::NamespaceController,
        Role::GarbageCollector,
        Role::ExternalProvisioner,
        Role::ExternalResizer,
        Role::SnapshotController,
        Role::ExternalSnapshotter,
        Role::NodeDriverRegistrar,
        Role::AttachDetachController,
        Role::ExternalAttacher,
        Role::DriverController,
        Role::Kubelet,
        Role::DriverNode,
        Role::Kernel,
        Role::TaintEviction,
    ];

    /// The role of this name.
    pub fn named(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.name() == name)
    }

    /// The name in traces and recordings, such as `external-attacher`; an actor of a Node adds `/NODE`.
    pub fn name(self) -> &'static str {
        match self {
            Role::User => "user",
            Role::KubeScheduler => "kube-scheduler",
            Role::PvController => "pv-controller",
            Role::PvcProtection => "pvc-protection-controller",
            Role::PvProtection => "pv-protection-controller",
            Role::ExpandController => "expand-controller",
            Role::EphemeralController => "ephemeral-volume-controller",
            Role::NodeLifecycle => "node-lifecycle-controller",
            Role::PodGc => "pod-garbage-collector",
            Role::NamespaceController => "namespace-controller",
            Role::GarbageCollector => "garbage-collector",
            Role::ExternalProvisioner => "external-provisioner",
            Role::ExternalResizer => "external-resizer",
            Role::SnapshotController => "snapshot-controller",
            Role::ExternalSnapshotter => "external-snapshotter",
            Role::NodeDriverRegistrar => "node-driver-registrar",
            Role::AttachDetachController => "attach-detach-controller",
            Role::ExternalAttacher => "external-attacher",
            Role::DriverController => "csi-driver-controller",
            Role::Kubelet => "kubelet",
            Role::DriverNode => "csi-driver-node",
            Role::Kernel => "kernel",
            Role::TaintEviction => "taint-eviction-controller",
        }
    }

    /// The name in sentences and tables.
    pub fn title(self) -> &'static str {
        match self {
            Role::User => "You",
            Role::KubeScheduler => "kube-scheduler",
            Role::PvController => "PersistentVolume controller",
            Role::PvcProtection => "PVC protection controller",
            Role::PvProtection => "PV protection controller",
            Role::ExpandController => "expand controller",
            Role::EphemeralController => "ephemeral volume controller",
            Role::NodeLifecycle => "node lifecycle controller",
            Role::PodGc => "Pod garbage collector",
            Role::NamespaceController => "namespace controller",
            Role::GarbageCollector => "garbage collector",
            Role::ExternalProvisioner => "external-provisioner",
            Role::ExternalResizer => "external-resizer",
            Role::SnapshotController => "snapshot-controller",
            Role::ExternalSnapshotter => "external-snapshotter",
            Role::NodeDriverRegistrar => "node-driver-registrar",
            Role::AttachDetachController => "attach-detach controller",
            Role::ExternalAttacher => "external-attacher",
            Role::DriverController => "CSI driver (controller plugin)",
            Role::Kubelet => "kubelet",
            Role::DriverNode => "CSI driver (node plugin)",
            Role::Kernel => "kernel",
            Role::TaintEviction => "taint eviction controller",
        }
    }

    /// Whether there is one such actor a Node.
    pub fn is_of_node(self) -> bool {
        match self {
            Role::Kubelet | Role::DriverNode | Role::NodeDriverRegistrar | Role::Kernel => true,
            Role::User
            | Role::KubeScheduler
            | Role::AttachDetachController
            | Role::PvController
            | Role::PvcProtection
            | Role::PvProtection
            | Role::ExpandController
            | Role::EphemeralController
            | Role::NodeLifecycle
            | Role::PodGc
            | Role::NamespaceController
            | Role::GarbageCollector
            | Role::ExternalAttacher
            | Role::ExternalProvisioner
            | Role::ExternalResizer
            | Role::SnapshotController
            | Role::ExternalSnapshotter
            | Role::DriverController
            | Role::TaintEviction => false,
        }
    }

    /// Whose code this is.
    pub fn family(self) -> Family {
        match self {
            Role::User => Family::User,
            Role::KubeScheduler
            | Role::AttachDetachController
            | Role::PvController
            | Role::PvcProtection
            | Role::PvProtection
            | Role::ExpandController
            | Role::EphemeralController
            | Role::NodeLifecycle
            | Role::PodGc
            | Role::NamespaceController
            | Role::GarbageCollector
            | Role::Kubelet
            | Role::TaintEviction => Family::Kubernetes,
            Role::ExternalAttacher
            | Role::ExternalProvisioner
            | Role::ExternalResizer
            | Role::SnapshotController
            | Role::ExternalSnapshotter
            | Role::NodeDriverRegistrar => Family::Sidecar,
            Role::DriverController | Role::DriverNode => Family::Driver,
            Role::Kernel => Family::Kernel,
        }
    }
}

/// One actor of one cluster: a role, and the Node's name where there is one such actor a Node.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Actor {
    /// What it is.
    pub role: Role,
    /// The Node it belongs to; `None` for cluster-wide actors.
    pub node: Option<String>,
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.role.name())?;
        self.node.iter().try_for_each(|n| write!(f, "/{n}"))
    }
}
