//! What is wrong with ids and edges: ids that mean two things or nothing, edges that lead nowhere.
//!
//! Layers or ports that share an id bring edges to the wrong one and leave others with none to name. What follows from
//! that is told under the shared id, not again at every edge.

use super::attributes::find_attribute;
use super::graph::{Graph, Id, Layer, Port};
use super::resolve::{Ids, RawEdge, port_of};
use super::rules::{
    DUPLICATE_LAYER_ID, DUPLICATE_PORT_ID, EDGE_UNKNOWN_LAYER, EDGE_UNKNOWN_PORT, INPUT_CONNECTED_TWICE, PORT_ORDER,
};
use crate::diagnostic::{Applicability, Diagnostic, Direction, Edit, Fix, Runtime, Sink};
use crate::source::{Source, Span};
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use std::collections::{BTreeMap, BTreeSet};

/// Why an edge is not built.
#[derive(Debug, Clone, Copy)]
pub(super) enum Reason {
    /// At least one end is no layer.
    UnknownLayer { from: Option<u32>, to: Option<u32> },
    /// These layers have no such port.
    UnknownPort { from: Option<u32>, to: Option<u32> },
    /// The input has an edge already.
    ConnectedTwice { to: u32, input: u32 },
}

/// An edge that is not built.
#[derive(Debug, Clone, Copy)]
pub(super) struct EdgeFault {
    pub edge: RawEdge,
    pub reason: Reason,
}

/// Reports everything that is wrong with ids and edges.
pub(super) fn report(graph: &mut Graph, ids: &Ids, source: &Source, faults: &[EdgeFault], sink: &mut Sink) {
    let lost = lost_layers(graph, ids);
    for &(lost, kept) in &lost {
        graph.loose.add_producer(lost);
        graph.loosen_inputs(lost);
        graph.loosen_inputs(kept);
    }
    let shared = lost.iter().map(|(_, kept)| *kept).collect();
    let mut wiring = Wiring { graph, source, shared, misled: BTreeSet::new(), ports: BTreeMap::new(), sink };
    let to_nowhere = |fault: &&EdgeFault| matches!(fault.reason, Reason::UnknownLayer { from: Some(_), to: None });
    let gap = if faults.iter().filter(to_nowhere).count() == 1 { only_gap(wiring.graph) } else { None };
    let mut missing = BTreeSet::new();
    for EdgeFault { edge, reason } in faults {
        match *reason {
            Reason::UnknownLayer { from, to } if wiring.shared.is_empty() => wiring.unknown_layer(*edge, from, to, gap),
            Reason::UnknownLayer { from, to } => {
                let unknown = [(from, edge.from_layer), (to, edge.to_layer)];
                missing.extend(unknown.iter().filter(|(known, _)| known.is_none()).map(|(_, id)| *id));
            }
            Reason::UnknownPort { from, to } => {
                from.into_iter().for_each(|at| wiring.unknown_port(*edge, at, Direction::Output));
                to.into_iter().for_each(|at| wiring.unknown_port(*edge, at, Direction::Input));
            }
            Reason::ConnectedTwice { to, input } => wiring.connected_twice(*edge, to, input, ids),
        }
    }
    lost.iter().for_each(|(layer, kept)| wiring.shared_id(*layer, *kept, &missing));
    wiring.ports();
}

/// Layers whose id a later layer has as well, each with that layer.
fn lost_layers(graph: &Graph, ids: &Ids) -> Vec<(u32, u32)> {
    let with_ids = graph.layers.iter().zip(0_u32..).filter_map(|(layer, i)| Some((i, ids.find(layer.id?.get())?)));
    with_ids.filter(|(i, last)| i != last).collect()
}

/// The only input without an edge, if there is just one.
fn only_gap(graph: &Graph) -> Option<(u32, u32)> {
    let inputs = |(i, layer)| (0_u32..).zip(graph.inputs(layer)).map(move |(input, port)| (i, input, port));
    let mut open = (0_u32..).zip(&graph.layers).flat_map(inputs).filter(|(_, _, port)| port.source().is_none());
    let (layer, input, _) = open.next()?;
    open.next().is_none().then_some((layer, input))
}

struct Wiring<'a, 's> {
    graph: &'a mut Graph,
    source: &'a Source,
    /// Layers whose id others have as well, as far as edges reach them.
    shared: BTreeSet<u32>,
    /// Those of them that an edge led to in vain.
    misled: BTreeSet<u32>,
    /// By layer and side, where ports share an id: a port that an edge names although there is none.
    ports: BTreeMap<(u32, Direction), u64>,
    sink: &'s mut Sink,
}

impl Wiring<'_, '_> {
    fn value_of(&self, edge: RawEdge, attribute: &str) -> Span {
        find_attribute(self.source, edge.tag, attribute).map_or(edge.tag, |a| a.name.to(a.value))
    }

