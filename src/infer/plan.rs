//! The plan of a graph: the preparation of inference that does not depend on input shapes. It is computed once and contains
//! the topological order, the needed values, the reachable layers, and the wiring of bodies.

use super::bodies::{BodyInput, BodyWiring, Wirer};
use super::order::{By, CycleEdge, Order};
use super::scope::{Scope, body_path};
use crate::diagnostic::Sink;
use crate::ir::walk::Beside;
use crate::ir::{BodyKind, Graph, Layer, LayerId, Port};
use crate::ops::{Eval, Meaning, OpSpec, WithBodies};
use crate::stack::descend;
use crate::types::ElementType;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The plan of one graph.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// Layers in topological order, as far as cycles allow.
    pub order: Vec<LayerId>,
    /// An order that does not depend on the file; empty if none was asked for or there are cycles.
    sorted: Vec<LayerId>,
    /// The cycles, at most one for every strongly connected component.
    pub cycles: Vec<Vec<CycleEdge>>,
    /// Per layer: whether a shape depends on its output values.
    values: Vec<bool>,
    /// Per layer: whether a path leads to a Result or an Assign.
    pub(super) reachable: Vec<bool>,
    /// True if the values of an untyped constant are needed.
    pub(crate) wants_untyped: bool,
    /// The layers with bodies.
    pub(super) bodies: BTreeMap<LayerId, Bodies>,
}

/// The bodies of one layer.
#[derive(Debug)]
pub(super) struct Bodies {
    /// The operation that runs them; `None` if it is unknown.
    pub op: Option<WithBodies>,
    /// The bodies in file order.
    pub all: Vec<BodyPlan>,
    /// True if the layer can be inferred: no body is missing, and every port map entry resolves.
    pub is_wired: bool,
}

/// The plan of one body.
#[derive(Debug)]
pub(crate) struct BodyPlan {
    pub kind: BodyKind,
    /// Its connections to the layer around it.
    pub wiring: BodyWiring,
    pub plan: Arc<Plan>,
}

impl Plan {
    /// Plans a graph and its bodies. Reports faults in the wiring of bodies, which depend on no fact.
    ///
    /// `results` are the Results, sorted, whose values are needed. `is_built` is false for a graph that OpenVINO does not
    /// build, such as the body of an unreachable layer. `by` decides the order of layers.
    pub(super) fn of(scope: &Scope, results: &[LayerId], is_built: bool, by: By, sink: &mut Sink) -> Self {
        let graph = scope.graph;
        let order = Order::of(graph, scope.source, by);
        let mut plan = Self {
            values: vec![false; graph.layers.len()],
            reachable: vec![false; graph.layers.len()],
            wants_untyped: false,
            bodies: BTreeMap::new(),
            order: order.layers,
            sorted: order.sorted,
            cycles: order.cycles,
        };
        for position in (0..plan.order.len()).rev() {
            let index = plan.order[position];
            if let Some(layer) = graph.layer(index) {
                plan.visit(scope, index, layer, results, (is_built, by), sink);
            }
        }
        plan
    }

    /// Whether the order of inference does not depend on the file.
    pub(crate) fn is_sorted(&self) -> bool {
        !self.sorted.is_empty()
    }

    /// The order of inference.
    pub(crate) fn inferred(&self) -> &[LayerId] {
        if self.sorted.is_empty() { &self.order } else { &self.sorted }
    }

    /// Returns the bodies of a layer in file order.
    pub(crate) fn bodies_of(&self, layer: LayerId) -> &[BodyPlan] {
        self.bodies.get(&layer).map(|bodies| bodies.all.as_slice()).unwrap_or_default()
    }

    /// Returns the plan of a body.
    pub(crate) fn body(&self, layer: LayerId, kind: BodyKind) -> Option<&Plan> {
        self.bodies_of(layer).iter().find(|body| body.kind == kind).map(|body| &*body.plan)
    }

    /// Whether a path leads to a Result or an Assign, or would if a broken edge were repaired.
    pub(crate) fn is_reachable(&self, layer: LayerId) -> bool {
        self.reachable.get(layer.index()).copied().unwrap_or(true)
    }

