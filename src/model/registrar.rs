//! node-driver-registrar: the socket through which kubelet learns of a Node's driver (R1).

use super::action::{Fact, Subject};
use super::timing::{WATCH, When};
use super::turn::{Turn, need};
use super::{Action, ActorId, Cluster, NodeId, Role, Unmet, World};

/// Something that node-driver-registrar does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the sentence that its name in `fact` spells")]
pub enum Act {
    OffersSocket(NodeId),
}

impl Act {
    pub(super) fn fact(self) -> Fact {
        match self {
            Act::OffersSocket(_) => Fact {
                role: Role::NodeDriverRegistrar,
                rule: "R1",
                name: "registrar-offers-socket",
                source: "node-driver-registrar cmd/csi-node-driver-registrar/node_register.go",
            },
        }
    }

    pub(super) fn subject(self) -> Subject {
        match self {
            Act::OffersSocket(node) => Subject::Node(node),
        }
    }

    pub(super) fn when(self, _: &World, _: &Cluster) -> When {
        match self {
            Act::OffersSocket(_) => When::After(WATCH.ms),
        }
    }

    pub(super) fn run(self, t: &mut Turn) -> Result<(), Unmet> {
        match self {
            Act::OffersSocket(node) => offers_socket(t, node),
        }
    }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    found.extend(world.nodes().map(|node| Action::Registrar(Act::OffersSocket(node))));
}

/// R1: the driver answers on its socket and tells its name, so the registrar offers kubelet a socket of its own.
fn offers_socket(t: &mut Turn, node: NodeId) -> Result<(), Unmet> {
    need(!t.cluster.node(node).agent.socket, Unmet::Socket)?;
    need(!t.cluster.down().contains(ActorId::on(Role::DriverNode, node)), Unmet::ActorDown)?;
    t.cluster.node_mut(node).agent.socket = true;
    Ok(())
}
