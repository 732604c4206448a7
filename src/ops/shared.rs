//! What three or more operations share.

pub(super) mod agreement;
pub(super) mod boxes;
pub(super) mod fourier;
pub(super) mod index;
pub(super) mod recurrent;
pub(super) mod window;
