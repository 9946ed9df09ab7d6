//! gRPC status codes, by their canonical names.

/// A gRPC status code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
#[allow(missing_docs, reason = "each variant is the name that `name` spells")]
pub enum Code {
    #[default]
    Ok,
    Canceled,
    Unknown,
    InvalidArgument,
    DeadlineExceeded,
    NotFound,
    AlreadyExists,
    PermissionDenied,
    ResourceExhausted,
    FailedPrecondition,
    Aborted,
    OutOfRange,
    Unimplemented,
    Internal,
    Unavailable,
    DataLoss,
    Unauthenticated,
}

/// Every code with its number, its name in specifications and its name in Go's error texts.
const NAMES: [(Code, u8, &str, &str); 17] = [
    (Code::Ok, 0, "OK", "OK"),
    (Code::Canceled, 1, "CANCELLED", "Canceled"),
    (Code::Unknown, 2, "UNKNOWN", "Unknown"),
    (Code::InvalidArgument, 3, "INVALID_ARGUMENT", "InvalidArgument"),
    (Code::DeadlineExceeded, 4, "DEADLINE_EXCEEDED", "DeadlineExceeded"),
    (Code::NotFound, 5, "NOT_FOUND", "NotFound"),
    (Code::AlreadyExists, 6, "ALREADY_EXISTS", "AlreadyExists"),
    (Code::PermissionDenied, 7, "PERMISSION_DENIED", "PermissionDenied"),
    (Code::ResourceExhausted, 8, "RESOURCE_EXHAUSTED", "ResourceExhausted"),
    (Code::FailedPrecondition, 9, "FAILED_PRECONDITION", "FailedPrecondition"),
    (Code::Aborted, 10, "ABORTED", "Aborted"),
    (Code::OutOfRange, 11, "OUT_OF_RANGE", "OutOfRange"),
    (Code::Unimplemented, 12, "UNIMPLEMENTED", "Unimplemented"),
    (Code::Internal, 13, "INTERNAL", "Internal"),
    (Code::Unavailable, 14, "UNAVAILABLE", "Unavailable"),
    (Code::DataLoss, 15, "DATA_LOSS", "DataLoss"),
    (Code::Unauthenticated, 16, "UNAUTHENTICATED", "Unauthenticated"),
];

impl Code {
    /// Every code.
    pub fn all() -> impl Iterator<Item = Code> {
        NAMES.iter().map(|row| row.0)
    }

    fn row(self) -> (u8, &'static str, &'static str) {
        NAMES.iter().find(|row| row.0 == self).map_or((2, "UNKNOWN", "Unknown"), |row| (row.1, row.2, row.3))
    }

    /// Its number on the wire.
    pub fn number(self) -> u8 {
        self.row().0
    }

    /// Its name in the CSI specification, such as `FAILED_PRECONDITION`.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Its name in the error texts of Go, and so of every sidecar, such as `FailedPrecondition`.
    pub fn go_name(self) -> &'static str {
        self.row().2
    }

    /// The code of either name.
    pub fn named(name: &str) -> Option<Code> {
        NAMES.iter().find(|row| row.2 == name || row.3 == name).map(|row| row.0)
    }
}
