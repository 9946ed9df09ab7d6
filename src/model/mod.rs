//! What may happen: the state of a cluster's volumes and the rules of the actors that change it.
#![deny(clippy::disallowed_types)]

mod action;
mod actor;
pub mod adc;
pub mod attacher;
mod candidates;
mod cause;
pub mod claims;
mod cluster;
mod code;
pub mod csi;
pub mod data_source;
pub mod driver;
mod driver_answer;
mod driver_grows;
mod driver_says;
mod driver_spec;
mod effect;
pub mod ephemeral;
mod event;
pub mod expand_controller;
mod explain;
mod explain_far;
mod failure;
mod fault;
mod finalizer;
mod goal;
pub mod growth;
pub mod hand;
mod harm;
mod history;
mod ids;
pub mod kubelet;
pub mod kubelet_expand;
mod method;
pub mod names;
pub mod namespace;
mod needs;
mod needs_acts;
pub mod nodes;
mod object;
mod objects;
pub mod outside;
mod owners;
mod pack;
mod parts;
pub mod protection;
pub mod provisioner;
mod refusal;
mod refusal_text;
pub mod registrar;
pub mod resizer;
mod rules;
pub mod scheduler;
mod slots;
pub mod snapshots;
mod spec;
pub mod timing;
mod timing_backoff;
mod turn;
pub mod user;
mod user_grows;
mod visited;
mod waits;
mod world;

pub use action::{Action, Subject};
pub use actor::{Actor, Family, Role};
pub use adc::{Actual, Adc, AdcOperation};
pub use attacher::Attacher;
pub use candidates::Row;
pub use cause::{Cause, CauseSet};
pub use claims::Binder;
pub use cluster::{Cluster, Place, Real};
pub use code::Code;
pub use driver::{Late, LateAtBackend, may_hang};
pub use driver_answer::driver_answer;
pub use driver_says::usual;
pub use driver_spec::{Driver, FsGroupPolicy};
pub use effect::{About, Change, Failure, Field, Method, MountPoint, Reply, Value};
pub use event::{EventId, EventType, REASONS};
pub use explain::{Explanation, Reason, explain, explain_since};
pub use fault::{DownSet, Fault, FaultKind, Left};
pub use finalizer::{Finalizer, FinalizerSet};
pub use goal::Goal;
pub use growth::AttributesSpec;
pub use harm::{Harm, harms};
pub use history::{Moment, past};
pub use ids::{
    ActorId, AttributesId, ClaimId, ClassId, FaultId, Link, NodeId, ObjectId, PodId, PodSet, SnapshotId,
    VolumeId, VolumeSet,
};
pub use kubelet::{Agent, Boot, Files, Kubelet, KubeletOperation, MountState, Registration};
pub use needs::Absent;
pub use nodes::TaintSet;
pub use object::{Kind, ObjectRef};
pub use objects::{
    Attachment, Claim, ClaimPhase, Class, Container, Exit, Node, NodeReady, Phase, Pod, Presence, Runtime,
    Source, Volume, VolumePhase,
};
pub use owners::{ALSO, OWNERS, Owner, obeys};
pub use parts::{Parts, WorldError};
pub use provisioner::{
    CreateOutcome, Deleter, Deletion, Provision, Provisioner, create_outcome, is_infeasible,
};
pub use refusal::{Refusal, Unmet};
pub use rules::{actions, apply, candidates, is_enabled, next, promising, promising_rows, rows};
pub use scheduler::Scheduling;
pub use slots::Slots;
pub use spec::{
    AccessMode, BindingMode, ClaimSpec, ClassSpec, DataSource, NodeSpec, Origin, PodSpec, PodVolume, Reclaim,
    SnapshotSpec, VolumeMode, VolumeSpec,
};
pub use turn::Outcome;
pub use visited::Visited;
pub use waits::waits;
pub use world::World;
