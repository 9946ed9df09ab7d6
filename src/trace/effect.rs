//! What one action of a run did: writes, calls, events and mounts, with every name spelled out.

use crate::model::{Actor, Code, EventType, ObjectRef};

/// One thing that an action did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// A field of an API object got another value; `None` means the field is absent.
    Write {
        /// The object.
        object: ObjectRef,
        /// The field's path, such as `status.attached`.
        field: &'static str,
        /// The value before.
        from: Option<String>,
        /// The value after.
        to: Option<String>,
        /// Who wrote it.
        by: Actor,
    },
    /// An API object came to be; its fields follow as writes from `None`.
    Create {
        /// The object.
        object: ObjectRef,
        /// Who created it.
        by: Actor,
    },
    /// An API object is gone.
    Delete {
        /// The object.
        object: ObjectRef,
        /// Whose write let it go.
        by: Actor,
    },
    /// A CSI call left its caller (`code: None`) or its reply arrived.
    Rpc {
        /// The method, such as `ControllerPublishVolume`.
        method: &'static str,
        /// Who called.
        caller: Actor,
        /// Who answers.
        callee: Actor,
        /// The reply's code; `None` while the call is under way.
        code: Option<Code>,
        /// What the reply says, where it is an error.
        message: Option<String>,
        /// The request's fields that matter here, by their names in the CSI specification, in order.
        request: Vec<(&'static str, String)>,
    },
    /// A Kubernetes Event was recorded.
    Event {
        /// The object it is about.
        object: ObjectRef,
        /// Normal or Warning.
        kind: EventType,
        /// Its reason, such as `SuccessfulAttachVolume`.
        reason: &'static str,
        /// Its message, to the letter.
        message: String,
        /// Who reported it.
        by: Actor,
    },
    /// Something was mounted at a path of a Node.
    Mount {
        /// The Node's name.
        node: String,
        /// Where.
        path: String,
    },
    /// A mount of a Node was undone.
    Unmount {
        /// The Node's name.
        node: String,
        /// Where.
        path: String,
    },
    /// The backend made a volume's device visible on a Node, or took it away.
    Device {
        /// The Node's name.
        node: String,
        /// The volume's handle at the backend.
        path: String,
        /// False when it was taken away.
        present: bool,
    },
}
