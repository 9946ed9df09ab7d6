//! The rules that come nearest to a line that none explains, and what each of them lacked.

use super::recording::{Observation, Seen};
use super::replay_match::expected;
use super::{Effect, render};
use crate::model::{Action, Cluster, ObjectId, Refusal, Subject, World, apply, candidates};
use std::fmt;

/// How many rules an error names.
const NEAREST: usize = 3;

/// A rule that could have explained a line, and why it did not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Nearest {
    /// Its rule did not allow it then.
    Refused(Refusal),
    /// It was possible, but would have left another line.
    Otherwise {
        /// The action.
        action: Action,
        /// Who would have done it.
        by: String,
        /// What it would have left.
        what: Seen,
    },
}

impl fmt::Display for Nearest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Nearest::Refused(refusal) => refusal.fmt(f),
            Nearest::Otherwise { action, by, what } => {
                write!(f, "{} (rule {}): it would show {what} by {by}", action.name(), action.rule())
            }
        }
    }
}

/// The rules that could have told of this line but did not, in the states that the cluster had come furthest to.
pub(super) fn nearest(world: &World, line: &Observation, furthest: &[Cluster]) -> Vec<Nearest> {
    let mut found = Vec::new();
    for name in tellers(line) {
        for action in candidates(world).filter(|a| a.name() == *name) {
            for cluster in furthest.iter().filter(|cluster| is_about(world, cluster, action, line)) {
                let near = match apply(world, cluster, action) {
                    Err(refusal) => Nearest::Refused(refusal),
                    Ok(outcome) => {
                        let effects: Vec<Effect> =
                            outcome.changes.iter().map(|c| render::effect(world, *c)).collect();
                        let Some(first) = expected(&effects).into_iter().next() else { continue };
                        Nearest::Otherwise { action, by: first.by, what: first.what }
                    }
                };
                if found.len() < NEAREST && !found.contains(&near) {
                    found.push(near);
                }
            }
        }
    }
    found
}

/// Whether an action is about the line's object, and about its Node where the line names one.
fn is_about(world: &World, cluster: &Cluster, action: Action, line: &Observation) -> bool {
    let subject = match action.subject() {
        Subject::Fault(_) => return false,
        Subject::Pod(pod) => ObjectId::Pod(pod),
        Subject::Link(link) => ObjectId::Attachment(link),
        Subject::Node(node) => ObjectId::Node(node),
        Subject::Claim(claim) => ObjectId::Claim(claim),
        Subject::Volume(volume) => ObjectId::Volume(volume),
        Subject::Class(class) => ObjectId::Class(class),
        Subject::Snapshot(snapshot) => ObjectId::Snapshot(snapshot),
    };
    let subject = world.object(subject);
    let object = match &line.what {
        Seen::Create(object, _) | Seen::Update(object, _) | Seen::Delete(object) => Some(object.as_str()),
        Seen::Event(object, ..) => Some(object.as_str()),
        Seen::Given(..) | Seen::Note | Seen::Call(..) | Seen::Rpc(..) | Seen::Mount(_) | Seen::Unmount(_) => {
            None
        }
    };
    let same_kind = object.filter(|object| object.starts_with(subject.kind.name()));
    let node = line.by.split_once('/').map(|(_, node)| node);
    let actor = world.actor(action.actor(cluster));
    same_kind.is_none_or(|object| object == subject.to_string())
        && (node.is_none() || actor.node.is_none() || actor.node.as_deref() == node)
}

/// The actions that leave lines of this kind, the one that does it itself first, then those that lead to it.
fn tellers(line: &Observation) -> &'static [&'static str] {
    match &line.what {
        Seen::Given(..) | Seen::Note => &[],
        Seen::Create(object, _) if object.starts_with("Pod/") => &["user-creates-pod"],
        Seen::Create(..) => &["adc-creates-attachment", "adc-finds-pod"],
        Seen::Delete(object) if object.starts_with("Pod/") => &["kubelet-removes-pod", "user-deletes-pod"],
        Seen::Delete(_) => &["attacher-releases-attachment", "adc-deletes-attachment"],
        Seen::Update(object, changes) => {
            let kind = object.split('/').next().unwrap_or_default();
            match (kind, changes.keys().next_back().map(String::as_str)) {
                ("Pod", Some("spec.nodeName")) => &["scheduler-binds-pod"],
                ("Pod", Some("metadata.deletionTimestamp")) => &["user-deletes-pod"],
                ("Pod", Some("status.containerStatuses")) => &["kubelet-admits-pod"],
                ("Pod", _) => &["kubelet-starts-containers", "kubelet-reports-containers-ended"],
                ("PersistentVolume", _) => &["attacher-finalizes-volume", "attacher-releases-volume"],
                ("VolumeAttachment", Some("status.attached")) => {
                    &["attacher-records-attached", "attacher-marks-attached-at-once"]
                }
                ("VolumeAttachment", Some("metadata.deletionTimestamp")) => &["adc-deletes-attachment"],
                ("VolumeAttachment", _) => &["attacher-finalizes-attachment"],
                ("Node", Some("status.volumesAttached")) => {
                    &["adc-lists-attached", "adc-unlists-attached", "adc-drops-pod"]
                }
                ("Node", _) => {
                    &["kubelet-reports-in-use", "kubelet-reports-not-in-use", "kubelet-forgets-volume"]
                }
                _ => &[],
            }
        }
        Seen::Event(_, _, reason, _) => match reason.as_str() {
            "Scheduled" => &["scheduler-binds-pod"],
            "SuccessfulAttachVolume" => &["adc-notices-attached"],
            "FailedAttachVolume" => &["adc-reports-multi-attach"],
            "Killing" => &["kubelet-stops-containers"],
            _ => &["kubelet-starts-containers"],
        },
        Seen::Call(method, _) => match method.as_str() {
            "ControllerPublishVolume" => {
                &["attacher-calls-controller-publish", "attacher-repeats-controller-publish"]
            }
            "ControllerUnpublishVolume" => &["attacher-calls-controller-unpublish"],
            "NodeStageVolume" => {
                &["kubelet-calls-node-stage", "kubelet-reads-attachment", "kubelet-verifies-attached"]
            }
            "NodePublishVolume" => {
                &["kubelet-calls-node-publish", "kubelet-reads-attachment", "kubelet-verifies-attached"]
            }
            "NodeUnpublishVolume" => &["kubelet-calls-node-unpublish", "kubelet-drops-pod"],
            _ => &["kubelet-calls-node-unstage", "kubelet-drops-pod"],
        },
        Seen::Rpc(method, ..) => match method.as_str() {
            "ControllerPublishVolume" => &["attacher-receives-publish-ok"],
            "ControllerUnpublishVolume" => &["attacher-receives-unpublish-ok"],
            "NodeStageVolume" => &["kubelet-receives-stage-ok"],
            "NodePublishVolume" => &["kubelet-receives-publish-ok"],
            "NodeUnpublishVolume" => &["kubelet-receives-unpublish-ok"],
            _ => &["kubelet-receives-unstage-ok"],
        },
        Seen::Mount(_) => &["driver-stages-volume", "driver-publishes-volume"],
        Seen::Unmount(_) => &["driver-unpublishes-volume", "driver-unstages-volume"],
    }
}
