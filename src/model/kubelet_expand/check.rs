//! Whether kubelet calls NodeExpandVolume, what an error of it means, and what is left after it.

use crate::model::Code;
use crate::model::growth::Allocated;

/// What kubelet looks at before it expands a volume on its Node; sizes in one unit, whichever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// `status.capacity.storage` of the claim.
    pub claim: u64,
    /// `spec.capacity.storage` of the PersistentVolume.
    pub volume: u64,
    /// `status.allocatedResourceStatuses.storage` of the claim.
    pub allocated: Allocated,
    /// Several Nodes may have the volume, so each has to expand it by itself.
    pub many_nodes: bool,
    /// The claim's annotation volume.kubernetes.io/node-expansion-not-required.
    pub skips_node: bool,
}

/// What comes of that look.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Check {
    /// The claim's status forbids a call until external-resizer changes it.
    Refused,
    /// Nothing is left to do.
    Done,
    /// NodeExpandVolume is called; the claim's status tells of it only where (`true`) it has not the size yet.
    Call(bool),
}

/// The look itself.
///
/// Source: pkg/volume/util/operationexecutor/node_expander.go `runPreCheck`, `expandOnPlugin`.
pub fn check(sizes: Sizes) -> Check {
    if sizes.claim >= sizes.volume && sizes.allocated == Allocated::None {
        // The claim has its size already, so this Node's share is all that could be missing.
        return if sizes.many_nodes && !sizes.skips_node { Check::Call(false) } else { Check::Done };
    }
    match sizes.allocated {
        Allocated::None | Allocated::NodeResizePending | Allocated::NodeResizeInProgress => Check::Call(true),
        Allocated::NodeResizeInfeasible
        | Allocated::ControllerResizeInProgress
        | Allocated::ControllerResizeInfeasible => Check::Refused,
    }
}

/// A class of errors of an expansion on the Node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum NodeExpandError {
    /// The node plugin lacks EXPAND_VOLUME, so it is not called.
    NotSupported,
    /// It does not expand a volume in use; kubelet tries no more before it is mounted anew.
    InUse,
    /// It will never do it.
    Infeasible,
    /// Anything else, a timeout too.
    Final,
}

/// The class of a code that NodeExpandVolume answers.
///
/// Source: pkg/volume/csi/expander.go:59-147.
pub fn node_expand_error(code: Code) -> NodeExpandError {
    match code {
        Code::InvalidArgument | Code::OutOfRange | Code::NotFound => NodeExpandError::Infeasible,
        Code::FailedPrecondition => NodeExpandError::InUse,
        Code::Ok
        | Code::Canceled
        | Code::Unknown
        | Code::DeadlineExceeded
        | Code::AlreadyExists
        | Code::PermissionDenied
        | Code::ResourceExhausted
        | Code::Aborted
        | Code::Unimplemented
        | Code::Internal
        | Code::Unavailable
        | Code::DataLoss
        | Code::Unauthenticated => NodeExpandError::Final,
    }
}

/// What comes of an expansion by a node plugin with or without EXPAND_VOLUME that answers this code, if an error.
///
/// Source: pkg/volume/csi/expander.go `nodeExpandWithClient`.
pub fn plugin_error(expands: bool, code: Option<Code>) -> Result<(), NodeExpandError> {
    match (expands, code) {
        (false, _) => Err(NodeExpandError::NotSupported),
        (true, None | Some(Code::Ok)) => Ok(()),
        (true, Some(code)) => Err(node_expand_error(code)),
    }
}

/// What an expansion leaves behind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Left {
    /// `status.allocatedResourceStatuses.storage` of the claim.
    pub allocated: Allocated,
    /// The claim has the PersistentVolume's size now.
    pub grown: bool,
    /// It failed.
    pub error: bool,
}

/// What a call leaves behind whose claim's status (`marks`) tells of it or not.
///
/// Source: pkg/volume/util/operationexecutor/node_expander.go `expandOnPlugin`.
pub fn left(result: Result<(), NodeExpandError>, marks: bool) -> Left {
    match result {
        Ok(()) => Left { allocated: Allocated::None, grown: marks, error: false },
        // The claim has its size, so that a plugin which cannot has nothing to do.
        Err(NodeExpandError::NotSupported) if !marks => {
            Left { allocated: Allocated::None, grown: false, error: false }
        }
        Err(NodeExpandError::Infeasible) if marks => {
            Left { allocated: Allocated::NodeResizeInfeasible, grown: false, error: true }
        }
        Err(
            NodeExpandError::NotSupported
            | NodeExpandError::InUse
            | NodeExpandError::Infeasible
            | NodeExpandError::Final,
        ) => {
            let allocated = if marks { Allocated::NodeResizeInProgress } else { Allocated::None };
            Left { allocated, grown: false, error: true }
        }
    }
}