    fn unknown_layer(&mut self, edge: RawEdge, from: Option<u32>, to: Option<u32>, gap: Option<(u32, u32)>) {
        if from.is_none() {
            let finding = self.no_layer(edge.from_layer, self.value_of(edge, "from-layer"), "starts");
            let end = to.and_then(|to| self.graph.layer(to));
            self.sink.report(match end {
                Some(layer) => finding.label(layer.tag, "the edge ends at this layer"),
                None => finding,
            });
        }
        if to.is_some() {
            return;
        }
        let mut finding = self.no_layer(edge.to_layer, self.value_of(edge, "to-layer"), "ends");
        if let Some(layer) = from.and_then(|from| self.graph.layer(from)) {
            finding = finding.label(layer.tag, "the edge starts at this layer");
        }
        let open = gap.and_then(|(layer, input)| Some((self.graph.layer(layer)?, input)));
        match (gap, open) {
            (Some((layer, _)), Some((meant, input))) => {
                let port = self.graph.inputs(meant).get(input as usize).map_or(meant.tag, |port| port.tag);
                let id = meant.id.map(Id::get).unwrap_or_default();
                let help = format!("is it meant for layer {id} (`{}`)?", self.graph.name(self.source, meant));
                finding.help = vec![help];
                finding = finding.label(port, "this input has no edge");
                self.graph.loose.add_input(layer, input);
            }
            _ if from.is_some() => finding = finding.runtime(Runtime::Accepts).note("OpenVINO ignores the edge"),
            _ => {}
        }
        self.sink.report(finding);
    }

    fn no_layer(&self, id: u64, span: Span, verb: &str) -> Diagnostic {
        let message = format!("edge {verb} at layer {id}, which does not exist");
        let finding = Diagnostic::new(&EDGE_UNKNOWN_LAYER, span, message);
        let with_ids = self.graph.layers.iter().filter_map(|layer| Some((layer.id?.get(), layer)));
        match with_ids.min_by_key(|(other, _)| other.abs_diff(id)) {
            Some((near, layer)) => {
                finding.help(format!("the nearest id is {near} (`{}`)", self.graph.name(self.source, layer)))
            }
            None => finding,
        }
    }

    fn unknown_port(&mut self, edge: RawEdge, at: u32, direction: Direction) {
        let Some(layer) = self.graph.layer(at) else { return };
        let (attribute, id, verb, side, other) = match direction {
            Direction::Output => ("from-port", edge.from_port, "starts", "output", Direction::Input),
            Direction::Input => ("to-port", edge.to_port, "ends", "input", Direction::Output),
        };
        let ports = self.graph.ports(layer, direction);
        if self.shared.contains(&at) {
            self.misled.insert(at);
            return;
        }
        if first_duplicate(ports).is_some() {
            self.ports.insert((at, direction), id);
            self.graph.loose.add_missing_port(at, direction, id);
            return;
        }
        if !self.graph.loose.add_missing_port(at, direction, id) {
            return; // Another edge that names the same port.
        }
        let Some(layer) = self.graph.layer(at) else { return };
        let ports = self.graph.ports(layer, direction);
        let (kind, name) = (self.graph.kind(layer), self.graph.name(self.source, layer));
        let message = format!("edge {verb} at {side} port {id} of `{name}`, which does not exist");
        let mut finding = Diagnostic::new(&EDGE_UNKNOWN_PORT, self.value_of(edge, attribute), message)
            .primary(format!("layer `{name}` ({}) has no {side} port {id}", kind.ty))
            .layer(self.graph.layer_ref(self.source, layer))
            .label(layer.tag, format!("this layer has {}", list_ports(ports, side)));
        if port_of(self.graph, at, id, other).is_some() {
            finding = finding.note(format!("port {id} is on the other side of the layer"));
        }
        let found = find_attribute(self.source, edge.tag, attribute);
        if let ([Port { id: Some(only), .. }], Some(attribute)) = (ports, found) {
            finding = finding.fix(Fix {
                applicability: Applicability::Unsafe,
                message: format!("did you mean port {only}?"),
                edits: vec![Edit { span: attribute.value, text: only.to_string() }],
            });
        }
        self.sink.report(finding);
    }

