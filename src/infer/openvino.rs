//! Inference limited to what OpenVINO knew when it wrote the file.
//!
//! OpenVINO inferred the declared ports, so they are compared with this result. Values are evaluated as far as OpenVINO does.
//! For shapes, the file itself shows where OpenVINO knew less: there it wrote -1, or no dimensions. That is trusted only where
//! an input is not fully known; from known inputs OpenVINO infers what ovlint infers.
//!
//! This is a second inference, made only if a declared port differs from the first one. So facts stay small, each operation
//! has a single `infer`, and files without such ports cost nothing extra.

use super::explain::{LATE, has_known_inputs};
use super::facts::Facts;
use super::scope::Scope;
use super::{Plan, Terms, infer};
use crate::diagnostic::{Diagnostic, Runtime, Severity, Sink, sort};
use crate::ir::{Layer, Net, Port, Weights};
use crate::limits::Limits;
use crate::ops::apply::Extent;
use crate::ops::extension::ExtensionOps;
use crate::ops::rules::ATTRIBUTE_VALUE;
use crate::source::Source;
use crate::types::{Dim, Fact, PartialShape, Value};
use std::sync::Arc;

/// Returns facts no stronger than those of OpenVINO, and the errors in shapes and values for which OpenVINO rejects the net.
pub(crate) fn as_openvino(
    net: &Net,
    source: &Source,
    weights: &Weights,
    limits: &Limits,
    extension_ops: Option<&ExtensionOps>,
    plan: &Arc<Plan>,
    is_doubtful: bool,
) -> (Facts, Vec<Diagnostic>) {
    let mut sink = Sink::new(limits.findings);
    let terms = Terms { extension_ops, plan: Some(plan), extent: Extent::OpenVino, is_doubtful, ..Terms::default() };
    let facts = infer(net, source, weights, limits, &terms, &mut sink);
    // OpenVINO's messages are added to them later, once all findings of the file are known.
    let findings = sink.findings().iter().filter(|finding| {
        let is_inferred = LATE.contains(&finding.rule) || finding.rule == &ATTRIBUTE_VALUE;
        finding.severity == Severity::Error && finding.runtime != Runtime::Accepts && is_inferred
    });
    let mut findings: Vec<Diagnostic> = findings.cloned().collect();
    sort(&mut findings);
    (facts, findings)
}

/// Weakens the outputs of a layer to what OpenVINO knew.
///
/// Where the layer reads values that are not known, OpenVINO infers less than ovlint for many operations, and ports that were
/// edited do not show it: `is_doubtful` keeps only what the ports declare.
pub(super) fn weaken(scope: &Scope, facts: &Facts, layer: &Layer, outputs: &mut [Fact], is_doubtful: bool) {
    for (fact, port) in outputs.iter_mut().zip(scope.graph.outputs(layer)) {
        let declared = scope.graph.dims(port);
        let is_doubted = is_doubtful && !is_ranked(scope, facts, layer);
        let is_open = |(inferred, declared): (&Dim, &i64)| {
            if is_doubted { inferred.length() != Some(*declared) } else { *declared == -1 && inferred.is_exact() }
        };
        let Some(inferred) = fact.shape.dims_mut() else { continue };
        if inferred.len() == declared.len() {
            if inferred.iter().zip(declared).any(is_open) && (is_doubted || !is_known(scope, facts, layer)) {
                fact.value = None;
                for (inferred, declared) in inferred.iter_mut().zip(declared) {
                    *inferred = if is_open((inferred, declared)) { Dim::ANY } else { *inferred };
                }
            }
        } else if is_doubted || declared.is_empty() && !is_ranked(scope, facts, layer) {
            (fact.shape, fact.value) = (PartialShape::UNKNOWN, None);
        }
    }
}

/// Whether all inputs that determine the dimensions of a layer's outputs are known.
fn is_known(scope: &Scope, facts: &Facts, layer: &Layer) -> bool {
    scope
        .graph
        .kind(layer)
        .spec()
        .is_none_or(|spec| layer.subgraph.is_none() && has_known_inputs(scope, facts, layer, spec))
}

/// Whether all inputs that determine the ranks of a layer's outputs are known.
fn is_ranked(scope: &Scope, facts: &Facts, layer: &Layer) -> bool {
    let Some(spec) = scope.graph.kind(layer).spec() else { return true };
    let is_known = |(i, port): (usize, &Port)| {
        facts.of_port(port).is_some_and(|fact| {
            let is_read = spec.input(i).is_some_and(|input| input.reads_value);
            fact.rank().is_some() && (!is_read || fact.value.as_deref().is_some_and(Value::is_exact))
        })
    };
    layer.subgraph.is_none() && scope.graph.inputs(layer).iter().enumerate().all(is_known)
}
