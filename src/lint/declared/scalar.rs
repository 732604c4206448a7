//! Output ports without dimensions, which declare a scalar or an unknown rank.

use crate::ir::{Layer, LayerId, Port, Role};
use crate::lint::Checked;
use crate::ops::Meaning;
use crate::types::Fact;
use petgraph::Direction::Outgoing;

/// Whether output `i`, which declares no dimensions, declares a scalar: the writer knew all shapes that determine its shape,
/// and a neighbouring port has dimensions.
pub(super) fn is_meant(checked: &Checked, index: LayerId, layer: &Layer, i: usize, fact: &Fact) -> bool {
    let graph = checked.scope.graph;
    let Meaning::Modelled(spec) = graph.kind(layer).meaning else { return false };
    if fact.assumed || !fact.shape.is_static() || layer.subgraph.is_some() {
        return false;
    }
    let is_constant = |port: &Port| {
        let producer = port.source().and_then(|source| graph.layer(source.layer));
        producer.is_some_and(|producer| graph.kind(producer).role == Role::Const)
    };
    let was_known = |(place, port): (usize, &Port)| {
        let dims = graph.dims(port);
        let has_shape = match dims {
            [] => checked.facts.of_port(port).is_some_and(|fact| fact.rank() == Some(0)) || is_constant(port),
            _ => dims.iter().all(|length| *length >= 0),
        };
        has_shape && (is_constant(port) || spec.input(place).is_none_or(|input| !input.reads_value))
    };
    graph.inputs(layer).iter().enumerate().all(was_known) && has_neighbours(checked, index, layer, i)
}

/// Whether an input of the layer, or a consumer of output `i`, declares dimensions.
fn has_neighbours(checked: &Checked, index: LayerId, layer: &Layer, i: usize) -> bool {
    let graph = checked.scope.graph;
    let has_dims = |port: &Port| !graph.dims(port).is_empty();
    let taken = || {
        let edges = graph.dag.edges_directed(index.node(), Outgoing);
        let edges = edges.filter(|edge| edge.weight().output as usize == i);
        edges.filter_map(|edge| {
            let consumer = graph.layer(petgraph::visit::EdgeRef::target(&edge).into())?;
            graph.inputs(consumer).get(edge.weight().input as usize)
        })
    };
    graph.inputs(layer).iter().any(has_dims) || taken().any(has_dims)
}
