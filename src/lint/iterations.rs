//! A TensorIterator whose iterations pass nothing to each other.

use super::{Checked, for_every_graph};
use crate::arrange::Fill;
use crate::diagnostic::{Diagnostic, Group, Rule, Severity, Sink};
use crate::infer::bodies::rules::BAD_PORT_MAP;
use crate::ir::Layer;
use crate::ops::WithBodies;
use crate::source::Span;
use std::collections::BTreeSet;

pub(crate) static DOUBTFUL_ITERATIONS: Rule = Rule::error(
    Group::Graph,
    "doubtful-iterations",
    "a TensorIterator has no back edge",
    "Without a back edge, inputs that are not sliced are the same in every iteration, and iterations pass nothing to \
     each other.\n\n\
     Add the back edges.",
)
.accepted(Severity::Warning)
.opt_in();

pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    if !checked.options.enables(&DOUBTFUL_ITERATIONS) {
        return;
    }
    let reported = sink.findings().iter().filter(|finding| finding.rule == &BAD_PORT_MAP);
    let reported: BTreeSet<Span> = reported.filter_map(|finding| Some(finding.layer.as_ref()?.span)).into_set();
    for_every_graph(checked, &mut |checked| {
        let graph = checked.scope.graph;
        for layer in &graph.layers {
            let is_iterator = graph.kind(layer).with_bodies() == Some(WithBodies::TensorIterator);
            if is_iterator && !reported.contains(&layer.tag) {
                check_layer(checked, layer, sink);
            }
        }
    });
}

fn check_layer(checked: &Checked, layer: &Layer, sink: &mut Sink) {
    let Some(subgraph) = &layer.subgraph else { return };
    let name = checked.scope.graph.name(checked.scope.source, layer);
    if subgraph.back_edges.is_empty() {
        let message = format!("TensorIterator `{name}` has no back edge, so iterations pass nothing to each other");
        sink.report(checked.about(layer, Diagnostic::new(&DOUBTFUL_ITERATIONS, layer.tag, message)));
    }
}
