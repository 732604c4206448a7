//! What operations of several kinds share: positions in tensors, lists of lengths.

pub(crate) mod places;
pub(crate) mod scatter;
pub(crate) mod targets;
//! What three or more operations share.

pub(super) mod same_type;
pub(super) mod single;
pub(super) mod slice;
pub(super) mod view;
//! What three or more operations share.

pub(super) mod agreement;
pub(super) mod index;
pub(super) mod window;
