//! What the external-attacher checks before it calls the driver, in its order (EA1, EA3; failures C4, C9, C10, E7, E8).

use super::Wrong;
use super::access_mode::csi_mode;
use super::rules::{wants_publish, wants_unpublish};
use crate::model::effect::{Failure, Field, Value};
use crate::model::turn::Turn;
use crate::model::{Cluster, Finalizer, Link, ObjectId, Presence, Source, Unmet, VolumeId, World};

type Step = Result<(), Unmet>;

/// The first thing that keeps it from ControllerPublishVolume, as far as it has come: the PersistentVolume gets its
/// finalizer between the first checks and the others.
pub fn attach_obstacle(world: &World, cluster: &Cluster, link: Link) -> Option<Wrong> {
    let volume = cluster.volume(link.volume);
    let source = cluster.place(link).attachment.source;
    let first = source_obstacle(cluster, link)
        .or_else(|| (source.names_volume() && volume.deleting).then_some(Wrong::VolumeDeleting));
    if first.is_some() || (source.names_volume() && !volume.finalizers.contains(Finalizer::Attacher)) {
        return first;
    }
    let modes = csi_mode(&world.volume(link.volume).modes(), world.driver().single_node_multi_writer);
    modes
        .err()
        .map(Wrong::Modes)
        .or_else(|| secret_obstacle(world, cluster, link))
        .or_else(|| node_obstacle(cluster, link))
}

/// The first thing that keeps it from ControllerUnpublishVolume. The annotation with the driver's id of the Node
/// stands in for a CSINode that is gone.
pub fn detach_obstacle(world: &World, cluster: &Cluster, link: Link) -> Option<Wrong> {
    source_obstacle(cluster, link)
        .or_else(|| secret_obstacle(world, cluster, link))
        .or_else(|| node_obstacle(cluster, link).filter(|_| !cluster.place(link).attachment.node_id))
}

/// `readonly` of ControllerPublishVolume: as the PersistentVolume says, where the driver has PUBLISH_READONLY.
pub fn publishes_readonly(world: &World, volume: VolumeId) -> bool {
    world.volume(volume).read_only && world.driver().publish_readonly
}

fn source_obstacle(cluster: &Cluster, link: Link) -> Option<Wrong> {
    match cluster.place(link).attachment.source {
        Source::None => Some(Wrong::NoSource),
        Source::Both => Some(Wrong::BothSources),
        Source::Inline => None,
        Source::Volume => {
            (cluster.volume(link.volume).presence != Presence::Here).then_some(Wrong::VolumeMissing)
        }
    }
}

fn secret_obstacle(world: &World, cluster: &Cluster, link: Link) -> Option<Wrong> {
    let wanted = world.volume(link.volume).publish_secret.is_some();
    (wanted && !cluster.secrets().contains(link.volume)).then_some(Wrong::SecretMissing)
}

fn node_obstacle(cluster: &Cluster, link: Link) -> Option<Wrong> {
    let node = cluster.node(link.node);
    if node.csi_node_gone {
        return Some(Wrong::NoCsiNode);
    }
    (!node.driver).then_some(Wrong::NotRegistered)
}

/// EA2: something is in the way of the attach, and `status.attachError` says what. It is tried again after a pause.
pub(super) fn reports_attach_obstacle(t: &mut Turn, link: Link) -> Step {
    wants_publish(t, link)?;
    let wrong = attach_obstacle(t.world, &t.cluster, link).ok_or(Unmet::NothingInTheWay)?;
    t.read(ObjectId::Attachment(link));
    set_attach_error(t, link, Failure::Attach(wrong, link));
    Ok(())
}

/// EA4: something is in the way of the detach, and `status.detachError` says what.
pub(super) fn reports_detach_obstacle(t: &mut Turn, link: Link) -> Step {
    wants_unpublish(t, link)?;
    let wrong = detach_obstacle(t.world, &t.cluster, link).ok_or(Unmet::NothingInTheWay)?;
    t.read(ObjectId::Attachment(link));
    set_detach_error(t, link, Failure::Attach(wrong, link));
    Ok(())
}

pub(super) fn set_attach_error(t: &mut Turn, link: Link, failure: Failure) {
    let attachment = &mut t.cluster.place_mut(link).attachment;
    let from =
        attachment.attach_error.replace(failure).map_or(Value::Absent, |was| Value::Failure(was, link));
    t.write(ObjectId::Attachment(link), Field::AttachError, from, Value::Failure(failure, link));
}

pub(super) fn set_detach_error(t: &mut Turn, link: Link, failure: Failure) {
    let attachment = &mut t.cluster.place_mut(link).attachment;
    let from =
        attachment.detach_error.replace(failure).map_or(Value::Absent, |was| Value::Failure(was, link));
    t.write(ObjectId::Attachment(link), Field::DetachError, from, Value::Failure(failure, link));
}