    /// Whether a shape depends on the output values of a layer, so that constants upstream must be read.
    pub(crate) fn wants_values(&self, layer: LayerId) -> bool {
        self.values.get(layer.index()).copied().unwrap_or(false)
    }

    /// Propagates reachability and needed values from a layer to its producers. All its consumers were visited before.
    fn visit(
        &mut self,
        scope: &Scope,
        index: LayerId,
        layer: &Layer,
        results: &[LayerId],
        (is_built, by): (bool, By),
        sink: &mut Sink,
    ) {
        let graph = scope.graph;
        let (kind, at) = (graph.kind(layer), index.index());
        let is_root = kind.is_root() || graph.loose.has_producer(index) || is_misspelled_result(graph, layer);
        self.reachable[at] |= is_built && is_root;
        let (reached, wanted) = (self.reachable[at], self.values[at]);
        self.wants_untyped |=
            wanted && graph.constant(layer).is_some_and(|constant| constant.ty == ElementType::Dynamic);
        let spec = kind.spec();
        let passes_on = wanted && spec.is_some_and(|spec| !matches!(spec.eval, Eval::None | Eval::Shape(_)))
            || results.binary_search(&index).is_ok();
        for (i, port) in graph.inputs(layer).iter().enumerate() {
            let Some(source) = port.source() else { continue };
            let reads = || spec.and_then(|spec| spec.input(i)).is_some_and(|input| input.reads_value);
            self.values[source.layer.index()] |= passes_on || reads();
            self.reachable[source.layer.index()] |= reached;
        }
        let op = spec.and_then(OpSpec::with_bodies);
        if op.is_none() && layer.subgraph.is_none() {
            return;
        }
        let bodies = Bodies::of(scope, layer, op, (reached, wanted, by), sink);
        for input in bodies.needed_inputs() {
            if let Some(source) = graph.inputs(layer).get(input).and_then(Port::source) {
                self.values[source.layer.index()] = true;
            }
        }
        self.bodies.insert(index, bodies);
    }
}

impl Beside for &Plan {
    fn body(self, layer: LayerId, kind: BodyKind) -> Option<Self> {
        Plan::body(self, layer, kind)
    }
}

/// Whether a layer looks like a misspelled Result: an unknown operation without outputs.
fn is_misspelled_result(graph: &Graph, layer: &Layer) -> bool {
    matches!(graph.kind(layer).meaning, Meaning::UnknownOp) && graph.outputs(layer).is_empty()
}

impl Bodies {
    fn of(
        scope: &Scope,
        layer: &Layer,
        op: Option<WithBodies>,
        (is_built, wanted, by): (bool, bool, By),
        sink: &mut Sink,
    ) -> Self {
        let mut wirer = Wirer { scope, layer, op, is_wired: true, sink };
        wirer.report_missing_bodies();
        let mut all = Vec::new();
        for body in layer.bodies() {
            let wiring = wirer.wire(body);
            let results = |all: &BodyWiring| -> Vec<LayerId> {
                let outputs = all.outputs.iter().map(|outlet| outlet.result);
                // Values passed through back edges determine the results of later iterations.
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
            let plan = descend(path.len(), || Arc::new(Plan::of(&inner, &results, is_built, by, wirer.sink)));
            for (index, nested) in &plan.bodies {
                let both = nested.op == op && op == Some(WithBodies::TensorIterator);
                if let Some(layer) = body.graph.layer(*index).filter(|_| both && plan.reachable[(*index).index()]) {
                    wirer.report_nested(&inner, layer);
                }
            }
            all.push(BodyPlan { kind: body.kind, wiring, plan });
        }
        Self { op, is_wired: wirer.is_wired, all }
    }

    /// Returns the inputs of the layer whose values a body needs.
    fn needed_inputs(&self) -> impl Iterator<Item = usize> {
        self.all.iter().flat_map(|body| {
            let asked = |inlet: &&BodyInput| body.plan.wants_values(inlet.parameter);
            body.wiring.inputs.iter().filter(asked).map(|inlet| inlet.external)
        })
    }
}
