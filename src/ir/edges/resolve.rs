//! From ids to places: which layer and which port every edge means.

use super::findings;
use super::findings::{EdgeFault, Reason};
use crate::diagnostic::{Direction, Sink};
use crate::ir::{Edge, Graph, Id, LayerId, Port};
use crate::source::{Source, Span};
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

/// What can be read of an edge that is not whole.
#[derive(Debug, Clone, Copy)]
pub(in crate::ir) struct PartialEdge {
    pub from_layer: Option<u64>,
    pub to_layer: Option<u64>,
    pub to_port: Option<u64>,
}

/// One `<edge>`.
#[derive(Debug, Clone, Copy)]
pub(in crate::ir) enum WrittenEdge {
    /// All of its numbers can be read.
    Whole(RawEdge),
    /// It has a finding of its own.
    Partial(PartialEdge),
}

/// Layers by id.
pub(in crate::ir) struct Ids {
    /// By id, where ids are dense.
    dense: Vec<LayerId>,
    /// Sorted by id, where they are not.
    sorted: Vec<(u64, LayerId)>,
    /// Every id in order, once an edge names one that does not exist.
    all: OnceCell<Vec<(u64, LayerId)>>,
}

impl Ids {
    fn new(graph: &Graph) -> Self {
        let ids = || graph.entries().filter_map(|(i, layer)| Some((layer.id?.get(), i)));
        let dense_limit = graph.layers.len() as u64 * 4 + 1024;
        if ids().all(|(id, _)| id < dense_limit) {
            let size = ids().map(|(id, _)| id + 1).max().unwrap_or(0);
            let mut dense = vec![LayerId::NONE; usize::try_from(size).unwrap_or(0)];
            for (id, i) in ids() {
                dense[usize::try_from(id).unwrap_or(0)] = i;
            }
            return Self { dense, sorted: Vec::new(), all: OnceCell::new() };
        }
        let mut sorted: Vec<(u64, LayerId)> = ids().collect();
        sorted.sort_unstable();
        Self { dense: Vec::new(), sorted, all: OnceCell::new() }
    }

    /// The layer whose id is closest to `id`, with that id; the smaller of two.
    pub(in crate::ir) fn nearest(&self, id: u64, graph: &Graph) -> Option<(u64, LayerId)> {
        let all = self.all.get_or_init(|| {
            let ids = graph.entries().filter_map(|(i, layer)| Some((layer.id?.get(), i)));
            let mut all: Vec<(u64, LayerId)> = ids.collect();
            all.sort_unstable();
            all
        });
        let above = all.partition_point(|(other, _)| *other < id);
        let near =
            [above.checked_sub(1), Some(above)].into_iter().flatten().filter_map(|place| all.get(place).copied());
        near.min_by_key(|(other, _)| other.abs_diff(id))
    }

    /// The layer of an id, the last one where several have it.
    pub(in crate::ir) fn find(&self, id: u64) -> Option<LayerId> {
        if self.sorted.is_empty() {
            let place = self.dense.get(usize::try_from(id).ok()?)?;
            return (*place != LayerId::NONE).then_some(*place);
        }
        let end = self.sorted.partition_point(|(other, _)| *other <= id);
        self.sorted.get(end.checked_sub(1)?).filter(|(other, _)| *other == id).map(|(_, place)| *place)
    }
}

/// The ports of layers by id.
#[derive(Default)]
pub(in crate::ir) struct PortIds {
    /// For layers with many ports: ids and positions of one side, sorted.
    sorted: BTreeMap<(LayerId, Direction), Vec<(u64, u32)>>,
}

/// Up to as many ports are searched one by one.
const FEW_PORTS: usize = 16;

impl PortIds {
    /// The position of the first port with an id.
    pub(in crate::ir) fn find(&mut self, graph: &Graph, at: LayerId, id: u64, direction: Direction) -> Option<u32> {
        let ports = graph.ports(graph.layer(at)?, direction);
        if ports.len() <= FEW_PORTS {
            let wanted = Id::new(id)?;
            return u32::try_from(ports.iter().position(|port| port.id == Some(wanted))?).ok();
        }
        let sorted = self.sorted.entry((at, direction)).or_insert_with(|| sorted_ids(ports));
        let place = sorted.partition_point(|(other, _)| *other < id);
        sorted.get(place).filter(|(other, _)| *other == id).map(|(_, position)| *position)
    }
}

/// The ids of ports and their positions, sorted.
pub(in crate::ir) fn sorted_ids(ports: &[Port]) -> Vec<(u64, u32)> {
    let ids = ports.iter().zip(0_u32..).filter_map(|(port, i)| Some((port.id?.get(), i)));
    let mut all: Vec<(u64, u32)> = ids.collect();
    all.sort_unstable();
    all
}

/// Finds the ends of edges, one after the other, and builds the petgraph; all layers must be in the graph.
pub(in crate::ir) struct Resolver {
    ids: Ids,
    ports: PortIds,
    faults: Vec<EdgeFault>,
}

impl Resolver {
    pub(in crate::ir) fn new(graph: &mut Graph) -> Self {
        graph.dag.reserve_exact_nodes(graph.layers.len());
        // No port takes two; memory that is not used costs nothing.
        graph.dag.reserve_exact_edges(graph.ports.len());
        for _ in 0..graph.layers.len() {
            graph.dag.add_node(());
        }
        Self { ids: Ids::new(graph), ports: PortIds::default(), faults: Vec::new() }
    }

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
                self.loosen(graph, from, to, edge.to_port);
            }
        }
    }

    /// Reports ids that mean nothing or two things.
    pub(in crate::ir) fn finish(self, graph: &mut Graph, source: &Source, sink: &mut Sink) {
        findings::report(graph, &self.ids, self.ports, source, &self.faults, sink);
    }

    fn connect(&mut self, graph: &mut Graph, edge: RawEdge) -> Result<(), Reason> {
        let (from, to) = (self.ids.find(edge.from_layer), self.ids.find(edge.to_layer));
        let (Some(from), Some(to)) = (from, to) else {
            self.loosen(graph, from, to, Some(edge.to_port));
            return Err(Reason::UnknownLayer { from, to });
        };
        let output = self.ports.find(graph, from, edge.from_port, Direction::Output);
        let input = self.ports.find(graph, to, edge.to_port, Direction::Input);
        let (Some(output), Some(input)) = (output, input) else {
            self.loosen(graph, Some(from), Some(to), Some(edge.to_port));
            return Err(Reason::UnknownPort {
                from: output.is_none().then_some(from),
                to: input.is_none().then_some(to),
            });
        };
        let place = graph.layers[to.index()].inputs.0 + input;
        if graph.ports[place as usize].source().is_some() {
            return Err(Reason::ConnectedAgain { from, to, input });
        }
        graph.ports[place as usize].source = (from, output);
        let weight = Edge { output, input, tag: edge.tag };
        graph.dag.add_edge(from.node(), to.node(), weight);
        Ok(())
    }

    /// Notes what an edge that is not built was meant for.
    fn loosen(&mut self, graph: &mut Graph, from: Option<LayerId>, to: Option<LayerId>, to_port: Option<u64>) {
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
