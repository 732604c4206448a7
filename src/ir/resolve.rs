//! From ids to places: which layer and which port every edge means.

use super::graph::{Edge, Graph, Id, Port};
use super::rules::{
    DUPLICATE_LAYER_ID, DUPLICATE_PORT_ID, EDGE_UNKNOWN_LAYER, EDGE_UNKNOWN_PORT, INPUT_CONNECTED_TWICE, PORT_ORDER,
};
use crate::diagnostic::{Applicability, Diagnostic, Direction, Edit, Fix, Runtime, Sink};
use crate::source::{Source, Span};
use petgraph::graph::NodeIndex;
use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::attributes::find_attribute;
use super::loose::LooseEnds;

/// An edge as written.
#[derive(Debug, Clone, Copy)]
pub(super) struct RawEdge {
    pub from_layer: u64,
    pub from_port: u64,
    pub to_layer: u64,
    pub to_port: u64,
    pub tag: Span,
}

/// What can be read of an edge that is not whole.
#[derive(Debug, Clone, Copy)]
pub(super) struct PartialEdge {
    pub from_layer: Option<u64>,
    pub to_layer: Option<u64>,
    pub to_port: Option<u64>,
}

/// The content of `<edges>`.
#[derive(Debug, Default)]
pub(super) struct RawEdges {
    pub whole: Vec<RawEdge>,
    /// Edges with a finding of their own.
    pub partial: Vec<PartialEdge>,
}

impl RawEdges {
    /// Whether no edge is written.
    pub(super) fn is_empty(&self) -> bool {
        self.whole.is_empty() && self.partial.is_empty()
    }
}

/// Layers by id.
struct Ids {
    /// By id, where ids are dense.
    dense: Vec<u32>,
    /// Sorted by id, where they are not.
    sorted: Vec<(u64, u32)>,
    /// Every id in order, once an edge names one that does not exist.
    all: OnceCell<Vec<(u64, u32)>>,
}

impl Ids {
    fn new(graph: &Graph) -> Self {
        let ids = || graph.layers.iter().zip(0_u32..).filter_map(|(layer, i)| Some((layer.id?.get(), i)));
        let dense_limit = graph.layers.len() as u64 * 4 + 1024;
        if ids().all(|(id, _)| id < dense_limit) {
            let size = ids().map(|(id, _)| id + 1).max().unwrap_or(0);
            let mut dense = vec![u32::MAX; usize::try_from(size).unwrap_or(0)];
            for (id, i) in ids() {
                dense[usize::try_from(id).unwrap_or(0)] = i;
            }
            return Self { dense, sorted: Vec::new(), all: OnceCell::new() };
        }
        let mut sorted: Vec<(u64, u32)> = ids().collect();
        sorted.sort_unstable();
        Self { dense: Vec::new(), sorted, all: OnceCell::new() }
    }

    /// The layer whose id is closest to `id`, with that id; the smaller of two.
    fn nearest(&self, id: u64, graph: &Graph) -> Option<(u64, u32)> {
        let all = self.all.get_or_init(|| {
            let ids = graph.layers.iter().zip(0_u32..).filter_map(|(layer, i)| Some((layer.id?.get(), i)));
            let mut all: Vec<(u64, u32)> = ids.collect();
            all.sort_unstable();
            all
        });
        let above = all.partition_point(|(other, _)| *other < id);
        let near =
            [above.checked_sub(1), Some(above)].into_iter().flatten().filter_map(|place| all.get(place).copied());
        near.min_by_key(|(other, _)| other.abs_diff(id))
    }

    /// The layer of an id, the last one where several have it.
    fn find(&self, id: u64) -> Option<u32> {
        if self.sorted.is_empty() {
            let place = self.dense.get(usize::try_from(id).ok()?)?;
            return (*place != u32::MAX).then_some(*place);
        }
        let end = self.sorted.partition_point(|(other, _)| *other <= id);
        self.sorted.get(end.checked_sub(1)?).filter(|(other, _)| *other == id).map(|(_, place)| *place)
    }
}

