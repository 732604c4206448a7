//! Checks of the whole graph: results, dead layers, cycles.

use super::{Checked, missing_edge};
use crate::diagnostic::{Diagnostic, Severity, Sink};
use crate::infer::CycleEdge;
use crate::ir::rules::{CYCLE, EMPTY_MODEL, MISSING_ELEMENT, NO_RESULTS, UNREACHABLE_LAYER, UNUSED_PARAMETER};
use crate::ir::{Graph, Layer, LayerId, Role};
use crate::ops::{Meaning, RESULT};

/// Checks the outermost graph only.
pub(super) fn check_net(checked: &Checked, sink: &mut Sink) {
    let graph = checked.scope.graph;
    if graph.layers.is_empty() {
        if !sink.has(&MISSING_ELEMENT) {
            sink.report(Diagnostic::new(&EMPTY_MODEL, graph.tag, "the model has no layers"));
        }
        return;
    }
    // An unknown operation without outputs is a misspelled Result.
    let misspelled =
        |layer: &Layer| matches!(graph.kind(layer).meaning, Meaning::UnknownOp) && graph.outputs(layer).is_empty();
    if !has_sink(graph) && !graph.layers.iter().any(misspelled) {
        let mut finding = Diagnostic::new(&NO_RESULTS, graph.tag, "the model has no Result layer");
        let misspelled = graph.layers.iter().find(|layer| graph.kind(layer).ty.eq_ignore_ascii_case(RESULT));
        if let Some(layer) = misspelled {
            finding = finding.label(layer.tag, format!("the type must be spelled `{RESULT}`"));
        }
        sink.report(finding);
    }
    for (index, layer) in graph.entries() {
        let kind = graph.kind(layer);
        if kind.role == Role::Parameter && kind.is_root() && is_dead_end(checked, index) {
            let name = graph.name(checked.scope.source, layer);
            let message = format!("Parameter `{name}` feeds nothing but is still an input of the model");
            sink.report(checked.about(layer, Diagnostic::new(&UNUSED_PARAMETER, layer.tag, message)));
        }
    }
}

fn has_sink(graph: &Graph) -> bool {
    graph.layers.iter().any(|layer| matches!(graph.kind(layer).role, Role::Result | Role::Assign))
}

/// Whether no layer reads an output of the layer, and neither a missing edge nor a cycle may be the reason.
fn is_dead_end(checked: &Checked, index: LayerId) -> bool {
    missing_edge::feeds_nothing(checked.scope.graph, index)
        && checked.gap.is_none_or(|gap| gap.producer != index)
        && checked.facts.cycles().is_empty()
}

/// Checks every graph.
pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    for cycle in checked.facts.cycles() {
        report_cycle(checked, cycle, sink);
    }
    let graph = checked.scope.graph;
    if !has_sink(graph) {
        return; // Every layer would be reported.
    }
    for (index, layer) in graph.entries() {
        if checked.facts.is_reachable(index) || !is_dead_end(checked, index) {
            continue;
        }
        // A dead branch is reported at its end only.
        let name = graph.name(checked.scope.source, layer);
        let message = format!("layer `{name}` ({}) does not reach any Result", graph.kind(layer).ty);
        sink.report(checked.about(layer, Diagnostic::new(&UNREACHABLE_LAYER, layer.tag, message)));
    }
}

fn report_cycle(checked: &Checked, cycle: &[CycleEdge], sink: &mut Sink) {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let layers: Vec<&Layer> = cycle.iter().filter_map(|step| graph.layer(step.from)).collect();
    let Some(last) = (0..cycle.len()).max_by_key(|at| cycle[*at].edge.tag) else { return };
    let name = |at: usize| {
        let layer = layers.get(at % layers.len().max(1));
        layer.map(|layer| format!("`{}`", graph.name(source, layer))).unwrap_or_default()
    };
    let edge = |at: usize| format!("{} -> {}", name(at), name(at + 1));
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
    for (at, step) in cycle.iter().enumerate().filter(|(at, _)| *at != last).take(8) {
        finding = finding.label(step.edge.tag, edge(at));
    }
    sink.report(finding);
}
