//! The room `view`.
