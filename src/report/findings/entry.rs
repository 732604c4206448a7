//! Root findings with their positions, and the parts of a line about them that several formats share: message, layer, path
//! and level.

use crate::diagnostic::{Diagnostic, Severity};
use crate::report::{ModelReport, consequences_text, has_place};
use crate::source::{Lines, Position};
use crate::text::{escape, path_text};

/// The maximum number of characters of a message.
const MESSAGE: usize = 500;

/// A root finding with its position.
pub(in crate::report) struct Entry<'a> {
    pub(in crate::report) finding: &'a Diagnostic,
    /// The start and the end; `None` if the finding is about the file as a whole.
    pub(in crate::report) position: Option<(Position, Position)>,
}

/// Returns the entries of a model; counts the lines of its source once.
pub(in crate::report) fn entries<'a>(model: &ModelReport<'a>) -> impl Iterator<Item = Entry<'a>> {
    let lines = model.source.filter(|_| model.findings.iter().any(has_place)).map(Lines::new);
    model.roots().map(move |finding| {
        let span = finding.primary.span;
        let lines = lines.as_ref().filter(|_| has_place(finding));
        let position = lines.map(|lines| (lines.position(span.start), lines.position(span.end)));
        Entry { finding, position }
    })
}

impl Entry<'_> {
    /// Returns the message with the layer, for formats that do not show the lines of the file.
    pub(in crate::report) fn full_message(&self) -> String {
        full_message(self.finding)
    }

    /// Returns the first line; 1 for the file as a whole.
    pub(in crate::report) fn line(&self) -> u32 {
        self.position.map_or(1, |(start, _)| start.line)
    }
}

fn message(finding: &Diagnostic) -> String {
    let message = escape::line(finding.message.shown(), MESSAGE);
    match consequences_text(finding) {
        Some(more) => format!("{message} ({more})"),
        None => message,
    }
}

/// Formats the message with the layer, for formats that do not show the lines of the file.
pub(in crate::report) fn full_message(finding: &Diagnostic) -> String {
    format!("{}{}", about(finding), message(finding))
}

/// Formats the prefix that names the layer, `` `split_3` (Split): ``; empty if the message itself names the layer.
pub(in crate::report) fn about(finding: &Diagnostic) -> String {
    let layer = finding.layer.as_ref().filter(|layer| !finding.message.shown().contains(&format!("`{}`", layer.name)));
    layer.map_or_else(String::new, |layer| {
        let (name, ty) = (escape::line(&layer.name, MESSAGE), escape::line(&layer.ty, MESSAGE));
        format!("`{name}` ({ty}): ")
    })
}

/// Formats the path as in a repository: forward slashes, no leading `./`, control characters escaped.
pub(in crate::report) fn file_text(model: &ModelReport) -> String {
    let path = escape::line(&path_text(model.path), usize::MAX);
    path.strip_prefix("./").map_or_else(|| path.clone(), str::to_owned)
}

/// Returns the level for a service with three severities, whose name for the lowest one is `info`.
pub(in crate::report) fn level(severity: Severity, info: &'static str) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Off => info,
    }
}
