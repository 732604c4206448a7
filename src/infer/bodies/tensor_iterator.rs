//! `TensorIterator`: runs a body once per slice.
//!
//! - Shape: the body gets `part_size` elements of a sliced input along `axis`. With `start` and `end` counted from the front,
//!   `|end - start| + 1` elements are split, and there is an iteration for every whole part. Of several sliced inputs, the
//!   last one whose length is known determines the iteration count. A concatenated output has `part_size` elements per iteration.
//! - Errors: `axis-range`; `bad-port-map`, among others for a `part_size` of 0, by which OpenVINO divides.
//! - OpenVINO compares neither element types nor the iteration counts of different slices.
//! - Differs from OpenVINO: OpenVINO assumes that a back edge keeps the shape of the first iteration; ovlint infers the
//!   fixpoint. No plugin runs a model as written if static shapes do not fit: that is reported, and the body keeps the shapes
//!   of the first iteration. Dynamic shapes are passed on even if they do not fit.

use super::fixpoint::infer_fixpoint;
use super::rules::BAD_PORT_MAP;
use super::runs::{Binding, Runs};
use super::slices::{self, sliced_length};
use super::wiring::{BodyInput, BodyOutput, written};
use super::{Bindings, BodyOp, Failed, back_edges};
use crate::diagnostic::{Diagnostic, Runtime, Severity};
use crate::ir::Slice;
use crate::ops::WithBodies;
use crate::ops::rules::AXIS_RANGE;
use crate::source::Span;
use crate::text::plural;
use crate::types::interval::{Interval, floor_div};
use crate::types::symbol::Operand;
use crate::types::{Dim, Fact, PartialShape, from_front};

pub(super) fn infer(host: &mut BodyOp, body: &mut Runs) -> Result<Vec<Fact>, Failed> {
    let mut bindings = Bindings::new();
    let (mut iterations, mut named) = (None, Dim::ANY);
    for inlet in &body.wiring().inputs {
        let mut fact = host.input(inlet.external);
        if let Some(slice) = inlet.slice {
            let whole = fact.shape.clone();
            fact = Fact { value: None, shape: slice_shape(host, inlet.tag, &slice, &whole)?, ..fact };
            let axis = usize::try_from(slice.axis).unwrap_or(usize::MAX);
            if let Some(length) = whole.rank().and_then(|_| whole.dim(axis).length()) {
                iterations = Some(part_count(&slice, length, 1));
            } else if whole.rank().is_some() {
                named = symbolic_part_count(&slice, whole.dim(axis));
            }
        } else if inlet.back.is_some() {
            fact.value = None;
        }
        // OpenVINO does not update Parameters without consumers.
        if body.is_used(inlet.parameter) {
            bindings.insert(inlet.parameter, Binding { fact, keeps_type: true });
        }
    }
    let iterations = match iterations {
        Some(count) => count,
        None if body.wiring().inputs.iter().any(|inlet| inlet.slice.is_some()) => None,
        None => without_slices(host, body)?,
    };
    body.infer(bindings, host.work);
    // There is a first iteration: OpenVINO refuses to run on inputs with zero parts.
    let repeats = iterations.is_none_or(|count| count > 1);
    let misfits = back_edges::check(host, body, repeats);
    // OpenVINO infers a single iteration.
    if repeats && !host.is_openvino() {
        infer_fixpoint(host, body, &misfits);
    }
    let mut outputs = Vec::new();
    for outlet in &body.wiring().outputs {
        outputs.push(output(host, body, outlet, iterations.map_or(named, Dim::exact))?);
    }
    if host.is_assumed() {
        for output in &mut outputs {
            output.assumed = true;
        }
    }
    if !slices::report_refused(host, body, &outputs) {
        report_doubtful(host, body);
    }
    Ok(outputs)
}

