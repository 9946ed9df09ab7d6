//! States that no recording can tell apart: of those that are alike, one that can do all that the others can is enough.

use crate::model::{
    About, Attacher, Cluster, Failure, FaultId, FaultKind, Left, Link, Method, Visited, World,
};

/// What does not tell the states of a world apart.
pub struct Alike<'w> {
    world: &'w World,
    /// The faults that are answers: whoever has more of them in store can do all that the others can. Of other faults
    /// this is not so, since those that are left over happen when their time is over.
    answers: Vec<FaultId>,
}

impl<'w> Alike<'w> {
    /// Looks through a world's faults.
    pub fn new(world: &'w World) -> Self {
        let answers = world.faults().filter(|(_, fault)| matches!(fault.kind, FaultKind::Answer { .. }));
        Self { world, answers: answers.map(|(id, _)| id).collect() }
    }

    /// For each of these states whether it is needed: another one that is alike may have more answers in store, or the
    /// same and come first. What belongs to each state has to be the same as well.
    pub fn needed(&self, states: &[(Cluster, u128)]) -> Vec<bool> {
        if self.answers.is_empty() {
            return vec![true; states.len()];
        }
        let mut kinds: Visited<(Cluster, u128)> = Visited::default();
        let mut of = Vec::new();
        for (cluster, other) in states {
            let kind = (self.plain(cluster), *other);
            of.push(kinds.place(&kind).unwrap_or(kinds.len()));
            kinds.insert(kind);
        }
        let numbered = || states.iter().zip(&of).enumerate();
        let needed = numbered().map(|(number, ((cluster, _), kind))| {
            !numbered().any(|(other, ((richer, _), same))| {
                same == kind
                    && other != number
                    && self.has(richer, cluster)
                    && (other < number || !self.has(cluster, richer))
            })
        });
        needed.collect()
    }

    /// Whether the one has at least as many answers in store as the other.
    fn has(&self, one: &Cluster, other: &Cluster) -> bool {
        self.answers.iter().all(|id| one.left(*id) >= other.left(*id))
    }

    /// A state without its answers in store, and with one failure for all that read the same.
    fn plain(&self, cluster: &Cluster) -> Cluster {
        let mut plain = *cluster;
        for id in &self.answers {
            *plain.left_mut(*id) = Left::default();
        }
        for link in self.world.links() {
            let place = plain.place_mut(link);
            let attachment = &mut place.attachment;
            let [publish, unpublish] = [Method::ControllerPublishVolume, Method::ControllerUnpublishVolume];
            attachment.attach_error =
                attachment.attach_error.map(|failure| self.read(failure, publish, link));
            attachment.detach_error =
                attachment.detach_error.map(|failure| self.read(failure, unpublish, link));
            match &mut place.attacher {
                Attacher::PublishFailed(failure) => *failure = self.read(*failure, publish, link),
                Attacher::UnpublishFailed(failure) => *failure = self.read(*failure, unpublish, link),
                Attacher::Idle
                | Attacher::PublishCalled
                | Attacher::PublishDone
                | Attacher::Published
                | Attacher::Lagging
                | Attacher::RepeatCalled
                | Attacher::UnpublishCalled
                | Attacher::UnpublishDone
                | Attacher::Unpublished => {}
            }
        }
        plain
    }

    /// The first answer that reads as this failure of a call does, or else the failure.
    fn read(&self, failure: Failure, method: Method, link: Link) -> Failure {
        let text = |failure: Failure| failure.text(self.world, method, About::Link(link));
        let mut answers = self.answers.iter().map(|id| Failure::Fault(*id));
        answers.find(|answer| text(*answer) == text(failure)).unwrap_or(failure)
    }
}
