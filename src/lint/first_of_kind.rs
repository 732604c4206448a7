//! One finding for all layers that it is true of.

use crate::diagnostic::Diagnostic;
use std::collections::BTreeMap;

/// Findings by what they say, each about the first layer that it is true of.
pub(super) struct FirstOfKind<K>(BTreeMap<K, (Diagnostic, usize)>);

impl<K: Ord> FirstOfKind<K> {
    pub(super) fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// The finding about the first of the layers, if there was one.
    pub(super) fn get_mut(&mut self, kind: &K) -> Option<&mut Diagnostic> {
        self.0.get_mut(kind).map(|(finding, _)| finding)
    }

    /// Counts a layer; `finding` is about it if it is the first.
    pub(super) fn add(&mut self, kind: K, finding: impl FnOnce() -> Diagnostic) {
        self.0.entry(kind).or_insert_with(|| (finding(), 0)).1 += 1;
    }

    /// The findings, which say of how many layers they are true: `12 layers use it`.
    pub(super) fn into_findings(self, verb: &str) -> impl Iterator<Item = Diagnostic> {
        let counted = move |(finding, count): (Diagnostic, usize)| match count {
            1 => finding,
            // OpenVINO may come to another of them first.
            _ => Diagnostic { refusal: None, ..finding }.note(format!("{count} layers {verb}")),
        };
        self.0.into_values().map(counted)
    }
}
