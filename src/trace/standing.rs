//! What stands before anybody acts: objects that are there from the start, processes that are down, and the Pods' uids.

use super::{Effect, render};
use crate::model::{
    Actor, ActorId, ClaimId, Cluster, Field, Kind, ObjectId, ObjectRef, Presence, Role, Value, World,
};

/// The processes that are down.
pub(super) fn down(world: &World, cluster: &Cluster) -> Vec<Actor> {
    if cluster.down().is_empty() {
        return Vec::new();
    }
    let everybody = Role::ALL.into_iter().flat_map(|role| {
        let nodes = world.nodes().filter(move |_| role.is_of_node()).map(move |node| ActorId::on(role, node));
        nodes.chain((!role.is_of_node()).then(|| ActorId::cluster(role)))
    });
    everybody.filter(|actor| cluster.down().contains(*actor)).map(|actor| world.actor(actor)).collect()
}

/// The Pods with their uids, which stand in the paths of their mounts.
pub(super) fn uids(world: &World) -> Vec<(ObjectRef, String)> {
    world.pods().map(|id| (world.object(ObjectId::Pod(id)), world.pod(id).uid.clone())).collect()
}

/// The objects that are there, as the effects that would bring them about: Nodes, claims with the PersistentVolumes
/// that they are bound to, and what the user of a driver has set up for it.
pub(super) fn given(world: &World) -> Vec<Effect> {
    let mut all = List { world, user: Actor { role: Role::User, node: None }, effects: Vec::new() };
    let cluster = world.initial();
    for name in world.nodes().map(|id| world.node(id).name.clone()) {
        let by = Actor { role: Role::Kubelet, node: Some(name.clone()) };
        all.effects.push(Effect::Create { object: ObjectRef { kind: Kind::Node, name }, by });
    }
    for id in world.claims().filter(|id| cluster.claim(*id).presence == Presence::Here) {
        all.claim(id, &cluster);
    }
    all.set_up(&cluster);
    all.effects
}

struct List<'w> {
    world: &'w World,
    user: Actor,
    effects: Vec<Effect>,
}

impl List<'_> {
    fn object(&mut self, object: &ObjectRef, by: &Actor) {
        self.effects.push(Effect::Create { object: object.clone(), by: by.clone() });
    }

    fn field(&mut self, object: &ObjectRef, field: &'static str, to: Option<String>, by: &Actor) {
        self.effects.push(Effect::Write { object: object.clone(), field, from: None, to, by: by.clone() });
    }

    fn claim(&mut self, id: ClaimId, cluster: &Cluster) {
        let (world, user) = (self.world, self.user.clone());
        let claim = world.object(ObjectId::Claim(id));
        let volume = cluster.claim(id).volume;
        let pv = volume.map(|volume| world.object(ObjectId::Volume(volume)));
        self.object(&claim, &user);
        pv.iter().for_each(|pv| self.object(pv, &user));
        let size = |gib: u16| (gib > 0).then(|| format!("{gib}Gi"));
        self.field(&claim, "spec.accessModes", Some(world.claim(id).access_mode.name().to_owned()), &user);
        self.field(&claim, "spec.resources.requests.storage", size(cluster.claim(id).request), &user);
        let Some((volume, pv)) = volume.zip(pv) else { return };
        let binder = Actor { role: Role::PvController, node: None };
        self.field(&claim, "spec.volumeName", Some(pv.name.clone()), &user);
        self.field(&claim, "status.capacity.storage", size(cluster.claim(id).capacity), &binder);
        self.field(&claim, "status.phase", Some("Bound".into()), &binder);
        let finalizers = Value::Finalizers(cluster.volume(volume).finalizers);
        self.field(&pv, "metadata.finalizers", render::value(world, Field::Finalizers, finalizers), &user);
        self.field(&pv, "spec.csi.driver", Some(world.driver().name.clone()), &user);
        self.field(&pv, "spec.csi.volumeHandle", Some(world.volume(volume).handle.clone()), &user);
        self.field(&pv, "spec.capacity.storage", size(cluster.volume(volume).capacity), &user);
    }

    /// Classes, the CSIDriver, and the Nodes where the driver is registered.
    fn set_up(&mut self, cluster: &Cluster) {
        let (world, user) = (self.world, self.user.clone());
        for id in world.classes().filter(|id| cluster.class(*id).presence == Presence::Here) {
            let (class, spec) = (world.object(ObjectId::Class(id)), world.class(id));
            self.object(&class, &user);
            self.field(&class, "provisioner", Some(spec.provisioner.clone()), &user);
            self.field(&class, "volumeBindingMode", Some(spec.binding.name().into()), &user);
            self.field(&class, "reclaimPolicy", Some(spec.reclaim.name().into()), &user);
            self.field(&class, "allowVolumeExpansion", Some(spec.expansion.to_string()), &user);
        }
        if world.driver().object {
            let driver = world.object(ObjectId::CsiDriver);
            self.object(&driver, &user);
            self.field(
                &driver,
                "spec.attachRequired",
                Some(world.driver().attach_required.to_string()),
                &user,
            );
        }
        // kubelet creates the CSINode when it starts, whatever drivers there are.
        for id in world.nodes().filter(|id| !cluster.node(*id).csi_node_gone) {
            let csi_node = world.object(ObjectId::CsiNode(id));
            let by = Actor { role: Role::Kubelet, node: Some(world.node(id).name.clone()) };
            self.object(&csi_node, &by);
            if cluster.node(id).driver {
                self.field(&csi_node, "spec.drivers", Some(world.driver().name.clone()), &by);
            }
        }
    }
}
