//! What fails only with other input shapes: OpenVINO reads the file, and cannot reshape the model.

use crate::diagnostic::{Diagnostic, Severity};
use crate::source::Span;
use std::collections::BTreeSet;

/// The findings for which a model fails only with other input shapes, by rule and place: those of checks of operations
/// that inference does not give for the file `as_it_is`.
pub(super) fn new_faults(
    findings: &[Diagnostic],
    as_it_is: impl FnOnce() -> Vec<Diagnostic>,
) -> BTreeSet<(&'static str, Span)> {
    let fails = |finding: &&Diagnostic| {
        let is_of_operation = finding.refusal.as_ref().is_some_and(|refusal| refusal.is_of_operation());
        finding.severity == Severity::Error && finding.runtime.fails() && is_of_operation
    };
    let mut faults: BTreeSet<_> = findings.iter().filter(fails).map(identity).collect();
    if !faults.is_empty() {
        for known in as_it_is() {
            faults.remove(&identity(&known));
        }
    }
    faults
}

/// The rule and the place by which a finding is recognised under other shapes.
pub(super) fn identity(finding: &Diagnostic) -> (&'static str, Span) {
    (finding.rule.name, finding.primary.span)
}
