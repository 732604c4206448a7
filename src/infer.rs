//! Works out what must be true of every output, in one pass from the inputs to the results.
//!
//! A layer that cannot be inferred goes on with what it declares, marked assumed; whatever rests on that is assumed too.

mod budget;
mod demand;
mod facts;
mod order;
mod place;

pub use facts::Facts;
pub(crate) use order::{CycleEdge, Order};
pub(crate) use place::{Scope, chain, chain_names, origins};

use crate::diagnostic::{Diagnostic, Direction, Runtime, Severity, Sink};
use crate::ir::{Constant, Graph, Layer, Net, Port, Role, Weights, unescape};
use crate::limits::{LIMIT_EXCEEDED, Limits};
use crate::ops::Meaning;
use crate::ops::apply::{Application, Call, Texts};
use crate::ops::rules::{NEEDS_CONSTANT, WRONG_INPUT_COUNT};
use crate::ops::spec::{OpSpec, Outputs};
use crate::source::Source;
use crate::types::{Dim, ElementType, Fact, PartialShape};
use budget::{Budget, Kept};
use smallvec::SmallVec;

/// Infers a net and its bodies.
pub fn infer(net: &Net, source: &Source, weights: &Weights, limits: &Limits, sink: &mut Sink) -> Facts {
    let scope = Scope { source, graph: &net.graph, weights, limits, body: &[] };
    infer_graph(&scope, &mut Budget::new(limits), sink)
}

fn infer_graph(scope: &Scope, budget: &mut Budget, sink: &mut Sink) -> Facts {
    let graph = scope.graph;
    let order = Order::of(graph);
    let demand = demand::of(graph, &order.layers);
    let mut facts = Facts::with_capacity(graph, &order.cycle, demand.reachable);
    for &index in &order.layers {
        let Some(layer) = graph.layer(index) else { continue };
        let wants_values = demand.values.get(index as usize).copied().unwrap_or(false);
        infer_layer(scope, &mut facts, index, layer, wants_values, budget, sink);
    }
    for (index, layer) in (0_u32..).zip(&graph.layers) {
        for body in layer.subgraph.iter().flat_map(|subgraph| &subgraph.bodies) {
            let mut path = scope.body.to_vec();
            path.push(format!("{}/{}", graph.name(scope.source, layer), body.kind.name()));
            let inner = Scope { graph: &body.graph, body: &path, ..*scope };
            let inferred = infer_graph(&inner, budget, sink);
            facts.add_body(index, body.kind, inferred);
        }
    }
    facts
}

fn infer_layer(
    scope: &Scope,
    facts: &mut Facts,
    index: u32,
    layer: &Layer,
    wants_values: bool,
    budget: &mut Budget,
    sink: &mut Sink,
) {
    let graph = scope.graph;
    let kind = graph.kind(layer);
    if !budget.look(graph.inputs(layer).iter().filter_map(|port| facts.of_port(port))) {
        facts.forget_values();
        budget.exceeded(layer.tag, scope.limits).into_iter().for_each(|finding| sink.report(finding));
    }
    let wants_values = wants_values && budget.has_values();
    let spent = budget.is_spent();
    let mut keep = |outputs: &mut [Fact], sink: &mut Sink| {
        let kept = budget.keep(outputs);
        if kept != Kept::Everything {
            budget.exceeded(layer.tag, scope.limits).into_iter().for_each(|finding| sink.report(finding));
        }
        kept
    };
    if kind.role == Role::Const {
        let fact = constant_fact(scope, layer, wants_values, sink);
        let mut output = [fact.unwrap_or_else(|| declared_output(graph, layer, 0))];
        keep(&mut output, sink);
        return facts.set(index, output);
    }
    let Meaning::Modelled(spec) = kind.meaning else {
        return facts.assume(index, graph, layer);
    };
    // A Parameter of a body takes what comes from outside, which is not followed yet.
    if kind.role == Role::Parameter && !scope.body.is_empty() {
        return facts.assume(index, graph, layer);
    }
    if spent && !matches!(spec.outputs, Outputs::Exactly(_)) {
        return facts.assume(index, graph, layer);
    }
    let result = apply(scope, facts, layer, spec, wants_values);
    for fault in &result.faults {
        // Without weights every constant is unknown, which is not the file's fault.
        if fault.rule == &NEEDS_CONSTANT && !scope.weights.is_available() {
            continue;
        }
        // An edge that names the missing port is reported on its own.
        if fault.rule == &WRONG_INPUT_COUNT && graph.loose.lacks_port(index, Direction::Input) {
            continue;
        }
        let mut finding = place::finding(scope, facts, layer, spec, fault);
        if !facts.is_reachable(index) && finding.severity == Severity::Error {
            finding = not_built(finding);
        }
        sink.report(finding);
    }
    match result.outputs {
        Some(mut outputs) => {
            if keep(&mut outputs, sink) == Kept::Nothing {
                // As many as the file declares: that is bounded by its size.
                outputs.truncate(graph.outputs(layer).len());
            }
            facts.set(index, outputs);
        }
        None => facts.assume(index, graph, layer),
    }
}

