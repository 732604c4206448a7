//! Back edges of Loop and TensorIterator, which pass a Result of one iteration to a Parameter of the next: their ends, findings
//! about those that do not fit, and the Parameters that keep their first shape, for `fixpoint`.

use super::BodyOp;
use super::ends::Ends;
use super::rules::BAD_BACK_EDGE;
use super::runs::Runs;
use super::wire::Wirer;
use super::wiring::{BodyInput, BodyWiring};
use crate::arrange::Fill;
use crate::diagnostic::{Diagnostic, Runtime, Severity};
use crate::ir::{LayerId, Role};
use crate::ops::WithBodies;
use crate::source::Span;
use crate::types::{Fact, PartialShape};
use std::collections::{BTreeMap, BTreeSet};

/// Compares both ends of every back edge after the first iteration. Shapes are compared only if the body runs again and
/// OpenVINO does not propagate them itself.
///
/// Returns the Parameters that keep the shape of the first iteration, because the back edge passes another type, or a shape
/// that certainly does not fit. Other dynamic shapes are passed on even if they do not fit, because OpenVINO's CPU plugin
/// does that; OpenVINO itself infers nothing from a back edge whose Result is no output.
pub(super) fn check(host: &mut BodyOp, body: &Runs, repeats: bool) -> BTreeSet<LayerId> {
    let outputs = &body.wiring().outputs;
    let mut misfits = BTreeSet::new();
    let mut free: Option<Vec<LayerId>> = None;
    for inlet in &body.wiring().inputs {
        let Some((result, tag)) = inlet.back else { continue };
        let is_followed =
            || host.op == WithBodies::Loop && outputs.iter().any(|out| out.slice.is_none() && out.result == result);
        if host.is_openvino() && !is_followed() {
            misfits.insert(inlet.parameter);
        }
        let (from, to) = (body.result(result), body.parameter(inlet.parameter));
        if from.assumed || to.assumed {
            continue;
        }
        let name = |index: LayerId| {
            let layer = body.graph().layer(index);
            layer.map(|layer| body.graph().name(host.scope.source, layer)).unwrap_or_default()
        };
        let (result_name, parameter_name) = (name(result), name(inlet.parameter));
        let is_fixed = from.shape.is_static() && to.shape.is_static() || grows(&from.shape, &to.shape);
        let (severity, found) = if from.ty.merge(to.ty).is_none() {
            (Severity::Error, format!("`{parameter_name}` is {}, `{result_name}` hands it {}", to.ty, from.ty))
        } else if repeats && from.shape.merge(&to.shape).is_none() && !is_followed() {
            let text = format!("`{parameter_name}` is {}, `{result_name}` hands it {}", to.shape, from.shape);
            (Severity::Warning, text)
        } else {
            continue;
        };
        let mut finding = Diagnostic::new(&BAD_BACK_EDGE, tag, found)
            .severity(severity)
            .runtime(Runtime::Accepts)
            .primary("from the second iteration on")
            .label(inlet.tag, "what the first iteration gets");
        if severity == Severity::Error {
            let free = free.get_or_insert_with(|| without_back_edges(body));
            let fits = |from: &Fact, to: &Fact| to.ty == from.ty && to.shape.merge(&from.shape).is_some();
            let mut fitting = free.iter().filter(|other| fits(&from, &body.parameter(**other)));
            let is_exchanged = |other: &&BodyInput| {
                fits(&from, &body.parameter(other.parameter))
                    && other.back.is_some_and(|(result, _)| fits(&body.result(result), &to))
            };
            let exchanged = body.wiring().inputs.iter().take(FREE).find(is_exchanged);
            finding = finding.help(match (exchanged, fitting.next(), fitting.next()) {
                (Some(other), ..) => {
                    format!("it fits `{}`, whose back edge fits here: are the two exchanged?", name(other.parameter))
                }
                (None, Some(other), None) => {
                    let other = name(*other);
                    format!("`{other}` is {} and has no back edge: should this one lead there?", from.ty)
                }
                _ => "put a Convert in front of the Result".to_owned(),
            });
        }
        if severity == Severity::Error || is_fixed {
            misfits.insert(inlet.parameter);
        }
        host.report_at(finding);
    }
    misfits
}

/// The maximum number of Parameters among which the one is looked for that a back edge is meant for.
const FREE: usize = 64;

/// Returns the Parameters that a back edge could lead to and none does; none at all if there are many.
fn without_back_edges(body: &Runs) -> Vec<LayerId> {
    let free = body.wiring().inputs.iter().filter(|inlet| inlet.back.is_none() && inlet.slice.is_none());
    let free: Vec<LayerId> = free.map(|inlet| inlet.parameter).collect();
    if free.len() > FREE { Vec::new() } else { free }
}

/// Whether the lower bound of a dimension exceeds the upper bound that it had before.
fn grows(shape: &PartialShape, before: &PartialShape) -> bool {
    let dims = shape.dims().into_iter().flatten().zip(before.dims().into_iter().flatten());
    dims.into_iter().any(|(dim, before)| before.upper().is_some_and(|most| most < dim.lower()))
}

impl Wirer<'_, '_> {
    /// Returns the first back edge of every `to-layer`; OpenVINO ignores further ones.
    pub(super) fn first_back_edges(&self) -> BTreeMap<u64, (u64, Span)> {
        let edges = self.layer.subgraph.iter().flat_map(|subgraph| &subgraph.back_edges);
        edges.rev().map(|(from, to, tag)| (*to, (*from, *tag))).into_map()
    }

    /// Returns the Result that a back edge starts at.
    pub(super) fn back_edge(&mut self, from: u64, tag: Span, ends: &Ends) -> Option<(LayerId, Span)> {
        let result = ends.find(from, Role::Result);
        if result.is_none() {
            let finding = self.at(
                &BAD_BACK_EDGE,
                tag,
                "from-layer",
                format!("`from-layer` {from} is not a Result of the <body>"),
            );
            self.report(ends.explain(finding, from, Role::Result));
        }
        Some((result?, tag))
    }

    /// Reports back edges that OpenVINO ignores.
    pub(super) fn report_unused_back_edges(&mut self, ends: &Ends, wiring: &BodyWiring) {
        let Some(subgraph) = self.layer.subgraph.as_ref() else { return };
        let inlets: BTreeMap<LayerId, &BodyInput> =
            wiring.inputs.iter().map(|inlet| (inlet.parameter, inlet)).into_map();
        let firsts = self.first_back_edges();
        for (_, to, tag) in &subgraph.back_edges {
            let parameter = ends.find(*to, Role::Parameter);
            let inlet = parameter.and_then(|index| inlets.get(&index));
            let is_first = firsts.get(to).is_some_and(|(_, first)| first == tag);
            let why = match (parameter, inlet) {
                (None, _) => "is not a Parameter of the <body>",
                (Some(_), None) if self.is_wired => "takes no input of the layer",
                (Some(_), Some(BodyInput { slice: Some(_), .. })) => "takes slices of an input",
                (Some(_), Some(_)) if !is_first => "has a back edge already",
                _ => continue,
            };
            let message = format!("`to-layer` {to} {why}; the back edge is ignored");
            let mut finding = self.at(&BAD_BACK_EDGE, *tag, "to-layer", message).runtime(Runtime::Accepts);
            if let Some(inlet) = inlet {
                finding = finding.label(inlet.tag, "this feeds the Parameter");
            }
            self.report(if parameter.is_none() { ends.explain(finding, *to, Role::Parameter) } else { finding });
        }
    }
}
