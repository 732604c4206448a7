//! Resolution of edge ids to layers and ports.

use crate::diagnostic::Direction;
use crate::ir::{Edge, Graph, Id, LayerId, Port};
use crate::source::Span;
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// An edge as written.
#[derive(Debug, Clone, Copy)]
pub(in crate::ir) struct RawEdge {
    pub from_layer: u64,
    pub from_port: u64,
    pub to_layer: u64,
    pub to_port: u64,
    pub tag: Span,
}

/// The readable part of an edge that lacks a number or has an unreadable one.
#[derive(Debug, Clone, Copy)]
pub(in crate::ir) struct PartialEdge {
    pub from_layer: Option<u64>,
    pub to_layer: Option<u64>,
    pub to_port: Option<u64>,
}

/// One `<edge>`.
#[derive(Debug, Clone, Copy)]
pub(in crate::ir) enum WrittenEdge {
    /// All numbers can be read.
    Whole(RawEdge),
    /// Some number cannot be read; that has a finding of its own.
    Partial(PartialEdge),
}

/// The reason why an edge is not built.
#[derive(Debug, Clone, Copy)]
pub(in crate::ir) enum Reason {
    /// One or both ends name no layer.
    UnknownLayer { from: Option<LayerId>, to: Option<LayerId> },
    /// These layers lack the port.
    UnknownPort { from: Option<LayerId>, to: Option<LayerId> },
    /// The input has an edge already.
    ConnectedAgain { from: LayerId, to: LayerId, input: u32 },
}

/// An edge that is not built.
#[derive(Debug, Clone, Copy)]
pub(in crate::ir) struct EdgeFault {
    pub edge: RawEdge,
    pub reason: Reason,
}

/// The layers of a graph by id.
pub(in crate::ir) struct Ids {
    /// Indexed by id, if ids are dense.
    dense: Vec<LayerId>,
    /// Sorted by id, if they are not.
    sorted: Vec<(u64, LayerId)>,
    /// All ids in order, computed when an edge first names an unknown id.
    all: OnceCell<Vec<(u64, LayerId)>>,
    /// True if every layer has an id of its own.
    pub are_unique: bool,
}

impl Ids {
    fn new(graph: &Graph) -> Self {
        let ids = || graph.entries().filter_map(|(i, layer)| Some((layer.id?.get(), i)));
        let dense_limit = graph.layers.len() as u64 * 4 + 1024;
        let size = ids().map(|(id, _)| id + 1).max().unwrap_or(0);
        let (mut dense, mut sorted) = (Vec::new(), Vec::new());
        let mut different = 0;
        if size <= dense_limit {
            dense = vec![LayerId::NONE; usize::try_from(size).unwrap_or(0)];
            for (id, i) in ids() {
                let slot = &mut dense[usize::try_from(id).unwrap_or(0)];
                different += usize::from(*slot == LayerId::NONE);
                *slot = i;
            }
        } else {
            sorted = ids().collect();
            sorted.sort_unstable();
            different = sorted.chunk_by(|(a, _), (b, _)| a == b).count();
        }
        Self { dense, sorted, all: OnceCell::new(), are_unique: different == graph.layers.len() }
    }

    /// Returns the layer with the closest id, and that id; of two equally close ones the smaller.
    pub(in crate::ir) fn nearest(&self, id: u64, graph: &Graph) -> Option<(u64, LayerId)> {
        let all = self.all.get_or_init(|| {
            let ids = graph.entries().filter_map(|(i, layer)| Some((layer.id?.get(), i)));
            let mut all: Vec<(u64, LayerId)> = ids.collect();
            all.sort_unstable();
            all
        });
        let above = all.partition_point(|(other, _)| *other < id);
        let near =
            [above.checked_sub(1), Some(above)].into_iter().flatten().filter_map(|index| all.get(index).copied());
        near.min_by_key(|(other, _)| other.abs_diff(id))
    }

    /// Finds the layer with an id; the last one if several have it, as in OpenVINO.
    pub(in crate::ir) fn find(&self, id: u64) -> Option<LayerId> {
        if self.sorted.is_empty() {
            let index = self.dense.get(usize::try_from(id).ok()?)?;
            return (*index != LayerId::NONE).then_some(*index);
        }
        let end = self.sorted.partition_point(|(other, _)| *other <= id);
        self.sorted.get(end.checked_sub(1)?).filter(|(other, _)| *other == id).map(|(_, index)| *index)
    }
}

/// The ports of layers by id.
#[derive(Default)]
pub(in crate::ir) struct PortIds {
    /// Ids and indices of the ports on one side of a layer, sorted; only for layers with many ports.
    sorted: BTreeMap<(LayerId, Direction), Vec<(u64, u32)>>,
}

