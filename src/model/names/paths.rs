//! Paths on a Node: kubelet's directories of a CSI volume, and the sockets of its driver.

use super::hex_sha256;

/// kubelet's root directory, where nobody gave it another.
pub const ROOT: &str = "/var/lib/kubelet";

/// kubelet's root directory, with the paths below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Root<'a>(pub &'a str);

impl Default for Root<'_> {
    fn default() -> Self {
        Root(ROOT)
    }
}

/// Where a Node stages a volume with a file system, below the usual root.
pub fn staging_path(driver: &str, handle: &str) -> String {
    Root::default().staging(driver, handle)
}

/// Where a Node publishes a volume with a file system to a Pod, below the usual root.
pub fn publish_path(pod_uid: &str, pv: &str) -> String {
    Root::default().publish(pod_uid, pv)
}

impl Root<'_> {
    /// The directory of the CSI plugin.
    fn csi(self) -> String {
        format!("{}/plugins/kubernetes.io/csi", self.0)
    }

    /// The directory of what a Node holds of a volume with a file system, shared by all of the Node's Pods.
    fn device(self, driver: &str, handle: &str) -> String {
        format!("{}/{driver}/{}", self.csi(), hex_sha256(&[handle]))
    }

    /// The directory of a volume with a file system inside a Pod; an inline volume has no PersistentVolume and
    /// takes its name in the Pod.
    fn pod_volume(self, pod_uid: &str, pv: &str) -> String {
        format!("{}/pods/{pod_uid}/volumes/kubernetes.io~csi/{pv}", self.0)
    }

    /// The directory of raw block volumes.
    fn block(self) -> String {
        format!("{}/volumeDevices", self.csi())
    }

    /// `staging_target_path` of a volume with a file system.
    ///
    /// Source: pkg/volume/csi/csi_attacher.go `makeDeviceMountPath`.
    pub fn staging(self, driver: &str, handle: &str) -> String {
        format!("{}/globalmount", self.device(driver, handle))
    }

    /// What kubelet remembers of a staged volume; there is none for a driver that does not stage.
    ///
    /// Source: pkg/volume/csi/csi_attacher.go `MountDevice`.
    pub fn staging_data(self, driver: &str, handle: &str) -> String {
        format!("{}/vol_data.json", self.device(driver, handle))
    }

    /// `target_path` of a volume with a file system.
    ///
    /// Source: pkg/volume/csi/csi_mounter.go `getTargetPath`.
    pub fn publish(self, pod_uid: &str, pv: &str) -> String {
        format!("{}/mount", self.pod_volume(pod_uid, pv))
    }

    /// What kubelet remembers of a published volume.
    ///
    /// Source: pkg/volume/csi/csi_mounter.go `SetUpAt`.
    pub fn publish_data(self, pod_uid: &str, pv: &str) -> String {
        format!("{}/vol_data.json", self.pod_volume(pod_uid, pv))
    }

    /// Where a container's `subPath` of a volume is bound to.
    ///
    /// Source: pkg/volume/util/subpath/subpath_linux.go `getSubpathBindTarget`.
    pub fn sub_path(self, pod_uid: &str, pv: &str, container: &str, index: usize) -> String {
        format!("{}/pods/{pod_uid}/volume-subpaths/{pv}/{container}/{index}", self.0)
    }

    /// `staging_target_path` of a raw block volume.
    ///
    /// Source: pkg/volume/csi/csi_block.go `GetStagingPath`.
    pub fn block_staging(self, pv: &str) -> String {
        format!("{}/staging/{pv}", self.block())
    }

    /// `target_path` of a raw block volume: a file.
    ///
    /// Source: pkg/volume/csi/csi_block.go `getPublishPath`.
    pub fn block_publish(self, pod_uid: &str, pv: &str) -> String {
        format!("{}/publish/{pv}/{pod_uid}", self.block())
    }

    /// The global map directory of a raw block volume; in it stands a file for each Pod.
    ///
    /// Source: pkg/volume/csi/csi_block.go `GetGlobalMapPath`.
    pub fn block_map(self, pv: &str) -> String {
        format!("{}/{pv}/dev", self.block())
    }

    /// The file in the global map directory to which kubelet binds the device for a Pod.
    ///
    /// Source: pkg/volume/util/volumepathhandler/volume_path_handler.go `MapDevice`.
    pub fn block_map_file(self, pod_uid: &str, pv: &str) -> String {
        format!("{}/{pod_uid}", self.block_map(pv))
    }

    /// What kubelet remembers of a raw block volume.
    ///
    /// Source: pkg/volume/csi/csi_util.go `getVolumeDeviceDataDir`.
    pub fn block_data(self, pv: &str) -> String {
        format!("{}/{pv}/data/vol_data.json", self.block())
    }

    /// A Pod's symbolic link to the published file of a raw block volume.
    ///
    /// Source: pkg/volume/csi/csi_block.go `GetPodDeviceMapPath`.
    pub fn block_link(self, pod_uid: &str, pv: &str) -> String {
        format!("{}/pods/{pod_uid}/volumeDevices/kubernetes.io~csi/{pv}", self.0)
    }

    /// The driver's socket, by convention.
    pub fn socket(self, driver: &str) -> String {
        format!("{}/plugins/{driver}/csi.sock", self.0)
    }

    /// The socket by which node-driver-registrar announces the driver to kubelet.
    ///
    /// Source: node-driver-registrar cmd/csi-node-driver-registrar/node_register.go.
    pub fn registration(self, driver: &str) -> String {
        format!("{}/plugins_registry/{driver}-reg.sock", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_what_kubelet_computes() {
        let root = Root::default();
        let below = |rest: &str| format!("/var/lib/kubelet/{rest}");
        let (driver, pod, pv) = ("disk.csi.example.com", "P", "pvc-U");
        let device = format!(
            "plugins/kubernetes.io/csi/{driver}/{}",
            "d2e8363faaac7ae76def3b14091d8eb5755f6b92e9531627aeec833a8731cc49"
        );
        let block = "plugins/kubernetes.io/csi/volumeDevices";
        let table = [
            (root.staging(driver, "vol-1"), format!("{device}/globalmount")),
            (root.staging_data(driver, "vol-1"), format!("{device}/vol_data.json")),
            (root.publish(pod, pv), "pods/P/volumes/kubernetes.io~csi/pvc-U/mount".into()),
            (root.publish_data(pod, pv), "pods/P/volumes/kubernetes.io~csi/pvc-U/vol_data.json".into()),
            (root.sub_path(pod, pv, "c", 0), "pods/P/volume-subpaths/pvc-U/c/0".into()),
            (root.block_staging(pv), format!("{block}/staging/pvc-U")),
            (root.block_publish(pod, pv), format!("{block}/publish/pvc-U/P")),
            (root.block_map(pv), format!("{block}/pvc-U/dev")),
            (root.block_map_file(pod, pv), format!("{block}/pvc-U/dev/P")),
            (root.block_data(pv), format!("{block}/pvc-U/data/vol_data.json")),
            (root.block_link(pod, pv), "pods/P/volumeDevices/kubernetes.io~csi/pvc-U".into()),
            (root.socket(driver), "plugins/disk.csi.example.com/csi.sock".into()),
            (root.registration(driver), "plugins_registry/disk.csi.example.com-reg.sock".into()),
        ];
        for (computed, expected) in table {
            assert_eq!(computed, below(&expected));
        }
        assert_eq!(Root("/data/kubelet").block_map(pv), format!("/data/kubelet/{block}/pvc-U/dev"));
        assert_eq!(staging_path(driver, "vol-1"), root.staging(driver, "vol-1"));
        assert_eq!(publish_path(pod, pv), root.publish(pod, pv));
    }
}
