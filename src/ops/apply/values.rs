//! The evaluation of output elements from input elements, for layers whose elements are wanted, mostly because shapes depend
//! on them.

use crate::diagnostic::{LIMIT_EXCEEDED, Severity};
use crate::limits::Limits;
use crate::ops::shared::elementwise::results;
use crate::ops::{At, Eval, Fault, InferCtx, ZERO};
use crate::text::plural;
use crate::types::{Bounds, Elements, Fact, TypeSet, Value};
use std::sync::Arc;

/// Fills in the elements of the outputs; returns a fault if a limit is reached.
pub(super) fn evaluate(cx: &InferCtx, outputs: &mut [Fact], limits: &Limits) -> Option<Fault> {
    if matches!(cx.spec.eval, Eval::None) {
        return None;
    }
    let limit = i64::try_from(limits.value_elements).unwrap_or(i64::MAX);
    for (i, output) in outputs.iter().enumerate() {
        let count = output.shape.elements().length()?;
        if count > limit {
            // If no input has a value, nothing is lost.
            (0..cx.inputs().len()).find(|i| cx.value(*i).is_some())?;
            let message = format!(
                "output {i} has {count} element{s}, but values are computed for up to {limit} only",
                s = plural(count)
            );
            return Some(
                Fault::at(At::Output(i), &LIMIT_EXCEEDED, message)
                    .severity(Severity::Warning)
                    .help("raise the limit with --max-value-elements"),
            );
        }
    }
    match cx.spec.eval {
        Eval::None => {}
        Eval::Copy(_) => {
            if let (Some(value), [output]) = (cx.value(0), outputs) {
                output.value = value.reshaped(&output.shape).map(Arc::new);
            }
        }
        Eval::Move(_, mover) => {
            let has_elements =
                |i: &usize| cx.value(*i).is_some() && cx.spec.input(*i).is_some_and(|input| !input.reads_value);
            if !(0..cx.inputs().len()).any(|i| has_elements(&i)) {
                return None;
            }
            for (i, output) in outputs.iter_mut().enumerate() {
                // A tensor without elements may have lengths too large for a mover.
                let value = if output.shape.is_empty() {
                    gather(cx, output, &|_| ZERO)
                } else {
                    mover(cx, i).and_then(|source| gather(cx, output, &source))
                };
                output.value = value.map(Arc::new);
            }
        }
        Eval::Compute(_, compute) | Eval::Shape(compute) => fill(outputs, compute(cx, outputs)),
        Eval::Function(function) => fill(outputs, results(cx, outputs, &function)),
    }
    None
}

fn fill(outputs: &mut [Fact], values: Option<Vec<Value>>) {
    for (output, value) in outputs.iter_mut().zip(values.unwrap_or_default()) {
        output.value = clip(value, output).map(Arc::new);
    }
}

/// Moves input elements to an output; an input without a value gives unbounded elements.
fn gather(cx: &InferCtx, output: &Fact, source: &dyn Fn(usize) -> (usize, usize)) -> Option<Value> {
    let sources = (0..output.shape.count()?).map(source);
    if output.ty.is_float() {
        return Value::floats(&output.shape, taken(cx, sources, Value::as_floats, 0.0, Bounds::<f64>::ANY)?);
    }
    let any = Bounds::<i64>::of(output.ty).filter(|_| TypeSet::INTEGRAL_OR_BOOLEAN.has(output.ty))?;
    Value::integers(&output.shape, taken(cx, sources, Value::as_integers, 0, any)?)
}

fn taken<T: Copy>(
    cx: &InferCtx,
    sources: impl Iterator<Item = (usize, usize)>,
    elements: impl Fn(&Value) -> Option<&[Bounds<T>]>,
    zero: T,
    any: Bounds<T>,
) -> Option<Vec<Bounds<T>>> {
    let take = |(input, element)| match cx.value(input) {
        Some(value) => elements(value)?.get(element).copied(),
        None if (input, element) == ZERO => Some(Bounds::exact(zero)),
        None => Some(any),
    };
    sources.map(take).collect()
}

/// Makes elements outside the range of the type unbounded, as they would wrap around.
fn clip(value: Value, output: &Fact) -> Option<Value> {
    if value.fits(output.ty) {
        return Some(value);
    }
    let any = Bounds::<i64>::of(output.ty)?;
    let Elements::Integers(all) = value.elements() else { return None };
    Value::integers(&output.shape, all.iter().map(|one| if one.fits(output.ty) { *one } else { any }))
}
