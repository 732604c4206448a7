//! One line per finding, for editors and for `grep`.

use super::{ModelReport, downstream, escape, has_place, path_text};
use crate::source::Lines;
use std::fmt::Write;

const MESSAGE: usize = 500;

/// `path:line:col: error[rule] message` for every finding that does not follow from another.
pub fn render(model: &ModelReport) -> String {
    let path = escape::line(&path_text(model.path), usize::MAX);
    let lines = model.source.filter(|_| model.findings.iter().any(has_place)).map(Lines::new);
    let mut out = String::new();
    for finding in model.roots() {
        out.push_str(&path);
        if let Some(lines) = lines.as_ref().filter(|_| has_place(finding)) {
            let place = lines.position(finding.primary.span.start);
            let _ = write!(out, ":{}:{}", place.line, place.column);
        }
        let message = escape::line(&finding.message, MESSAGE);
        let _ = write!(out, ": {}[{}] {message}", finding.severity.name(), finding.rule.name);
        if let Some(more) = downstream(finding) {
            let _ = write!(out, " ({more})");
        }
        out.push('\n');
    }
    out
}
