//! What operations of several kinds share: positions in tensors, lists of lengths.

pub(crate) mod places;
pub(crate) mod scatter;
pub(crate) mod targets;
