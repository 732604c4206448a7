//! From ids to places: which layer and which port every edge means.

use super::graph::{Edge, Graph, Id, Layer, Port};
use super::rules::{
    DUPLICATE_LAYER_ID, DUPLICATE_PORT_ID, EDGE_UNKNOWN_LAYER, EDGE_UNKNOWN_PORT, INPUT_CONNECTED_TWICE, PORT_ORDER,
};
use crate::diagnostic::{Applicability, Diagnostic, Direction, Edit, Fix, Runtime, Sink};
use crate::source::{Source, Span};
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

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

/// Layers by id.
struct Ids {
    /// By id, where ids are dense.
    dense: Vec<u32>,
    /// Sorted by id, where they are not.
    sorted: Vec<(u64, u32)>,
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
            return Self { dense, sorted: Vec::new() };
        }
        let mut sorted: Vec<(u64, u32)> = ids().collect();
        sorted.sort_unstable();
        Self { dense: Vec::new(), sorted }
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
    let mut resolver = Resolver { graph, ids, source, sink };
    for edge in edges.whole {
        resolver.edge(edge);
    }
    for edge in edges.partial {
        let (from, to) = (edge.from_layer.and_then(|id| resolver.ids.find(id)), edge.to_layer);
        resolver.loosen(from, to.and_then(|id| resolver.ids.find(id)), edge.to_port);
    }
}

fn report_duplicate_layers(graph: &mut Graph, ids: &Ids, source: &Source, sink: &mut Sink) {
    let mut loose = LooseEnds::default();
    for (layer, i) in graph.layers.iter().zip(0_u32..) {
        let Some(id) = layer.id.map(Id::get) else { continue };
        let Some(last) = ids.find(id).filter(|last| *last != i).and_then(|last| graph.layer(last)) else { continue };
        loose.add_producer(i);
        (0_u32..).zip(graph.inputs(layer)).for_each(|(input, _)| loose.add_input(i, input));
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
}

impl Resolver<'_, '_> {
    fn edge(&mut self, edge: RawEdge) {
        let (from, to) = (self.ids.find(edge.from_layer), self.ids.find(edge.to_layer));
        let (Some(from), Some(to)) = (from, to) else {
            self.unknown_layer(edge, from, to);
            self.loosen(from, to, Some(edge.to_port));
            return;
        };
        let output = port_of(self.graph, from, edge.from_port, Direction::Output);
        let input = port_of(self.graph, to, edge.to_port, Direction::Input);
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
            self.connected_twice(edge, to, input);
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
        let Some((to, layer)) = to.and_then(|to| Some((to, self.graph.layer(to)?))) else { return };
        let meant = to_port.and_then(|id| port_of(self.graph, to, id, Direction::Input));
        let count = u32::try_from(self.graph.inputs(layer).len()).unwrap_or(u32::MAX);
        // A port that does not exist may stand for any of them.
        let inputs = meant.map_or(0..count, |input| input..input + 1);
        inputs.for_each(|input| self.graph.loose.add_input(to, input));
    }

    fn unknown_layer(&mut self, edge: RawEdge, from: Option<u32>, to: Option<u32>) {
        for (known, attribute, id, verb) in
            [(from, "from-layer", edge.from_layer, "starts"), (to, "to-layer", edge.to_layer, "ends")]
        {
            if known.is_some() {
                continue;
            }
            let span = find_attribute(self.source, edge.tag, attribute).map_or(edge.tag, |a| a.name.to(a.value));
            let message = format!("edge {verb} at layer {id}, which does not exist");
            let with_ids = self.graph.layers.iter().filter_map(|layer| Some((layer.id?.get(), layer)));
            let near = with_ids.min_by_key(|(other, _)| other.abs_diff(id));
            let mut finding = Diagnostic::new(&EDGE_UNKNOWN_LAYER, span, message);
            let other = from.or(to).and_then(|known| self.graph.layer(known));
            if let Some(layer) = other {
                let text = if from.is_some() { "the edge starts at this layer" } else { "the edge ends at this layer" };
                finding = finding.label(layer.tag, text);
            }
            if verb == "ends" && from.is_some() {
                finding = finding.runtime(Runtime::Accepts).note("OpenVINO ignores the edge");
            }
            if let Some((near, layer)) = near {
                let name = self.graph.name(self.source, layer);
                finding = finding.help(format!("the nearest id is {near} (`{name}`)"));
            }
            self.sink.report(finding);
        }
    }

    fn unknown_port(&mut self, edge: RawEdge, at: u32, direction: Direction) {
        let layer = &self.graph.layers[at as usize];
        let (attribute, id, verb, side, other) = match direction {
            Direction::Output => ("from-port", edge.from_port, "starts", "output", Direction::Input),
            Direction::Input => ("to-port", edge.to_port, "ends", "input", Direction::Output),
        };
        let found = find_attribute(self.source, edge.tag, attribute);
        let span = found.map_or(edge.tag, |a| a.name.to(a.value));
        let ports = if direction == Direction::Output { self.graph.outputs(layer) } else { self.graph.inputs(layer) };
        let kind = self.graph.kind(layer);
        let name = self.graph.name(self.source, layer);
        let message = format!("edge {verb} at {side} port {id} of `{name}`, which does not exist");
        let mut finding = Diagnostic::new(&EDGE_UNKNOWN_PORT, span, message)
            .primary(format!("layer `{name}` ({}) has no {side} port {id}", kind.ty))
            .layer(self.graph.layer_ref(self.source, layer))
            .label(layer.tag, format!("this layer has {}", list_ports(ports, side)));
        if port_of(self.graph, at, id, other).is_some() {
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

    fn connected_twice(&mut self, edge: RawEdge, to: u32, input: u32) {
        let layer = &self.graph.layers[to as usize];
        let mut incoming = self.graph.dag.edges_directed(NodeIndex::new(to as usize), petgraph::Direction::Incoming);
        let first = incoming.find(|e| e.weight().input == input);
        let producer = |id| self.ids.find(id).and_then(|from| self.graph.layer(from));
        let from = |layer: &Layer| format!("from `{}`", self.graph.name(self.source, layer));
        let name = self.graph.name(self.source, layer);
        let message =
            format!("input port {} of `{name}` ({}) has two incoming edges", edge.to_port, self.graph.kind(layer).ty);
        let mut finding = Diagnostic::new(&INPUT_CONNECTED_TWICE, edge.tag, message)
            .primary(producer(edge.from_layer).map(from).unwrap_or_default());
        if let Some(first) = first {
            let giver = self.graph.layers.get(first.source().index()).map(from).unwrap_or_default();
            finding = finding.label(first.weight().tag, giver);
        }
        self.sink.report(finding.layer(self.graph.layer_ref(self.source, layer)).port(self.graph.port_ref(
            self.source,
            layer,
            Direction::Input,
            input as usize,
        )));
    }
}

/// The position of the first port with an id.
fn port_of(graph: &Graph, layer: u32, id: u64, direction: Direction) -> Option<u32> {
    let layer = graph.layer(layer)?;
    let ports = if direction == Direction::Output { graph.outputs(layer) } else { graph.inputs(layer) };
    let place = ports.iter().position(|port| port.id.map(Id::get) == Some(id))?;
    u32::try_from(place).ok()
}

fn list_ports(ports: &[Port], side: &str) -> String {
    let ids: Vec<String> = ports.iter().filter_map(|port| port.id).take(8).map(|id| id.to_string()).collect();
    match ids.len() {
        0 => format!("no {side} ports"),
        _ => format!("{side} ports {}{}", ids.join(", "), if ports.len() > 8 { ", ..." } else { "" }),
    }
}
