//! What a driver says with an error: when it refuses a call itself, and when a scenario lets it fail without words.

use super::{About, Code, DataSource, Method, SnapshotId, World};

/// The message of the driver's own refusal.
///
/// Source: csi-driver-host-path pkg/hostpath/controllerserver.go, nodeserver.go, pkg/state/state.go.
pub(super) fn refusal(world: &World, method: Method, about: About, code: Code) -> String {
    let id = handle(world, about);
    match (method, code) {
        (_, Code::Aborted) => format!("an operation with the given Volume ID {id} already exists"),
        (_, Code::Unimplemented) => format!("{} is not supported", method.name()),
        (Method::CreateVolume, Code::NotFound) => source(world, about),
        (Method::CreateSnapshot | Method::DeleteSnapshot, Code::NotFound) => unknown("snapshot", &id),
        (_, Code::NotFound) => unknown("volume", &id),
        (Method::DeleteVolume, Code::FailedPrecondition) => format!("Volume '{id}' is still used"),
        (Method::NodeStageVolume, Code::Internal) => {
            format!("ControllerPublishVolume must be called on volume '{id}' before staging on node")
        }
        (Method::NodePublishVolume, Code::FailedPrecondition) => {
            format!("volume \"{id}\" must be staged before publishing")
        }
        (Method::NodeUnstageVolume, Code::Internal) => format!("volume \"{id}\" is still published"),
        (Method::ControllerModifyVolume, Code::InvalidArgument) => rejected(world),
        _ => usual(method, code),
    }
}

/// The message of an error that a scenario scripts without giving one: what such an error says on a real cluster, or
/// that it was injected.
///
/// Source: tests/recordings; a deadline is the caller's own.
pub fn usual(method: Method, code: Code) -> String {
    let text = match (method, code) {
        (_, Code::Canceled) => "context canceled",
        (_, Code::DeadlineExceeded) => "context deadline exceeded",
        (_, Code::Unavailable) => "storage backend unavailable",
        (_, Code::Aborted) => "an operation with the given Volume ID already exists",
        (Method::ControllerPublishVolume, Code::FailedPrecondition) => "volume is attached to another node",
        (Method::ControllerPublishVolume, Code::Internal) => "backend error: failed to attach disk",
        (Method::ControllerUnpublishVolume, Code::Internal) => "backend error: detach timed out",
        (Method::NodeUnpublishVolume, Code::Internal) => "target is busy",
        (Method::NodeUnstageVolume, Code::Internal) => "umount: device is busy",
        (Method::NodeExpandVolume, Code::Internal) => "resize2fs failed",
        _ => return format!("injected {} failure", method.name()),
    };
    text.into()
}

fn unknown(what: &str, id: &str) -> String {
    format!("{what} id {id} does not exist in the {what}s list")
}

/// The id that a call names.
fn handle(world: &World, about: About) -> String {
    match about {
        About::Volume(volume) => world.volume(volume).handle.clone(),
        About::Link(link) | About::Target(link, _) => world.volume(link.volume).handle.clone(),
        About::Snapshot(snapshot) => world.snapshot(snapshot).handle.clone(),
        About::Claim(claim) => {
            world.provisions(claim).map_or_else(String::new, |v| world.volume(v).handle.clone())
        }
        About::Node(node) => world.node(node).driver_id.clone(),
    }
}

/// What a new volume was to be filled from.
fn source(world: &World, about: About) -> String {
    let About::Claim(claim) = about else { return usual(Method::CreateVolume, Code::NotFound) };
    match world.claim(claim).source {
        Some(DataSource::Snapshot(place)) => {
            unknown("snapshot", &world.snapshot(SnapshotId(place as u8)).handle)
        }
        Some(DataSource::MissingSnapshot) => unknown("snapshot", &world.claim(claim).source_name),
        Some(DataSource::Claim(place)) => {
            let volume = world.claims().nth(place).and_then(|source| world.provisions(source));
            unknown("volume", &volume.map_or_else(String::new, |v| world.volume(v).handle.clone()))
        }
        None => usual(Method::CreateVolume, Code::NotFound),
    }
}

/// What it says of a VolumeAttributesClass whose parameters it does not know; a call names no class, so that only what
/// holds of all such classes can be said.
fn rejected(world: &World) -> String {
    let mut texts =
        world.attributes_classes().filter_map(|class| world.attributes_class(class).rejected.as_ref());
    let first = texts.next();
    let one = first.filter(|first| texts.all(|text| text == *first));
    one.map_or_else(|| usual(Method::ControllerModifyVolume, Code::InvalidArgument), String::clone)
}
