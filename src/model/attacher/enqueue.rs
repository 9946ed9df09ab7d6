//! What wakes the external-attacher (EA6).

/// Whether an update that changes just these fields of a VolumeAttachment, named as they stand in the object,
/// makes the external-attacher look at it:
/// what it wrote itself about an error does not, or it would retry without a pause. An update that changes
/// nothing is the informer's resync, and counts.
///
/// Source: external-attacher pkg/controller/controller.go `shouldEnqueueVAChange`.
pub fn enqueues(changed: &[&str]) -> bool {
    changed.is_empty() || !changed.iter().all(|field| QUIET.contains(field))
}

/// The fields that it does not look at.
const QUIET: [&str; 4] =
    ["status.attachError", "status.detachError", "metadata.managedFields", "metadata.resourceVersion"];