/// Returns the shape of one slice of an input.
pub(super) fn slice_shape(
    host: &mut BodyOp,
    tag: Span,
    slice: &Slice,
    whole: &PartialShape,
) -> Result<PartialShape, Failed> {
    if slice.part_size <= 0 {
        let message = format!("`part_size` is {}, expected at least 1", slice.part_size);
        let mut finding = Diagnostic::new(&BAD_PORT_MAP, written(host.scope, tag, "part_size"), message);
        let divides = slice.part_size == 0 && host.op == WithBodies::TensorIterator;
        if !divides {
            finding = finding.runtime(Runtime::Accepts);
        } else if !sliced_length(slice, whole).is_some_and(Dim::is_exact) {
            finding = finding.runtime(Runtime::Unknown); // OpenVINO divides known lengths only.
        }
        host.report_at(finding);
        if divides {
            return Err(Failed);
        }
    }
    let Some(rank) = whole.rank() else { return Ok(PartialShape::UNKNOWN) };
    match usize::try_from(slice.axis) {
        Ok(axis) if axis < rank => Ok(whole.with(axis, length(slice.part_size))),
        Err(_) => Err(Failed), // The reader reported it.
        Ok(_) => Err(axis_range(host, tag, slice.axis, whole)),
    }
}

/// Returns the axis of a concatenated output of known rank, counted from the front; a scalar is treated as one-dimensional.
pub(super) fn concat_axis(
    host: &mut BodyOp,
    outlet: &BodyOutput,
    axis: i64,
    shape: &PartialShape,
) -> Result<usize, Failed> {
    from_front(axis, shape.rank().unwrap_or(0).max(1)).ok_or_else(|| axis_range(host, outlet.tag, axis, shape))
}

fn axis_range(host: &mut BodyOp, tag: Span, axis: i64, shape: &PartialShape) -> Failed {
    let message = format!("axis {axis} does not exist in {shape}");
    host.report_at(Diagnostic::new(&AXIS_RANGE, written(host.scope, tag, "axis"), message));
    Failed
}

/// Returns the dimension that OpenVINO reads from a number; -1 and the largest 64-bit number are dynamic.
fn length(number: i64) -> Dim {
    if number == -1 || number == i64::MAX { Dim::ANY } else { Dim::exact(number) }
}

/// Counts the whole parts from start to end; `None` if OpenVINO reads the count as unknown.
fn part_count(slice: &Slice, length: i64, border: i128) -> Option<i64> {
    let from_front = |position: i64| i128::from(position) + if position < 0 { i128::from(length) } else { 0 };
    let span = (from_front(slice.end) - from_front(slice.start)).abs() + border;
    let count = span.checked_div(i128::from(slice.part_size))?;
    i64::try_from(count).ok().filter(|count| *count != -1)
}

/// Returns the symbolic number of parts of a whole dimension. For a dimension of 0, OpenVINO's formula gives 2 elements:
/// `|-1 - 0| + 1`.
fn symbolic_part_count(slice: &Slice, whole: Dim) -> Dim {
    let is_whole = matches!((slice.start, slice.end), (0, -1) | (-1, 0)) && slice.part_size > 0;
    let counted = || whole.choose(Operand::new(None, whole.symbol()), Operand::Known(2));
    let (length, size) = (Interval::from(Dim::ANY.with_symbol(counted())), Interval::exact(slice.part_size.into()));
    Dim::ANY.equal(|| is_whole.then(|| length.divided(size, floor_div)))
}

/// Returns the iteration count of a TensorIterator without slices: the first concatenated output determines it.
fn without_slices(host: &mut BodyOp, body: &Runs) -> Result<Option<i64>, Failed> {
    let concat = body.wiring().outputs.iter().find_map(|outlet| Some((outlet, outlet.slice?)));
    let Some((outlet, slice)) = concat else { return Ok(None) };
    if slice.part_size == 0 {
        slice_shape(host, outlet.tag, &slice, &PartialShape::UNKNOWN)?;
    }
    Ok(part_count(&slice, 0, 0))
}

