//! Weisfeiler-Lehman refinement: the hash of a layer is recomputed from its own hash and those of its neighbors.

use crate::ir::{Graph, LayerId};
use petgraph::Direction::Outgoing;
use petgraph::visit::EdgeRef;

/// Returns the hash of a layer.
pub(super) fn at(hashes: &[u64], layer: LayerId) -> u64 {
    hashes.get(layer.index()).copied().unwrap_or_default()
}

/// Returns the consumers of a layer, sorted: the consumed output, the input of the consumer, and its hash.
pub(super) fn consumers(graph: &Graph, layer: LayerId, hashes: &[u64]) -> Vec<(u32, u32, u64)> {
    let edges = graph.dag.edges_directed(layer.node(), Outgoing);
    let mut all: Vec<_> =
        edges.map(|edge| (edge.weight().output, edge.weight().input, at(hashes, edge.target().into()))).collect();
    all.sort_unstable();
    all
}

/// Refines all hashes in several rounds, each from the hashes of the round before.
pub(super) fn in_rounds(
    graph: &Graph,
    rounds: usize,
    own: Vec<u64>,
    refine: impl Fn(LayerId, &[u64]) -> u64,
) -> Vec<u64> {
    (0..rounds).fold(own, |hashes, _| graph.entries().map(|(layer, _)| refine(layer, &hashes)).collect())
}

/// Refines the hashes layer by layer in `order`, so that each hash includes those refined before it.
pub(super) fn in_order<'a>(
    order: impl Iterator<Item = &'a LayerId>,
    mut hashes: Vec<u64>,
    refine: impl Fn(LayerId, &[u64]) -> u64,
) -> Vec<u64> {
    for &layer in order {
        let refined = refine(layer, &hashes);
        if let Some(hash) = hashes.get_mut(layer.index()) {
            *hash = refined;
        }
    }
    hashes
}