/// The maximum number of ports that are searched linearly.
const FEW_PORTS: usize = 16;

impl PortIds {
    /// Finds the index of the first port with an id.
    pub(in crate::ir) fn find(&mut self, graph: &Graph, at: LayerId, id: u64, direction: Direction) -> Option<u32> {
        let ports = graph.ports(graph.layer(at)?, direction);
        if ports.len() <= FEW_PORTS {
            let wanted = Id::new(id)?;
            return u32::try_from(ports.iter().position(|port| port.id == Some(wanted))?).ok();
        }
        let sorted = self.sorted.entry((at, direction)).or_insert_with(|| sorted_ids(ports));
        let index = sorted.partition_point(|(other, _)| *other < id);
        sorted.get(index).filter(|(other, _)| *other == id).map(|(_, position)| *position)
    }
}

/// Returns the ids of ports with their indices, sorted.
pub(in crate::ir) fn sorted_ids(ports: &[Port]) -> Vec<(u64, u32)> {
    let ids = ports.iter().zip(0_u32..).filter_map(|(port, i)| Some((port.id?.get(), i)));
    let mut all: Vec<(u64, u32)> = ids.collect();
    all.sort_unstable();
    all
}

/// Resolves edges one by one and adds them to the graph, which must contain all layers.
pub(in crate::ir) struct Resolver {
    pub(super) ids: Ids,
    pub(super) ports: PortIds,
    pub(super) faults: Vec<EdgeFault>,
}

impl Resolver {
    pub(in crate::ir) fn new(graph: &mut Graph) -> Self {
        graph.dag.reserve_exact_nodes(graph.layers.len());
        // An input gets at most one edge. Unused capacity is never touched, so it costs no memory.
        graph.dag.reserve_exact_edges(graph.ports.len());
        for _ in 0..graph.layers.len() {
            graph.dag.add_node(());
        }
        Self { ids: Ids::new(graph), ports: PortIds::default(), faults: Vec::new() }
    }

    /// Adds an edge, unless it is broken.
    pub(in crate::ir) fn edge(&mut self, graph: &mut Graph, edge: WrittenEdge) {
        match edge {
            WrittenEdge::Whole(edge) => {
                if let Err(reason) = self.connect(graph, edge) {
                    self.faults.push(EdgeFault { edge, reason });
                }
            }
            WrittenEdge::Partial(edge) => {
                let (from, to) = (edge.from_layer.and_then(|id| self.ids.find(id)), edge.to_layer);
                let to = to.and_then(|id| self.ids.find(id));
                self.mark_candidates(graph, from, to, edge.to_port);
            }
        }
    }

    fn connect(&mut self, graph: &mut Graph, edge: RawEdge) -> Result<(), Reason> {
        let (from, to) = (self.ids.find(edge.from_layer), self.ids.find(edge.to_layer));
        let (Some(from), Some(to)) = (from, to) else {
            self.mark_candidates(graph, from, to, Some(edge.to_port));
            match (from, to) {
                (None, Some(to)) => graph.loose.add_from_missing(edge.from_layer, to),
                (Some(from), None) => graph.loose.add_to_missing(from, edge.to_layer),
                _ => {}
            }
            return Err(Reason::UnknownLayer { from, to });
        };
        let output = self.ports.find(graph, from, edge.from_port, Direction::Output);
        let input = self.ports.find(graph, to, edge.to_port, Direction::Input);
        let (Some(output), Some(input)) = (output, input) else {
            self.mark_candidates(graph, Some(from), Some(to), Some(edge.to_port));
            return Err(Reason::UnknownPort {
                from: output.is_none().then_some(from),
                to: input.is_none().then_some(to),
            });
        };
        let index = graph.layers[to.index()].inputs.0 + input;
        if graph.ports[index as usize].source().is_some() {
            return Err(Reason::ConnectedAgain { from, to, input });
        }
        graph.ports[index as usize].source = (from, output);
        let weight = Edge { output, input, tag: edge.tag };
        graph.dag.add_edge(from.node(), to.node(), weight);
        Ok(())
    }

    /// Records the layers and ports that an edge that is not built may have been meant for, to suppress findings about its
    /// consequences.
    fn mark_candidates(&mut self, graph: &mut Graph, from: Option<LayerId>, to: Option<LayerId>, to_port: Option<u64>) {
        match from {
            Some(from) => graph.loose.add_producer(from),
            None => graph.loose.add_any_producer(),
        }
        let Some(to) = to else { return };
        match to_port.and_then(|id| self.ports.find(graph, to, id, Direction::Input)) {
            Some(input) => graph.loose.add_input(to, input),
            None => graph.loose.add_inputs(to), // A port that does not exist may stand for any of them.
        }
    }
}
