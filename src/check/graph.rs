//! The graph as a whole: results, dead layers, cycles.

use super::Checked;
use crate::diagnostic::{Diagnostic, Severity, Sink};
use crate::infer::CycleEdge;
use crate::ir::rules::{CYCLE, EMPTY_MODEL, MISSING_ELEMENT, NO_RESULTS, UNREACHABLE_LAYER, UNUSED_PARAMETER};
use crate::ir::{Graph, Layer, Role};
use petgraph::Direction;
use petgraph::graph::NodeIndex;

/// Checks of the outermost graph only.
pub(super) fn check_net(checked: &Checked, sink: &mut Sink) {
    let graph = checked.scope.graph;
    if super::is_empty(graph) {
        if !sink.has(&MISSING_ELEMENT) {
            sink.report(Diagnostic::new(&EMPTY_MODEL, graph.tag, "the model has no layers"));
        }
        return;
    }
    if !has_sink(graph) {
        let mut finding = Diagnostic::new(&NO_RESULTS, graph.tag, "the model has no Result layer");
        let misspelled = graph.layers.iter().find(|layer| graph.kind(layer).ty.eq_ignore_ascii_case("Result"));
        if let Some(layer) = misspelled {
            finding = finding.label(layer.tag, "`Result` must be spelled exactly so");
        }
        sink.report(finding);
    }
    for (index, layer) in (0_u32..).zip(&graph.layers) {
        if graph.kind(layer).role == Role::Parameter && has_no_consumer(checked, index) {
            let name = graph.name(checked.scope.source, layer);
            let message = format!("Parameter `{name}` feeds nothing but is still an input of the model");
            sink.report(
                Diagnostic::new(&UNUSED_PARAMETER, layer.tag, message)
                    .layer(graph.layer_ref(checked.scope.source, layer)),
            );
        }
    }
}

fn has_sink(graph: &Graph) -> bool {
    graph.layers.iter().any(|layer| matches!(graph.kind(layer).role, Role::Result | Role::Assign))
}

/// Whether nothing takes an output of the layer, nor was meant to by an edge that is broken.
fn has_no_consumer(checked: &Checked, index: u32) -> bool {
    let graph = checked.scope.graph;
    let mut consumers = graph.dag.neighbors_directed(NodeIndex::new(index as usize), Direction::Outgoing);
    consumers.next().is_none() && !graph.loose.has_producer(index)
}

/// Checks of every graph.
pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    for cycle in checked.facts.cycles() {
        report_cycle(checked, cycle, sink);
    }
    let graph = checked.scope.graph;
    if !has_sink(graph) {
        return; // Nothing can reach what is not there.
    }
    for (index, layer) in (0_u32..).zip(&graph.layers) {
        if checked.facts.is_reachable(index) || !has_no_consumer(checked, index) {
            continue;
        }
        // A dead branch is reported at its end; what only feeds it is dead as well.
        let name = graph.name(checked.scope.source, layer);
        let message = format!("layer `{name}` ({}) does not reach any Result", graph.kind(layer).ty);
        let mut finding =
            Diagnostic::new(&UNREACHABLE_LAYER, layer.tag, message).layer(graph.layer_ref(checked.scope.source, layer));
        finding.body = checked.scope.body.to_vec();
        sink.report(finding);
    }
}

fn report_cycle(checked: &Checked, cycle: &[CycleEdge], sink: &mut Sink) {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let layers: Vec<&Layer> = cycle.iter().filter_map(|step| graph.layer(step.from)).collect();
    let Some(last) = (0..cycle.len()).max_by_key(|place| cycle[*place].edge.tag) else { return };
    let name = |place: usize| {
        let layer = layers.get(place % layers.len().max(1));
        layer.map(|layer| format!("`{}`", graph.name(source, layer))).unwrap_or_default()
    };
    let edge = |place: usize| format!("{} -> {}", name(place), name(place + 1));
    let mut names: Vec<String> = (0..layers.len()).take(if layers.len() > 7 { 6 } else { 7 }).map(name).collect();
    names.extend((layers.len() > 7).then(|| "...".to_owned()));
    names.push(name(0));
    let message = format!("layers form a cycle: {}", names.join(" -> "));
    let mut finding = Diagnostic::new(&CYCLE, cycle[last].edge.tag, message).primary(edge(last));
    finding.layer = layers.first().map(|layer| graph.layer_ref(source, layer));
    finding.body = checked.scope.body.to_vec();
    if cycle.iter().all(|step| !checked.facts.is_reachable(step.from)) {
        finding.severity = Severity::Warning;
    }
    for (place, step) in cycle.iter().enumerate().filter(|(place, _)| *place != last).take(8) {
        finding = finding.label(step.edge.tag, edge(place));
    }
    sink.report(finding);
}
