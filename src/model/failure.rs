//! What a failure says: its gRPC code and its message, as statuses, Events and logs spell it.

use super::{About, Code, Failure, FaultKind, Method, World, driver_says};

/// What a caller says when its deadline has passed.
const DEADLINE: &str = "context deadline exceeded";

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

    /// Its message, without the code, where it ends such a call.
    pub fn message(self, world: &World, method: Method, about: About) -> String {
        match self {
            Failure::Deadline => DEADLINE.into(),
            Failure::Driver(code) => driver_says::refusal(world, method, about, code),
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

    /// The whole text, where it ends such a call: a call's error as Go's gRPC spells it, everything else as it is.
    pub fn text(self, world: &World, method: Method, about: About) -> String {
        let message = self.message(world, method, about);
        match self.code(world) {
            Some(code) => format!("rpc error: code = {} desc = {message}", code.go_name()),
            None => message,
        }
    }

    /// Whether the caller has heard nothing until its deadline.
    pub(super) fn hangs(self, world: &World) -> bool {
        match self {
            Failure::Deadline => true,
            Failure::Driver(_) | Failure::Attach(..) | Failure::Unreachable => false,
            Failure::Fault(fault) => match world.fault(fault).map(|fault| &fault.kind) {
                Some(FaultKind::Answer { message, .. }) => message == DEADLINE,
                Some(_) | None => false,
            },
        }
    }
}
