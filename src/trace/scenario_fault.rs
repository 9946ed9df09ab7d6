//! The faults of a scenario file, and the words by which its script names things.

use super::scenario_file::{Problem, ScenarioError};
use super::scenario_parts::Names;
use super::scenario_raw::{RawFault, Text};
use crate::model::hand::Deed;
use crate::model::{
    ClaimId, Code, Fault, FaultKind, Kind, Link, Method, NodeId, ObjectId, PodId, Role, Subject, World,
    may_hang, usual,
};
use std::ops::Range;

/// What makes a fault what it is: it has one of these keys.
const KEYS: &[&str] = &["answer", "down", "refuse", "by_hand", "force", "delete_namespace", "hangs", "taint"];

/// What the API server says where the scenario does not.
const REFUSAL: &str = "etcdserver: request timed out";

/// Deeds by hand, as the actions that they are.
const DEEDS: [&str; 8] = [
    "user-deletes-node",
    "user-taints-out-of-service",
    "user-untaints-out-of-service",
    "user-deletes-attachment",
    "user-strips-attachment",
    "user-creates-secret",
    "user-strips-volume",
    "user-strips-claim",
];

/// A fault of the file, which begins there.
pub(super) fn fault(names: &Names<'_>, at: &Range<usize>, raw: &RawFault) -> Result<Fault, ScenarioError> {
    let node = raw.node.as_ref().map(|name| names.node(name)).transpose()?;
    let node = node.and_then(NodeId::of);
    let keys = [
        raw.answer.is_some(),
        raw.down.is_some(),
        raw.refuse.is_some(),
        raw.by_hand.is_some(),
        raw.force.is_some(),
        raw.delete_namespace,
        raw.hangs.is_some(),
        raw.taint.is_some(),
    ];
    if keys.into_iter().filter(|there| *there).count() != 1 {
        return Err(names.source.error(at, Problem::OneOf("a fault", KEYS)));
    }
    let kind = if let Some(method) = &raw.answer {
        answer(names, raw, method, node)?
    } else if let Some(method) = &raw.hangs {
        let can: Vec<Method> = may_hang().collect();
        let place = names.source.place("CSI method", method, can.iter().map(|method| method.name()))?;
        let called = can.get(place).copied().unwrap_or(Method::NodeStageVolume);
        on_node(names, method, called, node)?;
        let method = called;
        FaultKind::Hangs { method, node, ms: raw.late_ms }
    } else if let Some(role) = &raw.down {
        down(names, role, node)?
    } else if let Some(kind) = &raw.refuse {
        let place = names.source.place("kind", kind, Kind::ALL.iter().map(|kind| kind.name()))?;
        let kind = Kind::ALL.get(place).copied().unwrap_or(Kind::Pod);
        FaultKind::Refused { kind, message: raw.message.clone().unwrap_or_else(|| REFUSAL.into()) }
    } else if let Some(deed) = &raw.by_hand {
        FaultKind::ByHand { deed: by_hand(names, raw, deed)? }
    } else if let Some(pod) = &raw.force {
        let place = names.pod(pod)?;
        let missing = || Problem::Unknown("Pod", pod.get_ref().clone(), Vec::new());
        let found = PodId::of(place).ok_or_else(|| names.source.error(&pod.span(), missing()))?;
        FaultKind::PodForced { pod: found }
    } else if let Some(name) = &raw.taint {
        let missing = || Problem::Unknown("Node", name.get_ref().clone(), Vec::new());
        let found = NodeId::of(names.node(name)?);
        FaultKind::Tainted { node: found.ok_or_else(|| names.source.error(&name.span(), missing()))? }
    } else {
        FaultKind::NamespaceDeleted
    };
    Ok(Fault { kind, times: raw.times })
}

/// Only a call that names a Node can fail on one.
fn on_node(names: &Names<'_>, at: &Text, method: Method, node: Option<NodeId>) -> Result<(), ScenarioError> {
    let attaches = [Method::ControllerPublishVolume, Method::ControllerUnpublishVolume].contains(&method);
    if node.is_none() || attaches || method.is_of_node() {
        return Ok(());
    }
    Err(names.source.error(&at.span(), Problem::NoNode(method.name().into())))
}

