//! Findings about ids and edges: duplicate ids, unknown ids, and edges that connect nothing.
//!
//! A duplicate id also misdirects edges to the wrong layer or port. Such consequences belong to the finding about the id and
//! are not reported for each edge.

mod connected_again;
mod shared_id;

use super::missing_layers::DanglingEdges;
use super::port_ids;
use super::port_ids::{MissingPorts, first_duplicate};
use super::resolve::{EdgeFault, Ids, PortIds, RawEdge, Reason, Resolver};
use crate::arrange::{Arrange, Fill};
use crate::diagnostic::{Applicability, Diagnostic, Direction, Edit, Fix, Runtime, Sink};
use crate::ir::rules::{EDGE_UNKNOWN_LAYER, EDGE_UNKNOWN_PORT};
use crate::ir::xml::attributes::find_attribute;
use crate::ir::{Graph, Id, Layer, LayerId, Port};
use crate::ops::Outputs;
use crate::source::{Source, Span};
use crate::text::plural;
use shared_id::lost_layers;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Reports the edges that could not be resolved, and all faults in ids.
pub(in crate::ir) fn report(graph: &mut Graph, resolver: Resolver, source: &Source, sink: &mut Sink) {
    let Resolver { ids, ports, faults } = resolver;
    let (ids, faults) = (&ids, &faults);
    if ids.are_unique && faults.is_empty() {
        return port_ids::report(graph, source, &MissingPorts::new(), sink);
    }
    let lost = lost_layers(graph, ids);
    for &(lost, kept) in &lost {
        graph.loose.add_shared(lost);
        graph.loose.add_shared(kept);
        graph.loose.add_producer(lost);
        graph.loose.add_inputs(lost);
        graph.loose.add_inputs(kept);
    }
    let nameless: Vec<LayerId> = graph.entries().filter(|(_, layer)| layer.id.is_none()).map(|(i, _)| i).collect();
    for i in nameless {
        // No edge can name it.
        graph.loose.add_producer(i);
        graph.loose.add_inputs(i);
    }
    let shared = lost.iter().map(|(_, kept)| *kept).into_set();
    let to_nowhere = |fault: &&EdgeFault| matches!(fault.reason, Reason::UnknownLayer { from: Some(_), to: None });
    let mut nowhere = faults.iter().filter(to_nowhere);
    // If edges also start at the unknown layer, the layer is missing, and the edge's id is not a typo.
    let starts_at = |id: u64| {
        let is_from = |fault: &EdgeFault| {
            matches!(fault.reason, Reason::UnknownLayer { from: None, .. }) && fault.edge.from_layer == id
        };
        faults.iter().any(is_from)
    };
    let open_input = match (nowhere.next(), nowhere.next()) {
        (Some(only), None) if !starts_at(only.edge.to_layer) => only_open_input(graph),
        _ => None,
    };
    let mut ends: HashMap<(u64, u64), Vec<u64>> = HashMap::new();
    let mut unknown_ports: BTreeMap<(LayerId, Direction), usize> = BTreeMap::new();
    for EdgeFault { edge, reason } in faults {
        let targets = ends.entry((edge.from_layer, edge.from_port)).or_default();
        targets.push(edge.to_layer);
        if let Reason::UnknownPort { from, to } = *reason {
            let from = from.filter(|_| targets.len() == 1).map(|from| (from, Direction::Output));
            for side in [from, to.map(|to| (to, Direction::Input))].into_iter().flatten() {
                *unknown_ports.entry(side).or_default() += 1;
            }
        }
    }
    let has_nameless = graph.layers.iter().any(|layer| layer.id.is_none());
    let mut reporter = EdgeReporter {
        graph,
        has_nameless,
        ids,
        ends,
        unknown_ports,
        ports,
        source,
        open_input,
        shared,
        misdirected: BTreeSet::new(),
        missing_layers: BTreeSet::new(),
        lacks_source: Vec::new(),
        missing_ports: BTreeMap::new(),
        dangling: DanglingEdges::default(),
        further: BTreeMap::new(),
        sink,
    };
    for EdgeFault { edge, reason } in faults {
        reporter.edge(*edge, *reason);
    }
    std::mem::take(&mut reporter.dangling).report(reporter.sink);
    reporter.connected_again();
    for &(layer, kept) in &lost {
        reporter.shared_id(layer, kept);
    }
    let EdgeReporter { graph, missing_ports, sink, .. } = reporter;
    port_ids::report(graph, source, &missing_ports, sink);
}

