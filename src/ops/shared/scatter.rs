//! Code of the operations that write updates into a tensor: `data` is input 0, `updates` is input 2.

use super::prelude::*;
use crate::ops::shared::agreement::misfit;
use crate::types::interval::{far, floor_div};
use crate::types::{float_interval, from_front};

/// The shape of `data`, narrowed by `updates`; `place` maps a dimension of `updates` to the input and axis it must match.
pub(crate) fn fitted(cx: &InferCtx, place: impl Fn(usize) -> (usize, usize)) -> Result<PartialShape, Fault> {
    let mut shape = cx.input(0).shape.clone();
    for (i, dim) in cx.input(2).shape.dims().unwrap_or_default().iter().enumerate() {
        let (input, axis) = place(i);
        let other = cx.dim(input, axis);
        let Some(both) = dim.agree(other) else {
            let name = cx.input_name(input);
            let message = format!("dimension {i} of `updates` is {dim}, dimension {axis} of `{name}` is {other}");
            return Err(misfit(cx, 2, &[0, 1], message));
        };
        if input == 0 {
            shape = shape.with(axis, both);
        }
    }
    Ok(shape)
}

/// Checks that every index is in the range of its dimension of `data`; `axis` maps the position of an index to that
/// dimension. OpenVINO checks it while it reads the file only if a shape depends on the elements.
pub(crate) fn check_indices(cx: &InferCtx, axis: impl Fn(usize) -> usize, negative: bool) -> Result<(), Fault> {
    let outside = |(place, index): (usize, &i64)| {
        let axis = axis(place);
        let length = cx.dim(0, axis).length()?;
        let least = if negative { -length } else { 0 };
        (!(least..length).contains(index)).then_some((*index, axis, length))
    };
    if cx.value(0).is_some() && cx.constant(1).is_none() {
        demand::leave_open();
    }
    let indices = cx.constant(1).unwrap_or_default();
    let Some((index, axis, length)) = indices.iter().enumerate().find_map(outside) else { return Ok(()) };
    let message = format!("`indices` holds {index}, dimension {axis} of `data` is {length}");
    let fault = Fault::at(At::Input(1), &INPUT_VALUE, message).primary(index.to_string());
    if cx.value(0).is_some() {
        return Err(fault.since(release(2026, 4)));
    }
    cx.warn(fault.severity(Severity::Warning).runtime(Runtime::Accepts));
    Ok(())
}

/// The offsets of `count` index tuples in `values`; `indexed` and `strides` are those of the indexed dimensions.
pub(crate) fn starts(values: &[i64], count: usize, indexed: &[usize], strides: &[usize]) -> Option<Vec<usize>> {
    if indexed.is_empty() {
        return Some(vec![0; count]);
    }
    let start = |tuple: &[i64]| {
        let each = tuple.iter().zip(indexed).zip(strides);
        each.map(|((value, length), stride)| Some(from_front(*value, *length)? * stride)).sum::<Option<usize>>()
    };
    values.chunks_exact(indexed.len()).map(start).collect()
}

/// The targets of updates: every slice of the updates goes to a slice of `data` of the same length.
pub(crate) struct Targets {
    /// The index of the slice of `data` for every slice of the updates.
    pub slices: Vec<usize>,
    /// The number of elements of a slice.
    pub length: usize,
}

/// A mover that takes every element from its last update in input `updates`, or else from `data`, which has `count`
/// elements.
pub(crate) fn replacing<'a>(targets: &Targets, count: usize, updates: usize) -> Mover<'a> {
    let length = targets.length.max(1);
    let mut writer = vec![None; count / length];
    for (update, target) in targets.slices.iter().enumerate() {
        if let Some(place) = writer.get_mut(*target) {
            *place = Some(update);
        }
    }
    Box::new(move |i| match writer.get(i / length).copied().flatten() {
        Some(update) => (updates, update * length + i % length),
        None => (0, i),
    })
}

