//! What may happen: the state of a cluster's volumes and the rules of the actors that change it.
mod actor;
mod object;

pub use actor::{Actor, Family, Role};
pub use object::{Kind, ObjectRef};