/// Returns the single unconnected input of the graph, if there is exactly one.
fn only_open_input(graph: &Graph) -> Option<(LayerId, u32)> {
    let inputs = |(i, layer)| (0_u32..).zip(graph.inputs(layer)).map(move |(input, port)| (i, input, port));
    let mut open = graph.entries().flat_map(inputs).filter(|(_, _, port)| port.source().is_none());
    let (layer, input, _) = open.next()?;
    open.next().is_none().then_some((layer, input))
}

struct EdgeReporter<'a, 's> {
    graph: &'a mut Graph,
    /// Whether the id of a layer is missing or cannot be read.
    has_nameless: bool,
    ids: &'a Ids,
    /// The target layers of the edges that are not built, by source layer and port.
    ends: HashMap<(u64, u64), Vec<u64>>,
    /// The numbers of missing ports that edges name, by layer and side.
    unknown_ports: BTreeMap<(LayerId, Direction), usize>,
    ports: PortIds,
    source: &'a Source,
    /// The only unconnected input, if exactly one edge has an unknown target: the edge was probably meant for this input.
    open_input: Option<(LayerId, u32)>,
    /// Layers that share their id with others and are reached by edges.
    shared: BTreeSet<LayerId>,
    /// Layers of `shared` with an edge that cannot be built: the edge was meant for another layer with the same id.
    misdirected: BTreeSet<LayerId>,
    /// In a graph with shared layer ids: the unknown ids in edges, and below a layer with an edge from an unknown source.
    missing_layers: BTreeSet<u64>,
    /// The layers that an edge without a source leads to.
    lacks_source: Vec<Span>,
    /// By layer and side: a missing port that an edge names, if ports on that side share an id; otherwise `None`.
    missing_ports: MissingPorts,
    dangling: DanglingEdges,
    /// Further edges into connected inputs: source layers and tags by layer and input index.
    further: BTreeMap<(LayerId, u32), Vec<(LayerId, Span)>>,
    sink: &'s mut Sink,
}

/// The maximum number of edges in a finding.
const SHOWN_EDGES: usize = 6;

impl EdgeReporter<'_, '_> {
    fn edge(&mut self, edge: RawEdge, reason: Reason) {
        match reason {
            Reason::UnknownLayer { .. } if self.graph.layers.is_empty() => {} // The empty graph is reported.
            Reason::UnknownLayer { from, to } if self.shared.is_empty() => self.unknown_layer(edge, from, to),
            Reason::UnknownLayer { from, to } => {
                let ends = [(from, edge.from_layer), (to, edge.to_layer)];
                self.missing_layers.extend(ends.iter().filter(|(known, _)| known.is_none()).map(|(_, id)| *id));
                let ends_at = to.filter(|_| from.is_none()).and_then(|to| self.graph.layer(to));
                self.lacks_source.extend(ends_at.map(|layer| layer.tag));
            }
            Reason::UnknownPort { from, to } => {
                if let Some(from) = from {
                    self.unknown_port(edge, from, Direction::Output);
                }
                if let Some(to) = to {
                    self.unknown_port(edge, to, Direction::Input);
                }
            }
            Reason::ConnectedAgain { to, .. } if self.shared.contains(&to) => {
                self.misdirected.insert(to);
            }
            Reason::ConnectedAgain { from, to, input } => {
                self.graph.loose.add_again(to, from);
                self.graph.loose.add_producer(from);
                self.further.entry((to, input)).or_default().push((from, edge.tag));
            }
        }
    }

    fn value_of(&self, edge: RawEdge, attribute: &str) -> Span {
        find_attribute(self.source, edge.tag, attribute).map_or(edge.tag, |a| a.name.to(a.value))
    }

