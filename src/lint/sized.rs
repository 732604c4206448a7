//! The search for a port that declares a type and a shape of as many bytes as a constant has: those of the constant itself are
//! then likely to be wrong or missing.

use super::Checked;
use crate::ir::Layer;
use crate::source::Span;
use crate::types::{Fact, PartialShape};
use petgraph::visit::EdgeRef;

/// The fact that the output port of a constant declares, or else the input port of a reader, if it needs `size` bytes.
pub(crate) fn declared_of_size(checked: &Checked, layer: &Layer, size: u64) -> Option<(Span, Fact)> {
    let graph = checked.scope.graph;
    let index = graph.layer_at(layer.tag.start)?;
    let readers = graph.dag.edges(index.node()).filter_map(|edge| {
        let reader = graph.layer(edge.target().into())?;
        graph.inputs(reader).get(edge.weight().input as usize)
    });
    graph.outputs(layer).first().into_iter().chain(readers).find_map(|port| {
        let fact = Fact::new(port.precision?, PartialShape::exact(graph.dims(port)));
        let mut lengths = graph.dims(port).iter().map(|length| u64::try_from(*length));
        let count = lengths.try_fold(1_u64, |count, length| count.checked_mul(length.ok()?))?;
        (fact.ty.storage(count)? == size).then_some((port.tag, fact))
    })
}
