//! What three or more operations share.

pub(super) mod exact;
pub(super) mod same_type;
pub(super) mod single;
pub(super) mod slice;
pub(super) mod view;
