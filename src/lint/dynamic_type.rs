//! Tensors whose element type is not known.

use super::{Checked, for_every_graph};
use crate::diagnostic::{Diagnostic, Group, Rule, Severity, Sink};
use crate::ir::{Layer, Port, Role, find_attribute};
use crate::ops::Meaning;
use crate::types::{ElementType, Fact};

pub(crate) static DYNAMIC_TYPE: Rule = Rule::error(
    Group::Types,
    "dynamic-type",
    "the element type of a tensor is not known",
    "OpenVINO accepts `dynamic` and `undefined` as element types, and uses `dynamic` where an attribute is missing: \
     `element_type` of a Parameter or a Const, `variable_type` of a ReadValue. It reads such a model, but no device \
     compiles a model with an input or a variable of that type, and OpenVINO reads no bytes of such a Const.\n\n\
     Write the type. Reported where the type is lost, not for every layer after it.",
)
.accepted(Severity::Warning)
.opt_in();

/// The attributes that set a type.
const TYPES: [&str; 4] = ["element_type", "variable_type", "destination_type", "output_type"];

pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    if checked.options.enables(&DYNAMIC_TYPE) && !checked.options.no_infer {
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

/// Whether a Parameter lacks its type, which is a finding of its own.
fn has_no_type(checked: &Checked, layer: &Layer) -> bool {
    let graph = checked.scope.graph;
    graph.kind(layer).role == Role::Parameter
        && find_attribute(checked.scope.source, layer.data, "element_type").is_none()
}
