//! Notes that express the dimensions shown as `?` in terms of the model inputs.

use super::demands::CONTRADICTORY_DIMENSIONS;
use super::rules::{DECLARED_SHAPE, INPUT_PORT_MISMATCH};
use crate::diagnostic::{Diagnostic, Direction, Group};
use crate::domain::Names;
use crate::infer::Facts;
use crate::ir::{Graph, Layer, LayerId, Role};
use crate::source::Source;
use crate::types::Fact;
use std::collections::BTreeSet;

/// The maximum number of inputs and outputs of a layer that are expressed: some layers have thousands.
const TENSORS: usize = 8;

/// Adds to findings the dynamic inputs and outputs of their layers, in terms of the model inputs:
/// `with symbols, output 0 is f32[batch, past + seq, 64]`.
///
/// `again` infers the model again with symbols; it is called only if there is something to express.
pub(crate) fn express(
    findings: &mut [Diagnostic],
    graph: &Graph,
    source: &Source,
    facts: &Facts,
    again: impl FnOnce() -> Facts,
) {
    if !findings.iter().any(|finding| shown(finding, graph, facts).next().is_some()) {
        return;
    }
    let facts = again();
    let Some(symbols) = facts.symbols() else { return };
    let names = Names::of(graph, source, &facts, &symbols.expressions);
    for finding in findings {
        let is_open = |fact: &Fact| fact.shape.dims().into_iter().flatten().any(|dim| names.open_dim(*dim).is_some());
        let mut known = BTreeSet::new();
        let expressed: Vec<String> = shown(finding, graph, &facts)
            .filter(|(_, fact)| is_open(fact))
            .map(|(port, fact)| (port, names.fact(fact)))
            .filter(|(_, fact)| known.insert(fact.clone()))
            .map(|(port, fact)| format!("{port} is {fact}"))
            .collect();
        if !expressed.is_empty() {
            finding.notes.push(format!("with symbols, {}", expressed.join(" and ")).into());
        }
    }
}

/// The first dynamic tensors that a finding is about, each with its role at the layer.
fn shown<'a>(
    finding: &'a Diagnostic,
    graph: &'a Graph,
    facts: &'a Facts,
) -> impl Iterator<Item = (String, &'a Fact)> + use<'a> {
    let layer = layer(finding, graph).into_iter();
    let tensors = layer.flat_map(move |(index, layer)| {
        let inputs = graph.inputs(layer).iter().take(TENSORS).map(|port| facts.of_port(port)).enumerate();
        let inputs = inputs.filter_map(|(i, fact)| Some((Direction::Input, i, fact?)));
        let outputs = facts.outputs(index).iter().take(TENSORS).enumerate();
        inputs.chain(outputs.map(|(i, fact)| (Direction::Output, i, fact)))
    });
    tensors
        .filter(|(_, _, fact)| fact.shape.dims().is_some() && !fact.shape.is_static())
        .filter(|(direction, i, _)| is_about(finding, *direction, *i))
        .map(|(direction, i, fact)| (format!("{direction} {i}"), fact))
}

/// Whether a finding is about the shape of this port: it names the port, or is about inputs that must fit each other.
fn is_about(finding: &Diagnostic, direction: Direction, i: usize) -> bool {
    let is_of_port = [&DECLARED_SHAPE, &INPUT_PORT_MISMATCH].contains(&finding.rule);
    match &finding.port {
        Some(port) if is_of_port => (port.direction, port.index) == (direction, i),
        // Layers that contradict each other show their symbols already.
        _ => {
            finding.rule.group == Group::Shapes
                && (finding.rule != &CONTRADICTORY_DIMENSIONS || finding.labels.is_empty())
                && direction == Direction::Input
        }
    }
}

/// The layer of a finding, unless it is a Parameter, whose shape needs no expression, or in a body, which may run several
/// times with other dimensions.
fn layer<'a>(finding: &Diagnostic, graph: &'a Graph) -> Option<(LayerId, &'a Layer)> {
    let span = finding.layer.as_ref().filter(|_| finding.body.is_empty())?.span;
    let index = graph.layer_at(span.start)?;
    let layer = graph.layer(index)?;
    (graph.kind(layer).role != Role::Parameter).then_some((index, layer))
}
