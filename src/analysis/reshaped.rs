//! Inference with other input shapes than the declared ones: the facts that OpenVINO infers, which edits write, and the
//! faults that occur only with these shapes. Such a fault does not keep OpenVINO from reading the file, only from reshaping
//! the model.

use super::Model;
use crate::arrange::Fill;
use crate::diagnostic::{Diagnostic, Severity, Sink};
use crate::infer::{Facts, Terms, infer};
use crate::ops::apply::Extent;
use crate::source::Span;
use std::collections::BTreeSet;

impl Model {
    /// Returns the facts that OpenVINO infers, for the input shapes in the options if there are any. Edits write them into the
    /// ports. `None` if there is no graph.
    pub(crate) fn openvino_facts(&self) -> Option<Facts> {
        let (net, facts, options) = (self.net.as_ref()?, self.facts.as_ref()?, &self.options);
        let shapes = options.shapes.resolve(&net.graph, &self.source, &options.limits).ok()?;
        let (shapes, extension_ops) = (Some(&shapes), options.extension_ops.as_ref());
        let terms =
            Terms { shapes, extension_ops, plan: Some(facts.plan()), extent: Extent::OpenVino, ..Terms::default() };
        Some(infer(net, &self.source, &self.weights, &options.limits, &terms, &mut Sink::new(0)))
    }
}

/// Returns the faults of operations among `findings` that do not occur with the declared shapes. `declared` infers the findings
/// for those.
pub(super) fn new_faults(
    findings: &[Diagnostic],
    declared: impl FnOnce() -> Vec<Diagnostic>,
) -> BTreeSet<(&'static str, Span)> {
    let is_operation_fault = |finding: &&Diagnostic| {
        let is_of_operation = finding.refusal.as_ref().is_some_and(|refusal| refusal.is_of_operation());
        finding.severity == Severity::Error && finding.runtime.fails() && is_of_operation
    };
    let mut faults: BTreeSet<_> = findings.iter().filter(is_operation_fault).map(identity).into_set();
    if !faults.is_empty() {
        for known in declared() {
            faults.remove(&identity(&known));
        }
    }
    faults
}

/// Returns the rule and the span, which together identify a finding across input shapes.
pub(super) fn identity(finding: &Diagnostic) -> (&'static str, Span) {
    (finding.rule.name, finding.primary.span)
}
