//! The scenarios: a world, and what its user does when.

use super::scenario_file::{ScenarioError, read_scenario};
use crate::model::{Action, Subject, World};

/// What a user waits for before acting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// Nothing: the start of the run.
    Start,
    /// That an action of this name has happened, to this where something is named.
    After(&'static str, Option<Subject>),
}

/// One line of a user's script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cue {
    /// What comes first.
    pub moment: Moment,
    /// The time after that, in milliseconds.
    pub wait_ms: u64,
    /// What the user does, or what happens to the cluster.
    pub action: Action,
}

/// A run to record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scenario {
    /// Its name.
    pub name: String,
    /// Its world.
    pub world: World,
    /// What happens from outside, in order.
    pub script: Vec<Cue>,
    /// The last action that counts as given, where not all is told: the recorded steps begin after it.
    pub given_until: Option<&'static str>,
    /// When the run is cut off, in milliseconds from its start, where it does not end by itself: a fault that lasts
    /// is tried against for ever.
    pub until_ms: Option<u64>,
}

/// The rows of a table of scenarios, each a name and the file of that name.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("scenarios/", $name, ".toml")))),*]
    };
}

/// The scenarios that have names, each the text of a scenario file.
pub const SCENARIOS: [(&str, &str); 108] = files![
    // The diagrams.
    "volume-attachment",
    "create-volume",
    "controller-publish",
    "node-stage",
    "node-publish",
    "mount-path",
    "teardown",
    "multi-attach",
    "wait-for-first-consumer",
    "driver-registration",
    "node-down",
    "attach-error",
    "stuck-terminating",
    "expand",
    "snapshot-restore",
    "block-volume",
    "attach-not-required",
    "second-pod-same-node",
    "ephemeral-volumes",
    "read-write-once-pod",
    // Provisioning and binding.
    "static-volume",
    "static-volume-mismatch",
    "static-volume-wrong-handle",
    "retain",
    "class-missing",
    "claim-missing",
    "no-class",
    "default-class",
    "allowed-topologies",
    "topology-conflict",
    "storage-capacity",
    "provisioner-missing",
    "create-error-final",
    "create-exhausted",
    "create-exhausted-reschedule",
    "create-reply-lost",
    "provisioner-crash",
    "claim-deleted-before-bound",
    "delete-volume-failing",
    // Attaching and detaching.
    "attach-deadline",
    "attach-final",
    "attach-uncertain",
    "pod-deleted-during-attach",
    "attach-timeout",
    "no-attacher",
    "no-controller-publish",
    "secret-missing",
    "attach-limit",
    "attach-limit-rejected",
    "detach-failing",
    "detach-reply-lost",
    "attachment-deleted-by-hand",
    "attachment-stripped",
    "attachment-write-refused",
    // On a Node.
    "stage-error",
    "stage-uncertain",
    "pod-deleted-during-stage",
    "publish-error",
    "publish-error-final",
    "publish-uncertain",
    "no-stage",
    "unpublish-failing",
    "unstage-failing",
    "unstage-failing-for-good",
    "kubelet-restart",
    "kubelet-restart-while-running",
    "driver-crash",
    "attacher-restart",
    "controller-manager-restart",
    "controller-manager-restart-mid-attach",
    "driver-unregistered",
    "fs-group",
    "read-only",
    "republish",
    "completed-pod",
    "read-write-many",
    "inline-not-supported",
    "ephemeral-foreign-claim",
    // Lost Nodes, and what is deleted.
    "node-comes-back",
    "force-detach",
    "force-detach-disabled",
    "out-of-service",
    "node-deleted",
    "pod-forced",
    "namespace-deleted",
    "claim-and-volume-deleted",
    "finalizer-stuck",
    // Growing, modifying and copying.
    "expand-offline",
    "expand-node-failing",
    "expand-controller-failing",
    "expand-infeasible",
    "expand-no-node-expansion",
    "expand-no-resizer",
    "modify-volume",
    "modify-volume-rejected",
    "modify-volume-class-missing",
    "clone",
    "restore-missing-snapshot",
    "snapshot-slow",
    "snapshot-failing",
    // Variants of the diagrams.
    "node-returns",
    "ephemeral-inline",
    "detach-failing-second-node",
    "detach-failing-fenced",
    "read-write-once-pod-bound-by-hand",
    "teardown-retain",
    "node-publish-refused",
    "node-publish-lost",
];

/// The scenario of this name, if there is one.
///
/// # Errors
/// When its text is no scenario.
pub fn scenario(name: &str) -> Option<Result<Scenario, ScenarioError>> {
    SCENARIOS.iter().find(|row| row.0 == name).map(|(name, text)| read_scenario(name, text))
}
