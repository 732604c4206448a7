//! Inputs that hold lengths, indices or axes, with their faults, and the element types of index outputs.

use super::prelude::*;
use crate::ops::apply::misreading;
use crate::ops::misread::is_misread;
use crate::ops::shared::agreement::conflict;
use crate::ops::shared::targets::endless;
use crate::types::integer_text;

/// An attribute with the value `i64` or `i32`.
pub(crate) const fn index_type_attr(name: &'static str) -> Attr {
    Attr::optional(name, Kind::Choice(&["i64", "i32"]), "i64")
}

/// The element type in such an attribute.
pub(crate) fn index_type(cx: &InferCtx, name: &str) -> ElementType {
    if cx.choice(name) == "i32" { ElementType::I32 } else { ElementType::I64 }
}

/// The note for operations whose indices OpenVINO does not check.
const UNCHECKED: &str = "OpenVINO does not check indices when it reads a file";

/// The meaning of negative lengths in OpenVINO.
pub(crate) const NEGATIVES: &str = "-1 as any length and less as 0";

/// The length in element `n` of input `i`; any length if it is unknown.
pub(crate) fn length(cx: &InferCtx, i: usize, n: usize) -> Result<Dim, Fault> {
    let Some(length) = cx.bounds(i).and_then(|all| all.get(n).copied()) else { return Ok(Dim::ANY) };
    passed_length(cx, length, || cx.below_0(i, NEGATIVES, negative(cx, i, length)))
}

/// The dimension of a length, or a fault if it is always negative. If OpenVINO accepts the fault, it is reported, and -1
/// gives any length, less gives 0.
pub(crate) fn passed_length(cx: &InferCtx, length: Bounds<i64>, fault: impl FnOnce() -> Fault) -> Result<Dim, Fault> {
    if let Some(dim) = length.to_dim() {
        return Ok(dim);
    }
    cx.pass(fault())?;
    Ok(if length.upper == -1 { Dim::ANY } else { Dim::exact(0) })
}

/// The fault of a negative length in input `i`.
fn negative(cx: &InferCtx, i: usize, length: Bounds<i64>) -> Fault {
    let message = format!("`{}` requests a length of {}, wanted 0 or more", cx.input_name(i), length.upper);
    Fault::at(At::Input(i), &INPUT_VALUE, message)
}

/// The lengths in input `i`, a list of `count` elements; `negatives` is the reaction of OpenVINO to negative constants.
pub(crate) fn lengths(cx: &InferCtx, i: usize, count: usize, negatives: Runtime) -> Result<Vec<Dim>, Fault> {
    let (name, found) = (cx.input_name(i), cx.dim(i, 0));
    if !found.admits(i64::try_from(count).unwrap_or(i64::MAX)) {
        let plural = if found == Dim::exact(1) { "" } else { "s" };
        return Err(conflict(cx, i, format!("`{name}` has {found} element{plural} for {count} spatial dimensions")));
    }
    warn_of_floats(cx, i);
    let Some(bounds) = cx.bounds(i) else { return Ok(vec![Dim::ANY; count]) };
    if let Some(fault) = endless(cx, i, &bounds) {
        return Err(fault);
    }
    let fault = |length| match negatives {
        Runtime::Accepts => cx.below_0(i, NEGATIVES, negative(cx, i, length)),
        other => negative(cx, i, length).decided_if(other == Runtime::Rejects),
    };
    bounds.iter().map(|length| passed_length(cx, *length, || fault(*length))).collect()
}

/// Warns of an index in input `i` that is out of range for all lengths of `data`; `axis` returns the axis of an element of
/// the input.
pub(crate) fn warn_of_outside(cx: &InferCtx, i: usize, axis: impl Fn(usize) -> usize) {
    let data = cx.input(0);
    let empty = data.shape.dims().into_iter().flatten().filter(|dim| **dim == Dim::exact(0)).count();
    let outside = |(n, one): (usize, &Bounds<i64>)| {
        let length = data.shape.dim(axis(n)).upper()?;
        // Nothing is taken if another dimension is 0.
        let is_taken = empty == usize::from(length == 0);
        (is_taken && (one.lower >= length || one.upper < -length)).then_some((n, *one, length))
    };
    let Some(bounds) = cx.bounds(i) else { return };
    let Some((n, found, length)) = bounds.iter().enumerate().find_map(outside) else { return };
    let (found, axis, name) = (integer_text(found), axis(n), cx.input_name(0));
    let message = match length {
        0 => format!("index {found} is outside axis {axis} of `{name}`, whose length is 0"),
        _ => format!("index {found} is outside -{length}..{} along axis {axis} of `{name}`", length - 1),
    };
    let fault = Fault::at(At::Input(i), &INDEX_RANGE, message);
    cx.warn(fault.label(At::Input(0), cx.shown(0)).note(UNCHECKED));
}

/// The fault of a type of input `i` that cannot be an index.
pub(crate) fn no_index(cx: &InferCtx, i: usize) -> Fault {
    let ty = cx.input(i).ty;
    let message = format!("`{}` must be of an integer type, but is {ty}", cx.input_name(i));
    Fault::at(At::Input(i), &INDEX_TYPE, message).primary(ty.to_string())
}

/// Rejects a constant at input `i` that OpenVINO cannot read, and warns of one that it misreads.
pub(crate) fn check_reading(cx: &InferCtx, i: usize) -> Result<(), Fault> {
    match misreading(cx.spec, i, cx.input(i)) {
        Some(fault) if fault.verdict() == Runtime::Rejects => return Err(fault),
        Some(fault) => cx.warn(fault),
        None => {}
    }
    Ok(())
}

/// Changes the verdict on out-of-range axes in input `i` to `answer` if all axes are below the rank: only negative ones
/// are out of range then, which OpenVINO does not check.
pub(crate) fn passing_below_0(cx: &InferCtx, i: usize, answer: Runtime, fault: Fault) -> Fault {
    let rank = cx.input(0).rank().and_then(|rank| i64::try_from(rank).ok()).unwrap_or(i64::MAX);
    let is_below = cx.constant(i).is_some_and(|axes| axes.iter().all(|axis| *axis < rank));
    if fault.rule == &AXIS_RANGE && is_below { fault.runtime(answer) } else { fault }
}

/// Warns of floating-point numbers in input `i`, which should be integers.
pub(crate) fn warn_of_floats(cx: &InferCtx, i: usize) {
    let ty = cx.input(i).ty;
    if ty.is_float() && !is_misread(cx.input(i)) {
        let message = format!("`{}` is {ty}; OpenVINO truncates its values to integers", cx.input_name(i));
        cx.warn(Fault::at(At::Input(i), &FLOAT_INDEX, message));
    }
}
