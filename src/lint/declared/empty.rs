//! Outputs that never have an element.

use super::port::bare;
use crate::diagnostic::{Diagnostic, Direction};
use crate::ir::{Layer, LayerId};
use crate::lint::Checked;
use crate::lint::rules::EMPTY_TENSOR;
use crate::ops::Action;

/// The finding about a layer that cuts an empty tensor out of one with elements.
pub(super) fn empty_tensor(checked: &Checked, index: LayerId, layer: &Layer) -> Option<Diagnostic> {
    let graph = checked.scope.graph;
    // Other operations make empty tensors on purpose: the initial state of a key-value cache is a Broadcast to 0.
    if !matches!(graph.kind(layer).action(), Action::Splits | Action::Slices) {
        return None;
    }
    let outputs = checked.facts.outputs(index);
    let place = outputs.iter().position(|fact| fact.shape.is_empty())?;
    let from_inputs = graph.inputs(layer).iter().filter_map(|port| checked.facts.of_port(port));
    if graph.inputs(layer).is_empty() || from_inputs.into_iter().any(|fact| fact.shape.is_empty()) {
        return None;
    }
    let source = checked.scope.source;
    let name = graph.name(source, layer);
    let span = graph.outputs(layer).get(place).map_or(layer.tag, |port| port.tag);
    let message = format!("output {place} of `{name}` always has zero elements ({})", bare(&outputs[place]));
    let mut finding = Diagnostic::new(&EMPTY_TENSOR, span, message)
        .label(layer.tag, format!("in this {} layer", graph.kind(layer).ty))
        .layer(graph.layer_ref(source, layer))
        .port(graph.port_ref(source, layer, Direction::Output, place));
    finding.body = checked.scope.body.to_vec();
    Some(finding)
}
