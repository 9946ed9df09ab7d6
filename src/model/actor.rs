//! Who acts: the processes on the volume path, by the names that Kubernetes and CSI give them.

use std::fmt;

/// A process (or a person) that does something on the volume path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Role {
    /// Whoever talks to the API server with kubectl.
    User,
    /// kube-scheduler.
    KubeScheduler,
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
    /// The name in traces and recordings, such as `external-attacher`; an actor of a Node adds `/NODE`.
    pub fn name(self) -> &'static str {
        match self {
            Role::User => "user",
            Role::KubeScheduler => "kube-scheduler",
            Role::AttachDetachController => "attach-detach-controller",
            Role::ExternalAttacher => "external-attacher",
            Role::DriverController => "csi-driver-controller",
            Role::Kubelet => "kubelet",
            Role::DriverNode => "csi-driver-node",
            Role::Kernel => "kernel",
        }
    }

    /// The name in sentences and tables.
    pub fn title(self) -> &'static str {
        match self {
            Role::User => "You",
            Role::KubeScheduler => "kube-scheduler",
            Role::AttachDetachController => "attach-detach controller",
            Role::ExternalAttacher => "external-attacher",
            Role::DriverController => "CSI driver (controller plugin)",
            Role::Kubelet => "kubelet",
            Role::DriverNode => "CSI driver (node plugin)",
            Role::Kernel => "kernel",
        }
    }

    /// Whose code this is.
    pub fn family(self) -> Family {
        match self {
            Role::User => Family::User,
            Role::KubeScheduler | Role::AttachDetachController | Role::Kubelet => Family::Kubernetes,
            Role::ExternalAttacher => Family::Sidecar,
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
