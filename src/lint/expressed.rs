//! What the dimensions shown as `?` follow from, as notes on findings.

use crate::diagnostic::Diagnostic;
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
            finding.notes.push(format!("with symbols, {}", expressed.join(" and ")));
        }
    }
}

/// The first tensors of its layer that a finding shows with dynamic dimensions, and what they are to the layer.
fn shown<'a>(
    finding: &'a Diagnostic,
    graph: &'a Graph,
    facts: &'a Facts,
) -> impl Iterator<Item = (String, &'a Fact)> + use<'a> {
    let layer = layer(finding, graph).into_iter();
    let tensors = layer.flat_map(move |(index, layer)| {
        let inputs = graph.inputs(layer).iter().take(TENSORS).map(|port| facts.of_port(port)).enumerate();
        let inputs = inputs.filter_map(|(i, fact)| Some((format!("input {i}"), fact?)));
        let outputs = facts.outputs(index).iter().take(TENSORS);
        let outputs = outputs.enumerate().map(|(i, fact)| (format!("output {i}"), fact));
        inputs.chain(outputs)
    });
    let is_shown = |shape: &str| {
        let labels = finding.labels.iter().chain([&finding.primary]).map(|label| &label.message);
        labels.chain(&finding.notes).chain([&finding.message]).any(|text| text.contains(shape))
    };
    tensors.filter(move |(_, fact)| {
        fact.shape.dims().is_some() && !fact.shape.is_static() && is_shown(&fact.shape.to_string())
    })
}

/// The layer that a finding is about. That of an input says all there is to say; bodies may run again and again, with other
/// lengths.
fn layer<'a>(finding: &Diagnostic, graph: &'a Graph) -> Option<(LayerId, &'a Layer)> {
    let span = finding.layer.as_ref().filter(|_| finding.body.is_empty())?.span;
    let index = graph.layer_at(span.start)?;
    let layer = graph.layer(index)?;
    (graph.kind(layer).role != Role::Parameter).then_some((index, layer))
}
