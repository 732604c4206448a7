//! What fails only with other input shapes: OpenVINO reads the file, and cannot reshape the model.

use crate::diagnostic::{Diagnostic, REJECTS, REJECTS_LATE, Severity};
use crate::source::Span;
use std::collections::BTreeSet;

/// Notes of findings, and what they say of a model that is reshaped.
const FAILURES: [(&str, &str); 2] = [
    (REJECTS, "OpenVINO cannot reshape it to these input shapes and calls the layer"),
    (REJECTS_LATE, "with these input shapes OpenVINO fails, at the latest when it runs, and calls the layer"),
];

/// Makes findings with other input shapes speak of these, not of the file, unless they are among those that inference gives
/// for the file `as_it_is`.
pub(super) fn reword(findings: &mut [Diagnostic], as_it_is: impl FnOnce() -> Vec<Diagnostic>) {
    let fails = |finding: &Diagnostic| finding.severity == Severity::Error && finding.runtime.fails();
    if !findings.iter().any(fails) {
        return;
    }
    let known = as_it_is();
    let known: BTreeSet<(&str, Span)> = known.iter().map(|one| (one.rule.name, one.primary.span)).collect();
    let is_new = |finding: &Diagnostic| {
        let is_failure = |note: &String| FAILURES.iter().any(|(start, _)| note.starts_with(start));
        finding.notes.iter().any(is_failure) && !known.contains(&(finding.rule.name, finding.primary.span))
    };
    let loads = findings.iter().filter(|finding| fails(finding)).all(is_new);
    let before = if loads { "the file loads; " } else { "" };
    for note in findings.iter_mut().filter(|finding| is_new(finding)).flat_map(|finding| &mut finding.notes) {
        for (start, instead) in FAILURES {
            if let Some(rest) = note.strip_prefix(start) {
                *note = format!("{before}{instead}{rest}");
                break;
            }
        }
    }
}
