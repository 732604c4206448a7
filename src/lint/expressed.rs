//! What the dimensions shown as `?` follow from, as notes on findings.

use super::demands::CONTRADICTORY_DIMENSIONS;
use super::rules::{DECLARED_SHAPE, INPUT_PORT_MISMATCH};
use crate::diagnostic::{Diagnostic, Direction, Group};
use crate::domain::Names;
use crate::infer::Facts;
use crate::ir::{Graph, Layer, LayerId, Role};
use crate::source::Source;
use crate::types::Fact;
use std::collections::BTreeSet;

/// Inputs and outputs of a layer that are looked at: some layers have thousands.
const TENSORS: usize = 8;

/// Adds to findings the inputs and outputs of their layers that they show with dynamic dimensions, expressed by those of the
/// inputs of the model: `with symbols, output 0 is f32[batch, past + seq, 64]`.
///
/// `again` infers the model again with symbols, if there is anything to express.
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

/// The first tensors with dynamic dimensions that a finding is about, and what they are to its layer.
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

/// Whether a finding is about the shape of an input or output of its layer: of a port, or of inputs that must fit.
fn is_about(finding: &Diagnostic, direction: Direction, i: usize) -> bool {
    let is_of_port = [&DECLARED_SHAPE, &INPUT_PORT_MISMATCH].contains(&finding.rule);
    match &finding.port {
        Some(port) if is_of_port => (port.direction, port.index) == (direction, i),
        // Contradictory dimensions are shown as symbols.
        _ => {
            finding.rule.group == Group::Shapes
                && finding.rule != &CONTRADICTORY_DIMENSIONS
                && direction == Direction::Input
        }
    }
}

/// The layer that a finding is about. That of an input says all there is to say; bodies may run again and again, with other
/// lengths.
fn layer<'a>(finding: &Diagnostic, graph: &'a Graph) -> Option<(LayerId, &'a Layer)> {
    let span = finding.layer.as_ref().filter(|_| finding.body.is_empty())?.span;
    let index = graph.layer_at(span.start)?;
    let layer = graph.layer(index)?;
    (graph.kind(layer).role != Role::Parameter).then_some((index, layer))
}
