//! The bounds that OpenVINO evaluates while it reads a file: some faults are found only where it knows them. It walks upstream
//! from an input, through operations that it can evaluate, to constants and `ShapeOf`; it gives up at any other layer.

use super::facts::Facts;
use super::scope::Scope;
use super::with_call;
use crate::diagnostic::Runtime;
use crate::ir::{Graph, Layer, LayerId, OutputRef, Port, Role, Step, find_attribute, tags, unescape};
use crate::ops::apply::{Call, evaluates, is_between, is_finite};
use crate::ops::rules::INDEX_TYPE;
use crate::ops::{Action, At, Bounding, BoundsDependent, Eval, Fault, Meaning, Needs, OpSpec, Reading};
use crate::source::Span;
use crate::types::{Bounds, ElementType, Fact, TypeSet, Value};
use std::collections::HashSet;

/// The maximum number of layers on one walk; beyond it nothing is reported.
const MAX_FOLLOWED: usize = 128;

/// Whether OpenVINO knows the bounds of the inputs that a fault is about.
pub(super) fn is_evaluated(scope: &Scope, facts: &Facts, layer: &Layer, fault: &BoundsDependent) -> bool {
    let ports = scope.graph.inputs(layer).get(fault.inputs.clone()).unwrap_or_default();
    let is_read = |output: OutputRef| {
        let is_constant = scope.graph.layer(output.layer).is_some_and(|layer| scope.graph.constant(layer).is_some());
        // OpenVINO takes the greatest 32-bit number for no bound.
        let is_bound = |one: &Bounds<i64>| one.upper != i64::from(i32::MAX);
        let is_known = |value: &Value| value.as_integers().is_none_or(|all| all.iter().all(is_bound));
        !is_constant || facts.output(output).and_then(|fact| fact.value.as_deref()).is_some_and(is_known)
    };
    let sources: Option<Vec<OutputRef>> = ports.iter().map(Port::source).collect();
    let Some(mut todo) = sources.filter(|sources| !sources.is_empty()) else { return false };
    let mut seen = HashSet::new();
    while let Some(output) = todo.pop() {
        if fault.needs == Needs::Elements && !is_read(output) {
            return false;
        }
        if seen.len() > MAX_FOLLOWED || seen.insert(output.layer) && !follow(scope, facts, output, &mut todo) {
            return false;
        }
    }
    true
}

/// Returns the fault of an input whose value OpenVINO evaluates from an untyped constant.
pub(super) fn untyped(scope: &Scope, facts: &Facts, layer: &Layer, spec: &OpSpec) -> Option<Fault> {
    let first = scope.graph.inputs(layer).first().and_then(|port| facts.of_port(port));
    let is_ranked = first.is_some_and(|fact| fact.rank().is_some());
    let ports = scope.graph.inputs(layer).iter().enumerate();
    let mut found = ports.filter_map(|(i, port)| {
        let input = spec.input(i).filter(|input| match input.reading {
            Reading::Never => false,
            Reading::IfRanked | Reading::Decoded => is_ranked,
            Reading::Always => true,
        })?;
        let source = port.source().filter(|source| {
            scope.graph.layer(source.layer).is_some_and(|layer| scope.graph.constant(layer).is_none())
        })?;
        let constant = untyped_behind(scope.graph, source)?;
        let (name, from) = (input.name, scope.graph.name(scope.source, constant));
        let message = format!(
            "`{name}` of {} follows from `{from}`, a constant of type dynamic, which OpenVINO cannot read",
            spec.name
        );
        Some(Fault::at(At::Input(i), &INDEX_TYPE, message).runtime(Runtime::Unknown))
    });
    found.next()
}

/// Finds an untyped constant upstream of an output that depends on constants and shapes alone.
fn untyped_behind(graph: &Graph, output: OutputRef) -> Option<&Layer> {
    let mut found = None;
    graph.walk_upstream(output, |layer| {
        match graph.constant(layer) {
            Some(constant) if constant.ty == ElementType::Dynamic => found = Some(layer),
            Some(_) => {}
            None if gives_shapes(graph, layer) => {}
            None => return (!graph.inputs(layer).is_empty()).then_some(Step::Follow),
        }
        Some(Step::Stop)
    })?;
    found
}

