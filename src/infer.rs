//! Works out what must be true of every output, in one pass from the inputs to the results.
//!
//! A layer that cannot be inferred keeps what it declares, marked assumed; what depends on that is assumed too.

pub(crate) mod bodies;
mod budget;
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
mod structure;
mod supposed;
mod symbols;

pub(crate) use explain::{LATE, Scope, chain, chain_names, origins};
pub use facts::Facts;
pub(crate) use from_file::{declared, declared_output};
pub(crate) use openvino::as_openvino;
pub(crate) use order::CycleEdge;
pub(crate) use structure::structure;
pub(crate) use supposed::Supposed;
pub(crate) use symbols::{Demanded, Symbols};

use crate::diagnostic::{Reported, Sink};
use crate::ir::{Graph, Layer, LayerId, Net, Role, Weights};
use crate::limits::Limits;
use crate::ops::apply::{Application, Call, Extent, Texts};
use crate::ops::extension::ExtensionOps;
use crate::ops::{self, Meaning, OpSpec};
use crate::source::Source;
use crate::types::symbol::recording;
use crate::types::{ElementType, Fact, PartialShape};
pub(crate) use bodies::kinds;
use bodies::{Binding, Bindings};
use budget::{Budget, Kept};
use from_file::{constant_fact, wanted};
use memo::Memo;
pub(crate) use plan::{Plan, body_path};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What an inference may still do, and where it reports.
struct Work<'s> {
    budget: Budget,
    sink: &'s mut Sink,
    /// Whether the inputs have other shapes than the file was written for, so that declared lengths say nothing.
    is_reshaped: bool,
    terms: Terms<'s>,
    /// Whether expressions are recorded.
    is_recording: bool,
    demanded: Vec<Demanded>,
}

/// What an inference uses beside the file.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Terms<'s> {
    /// The shapes that Parameters at these places have instead of those declared.
    pub shapes: Option<&'s BTreeMap<LayerId, PartialShape>>,
    /// The shapes that a user states for operations that are not modelled.
    pub extension_ops: Option<&'s ExtensionOps>,
    /// The plan of the file, if it was made before.
    pub plan: Option<&'s Arc<Plan>>,
    /// How much is made of what is known.
    pub extent: Extent,
    /// What is supposed in place of what the file says.
    pub supposed: Option<&'s Supposed>,
    /// Whether dimensions are expressed by those of the inputs.
    pub symbolic: Symbolic,
}

/// Whether dimensions are expressed by those of the inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Symbolic {
    /// No.
    #[default]
    Never,
    /// From the first input or state on that has dimensions which are not static; facts are as they would be without.
    IfDynamic,
    /// Yes, and lengths that data decides have symbols as well.
    Always,
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
    let plan = terms.plan.map_or_else(|| Arc::new(Plan::of(&scope, &[], true, sink)), Arc::clone);
    scope.weights.prefetch(|| wanted(&scope, &plan));
    let binding =
        |shape: &PartialShape| Binding { fact: Fact::new(ElementType::Dynamic, shape.clone()), keeps_type: true };
    let bindings: Bindings =
        terms.shapes.into_iter().flatten().map(|(place, shape)| (*place, binding(shape))).collect();
    let budget = Budget::new(limits, net.graph.layer_count());
    let is_recording = terms.symbolic == Symbolic::Always;
    let is_reshaped = !bindings.is_empty();
    let mut work = Work { budget, sink, is_reshaped, terms: *terms, is_recording, demanded: Vec::new() };
    let (mut facts, expressions) = recording(is_recording, || infer_graph(&scope, &plan, &bindings, &mut work));
    facts.set_symbols(expressions.map(|expressions| Symbols { expressions, demanded: work.demanded }));
    facts
}

