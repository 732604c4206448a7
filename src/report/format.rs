//! The formats of a report, and a run written in one of them piece by piece, so that nothing piles up.

use super::findings::text::TextOptions;
use super::findings::{checkstyle, concise, github, gitlab, json, junit, markdown, sarif, text, xml};
use super::{ModelReport, Summary};
use crate::diagnostic::Severity;
use std::collections::BTreeMap;

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// For people, with the lines of the file.
    Text,
    /// One line per finding.
    Concise,
    /// One JSON object.
    Json,
    /// One JSON object per finding.
    Ndjson,
    /// SARIF 2.1.0.
    Sarif,
    /// GitHub's workflow commands.
    Github,
    /// The XML of `JUnit`.
    Junit,
    /// GitLab's code quality report.
    Gitlab,
    /// Checkstyle's XML.
    Checkstyle,
    /// A table.
    Markdown,
}

impl Format {
    /// All formats, in the order in which they are listed.
    pub const ALL: [Self; 10] = [
        Self::Text,
        Self::Concise,
        Self::Json,
        Self::Ndjson,
        Self::Sarif,
        Self::Github,
        Self::Junit,
        Self::Gitlab,
        Self::Checkstyle,
        Self::Markdown,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Concise => "concise",
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Sarif => "sarif",
            Self::Github => "github",
            Self::Junit => "junit",
            Self::Gitlab => "gitlab",
            Self::Checkstyle => "checkstyle",
            Self::Markdown => "markdown",
        }
    }

    /// What it is for, in a few words.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Text => "for people, with the lines of the file",
            Self::Concise => "one line per finding, for editors and grep",
            Self::Json => "one object with every model, finding and count",
            Self::Ndjson => "one object per finding and line",
            Self::Sarif => "SARIF 2.1.0, for code scanning",
            Self::Github => "annotations of a GitHub workflow, and its job summary",
            Self::Junit => "JUnit's XML, a suite per model",
            Self::Gitlab => "GitLab's code quality report",
            Self::Checkstyle => "Checkstyle's XML",
            Self::Markdown => "a table, for comments and job summaries",
        }
    }

    /// Whether it is one document, which nothing else may stand before or behind.
    pub fn is_document(self) -> bool {
        matches!(self, Self::Json | Self::Ndjson | Self::Sarif | Self::Junit | Self::Gitlab | Self::Checkstyle)
    }

    /// What one model comes to, a piece of a [`Stream`].
    #[doc(hidden)]
    pub fn piece(self, model: &ModelReport, options: &PieceOptions) -> serde_json::Result<String> {
        Ok(match self {
            Self::Text | Self::Concise if options.brevity.statistics => String::new(),
            Self::Text => text::render(model, &options.text),
            Self::Concise => concise::render(model),
            Self::Json => json::model(model)?,
            Self::Ndjson => json::render_lines(model)?,
            Self::Sarif => sarif::render(model)?,
            Self::Github => github::render(model),
            Self::Junit => junit::render(model, options.fail_on),
            Self::Gitlab => gitlab::render(model)?,
            Self::Checkstyle => checkstyle::render(model),
            Self::Markdown => markdown::render(model),
        })
    }
}

/// How one model is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceOptions {
    /// The looks of the text report.
    pub text: TextOptions,
    /// The severity from which on a finding fails; `None` if none does.
    pub fail_on: Option<Severity>,
    /// How much is told.
    pub brevity: Brevity,
}

/// How much of a run is told in text and in lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Brevity {
    /// How often each rule is broken, instead of the findings.
    pub statistics: bool,
    /// No closing lines.
    pub quiet: bool,
}

impl Default for PieceOptions {
    fn default() -> Self {
        Self { text: TextOptions::default(), fail_on: Some(Severity::Error), brevity: Brevity::default() }
    }
}

/// What is known when a run is over.
#[derive(Clone, Copy, Debug)]
pub struct End<'a> {
    /// The counts.
    pub summary: &'a Summary,
    /// What the process will give.
    pub exit_code: u8,
}

/// A run in one format: `head`, then `add` for every [piece](Format::piece) in the order of the models, then `tail`.
///
/// Pieces are made apart from each other, in any order and on any thread.
#[derive(Debug)]
pub struct Stream {
    format: Format,
    brevity: Brevity,
    /// Whether anything was added.
    started: bool,
    /// Lines added of every kind, in formats that show only some.
    lines: BTreeMap<String, usize>,
}

impl Stream {
    /// A run that has not started.
    pub fn new(format: Format, brevity: Brevity) -> Self {
        Self { format, brevity, started: false, lines: BTreeMap::new() }
    }

    /// What stands before the models.
    pub fn head(&self) -> serde_json::Result<String> {
        Ok(match self.format {
            Format::Json => json::head()?,
            Format::Sarif => sarif::head()?,
            Format::Gitlab => "[\n".to_owned(),
            Format::Junit => format!("{}{}", xml::DECLARATION, junit::HEAD),
            Format::Checkstyle => format!("{}{}", xml::DECLARATION, checkstyle::HEAD),
            Format::Markdown => markdown::TITLE.to_owned(),
            Format::Text | Format::Concise | Format::Ndjson | Format::Github => String::new(),
        })
    }

    /// A piece as it stands behind those before it.
    pub fn add(&mut self, piece: String) -> String {
        if piece.is_empty() {
            return piece;
        }
        let first = !std::mem::replace(&mut self.started, true);
        match self.format {
            Format::Json | Format::Sarif | Format::Gitlab if !first => format!(",{piece}"),
            Format::Github => self.cut(&piece, github::kind, github::SHOWN),
            Format::Markdown => {
                let rows = self.cut(&piece, |_| "", markdown::SHOWN);
                if first { format!("{}{rows}", markdown::COLUMNS) } else { rows }
            }
            _ => piece,
        }
    }

    /// What stands behind the models.
    pub fn tail(&self, end: End) -> serde_json::Result<String> {
        Ok(match self.format {
            Format::Text | Format::Concise => self.closing(end.summary),
            Format::Ndjson => String::new(),
            Format::Json => json::tail(end.summary)?,
            Format::Sarif => sarif::tail(end.exit_code)?,
            Format::Gitlab => "\n]\n".to_owned(),
            Format::Github if self.brevity.quiet => String::new(),
            Format::Github => github::closing(end.summary),
            Format::Junit => junit::TAIL.to_owned(),
            Format::Checkstyle => checkstyle::TAIL.to_owned(),
            Format::Markdown => markdown::closing(end.summary),
        })
    }

    /// What stands behind findings for people.
    fn closing(&self, summary: &Summary) -> String {
        let mut out = if self.brevity.statistics { summary.statistics() } else { String::new() };
        if self.format == Format::Text && !self.brevity.quiet {
            out.push_str(&summary.text());
        }
        out
    }

    /// The lines of a piece that are among the first of their kind.
    fn cut(&mut self, piece: &str, kind: fn(&str) -> &str, most: usize) -> String {
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

#[cfg(test)]
mod tests;
