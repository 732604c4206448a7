//! `Range`: numbers from a start up to, not including, a stop by a step.
//!
//! - Spec: `generation/range-1` (one type for all), `-4` (adds `output_type`; an integer type truncates the inputs)
//! - Shape: one dimension, `(stop - start) / step` rounded up, at least 0; bounded if start or stop are. A step that is
//!   truncated to 0 gives no elements.
//! - Errors: `input-rank`; `index-type` for constants that OpenVINO cannot read; `type-conflict` (-1); `input-value` for a step of 0 and numbers that are not finite;
//!   `attribute-value` for a boolean `output_type`; `missing-attribute` without one, which OpenVINO reads and does not compile.
//! - Differs from OpenVINO: bounds are used; whole numbers are not rounded to 53 bits, and counts may exceed 32 bits.

use crate::ops::prelude::*;
use crate::ops::shared::totals::whole_up_to;
use crate::types::interval::far;

pub(super) static RANGE_1: OpSpec = OpSpec {
    inputs: &[
        number("start", TYPES_1).followed(),
        number("stop", TYPES_1).followed(),
        number("step", TYPES_1).followed(),
    ],
    eval: Eval::Compute(Bounding::Constants, eval),
    ..OpSpec::new("Range", 1, infer)
};

pub(super) static RANGE_4: OpSpec = OpSpec {
    opset: 4,
    inputs: &[
        number("start", TYPES_4).followed(),
        number("stop", TYPES_4).followed(),
        number("step", TYPES_4).followed(),
    ],
    attrs: &[Attr::compiled("output_type", Kind::Type, "dynamic").checked(Checked::Static)],
    ..RANGE_1
};

const TYPES_1: TypeSet = TYPES_4.without(&[ElementType::U1, ElementType::I4, ElementType::U4]);
const TYPES_4: TypeSet = TypeSet::ANY.without(&[ElementType::Boolean]);

const fn number(name: &'static str, types: TypeSet) -> Input {
    Input::of(name, types).ranks(&[0]).read()
}

fn infer(cx: &InferCtx) -> Inferred {
    let ty = if cx.spec.opset == 1 { agreed_type(cx, &[0, 1, 2])? } else { given_type(cx, "output_type") };
    if ty == ElementType::Boolean {
        let message = "`output_type=\"boolean\"` of Range must be a numeric type";
        return Err(Fault::at(At::Attr("output_type"), &ATTRIBUTE_VALUE, message));
    }
    for i in 0..3 {
        let number = cx.constant_floats(i).and_then(|all| all.first().copied());
        if let Some(number) = number.filter(|number| !number.is_finite() || (i == 2 && *number == 0.0)) {
            let wanted = if i == 2 { "a finite number other than 0" } else { "a finite number" };
            let message = format!("`{}` of Range is {number}, wanted {wanted}", cx.input_name(i));
            let fault = Fault::at(At::Input(i), &INPUT_VALUE, message);
            return Err(if number == 0.0 && cx.spec.opset > 1 { fault.since(release(2026, 4)) } else { fault });
        }
    }
    match cx.bounds(2).and_then(|all| all.first().copied()) {
        _ if cx.constant_floats(2).is_some() => {}
        Some(step) if step.lower >= 0 && !cx.input(2).ty.is_float() => {
            step.to_dim().unwrap_or(Dim::ANY).demand_at_least(Dim::exact(1));
        }
        _ => demand::leave_open(),
    }
    let length = if TypeSet::REAL.has(ty) { real_length(cx) } else { whole_length(cx) };
    // OpenVINO counts in 32 bits.
    let fits = |dim: &Dim| !cx.is_openvino() || dim.lower() <= i64::from(i32::MAX);
    Ok(vec![Fact::new(ty, PartialShape::of([length.filter(fits).unwrap_or(Dim::ANY)]))])
}