/// Finds the ends of every edge, builds the petgraph and reports ids that mean nothing or two things.
pub(super) fn resolve(graph: &mut Graph, source: &Source, edges: RawEdges, sink: &mut Sink) {
    let ids = Ids::new(graph);
    report_duplicate_layers(graph, &ids, source, sink);
    report_ports(graph, source, sink);
    graph.dag.reserve_exact_nodes(graph.layers.len());
    graph.dag.reserve_exact_edges(edges.whole.len());
    for _ in 0..graph.layers.len() {
        graph.dag.add_node(());
    }
    let mut resolver = Resolver { graph, ids, source, sink, positions: BTreeMap::new(), again: BTreeMap::new() };
    for edge in edges.whole {
        resolver.edge(edge);
    }
    for edge in edges.partial {
        let (from, to) = (edge.from_layer.and_then(|id| resolver.ids.find(id)), edge.to_layer);
        let to = to.and_then(|id| resolver.ids.find(id));
        resolver.loosen(from, to, edge.to_port);
    }
    resolver.connected_again();
}

fn report_duplicate_layers(graph: &mut Graph, ids: &Ids, source: &Source, sink: &mut Sink) {
    let mut loose = LooseEnds::default();
    for (layer, i) in graph.layers.iter().zip(0_u32..) {
        let Some(id) = layer.id.map(Id::get) else {
            // No edge can name it.
            loose.add_producer(i);
            loose.add_inputs(i);
            continue;
        };
        let Some(last) = ids.find(id).filter(|last| *last != i).and_then(|last| graph.layer(last)) else { continue };
        loose.add_producer(i);
        loose.add_inputs(i);
        let message =
            format!("layer id {id} is used by `{}` and `{}`", graph.name(source, layer), graph.name(source, last));
        sink.report(
            Diagnostic::new(&DUPLICATE_LAYER_ID, last.tag, message)
                .layer(graph.layer_ref(source, last))
                .label(layer.tag, "this layer is lost")
                .note("OpenVINO keeps the later layer, so edges of the earlier one lead to it"),
        );
    }
    graph.loose = loose;
}

fn report_ports(graph: &Graph, source: &Source, sink: &mut Sink) {
    for layer in &graph.layers {
        for (direction, ports) in [(Direction::Input, graph.inputs(layer)), (Direction::Output, graph.outputs(layer))] {
            if ports.is_sorted_by(|a, b| a.id < b.id) {
                continue;
            }
            let duplicate = first_duplicate(ports);
            let finding = match duplicate {
                Some((first, second, id)) => Diagnostic::new(
                    &DUPLICATE_PORT_ID,
                    ports[second].tag,
                    format!("port id {id} appears twice in `{}`", graph.name(source, layer)),
                )
                .label(ports[first].tag, "edges reach this one only")
                .port(graph.port_ref(source, layer, direction, second)),
                None if ports.iter().all(|port| port.id.is_some()) => {
                    let place = ports.windows(2).position(|pair| pair[0].id > pair[1].id).unwrap_or(0);
                    let message = format!("port ids of `{}` are not ascending", graph.name(source, layer));
                    Diagnostic::new(&PORT_ORDER, ports[place + 1].tag, message)
                        .label(ports[place].tag, "this one stands before it")
                        .note("OpenVINO goes by the position of ports, not by their ids")
                        .port(graph.port_ref(source, layer, direction, place + 1))
                }
                None => continue,
            };
            sink.report(finding.layer(graph.layer_ref(source, layer)));
        }
    }
}

fn first_duplicate(ports: &[Port]) -> Option<(usize, usize, u64)> {
    let mut order: Vec<(u64, usize)> =
        ports.iter().enumerate().filter_map(|(i, port)| Some((port.id?.get(), i))).collect();
    order.sort_unstable();
    order
        .windows(2)
        .filter(|pair| pair[0].0 == pair[1].0)
        .map(|pair| (pair[0].1, pair[1].1, pair[0].0))
        .min_by_key(|d| d.1)
}

struct Resolver<'a, 's> {
    graph: &'a mut Graph,
    ids: Ids,
    source: &'a Source,
    sink: &'s mut Sink,
    /// For layers with many ports: ids and positions of one side, sorted.
    positions: BTreeMap<(u32, bool), Vec<(u64, u32)>>,
    /// Further edges into an input port, by layer and position: from where, and the tag.
    again: BTreeMap<(u32, u32), Vec<(u32, Span)>>,
}

