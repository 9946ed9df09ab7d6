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
            Failure::TooSmall => None,
            Failure::Fault(fault) => match world.fault(fault).map(|fault| &fault.kind) {
                Some(FaultKind::Answer { code, .. }) => Some(*code),
                Some(FaultKind::Hangs { .. }) => Some(Code::DeadlineExceeded),
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
            Failure::TooSmall => too_small(world, about),
            Failure::Unreachable => format!(
                "connection error: desc = \"transport: Error while dialing: dial unix {}: connect: connection refused\"",
                world.driver().socket
            ),
            Failure::Fault(fault) => match world.fault(fault).map(|fault| &fault.kind) {
                Some(FaultKind::Answer { message, .. } | FaultKind::Refused { message, .. }) => {
                    message.clone()
                }
                Some(FaultKind::Hangs { .. }) => DEADLINE.into(),
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
            Failure::Driver(_) | Failure::Attach(..) | Failure::Unreachable | Failure::TooSmall => false,
            Failure::Fault(fault) => match world.fault(fault).map(|fault| &fault.kind) {
                Some(FaultKind::Answer { message, .. }) => message == DEADLINE,
                Some(FaultKind::Hangs { .. }) => true,
                Some(_) | None => false,
            },
        }
    }
}

/// Source: external-provisioner pkg/controller/controller.go `Provision`.
fn too_small(world: &World, about: About) -> String {
    let (made, asked) = match about {
        About::Claim(claim) => {
            let made = world.provisions(claim).and_then(|volume| world.volume(volume).made);
            (made.unwrap_or(0), world.claim(claim).request)
        }
        About::Volume(_) | About::Link(_) | About::Target(..) | About::Snapshot(_) | About::Node(_) => (0, 0),
    };
    let bytes = |gib: u16| u64::from(gib) << 30;
    format!("created volume capacity {} less than requested capacity {}", bytes(made), bytes(asked))
}
