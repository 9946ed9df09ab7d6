//! One action under way: the state it changes, and the notes of what it read and did.

use super::effect::{Change, EventId, Field, Method, MountPoint, Value};
use super::{ActorId, Cluster, Link, ObjectId, PodId, Role, Unmet, VolumeSet, World};

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

/// The workspace of one rule: guards read `cluster`, then the rule changes it and notes what it did.
pub(super) struct Turn<'w> {
    pub world: &'w World,
    pub cluster: Cluster,
    pub by: ActorId,
    pub changes: Vec<Change>,
    pub reads: Vec<ObjectId>,
}

/// Goes on only where a guard holds.
pub(super) fn need(holds: bool, unmet: Unmet) -> Result<(), Unmet> {
    if holds { Ok(()) } else { Err(unmet) }
}

impl<'w> Turn<'w> {
    pub fn new(world: &'w World, cluster: &Cluster, by: ActorId) -> Self {
        Self { world, cluster: *cluster, by, changes: Vec::new(), reads: Vec::new() }
    }

    /// The volume and the Node of a bound Pod.
    pub fn link_of(&self, pod: PodId) -> Result<Link, Unmet> {
        link_of(self.world, &self.cluster, pod).ok_or(Unmet::PodUnbound)
    }

    pub fn read(&mut self, object: ObjectId) {
        self.reads.push(object);
    }

    pub fn write(&mut self, object: ObjectId, field: Field, from: Value, to: Value) {
        self.changes.push(Change::Write { object, field, from, to, by: self.by });
    }

    pub fn create(&mut self, object: ObjectId) {
        self.changes.push(Change::Create { object, by: self.by });
    }

    pub fn delete(&mut self, object: ObjectId) {
        self.changes.push(Change::Delete { object, by: self.by });
    }

    pub fn event(&mut self, pod: PodId, event: EventId) {
        self.changes.push(Change::Event { pod, event, by: self.by });
    }

    pub fn mount(&mut self, link: Link, at: MountPoint, present: bool) {
        self.changes.push(Change::Mount { link, at, present });
    }

    pub fn device(&mut self, link: Link, present: bool) {
        self.changes.push(Change::Device { link, present });
    }

    /// A call leaves this actor, or its reply comes back.
    pub fn call(&mut self, method: Method, link: Link, pod: Option<PodId>, replied: bool) {
        let callee = match method {
            Method::ControllerPublishVolume | Method::ControllerUnpublishVolume => {
                ActorId::cluster(Role::DriverController)
            }
            Method::NodeStageVolume
            | Method::NodeUnstageVolume
            | Method::NodePublishVolume
            | Method::NodeUnpublishVolume => ActorId::on(Role::DriverNode, link.node),
        };
        self.changes.push(Change::Call { method, link, pod, caller: self.by, callee, replied });
    }

    /// The volumes of which one thing is true on a Node.
    pub fn volumes_where(&self, node: super::NodeId, is: impl Fn(&super::Place) -> bool) -> VolumeSet {
        self.world.volumes().filter(|v| is(self.cluster.place(Link { volume: *v, node }))).collect()
    }

    pub fn finish(self) -> Outcome {
        Outcome { cluster: self.cluster, changes: self.changes, reads: self.reads }
    }
}

/// The volume and the Node of a bound Pod.
pub(super) fn link_of(world: &World, cluster: &Cluster, pod: PodId) -> Option<Link> {
    Some(Link { volume: world.volume_of(pod), node: cluster.pod(pod).node? })
}

/// A list of volumes as a field's value: absent when empty.
pub(super) fn list(volumes: VolumeSet) -> Value {
    if volumes.is_empty() { Value::Absent } else { Value::Volumes(volumes) }
}
