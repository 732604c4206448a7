//! Recognition of a model's head by the layers in front of its outputs: the boxes and classes of YOLO, or the probabilities of
//! a classifier.

use crate::infer::Facts;
use crate::ir::{Graph, Layer, Port};
use crate::ops::Action;
use crate::types::Fact;

/// Returns the number of classes of a YOLO head in front of a Result: a Concat of 4 coordinates and the scores of all classes,
/// which may be followed by masks or points.
pub(crate) fn yolo_classes(graph: &Graph, facts: &Facts, result: &Layer) -> Option<i64> {
    let concat = producer(graph, result, 0, Action::Joins)?;
    producer(graph, concat, 1, Action::Scores)?;
    let channels = |port: &Port| length(facts.of_port(port)?, 1);
    let inputs = graph.inputs(concat);
    let (boxes, classes) = (channels(inputs.first()?)?, channels(inputs.get(1)?)?);
    let all: Option<i64> = inputs.iter().map(channels).sum();
    (boxes == 4 && all == channels(graph.inputs(result).first()?)).then_some(classes)
}

/// Whether a Result takes probabilities of classes that exclude each other: those along an axis.
pub(crate) fn ends_in_classes(graph: &Graph, result: &Layer) -> bool {
    let spec = producer(graph, result, 0, Action::Scores).and_then(|layer| graph.kind(layer).spec());
    spec.is_some_and(|spec| spec.attrs.iter().any(|attr| attr.name == "axis"))
}

/// Returns the length of an axis, if it is known.
pub(crate) fn length(fact: &Fact, axis: usize) -> Option<i64> {
    fact.shape.dims()?.get(axis)?.length()
}

/// Returns the layer in front of an input, past conversions, if it is of this kind.
fn producer<'a>(graph: &'a Graph, layer: &Layer, input: usize, action: Action) -> Option<&'a Layer> {
    let front = |layer: &Layer, input: usize| graph.layer(graph.inputs(layer).get(input)?.source()?.layer);
    let mut found = front(layer, input)?;
    if graph.kind(found).action() == Action::Converts {
        found = front(found, 0)?;
    }
    (graph.kind(found).action() == action).then_some(found)
}