fn infer_graph(scope: &Scope, plan: &Arc<Plan>, bindings: &Bindings, work: &mut Work) -> Facts {
    let mut facts = Facts::new(scope.graph, plan);
    let mut memo = Memo::new(scope.graph.layers.len());
    for &index in &plan.order {
        let Some(layer) = scope.graph.layer(index) else { continue };
        let supposed = work.terms.supposed.and_then(|supposed| supposed.outputs(layer));
        if let Some(outputs) = supposed.filter(|_| !plan.bodies.contains_key(&index)) {
            facts.set(index, outputs.iter().cloned());
            continue;
        }
        let may_repeat = may_repeat(scope, plan, bindings, index, layer, work);
        let call = may_repeat.then(|| Memo::call(scope, plan, &facts, index)).flatten();
        if let Some(earlier) = call.and_then(|call| memo.same_call(call, scope, plan, &facts, index)) {
            facts.share(index, earlier);
            continue;
        }
        let inputs = scope.graph.inputs(layer).iter().filter_map(|port| facts.of_port(port));
        if !work.budget.look(inputs) {
            facts.forget_values();
            memo.clear();
            work.exceeded(scope, layer);
        }
        let inferred = outputs(scope, plan, bindings, &mut facts, index, layer, work);
        symbols::demand(scope, &facts, index, layer, inferred.is_some(), work);
        let Some(Inferred { mut outputs, is_clean }) = inferred else {
            match supposed {
                Some(supposed) => facts.set(index, supposed.iter().cloned()),
                None => facts.assume(index, scope.graph, layer, work.is_reshaped),
            }
            continue;
        };
        if let Some(supposed) = supposed {
            outputs = supposed.into();
        }
        let is_clean = !symbols::name(scope, index, layer, work, &mut outputs) && is_clean;
        if work.terms.extent == Extent::OpenVino {
            openvino::forget(scope, &facts, layer, &mut outputs);
        }
        let kept = work.budget.keep(&mut outputs);
        if kept != Kept::Everything {
            work.exceeded(scope, layer);
        }
        if kept == Kept::Nothing {
            // As many as the file declares: that is bounded by its size.
            outputs.truncate(scope.graph.outputs(layer).len());
        }
        match memo.same_outputs(&facts, index, &outputs) {
            Some(earlier) => facts.share(index, earlier),
            None => facts.set(index, outputs),
        }
        if let Some(call) = call.filter(|_| is_clean && kept == Kept::Everything) {
            memo.add_call(call, index);
        }
    }
    facts
}

/// Whether all that the outputs of a layer follow from is its kind, its attributes and its inputs; not what it declares.
fn may_repeat(scope: &Scope, plan: &Plan, bindings: &Bindings, index: LayerId, layer: &Layer, work: &Work) -> bool {
    matches!(scope.graph.kind(layer).meaning, Meaning::Modelled(_))
        && work.budget.has_values()
        && work.terms.extent == Extent::Full
        && !bindings.contains_key(&index)
        && !plan.bodies.contains_key(&index)
        && !work.terms.supposed.is_some_and(|supposed| supposed.has_inputs(layer))
}

/// What came of a layer.
struct Inferred {
    outputs: Outputs,
    /// Whether nothing was found, so that layers like it can share the outputs.
    is_clean: bool,
}

/// The outputs of a layer; `None` where what it declares must do.
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
    let wants_values = plan.wants_values(index) && work.budget.has_values();
    if kind.role == Role::Const {
        if let Some(spec) = kind.spec().filter(|_| !graph.inputs(layer).is_empty()) {
            structure::inputs_of_constant(scope, facts, index, layer, spec, work.sink);
        }
        // OpenVINO reads nothing from an empty file, not even the elements of a constant that has none.
        let is_read = work.terms.extent == Extent::Full || scope.weights.size() > 0;
        let fact = constant_fact(scope, layer, wants_values && is_read, work.sink);
        let fact = fact.unwrap_or_else(|| declared_output(graph, layer, 0));
        return Some(Inferred { is_clean: !fact.assumed, outputs: smallvec![fact] });
    }
    let spec = kind.spec();
    // Once nothing is kept, layers of any number of outputs are not worth inferring.
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
            // Bodies of an operation that is not modelled say nothing of what it gives.
            if spec.is_none() { outputs } else { inferred }
        }
        None => outputs,
    };
    // OpenVINO sees no elements across the border of a body.
    let mut outputs = outputs?;
    if work.terms.extent == Extent::OpenVino && (bindings.contains_key(&index) || plan.bodies.contains_key(&index)) {
        for output in &mut outputs {
            output.value = None;
        }
    }
    Some(Inferred { outputs: Outputs::from_vec(outputs), is_clean })
}

/// The facts of a layer's outputs, mostly of one.
type Outputs = SmallVec<[Fact; 1]>;

impl Work<'_> {
    /// What `infer` gives, and what it reports, which is kept apart from what was reported before.
    fn apart<T>(&mut self, infer: impl FnOnce(&mut Self) -> T) -> (T, Reported) {
        let inner = self.sink.nested();
        let outer = std::mem::replace(self.sink, inner);
        let bindings = infer(self);
        (bindings, std::mem::replace(self.sink, outer).into_reported())
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
        .map(|attr| (layer.data_text(source, attr.name), layer.data_text(source, attr.value)))
        .collect();
    let declared_outputs = Some(graph.outputs(layer).len());
    visit(&Call { spec, inputs: &inputs, attrs: &attrs, declared_outputs, wants_values: false, extent: Extent::Full })
}
