//! What goes wrong, as data: answers that are errors, replies that are lost, processes that are down.

use super::hand::Deed;
use super::{ActorId, Cluster, Code, Kind, Method, NodeId, PodId, Role, World};

/// A fault that a world has in store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What goes wrong.
    pub kind: FaultKind,
    /// How many times; `None` for as long as nobody ends it.
    pub times: Option<u8>,
}

/// What goes wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// A CSI call is answered with an error.
    Answer {
        /// Which method.
        method: Method,
        /// On which Node only, if on one.
        node: Option<NodeId>,
        /// The code.
        code: Code,
        /// The message.
        message: String,
        /// The driver has done the work all the same: the reply was lost.
        did: bool,
    },
    /// A process is down, on this Node if it runs on Nodes.
    Down {
        /// Which process.
        role: Role,
        /// Of which Node.
        node: Option<NodeId>,
    },
    /// The API server refuses a write to an object of this kind.
    Refused {
        /// Which kind.
        kind: Kind,
        /// The message.
        message: String,
    },
    /// Somebody does by hand what takes a protection away.
    ByHand {
        /// What.
        deed: Deed,
    },
    /// Somebody removes a Pod by force, whether its kubelet has let go of it or not.
    PodForced {
        /// Which Pod.
        pod: PodId,
    },
    /// Somebody deletes the namespace.
    NamespaceDeleted,
    /// Somebody taints a Node so that no Pod of the world is scheduled there, and takes the taint off again.
    Tainted {
        /// Which Node.
        node: NodeId,
    },
    /// A CSI call about a volume hangs past its caller's deadline, and the driver goes on with it: until it is done, it
    /// answers every other call about the volume with ABORTED.
    Hangs {
        /// Which method.
        method: Method,
        /// On which Node only, if on one.
        node: Option<NodeId>,
        /// How long the driver goes on after its caller has given up, in milliseconds.
        ms: u32,
    },
}

impl Fault {
    /// The code that it answers with, if it answers.
    pub fn code(&self) -> Option<Code> {
        match self.kind {
            FaultKind::Answer { code, .. } => Some(code),
            FaultKind::Hangs { .. } => Some(Code::DeadlineExceeded),
            FaultKind::Down { .. }
            | FaultKind::PodForced { .. }
            | FaultKind::NamespaceDeleted
            | FaultKind::Tainted { .. }
            | FaultKind::Refused { .. }
            | FaultKind::ByHand { .. } => None,
        }
    }
}

/// How many times a fault can still happen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Left(u8);

impl Left {
    /// As often as nobody ends it.
    const LASTING: Left = Left(u8::MAX);

    /// So many times; `None` for as long as nobody ends it.
    pub fn of(times: Option<u8>) -> Self {
        times.map_or(Self::LASTING, Left)
    }

    /// Whether it cannot happen any more.
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Once less.
    pub fn less(self) -> Self {
        if self == Self::LASTING { self } else { Left(self.0.saturating_sub(1)) }
    }
}

/// Processes that are down.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct DownSet(u64);

impl DownSet {
    /// Whether everything is up.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether this one is down.
    pub fn contains(self, actor: ActorId) -> bool {
        self.0 & bit(actor) != 0
    }

    /// This one goes down, or comes up.
    pub fn set(&mut self, actor: ActorId, down: bool) {
        if down { self.0 |= bit(actor) } else { self.0 &= !bit(actor) }
    }
}

/// A process's bit: two a role, one for each Node.
fn bit(actor: ActorId) -> u64 {
    let node = actor.node.map_or(0, |node| u32::from(node.0 & 1));
    1_u64.wrapping_shl(process(actor.role) as u32 * 2 + node)
}

/// The role that stands for the process in which this one runs: the controllers of kube-controller-manager stop
/// and start together.
fn process(role: Role) -> Role {
    match role {
        Role::PvController
        | Role::PvcProtection
        | Role::PvProtection
        | Role::ExpandController
        | Role::EphemeralController
        | Role::NodeLifecycle
        | Role::TaintEviction
        | Role::PodGc
        | Role::NamespaceController
        | Role::GarbageCollector => Role::AttachDetachController,
        Role::User
        | Role::KubeScheduler
        | Role::ExternalProvisioner
        | Role::ExternalResizer
        | Role::SnapshotController
        | Role::ExternalSnapshotter
        | Role::NodeDriverRegistrar
        | Role::AttachDetachController
        | Role::ExternalAttacher
        | Role::DriverController
        | Role::Kubelet
        | Role::DriverNode
        | Role::Kernel => role,
    }
}

/// Whether a call of this method, on this Node, is to end in an error: before the driver has done the work, or
/// after.
pub(super) fn fault_in_store(
    world: &World,
    cluster: &Cluster,
    of: Method,
    on: Option<NodeId>,
    after: bool,
) -> bool {
    world.faults().any(|(id, fault)| match fault.kind {
        FaultKind::Answer { method, node, did, .. } => {
            method == of && (node.is_none() || node == on) && did == after && !cluster.left(id).is_none()
        }
        FaultKind::Hangs { method, node, .. } => {
            method == of && (node.is_none() || node == on) && !after && !cluster.left(id).is_none()
        }
        FaultKind::Down { .. }
        | FaultKind::PodForced { .. }
        | FaultKind::NamespaceDeleted
        | FaultKind::Tainted { .. }
        | FaultKind::Refused { .. }
        | FaultKind::ByHand { .. } => false,
    })
}

/// Whether such a call is to hang now.
pub(super) fn hang_in_store(world: &World, cluster: &Cluster, of: Method, on: Option<NodeId>) -> bool {
    world.faults().any(|(id, fault)| {
        matches!(fault.kind, FaultKind::Hangs { method, node, .. }
            if method == of && (node.is_none() || node == on) && !cluster.left(id).is_none())
    })
}

/// Whether a world has calls that hang.
pub(super) fn has_hangs(world: &World) -> bool {
    world.faults().any(|(_, fault)| matches!(fault.kind, FaultKind::Hangs { .. }))
}
