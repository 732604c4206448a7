//! Forward inference of every output's type, shape and value, in one pass in topological order.
//!
//! A layer that cannot be inferred keeps its declared ports, marked `assumed`; facts that depend on them are assumed too.

pub(crate) mod bodies;
mod budget;
mod canonical;
mod explain;
mod extension;
mod facts;
mod faults;
mod from_file;
mod memo;
mod openvino;
mod openvino_bounds;
mod order;
mod plan;
mod scope;
mod structure;
mod supposed;
mod symbols;
mod terms;
mod unread;

pub(crate) use explain::{LATE, chain, chain_behind, chain_names, origins};
pub use facts::Facts;
pub(crate) use facts::{Demanded, Symbols};
pub(crate) use from_file::{declared, declared_output};
pub(crate) use openvino::as_openvino;
pub(crate) use openvino_bounds::is_decompression;
pub(crate) use order::{By, CycleEdge};
pub(crate) use structure::structure;
pub(crate) use supposed::Supposed;
pub(crate) use terms::{Symbolic, Terms};

use crate::arrange::Fill;
use crate::diagnostic::{Reported, Sink};
use crate::ir::{Graph, Layer, LayerId, Net, Role, Weights};
use crate::limits::Limits;
use crate::ops::apply::{Application, Call, Extent, Texts};
use crate::ops::{self, Meaning, OpSpec};
use crate::source::Source;
use crate::types::symbol::recording;
use crate::types::{ElementType, Fact, PartialShape};
pub(crate) use bodies::kinds;
use bodies::{Binding, Bindings};
use budget::{Budget, Kept};
use from_file::{constant_fact, wanted};
use memo::Memo;
pub(crate) use plan::Plan;
pub(crate) use scope::{Scope, body_path};
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;
pub(crate) use unread::declaring;
use unread::{may_share, narrow_to_declared};

/// The state of one inference: the remaining budget, and the sink for its findings.
struct Work<'s> {
    budget: Budget,
    sink: &'s mut Sink,
    /// True if the inputs have other shapes than the file declares, so that declared dimensions no longer apply.
    is_reshaped: bool,
    terms: Terms<'s>,
    /// True once an output depends on what cannot be read.
    lacks_values: bool,
    /// True once symbolic recording has started.
    is_recording: bool,
    demanded: Vec<Demanded>,
    /// Per layer of the net, whether `demanded` has its constraints; empty while there are none.
    demands: Vec<bool>,
    /// The layers that share the result of an equal layer with constraints, each after that layer.
    shared: Vec<(LayerId, LayerId)>,
}

/// Infers a net and its bodies.
pub(crate) fn infer(
    net: &Net,
    source: &Source,
    weights: &Weights,
    limits: &Limits,
    terms: &Terms,
    sink: &mut Sink,
) -> Facts {
    let scope = Scope { source, graph: &net.graph, weights, limits, body: &[] };
    let is_recording = terms.symbolic == Symbolic::Always;
    let plan = terms.plan.map_or_else(|| Arc::new(Plan::of(&scope, &[], true, terms.by, sink)), Arc::clone);
    scope.weights.prefetch(|| wanted(&scope, &plan));
    let binding =
        |shape: &PartialShape| Binding { fact: Fact::new(ElementType::Dynamic, shape.clone()), keeps_type: true };
    let bindings: Bindings =
        terms.shapes.into_iter().flatten().map(|(layer, shape)| (*layer, binding(shape))).into_map();
    let budget = Budget::new(limits, net.graph.layer_count());
    let is_reshaped = !bindings.is_empty();
    let mut work = Work {
        budget,
        sink,
        is_reshaped,
        lacks_values: false,
        terms: *terms,
        is_recording,
        demanded: Vec::new(),
        demands: Vec::new(),
        shared: Vec::new(),
    };
    let (mut facts, expressions) = recording(is_recording, || infer_graph(&scope, &plan, &bindings, &mut work));
    facts.set_symbols(expressions.map(|expressions| Symbols {
        expressions,
        demanded: work.demanded,
        shared: work.shared,
    }));
    facts
}

