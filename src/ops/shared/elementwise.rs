//! Elementwise operations: common specifications, inference and evaluation.

use super::agreement::agreed_type;
use super::broadcast::{self, AUTO_BROADCAST, BROADCAST_AXIS, Mode, broadcast_view};
use super::prelude::*;
use super::strides::View;
use crate::ops::Recent;
use crate::types::float_interval::{Function, fitted};
use crate::types::release;
use smallvec::SmallVec;

/// The specification of an operation on one numeric tensor without attributes.
pub(crate) const UNARY: OpSpec = OpSpec {
    inputs: &[Input::of("data", TypeSet::NUMERIC).rejects_strings(release(2024, 1))],
    ..OpSpec::new("", 1, infer_unary)
};

/// The specification of a function applied to every element.
pub(crate) const fn function(name: &'static str, opset: u8, of: Function) -> OpSpec {
    OpSpec { name, opset, eval: Eval::Function(of), ..UNARY }
}

/// The specification of an operation on two numeric tensors with broadcasting.
pub(crate) const BINARY: OpSpec = OpSpec {
    inputs: &[Input::of("a", TypeSet::NUMERIC), Input::of("b", TypeSet::NUMERIC)],
    attrs: &[AUTO_BROADCAST, BROADCAST_AXIS],
    infer: infer_binary,
    recent: &[Recent {
        what: "`auto_broadcast` `pdpd` that broadcasts a dimension of 1 of `b` before a dimension other than 1",
        first: release(2023, 1),
        attr: AUTO_BROADCAST.name,
        is_used: stretches_inside,
    }],
    ..UNARY
};

/// Whether `pdpd` stretches a 1 of `b` before a dimension that is not 1, for equal ranks, with which the axis is 0.
fn stretches_inside(inputs: &[Option<&Fact>], mode: Option<&str>) -> bool {
    let dims = |i: usize| inputs.get(i).copied().flatten()?.shape.dims();
    let (Some(a), Some(b), true) = (dims(0), dims(1), mode.is_some_and(|mode| mode.eq_ignore_ascii_case("pdpd")))
    else {
        return false;
    };
    let last = b.iter().rposition(|dim| *dim != Dim::exact(1)).unwrap_or(0);
    a.len() == b.len() && a.iter().zip(b).take(last).any(|(a, b)| *b == Dim::exact(1) && !a.admits(1))
}

/// An output of this type with the shape of an input.
pub(crate) fn shaped_like(input: &Fact, ty: ElementType) -> Inferred {
    Ok(vec![Fact::new(ty, input.shape.clone())])
}

/// The type and shape of the first input.
pub(crate) fn infer_unary(cx: &InferCtx) -> Inferred {
    shaped_like(cx.input(0), cx.input(0).ty)
}

/// The common type and the broadcast shape of two inputs.
pub(crate) fn infer_binary(cx: &InferCtx) -> Inferred {
    let ty = agreed_type(cx, &[0, 1])?;
    Ok(vec![Fact::new(ty, broadcast::inputs(cx, 0, 1)?)])
}

/// The fault, placed at `at`, of integers with a value that are divided by a constant with a 0.
pub(crate) fn division_by_0(cx: &InferCtx, at: At) -> Option<Fault> {
    let has_zero = || cx.constant(1).is_some_and(|divisor| divisor.contains(&0));
    let is_one = !cx.input(1).ty.is_float() && cx.value(0).is_some() && has_zero();
    let message = || format!("`{}` holds 0, by which integers are not divided", cx.input_name(1));
    is_one.then(|| Fault::at(at, &INPUT_VALUE, message()))
}

/// Records a demand that no clause expresses, if integers with a value are divided by ones that may be 0.
pub(crate) fn leave_division_open(cx: &InferCtx) {
    let may_be_0 =
        |i: usize| cx.value(i).and_then(Value::as_integers).is_some_and(|all| all.iter().any(|one| one.admits(0)));
    if cx.value(0).is_some() && may_be_0(1) {
        demand::leave_open();
    }
}

/// Infers a remainder. OpenVINO computes some number for integers divided by 0, which it may refuse where it is used.
pub(crate) fn infer_remainder(cx: &InferCtx) -> Inferred {
    leave_division_open(cx);
    match division_by_0(cx, At::Input(1)) {
        Some(fault) => Err(fault.runtime(Runtime::Unknown)),
        None => infer_binary(cx),
    }
}

/// The elements of an input, broadcast to the output.
pub(crate) struct Operand<'a, T> {
    elements: Option<&'a [Bounds<T>]>,
    view: View,
    unknown: Bounds<T>,
}

impl<T: Copy> Operand<'_, T> {
    /// The element for output element `i`.
    pub(crate) fn at(&self, i: usize) -> Bounds<T> {
        self.elements.and_then(|all| all.get(self.view.offset(i))).copied().unwrap_or(self.unknown)
    }

    /// Whether the input has a value.
    pub(crate) fn is_known(&self) -> bool {
        self.elements.is_some()
    }
}

/// Input `i` of whole numbers or booleans, broadcast to `lengths`; any numbers of its type if it has no value.
pub(crate) fn whole<'a>(cx: &InferCtx<'a>, i: usize, mode: Mode, lengths: &[usize]) -> Option<Operand<'a, i64>> {
    let unknown = Bounds::<i64>::of(cx.input(i).ty)?;
    let Some(value) = cx.value(i) else { return Some(Operand { elements: None, view: View::new(0), unknown }) };
    let view = broadcast_view(mode, value.lengths(), lengths)?;
    Some(Operand { elements: Some(value.as_integers()?), view, unknown })
}

