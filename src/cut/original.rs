//! The model to cut: its graph, and its XML in parts.

use super::document::{Document, PartKind};
use super::known::Known;
use crate::analysis::Model;
use crate::infer::Facts;
use crate::ir::{Graph, LayerId, OutputRef, Port, Role, find_attribute, unescape};
use crate::ops::Action;
use crate::source::{Source, Span};
use crate::types::{ElementType, Fact};
use petgraph::Direction;
use petgraph::visit::EdgeRef;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

/// The cache of bodies; `None` for those that cannot be cut.
type Bodies<'m> = RefCell<BTreeMap<(LayerId, usize), Option<Rc<Original<'m>>>>>;

/// The model to cut, or one of its bodies.
#[derive(Debug)]
pub(crate) struct Original<'m> {
    pub model: &'m Model,
    pub source: &'m Source,
    pub graph: &'m Graph,
    pub facts: &'m Facts,
    pub document: Document,
    /// The `ReadValue` and `Assign` layers of each variable that has several: they stay or go together.
    pub variables: Vec<Vec<LayerId>>,
    /// The ends of broken edges between existing layers, for example to a port that does not exist.
    pub broken_edges: Vec<(LayerId, LayerId)>,
    pub is_body: bool,
    /// The first id above all layer ids.
    pub free_id: u64,
    known: OnceCell<Known>,
    bodies: Bodies<'m>,
}

impl<'m> Original<'m> {
    /// Prepares a model; an error says why it cannot be `verb`: cut, reduced.
    #[allow(clippy::disallowed_methods, reason = "the command shows why")]
    pub(crate) fn of(model: &'m Model, verb: &str) -> Result<Self, String> {
        let refused = |why: &str| format!("{} cannot be {verb}: {why}", model.source().path().display());
        let (Some(net), Some(facts)) = (model.net(), model.facts()) else {
            let why = model.findings().first().map_or("it is not an IR", |finding| finding.message.shown());
            return Err(refused(why));
        };
        if let Some(encoding) = model.source().encoding() {
            return Err(refused(&format!("it is in {encoding}; save it as UTF-8 first")));
        }
        let (source, graph) = (model.source(), &net.graph);
        let document = Document::of(source, graph);
        if graph.layers.is_empty() {
            return Err(refused("it has no layers"));
        }
        let document = document.ok_or_else(|| refused("its XML is broken"))?;
        Ok(Self::new(model, graph, facts, document, false))
    }

    fn new(model: &'m Model, graph: &'m Graph, facts: &'m Facts, document: Document, is_body: bool) -> Self {
        let source = model.source();
        let free_id = graph.layers.iter().filter_map(|layer| Some(layer.id?.get() + 1)).max().unwrap_or_default();
        let known = OnceCell::new();
        let mut original = Self {
            model,
            source,
            graph,
            facts,
            document,
            variables: Vec::new(),
            broken_edges: Vec::new(),
            is_body,
            free_id,
            known,
            bodies: RefCell::default(),
        };
        original.variables = original.variables();
        original.broken_edges = original.broken_edges();
        original
    }

    /// Returns a body as a model of its own.
    pub(crate) fn body(&self, (layer, body): (LayerId, usize)) -> Option<Rc<Self>> {
        if let Some(known) = self.bodies.borrow().get(&(layer, body)) {
            return known.clone();
        }
        let found = || {
            let around = self.graph.layer(layer)?;
            let inner = around.bodies().nth(body)?;
            let facts = self.facts.body(layer, inner.kind)?;
            let start = Span { start: inner.graph.tag.start, end: around.end };
            let document = Document::of_element(self.source, &inner.graph, start)?;
            Some(Rc::new(Self::new(self.model, &inner.graph, facts, document, true)))
        };
        let found = found();
        self.bodies.borrow_mut().insert((layer, body), found.clone());
        found
    }

    pub(crate) fn layer_ids(&self) -> impl DoubleEndedIterator<Item = LayerId> + use<> {
        (0..self.graph.layers.len()).map(LayerId::new)
    }