/// Up to as many ports are searched one by one.
const FEW_PORTS: usize = 16;

/// Edges that a finding shows.
const SHOWN_EDGES: usize = 6;

impl Resolver<'_, '_> {
    fn edge(&mut self, edge: RawEdge) {
        let (from, to) = (self.ids.find(edge.from_layer), self.ids.find(edge.to_layer));
        let (Some(from), Some(to)) = (from, to) else {
            self.unknown_layer(edge, from, to);
            self.loosen(from, to, Some(edge.to_port));
            return;
        };
        let output = self.port_of(from, edge.from_port, Direction::Output);
        let input = self.port_of(to, edge.to_port, Direction::Input);
        if output.is_none() {
            self.unknown_port(edge, from, Direction::Output);
        }
        if input.is_none() {
            self.unknown_port(edge, to, Direction::Input);
        }
        let (Some(output), Some(input)) = (output, input) else {
            self.loosen(Some(from), Some(to), Some(edge.to_port));
            return;
        };
        let place = self.graph.layers[to as usize].inputs.0 + input;
        if self.graph.ports[place as usize].source().is_some() {
            self.again.entry((to, input)).or_default().push((from, edge.tag));
            return;
        }
        self.graph.ports[place as usize].source = (from, output);
        let weight = Edge { output, input, tag: edge.tag };
        self.graph.dag.add_edge(NodeIndex::new(from as usize), NodeIndex::new(to as usize), weight);
    }

    /// Notes what an edge that is not built was meant for.
    fn loosen(&mut self, from: Option<u32>, to: Option<u32>, to_port: Option<u64>) {
        match from {
            Some(from) => self.graph.loose.add_producer(from),
            None => self.graph.loose.add_any_producer(),
        }
        let Some(to) = to else { return };
        match to_port.and_then(|id| self.port_of(to, id, Direction::Input)) {
            Some(input) => self.graph.loose.add_input(to, input),
            None => self.graph.loose.add_inputs(to), // A port that does not exist may stand for any of them.
        }
    }

    /// The position of the first port with an id.
    fn port_of(&mut self, at: u32, id: u64, direction: Direction) -> Option<u32> {
        let ports = ports_of(self.graph, at, direction);
        if ports.len() <= FEW_PORTS {
            return u32::try_from(ports.iter().position(|port| port.id.map(Id::get) == Some(id))?).ok();
        }
        let sorted = self.positions.entry((at, direction == Direction::Input)).or_insert_with(|| {
            let ids = ports.iter().zip(0_u32..).filter_map(|(port, i)| Some((port.id?.get(), i)));
            let mut all: Vec<(u64, u32)> = ids.collect();
            all.sort_unstable();
            all
        });
        let place = sorted.partition_point(|(other, _)| *other < id);
        sorted.get(place).filter(|(other, _)| *other == id).map(|(_, position)| *position)
    }

    fn unknown_layer(&mut self, edge: RawEdge, from: Option<u32>, to: Option<u32>) {
        if self.graph.layers.is_empty() {
            return; // That is the finding.
        }
        for (known, attribute, id, verb) in
            [(from, "from-layer", edge.from_layer, "starts"), (to, "to-layer", edge.to_layer, "ends")]
        {
            if known.is_some() {
                continue;
            }
            let span = find_attribute(self.source, edge.tag, attribute).map_or(edge.tag, |a| a.name.to(a.value));
            let message = format!("edge {verb} at layer {id}, which does not exist");
            let mut finding = Diagnostic::new(&EDGE_UNKNOWN_LAYER, span, message);
            let other = from.or(to).and_then(|known| self.graph.layer(known));
            if let Some(layer) = other {
                let text = if from.is_some() { "the edge starts at this layer" } else { "the edge ends at this layer" };
                finding = finding.label(layer.tag, text);
            }
            if verb == "ends" && from.is_some() {
                finding = finding.runtime(Runtime::Accepts).note("OpenVINO ignores the edge");
            }
            let near = self.ids.nearest(id, self.graph).and_then(|(id, layer)| Some((id, self.graph.layer(layer)?)));
            if let Some((near, layer)) = near {
                let name = self.graph.name(self.source, layer);
                finding = finding.help(format!("the nearest id is {near} (`{name}`)"));
            }
            self.sink.report(finding);
        }
    }

