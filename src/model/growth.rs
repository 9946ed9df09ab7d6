//! What changes when a claim grows or is modified: its status, and the disk behind its volume.

use super::data_source::SourceError;
use super::pack::hash_seldom;
use super::{AttributesId, Code};
use std::hash::{Hash, Hasher};

/// `status.allocatedResourceStatuses.storage` of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Allocated {
    /// The key is not there: nothing is being expanded.
    #[default]
    None,
    /// external-resizer has ControllerExpandVolume under way, or will call it again.
    ControllerResizeInProgress,
    /// The driver's controller plugin cannot do it.
    ControllerResizeInfeasible,
    /// The rest is to be done on a Node.
    NodeResizePending,
    /// kubelet has NodeExpandVolume under way, or will call it again.
    NodeResizeInProgress,
    /// The driver's node plugin cannot do it.
    NodeResizeInfeasible,
}

impl Allocated {
    /// Every status.
    pub const ALL: [Allocated; 6] = [
        Allocated::None,
        Allocated::ControllerResizeInProgress,
        Allocated::ControllerResizeInfeasible,
        Allocated::NodeResizePending,
        Allocated::NodeResizeInProgress,
        Allocated::NodeResizeInfeasible,
    ];

    /// The status as the API server spells it; empty where the key is not there.
    pub fn name(self) -> &'static str {
        match self {
            Allocated::None => "",
            Allocated::ControllerResizeInProgress => "ControllerResizeInProgress",
            Allocated::ControllerResizeInfeasible => "ControllerResizeInfeasible",
            Allocated::NodeResizePending => "NodeResizePending",
            Allocated::NodeResizeInProgress => "NodeResizeInProgress",
            Allocated::NodeResizeInfeasible => "NodeResizeInfeasible",
        }
    }
}

/// A type in `status.conditions` of a claim; it is there only while it is true.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the name that `name` spells")]
pub enum Condition {
    Resizing,
    FileSystemResizePending,
    ControllerResizeError,
    NodeResizeError,
    ModifyingVolume,
    ModifyVolumeError,
}

impl Condition {
    /// Every condition, in the order in which they come to a claim.
    pub const ALL: [Condition; 6] = [
        Condition::Resizing,
        Condition::FileSystemResizePending,
        Condition::ControllerResizeError,
        Condition::NodeResizeError,
        Condition::ModifyingVolume,
        Condition::ModifyVolumeError,
    ];

    /// The type as the API server spells it.
    pub fn name(self) -> &'static str {
        match self {
            Condition::Resizing => "Resizing",
            Condition::FileSystemResizePending => "FileSystemResizePending",
            Condition::ControllerResizeError => "ControllerResizeError",
            Condition::NodeResizeError => "NodeResizeError",
            Condition::ModifyingVolume => "ModifyingVolume",
            Condition::ModifyVolumeError => "ModifyVolumeError",
        }
    }

    /// Whether it tells of an expansion; the others tell of a modification.
    pub fn is_of_resize(self) -> bool {
        match self {
            Condition::Resizing
            | Condition::FileSystemResizePending
            | Condition::ControllerResizeError
            | Condition::NodeResizeError => true,
            Condition::ModifyingVolume | Condition::ModifyVolumeError => false,
        }
    }
}

/// `status.conditions` of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Conditions(u8);

impl Conditions {
    /// Whether none is in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether this one is in it.
    pub fn contains(self, condition: Condition) -> bool {
        self.0 & bit(condition) != 0
    }

    /// The same with this one.
    pub fn with(self, condition: Condition) -> Self {
        Self(self.0 | bit(condition))
    }

    /// The same without this one.
    pub fn without(self, condition: Condition) -> Self {
        Self(self.0 & !bit(condition))
    }

    /// Those that do not tell of an expansion.
    pub fn without_resize(self) -> Self {
        Condition::ALL.into_iter().filter(|c| c.is_of_resize()).fold(self, Self::without)
    }

    /// The types, in the order in which they come to a claim.
    pub fn names(self) -> Vec<&'static str> {
        Condition::ALL.into_iter().filter(|c| self.contains(*c)).map(Condition::name).collect()
    }
}

fn bit(condition: Condition) -> u8 {
    1_u8.wrapping_shl(condition as u32)
}

