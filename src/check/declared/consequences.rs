//! Which declared mismatches follow from another one: one wrong input shape is one finding, not thousands.

use crate::check::Checked;
use crate::diagnostic::{Diagnostic, Direction, Severity};
use crate::ir::Port;
use petgraph::Direction::Incoming;
use petgraph::algo::toposort;
use std::collections::BTreeMap;

/// Marks the findings that follow from an earlier one, and counts them there.
///
/// A layer's mismatch follows from that of a producer; values (`ShapeOf` and what is computed from it) carry it on.
pub(super) fn fold(checked: &Checked, wrong: &mut [(u32, Diagnostic)]) {
    let graph = checked.scope.graph;
    let Ok(order) = toposort(&graph.dag, None) else { return };
    let is_output = |finding: &Diagnostic| {
        finding.severity == Severity::Error
            && finding.port.as_ref().is_some_and(|port| port.direction == Direction::Output)
    };
    let (mut own, mut entering): (BTreeMap<u32, usize>, BTreeMap<u32, usize>) = Default::default();
    for (place, (layer, finding)) in wrong.iter().enumerate() {
        if is_output(finding) {
            own.entry(*layer).or_insert(place);
        } else if finding.severity == Severity::Error {
            entering.entry(*layer).or_insert(place);
        }
    }
    // For every layer: the finding that what it gives rests on.
    let mut root: Vec<Option<usize>> = vec![None; graph.layers.len()];
    // And the first of those that what it takes rests on.
    let mut taken: Vec<Option<usize>> = vec![None; graph.layers.len()];
    for node in order {
        let index = node.index();
        let from_producers =
            graph.dag.neighbors_directed(node, Incoming).filter_map(|producer| root[producer.index()]).min();
        taken[index] = from_producers;
        let key = u32::try_from(index).unwrap_or(u32::MAX);
        let carries = || checked.facts.outputs(key).iter().any(|fact| fact.value.is_some());
        root[index] = match own.get(&key) {
            // What enters a layer wrongly explains what leaves it.
            Some(place) => Some(from_producers.or(entering.get(&key).copied()).unwrap_or(*place)),
            None if from_producers.is_some() && carries() => from_producers,
            None => None,
        };
    }
    let mut follows: Vec<(usize, usize)> = Vec::new();
    for (place, (layer, finding)) in wrong.iter().enumerate() {
        let from = match &finding.port {
            Some(port) if port.direction == Direction::Input => graph
                .layer(*layer)
                .and_then(|layer| graph.inputs(layer).get(port.index))
                .and_then(Port::source)
                .and_then(|source| root[source.layer as usize]),
            _ if own.contains_key(layer) => root[*layer as usize],
            _ => taken[*layer as usize],
        };
        if let Some(from) = from.filter(|from| *from != place) {
            follows.push((place, from));
        }
    }
    for (place, from) in follows {
        let name = wrong[from].1.layer.as_ref().map(|layer| layer.name.clone()).unwrap_or_default();
        wrong[place].1.consequence_of = Some(name);
        wrong[from].1.consequences += 1;
    }
}