    fn unknown_port(&mut self, edge: RawEdge, at: u32, direction: Direction) {
        let (attribute, id, verb, side, other) = match direction {
            Direction::Output => ("from-port", edge.from_port, "starts", "output", Direction::Input),
            Direction::Input => ("to-port", edge.to_port, "ends", "input", Direction::Output),
        };
        let on_other_side = self.port_of(at, id, other).is_some();
        let layer = &self.graph.layers[at as usize];
        let found = find_attribute(self.source, edge.tag, attribute);
        let span = found.map_or(edge.tag, |a| a.name.to(a.value));
        let ports = ports_of(self.graph, at, direction);
        let kind = self.graph.kind(layer);
        let name = self.graph.name(self.source, layer);
        let message = format!("edge {verb} at {side} port {id} of `{name}`, which does not exist");
        let mut finding = Diagnostic::new(&EDGE_UNKNOWN_PORT, span, message)
            .primary(format!("layer `{name}` ({}) has no {side} port {id}", kind.ty))
            .layer(self.graph.layer_ref(self.source, layer))
            .label(layer.tag, format!("this layer has {}", list_ports(ports, side)));
        if on_other_side {
            finding = finding.note(format!("port {id} is on the other side of the layer"));
        }
        if let ([Port { id: Some(only), .. }], Some(attribute)) = (ports, found) {
            finding = finding.fix(Fix {
                applicability: Applicability::Unsafe,
                message: format!("did you mean port {only}?"),
                edits: vec![Edit { span: attribute.value, text: only.to_string() }],
            });
        }
        self.sink.report(finding);
    }

    /// Reports input ports with several edges, once each.
    fn connected_again(&mut self) {
        let again = std::mem::take(&mut self.again);
        if again.is_empty() {
            return;
        }
        let place = |node: NodeIndex| u32::try_from(node.index()).unwrap_or(u32::MAX);
        let mut first: BTreeMap<(u32, u32), (u32, Span)> = BTreeMap::new();
        for edge in self.graph.dag.raw_edges() {
            let key = (place(edge.target()), edge.weight.input);
            if again.contains_key(&key) {
                first.insert(key, (place(edge.source()), edge.weight.tag));
            }
        }
        for ((at, input), edges) in again {
            let (Some(layer), Some(((from, second), others))) = (self.graph.layer(at), edges.split_first()) else {
                continue;
            };
            let giver = |from: &u32| {
                let giver = self.graph.layer(*from);
                giver.map(|giver| format!("from `{}`", self.graph.name(self.source, giver))).unwrap_or_default()
            };
            let port = self.graph.port_ref(self.source, layer, Direction::Input, input as usize);
            let (name, ty) = (self.graph.name(self.source, layer), &self.graph.kind(layer).ty);
            let count = if others.is_empty() { "two".to_owned() } else { (edges.len() + 1).to_string() };
            let message = format!("input port {} of `{name}` ({ty}) has {count} incoming edges", port.id);
            let mut finding = Diagnostic::new(&INPUT_CONNECTED_TWICE, *second, message).primary(giver(from));
            for (from, tag) in first.get(&(at, input)).into_iter().chain(others).take(SHOWN_EDGES) {
                finding = finding.label(*tag, giver(from));
            }
            self.sink.report(finding.layer(self.graph.layer_ref(self.source, layer)).port(port));
        }
    }
}

fn ports_of(graph: &Graph, layer: u32, direction: Direction) -> &[Port] {
    match (graph.layer(layer), direction) {
        (Some(layer), Direction::Output) => graph.outputs(layer),
        (Some(layer), Direction::Input) => graph.inputs(layer),
        (None, _) => &[],
    }
}

fn list_ports(ports: &[Port], side: &str) -> String {
    let ids: Vec<String> = ports.iter().filter_map(|port| port.id).take(8).map(|id| id.to_string()).collect();
    match ids.len() {
        0 => format!("no {side} ports"),
        _ => format!("{side} ports {}{}", ids.join(", "), if ports.len() > 8 { ", ..." } else { "" }),
    }
}