/// Input `i` of floating-point numbers, broadcast to `lengths`; any numbers if it has no value.
pub(crate) fn real<'a>(cx: &InferCtx<'a>, i: usize, mode: Mode, lengths: &[usize]) -> Option<Operand<'a, f64>> {
    let unknown = Bounds::<f64>::ANY;
    let Some(value) = cx.value(i) else { return Some(Operand { elements: None, view: View::new(0), unknown }) };
    let view = broadcast_view(mode, value.lengths(), lengths)?;
    Some(Operand { elements: Some(value.as_floats()?), view, unknown })
}

/// Evaluates an operation on one input.
pub(crate) fn unary(
    cx: &InferCtx,
    outputs: &[Fact],
    of_whole: impl Fn(Interval) -> Option<Interval>,
    of_real: impl Fn(Bounds<f64>) -> Bounds<f64>,
) -> Option<Vec<Value>> {
    let [output] = outputs else { return None };
    let lengths = output.shape.sizes()?;
    let ty = cx.input(0).ty;
    if ty.is_float() {
        let data = real(cx, 0, Mode::None, &lengths).filter(Operand::is_known)?;
        return reals(output, |i| of_real(data.at(i)));
    }
    let data = whole(cx, 0, Mode::None, &lengths)?;
    wholes(output, |i| {
        let span = Interval::of(ty, data.at(i));
        let result = of_whole(span)?;
        if span.value().is_some() { result.wrapped(output.ty) } else { result }.bounds(output.ty)
    })
}

/// Evaluates a function of one number.
pub(crate) fn results(cx: &InferCtx, outputs: &[Fact], function: &Function) -> Option<Vec<Value>> {
    let [output] = outputs else { return None };
    let ty = cx.input(0).ty;
    if ty.is_float() {
        return unary(cx, outputs, |_| None, |a| function.real(ty, a));
    }
    let data = whole(cx, 0, Mode::None, &output.shape.sizes()?)?;
    wholes(output, |i| function.whole(ty, data.at(i)))
}

/// Evaluates an operation on two inputs with broadcasting.
pub(crate) fn binary(
    cx: &InferCtx,
    outputs: &[Fact],
    of_whole: impl Fn(Interval, Interval) -> Option<Interval>,
    of_real: impl Fn(Bounds<f64>, Bounds<f64>) -> Bounds<f64>,
) -> Option<Vec<Value>> {
    let [output] = outputs else { return None };
    let (mode, lengths) = (Mode::of(cx), output.shape.sizes()?);
    let ty = output.ty;
    if ty.is_float() {
        let known = |i| real(cx, i, mode, &lengths).filter(Operand::is_known);
        let (a, b) = (known(0)?, known(1)?);
        return reals(output, |i| of_real(a.at(i), b.at(i)));
    }
    let (a, b) = (whole(cx, 0, mode, &lengths)?, whole(cx, 1, mode, &lengths)?);
    if !a.is_known() && !b.is_known() {
        return None;
    }
    wholes(output, |i| {
        let (a, b) = (Interval::of(ty, a.at(i)), Interval::of(ty, b.at(i)));
        let result = of_whole(a, b)?;
        if a.value().and(b.value()).is_some() { result.wrapped(ty) } else { result }.bounds(ty)
    })
}

/// Evaluates a comparison of two inputs; undecided elements are 0 or 1.
pub(crate) fn compare(
    cx: &InferCtx,
    outputs: &[Fact],
    of_whole: impl Fn(Bounds<i128>, Bounds<i128>) -> Option<bool>,
    of_real: impl Fn(Bounds<f64>, Bounds<f64>) -> Option<bool>,
) -> Option<Vec<Value>> {
    let [output] = outputs else { return None };
    let (mode, lengths) = (Mode::of(cx), output.shape.sizes()?);
    if cx.input(0).ty.is_float() {
        let known = |i| real(cx, i, mode, &lengths).filter(Operand::is_known);
        let (a, b) = (known(0)?, known(1)?);
        return wholes(output, |i| Some(flag(of_real(a.at(i), b.at(i)))));
    }
    let (a, b) = (whole(cx, 0, mode, &lengths)?, whole(cx, 1, mode, &lengths)?);
    let (a_type, b_type) = (cx.input(0).ty, cx.input(1).ty);
    wholes(output, |i| Some(flag(of_whole(Interval::of(a_type, a.at(i)).into(), Interval::of(b_type, b.at(i)).into()))))
}

/// The bounds of a boolean that may be undecided.
pub(crate) fn flag(decided: Option<bool>) -> Bounds<i64> {
    decided.map_or(Bounds::between(0, 1), |flag| Bounds::exact(flag.into()))
}

/// A value of whole numbers or booleans; `None` if all elements are unknown.
pub(crate) fn wholes(output: &Fact, at: impl Fn(usize) -> Option<Bounds<i64>>) -> Option<Vec<Value>> {
    let any = Bounds::<i64>::of(output.ty)?;
    let count = output.shape.count()?;
    let all: SmallVec<[Bounds<i64>; 2]> = (0..count).map(|i| at(i).unwrap_or(any)).collect();
    let nothing = !all.is_empty() && all.iter().all(|one| *one == any);
    if nothing { None } else { Some(vec![Value::integers(&output.shape, all)?]) }
}

/// A value of floating-point numbers, rounded to their type; `None` if all elements are unknown.
pub(crate) fn reals(output: &Fact, at: impl Fn(usize) -> Bounds<f64>) -> Option<Vec<Value>> {
    let any = Bounds::<f64>::ANY;
    let count = output.shape.count()?;
    let all = (0..count).map(|i| fitted(output.ty, at(i))).collect::<Option<SmallVec<[Bounds<f64>; 2]>>>()?;
    let nothing = !all.is_empty() && all.iter().all(|one| *one == any);
    if nothing { None } else { Some(vec![Value::floats(&output.shape, all)?]) }
}
