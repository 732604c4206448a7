//! The order in which layers are inferred, either the file's or one that does not depend on it, and the cycles of the graph.

use super::canonical::sorted;
use crate::ir::{Edge, Graph, LayerId};
use crate::source::Source;
use petgraph::algo::{kosaraju_scc, toposort};
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use std::collections::VecDeque;

/// One edge of a cycle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CycleEdge {
    /// Its producer.
    pub from: LayerId,
    /// Its ports and its position in the file.
    pub edge: Edge,
}

/// The layers of a graph in topological order, as far as cycles allow.
#[derive(Default)]
pub(crate) struct Order {
    pub layers: Vec<LayerId>,
    /// An order that does not depend on the file; empty if none was asked for or there are cycles.
    pub sorted: Vec<LayerId>,
    /// For every strongly connected component with a cycle, the shortest that a limited search finds.
    pub cycles: Vec<Vec<CycleEdge>>,
}

/// The order in which layers are inferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum By {
    /// The order of the file if producers come first in it, else another topological one.
    #[default]
    File,
    /// One that does not depend on the file: expressions and the lines of snapshots are the same in every export.
    Structure,
}

impl Order {
    /// Computes the order of a graph.
    pub(crate) fn of(graph: &Graph, source: &Source, by: By) -> Self {
        let order = topological(graph, source);
        if by == By::File || !order.cycles.is_empty() {
            return order;
        }
        Self { sorted: sorted(graph, source, &order.layers), ..order }
    }
}

fn topological(graph: &Graph, source: &Source) -> Order {
    // The usual case: OpenVINO writes producers first.
    if graph.dag.edge_references().all(|edge| edge.source() < edge.target()) {
        return Order { layers: graph.dag.node_indices().map(LayerId::from).collect(), ..Order::default() };
    }
    if let Ok(nodes) = toposort(&graph.dag, None) {
        return Order { layers: nodes.into_iter().map(LayerId::from).collect(), ..Order::default() };
    }
    let mut groups = kosaraju_scc(&graph.dag);
    // What is found in a cycle depends on where it is entered, so that must not depend on the file.
    let key = |layer| (&*graph.kind(layer).ty, graph.stable_name(source, layer));
    for group in &mut groups {
        group.sort_by_cached_key(|node| graph.layer((*node).into()).map(key));
    }
    let mut component = vec![0_usize; graph.layers.len()];
    for (i, group) in groups.iter().enumerate() {
        for node in group {
            component[node.index()] = i;
        }
    }
    let mut cycles = Vec::new();
    for (i, group) in groups.iter().enumerate() {
        let looped = group.len() > 1 || group.iter().any(|node| graph.dag.contains_edge(*node, *node));
        if looped {
            cycles.extend(shortest_cycle(graph, group, |node| component[node.index()] == i));
        }
    }
    // Kosaraju's algorithm returns components with consumers first.
    Order { layers: groups.into_iter().rev().flatten().map(LayerId::from).collect(), cycles, ..Order::default() }
}

/// The maximum number of start nodes in the search for the shortest cycle of a component.
const STARTS: usize = 64;
/// The maximum of start nodes times component size in that search, but for a single start node.
const SEARCHED: usize = 200_000;

/// Finds the shortest cycle through one of the first layers of a component, by breadth-first search.
fn shortest_cycle(graph: &Graph, group: &[NodeIndex], inside: impl Fn(NodeIndex) -> bool) -> Option<Vec<CycleEdge>> {
    let starts = group.iter().take((SEARCHED / group.len().max(1)).clamp(1, STARTS));
    starts.filter_map(|start| cycle_through(graph, *start, &inside)).min_by_key(Vec::len)
}

fn cycle_through(graph: &Graph, start: NodeIndex, inside: &impl Fn(NodeIndex) -> bool) -> Option<Vec<CycleEdge>> {
    let mut reached_by = std::collections::BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        for edge in graph.dag.edges(node).filter(|edge| inside(edge.target())) {
            if edge.target() == start {
                return Some(walk_back(start, node, *edge.weight(), &reached_by));
            }
            if let std::collections::btree_map::Entry::Vacant(entry) = reached_by.entry(edge.target()) {
                entry.insert((node, *edge.weight()));
                queue.push_back(edge.target());
            }
        }
    }
    None
}

fn walk_back(
    start: NodeIndex,
    last: NodeIndex,
    closing: Edge,
    reached_by: &std::collections::BTreeMap<NodeIndex, (NodeIndex, Edge)>,
) -> Vec<CycleEdge> {
    let mut edges = vec![CycleEdge { from: LayerId::from(last), edge: closing }];
    let mut node = last;
    while node != start {
        let Some((from, edge)) = reached_by.get(&node) else { break };
        edges.push(CycleEdge { from: LayerId::from(*from), edge: *edge });
        node = *from;
    }
    edges.reverse();
    edges
}