fn answer(
    names: &Names<'_>,
    raw: &RawFault,
    name: &Text,
    node: Option<NodeId>,
) -> Result<FaultKind, ScenarioError> {
    let methods = Method::ALL.iter().map(|method| method.name());
    let place = names.source.place("CSI method", name, methods)?;
    let codes: Vec<Code> = Code::all().filter(|code| *code != Code::Ok).collect();
    let code = match &raw.code {
        Some(name) => names.source.place("code", name, codes.iter().map(|code| code.name()))?,
        None => codes.iter().position(|code| *code == Code::Internal).unwrap_or_default(),
    };
    let method = Method::ALL.get(place).copied().unwrap_or(Method::CreateVolume);
    on_node(names, name, method, node)?;
    let code = codes.get(code).copied().unwrap_or(Code::Internal);
    let message = raw.message.clone().unwrap_or_else(|| usual(method, code));
    Ok(FaultKind::Answer { method, node, code, message, did: raw.did_it })
}

/// A process is down; where it runs on every Node, on one of them.
fn down(names: &Names<'_>, role: &Text, node: Option<NodeId>) -> Result<FaultKind, ScenarioError> {
    let place = names.source.place("actor", role, Role::ALL.iter().map(|role| role.name()))?;
    let found = Role::ALL.get(place).copied().unwrap_or(Role::User);
    if found.is_of_node() != node.is_some() {
        let name = role.get_ref().clone();
        return Err(names.source.error(&role.span(), Problem::OfNode(name, found.is_of_node())));
    }
    Ok(FaultKind::Down { role: found, node })
}

fn by_hand(names: &Names<'_>, raw: &RawFault, deed: &Text) -> Result<Deed, ScenarioError> {
    let place = names.source.place("deed", deed, DEEDS.into_iter())?;
    let needs = |key: &Option<Text>, what: &'static str| {
        let name = deed.get_ref().clone();
        key.clone().ok_or_else(|| names.source.error(&deed.span(), Problem::Needs(name, what)))
    };
    let node = || needs(&raw.node, "node").and_then(|name| names.node(&name));
    let volume = || needs(&raw.volume, "volume").and_then(|name| names.volume(&name));
    let claim = || needs(&raw.claim, "claim").and_then(|name| names.claim(&name));
    let (volume, node, claim) = match place {
        0..=2 => (0, node()?, 0),
        3 | 4 => (volume()?, node()?, 0),
        5 | 6 => (volume()?, 0, 0),
        _ => (0, 0, claim()?),
    };
    // Names that are found have places that fit.
    let Some((link, claim)) = Link::of(volume, node).zip(ClaimId::of(claim)) else {
        return Err(names.source.error(&deed.span(), Problem::Needs(deed.get_ref().clone(), "volume")));
    };
    Ok(match place {
        0 => Deed::DeleteNode(link.node),
        1 => Deed::TaintOutOfService(link.node),
        2 => Deed::UntaintOutOfService(link.node),
        3 => Deed::DeleteAttachment(link),
        4 => Deed::StripAttachment(link),
        5 => Deed::CreateSecret(link.volume),
        6 => Deed::StripVolume(link.volume),
        _ => Deed::StripClaim(claim),
    })
}

/// The words by which a script names what an action is about: the thing's own name first.
pub(super) fn about(world: &World, faults: &[String], subject: Subject) -> Vec<String> {
    let name = |object: ObjectId| world.object(object).name;
    match subject {
        Subject::Pod(pod) => vec![name(ObjectId::Pod(pod))],
        Subject::Link(link) => vec![name(ObjectId::Volume(link.volume)), name(ObjectId::Node(link.node))],
        Subject::Node(node) => vec![name(ObjectId::Node(node))],
        Subject::Claim(claim) => vec![name(ObjectId::Claim(claim))],
        Subject::Volume(volume) => vec![name(ObjectId::Volume(volume))],
        Subject::Class(class) => vec![name(ObjectId::Class(class))],
        Subject::Snapshot(snapshot) => vec![name(ObjectId::Snapshot(snapshot))],
        Subject::Fault(fault) => {
            let place = world.faults().position(|(id, _)| id == fault);
            let given = place.and_then(|place| faults.get(place)).filter(|given| !given.is_empty());
            // A Pod that is removed by force is named like one that is deleted.
            let pod = match world.fault(fault).map(|fault| &fault.kind) {
                Some(FaultKind::PodForced { pod }) => Some(name(ObjectId::Pod(*pod))),
                Some(_) | None => None,
            };
            given.cloned().into_iter().chain(pod).collect()
        }
    }
}