    fn connected_twice(&mut self, edge: RawEdge, to: u32, input: u32, ids: &Ids) {
        if self.shared.contains(&to) {
            self.misled.insert(to);
            return;
        }
        let Some(layer) = self.graph.layer(to) else { return };
        let mut incoming = self.graph.dag.edges_directed(NodeIndex::new(to as usize), petgraph::Direction::Incoming);
        let first = incoming.find(|e| e.weight().input == input);
        let producer = ids.find(edge.from_layer).and_then(|from| self.graph.layer(from));
        let from = |layer: &Layer| format!("from `{}`", self.graph.name(self.source, layer));
        let name = self.graph.name(self.source, layer);
        let message =
            format!("input port {} of `{name}` ({}) has two incoming edges", edge.to_port, self.graph.kind(layer).ty);
        let mut finding = Diagnostic::new(&INPUT_CONNECTED_TWICE, edge.tag, message)
            .primary(producer.map(from).unwrap_or_default())
            .layer(self.graph.layer_ref(self.source, layer))
            .port(self.graph.port_ref(self.source, layer, Direction::Input, input as usize));
        if let Some(first) = first {
            let giver = self.graph.layers.get(first.source().index()).map(from).unwrap_or_default();
            finding = finding.label(first.weight().tag, giver);
        }
        self.sink.report(finding);
    }

    /// Reports a layer whose id a later one, `kept`, has as well; `missing` are ids that edges name and no layer has.
    fn shared_id(&mut self, lost: u32, kept: u32, missing: &BTreeSet<u64>) {
        let (Some(first), Some(last)) = (self.graph.layer(lost), self.graph.layer(kept)) else { return };
        let name = |layer| self.graph.name(self.source, layer);
        let id = last.id.map(Id::get).unwrap_or_default();
        let message = format!("layer id {id} is used by `{}` and `{}`", name(first), name(last));
        let mut finding = Diagnostic::new(&DUPLICATE_LAYER_ID, last.tag, message)
            .layer(self.graph.layer_ref(self.source, last))
            .label(first.tag, "this layer is lost")
            .note("OpenVINO keeps the later layer, so edges of the earlier one lead to it");
        if !missing.is_empty() {
            let ids: Vec<String> = missing.iter().take(8).map(u64::to_string).collect();
            let note = format!("edges name layer {}, which does not exist; is it one of these two?", ids.join(", "));
            finding = finding.note(note);
        }
        if !missing.is_empty() || self.misled.contains(&kept) {
            finding = finding.runtime(Runtime::Misleads);
        }
        self.sink.report(finding);
    }

    /// Reports ports that share an id or are out of order.
    fn ports(&mut self) {
        for (layer, i) in self.graph.layers.iter().zip(0_u32..) {
            for direction in [Direction::Input, Direction::Output] {
                let ports = self.graph.ports(layer, direction);
                if ports.is_sorted_by(|a, b| a.id < b.id) {
                    continue;
                }
                let name = self.graph.name(self.source, layer);
                let about = |place| self.graph.port_ref(self.source, layer, direction, place);
                let finding = if let Some((first, second, id)) = first_duplicate(ports) {
                    let message = format!("port id {id} appears twice in `{name}`");
                    let finding = Diagnostic::new(&DUPLICATE_PORT_ID, ports[second].tag, message)
                        .label(ports[first].tag, "edges reach this one only")
                        .port(about(second));
                    match self.ports.get(&(i, direction)) {
                        Some(missing) => finding
                            .runtime(Runtime::Rejects)
                            .note(format!("an edge names port {missing}, which does not exist")),
                        None => finding,
                    }
                } else if ports.iter().all(|port| port.id.is_some()) {
                    let place = ports.windows(2).position(|pair| pair[0].id > pair[1].id).unwrap_or(0);
                    Diagnostic::new(
                        &PORT_ORDER,
                        ports[place + 1].tag,
                        format!("port ids of `{name}` are not ascending"),
                    )
                    .label(ports[place].tag, "this one stands before it")
                    .note("OpenVINO goes by the position of ports, not by their ids")
                    .port(about(place + 1))
                } else {
                    continue;
                };
                self.sink.report(finding.layer(self.graph.layer_ref(self.source, layer)));
            }
        }
    }
}

/// The first port whose id an earlier one has: the places of both, and the id.
fn first_duplicate(ports: &[Port]) -> Option<(usize, usize, u64)> {
    let with_ids = ports.iter().enumerate().filter_map(|(i, port)| Some((port.id?.get(), i)));
    let mut order: Vec<(u64, usize)> = with_ids.collect();
    order.sort_unstable();
    let equal = order.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    equal.map(|pair| (pair[0].1, pair[1].1, pair[0].0)).min_by_key(|(_, second, _)| *second)
}

fn list_ports(ports: &[Port], side: &str) -> String {
    let ids: Vec<String> = ports.iter().filter_map(|port| port.id).take(8).map(|id| id.to_string()).collect();
    match ids.len() {
        0 => format!("no {side} ports"),
        1 => format!("{side} port {}", ids[0]),
        _ => format!("{side} ports {}{}", ids.join(", "), if ports.len() > 8 { ", ..." } else { "" }),
    }
}
