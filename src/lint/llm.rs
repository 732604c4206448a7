//! Recognition of stateful language models in the form of openvino.genai: they are dynamic by design, and get only a warning
//! for the NPU.

use super::Checked;
use crate::ir::{Graph, Layer, Port, Role, name_list};
use crate::ops::Action;

/// The required inputs, and all allowed ones.
const NEEDED: [&str; 3] = ["input_ids", "attention_mask", "beam_idx"];
const KNOWN: [&str; 4] = ["input_ids", "attention_mask", "position_ids", "beam_idx"];

/// Whether the model is a stateful language model as `LLMPipeline` expects it: it has the inputs that
/// `optimum-cli export openvino` gives it (`position_ids` is optional), and `beam_idx` only selects from the past.
pub(super) fn is_stateful(checked: &Checked) -> bool {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let mut has = [false; NEEDED.len()];
    let (mut beam, mut writes) = (None, false);
    for (index, layer) in graph.entries() {
        match graph.kind(layer).role {
            Role::Assign => writes = true,
            Role::Parameter => {
                let Some(port) = graph.outputs(layer).first() else { return false };
                let names = name_list(source, port.tag, "names");
                let is = |known: &&str| names.iter().any(|name| name == known);
                let has_rank = checked.facts.outputs(index).iter().all(|fact| fact.shape.rank().is_some());
                if !has_rank || !KNOWN.iter().any(is) {
                    return false;
                }
                for (has, needed) in has.iter_mut().zip(&NEEDED) {
                    *has |= is(needed);
                }
                if is(&"beam_idx") {
                    beam = Some(index);
                }
            }
            _ => {}
        }
    }
    let Some(beam) = beam.filter(|_| writes && has.iter().all(|has| *has)) else { return false };
    let takes = |layer: &Layer| graph.inputs(layer).iter().filter_map(Port::source).any(|from| from.layer == beam);
    graph.layers.iter().filter(|layer| takes(layer)).all(|layer| selects_past(graph, layer))
}

/// Whether a layer gathers from a variable.
fn selects_past(graph: &Graph, layer: &Layer) -> bool {
    let is = |layer: &Layer, action: Action| graph.kind(layer).action() == action;
    let data = graph.inputs(layer).first().and_then(|port| graph.layer(port.source()?.layer));
    is(layer, Action::Gathers) && data.is_some_and(|data| is(data, Action::Reads))
}
