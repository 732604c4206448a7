//! Declared input ports, compared with the outputs they are connected to.

use super::CycleEdges;
use super::openvino::is_compressed;
use super::port::{declared_beside, shape_finding, show_beside};
use super::relation::{Relation, compare, other_type};
use crate::arrange::Arrange;
use crate::diagnostic::{Diagnostic, Direction, Hint, Label};
use crate::ir::{Edge, Kind, Layer, LayerId, Port, Role, find_attribute};
use crate::lint::Checked;
use crate::lint::rules::INPUT_PORT_MISMATCH;
use crate::types::{Fact, bare_fact};
use petgraph::Direction::Incoming;
use std::borrow::Cow;

/// The indices of the input ports of a layer that disagree with their producers.
pub(super) fn wrong(checked: &Checked, cycles: &CycleEdges, index: LayerId, layer: &Layer) -> Vec<usize> {
    let ports = checked.scope.graph.inputs(layer).iter().enumerate();
    ports.filter(|(i, port)| is_wrong(checked, cycles, index, layer, *i, port)).map(|(i, _)| i).collect()
}

/// The findings about some input ports of a layer; `swap` is a pair of inputs whose edges look swapped.
pub(super) fn findings(
    checked: &Checked,
    index: LayerId,
    layer: &Layer,
    ports: &[usize],
    swap: Option<(usize, usize)>,
) -> Vec<Diagnostic> {
    let inputs = checked.scope.graph.inputs(layer);
    let found = ports.iter().filter_map(|i| {
        let port = inputs.get(*i)?;
        Some(mismatch(checked, layer, *i, port, &*expected_fact(checked, layer, port)?))
    });
    let mut findings: Vec<Diagnostic> = found.collect();
    let edges = checked.scope.graph.dag.edges_directed(index.node(), Incoming);
    let mut edges: Vec<Edge> = edges.map(|edge| *edge.weight()).collect();
    let Some((i, j)) = swap else {
        for (finding, i) in findings.iter_mut().zip(ports) {
            if let Some((port, edge)) = inputs.get(*i).zip(edges.iter().find(|edge| edge.input as usize == *i)) {
                starts_elsewhere(checked, port, edge, finding);
            }
        }
        return findings;
    };
    edges.retain(|edge| [i, j].contains(&(edge.input as usize)));
    edges.arrange_by_key(|edge| edge.input);
    if let Some((first, others)) = findings.split_first_mut() {
        first.help.push(format!("inputs {i} and {j} would fit if exchanged: are their edges swapped?").into());
        first.labels.extend(edges.iter().map(|edge| Label::new(edge.tag, format!("to input {}", edge.input))));
        first.fix = None; // Changing the declarations would hide the swap.
        for other in others {
            other.fix = None;
        }
    }
    findings
}

/// Asks whether an edge starts at the wrong output, if another one of the producer gives what the input port declares.
fn starts_elsewhere(checked: &Checked, port: &Port, edge: &Edge, finding: &mut Diagnostic) {
    let Some(source) = port.source() else { return };
    let outputs = checked.facts.outputs(source.layer);
    let Some(other) = outputs.iter().take(OUTPUTS).position(|fact| declares(checked, port, fact)) else { return };
    let graph = checked.scope.graph;
    let Some(producer) = graph.layer(source.layer) else { return };
    finding.fix = None; // Changing the declaration would hide it.
    finding.labels.push(Label::new(edge.tag, "this edge"));
    finding.help.push(match graph.outputs(producer).get(other) {
        Some(_) => {
            let id = graph.port_ref(checked.scope.source, producer, Direction::Output, other).id;
            format!("output port {id} gives this: does the edge start at the wrong one?").into()
        }
        None => missing_before(graph.kind(producer), other),
    });
}

/// A question about an output port whose place in the list is not that of its output.
pub(super) fn missing_before(kind: &Kind, output: usize) -> Hint {
    format!("output {output} of {} gives this: is an output port missing before it?", kind.ty).into()
}

/// The maximum number of outputs of a producer that are compared.
const OUTPUTS: usize = 64;

/// Finds two inputs that fit each other's producers, if all other inputs of the layer are right.
pub(super) fn swapped(checked: &Checked, layer: &Layer, wrong: &[usize]) -> Option<(usize, usize)> {
    let inputs = checked.scope.graph.inputs(layer);
    let fit = |(i, j): &(usize, usize)| fits(checked, inputs, *i, *j) && fits(checked, inputs, *j, *i);
    match wrong {
        [first, second] => Some((*first, *second)).filter(fit),
        // A port without dimensions contradicts nothing, but usually stands for a scalar.
        [i] => {
            let others = (0..inputs.len()).filter(|j| j != i && !fits(checked, inputs, *j, *j));
            others.map(|j| (*i, j)).find(fit)
        }
        _ => None,
    }
}

