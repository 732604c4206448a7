//! Tensors whose element type is not known.

use super::{Checked, for_every_graph};
use crate::diagnostic::{Diagnostic, Group, Rule, Runtime, Severity, Sink};
use crate::ir::{Layer, LayerId, Port, Role, find_attribute};
use crate::ops::Meaning;
use crate::ops::rules::INDEX_TYPE;
use crate::types::{ElementType, Fact};
use petgraph::visit::Dfs;
use std::collections::BTreeSet;
use std::iter;

pub(crate) static DYNAMIC_TYPE: Rule = Rule::error(
    Group::Types,
    "dynamic-type",
    "the element type of a tensor is not known",
    "`dynamic` and `undefined` stand for a type that is not known, and so does a missing `element_type` of a \
     Parameter or a Const, or `variable_type` of a ReadValue.\n\n\
     Write the type. Reported where the type is lost, not for every layer after it.",
)
.accepted(Severity::Warning)
.opt_in();

/// The attributes that set a type.
const TYPES: [&str; 4] = ["element_type", "variable_type", "destination_type", "output_type"];

pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    if checked.options.no_infer {
        return;
    }
    for_every_graph(checked, &mut |checked| {
        if checked.facts.plan().wants_untyped {
            unreadable(checked, sink);
        }
    });
    if checked.options.enables(&DYNAMIC_TYPE) {
        for_every_graph(checked, &mut |checked| check_graph(checked, sink));
    }
}

fn check_graph(checked: &Checked, sink: &mut Sink) {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let is_known = |fact: &Fact| fact.ty != ElementType::Dynamic;
    for (index, layer) in graph.entries() {
        let lost = match (graph.constant(layer), graph.kind(layer).meaning) {
            (Some(constant), _) => constant.ty == ElementType::Dynamic,
            (None, Meaning::Modelled(_)) => {
                let is_inner = graph.kind(layer).role == Role::Parameter && !checked.scope.body.is_empty();
                let arrives = |port: &Port| checked.facts.of_port(port).is_some_and(is_known);
                let outputs = checked.facts.outputs(index);
                !is_inner
                    && layer.subgraph.is_none()
                    && !checked.facts.is_assumed(index)
                    && outputs.iter().any(|fact| !is_known(fact))
                    && graph.inputs(layer).iter().all(arrives)
            }
            _ => false,
        };
        if !lost || !checked.facts.is_reachable(index) || has_no_type(checked, layer) {
            continue;
        }
        let span = TYPES.iter().find_map(|name| find_attribute(source, layer.data, name));
        let name = graph.name(source, layer);
        let message = format!("the element type of `{name}` ({}) is dynamic", graph.kind(layer).ty);
        let finding = Diagnostic::new(&DYNAMIC_TYPE, span.map_or(layer.tag, |attribute| attribute.value), message);
        sink.report(checked.about(layer, finding));
    }
}

/// Reports constants without a type that decide shapes, unless there is an error about a layer behind them.
fn unreadable(checked: &Checked, sink: &mut Sink) {
    let graph = checked.scope.graph;
    let errors = sink.findings().iter().filter(|finding| finding.severity == Severity::Error);
    let wrong: BTreeSet<u32> = errors.filter_map(|finding| Some(finding.layer.as_ref()?.span.start)).collect();
    for (index, layer) in graph.entries() {
        let is_untyped = graph.constant(layer).is_some_and(|constant| constant.ty == ElementType::Dynamic);
        if !is_untyped || !checked.facts.plan().wants_values(index) {
            continue;
        }
        let mut behind = Dfs::new(&graph.dag, index.node());
        let is_wrong = |at: LayerId| graph.layer(at).is_some_and(|layer| wrong.contains(&layer.tag.start));
        if iter::from_fn(|| behind.next(&graph.dag)).any(|node| is_wrong(LayerId::from(node))) {
            continue;
        }
        let name = graph.name(checked.scope.source, layer);
        let message = format!("`{name}` decides shapes and is a constant of type dynamic, which OpenVINO cannot read");
        let finding = Diagnostic::new(&INDEX_TYPE, layer.data, message).runtime(Runtime::Unknown);
        sink.report(checked.about(layer, finding).help("store the constant as i64"));
    }
}

/// Whether a Parameter lacks its type, which is a finding of its own.
fn has_no_type(checked: &Checked, layer: &Layer) -> bool {
    let graph = checked.scope.graph;
    graph.kind(layer).role == Role::Parameter
        && find_attribute(checked.scope.source, layer.data, "element_type").is_none()
}
