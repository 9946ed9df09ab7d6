//! What an error of CreateVolume means for the claim (rpc.md §3).

use crate::model::Code;

/// What becomes of a claim whose CreateVolume failed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CreateOutcome {
    /// Nothing is under way at the driver: the claim is tried again, or forgotten if it is gone.
    Finished,
    /// The driver may still be at it: it is called again until it says, even if the claim is gone.
    InBackground,
    /// The selected Node has no room: the scheduler is to choose again.
    Reschedule,
}

/// What an error code of CreateVolume means. `topology` says whether the driver has topology, `selected` whether the
/// scheduler chose a Node.
///
/// Source: external-provisioner pkg/controller/controller.go `checkError`.
pub fn create_outcome(code: Code, topology: bool, selected: bool) -> CreateOutcome {
    match code {
        Code::ResourceExhausted if topology && selected => CreateOutcome::Reschedule,
        Code::Canceled | Code::DeadlineExceeded | Code::Aborted | Code::Unavailable => {
            CreateOutcome::InBackground
        }
        Code::Ok
        | Code::Unknown
        | Code::InvalidArgument
        | Code::NotFound
        | Code::AlreadyExists
        | Code::PermissionDenied
        | Code::ResourceExhausted
        | Code::FailedPrecondition
        | Code::OutOfRange
        | Code::Unimplemented
        | Code::Internal
        | Code::DataLoss
        | Code::Unauthenticated => CreateOutcome::Finished,
    }
}

/// Whether an error of CreateVolume cannot go away by itself, so that the next try comes late.
///
/// Source: sig-storage-lib-external-provisioner controller/controller.go:1572.
pub fn is_infeasible(code: Code) -> bool {
    code == Code::InvalidArgument
}