/// `status.modifyVolumeStatus.status` of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Modify {
    /// It is not there.
    #[default]
    None,
    /// The VolumeAttributesClass is missing.
    Pending,
    /// ControllerModifyVolume is under way, or will be called again.
    InProgress,
    /// The driver does not support the class's parameters.
    Infeasible,
}

impl Modify {
    /// The status as the API server spells it; empty where it is not there.
    pub fn name(self) -> &'static str {
        match self {
            Modify::None => "",
            Modify::Pending => "Pending",
            Modify::InProgress => "InProgress",
            Modify::Infeasible => "Infeasible",
        }
    }
}

/// What external-resizer is doing about a claim's size.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Resizer {
    /// Nothing.
    #[default]
    Idle,
    /// It has said in the claim's status that it begins.
    Marked,
    /// ControllerExpandVolume has left.
    Called,
    /// The driver has expanded the disk; its reply is under way.
    Done,
    /// The reply is there.
    Expanded,
    /// The PersistentVolume has its new capacity.
    Recorded,
}

/// What external-resizer is doing about a claim's VolumeAttributesClass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Modifier {
    /// Nothing.
    #[default]
    Idle,
    /// It has said in the claim's status that it begins.
    Marked,
    /// ControllerModifyVolume has left.
    Called,
    /// The driver has modified the disk; its reply is under way.
    Done,
    /// The reply is there.
    Modified,
    /// The PersistentVolume has its new class.
    Recorded,
}

/// The part of a claim that tells of its size and its VolumeAttributesClass, and what external-resizer remembers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Growth {
    /// `status.allocatedResourceStatuses.storage`
    pub allocated: Allocated,
    /// `status.allocatedResources.storage` in GiB; 0 while it is not there.
    pub allocated_size: u16,
    /// `status.conditions`
    pub conditions: Conditions,
    /// The annotation volume.kubernetes.io/node-expansion-not-required.
    pub skips_node: bool,
    /// The expand controller has told of this request.
    pub told: bool,
    /// external-resizer's work.
    pub resizer: Resizer,
    /// external-resizer remembers that the driver refused because the volume is in use.
    pub in_use: bool,
    /// The same, that its last call ended in an error after which the driver is certainly not at it.
    pub final_error: bool,
    /// The same, that this size has been infeasible before, so that it takes its time.
    pub slow: bool,
    /// The claim has asked for more since external-resizer last looked.
    pub raised: bool,
    /// `spec.volumeAttributesClassName`
    pub attributes: Option<AttributesId>,
    /// `status.currentVolumeAttributesClassName`
    pub current: Option<AttributesId>,
    /// `status.modifyVolumeStatus.targetVolumeAttributesClassName`
    pub target: Option<AttributesId>,
    /// `status.modifyVolumeStatus.status`
    pub modify: Modify,
    /// external-resizer's work.
    pub modifier: Modifier,
    /// external-provisioner has told that the claim's source cannot be used.
    pub source: Option<SourceError>,
}

impl Hash for Growth {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self {
            allocated,
            allocated_size,
            conditions,
            skips_node,
            told,
            resizer,
            in_use,
            final_error,
            slow,
            raised,
            attributes,
            current,
            target,
            modify,
            modifier,
            source,
        } = self;
        hash_seldom(self, state, |state| {
            (allocated, allocated_size, conditions, skips_node, told, resizer, in_use).hash(state);
            (final_error, slow, raised).hash(state);
            (attributes, current, target, modify, modifier, source).hash(state);
        });
    }
}

/// A volume's disk at the backend, as far as it has changed since it was created.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Backing {
    /// Its size in GiB after ControllerExpandVolume; 0 while it has its first size.
    pub size: u16,
    /// The size of its file system in GiB after NodeExpandVolume; 0 while it has its first size.
    pub file_system: u16,
    /// `spec.volumeAttributesClassName` of the PersistentVolume.
    pub attributes: Option<AttributesId>,
}

/// A VolumeAttributesClass.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AttributesSpec {
    /// `metadata.name`
    pub name: String,
    /// There is no such object.
    pub missing: bool,
    /// The driver's message when it does not support the parameters; `None` when it does.
    pub rejected: Option<String>,
}

impl AttributesSpec {
    /// The driver's error when it does not support the parameters, as the sidecars spell it.
    pub fn error(&self, code: Code) -> String {
        format!(
            "rpc error: code = {} desc = {}",
            code.go_name(),
            self.rejected.as_deref().unwrap_or_default()
        )
    }
}
