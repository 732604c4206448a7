//! A finding in one line and its place, as the formats of editors and CI services take it.

use super::{ModelReport, downstream, escape, has_place, path_text};
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{Lines, Position};

/// Characters of a message, whatever names it quotes.
const MESSAGE: usize = 500;

/// A finding that does not follow from another one.
pub(super) struct Entry<'a> {
    pub(super) finding: &'a Diagnostic,
    /// Where it starts and where it ends; `None` if it is about the file as a whole.
    pub(super) place: Option<(Position, Position)>,
}

/// The findings of a model; the lines of its source are counted once.
pub(super) fn entries<'a>(model: &ModelReport<'a>) -> impl Iterator<Item = Entry<'a>> {
    let lines = model.source.filter(|_| model.findings.iter().any(has_place)).map(Lines::new);
    model.roots().map(move |finding| {
        let span = finding.primary.span;
        let lines = lines.as_ref().filter(|_| has_place(finding));
        let place = lines.map(|lines| (lines.position(span.start), lines.position(span.end)));
        Entry { finding, place }
    })
}

impl Entry<'_> {
    /// The message, and how much follows from the finding.
    pub(super) fn message(&self) -> String {
        let message = escape::line(&self.finding.message, MESSAGE);
        match downstream(self.finding) {
            Some(more) => format!("{message} ({more})"),
            None => message,
        }
    }

    /// The message for readers who do not see the lines around, so it names the layer.
    pub(super) fn full_message(&self) -> String {
        let named = about(self.finding);
        format!("{named}{}", self.message())
    }

    /// The first line; 1 for the file as a whole.
    pub(super) fn line(&self) -> u32 {
        self.place.map_or(1, |(start, _)| start.line)
    }
}

/// The layer that a finding is about, in front of its message: `` `split_3` (Split): ``; empty if the message names it.
pub(super) fn about(finding: &Diagnostic) -> String {
    let layer = finding.layer.as_ref().filter(|layer| !finding.message.contains(&format!("`{}`", layer.name)));
    layer.map_or_else(String::new, |layer| {
        let (name, ty) = (escape::line(&layer.name, MESSAGE), escape::line(&layer.ty, MESSAGE));
        format!("`{name}` ({ty}): ")
    })
}

/// The path as it stands in a repository: forward slashes, nothing of `./` in front, nothing hidden.
pub(super) fn file_text(model: &ModelReport) -> String {
    let path = escape::line(&path_text(model.path), usize::MAX);
    path.strip_prefix("./").map_or_else(|| path.clone(), str::to_owned)
}

/// The word of CI services that know only three.
pub(super) fn level(severity: Severity, info: &'static str) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Off => info,
    }
}
