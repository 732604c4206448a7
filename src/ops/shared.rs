//! Code that three or more operations share.

pub(super) mod agreement;
pub(super) mod blocks;
pub(super) mod bodies;
pub(super) mod boxes;
pub(super) mod broadcast;
pub(super) mod elementwise;
pub(super) mod fourier;
pub(super) mod index;
pub(super) mod known_type;
pub(super) mod prelude;
pub(super) mod recurrent;
pub(super) mod scatter;
pub(super) mod single;
pub(super) mod slice;
pub(super) mod strides;
pub(super) mod targets;
pub(super) mod totals;
pub(super) mod window;
