//! Which layers lead to a result, and of which the elements are needed: both follow from the consumers.

use crate::ir::{Graph, Layer, Role};
use crate::ops::Meaning;
use crate::ops::spec::Eval;

/// Two flags per layer.
pub(super) struct Demand {
    /// Whether a shape hangs on the elements of the outputs, so that constants behind them must be read.
    pub values: Vec<bool>,
    /// Whether a path leads to a Result or an Assign.
    pub reachable: Vec<bool>,
}

pub(super) fn of(graph: &Graph, order: &[u32]) -> Demand {
    let mut values = vec![false; graph.layers.len()];
    let mut reachable = vec![false; graph.layers.len()];
    for &index in order.iter().rev() {
        let Some(layer) = graph.layer(index) else { continue };
        let kind = graph.kind(layer);
        let reached = reachable[index as usize]
            || graph.loose.has_producer(index)
            || is_misspelled_result(graph, layer)
            || matches!(kind.role, Role::Result | Role::Assign)
            || kind.role == Role::Parameter;
        reachable[index as usize] = reached;
        let spec = match kind.meaning {
            Meaning::Modelled(spec) => Some(spec),
            _ => None,
        };
        let passes_on =
            values[index as usize] && spec.is_some_and(|spec| !matches!(spec.eval, Eval::None | Eval::Shape(_)));
        for (i, port) in graph.inputs(layer).iter().enumerate() {
            let Some(source) = port.source() else { continue };
            let reads = spec.and_then(|spec| spec.input(i)).is_some_and(|input| input.reads_value);
            values[source.layer as usize] |= passes_on || reads;
            reachable[source.layer as usize] |= reached;
        }
    }
    Demand { values, reachable }
}

/// Whether a layer of an unknown operation stands where a Result would.
fn is_misspelled_result(graph: &Graph, layer: &Layer) -> bool {
    matches!(graph.kind(layer).meaning, Meaning::UnknownOp) && graph.outputs(layer).is_empty()
}
