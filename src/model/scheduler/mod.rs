//! kube-scheduler, as far as volumes matter to it (SC1 to SC7).

mod event;
mod filter;
mod rules;
mod state;

use super::action::{Fact, Subject};
use super::timing::{self, WATCH, When};
use super::turn::Turn;
use super::{AccessMode, Action, ClaimId, Cluster, NodeId, PodId, Role, Unmet, World};
pub use event::{Event, PreBindReason, Why};
pub use filter::{NodeReason, PreFilterReason, filter, pre_filter};
pub use state::Scheduling;

/// Something that kube-scheduler does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the sentence that its name in `fact` spells")]
pub enum Act {
    BindsPod(PodId, NodeId),
    FindsNoNode(PodId),
    SelectsNode(PodId, NodeId),
    SeesBindingFail(PodId),
    TimesOut(PodId),
}

impl Act {
    pub(super) fn fact(self) -> Fact {
        const BINDER: &str = "pkg/scheduler/framework/plugins/volumebinding/binder.go";
        let fact = |rule, name, source| Fact { role: Role::KubeScheduler, rule, name, source };
        match self {
            Act::BindsPod(..) => fact(
                "SC4",
                "scheduler-binds-pod",
                "pkg/scheduler/framework/plugins/defaultbinder/default_binder.go",
            ),
            Act::FindsNoNode(_) => fact(
                "SC2",
                "scheduler-finds-no-node",
                "pkg/scheduler/schedule_one.go handleSchedulingFailure",
            ),
            Act::SelectsNode(..) => fact("SC3", "scheduler-selects-node", BINDER),
            Act::SeesBindingFail(_) => fact("SC7", "scheduler-sees-binding-fail", BINDER),
            Act::TimesOut(_) => fact("SC3", "scheduler-times-out", BINDER),
        }
    }

    pub(super) fn subject(self) -> Subject {
        match self {
            Act::BindsPod(pod, _)
            | Act::FindsNoNode(pod)
            | Act::SelectsNode(pod, _)
            | Act::SeesBindingFail(pod)
            | Act::TimesOut(pod) => Subject::Pod(pod),
        }
    }

    pub(super) fn when(self, _: &World, cluster: &Cluster) -> When {
        match self {
            // PreBind looks once a second whether the volumes are bound.
            Act::BindsPod(pod, _) if cluster.scheduling(pod).assumed.is_some() => {
                When::After(timing::BIND_POLL.ms)
            }
            Act::SelectsNode(pod, _) if cluster.scheduling(pod).told.is_some() => timing::SCHEDULE_BACKOFF,
            Act::BindsPod(..) | Act::FindsNoNode(_) | Act::SelectsNode(..) => When::After(WATCH.ms),
            Act::SeesBindingFail(_) => When::After(timing::BIND_POLL.ms),
            Act::TimesOut(_) => When::After(timing::BIND_TIMEOUT.ms),
        }
    }

    pub(super) fn run(self, t: &mut Turn) -> Result<(), Unmet> {
        match self {
            Act::BindsPod(id, node) => rules::binds_pod(t, id, node),
            Act::FindsNoNode(id) => rules::finds_no_node(t, id),
            Act::SelectsNode(id, node) => rules::selects_node(t, id, node),
            Act::SeesBindingFail(id) => rules::sees_binding_fail(t, id),
            Act::TimesOut(id) => rules::times_out(t, id),
        }
    }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    for id in world.pods() {
        found.extend(world.nodes().map(|node| Action::Scheduler(Act::BindsPod(id, node))));
        let claim = world.claim_of(id);
        if claim.is_some_and(|claim| !world.claim(claim).given) {
            found.extend(world.nodes().map(|node| Action::Scheduler(Act::SelectsNode(id, node))));
            found.extend([Act::SeesBindingFail(id), Act::TimesOut(id)].map(Action::Scheduler));
        }
        if can_be_kept_waiting(world, id, claim) {
            found.push(Action::Scheduler(Act::FindsNoNode(id)));
        }
    }
}

/// Whether there may ever be no Node for a Pod in this world.
fn can_be_kept_waiting(world: &World, pod: PodId, claim: Option<ClaimId>) -> bool {
    let limited = world.nodes().any(|node| world.node(node).limit.is_some());
    let kept = claim.is_none_or(|claim| {
        let spec = world.claim(claim);
        let tied = spec.volume_name.and_then(|place| world.volumes().nth(place));
        spec.kept
            && spec.given
            && spec.access_mode != AccessMode::ReadWriteOncePod
            && tied.is_none_or(|volume| world.volume(volume).affinity.is_none())
    });
    limited || !kept || world.pod(pod).selector.is_some()
}
