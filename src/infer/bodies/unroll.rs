//! Values that come out of a Loop: its iterations are inferred one by one, as OpenVINO runs a Loop of constants, so that
//! shapes that depend on them are known.

use super::runs::{Binding, Runs};
use super::{Bindings, BodyOp, truth};
use crate::limits::ITERATIONS;
use crate::types::{Bounds, Elements, Fact, Value};
use std::sync::Arc;

/// Returns the outputs of the last of at most `count` iterations. `None` if a condition or all values that are passed on
/// become unknown, if an iteration has errors, or after too many iterations.
pub(super) fn last(host: &mut BodyOp, body: &Runs, count: Option<i64>) -> Option<Vec<Fact>> {
    let mut bindings = Bindings::new();
    for inlet in &body.wiring().inputs {
        let fact = match inlet.slice {
            // All slices have the same shape.
            Some(_) => Fact { value: None, ..body.parameter(inlet.parameter) },
            None => host.input(inlet.external),
        };
        bindings.insert(inlet.parameter, Binding { fact, keeps_type: false });
    }
    for iteration in 0..ITERATIONS {
        if let Some(index) = body.wiring().iteration {
            let fact = counter(body.parameter(index), iteration);
            bindings.insert(index, Binding { fact, keeps_type: false });
        }
        let facts = body.infer_without_reporting(&bindings, host.work)?;
        let result = |result| body.result_fact(&facts, result);
        let is_last = count.is_some_and(|count| iteration.saturating_add(1) >= count)
            || !truth(result(body.wiring().condition?).value.as_deref())?;
        let outputs = || body.wiring().outputs.iter().map(|outlet| result(outlet.result));
        if is_last {
            return Some(outputs().collect());
        }
        if outputs().all(|output| output.value.is_none()) {
            return None;
        }
        for inlet in &body.wiring().inputs {
            if let (Some((from, _)), Some(binding)) = (inlet.back, bindings.get_mut(&inlet.parameter)) {
                binding.fact = result(from);
            }
        }
    }
    None
}

/// Returns the fact of the counter in one iteration.
fn counter(parameter: Fact, iteration: i64) -> Fact {
    let lengths = parameter.shape.sizes().filter(|_| parameter.ty.is_integer());
    let elements = Elements::Integers([Bounds::exact(iteration)].into_iter().collect());
    let value = lengths.and_then(|lengths| Value::new(&lengths, elements));
    Fact { value: value.map(Arc::new), ..parameter }
}
