//! Inference that knows no more than OpenVINO did when it wrote the file.
//!
//! What ports declare was inferred by OpenVINO, so it is held against this. Values are worked out as far as OpenVINO does;
//! of shapes, the file itself says where OpenVINO knew less: it wrote -1, or no dimension at all. That counts only where
//! something that arrives leaves room for it, since of what is known in full OpenVINO infers what is inferred here.
//!
//! This is an inference of its own, made only once a port declares something else than is true: facts stay as small as
//! they are, every operation says what it gives just once, and files without such ports cost nothing.

use super::explain::{LATE, Scope, is_settled};
use super::facts::Facts;
use super::{Plan, Terms, infer};
use crate::diagnostic::{Diagnostic, Runtime, Severity, Sink, sort};
use crate::ir::{Layer, Net, Port, Weights};
use crate::limits::Limits;
use crate::ops::apply::Extent;
use crate::ops::extension::ExtensionOps;
use crate::source::Source;
use crate::types::{Dim, Fact, PartialShape, Value};
use std::sync::Arc;

/// What OpenVINO knows of every output of a net, or less, and why it refuses the net for shapes and elements.
pub(crate) fn as_openvino(
    net: &Net,
    source: &Source,
    weights: &Weights,
    limits: &Limits,
    extension_ops: Option<&ExtensionOps>,
    plan: &Arc<Plan>,
) -> (Facts, Vec<Diagnostic>) {
    let mut sink = Sink::new(limits.findings);
    let terms = Terms { extension_ops, plan: Some(plan), extent: Extent::OpenVino, ..Terms::default() };
    let facts = infer(net, source, weights, limits, &terms, &mut sink);
    // They are quoted once all findings of the file are known.
    let findings = sink.findings().iter().filter(|finding| {
        finding.severity == Severity::Error && finding.runtime != Runtime::Accepts && LATE.contains(&finding.rule)
    });
    let mut findings: Vec<Diagnostic> = findings.cloned().collect();
    sort(&mut findings);
    (facts, findings)
}

/// Forgets of the outputs of a layer what OpenVINO did not know.
pub(super) fn forget(scope: &Scope, facts: &Facts, layer: &Layer, outputs: &mut [Fact]) {
    for (fact, port) in outputs.iter_mut().zip(scope.graph.outputs(layer)) {
        let declared = scope.graph.dims(port);
        let is_open = |(inferred, declared): (&Dim, &i64)| *declared == -1 && inferred.is_exact();
        let Some(inferred) = fact.shape.dims_mut() else { continue };
        if declared.is_empty() && !inferred.is_empty() && !is_ranked(scope, facts, layer) {
            (fact.shape, fact.value) = (PartialShape::UNKNOWN, None);
        } else if inferred.len() == declared.len()
            && inferred.iter().zip(declared).any(is_open)
            && !is_known(scope, facts, layer)
        {
            fact.value = None;
            for (inferred, declared) in inferred.iter_mut().zip(declared) {
                *inferred = if is_open((inferred, declared)) { Dim::ANY } else { *inferred };
            }
        }
    }
}

/// Whether all that the lengths of a layer's outputs follow from is known.
fn is_known(scope: &Scope, facts: &Facts, layer: &Layer) -> bool {
    scope.graph.kind(layer).spec().is_none_or(|spec| layer.subgraph.is_none() && is_settled(scope, facts, layer, spec))
}

/// Whether all that their ranks follow from is known.
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
