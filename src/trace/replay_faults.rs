//! What went wrong in a recording: its errors as answers, its notes about processes as stops and starts.

use super::recording::{Observation, Seen};
use super::replay_lines::Scope;
use super::replay_world::text;
use crate::model::hand::Deed;
use crate::model::{
    Action, Code, Fault, FaultKind, Link, Method, NodeId, NodeSpec, Parts, PodId, PodSpec, Role, Subject,
    World, candidates, names,
};

/// How far a note may be from what it tells, in milliseconds.
const NEAR_MS: u64 = 1000;
/// How far observations of different sources may be out of step, in milliseconds.
const SKEW_MS: u64 = 50;

/// A process that stops or starts between two lines, unseen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Input {
    /// What happens.
    pub action: Action,
    /// When it may happen at the earliest, in the recording's milliseconds.
    pub from: u64,
    /// When it has happened at the latest.
    pub until: u64,
}

/// A note that tells of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    role: Role,
    node: Option<String>,
    t_ms: u64,
    starts: bool,
}

/// Whom a note means, where it does not use a role's name.
const PROCESSES: [(&str, &[Role]); 2] = [
    ("kube-controller-manager", &[Role::AttachDetachController]),
    ("driver process", &[Role::DriverController, Role::DriverNode]),
];

/// The faults of a recording, and the notes that tell when processes stop and start.
pub fn faults(seen: &[Observation], parts: &Parts) -> (Vec<Fault>, Vec<Told>) {
    let nodes = &parts.nodes;
    let mut found: Vec<Fault> = Vec::new();
    let told = notes(seen, nodes);
    for line in seen.iter().filter(|line| !is_unheard(&told, line)) {
        let Seen::Rpc(method, code, fields) = &line.what else { continue };
        let method = Method::ALL.into_iter().find(|known| known.name() == method);
        let code = Code::named(code).filter(|code| *code != Code::Ok);
        let (Some(method), Some(code)) = (method, code) else { continue };
        let kind = FaultKind::Answer {
            method,
            node: None,
            code,
            message: text(fields, "message").unwrap_or_default().into(),
            did: text(fields, "driver_did_it") == Some("true"),
        };
        match found.iter_mut().find(|fault| fault.kind == kind) {
            Some(fault) => fault.times = fault.times.map(|times| times.saturating_add(1)),
            None => found.push(Fault { kind, times: Some(1) }),
        }
    }
    for note in &told {
        let node = note.node.as_ref().and_then(|name| nodes.iter().position(|node| node.name == *name));
        let kind = FaultKind::Down { role: note.role, node: node.and_then(NodeId::of) };
        let stops = told.iter().filter(|t| t.role == note.role && t.node == note.node);
        let stops = stops.filter(|t| !t.starts || is_first(&told, t)).count();
        if !found.iter().any(|fault| fault.kind == kind) {
            found.push(Fault { kind, times: Some(u8::try_from(stops).unwrap_or(u8::MAX)) });
        }
    }
    if emptied(seen).is_some() {
        found.push(Fault { kind: FaultKind::NamespaceDeleted, times: Some(1) });
    }
    found.extend(forced(seen, &parts.pods));
    found.extend(tainted(seen, nodes));
    found.extend(detached(seen, parts));
    (found, told)
}

/// The lines of a recording with each error as its caller heard it: the driver's side may know another text, as when
/// both give a call up at once.
pub fn as_heard(seen: Vec<Observation>) -> Vec<Observation> {
    let said: Vec<Option<String>> = (0..).zip(&seen).map(|(place, line)| said(&seen, place, line)).collect();
    let mut seen = seen;
    for (line, said) in seen.iter_mut().zip(said) {
        if let (Seen::Rpc(_, _, fields), Some(said)) = (&mut line.what, said) {
            fields.insert("message".into(), Some(said));
        }
    }
    seen
}

/// What the caller says of an error in an Event that follows at once.
fn said(seen: &[Observation], place: usize, line: &Observation) -> Option<String> {
    let Seen::Rpc(_, code, _) = &line.what else { return None };
    let start = format!("rpc error: code = {code} desc = ");
    let after = seen.get(place + 1..)?.iter().take_while(|next| next.t_ms <= line.t_ms + SKEW_MS);
    after.filter(|next| next.by == line.by).find_map(|next| match &next.what {
        Seen::Event(_, _, _, message) => message.split_once(&start).map(|(_, text)| text.to_owned()),
        _ => None,
    })
}