/// The elements of `data` after all updates, each reduced with the old element. Without `initial` the first update of an
/// element replaces it.
pub(crate) fn reduced(cx: &InferCtx, output: &Fact, targets: &Targets, initial: bool) -> Option<Value> {
    let (data, updates) = (cx.value(0), cx.value(2));
    let (by, ty) = (cx.choice("reduction"), output.ty);
    let count = output.shape.count()?;
    let total = targets.slices.len().checked_mul(targets.length).filter(|total| *total <= MAX_UPDATES)?;
    if data.or(updates)?.as_floats().is_some() {
        let all = known(data, Value::as_floats, count, Bounds::<f64>::ANY)?;
        let new = known(updates, Value::as_floats, total, Bounds::<f64>::ANY)?;
        let written = written(all, new, targets, initial, |a, b| real(by, ty, a, b))?;
        #[allow(clippy::cast_precision_loss, reason = "a count")]
        let share = |(sum, count): (Bounds<f64>, usize)| {
            let share = Bounds::between(sum.lower / count as f64, sum.upper / count as f64);
            if by == "mean" && count > 1 { float_interval::fitted(ty, share) } else { Some(sum) }
        };
        return Value::floats(&output.shape, written.into_iter().map(share).collect::<Option<Vec<_>>>()?);
    }
    let all = known(data, Value::as_integers, count, Bounds::<i64>::ANY)?;
    let new = known(updates, Value::as_integers, total, Bounds::<i64>::ANY)?;
    let written = written(all, new, targets, initial, |a, b| whole(by, ty, a, b))?;
    let share = |(sum, count)| if by == "mean" && count > 1 { share(ty, sum, count) } else { sum };
    Value::integers(&output.shape, written.into_iter().map(share))
}

/// Limit for the updates that are evaluated.
const MAX_UPDATES: usize = 1 << 24;

/// The elements of a value, or `count` times `any` if there is no value; `None` for elements of another kind.
fn known<T: Copy>(value: Option<&Value>, read: fn(&Value) -> Option<&[T]>, count: usize, any: T) -> Option<Vec<T>> {
    match value {
        Some(value) => read(value).map(<[T]>::to_vec),
        None => Some(vec![any; count]),
    }
}

/// Every element after all updates, and the number of elements it is reduced from.
fn written<T: Copy>(
    all: Vec<T>,
    updates: Vec<T>,
    targets: &Targets,
    initial: bool,
    reduce: impl Fn(T, T) -> T,
) -> Option<Vec<(T, usize)>> {
    let mut all: Vec<(T, usize)> = all.into_iter().map(|one| (one, initial.into())).collect();
    let elements = targets.slices.iter().flat_map(|slice| slice * targets.length..(slice + 1) * targets.length);
    for (target, update) in elements.zip(updates) {
        let (element, count) = all.get_mut(target)?;
        *element = if *count == 0 { update } else { reduce(*element, update) };
        *count += 1;
    }
    Some(all)
}

fn whole(by: &str, ty: ElementType, old: Bounds<i64>, new: Bounds<i64>) -> Bounds<i64> {
    let (a, b) = (Interval::of(ty, old), Interval::of(ty, new));
    let lower = || Interval::between(a.lower.min(b.lower), a.upper.min(b.upper));
    let higher = || Interval::between(a.lower.max(b.lower), a.upper.max(b.upper));
    let result = match by {
        "none" => return new,
        // For booleans, a sum is "or", a product is "and" and a difference is "xor".
        "sub" if ty == ElementType::Boolean => {
            let differ = a.value().zip(b.value()).map(|(a, b)| Interval::exact((a != b).into()));
            differ.unwrap_or(Interval::between(0, 1))
        }
        "max" => higher(),
        "sum" if ty == ElementType::Boolean => higher(),
        "min" => lower(),
        "prod" if ty == ElementType::Boolean => lower(),
        "sum" | "mean" => a.plus(b),
        "sub" => a.plus(b.negated()),
        "prod" => a.times(b),
        _ => Interval::ANY,
    };
    let result = if a.value().and(b.value()).is_some() { result.wrapped(ty) } else { result };
    result.bounds(ty).unwrap_or(Bounds::<i64>::ANY)
}

/// A sum divided by `count`, rounded down.
fn share(ty: ElementType, sum: Bounds<i64>, count: usize) -> Bounds<i64> {
    let count = i128::try_from(count).unwrap_or(i128::MAX);
    let share = |end: i128| if far(end) { end } else { floor_div(end, count) };
    Interval::of(ty, sum).rising(share).bounds(ty).unwrap_or(Bounds::<i64>::ANY)
}

fn real(by: &str, ty: ElementType, a: Bounds<f64>, b: Bounds<f64>) -> Bounds<f64> {
    let numbers = [a.lower, a.upper, b.lower, b.upper].iter().all(|bound| !bound.is_nan());
    let result = match by {
        "none" => return b,
        "min" if numbers => Bounds::between(a.lower.min(b.lower), a.upper.min(b.upper)),
        "max" if numbers => Bounds::between(a.lower.max(b.lower), a.upper.max(b.upper)),
        "sum" | "mean" => float_interval::plus(a, b),
        "sub" => float_interval::plus(a, float_interval::negated(b)),
        "prod" => float_interval::times(a, b),
        _ => return Bounds::<f64>::ANY,
    };
    float_interval::fitted(ty, result).unwrap_or(Bounds::<f64>::ANY)
}
