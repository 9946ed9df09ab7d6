//! How external-resizer classes the errors of ControllerExpandVolume and ControllerModifyVolume.

use crate::model::Code;

/// A class of errors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ResizeError {
    /// The driver may still be at it.
    InProgress,
    /// The driver is not at it any more.
    Final,
    /// The same, and it will never do it.
    Infeasible,
    /// The same, and it will not do it while the volume is in use.
    InUse,
}

/// The class of an error of ControllerExpandVolume.
///
/// Source: external-resizer pkg/util/util.go `IsFinalError`, `IsInfeasibleError`, `IsInUseError`.
pub fn expand_error(code: Code) -> ResizeError {
    match code {
        Code::InvalidArgument | Code::OutOfRange | Code::NotFound => ResizeError::Infeasible,
        Code::FailedPrecondition => ResizeError::InUse,
        Code::Canceled
        | Code::DeadlineExceeded
        | Code::Unavailable
        | Code::ResourceExhausted
        | Code::Aborted => ResizeError::InProgress,
        Code::Ok
        | Code::Unknown
        | Code::AlreadyExists
        | Code::PermissionDenied
        | Code::Unimplemented
        | Code::Internal
        | Code::DataLoss
        | Code::Unauthenticated => ResizeError::Final,
    }
}

/// The class of an error of ControllerModifyVolume: only INVALID_ARGUMENT is infeasible.
///
/// Source: external-resizer pkg/modifycontroller/modify_volume.go:181.
pub fn modify_error(code: Code) -> ResizeError {
    match expand_error(code) {
        ResizeError::Infeasible if code == Code::InvalidArgument => ResizeError::Infeasible,
        ResizeError::Infeasible | ResizeError::InUse | ResizeError::Final => ResizeError::Final,
        ResizeError::InProgress => ResizeError::InProgress,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_fall_into_the_classes_of_the_sidecar() {
        let of =
            |class| Code::all().filter(|c| expand_error(*c) == class).map(Code::number).collect::<Vec<_>>();
        assert_eq!(of(ResizeError::InProgress), [1, 4, 8, 10, 14]);
        assert_eq!(of(ResizeError::Infeasible), [3, 5, 11]);
        assert_eq!(of(ResizeError::InUse), [9]);
        let infeasible = Code::all().filter(|c| modify_error(*c) == ResizeError::Infeasible);
        assert_eq!(infeasible.collect::<Vec<_>>(), [Code::InvalidArgument]);
    }
}
