//! What input ports declare against what their producers give.

use super::{CycleEdges, Relation, bare, compare, shape_finding, show};
use crate::check::Checked;
use crate::check::rules::INPUT_PORT_MISMATCH;
use crate::diagnostic::{Diagnostic, Direction, Label};
use crate::infer::declared;
use crate::ir::{Edge, Layer, Port, Role, find_attribute};
use crate::types::{ElementType, Fact};
use petgraph::Direction::Incoming;
use petgraph::graph::NodeIndex;

/// The findings of the input ports of a layer, and whether two of its edges look swapped.
pub(super) fn findings(checked: &Checked, cycles: &CycleEdges, index: u32, layer: &Layer) -> (Vec<Diagnostic>, bool) {
    let ports = || (0_u32..).zip(checked.scope.graph.inputs(layer));
    let mut findings: Vec<Diagnostic> =
        ports().filter_map(|(i, port)| input_finding(checked, cycles, index, layer, i, port)).collect();
    let Some((i, j)) = swapped(checked, layer, &findings) else { return (findings, false) };
    let edges = checked.scope.graph.dag.edges_directed(NodeIndex::new(index as usize), Incoming);
    let mut edges: Vec<Edge> = edges.map(|edge| *edge.weight()).collect();
    edges.retain(|edge| [i, j].contains(&(edge.input as usize)));
    edges.sort_by_key(|edge| edge.tag);
    if let Some((first, others)) = findings.split_first_mut() {
        first.help.push(format!("inputs {i} and {j} fit the other way round: are their edges swapped?"));
        first.labels.extend(edges.iter().map(|edge| Label::new(edge.tag, format!("to input {}", edge.input))));
        first.fix = None; // It would hide it.
        for other in others {
            other.fix = None;
            other.consequence_of = first.layer.as_ref().map(|layer| layer.name.clone());
            first.consequences += 1;
        }
    }
    (findings, true)
}

/// Two inputs that fit the producers of each other, and that are all that is wrong.
fn swapped(checked: &Checked, layer: &Layer, findings: &[Diagnostic]) -> Option<(usize, usize)> {
    let place = |finding: &Diagnostic| finding.port.as_ref().map(|port| port.index);
    let inputs = checked.scope.graph.inputs(layer);
    let fit = |(i, j): &(usize, usize)| fits(checked, inputs, *i, *j) && fits(checked, inputs, *j, *i);
    match findings {
        [first, second] => Some((place(first)?, place(second)?)).filter(fit),
        // A port without dimensions contradicts nothing, but is meant for a scalar.
        [only] => {
            let i = place(only)?;
            let others = (0..inputs.len()).filter(|j| *j != i && !fits(checked, inputs, *j, *j));
            others.map(|j| (i, j)).find(fit)
        }
        _ => None,
    }
}

/// Whether input `i` declares what the producer of input `j` gives.
fn fits(checked: &Checked, inputs: &[Port], i: usize, j: usize) -> bool {
    let (Some(declares), Some(given)) = (inputs.get(i), inputs.get(j)) else { return false };
    let Some(fact) = checked.facts.of_port(given) else { return false };
    let relation = compare(checked.scope.graph.dims(declares), fact).0;
    let is_scalar = checked.scope.graph.dims(declares).is_empty();
    declares.precision.is_none_or(|ty| ty == fact.ty)
        && (relation == Relation::Agrees || !is_scalar && relation != Relation::Contradicts)
}

fn input_finding(
    checked: &Checked,
    cycles: &CycleEdges,
    index: u32,
    layer: &Layer,
    input: u32,
    port: &Port,
) -> Option<Diagnostic> {
    let (graph, i) = (checked.scope.graph, input as usize);
    let source = port.source()?;
    // Another finding tells that one of these edges is wrong.
    let is_told = cycles.contains(&(source.layer, source.output, input))
        || [source.layer, index].into_iter().any(|layer| graph.loose.shares_id(layer))
        || graph.loose.lacks_port(source.layer, Direction::Output);
    if is_told {
        return None;
    }
    if checked.facts.is_assumed(source.layer) && graph.kind(layer).role != Role::Result {
        // Both ends are only declared; they are compared with each other.
        return declared_ends(checked, layer, i, port);
    }
    let fact = checked.facts.output(source)?;
    let differs =
        port.precision.is_some_and(|ty| ty != ElementType::Dynamic && fact.ty != ElementType::Dynamic && ty != fact.ty);
    let (relation, places) = compare(graph.dims(port), fact);
    if relation != Relation::Contradicts && !differs {
        return None;
    }
    Some(mismatch(checked, layer, i, port, fact, &places, differs))
}

/// An input port against the output port it is connected to, where that output is not inferred.
fn declared_ends(checked: &Checked, layer: &Layer, i: usize, port: &Port) -> Option<Diagnostic> {
    let graph = checked.scope.graph;
    let source = port.source()?;
    let producer = graph.outputs(graph.layer(source.layer)?).get(source.output as usize)?;
    let fact = declared(graph, producer);
    let differs =
        port.precision.is_some_and(|ty| ty != ElementType::Dynamic && fact.ty != ElementType::Dynamic && ty != fact.ty);
    if graph.dims(port).is_empty() && !differs {
        return None;
    }
    let (relation, places) = compare(graph.dims(port), &fact);
    (relation == Relation::Contradicts || differs).then(|| mismatch(checked, layer, i, port, &fact, &places, differs))
}

fn mismatch(
    checked: &Checked,
    layer: &Layer,
    i: usize,
    port: &Port,
    fact: &Fact,
    places: &[usize],
    differs: bool,
) -> Diagnostic {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let mut finding = shape_finding(checked, layer, Direction::Input, i, port, fact, &INPUT_PORT_MISMATCH, places);
    let producer = port.source().and_then(|source| graph.layer(source.layer));
    let giver = producer.map(|producer| graph.name(source, producer).into_owned()).unwrap_or_default();
    let name = graph.name(source, layer);
    let port_id = finding.port.as_ref().map(|port| port.id.clone()).unwrap_or_default();
    finding.message = format!(
        "input port {port_id} of `{name}` declares {}, its producer `{giver}` gives {}",
        show(checked, port),
        bare(fact)
    );
    if let Some(attribute) = find_attribute(source, port.tag, "precision").filter(|_| differs) {
        finding.primary = Label::new(attribute.value, format!("the producer gives {}", fact.ty.port_name()));
    }
    if let Some(producer) = producer {
        finding.labels.push(Label::new(producer.tag, format!("`{giver}` gives {}", bare(fact))));
    }
    finding
}
