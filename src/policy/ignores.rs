//! Findings that the configuration ignores.

use super::globs::{FileGlobs, NameGlob};
use super::selector::Selector;
use crate::diagnostic::{Diagnostic, body_text};
use crate::source::Span;
use std::path::Path;

/// An `[[ignore]]`: accepted findings of some rules on some layers, with the reason.
#[derive(Clone, Debug)]
pub struct Ignore {
    /// The rules and groups.
    pub rules: Vec<Selector>,
    /// The files; all without globs.
    pub files: Option<FileGlobs>,
    /// The layer name; without a glob, any layer and findings without one.
    pub layer: Option<NameGlob>,
    /// The bodies around the layer, as in `loop_1/body`; an empty glob means the main graph, none means any.
    pub body: Option<NameGlob>,
    /// The reason.
    pub reason: String,
    /// The span in the configuration.
    pub span: Span,
}

impl Ignore {
    /// Whether it applies to a file; the path must be absolute.
    pub fn is_for(&self, path: &Path) -> bool {
        self.files.as_ref().is_none_or(|files| files.admit(path))
    }

    /// Whether it matches a finding.
    pub fn covers(&self, finding: &Diagnostic) -> bool {
        self.rules.iter().any(|rule| rule.covers(finding.rule))
            && self
                .layer
                .as_ref()
                .is_none_or(|glob| finding.layer.as_ref().is_some_and(|layer| glob.admits(&layer.name)))
            && self.body.as_ref().is_none_or(|glob| glob.admits(&body_text(&finding.body)))
    }

    /// Describes the ignored findings.
    pub fn title(&self) -> String {
        let rules: Vec<String> = self.rules.iter().map(|rule| format!("`{rule}`")).collect();
        let mut title = rules.join(", ");
        for (what, glob) in [("layer", &self.layer), ("body", &self.body)] {
            title += &glob.as_ref().map(|glob| format!(" on {what} `{}`", glob.pattern())).unwrap_or_default();
        }
        title
    }
}