fn infer_graph(scope: &Scope, plan: &Arc<Plan>, bindings: &Bindings, work: &mut Work) -> Facts {
    let mut facts = Facts::new(scope.graph, plan);
    let mut memo = Memo::new(scope.graph.layers.len());
    for &index in plan.inferred() {
        let Some(layer) = scope.graph.layer(index) else { continue };
        let supposed = work.terms.supposed.and_then(|supposed| supposed.outputs(layer));
        if let Some(outputs) = supposed.filter(|_| !plan.bodies.contains_key(&index)) {
            facts.set(index, outputs.iter().cloned());
            continue;
        }
        let may_memoize = may_memoize(scope, plan, bindings, index, layer, work);
        let key = may_memoize.then(|| Memo::key(scope, plan, &facts, index)).flatten();
        let earlier = key.and_then(|key| memo.find(key, scope, plan, &facts, index));
        let may_share = |earlier: &LayerId| !work.lacks_values || may_share(scope.graph, &facts, *earlier, layer);
        if let Some(earlier) = earlier.filter(may_share) {
            facts.share(index, earlier);
            if work.demands.get(earlier.index()) == Some(&true) && scope.body.is_empty() && facts.is_reachable(index) {
                work.shared.push((earlier, index));
            }
            continue;
        }
        let inputs = scope.graph.inputs(layer).iter().filter_map(|port| facts.of_port(port));
        if !work.budget.charge_reads(inputs) {
            facts.forget_values();
            memo.clear();
            work.exceeded(scope, layer);
        }
        let inferred = outputs(scope, plan, bindings, &mut facts, index, layer, work);
        symbols::record_constraints(scope, &facts, index, layer, inferred.is_some(), work);
        let Some(Inferred { mut outputs, is_clean }) = inferred else {
            work.lacks_values = true;
            match supposed {
                Some(supposed) => facts.set(index, supposed.iter().cloned()),
                None => facts.assume(index, scope.graph, layer, work.is_reshaped),
            }
            continue;
        };
        if let Some(supposed) = supposed {
            outputs = supposed.into();
        }
        if work.lacks_values && !work.is_reshaped {
            narrow_to_declared(scope, &facts, layer, &mut outputs);
        }
        let is_clean = !symbols::name_dims(scope, index, layer, work, &mut outputs) && is_clean;
        // Ports that are declared for other input shapes do not show what OpenVINO knew.
        if work.terms.extent == Extent::OpenVino && !work.is_reshaped {
            openvino::weaken(scope, &facts, layer, &mut outputs, work.terms.is_doubtful);
        }
        let kept = work.budget.charge_outputs(&mut outputs);
        if kept != Kept::Everything {
            work.exceeded(scope, layer);
        }
        if kept == Kept::Nothing {
            // The outputs beyond the declared ones are dropped: the size of the file bounds the number of declared ones.
            outputs.truncate(scope.graph.outputs(layer).len());
        }
        match memo.find_outputs(&facts, index, &outputs) {
            Some(earlier) => facts.share(index, earlier),
            None => facts.set(index, outputs),
        }
        if let Some(key) = key.filter(|_| is_clean && kept == Kept::Everything) {
            memo.add(key, index);
        }
    }
    facts
}

/// Whether kind, attributes and inputs alone determine the outputs of a layer, so that a memo hit may replace its inference.
fn may_memoize(scope: &Scope, plan: &Plan, bindings: &Bindings, index: LayerId, layer: &Layer, work: &Work) -> bool {
    matches!(scope.graph.kind(layer).meaning, Meaning::Modelled(_))
        && work.budget.has_values()
        && work.terms.extent == Extent::Full
        && !bindings.contains_key(&index)
        && !plan.bodies.contains_key(&index)
        && !work.terms.supposed.is_some_and(|supposed| supposed.has_inputs(layer))
}

/// The result of inferring one layer.
struct Inferred {
    outputs: Outputs,
    /// True if the layer has no finding, so that equal layers can share the outputs.
    is_clean: bool,
}