/// The length of a range of whole numbers.
fn whole_length(cx: &InferCtx) -> Option<Dim> {
    let (from, until, step) = (whole(cx, 0)?, whole(cx, 1)?, whole(cx, 2)?);
    let Some(step) = step.value() else {
        // OpenVINO rejects a step of 0.
        let is_ahead = step.lower >= 0 && !TypeSet::REAL.has(cx.input(2).ty);
        return Some(Dim::ANY.equal(|| steps(from, until, Some(step).filter(|_| is_ahead)?)));
    };
    let count = |a: i128, b: i128| {
        let way = b.saturating_sub(a).saturating_mul(step.signum());
        if way <= 0 || step == 0 { 0 } else { i64::try_from((way - 1) / step.abs() + 1).unwrap_or(i64::MAX) }
    };
    let (nearest, farthest) = extremes(step > 0, (from.lower, from.upper), (until.lower, until.upper));
    let unbounded = step != 0 && (far(farthest.0) || far(farthest.1));
    let upper = if unbounded { i64::MAX } else { count(farthest.0, farthest.1) };
    let length = Dim::between(count(nearest.0, nearest.1).min(i64::MAX - 1), upper)?;
    Some(length.equal(|| steps(from, until, Interval::exact(step))))
}

/// The number of steps from one number to another, exclusive.
fn steps(from: Interval, until: Interval, step: Interval) -> Option<Interval> {
    let is_ahead = step.lower >= 0;
    let way = if is_ahead { until.plus(from.negated()) } else { from.plus(until.negated()) };
    let step = if is_ahead { step } else { step.negated() };
    (step.value() != Some(0)).then(|| way.max(Interval::exact(0)).div_ceil(step))
}

/// The length of a range of floating-point numbers, computed in f64.
fn real_length(cx: &InferCtx) -> Option<Dim> {
    let (from, until, step) = (real(cx, 0)?, real(cx, 1)?, real(cx, 2)?.value()?);
    let count = |a: f64, b: f64| {
        let way = if step > 0.0 { b - a } else { a - b };
        if way > 0.0 { crate::types::truncate((way / step.abs()).ceil()) } else { 0 }
    };
    let (nearest, farthest) = extremes(step > 0.0, (from.lower, from.upper), (until.lower, until.upper));
    let length = Dim::between(count(nearest.0, nearest.1).min(i64::MAX - 1), count(farthest.0, farthest.1))?;
    let is_whole = |i| real(cx, i).and_then(Bounds::<f64>::value).is_none_or(|number| number.fract() == 0.0);
    let whole = |i| whole(cx, i).filter(|_| is_whole(i));
    Some(length.equal(|| steps(whole(0)?, whole(1)?, Interval::exact(whole(2)?.value()?))))
}

/// The bounds of start and stop at the smallest and at the largest distance.
fn extremes<T: Copy>(forward: bool, from: (T, T), until: (T, T)) -> ((T, T), (T, T)) {
    if forward { ((from.1, until.0), (from.0, until.1)) } else { ((from.0, until.1), (from.1, until.0)) }
}

fn whole(cx: &InferCtx, i: usize) -> Option<Interval> {
    Some(Interval::of(cx.input(i).ty, *cx.bounds(i)?.first()?))
}

#[allow(clippy::cast_precision_loss, reason = "OpenVINO rounds integers to double precision the same way")]
fn real(cx: &InferCtx, i: usize) -> Option<Bounds<f64>> {
    let value = cx.value(i)?;
    if let Some(floats) = value.as_floats() {
        return floats.first().copied();
    }
    let Interval { lower, upper, .. } = whole(cx, i)?;
    let lower = if far(lower) { f64::NEG_INFINITY } else { lower as f64 };
    let upper = if far(upper) { f64::INFINITY } else { upper as f64 };
    Some(Bounds::between(lower, upper))
}

