//! What input ports declare against what their producers give.

use super::{CycleEdges, Relation, bare, compare, shape_finding, show};
use crate::check::Checked;
use crate::check::rules::INPUT_PORT_MISMATCH;
use crate::diagnostic::{Diagnostic, Direction, Label};
use crate::infer::declared;
use crate::ir::{Layer, Port, Role, find_attribute};
use crate::types::{ElementType, Fact};

pub(super) fn findings(checked: &Checked, cycles: &CycleEdges, layer: &Layer) -> Vec<Diagnostic> {
    let ports = || checked.scope.graph.inputs(layer).iter().enumerate();
    let mut findings: Vec<Diagnostic> =
        ports().filter_map(|(i, port)| input_finding(checked, cycles, layer, i, port)).collect();
    if let [first, second] = findings.as_mut_slice() {
        let place = |finding: &Diagnostic| finding.port.as_ref().map_or(0, |port| port.index);
        let (i, j) = (place(first), place(second));
        if fits(checked, layer, i, j) && fits(checked, layer, j, i) {
            first.help.push(format!("inputs {i} and {j} fit the other way round: are their edges swapped?"));
            (first.fix, second.fix) = (None, None); // They would hide it.
            second.consequence_of = first.layer.as_ref().map(|layer| layer.name.clone());
        }
    }
    findings
}

/// Whether input `i` declares what the producer of input `j` gives.
fn fits(checked: &Checked, layer: &Layer, i: usize, j: usize) -> bool {
    let inputs = checked.scope.graph.inputs(layer);
    let (Some(declares), Some(given)) = (inputs.get(i), inputs.get(j)) else { return false };
    let Some(fact) = checked.facts.of_port(given) else { return false };
    let relation = compare(checked.scope.graph.dims(declares), fact).0;
    declares.precision.is_none_or(|ty| ty == fact.ty) && relation != Relation::Contradicts
}

fn input_finding(checked: &Checked, cycles: &CycleEdges, layer: &Layer, i: usize, port: &Port) -> Option<Diagnostic> {
    let graph = checked.scope.graph;
    let source = port.source()?;
    // Another finding tells that one of these edges is wrong.
    let in_cycle = u32::try_from(i).is_ok_and(|input| cycles.contains(&(source.layer, source.output, input)));
    if in_cycle || graph.loose.lacks_port(source.layer, Direction::Output) {
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
