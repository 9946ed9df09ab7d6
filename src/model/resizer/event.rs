//! The Events that external-resizer sends about a claim.

use crate::model::event::{EventType, Text};
use crate::model::{About, AttributesId, ClaimId, Failure, Method, VolumeId, World};

/// An Event that external-resizer sends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Event {
    /// It begins to resize.
    Resizing(VolumeId),
    /// The driver answered with an error.
    ResizeFailed(VolumeId, Failure),
    /// The driver only expands volumes that nobody uses, and somebody does.
    OnlyOffline(ClaimId),
    /// The rest is to be done on a Node.
    FileSystemResizeRequired,
    /// All is done.
    ResizeSuccessful,
    /// It begins to modify.
    Modifying(ClaimId, AttributesId),
    /// All is done.
    ModifySuccessful(ClaimId, AttributesId),
    /// The driver answered with an error; it may still be at it (`true`).
    ModifyFailed(ClaimId, AttributesId, Failure, bool),
    /// The VolumeAttributesClass is missing.
    NoAttributesClass(AttributesId),
    /// The user took the wish back.
    ModifyCanceled,
}

impl Event {
    pub(in crate::model) fn text(self, world: &World) -> Text {
        let pv = |volume| &world.volume(volume).pv;
        let class = |id| &world.attributes_class(id).name;
        let driver = &world.driver().name;
        let (kind, reason, message) = match self {
            Event::Resizing(volume) => {
                (EventType::Normal, "Resizing", format!("External resizer is resizing volume {}", pv(volume)))
            }
            Event::ResizeFailed(volume, failure) => (
                EventType::Warning,
                "VolumeResizeFailed",
                format!(
                    "resize volume \"{}\" by resizer \"{driver}\" failed: {}",
                    pv(volume),
                    failure.text(world, Method::ControllerExpandVolume, About::Volume(volume))
                ),
            ),
            Event::OnlyOffline(claim) => (
                EventType::Warning,
                "VolumeResizeFailed",
                format!(
                    "Unable to expand {}/{} because CSI driver {driver} only supports offline expansion and volume \
                     is currently in-use",
                    world.namespace(),
                    world.claim(claim).name
                ),
            ),
            Event::FileSystemResizeRequired => (
                EventType::Normal,
                "FileSystemResizeRequired",
                "Require file system resize of volume on node".into(),
            ),
            Event::ResizeSuccessful => {
                (EventType::Normal, "VolumeResizeSuccessful", "Resize volume succeeded".into())
            }
            Event::Modifying(claim, id) => (
                EventType::Normal,
                "VolumeModify",
                format!(
                    "external resizer is modifying volume {} with vac {}",
                    world.claim(claim).name,
                    class(id)
                ),
            ),
            Event::ModifySuccessful(claim, id) => (
                EventType::Normal,
                "VolumeModifySuccessful",
                format!(
                    "external resizer modified volume {} with vac {} successfully",
                    world.claim(claim).name,
                    class(id)
                ),
            ),
            Event::ModifyFailed(claim, id, failure, still) => {
                let more =
                    if still { format!(". Still modifying to VAC {}", class(id)) } else { String::new() };
                let error = match failure {
                    Failure::Driver(code) => world.attributes_class(id).error(code),
                    Failure::Fault(_)
                    | Failure::Deadline
                    | Failure::Unreachable
                    | Failure::TooSmall
                    | Failure::Attach(..) => {
                        failure.text(world, Method::ControllerModifyVolume, About::Claim(claim))
                    }
                };
                (EventType::Warning, "VolumeModifyFailed", format!("{error}{more}"))
            }
            Event::NoAttributesClass(id) => {
                (EventType::Warning, "VolumeModifyFailed", format!("VAC \"{}\" does not exist.", class(id)))
            }
            Event::ModifyCanceled => (EventType::Normal, "VolumeModifyCanceled", "Cancelled modify.".into()),
        };
        (kind, reason, message)
    }
}
