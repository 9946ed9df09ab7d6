//! What a failure says: its gRPC code and its message, as statuses, Events and logs spell it.

use super::{Code, Failure, FaultKind, World};

impl Failure {
    /// Its code; `None` for what fails before any call leaves.
    pub fn code(self, world: &World) -> Option<Code> {
        match self {
            Failure::Deadline => Some(Code::DeadlineExceeded),
            Failure::Driver(code) => Some(code),
            Failure::Attach(wrong, _) => wrong.code(),
            Failure::Unreachable => Some(Code::Unavailable),
            Failure::Fault(fault) => match world.fault(fault).map(|fault| &fault.kind) {
                Some(FaultKind::Answer { code, .. }) => Some(*code),
                // Only an answer has a code of its own.
                Some(_) | None => Some(Code::Unavailable),
            },
        }
    }

    /// Its message, without the code.
    pub fn message(self, world: &World) -> String {
        match self {
            Failure::Deadline => "context deadline exceeded".into(),
            Failure::Driver(_) => String::new(),
            Failure::Attach(wrong, link) => wrong.message(world, link),
            Failure::Unreachable => format!(
                "connection error: desc = \"transport: Error while dialing: dial unix {}: connect: connection refused\"",
                world.driver().socket
            ),
            Failure::Fault(fault) => match world.fault(fault).map(|fault| &fault.kind) {
                Some(FaultKind::Answer { message, .. } | FaultKind::Refused { message, .. }) => {
                    message.clone()
                }
                Some(_) | None => String::new(),
            },
        }
    }

    /// The whole text: a call's error as Go's gRPC spells it, everything else as it is.
    pub fn text(self, world: &World) -> String {
        match self.code(world) {
            Some(code) => format!("rpc error: code = {} desc = {}", code.go_name(), self.message(world)),
            None => self.message(world),
        }
    }
}
