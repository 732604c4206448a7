//! What operations of several categories have in common.

pub(crate) mod broadcast;
pub(crate) mod elementwise;
pub(crate) mod reals;
pub(crate) mod spans;
