//! The inferred shapes of a model: as a table, as JSON, CSV or Markdown, and as text for snapshots.

mod csv;
mod markdown;
mod rows;
mod table;

use crate::analysis::Model;
use crate::query::shapes::Shapes;
use crate::report::document;
use std::path::Path;

pub use crate::query::snapshot::text::snapshot;
pub use csv::csv;
pub use markdown::markdown;
pub use rows::{TableOptions, absent_types};
pub use table::table;

/// Returns the JSON document for a model; `path` is shown as given.
pub fn json(model: &Model, path: &Path) -> serde_json::Result<String> {
    document::about(path, &Shapes::of(model, model.names().as_ref()))
}
