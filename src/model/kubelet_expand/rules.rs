//! The expansion of a volume on its Node, step by step (K18).

use super::{Check, Event, Expand, ExpandStep, NodeExpandError, Sizes, check, left, node_expand_error};
use crate::model::effect::{About, Failure, Method, Reply};
use crate::model::growth::{Allocated, Condition};
use crate::model::kubelet::{KubeletOperation as Op, MountState, begin};
use crate::model::resizer::{finish, set_allocated, set_conditions};
use crate::model::turn::{Turn, need};
use crate::model::{ClaimId, Code, EventId, Failure as Cause, FaultId, Link, ObjectId, Place, PodId, Unmet};

type Step = Result<(), Unmet>;

/// The claim of a volume, and what kubelet looks at before it expands it.
fn look(t: &Turn, link: Link) -> Result<(ClaimId, Check), Unmet> {
    let volume = t.cluster.volume(link.volume);
    let id = volume.claim.ok_or(Unmet::ClaimMissing)?;
    let claim = t.cluster.claim(id);
    let sizes = Sizes {
        claim: claim.capacity.into(),
        volume: volume.capacity.into(),
        allocated: claim.growth.allocated,
        many_nodes: t.world.volume(link.volume).access_mode.allows_many_nodes(),
        skips_node: claim.growth.skips_node,
    };
    Ok((id, check(sizes)))
}

/// A Pod at whose path the volume is mounted here.
fn user(t: &Turn, link: Link) -> Result<PodId, Unmet> {
    let mounted = t.cluster.place(link).kubelet.mounted;
    t.world.pods().find(|pod| mounted.contains(*pod)).ok_or(Unmet::NotMounted)
}

/// The PersistentVolume is larger than what kubelet knows the mounted volume to be.
fn has_grown(t: &Turn, link: Link) -> Step {
    let volume = t.cluster.volume(link.volume);
    let claim = volume.claim.ok_or(Unmet::ClaimMissing)?;
    let known = t.cluster.place(link).expand.size.max(t.cluster.claim(claim).capacity);
    need(volume.capacity > known, Unmet::LargeEnough)
}

/// A mounted volume that is to grow, with no operation on it.
fn online(t: &Turn, link: Link) -> Result<PodId, Unmet> {
    let place = t.cluster.place(link);
    need(place.kubelet.operation == Op::None, Unmet::OperationPending)?;
    need(!place.expand.stopped, Unmet::InUse)?;
    let pod = user(t, link)?;
    has_grown(t, link)?;
    Ok(pod)
}

/// K18: the claim's status tells that the expansion is under way; a claim that has its size is not touched.
pub(super) fn marks(t: &mut Turn, link: Link) -> Step {
    let expand = t.cluster.place(link).expand;
    let pod = if expand.step == ExpandStep::Due {
        expand.pod.ok_or(Unmet::NoOperation)?
    } else {
        let pod = online(t, link)?;
        need(!t.world.pod(pod).read_only, Unmet::ReadOnly)?;
        pod
    };
    let (claim, check) = look(t, link)?;
    let marks = match check {
        Check::Call(marks) => marks,
        Check::Refused => return Err(Unmet::ResizeInfeasible),
        Check::Done => return Err(Unmet::LargeEnough),
    };
    t.read(ObjectId::Claim(claim));
    t.read(ObjectId::Volume(link.volume));
    begin(t, link, Op::Expand);
    let expand = &mut t.cluster.place_mut(link).expand;
    expand.step = ExpandStep::Marked;
    expand.pod = Some(pod);
    if marks {
        set_allocated(t, claim, Allocated::NodeResizeInProgress);
    }
    Ok(())
}

/// F7: the Pod has the volume read-only, so it does not grow there.
pub(super) fn finds_read_only(t: &mut Turn, link: Link) -> Step {
    let pod = online(t, link)?;
    need(t.world.pod(pod).read_only, Unmet::NotReadOnly)?;
    need(!t.cluster.place(link).expand.told, Unmet::AlreadyTold)?;
    t.cluster.place_mut(link).expand.told = true;
    let (claim, _) = look(t, link)?;
    tell_both(t, pod, claim, Event::ReadOnly(link.volume));
    Ok(())
}

/// K18: NodeExpandVolume leaves.
pub(super) fn calls(t: &mut Turn, link: Link) -> Step {
    need(t.world.driver().node_expand, Unmet::NoNodeExpansion)?;
    let pod = at(t, link, ExpandStep::Marked)?;
    t.cluster.place_mut(link).expand.step = ExpandStep::Called;
    t.call(Method::NodeExpandVolume, About::Target(link, pod));
    Ok(())
}

/// K18: the node plugin lacks EXPAND_VOLUME, so it is not called.
pub(super) fn finds_no_expand(t: &mut Turn, link: Link) -> Step {
    need(!t.world.driver().node_expand, Unmet::NodeExpansion)?;
    let pod = at(t, link, ExpandStep::Marked)?;
    let event = |mounts| {
        if mounts { Event::MountNotSupported(link.volume) } else { Event::NotSupported(link.volume) }
    };
    fails(t, link, pod, NodeExpandError::NotSupported, event)
}