fn apply(scope: &Scope, facts: &Facts, layer: &Layer, spec: &'static OpSpec, wants_values: bool) -> Application {
    with_call(scope.source, scope.graph, facts, layer, spec, |call| Call { wants_values, ..*call }.apply(scope.limits))
}

/// Calls `visit` with a layer as its operation sees it.
pub(crate) fn with_call<R>(
    source: &Source,
    graph: &Graph,
    facts: &Facts,
    layer: &Layer,
    spec: &'static OpSpec,
    visit: impl FnOnce(&Call) -> R,
) -> R {
    let unknown = Fact { assumed: true, ..Fact::unknown() };
    let inputs: SmallVec<[&Fact; 8]> =
        graph.inputs(layer).iter().map(|port| facts.of_port(port).unwrap_or(&unknown)).collect();
    let attrs: Texts = graph
        .attrs(layer)
        .iter()
        .map(|attr| (unescape(source.slice(attr.name)), unescape(source.slice(attr.value))))
        .collect();
    let declared_outputs = Some(graph.outputs(layer).len());
    visit(&Call { spec, inputs: &inputs, attrs: &attrs, declared_outputs, wants_values: false })
}

/// A finding about a layer that OpenVINO never builds.
pub(crate) fn not_built(finding: Diagnostic) -> Diagnostic {
    finding
        .severity(Severity::Warning)
        .runtime(Runtime::Accepts)
        .note("the layer reaches no Result, so OpenVINO never builds it")
}

fn constant_fact(scope: &Scope, layer: &Layer, wants_value: bool, sink: &mut Sink) -> Option<Fact> {
    // A shape that its bytes cannot hold is not to be trusted.
    let holds = |constant: &&Constant| constant.bytes_needed().is_none_or(|need| need <= constant.size);
    let constant = scope.graph.constant(layer).filter(holds)?;
    let (rank, most) = (constant.lengths.len(), scope.limits.rank);
    if rank > most {
        let message = format!("the constant has {rank} dimensions, more than {most}");
        let finding = Diagnostic::new(&LIMIT_EXCEEDED, layer.data, message).help("raise the limit with --max-rank");
        sink.report(finding.layer(scope.graph.layer_ref(scope.source, layer)));
        return Some(Fact { assumed: true, ..Fact::new(constant.ty, PartialShape::UNKNOWN) });
    }
    let small = constant.elements().is_some_and(|count| count <= scope.limits.value_elements as u64);
    let value = if wants_value && small { scope.weights.value(constant) } else { None };
    let fact = Fact::new(constant.ty, constant.shape()).with_value(value);
    // Shapes that hang on bytes nobody could read are not known as well as they could be.
    Some(Fact { assumed: wants_value && fact.value.is_none(), ..fact })
}

/// What a layer declares of an output; a port without dimensions says nothing of the rank.
pub(crate) fn declared_output(graph: &Graph, layer: &Layer, output: usize) -> Fact {
    match graph.outputs(layer).get(output) {
        Some(port) => declared(graph, port),
        None => Fact { assumed: true, ..Fact::unknown() },
    }
}

/// What a port declares.
pub(crate) fn declared(graph: &Graph, port: &Port) -> Fact {
    let dims = graph.dims(port);
    let shape = if dims.is_empty() {
        PartialShape::UNKNOWN
    } else {
        PartialShape::of(dims.iter().map(|dim| if *dim < 0 { Dim::ANY } else { Dim::exact(*dim) }))
    };
    Fact { assumed: true, ..Fact::new(port.precision.unwrap_or(ElementType::Dynamic), shape) }
}
