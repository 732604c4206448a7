//! One JSON record per finding, each on a line of its own.

use super::FormatSpec;
use super::json;

pub(in crate::report) static FORMAT: FormatSpec = FormatSpec {
    is_document: true,
    ..FormatSpec::new("ndjson", "one JSON object per finding, each on its own line", |model, _| {
        json::render_lines(model)
    })
};