    fn unknown_layer(&mut self, edge: RawEdge, from: Option<LayerId>, to: Option<LayerId>) {
        if from.is_none() {
            let mut finding = self.no_layer(edge, Direction::Output);
            if to.is_none() {
                finding = finding.runtime(Runtime::Accepts).note("OpenVINO ignores the edge");
            }
            if let Some(layer) = to.and_then(|to| self.graph.layer(to)) {
                finding = finding.label(layer.tag, "the edge ends at this layer");
                finding.builds.push(layer.tag);
            }
            self.dangling.add(edge.from_layer, "starts", finding);
        }
        if to.is_some() {
            return;
        }
        let mut finding = self.no_layer(edge, Direction::Input);
        if let Some(layer) = from.and_then(|from| self.graph.layer(from)) {
            finding = finding.label(layer.tag, "the edge starts at this layer");
        }
        let open = self.open_input.and_then(|(layer, input)| Some((self.graph.layer(layer)?, input)));
        match (self.open_input, open) {
            (Some((layer, _)), Some((meant, input))) => {
                let port = self.graph.inputs(meant).get(input as usize).map_or(meant.tag, |port| port.tag);
                let id = meant.id.map(Id::get).unwrap_or_default();
                let help = format!("is it meant for layer {id} (`{}`)?", self.graph.name(self.source, meant));
                finding.help = vec![help.into()];
                finding.fix = self.redirect(edge, meant, input);
                finding = finding.label(port, "this input has no edge");
                finding.builds.push(meant.tag);
                let spec = self.graph.kind(meant).spec();
                if spec.and_then(|spec| spec.input(input as usize)).is_some_and(|input| input.optional) {
                    finding = finding.runtime(Runtime::Unknown);
                }
                self.graph.loose.add_input(layer, input);
            }
            _ => finding = finding.runtime(Runtime::Accepts).note("OpenVINO ignores the edge"),
        }
        self.dangling.add(edge.to_layer, "ends", finding);
    }

    /// Returns the fix that redirects an edge to an input.
    fn redirect(&self, edge: RawEdge, layer: &Layer, input: u32) -> Option<Fix> {
        let port = self.graph.inputs(layer).get(input as usize)?.id?;
        let to = |name, id: Id| {
            let span = find_attribute(self.source, edge.tag, name)?.value;
            Some(Edit { span, text: id.to_string() })
        };
        let mut edits = vec![to("to-layer", layer.id?)?, to("to-port", port)?];
        edits.retain(|edit| self.source.slice(edit.span) != edit.text.as_bytes());
        edits.arrange_by_key(|edit| edit.span);
        let message = format!("connect the edge to port {port} of `{}`", self.graph.name(self.source, layer));
        Some(Fix { applicability: Applicability::Unsafe, message: message.into(), edits })
    }

    fn no_layer(&mut self, edge: RawEdge, direction: Direction) -> Diagnostic {
        let (attribute, verb, id, port, other) = match direction {
            Direction::Output => ("from-layer", "starts", edge.from_layer, edge.from_port, edge.to_layer),
            Direction::Input => ("to-layer", "ends", edge.to_layer, edge.to_port, edge.from_layer),
        };
        let message = format!("edge {verb} at layer {id}, which does not exist");
        let finding = Diagnostic::new(&EDGE_UNKNOWN_LAYER, self.value_of(edge, attribute), message);
        // A layer without an id that could be read may be the one that is meant.
        if self.has_nameless {
            return finding;
        }
        let is_there = |id: Option<u64>| id.is_some_and(|id| self.ids.find(id).is_some());
        let (before, after) = (id.checked_sub(1), id.checked_add(1));
        if is_there(before) && is_there(after) {
            let [before, after] = [before, after].map(Option::unwrap_or_default);
            return finding.help(format!("was layer {id} deleted? Layers {before} and {after} exist"));
        }
        // No edge leads from a layer to itself.
        let fits = |(near, layer): &(u64, LayerId)| {
            *near != other && self.ports.find(self.graph, *layer, port, direction).is_some()
        };
        let nearest = self.ids.nearest(id, self.graph).filter(fits);
        match nearest.and_then(|(id, layer)| Some((id, self.graph.layer(layer)?))) {
            Some((near, layer)) => {
                finding.help(format!("the nearest id is {near} (`{}`)", self.graph.name(self.source, layer)))
            }
            None => finding,
        }
    }

