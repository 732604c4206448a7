//! The inferred shapes of a model: as a table, as JSON, CSV or Markdown, and as text for snapshots.

mod csv;
mod json;
mod markdown;
mod rows;
mod snapshot;
mod table;

pub use csv::csv;
pub use json::json;
pub use markdown::markdown;
pub use rows::TableOptions;
pub use snapshot::snapshot;
pub use table::table;
