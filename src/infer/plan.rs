//! What inference needs to know of a graph regardless of its inputs, computed once: the order of its layers, the values
//! that are wanted of them, and how its bodies are wired.

use super::bodies::{BodyInput, BodyWiring, Wirer};
use super::explain::Scope;
use super::order::{CycleEdge, Order};
use crate::diagnostic::{BodyRef, Sink};
use crate::ir::{BodyKind, Graph, Layer, LayerId, Port, Role, body_ref};
use crate::ops::{Eval, Meaning, OpSpec, WithBodies};
use crate::stack::descend;
use crate::types::ElementType;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is known of a graph before any fact.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// Places of layers such that producers come first, as far as cycles allow.
    pub order: Vec<LayerId>,
    /// The cycles.
    pub cycles: Vec<Vec<CycleEdge>>,
    /// Per layer: whether a shape depends on the elements of its outputs, so that constants behind them must be read.
    pub(super) values: Vec<bool>,
    /// Per layer: whether a path leads to a Result or an Assign.
    pub(super) reachable: Vec<bool>,
    /// Whether elements of a constant that has no type are wanted.
    pub(crate) wants_untyped: bool,
    /// The layers with bodies, by place.
    pub(super) bodies: BTreeMap<LayerId, Bodies>,
}

/// The bodies of one layer.
#[derive(Debug)]
pub(super) struct Bodies {
    /// What the layer does with them; `None` for operations without a model here.
    pub op: Option<WithBodies>,
    /// The bodies in the order of the file.
    pub all: Vec<BodyPlan>,
    /// Whether the layer can be inferred: nothing is missing, and every port map leads somewhere.
    pub is_wired: bool,
}

/// One body.
#[derive(Debug)]
pub(crate) struct BodyPlan {
    /// Which one.
    pub kind: BodyKind,
    /// How it is connected to the layer around it.
    pub wiring: BodyWiring,
    /// Its graph.
    pub plan: Arc<Plan>,
}

impl Plan {
    /// Plans a graph and its bodies; what is wrong with the wiring of bodies is reported here, as it depends on no fact.
    ///
    /// `results` are the places, in order, of the Results whose elements are wanted; a graph that is not built is the
    /// body of a layer that leads nowhere.
    pub(super) fn of(scope: &Scope, results: &[LayerId], is_built: bool, sink: &mut Sink) -> Self {
        let graph = scope.graph;
        let order = Order::of(graph);
        let mut plan = Self {
            values: vec![false; graph.layers.len()],
            reachable: vec![false; graph.layers.len()],
            wants_untyped: false,
            bodies: BTreeMap::new(),
            order: order.layers,
            cycles: order.cycle,
        };
        for place in (0..plan.order.len()).rev() {
            let index = plan.order[place];
            if let Some(layer) = graph.layer(index) {
                plan.visit(scope, index, layer, results, is_built, sink);
            }
        }
        plan
    }

    /// The bodies of a layer, in the order of the file.
    pub(crate) fn bodies_of(&self, layer: LayerId) -> &[BodyPlan] {
        self.bodies.get(&layer).map(|bodies| bodies.all.as_slice()).unwrap_or_default()
    }

    /// The plan of a body.
    pub(crate) fn body(&self, layer: LayerId, kind: BodyKind) -> Option<&Plan> {
        self.bodies_of(layer).iter().find(|body| body.kind == kind).map(|body| &*body.plan)
    }

    /// Whether a layer leads to a Result or an Assign, or a broken edge may have been meant to lead on from there.
    pub(crate) fn is_reachable(&self, layer: LayerId) -> bool {
        self.reachable.get(layer.index()).copied().unwrap_or(true)
    }

    /// Whether a shape depends on the elements of a layer's outputs.
    pub(crate) fn wants_values(&self, layer: LayerId) -> bool {
        self.values.get(layer.index()).copied().unwrap_or(false)
    }

