//! One line per finding, for editors and for `grep`.

use super::FormatSpec;
use super::entry::{Entry, entries};
use crate::report::ModelReport;
use crate::text::{escape, path_text};
use std::fmt::Write;

pub(in crate::report) static FORMAT: FormatSpec = FormatSpec {
    tail: |end, brevity| Ok(if brevity.statistics { end.summary.statistics.text() } else { String::new() }),
    ..FormatSpec::new("concise", "one line per finding, for editors and grep", |model, options| {
        Ok(if options.brevity.statistics { String::new() } else { render(model) })
    })
};

/// Renders ``path:line:col: error[rule] `layer` (Type): message`` for every root finding.
pub fn render(model: &ModelReport) -> String {
    let path = escape::line(&path_text(model.path), usize::MAX);
    let mut out = String::new();
    for entry in entries(model) {
        let _ = writeln!(out, "{path}{}", after_path(&entry));
    }
    out
}

/// Formats the line without the path.
pub(in crate::report) fn after_path(entry: &Entry) -> String {
    let position = entry.position.map(|(start, _)| format!(":{}:{}", start.line, start.column)).unwrap_or_default();
    let (severity, rule) = (entry.finding.severity.name(), entry.finding.rule.name);
    format!("{position}: {severity}[{rule}] {}", entry.full_message())
}