/// Whether OpenVINO may do without a layer when it compiles the model: nothing but the shapes of its outputs is wanted, bodies
/// read it that may never run, or it converts constants, which may be compressed weights or become part of another constant.
pub(super) fn may_be_left_out(graph: &Graph, index: LayerId, layer: &Layer) -> bool {
    let is_constant = |port: &Port| port.source().and_then(|from| graph.constant(graph.layer(from.layer)?)).is_some();
    let converts = graph.kind(layer).spec().is_some_and(|spec| spec.action == Action::Converts);
    if converts && graph.inputs(layer).iter().all(is_constant) {
        return true;
    }
    let mut readers = graph.dag.neighbors(index.node()).peekable();
    let is_spare = |layer: &Layer| layer.subgraph.is_some() || gives_shapes(graph, layer);
    readers.peek().is_some() && readers.all(|reader| graph.layer(reader.into()).is_some_and(is_spare))
}

/// Whether a layer without bodies is marked as one that restores compressed weights. OpenVINO evaluates no such layer while it
/// reads a file, whatever its operation.
pub(crate) fn is_decompression(scope: &Scope, layer: &Layer) -> bool {
    let has = |tag: Span, name: &str, text: &str| {
        let found = find_attribute(scope.source, tag, name);
        found.is_some_and(|found| unescape(scope.source.slice(found.value)) == text)
    };
    let part = Span { end: layer.end, ..layer.tag };
    layer.subgraph.is_none()
        && tags(scope.source, part).any(|(element, tag)| {
            element == b"attribute" && has(tag, "name", "decompression") && has(tag, "version", "0")
        })
}

/// Whether the elements of a layer's outputs depend on the shape of its input alone.
fn gives_shapes(graph: &Graph, layer: &Layer) -> bool {
    graph.kind(layer).spec().is_some_and(|spec| matches!(spec.eval, Eval::Shape(_)))
}

/// Queues the producers of a layer; false for a layer at which OpenVINO gives up.
fn follow(scope: &Scope, facts: &Facts, output: OutputRef, todo: &mut Vec<OutputRef>) -> bool {
    let Some(layer) = scope.graph.layer(output.layer) else { return false };
    let kind = scope.graph.kind(layer);
    let spec = match kind.meaning {
        _ if is_decompression(scope, layer) => return false,
        _ if kind.role == Role::Const => return true,
        Meaning::Modelled(spec) => spec,
        _ => return false,
    };
    let sources: Option<Vec<OutputRef>> = scope.graph.inputs(layer).iter().map(Port::source).collect();
    let Some(sources) = sources else { return false };
    if let Eval::Shape(_) = spec.eval {
        return sources.iter().all(|source| facts.output(*source).is_some_and(|fact| fact.rank().is_some()));
    }
    let bounded = || sources.iter().all(|source| facts.output(*source).is_some_and(is_bounded));
    // OpenVINO evaluates no Select with a condition that is not constant.
    let decided = || {
        let condition = sources.first().and_then(|source| facts.output(*source)?.value.as_deref());
        condition.is_some_and(Value::is_exact)
    };
    let ty = |output: &OutputRef| facts.output(*output).map_or(ElementType::Dynamic, |fact| fact.ty);
    let is_read = || sources.iter().chain([&output]).all(|output| ty(output) != ElementType::F64);
    let is_computed = || sources.iter().all(|source| TypeSet::COMPUTED.has(ty(source)));
    let is_handed_on = match spec.eval.bounding() {
        Some(Bounding::Moved) => is_read(),
        Some(Bounding::MovedUnless(is_wrong)) => {
            let is_wrong = |call: &Call| call.context(scope.limits, is_wrong);
            is_read() && !with_call(scope.source, scope.graph, facts, layer, spec, is_wrong)
        }
        Some(Bounding::Combined) => is_computed(),
        Some(Bounding::Between) => is_computed() && bounded(),
        Some(Bounding::Chosen) => decided(),
        Some(bounding) => {
            let is_exact =
                |fact: &Fact| fact.value.as_deref().is_some_and(Value::is_exact) && evaluates(bounding, fact.ty);
            sources.iter().all(|source| facts.output(*source).is_some_and(is_exact))
        }
        None => false,
    };
    todo.extend(sources);
    is_handed_on
}

/// Whether every element has a lower and an upper bound.
fn is_bounded(fact: &Fact) -> bool {
    let whole = |all: &[Bounds<i64>]| all.iter().all(|one| is_between(fact.ty, *one));
    let real = |all: &[Bounds<f64>]| all.iter().all(|one| is_finite(*one));
    let Some(value) = &fact.value else { return false };
    value.as_integers().map(whole).or_else(|| value.as_floats().map(real)).unwrap_or(false)
}
