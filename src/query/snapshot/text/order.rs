//! The order of layers in a snapshot: a topological order with ties broken by structure (Weisfeiler-Lehman hashes) before
//! names, so that neither a renamed layer nor new numbers in generated names move other lines.

use super::{name, outputs};
use crate::diagnostic::Fnv;
use crate::infer::Facts;
use crate::ir::{Graph, Layer, LayerId, Port, Role};
use crate::query::refinement::{at, consumers, in_order, in_rounds};
use crate::source::Source;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The number of Weisfeiler-Lehman rounds over consumers, whose hashes break ties before names do.
const NEAR: usize = 4;

/// The sort key of layers that are ready at once: the positions of their producers, the type, the hash of near consumers, the
/// name, the hashes of all descendants by types and then by names and shapes, and last the index in the file.
type Key = (Vec<usize>, String, u64, String, [u64; 2], LayerId);

/// Returns the layers except inputs, Results and constants in a stable topological order. Layers that depend on constants
/// alone come right before their first consumer. Layers on a cycle are omitted.
pub(super) fn of(graph: &Graph, facts: &Facts, source: &Source) -> Vec<LayerId> {
    let (near, far) = (near(graph), [false, true].map(|is_named| far(graph, facts, source, is_named)));
    let fixed = fixed(graph, facts);
    let is_fixed = |index: LayerId| fixed.get(index.index()).copied().unwrap_or_default();
    let moving = |layer| producers(graph, layer).filter(|from| !is_fixed(*from));
    let mut missing: Vec<usize> = graph.layers.iter().map(|layer| moving(layer).count()).collect();
    let mut positions: Vec<usize> = vec![0; graph.layers.len()];
    let key = |index: LayerId, positions: &[usize]| -> Option<Reverse<Key>> {
        let layer = graph.layer(index)?;
        let from = moving(layer).filter_map(|producer| positions.get(producer.index()).copied()).collect();
        let (ty, own) = (graph.kind(layer).ty.clone(), name(graph, source, layer));
        Some(Reverse((from, ty, at(&near, index), own, far.each_ref().map(|far| at(far, index)), index)))
    };
    // A layer that depends on constants alone waits for its first consumer, if it has one.
    let is_start = |index: LayerId, layer: &Layer| {
        let is_taken = graph.dag.neighbors(index.node()).next().is_some();
        !(is_constant(graph, layer) || is_fixed(index) && is_taken)
    };
    let start = graph.entries().zip(&missing).filter(|((index, layer), count)| **count == 0 && is_start(*index, layer));
    // Inputs keep their own order, ahead of all other layers that are ready.
    let (inputs, others): (Vec<_>, Vec<_>) = start
        .map(|((index, layer), _)| (index, layer))
        .partition(|(_, layer)| graph.kind(layer).role == Role::Parameter);
    let mut ready: BinaryHeap<Reverse<Key>> = others.iter().filter_map(|(index, _)| key(*index, &positions)).collect();
    let (mut order, mut next, mut inputs) = (Vec::with_capacity(graph.layers.len()), 0, inputs.into_iter());
    while let Some(index) = inputs.next().map(|(index, _)| index).or_else(|| ready.pop().map(|Reverse(key)| key.5)) {
        // Producers that depend on constants alone come before the layer, in depth-first order.
        let mut open = vec![(index, false)];
        while let Some((at, is_done)) = open.pop() {
            let (Some(layer), Some(position)) = (graph.layer(at), positions.get_mut(at.index())) else { continue };
            if *position > 0 {
                continue;
            }
            if !is_done {
                open.push((at, true));
                let mut from: Vec<_> = producers(graph, layer).filter(|from| is_fixed(*from)).collect();
                from.reverse();
                open.extend(from.into_iter().map(|from| (from, false)));
                continue;
            }
            next += 1;
            *position = next;
            if !matches!(graph.kind(layer).role, Role::Parameter | Role::Result) {
                order.push(at);
            }
        }
        for consumer in graph.dag.neighbors(index.node()).map(LayerId::from).filter(|_| !is_fixed(index)) {
            let Some(left) = missing.get_mut(consumer.index()) else { continue };
            *left = left.saturating_sub(1);
            if *left == 0 {
                ready.extend(key(consumer, &positions));
            }
        }
    }
    order
}

/// Returns a flag per layer: set if it depends on constants alone.
fn fixed(graph: &Graph, facts: &Facts) -> Vec<bool> {
    let mut fixed = vec![false; graph.layers.len()];
    for index in facts.plan().order.iter().copied() {
        let Some(layer) = graph.layer(index) else { continue };
        let mut from = graph.inputs(layer).iter().filter_map(Port::source).map(|from| from.layer);
        let is_fixed = is_constant(graph, layer)
            || from.clone().next().is_some() && from.all(|from| fixed.get(from.index()).copied().unwrap_or_default());
        if let Some(slot) = fixed.get_mut(index.index()) {
            *slot = is_fixed;
        }
    }
    fixed
}

fn is_constant(graph: &Graph, layer: &Layer) -> bool {
    graph.kind(layer).role == Role::Const
}

/// Returns the producers of a layer that are not constants.
fn producers<'a>(graph: &'a Graph, layer: &'a Layer) -> impl Iterator<Item = LayerId> + use<'a> {
    let sources = graph.inputs(layer).iter().filter_map(Port::source).map(|from| from.layer);
    sources.filter(|from| graph.layer(*from).is_none_or(|layer| !is_constant(graph, layer)))
}

/// Returns a hash per layer over the types of its descendants within [`NEAR`] steps.
fn near(graph: &Graph) -> Vec<u64> {
    let ty = |index: LayerId| graph.layer(index).map(|layer| graph.kind(layer).ty.as_str()).unwrap_or_default();
    let own = graph.entries().map(|(index, _)| hash(&[ty(index)], &[])).collect();
    in_rounds(graph, NEAR, own, |index, hashes| hash(&[ty(index)], &consumers(graph, index, hashes)))
}

/// Returns a hash per layer over the types of all its descendants, and over their names and shapes if `is_named`.
fn far(graph: &Graph, facts: &Facts, source: &Source, is_named: bool) -> Vec<u64> {
    in_order(facts.plan().order.iter().rev(), vec![0; graph.layers.len()], |index, hashes| {
        let (Some(layer), consumers) = (graph.layer(index), consumers(graph, index, hashes)) else { return 0 };
        let ty = graph.kind(layer).ty.as_str();
        if is_named {
            hash(&[&name(graph, source, layer), ty, &outputs(facts.outputs(index))], &consumers)
        } else {
            hash(&[ty], &consumers)
        }
    })
}

fn hash(texts: &[&str], consumers: &[(u32, u32, u64)]) -> u64 {
    let mut hash = Fnv::default();
    for text in texts {
        hash.field(0xff, text);
    }
    for (output, input, to) in consumers {
        hash.field(0xfe, &format!("{output} {input} {to}"));
    }
    hash.0
}
