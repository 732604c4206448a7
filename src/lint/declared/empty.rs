//! The check for layers that cut an empty tensor out of one with elements.

use crate::diagnostic::{Diagnostic, Direction};
use crate::ir::{Layer, LayerId};
use crate::lint::Checked;
use crate::lint::rules::EMPTY_TENSOR;
use crate::ops::Action;
use crate::types::bare_fact;

/// Reports a layer that cuts an empty tensor out of a non-empty one.
pub(super) fn empty_tensor(checked: &Checked, index: LayerId, layer: &Layer) -> Option<Diagnostic> {
    let graph = checked.scope.graph;
    // Other operations give empty tensors on purpose: the initial state of a key-value cache is a Broadcast to 0.
    if !matches!(graph.kind(layer).action(), Action::Splits | Action::Slices) {
        return None;
    }
    let outputs = checked.facts.outputs(index);
    let i = outputs.iter().position(|fact| fact.shape.is_empty())?;
    let from_inputs = graph.inputs(layer).iter().filter_map(|port| checked.facts.of_port(port));
    if graph.inputs(layer).is_empty() || from_inputs.into_iter().any(|fact| fact.shape.is_empty()) {
        return None;
    }
    let source = checked.scope.source;
    let name = graph.name(source, layer);
    let span = graph.outputs(layer).get(i).map_or(layer.tag, |port| port.tag);
    let message = format!("output {i} of `{name}` always has zero elements ({})", bare_fact(&outputs[i]));
    let finding = checked.scope.about_part(layer, Diagnostic::new(&EMPTY_TENSOR, span, message));
    Some(finding.port(graph.port_ref(source, layer, Direction::Output, i)))
}
