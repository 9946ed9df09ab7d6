//! The scenarios: a world, and what its user does when.

use crate::model::{AccessMode, NodeSpec, Parts, PodSpec, World, WorldError};

/// What a user waits for before acting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// Nothing: the start of the run.
    Start,
    /// That the Pod of this name runs.
    Running(&'static str),
}

/// What a user does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// Creates the Pod of this name.
    CreatePod(&'static str),
    /// Deletes the Pod of this name.
    DeletePod(&'static str),
}

/// One line of a user's script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cue {
    /// What comes first.
    pub moment: Moment,
    /// The time after that, in milliseconds.
    pub wait_ms: u64,
    /// What the user does.
    pub act: Act,
}

/// A run to record.
#[derive(Clone, Copy, Debug)]
pub struct Scenario {
    /// Its name.
    pub name: &'static str,
    /// Its world.
    pub world: fn() -> Result<World, WorldError>,
    /// Its user's script.
    pub script: &'static [Cue],
    /// The last action that counts as given; the recorded steps begin after it.
    pub given_until: &'static str,
}

/// Every scenario.
pub const SCENARIOS: [Scenario; 1] = [Scenario {
    name: "volume-attachment",
    world: one_pod,
    script: &[
        Cue { moment: Moment::Start, wait_ms: 0, act: Act::CreatePod("app") },
        Cue { moment: Moment::Running("app"), wait_ms: 4_000, act: Act::DeletePod("app") },
    ],
    given_until: "scheduler-binds-pod",
}];

/// The scenario of this name.
pub fn scenario(name: &str) -> Option<&'static Scenario> {
    SCENARIOS.iter().find(|s| s.name == name)
}

/// One Pod, one ReadWriteOnce volume, two Nodes and a driver that attaches and stages.
fn one_pod() -> Result<World, WorldError> {
    let node = |name: &str, driver_id: &str| NodeSpec {
        name: name.into(),
        driver_id: driver_id.into(),
        ..NodeSpec::default()
    };
    let app = PodSpec {
        name: "app".into(),
        uid: "0b9c4d7e-5a21-4f36-8e02-91d3c6a7b542".into(),
        container: "c".into(),
        image: "docker.io/library/busybox:1.36".into(),
        ..PodSpec::default()
    };
    let parts = Parts {
        namespace: "default".into(),
        nodes: vec![node("node-1", "i-1"), node("node-2", "i-2")],
        pods: vec![app],
        ..Parts::default()
    };
    World::new(parts.bound_claim(
        "data",
        "pvc-6f1d2a3e-8c47-4b9a-9d10-2e5b7c8f0a11",
        "vol-1",
        AccessMode::ReadWriteOnce,
    ))
}
