//! The room `host`.
