//! The actions of a world in rows about one thing each, so that a row about nothing is passed over at once.

use super::action::Subject;
use super::{Action, Cluster, Place, Presence, Role, attacher};

/// Candidates that follow each other and are about the same thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    subject: Subject,
    /// They may be possible before there is anything.
    begins: bool,
    actions: Vec<Action>,
}

impl Row {
    /// These candidates in rows, in their order.
    pub(super) fn all(candidates: &[Action]) -> Vec<Row> {
        let chunks = candidates.chunk_by(|a, b| a.subject() == b.subject() && begins(*a) == begins(*b));
        let rows = chunks.filter_map(|actions| {
            let first = *actions.first()?;
            Some(Row { subject: first.subject(), begins: begins(first), actions: actions.to_vec() })
        });
        rows.collect()
    }

    /// What they are about.
    pub fn subject(&self) -> Subject {
        self.subject
    }

    /// Its actions.
    pub fn actions(&self) -> impl Iterator<Item = Action> + '_ {
        self.actions.iter().copied()
    }

    /// Whether there is nothing yet that they are about, so that none of them is possible.
    pub fn rests(&self, cluster: &Cluster) -> bool {
        let missing = |presence| presence == Presence::NotYet && !self.begins;
        match self.subject {
            Subject::Pod(pod) => missing(cluster.pod(pod).presence),
            Subject::Link(link) => !self.begins && *cluster.place(link) == Place::default(),
            Subject::Claim(claim) => missing(cluster.claim(claim).presence),
            Subject::Volume(volume) => missing(cluster.volume(volume).presence),
            Subject::Node(_) | Subject::Class(_) | Subject::Snapshot(_) | Subject::Fault(_) => false,
        }
    }
}

/// Whether an action may create what it is about, as a user's and the claim of a generic ephemeral volume, or is rather
/// about something else, as the finalizer of the PersistentVolume.
fn begins(action: Action) -> bool {
    let of_volume = matches!(
        action,
        Action::Attacher(attacher::Act::ReleasesVolume(_) | attacher::Act::VolumeReleaseRefused(..))
    );
    of_volume || action.role() == Role::User || action.role() == Role::EphemeralController
}
