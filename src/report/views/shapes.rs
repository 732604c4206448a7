//! The inferred shapes of a model: as a table, as JSON, CSV or Markdown, and as text for snapshots.

mod csv;
mod json;
mod markdown;
mod rows;
mod table;

pub use crate::query::snapshot::text::snapshot;
pub use csv::csv;
pub use json::json;
pub use markdown::markdown;
pub use rows::TableOptions;
pub use table::table;
