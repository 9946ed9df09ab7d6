//! Rules of the Pod itself: created, bound, run and deleted (U2, U3, SC4, K6, K12).

use super::cluster::{Container, Exit, Phase, Pod, Presence, Runtime};
use super::effect::{EventId, Field, Value};
use super::turn::{Turn, need};
use super::{NodeId, ObjectId, PodId, Unmet};

type Step = Result<(), Unmet>;

fn here(pod: &Pod) -> Step {
    need(pod.presence == Presence::Here, Unmet::PodMissing)
}

/// U2: a user creates the Pod.
pub(super) fn created(t: &mut Turn, id: PodId) -> Step {
    need(t.cluster.pod(id).presence == Presence::NotYet, Unmet::PodExists)?;
    *t.cluster.pod_mut(id) = Pod { presence: Presence::Here, ..Pod::default() };
    let object = ObjectId::Pod(id);
    t.create(object);
    t.write(object, Field::Phase, Value::Absent, Value::Phase(Phase::Pending));
    Ok(())
}

/// SC4: the scheduler binds the Pod to a Node; nobody attaches before that.
pub(super) fn bound(t: &mut Turn, id: PodId, node: NodeId) -> Step {
    let pod = t.cluster.pod(id);
    here(pod)?;
    need(pod.node.is_none(), Unmet::PodBound)?;
    t.read(ObjectId::Pod(id));
    t.read(ObjectId::Claim(t.world.volume_of(id)));
    t.cluster.pod_mut(id).node = Some(node);
    t.write(ObjectId::Pod(id), Field::NodeName, Value::Absent, Value::Node(node));
    t.event(id, EventId::Scheduled(node));
    Ok(())
}

/// U3: a user deletes the Pod. A bound one stays until its kubelet lets go, an unbound one goes at once.
///
/// Source: pkg/registry/core/pod/strategy.go `CheckGracefulDelete`.
pub(super) fn deleted(t: &mut Turn, id: PodId) -> Step {
    let pod = t.cluster.pod(id);
    here(pod)?;
    need(!pod.deleting, Unmet::PodDeleting)?;
    let bound = pod.node.is_some();
    t.cluster.pod_mut(id).deleting = true;
    t.write(ObjectId::Pod(id), Field::DeletionTimestamp, Value::Absent, Value::Set);
    if !bound {
        t.cluster.pod_mut(id).presence = Presence::Gone;
        t.delete(ObjectId::Pod(id));
    }
    Ok(())
}

/// K6: kubelet starts to work on the Pod and says so in its status.
pub(super) fn admitted(t: &mut Turn, id: PodId) -> Step {
    let pod = t.cluster.pod(id);
    here(pod)?;
    t.link_of(id)?;
    need(!pod.deleting, Unmet::PodDeleting)?;
    need(pod.container == Container::None, Unmet::ContainerReported)?;
    t.read(ObjectId::Pod(id));
    set_container(t, id, Container::Waiting);
    Ok(())
}

/// K6: with the volume mounted, kubelet has the containers started.
pub(super) fn started(t: &mut Turn, id: PodId) -> Step {
    let pod = *t.cluster.pod(id);
    here(&pod)?;
    let link = t.link_of(id)?;
    need(!pod.deleting, Unmet::PodDeleting)?;
    need(pod.container == Container::Waiting, Unmet::ContainerNotWaiting)?;
    need(t.cluster.place(link).kubelet.mounted.contains(id), Unmet::NotMounted)?;
    t.cluster.pod_mut(id).runtime = Runtime::Running;
    t.event(id, EventId::Pulled);
    t.event(id, EventId::Created);
    t.event(id, EventId::Started);
    set_container(t, id, Container::Running);
    set_phase(t, id, Phase::Running);
    Ok(())
}

/// K6: the Pod is being deleted, so kubelet tells its containers to stop.
pub(super) fn stopped(t: &mut Turn, id: PodId) -> Step {
    let pod = t.cluster.pod(id);
    here(pod)?;
    need(pod.deleting, Unmet::PodNotDeleting)?;
    need(pod.runtime == Runtime::Running, Unmet::ContainersNotThere)?;
    t.read(ObjectId::Pod(id));
    t.cluster.pod_mut(id).runtime = Runtime::Stopping;
    t.event(id, EventId::Killing);
    Ok(())
}

/// K6: the containers have ended, or never ran; kubelet writes the Pod's last status.
pub(super) fn ended(t: &mut Turn, id: PodId, exit: Exit) -> Step {
    let pod = *t.cluster.pod(id);
    here(&pod)?;
    t.link_of(id)?;
    need(pod.deleting, Unmet::PodNotDeleting)?;
    let before = match exit {
        Exit::Completed | Exit::Error => Runtime::Stopping,
        Exit::Unknown => Runtime::Idle,
    };
    need(pod.runtime == before, Unmet::ContainersNotThere)?;
    t.cluster.pod_mut(id).runtime = Runtime::Ended;
    set_container(t, id, Container::Terminated(exit));
    let phase = match exit {
        Exit::Completed => Phase::Succeeded,
        Exit::Error | Exit::Unknown => Phase::Failed,
    };
    set_phase(t, id, phase);
    Ok(())
}

/// K12: the Pod object goes once its volumes are unmounted; unstage and detach may come later.
pub(super) fn removed(t: &mut Turn, id: PodId) -> Step {
    let pod = t.cluster.pod(id);
    here(pod)?;
    let link = t.link_of(id)?;
    need(pod.deleting, Unmet::PodNotDeleting)?;
    need(pod.runtime == Runtime::Ended, Unmet::ContainersNotThere)?;
    need(!t.cluster.place(link).kubelet.mounted.contains(id), Unmet::Mounted)?;
    t.cluster.pod_mut(id).presence = Presence::Gone;
    t.delete(ObjectId::Pod(id));
    Ok(())
}

fn set_container(t: &mut Turn, id: PodId, to: Container) {
    let pod = t.cluster.pod_mut(id);
    let from = match pod.container {
        Container::None => Value::Absent,
        container @ (Container::Waiting | Container::Running | Container::Terminated(_)) => {
            Value::Container(container)
        }
    };
    pod.container = to;
    t.write(ObjectId::Pod(id), Field::ContainerStatuses, from, Value::Container(to));
}

fn set_phase(t: &mut Turn, id: PodId, to: Phase) {
    let pod = t.cluster.pod_mut(id);
    let from = pod.phase;
    pod.phase = to;
    t.write(ObjectId::Pod(id), Field::Phase, Value::Phase(from), Value::Phase(to));
}
