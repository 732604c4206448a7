//! Reporting of a layer's faults: none that another finding covers, and those that depend on bounds only where OpenVINO
//! evaluates the bounds.

use super::Facts;
use super::explain;
use super::openvino_bounds;
use super::scope::Scope;
use crate::diagnostic::{Direction, Runtime, Sink};
use crate::ir::{Layer, LayerId, Port, Role};
use crate::ops::rules::{MISSING_ATTRIBUTE, NEEDS_CONSTANT, SHAPE_CONFLICT, WRONG_INPUT_COUNT};
use crate::ops::{At, BoundsDependent, Fault, Needs, OpSpec};
use crate::types::{Bounds, ElementType, Value};

/// Reports the faults of a layer, including those that depend on the bounds that OpenVINO evaluates.
#[cold]
pub(super) fn report(
    scope: &Scope,
    facts: &Facts,
    index: LayerId,
    spec: &'static OpSpec,
    faults: &[Fault],
    mut bounds_dependent: Vec<BoundsDependent>,
    sink: &mut Sink,
) {
    let Some(layer) = scope.graph.layer(index) else { return };
    bounds_dependent.retain(|one| match one.needs {
        Needs::Outputs => facts.plan().wants_values(index),
        _ => openvino_bounds::is_evaluated(scope, facts, layer, one),
    });
    let mut refused: Vec<Fault> = bounds_dependent.into_iter().map(|one| one.fault).collect();
    if facts.plan().wants_untyped {
        refused.extend(openvino_bounds::untyped(scope, facts, layer, spec));
    }
    // A fault for which OpenVINO rejects an input replaces the fault of the same rule at that input.
    let is_moot = |fault: &Fault| refused.iter().any(|one| one.at == fault.at && one.rule == fault.rule);
    for fault in faults.iter().filter(|fault| !is_moot(fault)).chain(&refused) {
        // Not every layer is compiled, what has no type is left as it is, numbers are compiled in 32 bits, and lengths that are
        // not exact are compared when the model runs.
        let is_typed = |port: &Port| facts.of_port(port).is_some_and(|fact| fact.ty != ElementType::Dynamic);
        let is_exact = |port: &Port| facts.of_port(port).is_some_and(|fact| fact.shape.is_static());
        let may_compile = || {
            openvino_bounds::may_be_left_out(scope.graph, index, layer)
                || !scope.graph.inputs(layer).iter().all(is_typed)
                || is_long(scope, facts, layer, fault.at)
                || fault.rule == &SHAPE_CONFLICT && !scope.graph.inputs(layer).iter().all(is_exact)
        };
        if fault.runtime == Some(Runtime::NotCompiled) && may_compile() {
            report_one(scope, facts, index, layer, spec, &fault.clone().runtime(Runtime::MayNotCompile), sink);
        } else {
            report_one(scope, facts, index, layer, spec, fault, sink);
        }
    }
}

/// Whether an element of the input that a fault is about takes more than 32 bits.
fn is_long(scope: &Scope, facts: &Facts, layer: &Layer, at: At) -> bool {
    let At::Input(i) = at else { return false };
    let value = scope.graph.inputs(layer).get(i).and_then(|port| facts.of_port(port)?.value.as_deref());
    let is_long = |one: &Bounds<i64>| [one.lower, one.upper].into_iter().any(|end| i32::try_from(end).is_err());
    value.and_then(Value::as_integers).is_some_and(|all| all.iter().any(is_long))
}

/// Reports a fault of a layer, unless another finding covers it.
pub(super) fn report_one(
    scope: &Scope,
    facts: &Facts,
    index: LayerId,
    layer: &Layer,
    spec: &'static OpSpec,
    fault: &Fault,
    sink: &mut Sink,
) {
    // Without weights every constant is unknown; that is no fault of the file.
    if fault.rule == &NEEDS_CONSTANT && !scope.weights.is_available() {
        return;
    }
    // A Parameter without `<data>` lacks all its attributes, which is another finding.
    if fault.rule == &MISSING_ATTRIBUTE && scope.graph.kind(layer).role == Role::Parameter && layer.data.is_empty() {
        return;
    }
    // The edge that names the missing port has a finding of its own.
    if fault.rule == &WRONG_INPUT_COUNT && scope.graph.loose.lacks_port(index, Direction::Input) {
        return;
    }
    sink.report(explain::finding(scope, facts, layer, spec, fault));
}
