//! The proof that a fixed text may replace a file.

use crate::analysis::Model;
use crate::diagnostic::{Applicability, Diagnostic, LIMIT_EXCEEDED, Severity};
use crate::edit::{Counts, new_finding, same_facts};
use crate::ir;

/// The reason for a refusal: the fixed text is not a readable IR.
pub(super) const UNREADABLE: &str = "the file could not be read afterwards";

/// Proves that fixes removed their findings, caused no others that count, and, if safe, changed nothing that runs. Returns
/// the reason if not.
#[allow(clippy::disallowed_methods, reason = "reports show why a fix is refused")]
pub(super) fn prove(
    before: &Model,
    after: &Model,
    applicability: Applicability,
    fixed: &[Diagnostic],
) -> Result<(), String> {
    if applicability == Applicability::Safe {
        if ir::first_difference(before.source(), after.source()).is_some() {
            return Err("it would change more than declared shapes and types".to_owned());
        }
        if !same_facts(before, after) {
            return Err("it would change the shapes or types that are inferred".to_owned());
        }
    }
    if before.net().is_some() && after.net().is_none() {
        return Err(UNREADABLE.to_owned());
    }
    if !Counts::of(before.findings()).lose(&Counts::of(after.findings()), &Counts::of(fixed)) {
        return Err("it would not remove the finding".to_owned());
    }
    let cut_off = before.findings().iter().any(|finding| finding.rule == &LIMIT_EXCEEDED);
    // Rewiring can make more shapes known, which reveals findings that can be fixed next.
    let shows_more = cut_off || applicability == Applicability::Unsafe;
    let tolerated = |finding: &Diagnostic| {
        let safe = finding.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe);
        finding.severity == Severity::Info
            || shows_more && (safe || finding.severity < Severity::Error && applicability == Applicability::Unsafe)
    };
    match new_finding(before, after, tolerated) {
        Some(finding) => Err(format!("it would cause {}: {}", finding.rule.name, finding.message.shown())),
        None => Ok(()),
    }
}
