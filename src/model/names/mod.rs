//! Names that Kubernetes computes: of objects, of volumes in a Node's status, of finalizers and of paths.

mod list;
mod paths;

use sha2::{Digest, Sha256};
use std::fmt::Write as _;

pub use list::{Given, Name, list};
pub use paths::{ROOT, Root, publish_path, staging_path};

/// The name of the VolumeAttachment of a volume and a Node: `csi-` and the hex digits of the sha256 of
/// handle, driver and Node, put together without a separator.
///
/// Source: pkg/volume/csi/csi_attacher.go `getAttachmentName`.
pub fn attachment_name(handle: &str, driver: &str, node: &str) -> String {
    format!("csi-{}", hex_sha256(&[handle, driver, node]))
}

/// The unique volume name in `volumesAttached`, `volumesInUse` and logs.
///
/// Source: pkg/volume/csi/csi_plugin.go `GetVolumeName`, pkg/volume/util/util.go.
pub fn unique_volume_name(driver: &str, handle: &str) -> String {
    format!("kubernetes.io/csi/{driver}^{handle}")
}

/// The unique name of a volume that a Pod declares inline; it is in logs only, since nothing attaches it.
///
/// Source: pkg/volume/util/util.go `GetUniqueVolumeNameFromSpecWithPod`.
pub fn unique_inline_name(pod_uid: &str, volume: &str) -> String {
    format!("kubernetes.io/csi/{pod_uid}-{volume}")
}

/// The handle that kubelet gives a volume which a Pod declares inline: `csi-` and the hex digits of the sha256
/// of the Pod's UID and the volume's name in the Pod, put together without a separator.
///
/// Source: pkg/volume/csi/csi_mounter.go `makeVolumeHandle`.
pub fn inline_handle(pod_uid: &str, volume: &str) -> String {
    format!("csi-{}", hex_sha256(&[pod_uid, volume]))
}

/// Where a Node stages a raw block volume.
///
/// Source: pkg/volume/csi/csi_block.go `GetStagingPath`.
pub fn block_staging_path(pv: &str) -> String {
    format!("/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/staging/{pv}")
}

/// The file that a Node publishes a raw block volume to for a Pod.
///
/// Source: pkg/volume/csi/csi_block.go `getPublishPath`.
pub fn block_publish_path(pod_uid: &str, pv: &str) -> String {
    format!("/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/publish/{pv}/{pod_uid}")
}

/// The directory with a file for each Pod to which kubelet binds a raw block volume.
///
/// Source: pkg/volume/csi/csi_block.go `GetGlobalMapPath`.
pub fn block_map_path(pv: &str) -> String {
    format!("/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/{pv}/dev")
}

/// The directory with a Pod's links to its raw block volumes.
///
/// Source: pkg/volume/csi/csi_block.go `GetPodDeviceMapPath`.
pub fn block_pod_path(pod_uid: &str) -> String {
    format!("/var/lib/kubelet/pods/{pod_uid}/volumeDevices/kubernetes.io~csi")
}

/// The external-attacher's finalizer: every character of the driver's name but letters, digits and `-`
/// becomes `-`, and a trailing `-` gets an `X`.
///
/// Source: external-attacher pkg/controller/util.go `GetFinalizerName`.
pub fn attacher_finalizer(driver: &str) -> String {
    let mut name: String = "external-attacher/".into();
    name.extend(driver.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }));
    if name.ends_with('-') {
        name.push('X');
    }
    name
}

/// The name of the PersistentVolume that external-provisioner creates for a claim, and of its volume at the
/// backend until that has a handle.
///
/// Source: sig-storage-lib-external-provisioner controller/controller.go `getProvisionedVolumeNameForClaim`.
pub fn provisioned_volume(claim_uid: &str) -> String {
    format!("pvc-{claim_uid}")
}

/// The name of the claim that the ephemeral volume controller creates from a Pod's template.
///
/// Source: staging/src/k8s.io/component-helpers/storage/ephemeral/ephemeral.go `VolumeClaimName`.
pub fn ephemeral_claim(pod: &str, volume: &str) -> String {
    format!("{pod}-{volume}")
}

/// The name of the VolumeSnapshotContent that snapshot-controller creates for a VolumeSnapshot.
///
/// Source: external-snapshotter pkg/utils/util.go `GetDynamicSnapshotContentNameForSnapshot`.
pub fn snapshot_content(snapshot_uid: &str) -> String {
    format!("snapcontent-{snapshot_uid}")
}

/// The name by which csi-snapshotter asks the driver for a snapshot.
///
/// Source: external-snapshotter pkg/snapshotter/snapshotter.go `makeSnapshotName`.
pub fn snapshot(snapshot_uid: &str) -> String {
    format!("snapshot-{snapshot_uid}")
}

fn hex_sha256(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.as_bytes());
    }
    let mut hex = String::with_capacity(64);
    for byte in hash.finalize() {
        // Writing to a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_kubernetes_computes() {
        let table = [
            (
                attachment_name("vol-1", "disk.csi.example.com", "node-1"),
                "csi-f4c24cb450d8bb50ed94a9fe7498f9ee73f8350b12e34a249e60cba8d4711a1a",
            ),
            (
                attachment_name("handle1", "csi/test", "node1"),
                "csi-2cbccd634710bc2aaed3e096d70faf1edc1c2f0c6520a49580ef2b310828906d",
            ),
            (
                unique_volume_name("disk.csi.example.com", "vol-1"),
                "kubernetes.io/csi/disk.csi.example.com^vol-1",
            ),
            (unique_inline_name("P", "scratch"), "kubernetes.io/csi/P-scratch"),
            (
                inline_handle("11111111-2222-3333-4444-555555555555", "scratch"),
                "csi-a46bec53679aafe7e6bc42077f33be9e5c533643ed1224b3bfbf2dd627bbf53c",
            ),
            (attacher_finalizer("disk.csi.example.com"), "external-attacher/disk-csi-example-com"),
            (attacher_finalizer("csi/test"), "external-attacher/csi-test"),
            (attacher_finalizer("odd."), "external-attacher/odd-X"),
            (provisioned_volume("U"), "pvc-U"),
            (ephemeral_claim("app", "scratch"), "app-scratch"),
            (snapshot_content("U"), "snapcontent-U"),
            (snapshot("U"), "snapshot-U"),
        ];
        for (computed, expected) in table {
            assert_eq!(computed, expected);
        }
    }

    #[test]
    fn nothing_separates_the_parts_of_an_attachment_name() {
        assert_eq!(attachment_name("ab", "c", "d"), attachment_name("a", "bc", "d"));
    }
}
