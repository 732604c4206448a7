//! The inputs and outputs of a model as contracts refer to them, with all their names.

use crate::analysis::Model;
use crate::ir::{Graph, Layer, LayerId, Net, OutputRef, Port, Role, find_attribute, name_list};
use crate::source::Span;
use crate::types::Fact;

/// An input or output of a model.
pub(super) struct End<'a> {
    /// The Parameter or the Result.
    pub layer: &'a Layer,
    /// The tensor names, then the names of layers.
    pub names: Vec<String>,
    /// The number of tensor names.
    pub tensors: usize,
    /// The span of the first name.
    pub called: Span,
    /// The producer of the tensor, for outputs.
    pub from: Option<OutputRef>,
    /// The fact of the tensor.
    pub fact: Option<&'a Fact>,
}

impl End<'_> {
    /// Returns the name for messages.
    pub(super) fn name(&self) -> &str {
        self.names.first().map_or("", String::as_str)
    }

    /// Returns the span of an attribute of the layer's `<data>`, or of its tag.
    pub(super) fn span_of(&self, model: &Model, attribute: &str) -> Span {
        let found = (!self.layer.data.is_empty()).then(|| find_attribute(model.source(), self.layer.data, attribute));
        found.flatten().map_or(self.layer.tag, |attribute| attribute.value)
    }
}

/// Returns the Parameters.
pub(super) fn inputs<'a>(model: &'a Model, net: &'a Net) -> Vec<End<'a>> {
    let (graph, source) = (&net.graph, model.source());
    let end = |(index, layer): (LayerId, &'a Layer)| {
        let port = graph.outputs(layer).first();
        let mut names = port.map(|port| name_list(source, port.tag, "names")).unwrap_or_default();
        let tensors = names.len();
        names.push(graph.name(source, layer).into_owned());
        let fact = model.facts().and_then(|facts| facts.outputs(index).first());
        let called = called(model, layer, tensors, port.map(|port| (port.tag, "names")));
        End { layer, names, tensors, called, from: None, fact }
    };
    of_role(graph, Role::Parameter).map(end).collect()
}

/// Returns the Results with their producers.
pub(super) fn outputs<'a>(model: &'a Model, net: &'a Net) -> Vec<End<'a>> {
    let (graph, source) = (&net.graph, model.source());
    let end = |(_, layer): (LayerId, &'a Layer)| {
        let from = graph.inputs(layer).first().and_then(Port::source);
        let producer = from.and_then(|from| graph.layer(from.layer));
        let port = from.zip(producer).and_then(|(from, producer)| graph.outputs(producer).get(from.output as usize));
        // A Result may use a subset of its tensor's names.
        let chosen = if net.version == 10 { Vec::new() } else { name_list(source, layer.tag, "output_names") };
        let all = || port.map(|port| name_list(source, port.tag, "names")).unwrap_or_default();
        let named =
            if chosen.is_empty() { port.map(|port| (port.tag, "names")) } else { Some((layer.tag, "output_names")) };
        let mut names = if chosen.is_empty() { all() } else { chosen };
        let tensors = names.len();
        names.extend([Some(layer), producer].into_iter().flatten().map(|layer| graph.name(source, layer).into_owned()));
        let called = called(model, layer, tensors, named);
        End { layer, names, tensors, called, from, fact: from.and_then(|from| model.facts()?.output(from)) }
    };
    of_role(graph, Role::Result).map(end).collect()
}

/// The span of the tensor names, as written in an attribute, or else of the layer name.
fn called(model: &Model, layer: &Layer, tensors: usize, named: Option<(Span, &str)>) -> Span {
    let written = named.filter(|_| tensors > 0).and_then(|(tag, name)| find_attribute(model.source(), tag, name));
    match written {
        Some(attribute) => attribute.value,
        None if layer.name.is_empty() => layer.tag,
        None => layer.name,
    }
}

fn of_role(graph: &Graph, role: Role) -> impl Iterator<Item = (LayerId, &Layer)> {
    graph.entries().filter(move |(_, layer)| graph.kind(layer).role == role)
}