    /// Passes on what is wanted of a layer, all of whose consumers were visited, to its producers.
    fn visit(
        &mut self,
        scope: &Scope,
        index: LayerId,
        layer: &Layer,
        results: &[LayerId],
        is_built: bool,
        sink: &mut Sink,
    ) {
        let graph = scope.graph;
        let (kind, at) = (graph.kind(layer), index.index());
        let is_root = matches!(kind.role, Role::Result | Role::Assign | Role::Parameter)
            || graph.loose.has_producer(index)
            || is_misspelled_result(graph, layer);
        self.reachable[at] |= is_built && is_root;
        let (reached, wanted) = (self.reachable[at], self.values[at]);
        self.wants_untyped |=
            wanted && graph.constant(layer).is_some_and(|constant| constant.ty == ElementType::Dynamic);
        let spec = kind.spec();
        let passes_on = wanted && spec.is_some_and(|spec| !matches!(spec.eval, Eval::None | Eval::Shape(_)))
            || results.binary_search(&index).is_ok();
        for (i, port) in graph.inputs(layer).iter().enumerate() {
            let Some(source) = port.source() else { continue };
            let reads = spec.and_then(|spec| spec.input(i)).is_some_and(|input| input.reads_value);
            self.values[source.layer.index()] |= passes_on || reads;
            self.reachable[source.layer.index()] |= reached;
        }
        let op = spec.and_then(OpSpec::with_bodies);
        if op.is_none() && layer.subgraph.is_none() {
            return;
        }
        let bodies = Bodies::of(scope, layer, op, reached, wanted, sink);
        for input in bodies.asked_inputs() {
            if let Some(source) = graph.inputs(layer).get(input).and_then(Port::source) {
                self.values[source.layer.index()] = true;
            }
        }
        self.bodies.insert(index, bodies);
    }
}

/// Whether a layer of an unknown operation stands where a Result would.
fn is_misspelled_result(graph: &Graph, layer: &Layer) -> bool {
    matches!(graph.kind(layer).meaning, Meaning::UnknownOp) && graph.outputs(layer).is_empty()
}

impl Bodies {
    fn of(scope: &Scope, layer: &Layer, op: Option<WithBodies>, is_built: bool, wanted: bool, sink: &mut Sink) -> Self {
        let mut wirer = Wirer { scope, layer, op, is_wired: true, sink };
        wirer.missing_bodies();
        let mut all = Vec::new();
        for body in layer.bodies() {
            let wiring = wirer.wire(body);
            let results = |all: &BodyWiring| -> Vec<LayerId> {
                let outputs = all.outputs.iter().map(|outlet| outlet.result);
                // What is passed on decides what later iterations give.
                let states = all.inputs.iter().filter_map(|inlet| Some(inlet.back?.0));
                let wanted = outputs.chain(states).filter(|_| wanted);
                let mut results: Vec<LayerId> = wanted.chain(all.condition).collect();
                results.sort_unstable();
                results
            };
            let path = body_path(scope, layer, body.kind);
            let inner = Scope { graph: &body.graph, body: &path, ..*scope };
            let is_built = is_built && op.is_some();
            let results = results(&wiring);
            let plan = descend(path.len(), || Arc::new(Plan::of(&inner, &results, is_built, wirer.sink)));
            for (index, nested) in &plan.bodies {
                let both = nested.op == op && op == Some(WithBodies::TensorIterator);
                if let Some(layer) = body.graph.layer(*index).filter(|_| both && plan.reachable[(*index).index()]) {
                    wirer.nested(&inner, layer);
                }
            }
            all.push(BodyPlan { kind: body.kind, wiring, plan });
        }
        Self { op, is_wired: wirer.is_wired, all }
    }

    /// The inputs of the layer whose elements a body requests.
    fn asked_inputs(&self) -> impl Iterator<Item = usize> {
        self.all.iter().flat_map(|body| {
            let asked = |inlet: &&BodyInput| body.plan.values.get(inlet.parameter.index()).copied().unwrap_or(false);
            body.wiring.inputs.iter().filter(asked).map(|inlet| inlet.external)
        })
    }
}

/// The layers around a body, outermost first, as findings name them.
pub(crate) fn body_path(scope: &Scope, layer: &Layer, kind: BodyKind) -> Vec<BodyRef> {
    let mut path = scope.body.to_vec();
    path.push(body_ref(scope.source, layer, kind));
    path
}
