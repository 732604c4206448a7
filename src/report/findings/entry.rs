//! A finding in one line with its position, as editors and CI services expect it.

use crate::diagnostic::{Diagnostic, Severity};
use crate::report::{ModelReport, downstream, has_place};
use crate::source::{Lines, Position};
use crate::text::{escape, path_text};

/// Characters of a message, whatever names it quotes.
const MESSAGE: usize = 500;

/// A finding that does not follow from another one.
pub(in crate::report) struct Entry<'a> {
    pub(in crate::report) finding: &'a Diagnostic,
    /// Where it starts and where it ends; `None` if it is about the file as a whole.
    pub(in crate::report) place: Option<(Position, Position)>,
}

/// The findings of a model; the lines of its source are counted once.
pub(in crate::report) fn entries<'a>(model: &ModelReport<'a>) -> impl Iterator<Item = Entry<'a>> {
    let lines = model.source.filter(|_| model.findings.iter().any(has_place)).map(Lines::new);
    model.roots().map(move |finding| {
        let span = finding.primary.span;
        let lines = lines.as_ref().filter(|_| has_place(finding));
        let place = lines.map(|lines| (lines.position(span.start), lines.position(span.end)));
        Entry { finding, place }
    })
}

impl Entry<'_> {
    /// The message for readers who do not see the lines around, so it names the layer.
    pub(in crate::report) fn full_message(&self) -> String {
        full_message(self.finding)
    }

    /// The first line; 1 for the file as a whole.
    pub(in crate::report) fn line(&self) -> u32 {
        self.place.map_or(1, |(start, _)| start.line)
    }
}

fn message(finding: &Diagnostic) -> String {
    let message = escape::line(finding.message.shown(), MESSAGE);
    match downstream(finding) {
        Some(more) => format!("{message} ({more})"),
        None => message,
    }
}

/// The message for readers who do not see the lines around.
pub(in crate::report) fn full_message(finding: &Diagnostic) -> String {
    format!("{}{}", about(finding), message(finding))
}

/// The prefix that names the layer: `` `split_3` (Split): ``; empty if the message names the layer itself.
pub(in crate::report) fn about(finding: &Diagnostic) -> String {
    let layer = finding.layer.as_ref().filter(|layer| !finding.message.shown().contains(&format!("`{}`", layer.name)));
    layer.map_or_else(String::new, |layer| {
        let (name, ty) = (escape::line(&layer.name, MESSAGE), escape::line(&layer.ty, MESSAGE));
        format!("`{name}` ({ty}): ")
    })
}

/// The path within a repository: forward slashes, no leading `./`, control characters escaped.
pub(in crate::report) fn file_text(model: &ModelReport) -> String {
    let path = escape::line(&path_text(model.path), usize::MAX);
    path.strip_prefix("./").map_or_else(|| path.clone(), str::to_owned)
}

/// The level of a severity for services that know only three.
pub(in crate::report) fn level(severity: Severity, info: &'static str) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Off => info,
    }
}
