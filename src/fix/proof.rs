//! The proof that a fixed text may replace a file.

use crate::analysis::Model;
use crate::diagnostic::{Applicability, Diagnostic, LIMIT_EXCEEDED, Severity, identity};
use crate::infer::Facts;
use crate::ir::{self, Graph};
use std::collections::BTreeMap;

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
    let (was, is) = (count(before.findings()), count(after.findings()));
    let gone = count(fixed);
    let number = |counts: &Counts, key: &Identity| counts.get(key).copied().unwrap_or(0);
    if gone.iter().any(|(key, gone)| number(&is, key) > number(&was, key).saturating_sub(*gone)) {
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
    for finding in after.findings() {
        let key = identity(finding);
        if number(&is, &key) > number(&was, &key) && !tolerated(finding) {
            return Err(format!("it would cause {}: {}", finding.rule.name, finding.message.shown()));
        }
    }
    Ok(())
}

type Identity = (&'static str, u64);
type Counts = BTreeMap<Identity, usize>;

fn count(findings: &[Diagnostic]) -> Counts {
    let mut counts = Counts::new();
    for finding in findings {
        *counts.entry(identity(finding)).or_default() += 1;
    }
    counts
}

/// Whether every output has the same inferred type, shape and value, in bodies as well.
fn same_facts(before: &Model, after: &Model) -> bool {
    match (before.net().zip(before.facts()), after.net().zip(after.facts())) {
        (Some((net, facts)), Some((_, others))) => same_outputs(&net.graph, facts, others),
        (None, None) => true,
        _ => false,
    }
}

fn same_outputs(graph: &Graph, facts: &Facts, others: &Facts) -> bool {
    graph.entries().all(|(index, layer)| {
        let same_body = |body: &ir::Body| match (facts.body(index, body.kind), others.body(index, body.kind)) {
            (Some(facts), Some(others)) => same_outputs(&body.graph, facts, others),
            (None, None) => true,
            _ => false,
        };
        facts.outputs(index) == others.outputs(index) && layer.bodies().all(same_body)
    })
}
