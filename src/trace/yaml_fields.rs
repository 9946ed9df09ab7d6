//! What a write of a run means in an API object's YAML.

use super::yaml_manifest::Manifest;
use super::yaml_node::{Node, Pen};
use crate::model::timing::GRACE;
use crate::model::{Actor, Code, Kind, ObjectRef};

/// When the runs begin, in seconds since 1970: 2026-06-01T12:00:00Z. Runs know only how much later something is.
const START: u64 = 1_780_315_200;
/// The exit code of a container that is killed, or of which nothing more is known.
///
/// Source: pkg/kubelet/kubelet_pods.go convertToAPIContainerStatuses; 128 and SIGKILL.
const KILLED: u8 = 137;

/// A moment of a run as the API server writes it.
pub(super) fn time(sim_ms: u64) -> String {
    let seconds = START + sim_ms / 1000;
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Days are counted from 0000-03-01, so that a leap day ends a year.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (date, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = era * 400 + year + u64::from(month < 3);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// A write, with what is known around it.
pub(super) struct Written<'a> {
    /// The object.
    pub object: &'a ObjectRef,
    /// What is known of it beside the writes.
    pub manifest: Option<&'a Manifest>,
    /// All that is known of others.
    pub manifests: &'a [Manifest],
    /// The field's path in the run.
    pub field: &'static str,
    /// The value; `None` where the field is taken away.
    pub to: Option<&'a str>,
    /// Who writes it.
    pub by: &'a Actor,
    /// When, in milliseconds from the start of the run.
    pub sim_ms: u64,
}

impl Written<'_> {
    /// Applies it to the object's YAML.
    pub fn apply(&self, tree: &mut Node) {
        let path = path(self.field);
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let value = self.to.map(|to| self.value(to));
        if self.field == "metadata.deletionTimestamp" {
            let grace = self.to.map(|_| Pen(self.by).raw(self.grace_ms() / 1000));
            tree.set(&["metadata", "deletionGracePeriodSeconds"], grace, self.by);
        }
        tree.set(&path, value, self.by);
    }

    /// The grace period of a deletion: only Pods have one.
    fn grace_ms(&self) -> u64 {
        if self.object.kind == Kind::Pod { GRACE.ms } else { 0 }
    }

    fn value(&self, to: &str) -> Node {
        let pen = Pen(self.by);
        let known = self.manifest.and_then(|m| m.parts.get(self.field)).map(|part| part.written_by(self.by));
        match self.field {
            "metadata.deletionTimestamp" => pen.text(&time(self.sim_ms + self.grace_ms())),
            "metadata.finalizers" | "spec.accessModes" | "status.volumesInUse" => pen.texts(to),
            "status.volumesAttached" => {
                let volume = |name| pen.map([("devicePath", pen.text("")), ("name", pen.text(name))]);
                pen.list(to.split(", ").map(volume))
            }
            "status.condition Ready" => {
                pen.list([pen.map([("status", pen.text(to)), ("type", pen.text("Ready"))])])
            }
            "status.conditions" => {
                let condition = |name| pen.map([("status", pen.text("True")), ("type", pen.text(name))]);
                pen.list(to.split(", ").map(condition))
            }
            "spec.taints" => {
                let taint = |(key, effect)| pen.map([("effect", pen.text(effect)), ("key", pen.text(key))]);
                pen.list(to.split(", ").filter_map(|taint| taint.rsplit_once(':')).map(taint))
            }
            "status.attachError" => self.error(to, true),
            "status.detachError" => self.error(to, false),
            "status.containerStatuses" => self.container(to, known),
            "spec.claimRef" => self.claim_ref(to),
            "status.attached" | "status.readyToUse" | "allowVolumeExpansion" | "spec.attachRequired" => {
                pen.raw(to)
            }
            _ => known.unwrap_or_else(|| pen.text(to)),
        }
    }

    /// An error in a VolumeAttachment's status. Only that of an attach tells the code of a call.
    ///
    /// Source: external-attacher pkg/controller/csi_handler.go saveAttachError.
    fn error(&self, message: &str, of_attach: bool) -> Node {
        let pen = Pen(self.by);
        let named = message.strip_prefix("rpc error: code = ").and_then(|rest| rest.split(' ').next());
        let code = named.and_then(Code::named).filter(|_| of_attach);
        let mut error = pen.map([("message", pen.text(message)), ("time", pen.text(&time(self.sim_ms)))]);
        let code = code.map(|code| pen.raw(code.number()));
        if code.is_some() {
            error.set(&["errorCode"], code, self.by);
        }
        error
    }

    /// The one container's status, from `waiting/ContainerCreating`, `running` or `terminated/Completed`.
    fn container(&self, to: &str, known: Option<Node>) -> Node {
        let pen = Pen(self.by);
        let (state, reason) = to.split_once('/').unwrap_or((to, ""));
        let detail = match state {
            "running" => pen.map([("startedAt", pen.text(&time(self.sim_ms)))]),
            "terminated" => {
                let code = if reason == "Completed" { 0 } else { KILLED };
                pen.map([("exitCode", pen.raw(code)), ("reason", pen.text(reason))])
            }
            _ => pen.map([("reason", pen.text(reason))]),
        };
        let mut status = known.unwrap_or_else(|| pen.map([]));
        status.set(&["ready"], Some(pen.raw(state == "running")), self.by);
        status.set(&["state"], Some(pen.map([(state, detail)])), self.by);
        pen.list([status])
    }

    /// A reference to a claim; one that a person wrote beforehand lacks the claim's uid.
    fn claim_ref(&self, to: &str) -> Node {
        let pen = Pen(self.by);
        let (namespace, name) = to.split_once('/').unwrap_or(("", to));
        let mut reference = pen.map([
            ("apiVersion", pen.text("v1")),
            ("kind", pen.text(Kind::PersistentVolumeClaim.name())),
            ("name", pen.text(name)),
            ("namespace", pen.text(namespace)),
        ]);
        let is_claim = |m: &&Manifest| m.object.kind == Kind::PersistentVolumeClaim && m.object.name == name;
        let uid = self.manifests.iter().find(is_claim).and_then(Manifest::uid);
        let by_person = self.by.role == crate::model::Role::User;
        if let Some(uid) = uid.filter(|_| !by_person) {
            reference.set(&["uid"], Some(uid.written_by(self.by)), self.by);
        }
        reference
    }
}

/// A field's path in parts: `metadata.annotations[a.b/c]` has three.
fn path(field: &str) -> Vec<String> {
    if field == "status.condition Ready" {
        return vec!["status".into(), "conditions".into()];
    }
    let (dotted, key) = field.strip_suffix(']').and_then(|f| f.split_once('[')).unwrap_or((field, ""));
    let parts = dotted.split('.').map(str::to_owned);
    parts.chain((!key.is_empty()).then(|| key.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_count_from_the_start_of_the_run() {
        assert_eq!(time(0), "2026-06-01T12:00:00Z");
        assert_eq!(time(360_999), "2026-06-01T12:06:00Z");
        assert_eq!(time(30 * 86_400_000), "2026-07-01T12:00:00Z");
        assert_eq!(time(214 * 86_400_000), "2027-01-01T12:00:00Z");
    }

    #[test]
    fn an_annotation_is_one_part_whatever_dots_are_in_it() {
        assert_eq!(path("metadata.annotations[a.b/c.d]"), ["metadata", "annotations", "a.b/c.d"]);
        assert_eq!(path("spec.csi.driver"), ["spec", "csi", "driver"]);
    }
}
