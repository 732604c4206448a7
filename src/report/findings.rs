//! The formats of `ovlint check`, one per file, and the stream that writes a report in one of them. A report is written
//! model by model, so that memory stays bounded.

pub mod concise;
pub(super) mod entry;
pub(super) mod github;
pub(super) mod gitlab;
pub mod json;
pub(super) mod junit;
pub(super) mod markdown;
pub(super) mod ndjson;
pub(super) mod sarif;
pub mod text;
pub(super) mod xml;

use super::{ModelReport, Summary};
use crate::diagnostic::{Applicability, Diagnostic, Severity};
use std::collections::BTreeMap;
use text::{Repeated, TextOptions};

/// The properties of a format. Each file in `findings` defines one static.
pub(super) struct FormatSpec {
    /// The name on the command line.
    pub(super) name: &'static str,
    /// The purpose, in a few words.
    pub(super) summary: &'static str,
    /// Set if the output is a single document, so that nothing else may be written before or after it.
    pub(super) is_document: bool,
    /// Renders the part before the models.
    pub(super) head: fn() -> serde_json::Result<String>,
    /// Renders the part of one model.
    pub(super) piece: fn(&ModelReport, &PieceOptions) -> serde_json::Result<String>,
    /// The way in which pieces are joined.
    pub(super) join: Join,
    /// Renders the part after the models.
    pub(super) tail: fn(&End, Brevity) -> serde_json::Result<String>,
}

/// The way in which the pieces of a report are joined.
pub(super) enum Join {
    /// The pieces are concatenated.
    Plain,
    /// The pieces are separated by commas.
    Commas,
    /// The pieces are concatenated, and blocks that are the same in many models counted.
    Blocks,
    /// Only the first `most` lines of each kind are kept, below a header.
    Lines { header: &'static str, kind: fn(&str) -> &str, most: usize },
}

impl FormatSpec {
    /// Creates a format without head and tail, whose pieces are joined unchanged.
    pub(super) const fn new(
        name: &'static str,
        summary: &'static str,
        piece: fn(&ModelReport, &PieceOptions) -> serde_json::Result<String>,
    ) -> Self {
        let (head, tail) = (no_head, no_tail);
        Self { name, summary, is_document: false, head, piece, join: Join::Plain, tail }
    }
}

fn no_head() -> serde_json::Result<String> {
    Ok(String::new())
}

fn no_tail(_: &End, _: Brevity) -> serde_json::Result<String> {
    Ok(String::new())
}

macro_rules! formats {
    ($($(#[$doc:meta])* $variant:ident => $file:ident,)*) => {
        /// The format of a report.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Format {
            $($(#[$doc])* $variant,)*
        }

        impl Format {
            /// All formats, in the order of lists.
            pub const ALL: [Self; [$(Self::$variant),*].len()] = [$(Self::$variant),*];

            fn spec(self) -> &'static FormatSpec {
                match self {
                    $(Self::$variant => &$file::FORMAT,)*
                }
            }
        }
    };
}

formats! {
    /// For people, with the lines of the file.
    Text => text,
    /// One line per finding.
    Concise => concise,
    /// One JSON object.
    Json => json,
    /// One JSON object per finding.
    Ndjson => ndjson,
    /// SARIF 2.1.0.
    Sarif => sarif,
    /// GitHub's workflow commands.
    Github => github,
    /// The XML of `JUnit`.
    Junit => junit,
    /// GitLab's code quality report.
    Gitlab => gitlab,
    /// A table.
    Markdown => markdown,
}

impl Format {
    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// Returns the purpose, in a few words.
    pub fn summary(self) -> &'static str {
        self.spec().summary
    }

    /// Whether the output is a single document, so that nothing may precede or follow it.
    pub fn is_document(self) -> bool {
        self.spec().is_document
    }

    /// Renders the part of one model, a piece of a [`Stream`].
    #[doc(hidden)]
    pub fn piece(self, model: &ModelReport, options: &PieceOptions) -> serde_json::Result<String> {
        (self.spec().piece)(model, options)
    }
}

/// The options for the part of one model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceOptions {
    /// The options of the text report.
    pub text: TextOptions,
    /// The lowest severity at which a finding makes the run fail; `None` if none does.
    pub fail_on: Option<Severity>,
    /// The amount of output.
    pub brevity: Brevity,
}

/// The amount of output in text and line formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Brevity {
    /// Shows the number of findings per rule instead of the findings.
    pub statistics: bool,
    /// Omits the closing lines, such as the summary.
    pub quiet: bool,
}

impl Default for PieceOptions {
    fn default() -> Self {
        Self { text: TextOptions::default(), fail_on: Some(Severity::Error), brevity: Brevity::default() }
    }
}

/// The data at the end of a run.
#[derive(Clone, Copy, Debug)]
pub struct End<'a> {
    /// The counts.
    pub summary: &'a Summary,
    /// The exit code of the process.
    pub exit_code: u8,
    /// The width of text in columns.
    pub width: usize,
}

/// A run in one format: `head`, then `add` for every [piece](Format::piece) in the order of the models, then `tail`.
///
/// Pieces are independent: they can be rendered in any order and on any thread.
#[derive(Debug)]
pub struct Stream {
    format: Format,
    brevity: Brevity,
    /// Set after the first piece.
    started: bool,
    /// The number of lines of each kind so far, for [`Join::Lines`].
    lines: BTreeMap<String, usize>,
    /// The blocks so far, for [`Join::Blocks`].
    blocks: Repeated,
}

impl Stream {
    /// Creates a run that has not started.
    pub fn new(format: Format, brevity: Brevity) -> Self {
        Self { format, brevity, started: false, lines: BTreeMap::new(), blocks: Repeated::default() }
    }

    /// Returns the part before the models.
    pub fn head(&self) -> serde_json::Result<String> {
        (self.format.spec().head)()
    }

    /// Joins a piece to those before it.
    pub fn add(&mut self, piece: String) -> String {
        if piece.is_empty() {
            return piece;
        }
        let first = !std::mem::replace(&mut self.started, true);
        match self.format.spec().join {
            Join::Commas if !first => format!(",{piece}"),
            Join::Plain | Join::Commas => piece,
            Join::Blocks => self.blocks.add(&piece),
            Join::Lines { header, kind, most } => {
                let lines = self.first_lines(&piece, kind, most);
                if first { format!("{header}{lines}") } else { lines }
            }
        }
    }

    /// Returns the part after the models.
    pub fn tail(&self, end: End) -> serde_json::Result<String> {
        Ok(self.blocks.rest(end.width) + &(self.format.spec().tail)(&end, self.brevity)?)
    }

    /// Keeps the lines of a piece that are among the first of their kind.
    fn first_lines(&mut self, piece: &str, kind: fn(&str) -> &str, most: usize) -> String {
        let mut kept = String::new();
        for line in piece.split_inclusive('\n') {
            let count = self.lines.entry(kind(line).to_owned()).or_default();
            *count += 1;
            if *count <= most {
                kept.push_str(line);
            }
        }
        kept
    }
}

/// Describes the risk of an unsafe fix.
fn risk(finding: &Diagnostic) -> &'static str {
    if finding.rule.fix == Some(Applicability::Safe) {
        " (unsafe: what is declared may be right)"
    } else {
        " (unsafe: it changes more than declared ports)"
    }
}

#[cfg(test)]
mod tests;
