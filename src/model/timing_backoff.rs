//! When what has failed is tried again, where each failure doubles the wait.

use super::timing::{BACKOFF, POD_BACKOFF, POD_BACKOFF_MAX, PROVISION_RETRY, PROVISION_RETRY_MAX, When};

/// When CreateVolume is called again after a failure.
pub const PROVISION_BACKOFF: When = When::Backoff {
    first: PROVISION_RETRY.ms,
    most: PROVISION_RETRY_MAX.ms,
    failed: &["provisioner-receives-create-failed", "provisioner-receives-cleanup-ok"],
    tries: true,
};
/// When DeleteVolume is tried again after a failure.
pub const DELETE_BACKOFF: When = When::Backoff {
    first: PROVISION_RETRY.ms,
    most: PROVISION_RETRY_MAX.ms,
    failed: &["provisioner-receives-delete-failed", "provisioner-finds-still-attached"],
    tries: true,
};
/// When a Pod is tried again after a failure.
pub const SCHEDULE_BACKOFF: When = When::Backoff {
    first: POD_BACKOFF.ms,
    most: POD_BACKOFF_MAX.ms,
    failed: &["scheduler-sees-binding-fail", "scheduler-times-out", "scheduler-finds-no-node"],
    tries: false,
};

/// When kubelet tries a failed expansion again.
pub const EXPAND_BACKOFF: When = When::Backoff {
    first: BACKOFF.ms,
    most: 122_000,
    failed: &["kubelet-receives-expand-failed", "kubelet-finds-no-expand"],
    tries: false,
};
/// What external-resizer takes for a failed expansion.
const RESIZE_FAILS: &[&str] =
    &["resizer-receives-expand-failed", "resizer-receives-expand-refused", "resizer-says-volume-in-use"];
/// When external-resizer tries a failed expansion again.
pub const RESIZE_BACKOFF: When =
    When::Backoff { first: 1_000, most: 300_000, failed: RESIZE_FAILS, tries: true };
/// When it tries one again that has turned out to be infeasible twice.
///
/// Source: external-resizer pkg/controller/expand_and_recover.go `markForSlowRetry`.
pub const RESIZE_SLOWLY: When =
    When::Backoff { first: 300_000, most: 300_000, failed: RESIZE_FAILS, tries: false };
/// What it takes for a failed modification.
const MODIFY_FAILS: &[&str] = &["resizer-receives-modify-failed", "resizer-receives-modify-refused"];
/// When it tries a failed modification again.
pub const MODIFY_BACKOFF: When =
    When::Backoff { first: 1_000, most: 300_000, failed: MODIFY_FAILS, tries: true };
/// When it tries one again that has turned out to be infeasible.
///
/// Source: external-resizer pkg/modifycontroller/modify_volume.go `delayModificationIfRecentlyInfeasible`; on a real
/// cluster there is no quick second try.
pub const MODIFY_SLOWLY: When =
    When::Backoff { first: 300_000, most: 300_000, failed: MODIFY_FAILS, tries: false };
/// When csi-snapshotter calls again after a failure, or for a snapshot that was not ready.
pub const SNAPSHOT_BACKOFF: When = When::Backoff {
    first: 1_000,
    most: 300_000,
    failed: &[
        "snapshotter-receives-create-failed",
        "snapshotter-receives-delete-failed",
        "snapshotter-receives-create-refused",
        "snapshotter-receives-delete-refused",
        "snapshotter-records-snapshot",
    ],
    tries: true,
};
