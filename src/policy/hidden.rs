//! Findings that are not reported, with the reasons.

use crate::diagnostic::Diagnostic;

/// The unreported findings of one model; consequences of other findings are not included.
#[derive(Debug, Default)]
pub struct Hidden {
    /// Accepted findings.
    pub suppressed: Vec<Suppressed>,
    /// The number of findings of rules that are off.
    pub turned_off: usize,
    /// Set if the configuration ignores findings of the model or turns rules off.
    pub by_configuration: bool,
    /// The fingerprints of stale baseline entries, if the baseline is pruned.
    pub stale: Vec<(String, usize)>,
}

/// An accepted finding.
#[derive(Debug)]
pub struct Suppressed {
    /// The finding.
    pub finding: Diagnostic,
    /// The source of the acceptance.
    pub by: Suppressor,
    /// The reason; empty if none is recorded.
    pub reason: String,
}

/// The source of an acceptance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suppressor {
    /// A comment in the XML.
    Comment,
    /// An `[[ignore]]` of the configuration.
    Configuration,
    /// The baseline.
    Baseline,
}

impl Hidden {
    /// Returns the number of findings that the baseline accepts, and of those that comments and the configuration ignore.
    pub fn suppressed(&self) -> (usize, usize) {
        let known = self.suppressed.iter().filter(|one| one.by == Suppressor::Baseline).count();
        (known, self.suppressed.len() - known)
    }
}
