//! The inferred shapes of a model: as a table, as JSON, and as text for snapshots.

mod json;
mod snapshot;
mod table;

pub use json::json;
pub use snapshot::snapshot;
pub use table::{TableOptions, table};
