//! kubelet's work on the Pod itself: admitted, run, stopped and removed (K6, K12).

use super::mount::held;
use super::{Boot, Event};
use crate::model::effect::{Field, Value};
use crate::model::turn::{Turn, need};
use crate::model::{
    Container, EventId, Exit, Link, ObjectId, Phase, Pod, PodId, Presence, Runtime, Unmet, VolumeMode,
};

type Step = Result<(), Unmet>;

fn here(pod: &Pod) -> Step {
    need(pod.presence == Presence::Here, Unmet::PodMissing)
}

/// Whether the Pod object went although kubelet had not let go of it.
fn is_gone(pod: &Pod) -> bool {
    pod.presence == Presence::Gone
}

/// K6: kubelet starts to work on the Pod and says so in its status.
pub(super) fn admitted(t: &mut Turn, id: PodId) -> Step {
    let pod = t.cluster.pod(id);
    here(pod)?;
    need(pod.node.is_some(), Unmet::PodUnbound)?;
    need(!pod.deleting, Unmet::PodDeleting)?;
    need(pod.container == Container::None, Unmet::ContainerReported)?;
    t.read(ObjectId::Pod(id));
    set_container(t, id, Container::Waiting);
    Ok(())
}

/// K6: with the volume mounted kubelet goes on although its first status has not come through: statuses are
/// written beside the work.
pub(super) fn begun(t: &mut Turn, id: PodId) -> Step {
    let pod = *t.cluster.pod(id);
    here(&pod)?;
    let link = held(t, id)?;
    need(!pod.deleting, Unmet::PodDeleting)?;
    need(pod.container == Container::None, Unmet::ContainerReported)?;
    need(pod.runtime == Runtime::Idle, Unmet::ContainersNotThere)?;
    need(t.cluster.place(link).kubelet.mounted.contains(id), Unmet::NotMounted)?;
    t.cluster.pod_mut(id).runtime = Runtime::Creating;
    tell(t, id, Event::Pulled(id));
    Ok(())
}

/// K6: with the volume mounted, kubelet has the containers started.
pub(super) fn started(t: &mut Turn, id: PodId) -> Step {
    let pod = *t.cluster.pod(id);
    here(&pod)?;
    let link = held(t, id)?;
    need(!pod.deleting, Unmet::PodDeleting)?;
    need(pod.container == Container::Waiting, Unmet::ContainerNotWaiting)?;
    let place = t.cluster.place(link);
    need(place.kubelet.mounted.contains(id), Unmet::NotMounted)?;
    t.cluster.pod_mut(id).runtime = Runtime::Running;
    if pod.runtime != Runtime::Creating {
        tell(t, id, Event::Pulled(id));
    }
    tell(t, id, Event::Created);
    tell(t, id, Event::Started);
    set_container(t, id, Container::Running);
    set_phase(t, id, Phase::Running);
    Ok(())
}

/// K6: the Pod is being deleted, or was removed by force, so kubelet tells its containers to stop.
pub(super) fn stopped(t: &mut Turn, id: PodId) -> Step {
    let pod = t.cluster.pod(id);
    need(pod.presence != Presence::NotYet, Unmet::PodMissing)?;
    need(pod.deleting || is_gone(pod), Unmet::PodNotDeleting)?;
    need(pod.runtime == Runtime::Running, Unmet::ContainersNotThere)?;
    t.read(ObjectId::Pod(id));
    t.cluster.pod_mut(id).runtime = Runtime::Stopping;
    tell(t, id, Event::Killing(id));
    Ok(())
}

/// K6: the containers have ended, or never ran; kubelet writes the Pod's last status, where there is a Pod.
pub(super) fn ended(t: &mut Turn, id: PodId, exit: Exit) -> Step {
    let pod = *t.cluster.pod(id);
    need(pod.presence != Presence::NotYet, Unmet::PodMissing)?;
    need(pod.node.is_some(), Unmet::PodUnbound)?;
    need(pod.deleting || is_gone(&pod), Unmet::PodNotDeleting)?;
    let before: &[Runtime] = match exit {
        Exit::Completed | Exit::Error => &[Runtime::Stopping],
        Exit::Unknown => &[Runtime::Idle, Runtime::Creating],
    };
    need(before.contains(&pod.runtime), Unmet::ContainersNotThere)?;
    t.cluster.pod_mut(id).runtime = Runtime::Ended;
    if is_gone(&pod) {
        return Ok(());
    }
    set_container(t, id, Container::Terminated(exit));
    let phase = match exit {
        Exit::Completed => Phase::Succeeded,
        Exit::Error | Exit::Unknown => Phase::Failed,
    };
    set_phase(t, id, phase);
    Ok(())
}

/// K6: the containers have ended by themselves: the Pod stays and is `Succeeded`, but needs no volume any more.
pub(super) fn completed(t: &mut Turn, id: PodId) -> Step {
    need(t.world.pod(id).completes, Unmet::PodDoesNotComplete)?;
    let pod = t.cluster.pod(id);
    here(pod)?;
    need(!pod.deleting, Unmet::PodDeleting)?;
    need(pod.runtime == Runtime::Running, Unmet::ContainersNotThere)?;
    t.cluster.pod_mut(id).runtime = Runtime::Ended;
    set_container(t, id, Container::Terminated(Exit::Completed));
    set_phase(t, id, Phase::Succeeded);
    Ok(())
}

/// K12: the Pod object goes once its volumes are unmounted, as kubelet knows them and as the Node's mount table shows
/// them in the Pod's directory; unstage and detach may come later.
///
/// Source: pkg/kubelet/kubelet_volumes.go `podVolumesExist`.
pub(super) fn removed(t: &mut Turn, id: PodId) -> Step {
    let pod = t.cluster.pod(id);
    here(pod)?;
    let node = pod.node.ok_or(Unmet::PodUnbound)?;
    need(pod.deleting, Unmet::PodNotDeleting)?;
    need(pod.runtime == Runtime::Ended, Unmet::ContainersNotThere)?;
    // Just started, it has not looked at its disk yet.
    need(t.cluster.node(node).agent.boot != Boot::Started, Unmet::NotReconstructed)?;
    // Whatever its claim says by now: what kubelet has mounted for the Pod counts, and so does what a call that has not
    // returned has mounted already. A raw device is bound elsewhere.
    let is_mounted = |volume| {
        let place = t.cluster.place(Link { volume, node });
        let in_directory = t.world.volume(volume).mode == VolumeMode::Filesystem;
        place.kubelet.mount(id).may_be_mounted() || (in_directory && place.real.targets.contains(id))
    };
    need(!t.world.volumes().any(is_mounted), Unmet::Mounted)?;
    t.cluster.pod_mut(id).presence = Presence::Gone;
    t.delete(ObjectId::Pod(id));
    Ok(())
}

fn tell(t: &mut Turn, id: PodId, event: Event) {
    t.event(ObjectId::Pod(id), EventId::Kubelet(event));
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