/// Infers the outputs of a layer. `None` means that the caller falls back to the declared ports.
fn outputs(
    scope: &Scope,
    plan: &Plan,
    bindings: &Bindings,
    facts: &mut Facts,
    index: LayerId,
    layer: &Layer,
    work: &mut Work,
) -> Option<Inferred> {
    let graph = scope.graph;
    let kind = graph.kind(layer);
    let is_full = work.terms.extent == Extent::Full;
    let wants_values =
        plan.wants_values(index) && work.budget.has_values() && (is_full || !is_decompression(scope, layer));
    if kind.role == Role::Const {
        if let Some(spec) = kind.spec() {
            structure::inputs_of_constant(scope, facts, index, layer, spec, work.sink);
        }
        // OpenVINO reads nothing from an empty file, not even a constant without elements.
        let is_read = is_full || scope.weights.size() > 0 || !scope.weights.is_available();
        let fact = constant_fact(scope, layer, wants_values && is_read, work.sink);
        let fact = fact.unwrap_or_else(|| declared_output(graph, layer, 0));
        work.lacks_values |= fact.assumed;
        return Some(Inferred { is_clean: !fact.assumed, outputs: smallvec![fact] });
    }
    let spec = kind.spec();
    // Once shapes no longer fit the budget, layers with a variable number of outputs are not worth inferring.
    if work.budget.is_full() && spec.is_some_and(|spec| !matches!(spec.outputs, ops::Outputs::Exactly(_))) {
        return None;
    }
    let mut is_clean = false;
    let mut outputs = spec.and_then(|spec| {
        let Application { outputs, faults, bounds_dependent } =
            apply(scope, facts, layer, spec, wants_values, &work.terms);
        is_clean = faults.is_empty() && bounds_dependent.is_empty();
        if !is_clean || plan.wants_untyped {
            faults::report(scope, facts, index, spec, &faults, bounds_dependent, work.sink);
        }
        outputs
    });
    if spec.is_none() && work.terms.extension_ops.is_some() {
        outputs = extension::outputs(scope, facts, layer, work);
    }
    if let Some(binding) = bindings.get(&index) {
        outputs = outputs.map(|declared| binding.bind(&declared)).or_else(|| binding.bind_unread());
    }
    let outputs = match plan.bodies.get(&index) {
        Some(bodies) => {
            let spec_of = spec.filter(|_| outputs.is_some());
            let inferred = bodies::infer(scope, facts, index, bodies, spec_of, wants_values, work);
            // ovlint does not know how an unknown operation uses its bodies, so they do not determine its outputs.
            if spec.is_none() { outputs } else { inferred }
        }
        None => outputs,
    };
    // OpenVINO propagates no values into or out of bodies.
    let mut outputs = outputs?;
    if !is_full && (bindings.contains_key(&index) || plan.bodies.contains_key(&index)) {
        for output in &mut outputs {
            output.value = None;
        }
    }
    Some(Inferred { outputs: Outputs::from_vec(outputs), is_clean })
}

/// The facts of a layer's outputs. Most layers have one output.
type Outputs = SmallVec<[Fact; 1]>;

impl Work<'_> {
    /// Runs `infer` with a sink of its own and returns its result and its findings, so that the caller can drop them.
    fn with_own_sink<T>(&mut self, infer: impl FnOnce(&mut Self) -> T) -> (T, Reported) {
        let inner = self.sink.nested();
        let outer = std::mem::replace(self.sink, inner);
        let result = infer(self);
        (result, std::mem::replace(self.sink, outer).into_reported())
    }

    fn exceeded(&mut self, scope: &Scope, layer: &Layer) {
        if let Some(mut finding) = self.budget.exceeded(layer.tag, scope.limits) {
            finding.body = scope.body.to_vec();
            self.sink.report(finding);
        }
    }
}

fn apply(
    scope: &Scope,
    facts: &Facts,
    layer: &Layer,
    spec: &'static OpSpec,
    wants_values: bool,
    terms: &Terms,
) -> Application {
    let extent = terms.extent;
    let supposed = terms.supposed.filter(|supposed| supposed.has_inputs(layer));
    let apply = |call: &Call| {
        let Some(supposed) = supposed else { return Call { wants_values, extent, ..*call }.apply(scope.limits) };
        let given = call.inputs.iter().enumerate();
        let inputs: Vec<&Fact> = given.map(|(i, fact)| supposed.input(layer, i).unwrap_or(fact)).collect();
        Call { inputs: &inputs, wants_values, extent, ..*call }.apply(scope.limits)
    };
    with_call(scope.source, scope.graph, facts, layer, spec, apply)
}

/// Calls `visit` with the layer's inputs and attributes as its operation sees them.
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
        .map(|attr| (layer.data_text(source, attr.name), layer.data_text(source, attr.value)))
        .collect();
    let declared_outputs = Some(graph.outputs(layer).len());
    visit(&Call { spec, inputs: &inputs, attrs: &attrs, declared_outputs, wants_values: false, extent: Extent::Full })
}
