//! Structural hashes of layers, for an order that does not depend on the file and to pair the layers of two files. They are
//! made by Weisfeiler-Lehman refinement: from a layer's own hash and those of its neighbours.

use crate::diagnostic::Fnv;
use crate::ir::{Edge, Graph, LayerId};
use petgraph::Direction::Outgoing;
use petgraph::visit::EdgeRef;

/// Returns the hash of a layer.
pub(crate) fn at(hashes: &[u64], layer: LayerId) -> u64 {
    hashes.get(layer.index()).copied().unwrap_or_default()
}

/// Mixes a number into a hash. The result is the same in every release, as snapshots depend on it.
pub(crate) fn mixed(hash: u64, number: u64) -> u64 {
    let mixed = (hash ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

/// Hashes a text.
pub(crate) fn of_text(text: &str) -> u64 {
    let mut hash = Fnv::default();
    hash.field(0xff, text);
    hash.0
}

/// Hashes the consumers of a layer, in any order: for each the consumed output, the input of the consumer, and its hash.
pub(crate) fn consumers(graph: &Graph, layer: LayerId, hashes: &[u64]) -> u64 {
    let edges = graph.dag.edges_directed(layer.node(), Outgoing);
    let one = |(edge, to): (&Edge, LayerId)| {
        mixed(mixed(u64::from(edge.output) << 32 | u64::from(edge.input), 1), at(hashes, to))
    };
    edges.map(|edge| one((edge.weight(), edge.target().into()))).fold(0, u64::wrapping_add)
}

/// Refines all hashes in several rounds, each from the hashes of the round before.
pub(crate) fn in_rounds(
    graph: &Graph,
    rounds: usize,
    own: Vec<u64>,
    refine: impl Fn(LayerId, &[u64]) -> u64,
) -> Vec<u64> {
    (0..rounds).fold(own, |hashes, _| graph.entries().map(|(layer, _)| refine(layer, &hashes)).collect())
}

/// Refines the hashes layer by layer in `order`, so that each hash includes those refined before it.
pub(crate) fn in_order<'a>(
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