    pub(crate) fn role(&self, layer: LayerId) -> Role {
        self.graph.layer(layer).map_or(Role::Inner, |layer| self.graph.kind(layer).role)
    }

    /// Returns the size of a constant in bytes; `None` if its attributes cannot be read.
    pub(crate) fn constant_size(&self, layer: LayerId) -> Option<u64> {
        Some(self.graph.constant(self.graph.layer(layer)?)?.size)
    }

    /// Returns the connected inputs of a layer and their producers.
    pub(crate) fn inputs(&self, layer: LayerId) -> impl Iterator<Item = (u32, OutputRef)> + use<'m> {
        let ports = self.graph.layer(layer).map(|layer| self.graph.inputs(layer)).unwrap_or_default();
        (0..).zip(ports).filter_map(|(input, port)| Some((input, port.source()?)))
    }

    pub(crate) fn consumers(&self, layer: LayerId) -> BTreeMap<u32, Vec<LayerId>> {
        let mut consumers: BTreeMap<u32, Vec<LayerId>> = BTreeMap::new();
        for edge in self.graph.dag.edges_directed(layer.node(), Direction::Outgoing) {
            consumers.entry(edge.weight().output).or_default().push(edge.target().into());
        }
        consumers
    }

    /// Returns the fact of an output, with the declared type if inference knows none.
    pub(crate) fn fact(&self, output: OutputRef) -> Fact {
        let mut fact = self.facts.output(output).cloned().unwrap_or_else(Fact::unknown);
        if fact.ty == ElementType::Dynamic {
            let declared = self.output_port(output).and_then(|port| port.precision);
            fact.ty = declared.unwrap_or(ElementType::Dynamic);
        }
        fact
    }

    pub(crate) fn output_port(&self, output: OutputRef) -> Option<&'m Port> {
        self.graph.outputs(self.graph.layer(output.layer)?).get(output.output as usize)
    }

    /// Returns the escaped name of an output.
    pub(crate) fn name(&self, output: OutputRef) -> String {
        let Some(layer) = self.graph.layer(output.layer) else { return String::new() };
        let name = String::from_utf8_lossy(self.source.slice(layer.name)).replace('"', "&quot;");
        if self.graph.outputs(layer).len() > 1 { format!("{name}:{}", output.output) } else { name }
    }

    /// Returns the escaped names of the tensor of an output, if it has any.
    pub(crate) fn tensor_names(&self, output: OutputRef) -> Option<String> {
        let names = find_attribute(self.source, self.output_port(output)?.tag, "names")?.value;
        let names = String::from_utf8_lossy(self.source.slice(names)).replace('"', "&quot;");
        (!names.is_empty()).then_some(names)
    }

    /// Returns the known tensors, computed on first use.
    pub(crate) fn known(&self) -> &Known {
        self.known.get_or_init(|| Known::of(self.graph, self.facts, self.model.weights().size()))
    }

    fn broken_edges(&self) -> Vec<(LayerId, LayerId)> {
        let whole = self.graph.dag.edge_references().map(|edge| (edge.source().into(), edge.target().into()));
        let whole: HashSet<(LayerId, LayerId)> = whole.collect();
        let edges = self.document.parts.iter().filter_map(|part| match part.kind {
            PartKind::Edge(from, to) if from != LayerId::NONE && to != LayerId::NONE => Some((from, to)),
            _ => None,
        });
        edges.filter(|edge| !whole.contains(edge)).collect()
    }

    fn variables(&self) -> Vec<Vec<LayerId>> {
        let mut variables: BTreeMap<String, Vec<LayerId>> = BTreeMap::new();
        for (at, layer) in self.graph.entries() {
            if !matches!(self.graph.kind(layer).action(), Action::Reads | Action::Writes) {
                continue;
            }
            let id = find_attribute(self.source, layer.data, "variable_id");
            let id = id.map(|id| unescape(self.source.slice(id.value)).into_owned());
            variables.entry(id.unwrap_or_default()).or_default().push(at);
        }
        variables.into_values().filter(|layers| layers.len() > 1).collect()
    }
}
