//! Findings that are not reported, and what keeps them from it.

use crate::diagnostic::Diagnostic;

/// What keeps findings of one model from being reported. What follows from a finding is not counted.
#[derive(Debug, Default)]
pub struct Hidden {
    /// Findings that are accepted.
    pub suppressed: Vec<Suppressed>,
    /// The number of findings of rules that are off.
    pub turned_off: usize,
    /// Whether the configuration ignores findings of the model or turns rules off.
    pub by_configuration: bool,
    /// The findings of the baseline that are gone, by fingerprint, if it is pruned.
    pub stale: Vec<(String, usize)>,
}

/// A finding that is accepted.
#[derive(Debug)]
pub struct Suppressed {
    /// The finding.
    pub finding: Diagnostic,
    /// What accepts it.
    pub by: Suppressor,
    /// Why; empty if that is not recorded.
    pub reason: String,
}

/// What accepts a finding.
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
    /// The number of findings in the baseline, and of those that comments and the configuration ignore.
    pub fn suppressed(&self) -> (usize, usize) {
        let known = self.suppressed.iter().filter(|one| one.by == Suppressor::Baseline).count();
        (known, self.suppressed.len() - known)
    }
}
