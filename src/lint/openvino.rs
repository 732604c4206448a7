//! Inference limited to what OpenVINO knows, made when a check first needs it: it finds further errors, and corrects verdicts
//! where OpenVINO knows too little to reject the file.

use super::{Checked, Options};
use crate::arrange::Fill;
use crate::diagnostic::{Amendment, Diagnostic, FindingId, Runtime, Severity, Sink};
use crate::infer::{Facts, LATE, Plan, Scope, as_openvino};
use crate::ir::{Net, OutputRef};
use crate::ops::rules::{INDEX_RANGE, SHAPE_CONFLICT};
use crate::source::Span;
use crate::types::Fact;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// Further inferences, limited to what OpenVINO knows, made on first use.
pub(crate) struct OpenVino<'a> {
    net: &'a Net,
    scope: Scope<'a>,
    options: Options<'a>,
    plan: &'a Arc<Plan>,
    facts: OnceLock<Facts>,
    refused: OnceLock<Vec<Diagnostic>>,
}

impl<'a> OpenVino<'a> {
    /// Creates it for a net in its scope; it infers with `plan`.
    pub(crate) fn new(net: &'a Net, scope: Scope<'a>, options: Options<'a>, plan: &'a Arc<Plan>) -> Self {
        Self { net, scope, options, plan, facts: OnceLock::new(), refused: OnceLock::new() }
    }

    fn infer(&self, is_doubtful: bool) -> (Facts, Vec<Diagnostic>) {
        let Scope { source, weights, limits, .. } = self.scope;
        as_openvino(self.net, source, weights, limits, self.options.extension_ops, self.plan, is_doubtful)
    }

    /// Returns OpenVINO's facts; `None` if the inputs have other shapes than the file declares.
    fn facts(&self) -> Option<&Facts> {
        (!self.options.is_reshaped).then(|| self.facts.get_or_init(|| self.infer(false).0))
    }

    /// Returns the findings about what OpenVINO surely rejects, as [`Self::facts`].
    fn refused(&self) -> Option<&[Diagnostic]> {
        (!self.options.is_reshaped).then(|| self.refused.get_or_init(|| self.infer(true).1).as_slice())
    }
}

/// Reports faults that only inference as in OpenVINO finds: OpenVINO continues with 0 for an index out of range, where ovlint
/// continues with an unknown value.
pub(super) fn refusals(checked: &Checked, sink: &mut Sink) {
    let is_outside = |finding: &Diagnostic| finding.rule == &INDEX_RANGE;
    if !sink.findings().iter().any(is_outside) {
        return;
    }
    let Some(refused) = checked.openvino.refused() else { return };
    let errors = sink.findings().iter().filter(|finding| finding.severity == Severity::Error);
    let found: BTreeSet<(&str, Span)> = errors.map(|finding| (finding.rule.name, finding.primary.span)).into_set();
    let new = refused.iter().filter(|finding| !found.contains(&(finding.rule.name, finding.primary.span)));
    let new: Vec<Diagnostic> = new
        .map(|finding| {
            let finding = finding.clone().note(NOTE);
            // OpenVINO was seen to accept lengths that are computed from such numbers and do not fit.
            if finding.rule == &SHAPE_CONFLICT { finding.runtime(Runtime::Unknown) } else { finding }
        })
        .collect();
    for finding in new {
        sink.report(finding);
    }
}

/// Corrects the verdict of findings for which OpenVINO cannot reject the file when it reads it, because it infers too little.
pub(super) fn verdicts(checked: &Checked, sink: &mut Sink) {
    let is_rejected = |finding: &Diagnostic| {
        finding.severity == Severity::Error
            && LATE.contains(&finding.rule)
            && finding.runtime == Runtime::Rejects
            && finding.refusal.as_ref().is_some_and(|refusal| refusal.is_of_operation())
    };
    let rejected = sink.numbered().filter(|(_, finding)| is_rejected(finding)).map(|(id, _)| id);
    let rejected: Vec<FindingId> = rejected.collect();
    if rejected.is_empty() {
        return;
    }
    let Some(refused) = checked.openvino.refused() else { return };
    let refused: BTreeSet<(&str, Span)> = refused
        .iter()
        .filter(|finding| is_rejected(finding))
        .map(|finding| (finding.rule.name, finding.primary.span))
        .into_set();
    for id in rejected {
        let is_refused = |finding: &Diagnostic| refused.contains(&(finding.rule.name, finding.primary.span));
        if !sink.get(id).is_some_and(is_refused) {
            sink.amend(id, Amendment::Verdict(Runtime::Unknown));
        }
    }
}

/// The note of a finding that depends on a 0 that OpenVINO uses for an index out of range.
const NOTE: &str = "OpenVINO uses 0 for what a Gather reads outside its data, as another finding says";

impl Checked<'_> {
    /// Returns OpenVINO's fact of an output, if its shape differs from ovlint's.
    pub(super) fn known_to_openvino(&self, output: OutputRef) -> Option<&Fact> {
        // An assumed fact comes from the port, so the port would be compared with itself.
        if self.facts.is_assumed(output.layer) {
            return None;
        }
        let known = self.openvino_facts()?.output(output)?;
        let truth = self.facts.output(output)?;
        (known.shape != truth.shape).then_some(known)
    }

    fn openvino_facts(&self) -> Option<&Facts> {
        match self.around {
            Some(around) => around.checked.openvino_facts()?.body(around.index, around.kind),
            None => self.openvino.facts(),
        }
    }
}