    fn unknown_port(&mut self, edge: RawEdge, at: LayerId, direction: Direction) {
        let (attribute, id, verb, side, other) = match direction {
            Direction::Output => ("from-port", edge.from_port, "starts", "output", Direction::Input),
            Direction::Input => ("to-port", edge.to_port, "ends", "input", Direction::Output),
        };
        if self.shared.contains(&at) {
            match self.ids.find(edge.to_layer).filter(|_| direction == Direction::Output) {
                Some(to) => self.lacks_source.extend(self.graph.layer(to).map(|layer| layer.tag)),
                None => _ = self.misdirected.insert(at),
            }
            return;
        }
        // OpenVINO looks the port up when it builds the layer at the other end of the edge.
        let ends = match direction {
            Direction::Output => self.ends.get(&(edge.from_layer, id)).map_or(&[][..], Vec::as_slice),
            Direction::Input => &[edge.to_layer],
        };
        let ends = ends.iter().filter_map(|to| self.graph.layer(self.ids.find(*to)?));
        let builds: Vec<Span> = ends.map(|to| to.tag).collect();
        // The first edge that names a missing port reports it.
        let new = self.graph.loose.add_missing_port(at, direction, id);
        if !new || self.have_shared_ids(at, direction, id, &builds) {
            return;
        }
        let on_other_side = self.ports.find(self.graph, at, id, other).is_some();
        let Some(layer) = self.graph.layer(at) else { return };
        let ports = self.graph.ports(layer, direction);
        let (kind, name) = (self.graph.kind(layer), self.graph.name(self.source, layer));
        let message = format!("edge {verb} at {side} port {id} of `{name}`, which does not exist");
        let mut finding = Diagnostic::new(&EDGE_UNKNOWN_PORT, self.value_of(edge, attribute), message)
            .primary(format!("layer `{name}` ({}) has no {side} port {id}", kind.ty))
            .layer(self.graph.layer_ref(self.source, layer))
            .label(layer.tag, format!("this layer has {}", list_ports(ports, side)));
        finding.builds = builds;
        if on_other_side {
            finding = finding.note(format!("port {id} is on the other side of the layer"));
        }
        let (far, port) = match direction {
            Direction::Output => (edge.to_layer, edge.to_port),
            Direction::Input => (edge.from_layer, edge.from_port),
        };
        let is_there = |far: LayerId| self.ports.find(self.graph, far, port, direction).is_some();
        let is_reversed = on_other_side && self.ids.find(far).is_some_and(is_there);
        let outputs = kind.spec().filter(|_| direction == Direction::Output).and_then(|spec| match spec.outputs {
            Outputs::Exactly(count) => Some(count),
            Outputs::FromAttr(name) => {
                self.source.text(find_attribute(self.source, layer.data, name)?.value).parse().ok()
            }
            Outputs::Inferred | Outputs::FromBodies(_) => None,
        });
        let found = find_attribute(self.source, edge.tag, attribute);
        if is_reversed {
            finding = finding.help("are the two ends of the edge swapped?");
        } else if let Some(count) = outputs
            && count > ports.len()
        {
            finding = finding.help(format!("{} has {count} output{}: is a port missing?", kind.ty, plural(count)));
        } else if direction == Direction::Output && kind.spec().is_some_and(|spec| spec.outputs == Outputs::Inferred) {
            finding = finding.help("is an output port missing?");
        } else if let ([port @ Port { id: Some(only), .. }], Some(attribute), false) =
            (ports, found, edge.from_layer == edge.to_layer)
            && port.source().is_none()
            && self.unknown_ports.get(&(at, direction)) == Some(&1)
        {
            finding = finding.fix(Fix {
                applicability: Applicability::Unsafe,
                message: format!("did you mean port {only}?").into(),
                edits: vec![Edit { span: attribute.value, text: only.to_string() }],
            });
        }
        self.sink.report(finding);
    }

    /// Whether ports on one side of a layer share an id; `missing` is then reported with that finding.
    fn have_shared_ids(&mut self, at: LayerId, direction: Direction, missing: u64, builds: &[Span]) -> bool {
        let Some(layer) = self.graph.layer(at) else { return false };
        let ports = self.graph.ports(layer, direction);
        let shared = || first_duplicate(ports).map(|_| (missing, builds.to_vec()));
        self.missing_ports.entry((at, direction)).or_insert_with(shared).is_some()
    }
}

fn list_ports(ports: &[Port], side: &str) -> String {
    let ids: Vec<String> = ports.iter().filter_map(|port| port.id).take(8).map(|id| id.to_string()).collect();
    match ids.len() {
        0 => format!("no {side} ports"),
        1 => format!("{side} port {}", ids[0]),
        _ => format!("{side} ports {}{}", ids.join(", "), if ports.len() > 8 { ", ..." } else { "" }),
    }
}
