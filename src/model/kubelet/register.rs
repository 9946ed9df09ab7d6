//! How a driver becomes kubelet's own, and ceases to be (R2, R3).

use super::Registration;
use crate::model::effect::{About, Field, Method, Reply, Value};
use crate::model::turn::{Turn, need};
use crate::model::{ActorId, Failure, NodeId, ObjectId, Role, Unmet};

type Step = Result<(), Unmet>;

/// R2: the registrar's socket is there, so the driver enters kubelet's list, and NodeGetInfo leaves.
pub(super) fn registers(t: &mut Turn, node: NodeId) -> Step {
    let agent = t.cluster.node(node).agent;
    need(agent.socket, Unmet::NoSocket)?;
    need(!agent.registered, Unmet::DriverRegistered)?;
    let agent = &mut t.cluster.node_mut(node).agent;
    agent.registered = true;
    agent.registration = Registration::InfoCalled;
    t.call(Method::NodeGetInfo, About::Node(node));
    Ok(())
}

/// R2: the reply to NodeGetInfo arrives: the driver's id of the Node goes to the Node, then to its CSINode.
pub(super) fn receives_info_ok(t: &mut Turn, node: NodeId) -> Step {
    need(t.cluster.node(node).agent.registration == Registration::InfoDone, Unmet::NoSuchCall)?;
    t.cluster.node_mut(node).agent.registration = Registration::None;
    t.reply(Method::NodeGetInfo, About::Node(node), Reply::Ok);
    set_driver(t, node, true);
    Ok(())
}

/// R2: NodeGetInfo has failed: the driver leaves kubelet's list, until the next attempt.
pub(super) fn receives_info_failed(t: &mut Turn, node: NodeId, failure: Failure) -> Step {
    let did = match t.cluster.node(node).agent.registration {
        Registration::InfoCalled => false,
        Registration::InfoDone => true,
        Registration::None => return Err(Unmet::NoSuchCall),
    };
    match failure {
        Failure::Fault(id) => t.spend_fault(id, Method::NodeGetInfo, Some(node), did)?,
        Failure::Unreachable => {
            need(t.cluster.down().contains(ActorId::on(Role::DriverNode, node)), Unmet::ActorUp)?;
        }
        Failure::Deadline | Failure::Driver(_) | Failure::Attach(..) | Failure::TooSmall => {
            return Err(Unmet::NoSuchFault);
        }
    }
    let agent = &mut t.cluster.node_mut(node).agent;
    agent.registered = false;
    agent.registration = Registration::None;
    t.reply(Method::NodeGetInfo, About::Node(node), Reply::Failed(failure));
    Ok(())
}

/// R3: the registrar's socket is gone, so the driver leaves kubelet's list and the CSINode. Calls under way end
/// as they end.
pub(super) fn drops_driver(t: &mut Turn, node: NodeId) -> Step {
    let agent = t.cluster.node(node).agent;
    need(agent.registered, Unmet::DriverNotRegistered)?;
    need(!agent.socket, Unmet::Socket)?;
    need(agent.registration == Registration::None, Unmet::OperationPending)?;
    t.cluster.node_mut(node).agent.registered = false;
    set_driver(t, node, false);
    Ok(())
}

fn set_driver(t: &mut Turn, node: NodeId, present: bool) {
    if t.cluster.node(node).driver == present {
        return;
    }
    t.cluster.node_mut(node).driver = present;
    let writes = [
        (ObjectId::Node(node), Field::NodeIdOnNode, Value::DriverNodeId(node)),
        (ObjectId::CsiNode(node), Field::Drivers, Value::DriverName),
    ];
    // The entry that came last goes first.
    let order: [usize; 2] = if present { [0, 1] } else { [1, 0] };
    for (object, field, value) in order.into_iter().filter_map(|at| writes.get(at)) {
        let (from, to) = if present { (Value::Absent, *value) } else { (*value, Value::Absent) };
        t.write(*object, *field, from, to);
    }
}
