//! What a world is made of, and why it cannot be made.

use super::Driver;
use super::fault::Fault;
use super::growth::AttributesSpec;
use super::spec::{AccessMode, ClaimSpec, ClassSpec, NodeSpec, Origin, PodSpec, SnapshotSpec, VolumeSpec};
use std::fmt;

/// The parts of a world; numbers in them are places in these lists.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parts {
    /// The namespace of Pods and claims.
    pub namespace: String,
    /// The driver.
    pub driver: Driver,
    /// StorageClasses.
    pub classes: Vec<ClassSpec>,
    /// PersistentVolumeClaims.
    pub claims: Vec<ClaimSpec>,
    /// PersistentVolumes, those too that are provisioned only later.
    pub volumes: Vec<VolumeSpec>,
    /// Nodes.
    pub nodes: Vec<NodeSpec>,
    /// Pods.
    pub pods: Vec<PodSpec>,
    /// VolumeSnapshots.
    pub snapshots: Vec<SnapshotSpec>,
    /// Faults.
    pub faults: Vec<Fault>,
    /// kube-controller-manager runs with `--disable-force-detach-on-timeout`.
    pub force_detach_disabled: bool,
    /// VolumeAttributesClasses, those too that are missing.
    pub attributes: Vec<AttributesSpec>,
}

impl Parts {
    /// Adds a claim that is bound to its PersistentVolume from the start and that nobody deletes, both of this
    /// mode.
    pub fn bound_claim(mut self, claim: &str, pv: &str, handle: &str, access_mode: AccessMode) -> Self {
        let place = self.claims.len();
        self.claims.push(ClaimSpec {
            name: claim.into(),
            access_mode,
            request: 1,
            volume_name: Some(self.volumes.len()),
            given: true,
            kept: true,
            ..ClaimSpec::default()
        });
        self.volumes.push(VolumeSpec {
            pv: pv.into(),
            handle: handle.into(),
            access_mode,
            capacity: 1,
            origin: Origin::Provisioned(place),
            ..VolumeSpec::default()
        });
        self
    }
}

/// Why a world cannot be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorldError {
    /// Too many or too few of something: what, how few, how many may be and how many there are.
    Number(&'static str, usize, usize, usize),
    /// One thing names another that is not there: what names what.
    Missing(&'static str, &'static str),
}

impl fmt::Display for WorldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WorldError::Number(what, least, most, given) if given > most => {
                write!(f, "a world has {least} to {most} {what}, so leave some out: {given} given")
            }
            WorldError::Number(what, least, most, given) => {
                write!(f, "a world has {least} to {most} {what}, so add one: {given} given")
            }
            WorldError::Missing(who, what) => write!(f, "{who} names {what} that is not there, so add it"),
        }
    }
}

impl std::error::Error for WorldError {}
