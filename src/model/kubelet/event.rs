//! The Events that kubelet sends, and their texts to the letter.

use super::error::{MountError, Processed, Unprocessed, forbidden};
use crate::model::event::{EventType, Text};
use crate::model::{About, Failure, Link, Method, PodId, VolumeMode, World, names};

/// An Event that kubelet sends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Event {
    /// The file system does not let it change the owner of the volume's files.
    OwnerFailed(Link),
    /// That takes long for a Pod.
    OwnerSlow(Link, PodId),
    /// It found the Pod's image.
    Pulled(PodId),
    /// It created the container.
    Created,
    /// It started the container.
    Started,
    /// It told the Pod's container to stop.
    Killing(PodId),
    /// A mount failed before any call left; the flag says that it was the device's turn.
    MountFailed(Link, MountError, bool),
    /// A mount failed because the attach has.
    AttachFailed(Link, Failure),
    /// NodeStageVolume failed.
    StageFailed(Link, Failure),
    /// NodePublishVolume failed.
    PublishFailed(Link, Failure),
    /// The volume was published, but its claim is out of the Node's sight.
    ClaimOutOfSight(Link, PodId),
    /// The populator left the Pod's volume out.
    Unprocessed(Processed, Unprocessed),
    /// A block volume is mapped for all Pods of the Node.
    MappedGlobally(Link),
    /// It is mapped for the Pod.
    MappedForPod(Link, PodId),
    /// It rejected the Pod, since its Node can take no more volumes.
    VolumeAttachmentLimitExceeded(PodId),
}

impl Event {
    pub(in crate::model) fn text(self, world: &World) -> Text {
        let (kind, reason, message) = match self {
            Event::Pulled(pod) => (
                EventType::Normal,
                "Pulled",
                format!(
                    "Container image \"{}\" already present on machine and can be accessed by the pod",
                    world.pod(pod).image
                ),
            ),
            Event::Created => (EventType::Normal, "Created", "Container created".into()),
            Event::Started => (EventType::Normal, "Started", "Container started".into()),
            Event::Killing(pod) => {
                (EventType::Normal, "Killing", format!("Stopping container {}", world.pod(pod).container))
            }
            Event::MountFailed(link, error, device) => {
                let step = match error {
                    MountError::NodeAffinity => "NodeAffinity check",
                    MountError::AttachmentMissing
                    | MountError::AttachmentDeleting
                    | MountError::AttachFailed
                    | MountError::AttachmentNotAttached => "WaitForAttach",
                    MountError::AnotherPod => step(world, link, mode(world, link) == VolumeMode::Block),
                    MountError::NotRegistered | MountError::NotEphemeral => step(world, link, device),
                    MountError::StageSecretMissing => step(world, link, true),
                    MountError::PublishSecretMissing => step(world, link, false),
                };
                // Of a block volume's failures, that one alone has the other reason.
                let filesystem = error == MountError::NodeAffinity;
                failed(world, link, filesystem, step, &error.text(world, link, device))
            }
            Event::AttachFailed(link, failure) => {
                let error = failure.text(world, Method::ControllerPublishVolume, About::Link(link));
                failed(world, link, false, "WaitForAttach", &error)
            }
            Event::StageFailed(link, failure) => {
                let error = failure.text(world, Method::NodeStageVolume, About::Link(link));
                failed(world, link, false, step(world, link, true), &error)
            }
            Event::PublishFailed(link, failure) => {
                let error = failure.text(world, Method::NodePublishVolume, About::Link(link));
                failed(world, link, false, step(world, link, false), &error)
            }
            Event::OwnerFailed(link) => {
                let volume = world.volume(link.volume);
                let error = volume.owner_error.as_deref().unwrap_or_default();
                let error = format!("applyFSGroup failed for vol {}: {error}", volume.handle);
                failed(world, link, false, step(world, link, false), &error)
            }
            Event::OwnerSlow(link, pod) => {
                let dir = names::publish_path(&world.pod(pod).uid, &world.volume(link.volume).pv);
                let message = format!(
                    "Setting volume ownership for {dir} is taking longer than expected, consider using OnRootMismatch - \
                     https://kubernetes.io/docs/tasks/configure-pod-container/security-context/\
                     #configure-volume-permission-and-ownership-change-policy-for-pods"
                );
                (EventType::Warning, "VolumePermissionChangeInProgress", message)
            }
            Event::ClaimOutOfSight(link, pod) => {
                let claim = world.claim_of(pod).map_or("", |id| &world.claim(id).name);
                let scope = format!("in the namespace \"{}\"", world.namespace());
                let node = &world.node(link.node).name;
                let error = format!(
                    "mountVolume.NodeExpandVolume get PVC failed : persistentvolumeclaims \"{claim}\" {}",
                    forbidden("persistentvolumeclaims", "", &scope, node)
                );
                (
                    EventType::Warning,
                    "FailedMount",
                    format!(
                        "MountVolume.Setup failed while expanding volume for volume \"{}\" : {error}",
                        world.volume(link.volume).pv
                    ),
                )
            }
            Event::Unprocessed(of, error) => {
                let name = &world.pod(of.pod).volume_name;
                let message = format!(
                    "Unable to attach or mount volumes: unmounted volumes=[{name}], unattached volumes=[], \
                     failed to process volumes=[{name}]: {}",
                    error.text(world, of)
                );
                (EventType::Warning, "FailedMount", message)
            }
            Event::MappedGlobally(link) => {
                let pv = &world.volume(link.volume).pv;
                mapped(pv, "globalMapPath", &names::block_map_path(pv))
            }
            Event::MappedForPod(link, pod) => {
                let pv = &world.volume(link.volume).pv;
                mapped(pv, "volumeMapPath", &names::block_pod_path(&world.pod(pod).uid))
            }
            Event::VolumeAttachmentLimitExceeded(pod) => {
                let name = &world.pod(pod).volume_name;
                let message = format!(
                    "Node has reached its volume attachment limit, rejecting pod. unmounted volumes=[{name}], \
                     unattached volumes=[{name}], failed to process volumes=[]: context deadline exceeded"
                );
                (EventType::Warning, "VolumeAttachmentLimitExceeded", message)
            }
        };
        (kind, reason, message)
    }
}

fn mode(world: &World, link: Link) -> VolumeMode {
    world.volume(link.volume).mode
}

/// The step at which a mount stands: the device's or the Pod's.
fn step(world: &World, link: Link, device: bool) -> &'static str {
    match (mode(world, link), device) {
        (VolumeMode::Filesystem, true) => "MountDevice",
        (VolumeMode::Filesystem, false) => "SetUp",
        (VolumeMode::Block, true) => "SetUpDevice",
        (VolumeMode::Block, false) => "MapPodDevice",
    }
}

/// Source: pkg/volume/util/operationexecutor/operation_executor.go `GenerateError`.
fn failed(world: &World, link: Link, filesystem: bool, step: &str, error: &str) -> Text {
    let (operation, reason) = match mode(world, link) {
        VolumeMode::Filesystem => ("MountVolume", "FailedMount"),
        VolumeMode::Block if filesystem => ("MapVolume", "FailedMount"),
        VolumeMode::Block => ("MapVolume", "FailedMapVolume"),
    };
    let pv = &world.volume(link.volume).pv;
    (EventType::Warning, reason, format!("{operation}.{step} failed for volume \"{pv}\" : {error}"))
}

fn mapped(pv: &str, what: &str, path: &str) -> Text {
    let message = format!("MapVolume.MapPodDevice succeeded for volume \"{pv}\" {what} \"{path}\"");
    (EventType::Normal, "SuccessfulMountVolume", message)
}
