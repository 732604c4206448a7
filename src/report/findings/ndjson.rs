//! One JSON record per finding, each on a line of its own.

use super::json;
use crate::report::format::FormatSpec;

pub(in crate::report) static FORMAT: FormatSpec = FormatSpec {
    is_document: true,
    ..FormatSpec::new("ndjson", "one object per finding and line", |model, _| json::render_lines(model))
};
