//! One action under way: the state it changes, and the notes of what it read and did.

use super::driver::is_busy;
use super::effect::{About, Change, Field, Method, MountPoint, Reply, Value};
use super::{
    Action, ActorId, Cluster, Code, EventId, Failure, FaultId, FaultKind, Kind, Late, LateAtBackend, Link,
    NodeId, ObjectId, PodId, Role, Unmet, VolumeSet, World, driver_answer,
};
use std::ops::{Deref, DerefMut};

/// What an action brought about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The state after it.
    pub cluster: Cluster,
    /// What it did, in order.
    pub changes: Vec<Change>,
    /// The objects whose state it looked at.
    pub reads: Vec<ObjectId>,
}

/// A state that is copied only when a rule first changes it, since most guards refuse; and at once to where whoever
/// asked wants it.
pub(super) struct Draft<'c> {
    before: &'c Cluster,
    after: &'c mut Option<Cluster>,
}

impl Deref for Draft<'_> {
    type Target = Cluster;

    fn deref(&self) -> &Cluster {
        self.after.as_ref().unwrap_or(self.before)
    }
}

impl DerefMut for Draft<'_> {
    fn deref_mut(&mut self) -> &mut Cluster {
        let before = self.before;
        self.after.get_or_insert_with(|| *before)
    }
}

/// The workspace of one rule: guards read `cluster`, then the rule changes it and notes what it did.
pub(super) struct Turn<'w> {
    pub world: &'w World,
    pub cluster: Draft<'w>,
    action: Action,
    /// `None` where nobody asks what was done, only where it leads.
    notes: Option<&'w mut Notes>,
}

/// What was done and looked at.
#[derive(Default)]
pub(super) struct Notes {
    pub changes: Vec<Change>,
    pub reads: Vec<ObjectId>,
}

/// Goes on only where a guard holds.
pub(super) fn need(holds: bool, unmet: Unmet) -> Result<(), Unmet> {
    if holds { Ok(()) } else { Err(unmet) }
}

impl<'w> Turn<'w> {
    /// An action about to happen. `after` is `None`, and stays so where the rule changes nothing.
    pub fn new(
        world: &'w World,
        before: &'w Cluster,
        after: &'w mut Option<Cluster>,
        action: Action,
        notes: Option<&'w mut Notes>,
    ) -> Self {
        Self { world, cluster: Draft { before, after }, action, notes }
    }

    /// Who acts; asked for only where it matters, since most guards refuse.
    pub fn by(&self) -> ActorId {
        self.action.actor(self.cluster.before)
    }

    /// The volume and the Node of a bound Pod.
    pub fn link_of(&self, pod: PodId) -> Result<Link, Unmet> {
        link_of(self.world, &self.cluster, pod).ok_or(Unmet::PodUnbound)
    }

    /// A fault of this method, on this Node, happens now: an error is the answer. `did` says whether the driver
    /// has done the work.
    pub fn spend_fault(
        &mut self,
        id: FaultId,
        of: Method,
        on: Option<NodeId>,
        did: bool,
    ) -> Result<(), Unmet> {
        let kind = self.world.fault(id).map(|fault| &fault.kind);
        let fits = match kind {
            Some(FaultKind::Answer { method, node, did: done, .. }) => {
                *method == of && (node.is_none() || *node == on) && *done == did
            }
            Some(FaultKind::Hangs { method, node, .. }) => {
                *method == of && (node.is_none() || *node == on) && !did
            }
            Some(_) | None => false,
        };
        need(fits && !self.cluster.left(id).is_none(), Unmet::NoSuchFault)?;
        let left = self.cluster.left(id).less();
        *self.cluster.left_mut(id) = left;
        Ok(())
    }

    /// A call can end in this error now: a fault in store answers it, the node plugin is down, or the driver itself
    /// refuses. `did` says whether the driver has done the work.
    pub fn fails(&mut self, failure: Failure, of: Method, about: About, did: bool) -> Result<(), Unmet> {
        let on = about.node();
        match failure {
            Failure::Fault(id) => {
                self.spend_fault(id, of, on, did)?;
                self.goes_on(id, of, about);
                Ok(())
            }
            Failure::Unreachable => {
                let plugin = if of.is_of_node() {
                    ActorId { role: Role::DriverNode, node: on }
                } else {
                    ActorId::cluster(Role::DriverController)
                };
                need(self.cluster.down().contains(plugin), Unmet::ActorUp)
            }
            Failure::Driver(code) => {
                need(!did, Unmet::NoSuchCall)?;
                let answer = driver_answer(self.world, &self.cluster, of, about);
                need(answer == code && code != Code::Ok, Unmet::DriverAgrees)
            }
            Failure::Deadline | Failure::Attach(..) | Failure::TooSmall => Err(Unmet::NoSuchFault),
        }
    }

    /// What ends a call about no Node where no fault does: the controller plugin is down, or the driver refuses.
    pub fn refusal(&self, of: Method, about: About) -> Result<Failure, Unmet> {
        if self.cluster.down().contains(ActorId::cluster(Role::DriverController)) {
            return Ok(Failure::Unreachable);
        }
        let code = driver_answer(self.world, &self.cluster, of, about);
        need(code != Code::Ok, Unmet::DriverAgrees)?;
        Ok(Failure::Driver(code))
    }

