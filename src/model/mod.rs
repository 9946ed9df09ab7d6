//! What may happen: the state of a cluster's volumes and the rules of the actors that change it.
#![deny(clippy::disallowed_types)]

mod action;
mod actor;
mod cluster;
mod effect;
mod ids;
pub mod names;
mod object;
mod owners;
mod refusal;
mod rules;
mod rules_adc;
mod rules_attacher;
mod rules_kubelet;
mod rules_mount;
mod rules_pod;
pub mod timing;
mod turn;
mod waits;
mod world;

pub use action::{Action, Subject};
pub use actor::{Actor, Family, Role};
pub use cluster::{
    Actual, Adc, AdcOperation, Attacher, Attachment, Cluster, Container, Exit, Kubelet, KubeletOperation,
    Phase, Place, Pod, Presence, Real, Runtime, Volume,
};
pub use effect::{Change, EventId, Field, Method, MountPoint, Value};
pub use ids::{ActorId, Link, NodeId, ObjectId, PodId, PodSet, VolumeId, VolumeSet};
pub use object::{Kind, ObjectRef};
pub use owners::{OWNERS, Owner, obeys};
pub use refusal::{Refusal, Unmet};
pub use rules::{actions, apply, candidates};
pub use turn::Outcome;
pub use waits::waits;
pub use world::{AccessMode, Driver, NodeSpec, PodSpec, VolumeSpec, World, WorldError};
