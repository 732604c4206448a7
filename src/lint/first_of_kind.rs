//! Findings that apply to many layers, reported once at the first of them.

use crate::diagnostic::Diagnostic;
use std::collections::BTreeMap;

/// Findings by kind, each with the number of layers it applies to.
pub(super) struct FirstOfKind<K>(BTreeMap<K, (Diagnostic, usize)>);

impl<K: Ord> FirstOfKind<K> {
    pub(super) fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// Returns the finding of a kind, if a layer had it.
    pub(super) fn get_mut(&mut self, kind: &K) -> Option<&mut Diagnostic> {
        self.0.get_mut(kind).map(|(finding, _)| finding)
    }

    /// Counts a layer; `finding` is built for the first one.
    pub(super) fn add(&mut self, kind: K, finding: impl FnOnce() -> Diagnostic) {
        self.0.entry(kind).or_insert_with(|| (finding(), 0)).1 += 1;
    }

    /// Returns the findings, with the number of layers: `12 layers use it`.
    pub(super) fn into_findings(self, verb: &str) -> impl Iterator<Item = Diagnostic> {
        let counted = move |(finding, count): (Diagnostic, usize)| match count {
            1 => finding,
            // OpenVINO may reach another of these layers first.
            _ => Diagnostic { refusal: None, ..finding }.note(format!("{count} layers {verb}")),
        };
        self.0.into_values().map(counted)
    }
}
