//! Faults that appear only with other input shapes: OpenVINO reads the file but cannot reshape the model.

use super::Model;
use crate::arrange::Fill;
use crate::diagnostic::{Diagnostic, Severity, Sink};
use crate::infer::{Facts, Terms, infer};
use crate::ops::apply::Extent;
use crate::source::Span;
use std::collections::BTreeSet;

impl Model {
    /// Infers again, with the same input shapes, as far as OpenVINO does; `None` if there is no graph.
    pub(crate) fn as_openvino(&self) -> Option<Facts> {
        let (net, facts, options) = (self.net.as_ref()?, self.facts.as_ref()?, &self.options);
        let shapes = options.shapes.resolve(&net.graph, &self.source, &options.limits).ok()?;
        let (shapes, extension_ops) = (Some(&shapes), options.extension_ops.as_ref());
        let terms =
            Terms { shapes, extension_ops, plan: Some(facts.plan()), extent: Extent::OpenVino, ..Terms::default() };
        Some(infer(net, &self.source, &self.weights, &options.limits, &terms, &mut Sink::new(0)))
    }
}

/// Returns the new faults by rule and span: failed checks of operations that are not among the findings for the declared
/// shapes, which `as_it_is` returns.
pub(super) fn new_faults(
    findings: &[Diagnostic],
    as_it_is: impl FnOnce() -> Vec<Diagnostic>,
) -> BTreeSet<(&'static str, Span)> {
    let fails = |finding: &&Diagnostic| {
        let is_of_operation = finding.refusal.as_ref().is_some_and(|refusal| refusal.is_of_operation());
        finding.severity == Severity::Error && finding.runtime.fails() && is_of_operation
    };
    let mut faults: BTreeSet<_> = findings.iter().filter(fails).map(identity).into_set();
    if !faults.is_empty() {
        for known in as_it_is() {
            faults.remove(&identity(&known));
        }
    }
    faults
}

/// Returns the rule and the span, which together identify a finding across input shapes.
pub(super) fn identity(finding: &Diagnostic) -> (&'static str, Span) {
    (finding.rule.name, finding.primary.span)
}
