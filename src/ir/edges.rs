//! Resolution of edges to ports, and findings about them.

pub(super) mod broken;
pub(super) mod findings;
pub(super) mod missing_layers;
pub(super) mod port_ids;
pub(super) mod resolve;