/// Evaluates the numbers. Floating-point numbers only as long as every order of additions gives the same result.
fn eval(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Value>> {
    let output = outputs.first()?;
    let count = output.shape.dim(0).length()?;
    let step = whole(cx, 2)?.value()?;
    if output.ty.is_float() {
        let (start, exact_step) = (real(cx, 0)?.value()?, real(cx, 2)?.value()?);
        let largest = start.abs() + exact_step.abs() * f64::from(i32::try_from(count).ok()?);
        if start.fract() != 0.0 || exact_step.fract() != 0.0 || largest > whole_up_to(output.ty)? {
            return None;
        }
        let elements = (0..i32::try_from(count).ok()?).map(|i| Bounds::exact(start + f64::from(i) * exact_step));
        return Some(vec![Value::floats(&output.shape, elements)?]);
    }
    let start = whole(cx, 0)?;
    let element = |i: i64| start.plus(Interval::exact(i128::from(i).saturating_mul(step))).bounds(output.ty);
    Some(vec![Value::integers(&output.shape, (0..count).map(element).collect::<Option<Vec<_>>>()?)?])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let range = |start, stop, step| op("Range", 4, [start, stop, step]);
        let whole = |start, stop, step| range(start, stop, step).attr("output_type", "i64");
        whole("i64[]", "i64[] = 10", "i64[] = 3").gives(["i64[?]"]);
        whole("i64[...]", "i64[] = 10", "i64[] = 3").gives(["i64[?]"]);
        whole("i64[] = 0", "i64[] = 5", "i64[]").gives(["i64[?]"]);
        whole("i64[] = 0", "i64[] = 5..9", "i64[] = 2").gives(["i64[3..5]"]);
        whole("i64[] = 0", "i64[] = 5..", "i64[] = 1").gives(["i64[5..]"]);
        whole("i64[] = 5..9", "i64[] = 0", "i64[] = -1").gives(["i64[5..9]"]);
        whole("i64[] = 0", "i64[] = 9223372036854775807", "i64[] = 1").gives(["i64[9223372036854775806..]"]);
        whole("u64[] = -3", "u64[] = 3", "u64[] = 3").gives(["i64[0] = "]);
        whole("u64[] = -3", "u64[] = -1", "u64[] = 1").gives(["i64[2] = ?,?"]);
        op("Range", 1, ["u64[] = 3", "u64[] = -1", "u64[] = -2"]).gives(["u64[1] = 3"]);
        whole("f32[] = 1.9", "f32[] = 5.1", "f32[] = 1").gives(["i64[4] = 1,2,3,4"]);
        whole("f32[] = 0", "f32[] = 5", "f32[] = 0.5").gives(["i64[0] = "]);
        range("f32[] = 1.9", "f32[] = 5.1", "f32[] = 1").attr("output_type", "f32").gives(["f32[4]"]);
        range("i64[] = 0", "f32[] = 2.5..4.5", "i64[] = 1").attr("output_type", "f32").gives(["f32[3..5]"]);
        range("i64[] = 0", "i64[] = 3", "i64[] = 1").passes(["dynamic[3]"]);
        op("Range", 1, ["f32[]", "dynamic[]", "f32[] = 1"]).gives(["f32[?]"]);
    }

    #[test]
    fn values() {
        let range = |start, stop, step| op("Range", 4, [start, stop, step]);
        range("i64[] = 10", "i64[] = 0", "i64[] = -4").attr("output_type", "i32").gives(["i32[3] = 10,6,2"]);
        range("f32[] = 0", "f32[] = 6", "f32[] = 2").attr("output_type", "f16").gives(["f16[3] = 0,2,4"]);
        range("i64[] = 254", "i64[] = 257", "i64[] = 1").attr("output_type", "u8").gives(["u8[3] = 254,255,0..255"]);
        range("f32[] = 0", "f32[] = 1", "f32[] = 0.5").attr("output_type", "f32").gives(["f32[2]"]);
        op("Range", 1, ["i64[] = 2..3", "i64[] = 4..5", "i64[] = 9"]).gives(["i64[1] = 2..3"]);
    }

    #[test]
    fn errors() {
        let range = |start, stop, step| op("Range", 4, [start, stop, step]).attr("output_type", "f32");
        range("f32[]", "f32[]", "f32[] = 0")
            .fails("input-value", "`step` of Range is 0, wanted a finite number other than 0");
        range("f32[]", "f32[] = inf", "f32[]").fails("input-value", "`stop` of Range is inf, wanted a finite number");
        range("f32[1] = 0", "f32[]", "f32[]").fails("input-rank", "`start` of Range must be a scalar, but is f32[1]");
        range("f8e8m0[] = 1", "f32[]", "f32[]")
            .fails("index-type", "`start` of Range holds constants of type f8e8m0, which OpenVINO cannot read");
        range("boolean[]", "f32[]", "f32[]").fails("input-type", "Range does not accept boolean at input 0 `start`");
        op("Range", 4, ["i64[]", "i64[]", "i64[]"])
            .attr("output_type", "boolean")
            .fails("attribute-value", "`output_type=\"boolean\"` of Range must be a numeric type");
        op("Range", 1, ["i64[]", "i32[]", "i64[]"]).fails("type-conflict", "`stop` is i32, `start` is i64");
        op("Range", 1, ["u4[]", "dynamic[]", "dynamic[]"])
            .fails("input-type", "Range does not accept u4 at input 0 `start`");
    }
}