    /// The caller has given up, but the driver goes on where the call hangs.
    pub fn goes_on(&mut self, id: FaultId, of: Method, about: About) {
        if !matches!(self.world.fault(id).map(|f| &f.kind), Some(FaultKind::Hangs { .. })) {
            return;
        }
        let on_node = match about {
            About::Link(link) => Some((link, None)),
            About::Target(link, pod) => Some((link, Some(pod))),
            About::Claim(_) | About::Volume(_) | About::Snapshot(_) | About::Node(_) => None,
        };
        let at_backend = LateAtBackend::of(self.world, &self.cluster, of, about);
        let volume = on_node.map(|(link, _)| link.volume).or(at_backend.map(|(volume, _)| volume));
        // At work on one call about a volume, it begins no other.
        if volume.is_none_or(|volume| is_busy(self.world, &self.cluster, volume)) {
            return;
        }
        if let Some((link, pod)) = on_node {
            self.cluster.place_mut(link).real.late = Late::of(of, pod);
        } else if let Some((volume, late)) = at_backend {
            self.cluster.volume_mut(volume).late = Some(late);
        }
    }

    /// The API server refuses a write to an object of this kind now.
    pub fn spend_refusal(&mut self, id: FaultId, of: Kind) -> Result<(), Unmet> {
        let fault = self.world.fault(id).map(|fault| &fault.kind);
        let fits = matches!(fault, Some(FaultKind::Refused { kind, .. }) if *kind == of);
        need(fits, Unmet::NoSuchFault)?;
        self.spend(id)
    }

    /// A fault happens now.
    pub fn spend(&mut self, id: FaultId) -> Result<(), Unmet> {
        need(!self.cluster.left(id).is_none(), Unmet::NoSuchFault)?;
        let left = self.cluster.left(id).less();
        *self.cluster.left_mut(id) = left;
        Ok(())
    }

    fn note(&mut self, change: impl FnOnce(ActorId) -> Change) {
        let action = self.action;
        if let Some(notes) = &mut self.notes {
            notes.changes.push(change(action.actor(self.cluster.before)));
        }
    }

    pub fn read(&mut self, object: ObjectId) {
        if let Some(notes) = &mut self.notes {
            notes.reads.push(object);
        }
    }

    /// A Pod's claim and its PersistentVolume are read, if it has them.
    pub fn read_volume(&mut self, pod: PodId, volume: super::VolumeId) {
        if let Some(claim) = self.world.claim_of(pod) {
            self.read(ObjectId::Claim(claim));
            self.read(ObjectId::Volume(volume));
        }
    }

    pub fn write(&mut self, object: ObjectId, field: Field, from: Value, to: Value) {
        self.note(|by| Change::Write { object, field, from, to, by });
    }

    pub fn create(&mut self, object: ObjectId) {
        self.note(|by| Change::Create { object, by });
    }

    pub fn delete(&mut self, object: ObjectId) {
        self.note(|by| Change::Delete { object, by });
    }

    /// An Event about an object; a namespace that is being deleted takes no more of them.
    pub fn event(&mut self, object: ObjectId, event: EventId) {
        let namespaced = matches!(object, ObjectId::Pod(_) | ObjectId::Claim(_) | ObjectId::Snapshot(_));
        if namespaced && self.cluster.terminating() {
            return;
        }
        self.note(|by| Change::Event { object, event, by });
    }

    pub fn mount(&mut self, link: Link, at: MountPoint, present: bool) {
        self.note(|_| Change::Mount { link, at, present });
    }

    pub fn device(&mut self, link: Link, present: bool) {
        self.note(|_| Change::Device { link, present });
    }

    /// A call leaves this actor.
    pub fn call(&mut self, method: Method, about: About) {
        self.exchange(method, about, None);
    }

    /// The reply to its call reaches this actor.
    pub fn reply(&mut self, method: Method, about: About, reply: Reply) {
        self.exchange(method, about, Some(reply));
    }

    fn exchange(&mut self, method: Method, about: About, reply: Option<Reply>) {
        let callee = match about.node().filter(|_| method.is_of_node()) {
            Some(node) => ActorId::on(Role::DriverNode, node),
            None => ActorId::cluster(Role::DriverController),
        };
        self.note(|caller| Change::Call { method, about, caller, callee, reply });
    }

    /// The volumes of which one thing is true on a Node.
    pub fn volumes_where(&self, node: NodeId, is: impl Fn(&super::Place) -> bool) -> VolumeSet {
        self.world.volumes().filter(|v| is(self.cluster.place(Link { volume: *v, node }))).collect()
    }
}

/// The volume and the Node of a bound Pod.
pub(super) fn link_of(world: &World, cluster: &Cluster, pod: PodId) -> Option<Link> {
    Some(Link { volume: cluster.volume_of(world, pod)?, node: cluster.pod(pod).node? })
}

/// A list of volumes as a field's value: absent when empty.
pub(super) fn list(volumes: VolumeSet) -> Value {
    if volumes.is_empty() { Value::Absent } else { Value::Volumes(volumes) }
}

/// Finalizers as a field's value: absent when there are none.
pub(super) fn finalizers(set: super::FinalizerSet) -> Value {
    if set.is_empty() { Value::Absent } else { Value::Finalizers(set) }
}
