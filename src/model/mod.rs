//! What may happen: the state of a cluster's volumes and the rules of the actors that change it.
#![deny(clippy::disallowed_types)]

mod action;
mod actor;
pub mod adc;
pub mod attacher;
mod cluster;
mod code;
pub mod driver;
mod effect;
mod event;
mod explain;
mod fault;
mod finalizer;
mod ids;
pub mod kubelet;
pub mod names;
mod object;
mod objects;
pub mod outside;
mod owners;
mod refusal;
mod rules;
pub mod scheduler;
mod slots;
mod spec;
pub mod timing;
mod turn;
pub mod user;
mod waits;
mod world;

pub use action::{Action, Subject};
pub use actor::{Actor, Family, Role};
pub use adc::{Actual, Adc, AdcOperation};
pub use attacher::Attacher;
pub use cluster::{Cluster, Place, Real};
pub use code::Code;
pub use effect::{About, Change, Failure, Field, Method, MountPoint, Reply, Value};
pub use event::{EventId, EventType, REASONS};
pub use explain::{Explanation, Goal, Harm, Reason, explain, harms};
pub use fault::{DownSet, Fault, FaultKind, Left};
pub use finalizer::{Finalizer, FinalizerSet};
pub use ids::{
    ActorId, ClaimId, ClassId, FaultId, Link, NodeId, ObjectId, PodId, PodSet, SnapshotId, VolumeId,
    VolumeSet,
};
pub use kubelet::{Kubelet, KubeletOperation};
pub use object::{Kind, ObjectRef};
pub use objects::{
    Attachment, Claim, ClaimPhase, Class, Container, Exit, Node, Phase, Pod, Presence, Runtime, Volume,
    VolumePhase,
};
pub use owners::{OWNERS, Owner, obeys};
pub use refusal::{Refusal, Unmet};
pub use rules::{actions, apply, candidates, next};
pub use slots::Slots;
pub use spec::{
    AccessMode, BindingMode, ClaimSpec, ClassSpec, DataSource, Driver, FsGroupPolicy, NodeSpec, Origin,
    PodSpec, PodVolume, Reclaim, SnapshotSpec, VolumeMode, VolumeSpec,
};
pub use turn::Outcome;
pub use waits::waits;
pub use world::{Parts, World, WorldError};
