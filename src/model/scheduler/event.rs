//! The Events of kube-scheduler, all about a Pod.

use super::{NodeReason, PreFilterReason};
use crate::model::event::{EventType, Text};
use crate::model::world::MAX_NODES;
use crate::model::{ClaimId, NodeId, PodId, World};
use std::collections::BTreeMap;

/// An Event that kube-scheduler sends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Event {
    /// It bound the Pod to this Node.
    Scheduled(PodId, NodeId),
    /// It found no Node, or the volumes were not bound.
    FailedScheduling(PodId, Why),
}

/// Why a try to schedule a Pod failed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Why {
    /// Before any Node was looked at.
    PreFilter(PreFilterReason),
    /// Every Node was refused, each for this reason.
    Nodes([Option<NodeReason>; MAX_NODES]),
    /// A Node was chosen, but the volumes were not bound.
    PreBind(PreBindReason),
}

/// Why the volumes of a Pod were not bound although a Node was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum PreBindReason {
    /// It took longer than ten minutes.
    Deadline,
    /// The provisioner took the selected Node off the claim.
    ProvisioningFailed(ClaimId),
    /// The same, before the claim had any other annotation.
    SelectedNodeReset(ClaimId),
    /// The claim is gone.
    ClaimGone(ClaimId),
}

impl Event {
    pub(in crate::model) fn text(self, world: &World) -> Text {
        match self {
            Event::Scheduled(pod, node) => (
                EventType::Normal,
                "Scheduled",
                format!(
                    "Successfully assigned {}/{} to {}",
                    world.namespace(),
                    world.pod(pod).name,
                    world.node(node).name
                ),
            ),
            Event::FailedScheduling(pod, why) => {
                (EventType::Warning, "FailedScheduling", why.message(world, pod))
            }
        }
    }
}

impl Why {
    /// The Event's message.
    ///
    /// Source: pkg/scheduler/framework/types.go `FitError.Error`.
    pub fn message(self, world: &World, pod: PodId) -> String {
        let none = |nodes: usize| format!("0/{nodes} nodes are available: ");
        match self {
            Why::PreFilter(reason) => {
                format!("{}{}. not found", none(world.nodes().count()), reason.message(world, pod))
            }
            Why::Nodes(reasons) => {
                let reasons: Vec<NodeReason> = reasons.into_iter().flatten().collect();
                let none = none(reasons.len());
                let texts = counted(reasons.iter().map(|reason| reason.message()));
                let helps = counted(reasons.iter().map(|reason| reason.preemption()));
                format!("{none}{texts}. no new claims to deallocate, preemption: {none}{helps}.")
            }
            Why::PreBind(reason) => {
                format!(
                    "running PreBind plugin \"VolumeBinding\": binding volumes: {}",
                    reason.message(world)
                )
            }
        }
    }
}

/// Texts with how often each comes, sorted as texts with their numbers are.
fn counted<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for text in texts {
        *counts.entry(text).or_default() += 1;
    }
    let mut parts: Vec<String> = counts.into_iter().map(|(text, count)| format!("{count} {text}")).collect();
    parts.sort();
    parts.join(", ")
}

impl PreBindReason {
    /// What went wrong.
    ///
    /// Source: pkg/scheduler/framework/plugins/volumebinding/binder.go `checkBindings`.
    pub fn message(self, world: &World) -> String {
        match self {
            PreBindReason::Deadline => "context deadline exceeded".into(),
            PreBindReason::ProvisioningFailed(claim) => {
                format!("provisioning failed for PVC \"{}\"", world.claim(claim).name)
            }
            PreBindReason::SelectedNodeReset(claim) => {
                format!("selectedNode annotation reset for PVC \"{}\"", world.claim(claim).name)
            }
            PreBindReason::ClaimGone(claim) => {
                let name = &world.claim(claim).name;
                format!("failed to get pvc: {}/{name} not found", world.namespace())
            }
        }
    }
}
