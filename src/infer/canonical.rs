//! A topological order of layers, for snapshots and `diff`, that does not depend on their order in the file. Ties are broken by
//! structure (Weisfeiler-Lehman hashes) before names, so that a new name moves no other layer.

use crate::ir::refinement::{at, consumers, in_order, in_rounds, mixed, of_text};
use crate::ir::{Graph, Layer, LayerId, Port, Role};
use crate::source::Source;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The number of Weisfeiler-Lehman rounds: a hash covers the consumers up to this many steps away.
const NEAR: usize = 4;

/// The sort key of layers that are ready at once: the positions of their producers, the type, the hash of near consumers, the
/// name, two hashes of all descendants (of types alone; of types, names and declared shapes), and last the index in the file.
type Key<'a> = (SmallVec<[usize; 4]>, &'a str, u64, &'a str, [u64; 2], LayerId);

/// Sorts the layers of a graph without cycles; `order` is any topological order of them. Parameters keep their order, ahead of
/// all others. Layers that depend on constants alone come right before their first consumer. Returns an empty list if a layer
/// has no place.
pub(super) fn sorted(graph: &Graph, source: &Source, order: &[LayerId]) -> Vec<LayerId> {
    let names: Vec<Cow<str>> = graph.layers.iter().map(|layer| name(graph, source, layer)).collect();
    let kinds: Vec<u64> = graph.kinds.iter().map(|kind| of_text(&kind.ty)).collect();
    let types: Vec<u64> =
        graph.layers.iter().map(|layer| kinds.get(layer.kind as usize).copied().unwrap_or_default()).collect();
    let near = in_rounds(graph, NEAR, types.clone(), |index, hashes| {
        mixed(at(&types, index), consumers(graph, index, hashes))
    });
    let far = |own: &[u64]| {
        in_order(order.iter().rev(), vec![0; own.len()], |index, hashes| {
            mixed(at(own, index), consumers(graph, index, hashes))
        })
    };
    let own = graph.layers.iter().zip(&types).zip(&names);
    let own: Vec<u64> = own.map(|((layer, ty), name)| mixed(mixed(*ty, of_text(name)), shapes(graph, layer))).collect();
    let far = [far(&types), far(&own)];
    let fixed = fixed(graph, order);
    let is_fixed = |index: LayerId| fixed.get(index.index()).copied().unwrap_or_default();
    let moving = |layer| producers(graph, layer).filter(|from| !is_fixed(*from));
    let mut missing: Vec<usize> = graph.layers.iter().map(|layer| moving(layer).count()).collect();
    let mut positions: Vec<usize> = vec![0; graph.layers.len()];
    let key = |index: LayerId, positions: &[usize]| -> Option<Reverse<Key>> {
        let (layer, name) = (graph.layer(index)?, names.get(index.index())?);
        let from = moving(layer).filter_map(|producer| positions.get(producer.index()).copied()).collect();
        let far = far.each_ref().map(|far| at(far, index));
        Some(Reverse((from, &graph.kind(layer).ty, at(&near, index), name, far, index)))
    };
    // A layer that depends on constants alone waits for its first consumer, if it has one.
    let is_start = |index: LayerId| !is_fixed(index) || graph.dag.neighbors(index.node()).next().is_none();
    let start = graph.entries().zip(&missing).filter(|((index, _), count)| **count == 0 && is_start(*index));
    let (inputs, others): (Vec<_>, Vec<_>) = start
        .map(|((index, layer), _)| (index, layer))
        .partition(|(_, layer)| graph.kind(layer).role == Role::Parameter);
    let mut ready: BinaryHeap<Reverse<Key>> = others.iter().filter_map(|(index, _)| key(*index, &positions)).collect();
    let (mut sorted, mut inputs, mut open) = (Vec::with_capacity(order.len()), inputs.into_iter(), Vec::new());
    while let Some(index) = inputs.next().map(|(index, _)| index).or_else(|| ready.pop().map(|Reverse(key)| key.5)) {
        // Producers that depend on constants alone come before the layer, in depth-first order.
        open.push((index, false));
        while let Some((at, is_done)) = open.pop() {
            let (Some(layer), Some(position)) = (graph.layer(at), positions.get_mut(at.index())) else { continue };
            if *position > 0 {
                continue;
            }
            if is_done {
                sorted.push(at);
                *position = sorted.len();
                continue;
            }
            open.push((at, true));
            let from = open.len();
            open.extend(producers(graph, layer).filter(|from| is_fixed(*from)).map(|from| (from, false)));
            open.get_mut(from..).unwrap_or_default().reverse();
        }
        for consumer in graph.dag.neighbors(index.node()).map(LayerId::from).filter(|_| !is_fixed(index)) {
            let Some(left) = missing.get_mut(consumer.index()) else { continue };
            *left = left.saturating_sub(1);
            if *left == 0 {
                ready.extend(key(consumer, &positions));
            }
        }
    }
    if sorted.len() == order.len() { sorted } else { Vec::new() }
}

/// Returns the name by which ties are broken, without generated numbers; empty for a constant.
fn name<'a>(graph: &Graph, source: &'a Source, layer: &Layer) -> Cow<'a, str> {
    let kind = graph.kind(layer);
    if kind.role == Role::Const { Cow::Borrowed("") } else { graph.stable_name(source, layer) }
}

/// Hashes the declared shapes of a layer.
fn shapes(graph: &Graph, layer: &Layer) -> u64 {
    let dims = graph.outputs(layer).iter().flat_map(|port| graph.dims(port).iter().chain([&i64::MIN]));
    dims.fold(0, |hash, dim| mixed(hash, dim.cast_unsigned()))
}

/// Returns a flag per layer: set if it depends on constants alone.
fn fixed(graph: &Graph, order: &[LayerId]) -> Vec<bool> {
    let mut fixed = vec![false; graph.layers.len()];
    for index in order.iter().copied() {
        let Some(layer) = graph.layer(index) else { continue };
        let mut from = producers(graph, layer);
        let is_fixed = graph.kind(layer).role == Role::Const
            || from.clone().next().is_some() && from.all(|from| fixed.get(from.index()).copied().unwrap_or_default());
        if let Some(slot) = fixed.get_mut(index.index()) {
            *slot = is_fixed;
        }
    }
    fixed
}

/// Returns the producers of a layer.
fn producers<'a>(graph: &'a Graph, layer: &'a Layer) -> impl Iterator<Item = LayerId> + Clone + use<'a> {
    graph.inputs(layer).iter().filter_map(Port::source).map(|from| from.layer)
}
