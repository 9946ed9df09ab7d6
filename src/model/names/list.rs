//! Every name that follows from a driver, a handle and a Node, in one list.

use super::{Root, attacher_finalizer, attachment_name, unique_volume_name};
use crate::model::Finalizer;

/// What is known of a volume.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Given<'a> {
    /// The driver's name.
    pub driver: &'a str,
    /// `spec.csi.volumeHandle` of its PersistentVolume.
    pub handle: &'a str,
    /// The Node's name.
    pub node: &'a str,
    /// The PersistentVolume's name; without it no path that holds it is listed.
    pub pv: Option<&'a str>,
    /// `metadata.uid` of a Pod; without it no path that holds it is listed.
    pub pod_uid: Option<&'a str>,
}

/// One computed name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// What it is, as a key for programs.
    pub key: &'static str,
    /// What it is, in words.
    pub what: &'static str,
    /// The name.
    pub value: String,
}

/// Every name that follows from what is given.
pub fn list(given: Given) -> Vec<Name> {
    let Given { driver, handle, node, pv, pod_uid } = given;
    let root = Root::default();
    let name = |key, what, value| Name { key, what, value };
    let mut names = vec![
        name("volumeAttachment", "VolumeAttachment", attachment_name(handle, driver, node)),
        name("uniqueVolumeName", "unique volume name", unique_volume_name(driver, handle)),
        name("attacherFinalizer", "finalizer, external-attacher", attacher_finalizer(driver)),
        name("provisionerFinalizer", "finalizer, external-provisioner", Finalizer::Provisioner.text(driver)),
        name("stagingPath", "staging path", root.staging(driver, handle)),
        name("stagingData", "staging data", root.staging_data(driver, handle)),
    ];
    if let Some((pv, pod)) = pv.zip(pod_uid) {
        names.push(name("publishPath", "publish path", root.publish(pod, pv)));
        names.push(name("publishData", "publish data", root.publish_data(pod, pv)));
    }
    if let Some(pv) = pv {
        names.push(name("blockStagingPath", "block staging path", root.block_staging(pv)));
        names.push(name("blockMapPath", "block global map", root.block_map(pv)));
        names.push(name("blockData", "block data", root.block_data(pv)));
    }
    if let Some((pv, pod)) = pv.zip(pod_uid) {
        names.push(name("blockPublishPath", "block publish path", root.block_publish(pod, pv)));
        names.push(name("blockMapFile", "block global map file", root.block_map_file(pod, pv)));
        names.push(name("blockLink", "block link of the Pod", root.block_link(pod, pv)));
    }
    names.push(name("driverSocket", "driver socket (usual)", root.socket(driver)));
    names.push(name("registrationSocket", "registration socket", root.registration(driver)));
    names
}
