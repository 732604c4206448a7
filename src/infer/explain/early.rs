//! Prediction of when OpenVINO finds a fault: as it reads the file, if it knows enough of the inputs of the layer, or only
//! when it runs the layer. The verdict of the finding depends on that.

use crate::diagnostic::Rule;
use crate::infer::facts::Facts;
use crate::infer::scope::Scope;
use crate::ir::Layer;
use crate::ops::rules::{
    AXIS_RANGE, INPUT_RANK, INPUT_VALUE, SHAPE_CONFLICT, SPLIT_LENGTHS_OVERRUN, SPLIT_LENGTHS_SUM, SPLIT_NOT_DIVISIBLE,
};
use crate::ops::{At, Fault, OpSpec};
use crate::types::{Fact, Value};

/// Rules whose errors OpenVINO may find only when it runs a layer, unless it knows enough of its inputs before.
pub(crate) const LATE: [&Rule; 7] = [
    &AXIS_RANGE,
    &INPUT_RANK,
    &INPUT_VALUE,
    &SHAPE_CONFLICT,
    &SPLIT_LENGTHS_OVERRUN,
    &SPLIT_LENGTHS_SUM,
    &SPLIT_NOT_DIVISIBLE,
];

/// The largest dimension for which the verdict of OpenVINO is predicted.
const LARGEST: i64 = 1 << 40;

/// Whether all inputs of a layer are known when the file is read.
pub(in crate::infer) fn has_known_inputs(scope: &Scope, facts: &Facts, layer: &Layer, spec: &OpSpec) -> bool {
    let mut ports = scope.graph.inputs(layer).iter().enumerate();
    ports.all(|(i, port)| facts.of_port(port).is_some_and(|fact| is_countable(fact) && spec.is_known(i, fact)))
}

/// Whether OpenVINO finds a fault of a late rule as it reads the file, although it does not know all inputs. It does where it
/// knows those that the fault is about, unless the operation `defers` or `waits`.
pub(super) fn is_found_early(scope: &Scope, facts: &Facts, layer: &Layer, spec: &OpSpec, fault: &Fault) -> bool {
    let ports = scope.graph.inputs(layer).iter();
    let inputs: Vec<Option<&Fact>> = ports.map(|port| facts.of_port(port)).collect();
    let (defers, waits) = (spec.defers == Some(fault.rule), spec.waits.contains(&fault.rule));
    let at = match fault.at {
        At::Input(i) => inputs.get(i).copied().flatten().map(|fact| (i, fact)),
        _ => None,
    };
    let has_ranked_first = inputs.first().copied().flatten().is_some_and(is_ranked);
    let all = |is_enough: &dyn Fn(usize, &Fact) -> bool| {
        inputs.iter().enumerate().all(|(i, fact)| fact.is_some_and(|fact| is_enough(i, fact)))
    };
    if fault.rule == &INPUT_RANK {
        at.is_some_and(|(_, fact)| is_ranked(fact) && (!defers || fact.shape.is_static()))
            && (!waits || has_ranked_first)
    } else if defers {
        false
    } else if fault.rule == &INPUT_VALUE {
        at.is_some_and(|(i, fact)| is_checked(spec, has_ranked_first, i, fact))
            || all(&|i, fact| is_ranked(fact) && is_countable(fact) && is_stored(spec, i, fact))
    } else {
        let is_at = |i| !fault.is_of_count && at.is_some_and(|(at, _)| at == i);
        all(&|i, fact| !fact.assumed && (!waits || fact.rank().is_some()) && (!is_at(i) || is_listed(spec, i, fact)))
    }
}

fn is_ranked(fact: &Fact) -> bool {
    fact.rank().is_some() && !fact.assumed
}

/// Whether OpenVINO checks the elements of an input as it reads them: those of a constant that it reads in any case.
fn is_checked(spec: &OpSpec, has_ranked_first: bool, i: usize, fact: &Fact) -> bool {
    spec.input(i).is_some_and(|input| input.reading.reads_bytes(has_ranked_first))
        && fact.value.as_deref().is_some_and(Value::is_stored)
}

/// Whether nothing of an input that decides shapes is worked out: some operations do not take such values for known.
fn is_stored(spec: &OpSpec, i: usize, fact: &Fact) -> bool {
    let read = spec.input(i).filter(|input| input.reads_value);
    read.is_none_or(|input| fact.value.as_deref().map_or(input.is_followed, Value::is_stored))
}

/// Whether the elements of an input that decides shapes are known, or their number, or it is no list.
fn is_listed(spec: &OpSpec, i: usize, fact: &Fact) -> bool {
    match fact.value.as_deref() {
        _ if spec.input(i).is_none_or(|input| !input.reads_value) => true,
        Some(value) => value.is_exact(),
        None => fact.shape.is_static() || fact.rank() != Some(1),
    }
}

/// Whether OpenVINO can count elements: products of larger dimensions overflow its 64-bit numbers.
fn is_countable(fact: &Fact) -> bool {
    fact.shape.dims().is_some_and(|dims| dims.iter().all(|dim| dim.lower() <= LARGEST))
}