/// When a user deletes the namespace, as a note tells, and when the namespace controller begins with it.
fn emptied(seen: &[Observation]) -> Option<(u64, u64)> {
    let told = |line: &&Observation| matches!(&line.what, Seen::Note(note) if note.contains("deletes the namespace"));
    let from = seen.iter().find(told)?.t_ms;
    let begun = seen.iter().find(|line| line.by == Role::NamespaceController.name() && line.t_ms >= from)?;
    Some((from, begun.t_ms))
}

/// VolumeAttachments that a user deletes.
fn detached(seen: &[Observation], parts: &Parts) -> Vec<Fault> {
    let mut found = Vec::new();
    for (volume, spec) in parts.volumes.iter().enumerate() {
        for (node, on) in parts.nodes.iter().enumerate() {
            let name = names::attachment_name(&spec.handle, &parts.driver.name, &on.name);
            let deleted = seen.iter().any(|line| {
                line.by == Role::User.name()
                    && matches!(&line.what, Seen::Update(object, changes)
                        if object.strip_prefix("VolumeAttachment/") == Some(&name)
                            && changes.contains_key("metadata.deletionTimestamp"))
            });
            if let Some(link) = Link::of(volume, node).filter(|_| deleted) {
                let kind = FaultKind::ByHand { deed: Deed::DeleteAttachment(link) };
                found.push(Fault { kind, times: Some(1) });
            }
        }
    }
    found
}

/// Pods that a user deletes by force: one request gives the object its deletionTimestamp and takes it away.
fn forced<'s>(seen: &'s [Observation], pods: &'s [PodSpec]) -> impl Iterator<Item = Fault> + 's {
    let by_user = |line: &&Observation| line.by == Role::User.name();
    seen.iter().filter(by_user).filter_map(move |line| {
        let Seen::Delete(object) = &line.what else { return None };
        let pod = PodId::of(pods.iter().position(|pod| object.strip_prefix("Pod/") == Some(&pod.name))?)?;
        let marked = seen.iter().filter(by_user).any(|mark| {
            let changes = match &mark.what {
                Seen::Update(marked, changes) if marked == object => changes,
                _ => return false,
            };
            changes.contains_key("metadata.deletionTimestamp") && line.t_ms.abs_diff(mark.t_ms) <= SKEW_MS
        });
        marked.then_some(Fault { kind: FaultKind::PodForced { pod }, times: Some(1) })
    })
}

/// When somebody taints a Node, and takes the taint off again, between these moments. Other people's scenarios in the same
/// cluster leave no line, but the scheduler tells of each Pod that it finds a taint.
fn taints(seen: &[Observation]) -> Vec<(bool, u64, u64)> {
    let is_taint = |(field, _): (&String, &_)| field == "spec.taints";
    let shown = seen.iter().any(|line| match &line.what {
        Seen::Given(_, fields) => fields.iter().any(|(field, _)| field == "spec.taints"),
        Seen::Update(_, changes) => changes.iter().any(is_taint),
        _ => false,
    });
    let mut found: Vec<(bool, u64, u64)> = Vec::new();
    let mut last = 0;
    for line in seen.iter().filter(|_| !shown) {
        let Seen::Event(_, _, reason, message) = &line.what else { continue };
        if reason != "FailedScheduling" {
            continue;
        }
        let there = message.contains("untolerated taint(s)");
        if there != found.last().is_some_and(|(there, _, _)| *there) {
            found.push((there, last, line.t_ms));
        }
        last = line.t_ms;
    }
    found
}

/// The Node of which that is so: the last one that no Pod is scheduled to.
fn tainted(seen: &[Observation], nodes: &[NodeSpec]) -> Option<Fault> {
    let times = taints(seen).iter().filter(|(there, _, _)| *there).count();
    let gets_pods = |node: &NodeSpec| {
        seen.iter().any(|line| {
            matches!(&line.what, Seen::Event(_, _, reason, message)
                if reason == "Scheduled" && message.ends_with(&format!(" to {}", node.name)))
        })
    };
    let node = nodes.iter().rposition(|node| !gets_pods(node)).and_then(NodeId::of)?;
    let times = u8::try_from(times).ok().filter(|times| *times > 0)?;
    Some(Fault { kind: FaultKind::Tainted { node }, times: Some(times) })
}

