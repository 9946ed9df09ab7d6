//! Mountpath: how a Kubernetes volume gets from a claim to a mounted directory.
pub mod model;
pub mod scene;
pub mod trace;

#[cfg(not(target_arch = "wasm32"))]
pub mod course;
#[cfg(all(feature = "site", not(target_arch = "wasm32")))]
pub mod host;
#[cfg(feature = "site")]
pub mod view;
