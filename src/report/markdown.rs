//! A table of the findings in Markdown, for job summaries and comments.

use super::entry::{entries, file_text};
use super::{ModelReport, Summary, grouped};
use std::fmt::Write;

/// Rows shown: job summaries and comments have a limit in bytes.
pub(super) const SHOWN: usize = 100;

pub(super) const TITLE: &str = "### ovlint\n\n";

/// The head of the table; only written above a first row.
pub(super) const COLUMNS: &str = "| severity | rule | place | finding |\n|---|---|---|---|\n";

/// A row per finding that does not follow from another.
pub(super) fn render(model: &ModelReport) -> String {
    let file = text(&file_text(model));
    let mut out = String::new();
    for entry in entries(model) {
        let (severity, rule) = (entry.finding.severity.name(), entry.finding.rule.name);
        let place = entry.place.map(|(start, _)| format!(":{}:{}", start.line, start.column)).unwrap_or_default();
        let _ = writeln!(out, "| {severity} | `{rule}` | {file}{place} | {} |", text(&entry.full_message()));
    }
    out
}

/// The closing lines.
pub(super) fn closing(summary: &Summary) -> String {
    let found = summary.errors + summary.warnings + summary.infos;
    let mut out = String::new();
    if found > SHOWN {
        let _ = write!(out, "\nand {} more.", grouped(found - SHOWN));
    }
    if found > 0 {
        out.push('\n');
    }
    out + &text(&summary.text())
}

/// Plain text in Markdown: nothing in a name makes a link, an image, HTML or another column.
pub(super) fn text(plain: &str) -> String {
    let mut out = String::with_capacity(plain.len());
    for character in plain.chars() {
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&' | '!' | '@') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}
