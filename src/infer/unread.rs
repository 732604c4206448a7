//! Declared shapes in place of those that depend on bytes which cannot be read: those of missing weights, or of an operation
//! whose values ovlint does not know.

use super::{Facts, Scope, declared_output};
use crate::ir::{Graph, Layer, LayerId, OutputRef, Port, Role, Step};
use crate::types::{Fact, PartialShape, Value};

/// Narrows outputs to the shapes that their ports declare, if they depend on a value that cannot be read. Outputs that
/// contradict their ports stay as they are: no value explains these.
#[cold]
pub(super) fn narrow_to_declared(scope: &Scope, facts: &Facts, layer: &Layer, outputs: &mut [Fact]) {
    let graph = scope.graph;
    if !outputs.iter().any(|output| output.assumed) || unread(graph, facts, layer).next().is_none() {
        return;
    }
    for (i, output) in outputs.iter_mut().enumerate().filter(|(_, output)| !output.shape.is_static()) {
        let declared = match graph.outputs(layer).get(i) {
            Some(port) if graph.dims(port).is_empty() && gives_rank(graph, facts, layer) => PartialShape::scalar(),
            _ => declared_output(graph, layer, i).shape,
        };
        if let Some(narrowed) = output.shape.merge(&declared) {
            output.shape = narrowed;
        }
    }
}

/// Returns the output port whose declared shape an output is based on: its own or one that leads to it.
pub(crate) fn declaring(graph: &Graph, facts: &Facts, output: OutputRef) -> Option<OutputRef> {
    let mut found = None;
    graph.walk_upstream(output, |layer| {
        let index = graph.layer_at(layer.tag.start)?;
        let Some(first) = facts.outputs(index).iter().position(|fact| fact.assumed) else { return Some(Step::Stop) };
        if !facts.is_assumed(index) && unread(graph, facts, layer).next().is_none() {
            return Some(Step::Follow);
        }
        let own = (index == output.layer).then_some(output);
        found = own.or_else(|| Some(OutputRef { layer: index, output: u32::try_from(first).ok()? }));
        None
    });
    found
}

/// Whether a layer may share the outputs of an equal layer. Outputs that depend on declared ports are shared only by layers
/// whose ports declare the same.
pub(super) fn may_share(graph: &Graph, facts: &Facts, earlier: LayerId, layer: &Layer) -> bool {
    let is_declared = |fact: &Fact| fact.assumed;
    let dims = |layer| graph.outputs(layer).iter().map(|port| graph.dims(port));
    !facts.outputs(earlier).first().is_some_and(is_declared)
        || graph.layer(earlier).is_some_and(|earlier| dims(earlier).eq(dims(layer)))
}

/// The inputs that decide the output shapes of a layer and of which the bytes cannot be read: values, and tensors whose rank
/// depends on one.
fn unread<'a>(graph: &'a Graph, facts: &'a Facts, layer: &'a Layer) -> impl Iterator<Item = &'a Port> {
    let spec = graph.kind(layer).spec();
    let decides = move |i| {
        spec.is_none_or(|spec| spec.with_bodies().is_some() || spec.input(i).is_some_and(|input| input.reads_value))
    };
    let is_unread = move |fact: &Fact, i| {
        let is_exact = || fact.value.as_deref().is_some_and(Value::is_exact);
        fact.assumed && (fact.rank().is_none() || decides(i) && !is_exact())
    };
    let inputs = graph.inputs(layer).iter().enumerate();
    inputs.filter(move |(i, port)| facts.of_port(port).is_some_and(|fact| is_unread(fact, *i))).map(|(_, port)| port)
}

/// Whether an output port of a layer that declares no dimensions declares a scalar. OpenVINO writes no dimensions for an
/// unknown rank, too, but it knows the rank where nothing but the value of a constant is missing.
fn gives_rank(graph: &Graph, facts: &Facts, layer: &Layer) -> bool {
    let inputs = graph.inputs(layer);
    let is_constant = |port: &Port| {
        let producer = port.source().and_then(|source| graph.layer(source.layer));
        producer.is_some_and(|producer| graph.kind(producer).role == Role::Const)
    };
    graph.kind(layer).spec().is_some_and(|spec| spec.with_bodies().is_none())
        && inputs.iter().any(|port| !graph.dims(port).is_empty())
        && inputs.iter().all(|port| facts.of_port(port).is_some_and(|fact| fact.rank().is_some()))
        && unread(graph, facts, layer).all(is_constant)
}
