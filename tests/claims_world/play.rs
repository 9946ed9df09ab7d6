//! A run that a test plays: a user's acts one by one, and what happens by itself between them.
#![allow(dead_code, reason = "each test takes what it needs")]

use super::world;
use mountpath::model::{
    Action, Change, ClaimPhase, Cluster, Parts, Role, Runtime, Unmet, Volume, World, actions, apply,
    candidates, next, obeys,
};

/// A run under way, with the Events so far.
pub struct Play {
    pub world: World,
    pub cluster: Cluster,
    pub events: Vec<String>,
    pub names: Vec<&'static str>,
    /// Of two things that may happen, the one whose actor stands further down happens first.
    pub backwards: bool,
}

impl Play {
    /// A run that stands at its start.
    pub fn new(parts: Parts) -> Self {
        let world = world(parts);
        Self { cluster: world.initial(), world, events: Vec::new(), names: Vec::new(), backwards: false }
    }

    /// This happens.
    pub fn act(&mut self, action: Action) {
        let outcome = apply(&self.world, &self.cluster, action).unwrap_or_else(|error| panic!("{error}"));
        for change in outcome.changes {
            assert!(obeys(change), "{}: {change:?}", action.name());
            if let Change::Event { object, event, .. } = change {
                let (kind, reason, message) = event.text(&self.world);
                self.events.push(format!("{} {} {reason} {message}", self.world.object(object), kind.name()));
            }
        }
        self.names.push(action.name());
        self.cluster = outcome.cluster;
    }

    /// The user does what this name says, about the so-manyth thing for which it is possible.
    pub fn user(&mut self, name: &str, which: usize) -> &mut Self {
        let all: Vec<Action> = candidates(&self.world).filter(|a| a.name() == name).collect();
        let action = all.get(which).unwrap_or_else(|| panic!("no {name} {which}"));
        self.act(*action);
        self
    }

    /// Everything happens that does by itself, but what takes minutes or is a mishap.
    pub fn settle(&mut self) -> &mut Self {
        for _ in 0..500 {
            // What changes nothing, such as an Event that tells the same again, is no step on the way.
            let moves = |a: &Action| next(&self.world, &self.cluster, *a) != Some(self.cluster);
            let mut enabled: Vec<Action> =
                actions(&self.world, &self.cluster).into_iter().filter(moves).collect();
            if self.backwards {
                enabled.reverse();
            }
            let by_itself = |a: &&Action| {
                a.role() != Role::User
                    && ![
                        "scheduler-times-out",
                        "attacher-repeats-controller-publish",
                        "provisioner-publishes-capacity",
                        "kubelet-reports-unprocessed-volume",
                    ]
                    .contains(&a.name())
            };
            // What the world has in store goes wrong as soon as it can.
            let failing = enabled.iter().filter(by_itself).find(|a| a.name().ends_with("-failed"));
            let Some(action) = failing.or_else(|| enabled.iter().find(by_itself)) else { return self };
            self.act(*action);
        }
        panic!("it does not settle: {:?}", self.names.iter().rev().take(20).collect::<Vec<_>>());
    }

    /// Whether somebody said this.
    pub fn said(&self, text: &str) -> bool {
        self.events.iter().any(|event| event == text)
    }

    /// All of these were said, to the letter.
    pub fn says(&self, texts: &[&str]) -> &Self {
        for text in texts {
            assert!(self.said(text), "nobody said {text}, but {:#?}", self.events);
        }
        self
    }

    /// The phase of the so-manyth claim.
    pub fn phase(&self, claim: usize) -> ClaimPhase {
        self.cluster.claim(self.world.claims().nth(claim).expect("a claim")).phase
    }

    /// The so-manyth volume.
    pub fn volume(&self, volume: usize) -> Volume {
        *self.cluster.volume(self.world.volumes().nth(volume).expect("a volume"))
    }

    /// Whether the so-manyth Pod runs.
    pub fn runs(&self, pod: usize) -> bool {
        self.cluster.pod(self.world.pods().nth(pod).expect("a Pod")).runtime == Runtime::Running
    }

    /// Why the first action of this name cannot happen.
    pub fn unmet(&self, name: &str) -> Unmet {
        let action = candidates(&self.world).find(|a| a.name() == name).expect("a name");
        apply(&self.world, &self.cluster, action).expect_err("refused").unmet
    }
}
