//! GitHub's workflow commands, which show findings at the lines of a pull request.

use super::entry::{Entry, entries, file_text, level};
use super::{End, FormatSpec, Join};
use crate::report::ModelReport;
use crate::report::words;
use crate::text::{counted, escape};
use std::fmt::Write;

pub(in crate::report) static FORMAT: FormatSpec = FormatSpec {
    join: Join::Lines { header: "", kind, most: SHOWN },
    tail: |end, brevity| Ok(if brevity.quiet { String::new() } else { closing(end) }),
    ..FormatSpec::new("github", "annotations of a GitHub workflow, and its job summary", |model, _| Ok(render(model)))
};

/// The number of annotations of one kind that GitHub shows per step.
const SHOWN: usize = 10;
/// The maximum number of characters of a note or a line of help.
const LINE: usize = 500;

/// Renders `::error file=..,line=..,col=..,title=..::message`, one line per root finding.
fn render(model: &ModelReport) -> String {
    let file = file_text(model);
    let mut out = String::new();
    for entry in entries(model) {
        out.push_str(&annotation(&file, &entry));
        out.push('\n');
    }
    out
}

fn annotation(file: &str, entry: &Entry) -> String {
    let kind = level(entry.finding.severity, "notice");
    let mut out = format!("::{kind} file={}", property(file));
    if let Some((start, end)) = entry.position {
        let _ = write!(out, ",line={},col={}", start.line, start.column);
        // GitHub supports columns only within one line.
        if end.line == start.line {
            let _ = write!(out, ",endLine={},endColumn={}", end.line, end.column);
        }
    }
    let _ = write!(out, ",title={}::{}", property(entry.finding.rule.name), data(&entry.full_message()));
    for (kind, text) in words::lines(entry.finding) {
        let _ = write!(out, "%0A{kind}: {}", data(&escape::line(&text, LINE)));
    }
    out
}

/// Returns the kind of an annotation, such as `::error`.
fn kind(line: &str) -> &str {
    line.split(' ').next().unwrap_or_default()
}

/// Formats the closing lines: the counts, and the number of annotations that GitHub omits.
fn closing(end: &End) -> String {
    let summary = end.summary;
    let mut out = summary.text(end.width);
    let more: Vec<String> = [(summary.errors, "error"), (summary.warnings, "warning"), (summary.infos, "notice")]
        .into_iter()
        .filter(|(count, _)| *count > SHOWN)
        .map(|(count, noun)| counted(count - SHOWN, noun))
        .collect();
    if !more.is_empty() {
        let _ = writeln!(out, "{} not annotated, as GitHub shows {SHOWN} of a kind.", more.join(", "));
    }
    out
}

/// Escapes the text of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
