//! What several findings have in common: the port, constant or file at fault.

pub(crate) mod constants;
pub(crate) mod wrong_weights;
