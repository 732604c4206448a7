//! The two ends of what may be one missing edge, which a finding then suggests: a single input without a producer, and a
//! single layer without a consumer.

use crate::ir::{Graph, Layer, LayerId, Role};
use crate::ops::Meaning;
use petgraph::Direction::Outgoing;

/// An input without a producer, and the layer that nothing reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gap {
    /// The layer of the input.
    pub layer: LayerId,
    /// The index of the input.
    pub input: usize,
    /// The layer that feeds nothing.
    pub producer: LayerId,
}

/// The ends of a missing edge, if there is exactly one of each.
pub(super) fn of(graph: &Graph) -> Option<Gap> {
    let has_open = |layer: &Layer| graph.inputs(layer).iter().any(|port| port.source().is_none());
    let mut inputs = graph.entries().filter(|(_, layer)| has_open(layer)).flat_map(|(i, layer)| {
        let open = move |input: &usize| is_open(graph, i, *input);
        (0..graph.inputs(layer).len()).filter(open).map(move |input| (i, input))
    });
    let (layer, input) = inputs.next()?;
    if inputs.next().is_some() {
        return None;
    }
    let mut producers = graph.entries().map(|(i, _)| i).filter(|i| feeds_nothing(graph, *i));
    let producer = producers.next()?;
    producers.next().is_none().then_some(Gap { layer, input, producer })
}

/// Whether the operation has this input and no edge, not even a broken one, leads to it.
pub(super) fn is_open(graph: &Graph, index: LayerId, input: usize) -> bool {
    let Some(layer) = graph.layer(index) else { return false };
    let known = || match graph.kind(layer).meaning {
        Meaning::Modelled(spec) => spec.input(input).is_some(),
        _ => true,
    };
    graph.inputs(layer).get(input).is_some_and(|port| port.source().is_none())
        && u32::try_from(input).is_ok_and(|input| !graph.loose.has_input(index, input))
        && known()
}

/// Whether a layer other than a Result or an Assign has no consumer, not even through a broken edge.
pub(super) fn feeds_nothing(graph: &Graph, index: LayerId) -> bool {
    let takes_only = |role| matches!(role, Role::Result | Role::Assign);
    graph.layer(index).is_some_and(|layer| !takes_only(graph.kind(layer).role))
        && graph.dag.neighbors_directed(index.node(), Outgoing).next().is_none()
        && !graph.loose.has_producer(index)
}
