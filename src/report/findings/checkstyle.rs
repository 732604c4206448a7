//! Checkstyle's XML, which many CI services and editors read.

use super::entry::{entries, file_text, level};
use super::xml;
use crate::report::ModelReport;
use crate::report::format::FormatSpec;
use std::fmt::Write;

pub(in crate::report) static FORMAT: FormatSpec = FormatSpec {
    is_document: true,
    head: || Ok(format!("{}{HEAD}", xml::DECLARATION)),
    tail: |_, _| Ok(TAIL.to_owned()),
    ..FormatSpec::new("checkstyle", "Checkstyle's XML", |model, _| Ok(render(model)))
};

const HEAD: &str = "<checkstyle version=\"4.3\">\n";
const TAIL: &str = "</checkstyle>\n";

/// Renders the `<file>` of a model; empty without findings.
fn render(model: &ModelReport) -> String {
    let mut errors = String::new();
    for entry in entries(model) {
        let position = entry.position.map(|(start, _)| format!(" line=\"{}\" column=\"{}\"", start.line, start.column));
        let _ = writeln!(
            errors,
            "    <error{} severity=\"{}\" message=\"{}\" source=\"ovlint.{}\"/>",
            position.unwrap_or_default(),
            level(entry.finding.severity, "info"),
            xml::text(&entry.full_message()),
            entry.finding.rule.name
        );
    }
    if errors.is_empty() {
        return errors;
    }
    format!("  <file name=\"{}\">\n{errors}  </file>\n", xml::text(&file_text(model)))
}