/// K18: the reply arrives.
pub(super) fn receives_ok(t: &mut Turn, link: Link) -> Step {
    let pod = at(t, link, ExpandStep::Done)?;
    t.cluster.place_mut(link).expand.step = ExpandStep::Expanded;
    t.reply(Method::NodeExpandVolume, About::Target(link, pod), Reply::Ok);
    Ok(())
}

/// K18: an error arrives, and the driver has or has not done it all the same.
pub(super) fn receives_failed(t: &mut Turn, link: Link, fault: FaultId) -> Step {
    let did = t.cluster.place(link).expand.step == ExpandStep::Done;
    let pod = at(t, link, if did { ExpandStep::Done } else { ExpandStep::Called })?;
    let code = t.world.fault(fault).and_then(crate::model::Fault::code).ok_or(Unmet::NoSuchFault)?;
    t.spend_fault(fault, Method::NodeExpandVolume, Some(link.node), did)?;
    let failure: Cause = Failure::Fault(fault);
    t.reply(Method::NodeExpandVolume, About::Target(link, pod), Reply::Failed(failure));
    need(code != Code::Ok, Unmet::NoSuchFault)?;
    let event = |mounts| {
        if mounts { Event::MountFailed(link.volume, failure) } else { Event::Failed(link.volume, failure) }
    };
    fails(t, link, pod, node_expand_error(code), event)
}

/// K18: every error is final here, in that the claim's status tells of it; kubelet tries again all the same.
fn fails(
    t: &mut Turn,
    link: Link,
    pod: PodId,
    error: NodeExpandError,
    event: impl Fn(bool) -> Event,
) -> Step {
    let (claim, check) = look(t, link)?;
    let marks = check == Check::Call(true);
    let after = left(Err(error), marks);
    if !after.error {
        // Nothing was left to do, so that the expansion is over.
        t.cluster.place_mut(link).expand.step = ExpandStep::Told;
        return finishes(t, link);
    }
    if marks {
        set_allocated(t, claim, after.allocated);
        let conditions = t.cluster.claim(claim).growth.conditions.with(Condition::NodeResizeError);
        set_conditions(t, claim, conditions);
    }
    let mounts = t.cluster.place(link).expand.mounts;
    t.event(ObjectId::Pod(pod), EventId::KubeletExpand(event(mounts)));
    begin(t, link, Op::None);
    let place = t.cluster.place_mut(link);
    if mounts {
        // It is published, so that it is mounted anew, and unpublished should the Pod go.
        place.kubelet.set_mount(pod, MountState::Uncertain);
        place.expand = Expand::default();
    } else {
        place.expand.failed = true;
        place.expand.stopped = error == NodeExpandError::InUse;
        place.expand.step = ExpandStep::Idle;
    }
    Ok(())
}

/// K18: Events about the Pod and the claim say that the file system has grown.
pub(super) fn tells(t: &mut Turn, link: Link) -> Step {
    let pod = at(t, link, ExpandStep::Expanded)?;
    let (claim, _) = look(t, link)?;
    t.cluster.place_mut(link).expand.step = ExpandStep::Told;
    tell_both(t, pod, claim, Event::Expanded(link));
    Ok(())
}

/// K18: the claim gets its new size and loses what told of the expansion; a mount goes on.
pub(super) fn finishes(t: &mut Turn, link: Link) -> Step {
    let pod = at(t, link, ExpandStep::Told)?;
    let (claim, check) = look(t, link)?;
    let size = t.cluster.volume(link.volume).capacity;
    if check == Check::Call(true) {
        finish(t, claim, size);
    }
    begin(t, link, Op::None);
    let place = t.cluster.place_mut(link);
    if place.expand.mounts {
        place.kubelet.set_mount(pod, MountState::Mounted);
    }
    place.expand = Expand { size, ..Expand::default() };
    Ok(())
}

/// K4f: a volume that is just published grows before its mount is over, if it is to. Whether it is.
pub(in crate::model) fn at_mount(t: &mut Turn, link: Link, pod: PodId) -> bool {
    let grows = t.world.claims().any(|claim| !t.world.claim(claim).resizes.is_empty());
    let due = matches!(look(t, link), Ok((_, Check::Call(true))));
    let larger = t
        .cluster
        .volume(link.volume)
        .claim
        .is_some_and(|claim| t.cluster.volume(link.volume).capacity > t.cluster.claim(claim).capacity);
    if !grows || !due || !larger || t.world.pod(pod).read_only {
        return false;
    }
    begin(t, link, Op::Expand);
    let expand = &mut t.cluster.place_mut(link).expand;
    *expand = Expand { step: ExpandStep::Due, pod: Some(pod), mounts: true, ..Expand::default() };
    true
}

/// kubelet has unmounted the volume and remembers nothing of it.
pub(in crate::model) fn forget(place: &mut Place) {
    place.expand = Expand::default();
}

/// The Pod of an expansion that is this far.
fn at(t: &Turn, link: Link, step: ExpandStep) -> Result<PodId, Unmet> {
    let expand = t.cluster.place(link).expand;
    need(expand.step == step, Unmet::NoSuchCall)?;
    expand.pod.ok_or(Unmet::NoSuchCall)
}

fn tell_both(t: &mut Turn, pod: PodId, claim: ClaimId, event: Event) {
    t.event(ObjectId::Pod(pod), EventId::KubeletExpand(event));
    t.event(ObjectId::Claim(claim), EventId::KubeletExpand(event));
}