/// Whether input `i` declares the output of the producer of input `j`.
fn fits(checked: &Checked, inputs: &[Port], i: usize, j: usize) -> bool {
    let (Some(port), Some(given)) = (inputs.get(i), inputs.get(j)) else { return false };
    checked.facts.of_port(given).is_some_and(|fact| declares(checked, port, fact))
}

/// Whether a port declares a fact, or one that it may have.
pub(super) fn declares(checked: &Checked, port: &Port, fact: &Fact) -> bool {
    let dims = checked.scope.graph.dims(port);
    let relation = compare(dims, fact).0;
    port.precision.is_none_or(|ty| ty == fact.ty)
        && (relation == Relation::Agrees || !dims.is_empty() && relation != Relation::Contradicts)
}

fn is_wrong(checked: &Checked, cycles: &CycleEdges, index: LayerId, layer: &Layer, i: usize, port: &Port) -> bool {
    let (graph, Some(source)) = (checked.scope.graph, port.source()) else { return false };
    // Edges that close cycles, edges of layers with shared ids or missing ports, and several edges to one port have findings of
    // their own.
    let is_reported = u32::try_from(i).is_ok_and(|input| cycles.contains(&(source.layer, source.output, input)))
        || [source.layer, index].into_iter().any(|layer| graph.loose.shares_id(layer))
        || graph.loose.lacks_port(source.layer, Direction::Output)
        || graph.loose.further_producers(index).next().is_some();
    let Some(fact) = expected_fact(checked, layer, port).filter(|_| !is_reported) else { return false };
    let differs = other_type(port, &fact).is_some() && !is_compressed(checked, port, source);
    if matches!(fact, Cow::Owned(_)) && graph.dims(port).is_empty() && !differs {
        return false; // Neither end is inferred, and this one declares nothing.
    }
    differs || compare(graph.dims(port), &fact).0 == Relation::Contradicts
}

/// The fact that an input port should declare: that of its producer, or the producer's declaration if nothing else is known.
/// Where values are missing, the declaration narrows what is inferred.
fn expected_fact<'a>(checked: &Checked<'a>, layer: &Layer, port: &Port) -> Option<Cow<'a, Fact>> {
    let (graph, source) = (checked.scope.graph, port.source()?);
    let producer = || {
        let port = graph.outputs(graph.layer(source.layer)?).get(source.output as usize)?;
        Some(declared_beside(graph, port, checked.facts.output(source)?))
    };
    if checked.facts.is_assumed(source.layer) && graph.kind(layer).role != Role::Result {
        return producer().map(Cow::Owned);
    }
    let fact = checked.facts.output(source)?;
    let narrowed = || fact.shape.merge(&producer()?.shape);
    match fact.assumed.then(narrowed).flatten() {
        Some(shape) => Some(Cow::Owned(Fact { shape, ..fact.clone() })),
        None => Some(Cow::Borrowed(fact)),
    }
}

fn mismatch(checked: &Checked, layer: &Layer, i: usize, port: &Port, fact: &Fact) -> Diagnostic {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let (differs, (_, differing)) = (other_type(port, fact).is_some(), compare(graph.dims(port), fact));
    let mut finding = shape_finding(checked, layer, Direction::Input, i, port, fact, &INPUT_PORT_MISMATCH, &differing);
    let producer = port.source().and_then(|source| graph.layer(source.layer));
    let giver = producer.map(|producer| graph.name(source, producer).into_owned()).unwrap_or_default();
    let name = graph.name(source, layer);
    let port_id = finding.port.as_ref().map(|port| port.id.clone()).unwrap_or_default();
    finding.message = format!(
        "input port {port_id} of `{name}` declares {}, but its producer `{giver}` outputs {}",
        show_beside(checked, port, fact),
        bare_fact(fact)
    )
    .into();
    if let Some(attribute) = find_attribute(source, port.tag, "precision").filter(|_| differs) {
        finding.primary = Label::new(attribute.value, format!("the producer gives {}", fact.ty.port_name()));
    }
    if let Some(producer) = producer {
        finding.labels.push(Label::new(producer.tag, format!("`{giver}` gives {}", bare_fact(fact))));
    }
    finding
}
