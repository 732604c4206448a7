//! The output of ovlint, for people and for programs: findings in every format, and the answers of other commands.

pub mod document;
pub mod findings;
#[cfg(test)]
pub(crate) mod fixtures;
mod home;
mod page;
mod statistics;
mod summary;
#[cfg(test)]
mod tests;
pub mod views;
pub mod words;
mod wrap;

pub use findings::markdown::text as markdown_text;
pub use findings::{Brevity, End, Format, PieceOptions, Stream};
pub use summary::{Pipeline, Summary};
pub use wrap::hang;

use crate::analysis::Model;
use crate::diagnostic::{Diagnostic, Edit, Label, Severity};
use crate::policy::Suppressed;
use crate::source::Source;
use crate::text::{escape, grouped};
use std::path::Path;

/// The findings of one model, with the data to show them.
#[derive(Clone, Copy, Debug)]
pub struct ModelReport<'a> {
    /// The path as given and as shown.
    pub path: &'a Path,
    /// The name of the network, if the file could be read.
    pub name: Option<&'a str>,
    /// The text of the file; `None` if it could not be read, in which case positions are omitted.
    pub source: Option<&'a Source>,
    /// The weights file, if there is one.
    pub weights_path: Option<&'a Path>,
    /// The model, if it was read.
    pub model: Option<&'a Model>,
    /// The findings, in the order of display.
    pub findings: &'a [Diagnostic],
    /// The suppressed findings, which only formats for programs show.
    pub suppressed: &'a [Suppressed],
    /// The applied fixes, if any.
    pub fixed: Option<Repaired<'a>>,
}

/// The applied fixes of a file.
#[derive(Clone, Copy, Debug)]
pub struct Repaired<'a> {
    /// The fixed findings.
    pub findings: &'a [Diagnostic],
    /// The edits of the original file, in order and without overlap.
    pub edits: &'a [Edit],
}

impl<'a> ModelReport<'a> {
    /// Creates the report of a model.
    pub fn of(path: &'a Path, model: &'a Model, findings: &'a [Diagnostic]) -> Self {
        Self {
            name: model.net().map(|net| net.name.as_str()),
            source: Some(model.source()),
            weights_path: model.weights().path.as_deref(),
            model: Some(model),
            ..Self::unread(path, findings)
        }
    }

    /// Creates the report of a file that could not be read.
    pub fn unread(path: &'a Path, findings: &'a [Diagnostic]) -> Self {
        Self { path, name: None, source: None, weights_path: None, model: None, findings, suppressed: &[], fixed: None }
    }

    /// Returns the findings whose severity is not `off`.
    fn active(&self) -> impl Iterator<Item = &'a Diagnostic> + use<'a> {
        self.findings.iter().filter(|finding| finding.severity != Severity::Off)
    }

    /// Returns the root findings: those that are not a consequence of another one.
    fn roots(&self) -> impl Iterator<Item = &'a Diagnostic> + use<'a> {
        self.active().filter(|finding| finding.consequence_of.is_none())
    }
}

/// Whether a finding points at bytes of the XML, and not at the whole file or its weights.
fn has_place(finding: &Diagnostic) -> bool {
    let span = finding.primary.span;
    span.start != 0 || span.end != 0
}

/// The maximum number of characters of a label.
const LABEL: usize = 240;

/// Returns the file name of the weights, or `weights`.
fn weights_name(model: &ModelReport) -> String {
    let name = model.weights_path.and_then(Path::file_name).map_or("weights".into(), std::ffi::OsStr::to_string_lossy);
    escape::line(&name, LABEL)
}

/// Formats the text of a label, with the constant that it is about.
fn label_text(label: &Label, weights: &str) -> String {
    let message = escape::line(label.message.shown(), LABEL);
    let bytes = label
        .weights
        .as_ref()
        .map(|range| format!("{weights} bytes {}..{}", range.offset, range.offset.saturating_add(range.size)));
    let name = label.layer.as_ref().map(|name| escape::line(name, LABEL));
    match (name, bytes) {
        (None, Some(bytes)) if message.is_empty() => bytes,
        (None, Some(bytes)) => format!("{message}, {bytes}"),
        (Some(name), Some(bytes)) => format!("{message} (Const `{name}`, {bytes})").trim_start().to_owned(),
        (Some(name), None) => format!("{message} (`{name}`)").trim_start().to_owned(),
        (None, None) => message,
    }
}

/// Describes the number of consequences; `None` if there are none.
fn consequences_text(finding: &Diagnostic) -> Option<String> {
    let count = finding.consequences;
    if finding.kind.is_some() {
        return (count > 0).then(|| format!("and {} more like this", grouped(count)));
    }
    let follow = if count == 1 { "finding follows" } else { "findings follow" };
    (count > 0).then(|| format!("{} more {follow} from this one", grouped(count)))
}

/// The width in columns of text that does not depend on the terminal.
const WIDTH: usize = 80;

/// Escapes the unsafe characters of a diff, so that it can be printed but no longer applied; `None` if it has none. Tabs and
/// line breaks stay.
pub fn plain_diff(diff: &str) -> Option<String> {
    escape::diff(diff)
}
