//! Comparisons of a model before and after an edit, which prove that the edited text may replace a file.

use crate::analysis::Model;
use crate::diagnostic::{Diagnostic, identity};
use crate::infer::Facts;
use crate::ir::{Body, Graph};
use std::collections::BTreeMap;

/// The number of findings of each identity.
#[derive(Debug)]
pub(crate) struct Counts(BTreeMap<(&'static str, u64), usize>);

impl Counts {
    /// Counts findings.
    pub(crate) fn of(findings: &[Diagnostic]) -> Self {
        let mut counts = BTreeMap::new();
        for finding in findings {
            *counts.entry(identity(finding)).or_default() += 1;
        }
        Self(counts)
    }

    fn number(&self, key: &(&'static str, u64)) -> usize {
        self.0.get(key).copied().unwrap_or(0)
    }

    /// Whether all `gone` are missing in `after`, which else has what is counted here.
    pub(crate) fn lose(&self, after: &Self, gone: &Self) -> bool {
        gone.0.iter().all(|(key, gone)| after.number(key) <= self.number(key).saturating_sub(*gone))
    }
}

/// Returns the first finding of `after` that `before` does not have, unless it is tolerated.
pub(crate) fn new_finding<'a>(
    before: &Model,
    after: &'a Model,
    is_tolerated: impl Fn(&Diagnostic) -> bool,
) -> Option<&'a Diagnostic> {
    let (was, is) = (Counts::of(before.findings()), Counts::of(after.findings()));
    after.findings().iter().find(|finding| {
        let key = identity(finding);
        is.number(&key) > was.number(&key) && !is_tolerated(finding)
    })
}

/// Whether every output has the same inferred type, shape and value, in bodies as well.
pub(crate) fn same_facts(before: &Model, after: &Model) -> bool {
    match (before.net().zip(before.facts()), after.net().zip(after.facts())) {
        (Some((net, facts)), Some((_, others))) => same_outputs(&net.graph, facts, others),
        (None, None) => true,
        _ => false,
    }
}

fn same_outputs(graph: &Graph, facts: &Facts, others: &Facts) -> bool {
    graph.entries().all(|(index, layer)| {
        let same_body = |body: &Body| match (facts.body(index, body.kind), others.body(index, body.kind)) {
            (Some(facts), Some(others)) => same_outputs(&body.graph, facts, others),
            (None, None) => true,
            _ => false,
        };
        facts.outputs(index) == others.outputs(index) && layer.bodies().all(same_body)
    })
}