fn output(host: &mut BodyOp, body: &Runs, outlet: &BodyOutput, iterations: Dim) -> Result<Fact, Failed> {
    let fact = Fact { value: None, ..body.result(outlet.result) };
    let Some(slice) = outlet.slice else { return Ok(fact) };
    if fact.rank().is_none() {
        return Ok(fact);
    }
    if fact.rank() == Some(0) && slice.axis != 0 {
        return Err(axis_range(host, outlet.tag, slice.axis, &fact.shape));
    }
    let axis = concat_axis(host, outlet, slice.axis, &fact.shape)?;
    let whole = match iterations.length() {
        Some(count) => count.checked_mul(slice.part_size).map_or(Dim::ANY, length),
        None if slice.part_size > 0 => iterations.times(Dim::exact(slice.part_size)),
        None => Dim::ANY,
    };
    let shape = if fact.rank() == Some(0) { PartialShape::of([whole]) } else { fact.shape.with(axis, whole) };
    Ok(Fact { shape, ..fact })
}

/// Warns of slices with which OpenVINO compiles the model, or may.
fn report_doubtful(host: &mut BodyOp, body: &Runs) {
    let mut before = None;
    for inlet in &body.wiring().inputs {
        let Some(slice) = inlet.slice else { continue };
        report_no_stride(host, inlet.tag, &slice);
        let Some(length) = sliced_length(&slice, &host.input(inlet.external).shape).and_then(Dim::length) else {
            continue;
        };
        let count = part_count(&slice, length, 1);
        check_range(host, inlet, &slice, length, count);
        if before.is_some_and(|before| before != count) {
            report_different_counts(host, inlet, before.flatten(), count);
        }
        before = Some(count);
    }
    for outlet in &body.wiring().outputs {
        let Some(slice) = outlet.slice else { continue };
        report_no_stride(host, outlet.tag, &slice);
        report_length(host, outlet, &slice, "part_size", slice.part_size, &body.result(outlet.result).shape);
    }
}

/// Warns of a stride of 0.
pub(super) fn report_no_stride(host: &mut BodyOp, tag: Span, slice: &Slice) {
    if slice.stride == 0 {
        let place = written(host.scope, tag, "stride");
        let finding = Diagnostic::new(&BAD_PORT_MAP, place, "a `stride` of 0 never moves on");
        host.report_at(finding.severity(Severity::Warning).runtime(Runtime::Accepts));
    }
}

/// Warns of an attribute of an output that is not the length that the body gives along the axis.
pub(super) fn report_length(
    host: &mut BodyOp,
    outlet: &BodyOutput,
    slice: &Slice,
    attribute: &str,
    length: i64,
    shape: &PartialShape,
) {
    let Some((rank, axis)) = shape.rank().and_then(|rank| Some((rank, from_front(slice.axis, rank)?))) else { return };
    let each = shape.dim(axis);
    if rank > 0 && !each.admits(length) {
        let message = format!("`{attribute}` is {length}, the body gives {each} along axis {axis}");
        let finding = Diagnostic::new(&BAD_PORT_MAP, written(host.scope, outlet.tag, attribute), message);
        host.report_at(finding.severity(Severity::Warning).runtime(Runtime::Accepts));
    }
}

/// Warns of slices that exceed the tensor.
fn check_range(host: &mut BodyOp, inlet: &BodyInput, slice: &Slice, length: i64, count: Option<i64>) {
    for (name, position) in [("start", slice.start), ("end", slice.end)] {
        let from_front = if position < 0 { position.saturating_add(length) } else { position };
        if (0..length).contains(&from_front) || length == 0 {
            continue;
        }
        let made =
            count.map(|count| format!(", which makes {count} iteration{s}", s = plural(count))).unwrap_or_default();
        let message = format!("`{name}` {position} is outside axis {} of {length} elements{made}", slice.axis);
        let finding = Diagnostic::new(&BAD_PORT_MAP, written(host.scope, inlet.tag, name), message);
        host.report_at(finding.severity(Severity::Warning).runtime(Runtime::Accepts));
        return;
    }
}

fn report_different_counts(host: &mut BodyOp, inlet: &BodyInput, before: Option<i64>, count: Option<i64>) {
    let show = |count: Option<i64>| count.map_or("?".to_owned(), |count| count.to_string());
    let message = format!("this input makes {} iterations, an earlier one {}", show(count), show(before));
    let finding = Diagnostic::new(&BAD_PORT_MAP, inlet.tag, message);
    host.report_at(finding.severity(Severity::Warning).runtime(Runtime::Accepts));
}
