//! Tensors with an unknown element type.

use super::sized::declared_of_size;
use super::{Checked, for_every_graph};
use crate::arrange::Fill;
use crate::diagnostic::{Diagnostic, Group, Rule, Runtime, Severity, Sink};
use crate::ir::{Layer, LayerId, Port, Role, find_attribute};
use crate::ops::rules::{INDEX_TYPE, INPUT_TYPE};
use crate::ops::{Action, Eval, Meaning, OpSpec, Untyped};
use crate::types::{ElementType, Fact, Value};
use petgraph::visit::Dfs;
use std::collections::BTreeSet;
use std::iter;

pub(crate) static DYNAMIC_TYPE: Rule = Rule::error(
    Group::Types,
    "dynamic-type",
    "the element type of a tensor is not known",
    "`dynamic` and `undefined` stand for a type that is not known, and so does a missing `element_type` of a \
     Parameter or a Const, or `variable_type` of a ReadValue.\n\n\
     Write the type. The rule reports only the layer where the type is lost, not every layer after it.",
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

/// Reports constants without a type on whose values shapes depend, unless OpenVINO rejects a layer downstream of them.
fn unreadable(checked: &Checked, sink: &mut Sink) {
    let graph = checked.scope.graph;
    let is_refused = |finding: &&Diagnostic| finding.severity == Severity::Error && !finding.runtime.reads();
    let errors = sink.findings().iter().filter(is_refused);
    let wrong: BTreeSet<u32> = errors.filter_map(|finding| Some(finding.layer.as_ref()?.span.start)).into_set();
    for (index, layer) in graph.entries() {
        let is_untyped = graph.constant(layer).is_some_and(|constant| constant.ty == ElementType::Dynamic);
        if !is_untyped || !checked.facts.plan().wants_values(index) || is_left_alone(checked, index) {
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

/// Reports a constant without a type that a layer computes with: OpenVINO reads it, and compiles it only if nothing is left of
/// that layer. Constants that decide shapes have findings of their own.
#[cold]
pub(super) fn computed(checked: &Checked, index: LayerId, layer: &Layer, sink: &mut Sink) {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let facts = checked.facts;
    if checked.options.no_infer || facts.plan().wants_values(index) || !facts.is_reachable(index) {
        return;
    }
    let computes = |reader: &&Layer| match graph.kind(reader).meaning {
        Meaning::Modelled(spec) => {
            let is_kept = matches!(spec.eval, Eval::Copy(_) | Eval::Shape(_)) || graph.kind(reader).is_root();
            !is_kept && reader.subgraph.is_none()
        }
        _ => false,
    };
    let mut readers = graph.dag.neighbors(index.node()).filter_map(|reader| graph.layer(reader.into()));
    let Some(reader) = readers.find(computes) else { return };
    let (name, other) = (graph.name(source, layer), graph.name(source, reader));
    let message =
        format!("`{name}` is a constant of type dynamic, `{other}` ({}) computes with it", graph.kind(reader).ty);
    let span = find_attribute(source, layer.data, "element_type").map_or(layer.data, |attribute| attribute.value);
    let mut finding = Diagnostic::new(&INPUT_TYPE, span, message).runtime(Runtime::Unknown);
    let constant = graph.constant(layer);
    if let Some((tag, fact)) = constant.and_then(|constant| declared_of_size(checked, layer, constant.size)) {
        finding = finding.label(tag, format!("{}{} takes as many bytes", fact.ty, fact.shape));
        finding = finding.help(format!("is {} its type?", fact.ty));
    }
    sink.report(checked.about(layer, finding.label(reader.tag, "this layer")));
}

/// Whether OpenVINO reads and compiles every consumer of `constant` without reading its elements.
fn is_left_alone(checked: &Checked, constant: LayerId) -> bool {
    let graph = checked.scope.graph;
    let (mut todo, mut seen) = (vec![constant], BTreeSet::from([constant.index()]));
    while let Some(at) = todo.pop() {
        for reader in graph.dag.neighbors(at.node()).map(LayerId::from) {
            let Some(layer) = graph.layer(reader) else { return false };
            let Meaning::Modelled(spec) = graph.kind(layer).meaning else { return false };
            let ports = graph.inputs(layer);
            let mut taken = (0..ports.len()).filter(|i| ports[*i].source().is_some_and(|source| source.layer == at));
            let is_passed_on = spec.action == Action::Joins;
            if !is_passed_on && !taken.all(|i| is_input_left_alone(checked, layer, spec, i)) {
                return false;
            }
            if is_passed_on && seen.insert(reader.index()) {
                todo.push(reader);
            }
        }
    }
    true
}

/// Whether OpenVINO neither reads a constant at input `i` nor rejects its type when it compiles the layer.
fn is_input_left_alone(checked: &Checked, layer: &Layer, spec: &OpSpec, i: usize) -> bool {
    let ports = checked.scope.graph.inputs(layer);
    let fact = |i: usize| ports.get(i).and_then(|port| checked.facts.of_port(port));
    match spec.input(i).map_or(Untyped::Read, |input| input.untyped) {
        Untyped::Read => false,
        Untyped::Ignored => true,
        Untyped::IgnoredByNumpy => {
            let mode = find_attribute(checked.scope.source, layer.data, "mode");
            mode.is_some_and(|mode| checked.scope.source.slice(mode.value) == b"numpy")
        }
        Untyped::ReadByKnownSplit => {
            let axis = fact(1).and_then(|axis| axis.value.as_deref());
            !axis.is_some_and(Value::is_exact)
                || fact(0).is_none_or(|data| data.rank().is_none())
                || ports.get(i).and_then(Port::source).is_some_and(|lengths| needs_inputs(checked, lengths.layer))
        }
    }
}

/// Whether a layer directly reads an input of the model or of its body.
fn needs_inputs(checked: &Checked, at: LayerId) -> bool {
    let graph = checked.scope.graph;
    let Some(layer) = graph.layer(at) else { return false };
    let is_parameter = |port: &Port| {
        let source = port.source().and_then(|source| graph.layer(source.layer));
        source.is_some_and(|source| graph.kind(source).role == Role::Parameter)
    };
    graph.inputs(layer).iter().any(is_parameter)
}

/// Whether a Parameter lacks its type, which another finding reports.
fn has_no_type(checked: &Checked, layer: &Layer) -> bool {
    let graph = checked.scope.graph;
    graph.kind(layer).role == Role::Parameter
        && find_attribute(checked.scope.source, layer.data, "element_type").is_none()
}