/// Whether a call was cancelled because its caller was killed: the driver's side shows it, but nobody receives it.
pub fn is_unheard(told: &[Told], line: &Observation) -> bool {
    let Seen::Rpc(_, code, _) = &line.what else { return false };
    let mut by = line.by.split('/');
    let (role, node) = (by.next().and_then(Role::named), by.next());
    let before =
        told.iter().rev().find(|t| Some(t.role) == role && t.node.as_deref() == node && t.t_ms <= line.t_ms);
    Code::named(code) == Some(Code::Canceled) && before.is_some_and(|told| !told.starts)
}

/// Whether nothing is told of this process before: one that starts then was down from the beginning.
fn is_first(told: &[Told], note: &Told) -> bool {
    !told.iter().any(|t| t.role == note.role && t.node == note.node && t.t_ms < note.t_ms)
}

/// What notes tell of processes, in order.
fn notes(seen: &[Observation], nodes: &[NodeSpec]) -> Vec<Told> {
    let mut told = Vec::new();
    for line in seen {
        let Seen::Note(note) = &line.what else { continue };
        if note.starts_with("start:") {
            continue;
        }
        let stops = ["killed", "SIGKILL"].iter().any(|word| note.contains(word));
        let starts = ["started", "starts"].iter().any(|word| note.contains(word));
        if stops == starts {
            continue;
        }
        let mut roles: Vec<Role> = Role::ALL.into_iter().filter(|role| note.contains(role.name())).collect();
        if let Some((_, all)) = PROCESSES.iter().find(|(name, _)| note.contains(name)) {
            roles = all.to_vec();
        }
        for role in roles {
            let named: Vec<Option<String>> = if role.is_of_node() {
                let on = |node: &&NodeSpec| note.contains(&node.name);
                let some = nodes.iter().any(|node| on(&node));
                nodes.iter().filter(|node| !some || on(node)).map(|node| Some(node.name.clone())).collect()
            } else {
                vec![None]
            };
            told.extend(named.into_iter().map(|node| Told { role, node, t_ms: line.t_ms, starts }));
        }
    }
    told
}

/// The stops and starts of a world and the end of its namespace, each with its time.
pub fn inputs(world: &World, scope: &Scope, seen: &[Observation], told: &[Told]) -> Vec<Input> {
    let mut found = Vec::new();
    for action in candidates(world) {
        let Subject::Fault(fault) = action.subject() else { continue };
        if matches!(world.fault(fault).map(|fault| &fault.kind), Some(FaultKind::NamespaceDeleted)) {
            // What happens in a namespace that is about to go is seen until the controller begins with it.
            let times = emptied(seen);
            found.extend(times.map(|(from, until)| Input { action, from, until: until.saturating_sub(1) }));
            continue;
        }
        if matches!(world.fault(fault).map(|fault| &fault.kind), Some(FaultKind::Tainted { .. })) {
            let on = action.name() == "user-taints-node";
            let times = taints(seen).into_iter().filter(|(there, _, _)| *there == on);
            found.extend(times.map(|(_, from, until)| Input { action, from, until }));
            continue;
        }
        let Some(FaultKind::Down { role, node }) = world.fault(fault).map(|fault| &fault.kind) else {
            continue;
        };
        if !scope.acts(*role) {
            continue;
        }
        let name = node.map(|node| world.node(node).name.clone());
        let of: Vec<&Told> = told.iter().filter(|t| t.role == *role && t.node == name).collect();
        let starts = action.name() == "process-starts";
        for (place, note) in of.iter().enumerate() {
            if note.starts {
                let (from, until) = (note.t_ms.saturating_sub(SKEW_MS), note.t_ms + NEAR_MS);
                if starts {
                    found.push(Input { action, from, until });
                } else if place == 0 {
                    found.push(Input { action, from: 0, until: 0 });
                }
            } else if !starts {
                // A note may announce what comes later; it has happened when the next start is told of.
                let next =
                    of.iter().skip(place + 1).find(|t| t.starts).map(|t| t.t_ms.saturating_sub(SKEW_MS));
                let until = next.unwrap_or(note.t_ms + NEAR_MS);
                found.push(Input { action, from: note.t_ms.saturating_sub(SKEW_MS), until });
            }
        }
    }
    found.sort_by_key(|input| input.until);
    found
}
