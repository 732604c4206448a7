//! `Convert`: the elements of a tensor converted to another type.
//!
//! - Spec: `type/convert-1`
//! - Shape: that of the input; of type `destination_type`.
//! - Errors: `missing-attribute`, `attribute-value` without a type, which OpenVINO reads and does not compile.
//! - Differs from OpenVINO: reals out of range of u32 or a type below one byte are unknown.

use crate::ops::Dated;
use crate::ops::prelude::*;
use crate::ops::shared::broadcast::Mode;
use crate::ops::shared::elementwise::{Operand, flag, real, reals, shaped_like, whole, wholes};
use crate::types::float_interval::largest;
use crate::types::interval::far;

pub(super) static CONVERT_1: OpSpec = OpSpec {
    inputs: &[Input::any("data")],
    attrs: &[Attr::compiled("destination_type", Kind::Type, "dynamic").since(Dated::OpenType, release(2025, 0))],
    action: Action::Converts,
    eval: Eval::Compute(Bounding::MovedUnless(is_converted_late), |cx, outputs| {
        Some(vec![converted(cx, 0, outputs.first()?)?])
    }),
    ..OpSpec::new("Convert", 1, |cx| shaped_like(cx.input(0), given_type(cx, "destination_type")))
};

/// Whether OpenVINO converts the elements only when it compiles the model.
fn is_converted_late(cx: &InferCtx) -> bool {
    TypeSet::NARROW_FLOAT.has(cx.input(0).ty)
}

/// The elements of input `i` converted to the type of `output`, which has the same shape.
pub(super) fn converted(cx: &InferCtx, i: usize, output: &Fact) -> Option<Value> {
    let lengths = output.shape.sizes()?;
    let (from, to) = (cx.input(i).ty, output.ty);
    let value = if from.is_float() {
        let data = real(cx, i, Mode::None, &lengths).filter(Operand::is_known)?;
        match to {
            _ if to.is_float() => reals(output, |i| data.at(i)),
            ElementType::Boolean => wholes(output, |i| Some(flag(is_set(data.at(i))))),
            _ => wholes(output, |i| truncated(data.at(i), to).bounds(to)),
        }
    } else {
        let data = whole(cx, i, Mode::None, &lengths)?;
        match to {
            _ if to.is_float() => reals(output, |i| widened(from, to, data.at(i))),
            ElementType::Boolean => wholes(output, |i| Some(flag(is_set(data.at(i))))),
            _ => wholes(output, |i| rewritten(from, to, data.at(i)).bounds(to)),
        }
    };
    value?.pop()
}

/// Returns `Some(true)` if the number is never 0, `Some(false)` if always.
fn is_set<T: PartialOrd + Default + Copy>(number: Bounds<T>) -> Option<bool> {
    let zero = T::default();
    let always = number.lower > zero || number.upper < zero;
    if always { Some(true) } else { (number.lower == zero && number.upper == zero).then_some(false) }
}

/// Real numbers truncated to integers. Infinity, NaN and numbers out of range are converted as on x86 if the result of
/// OpenVINO was measured, else they are unknown.
#[allow(clippy::cast_possible_truncation, reason = "`as` saturates at 128 bits, which `far` takes for an open bound")]
fn truncated(number: Bounds<f64>, to: ElementType) -> Interval {
    match number.value() {
        Some(exact) => cut(exact, to),
        None => Interval::between(number.lower as i128, number.upper as i128).with_symbol(number.symbol),
    }
}

/// One real number truncated to an integer of type `to`.
#[allow(clippy::cast_possible_truncation, reason = "only what fits is cast")]
fn cut(number: f64, to: ElementType) -> Interval {
    use ElementType as T;
    const MIDDLE: f64 = 9_223_372_036_854_775_808.0;
    // A register of this many bits gets the minimum instead of a number that it cannot hold.
    let register = |number: f64, bits: u32| {
        let end = 1_i128 << (bits - 1);
        let whole = number as i128;
        if number.is_nan() || !(-end..end).contains(&whole) { -end } else { whole }
    };
    let whole = match to {
        T::I8 | T::U8 | T::I16 | T::U16 | T::I32 => register(number, 32),
        T::U64 if number >= MIDDLE => register(number - MIDDLE, 64) ^ (1 << 63),
        T::I64 | T::U64 => register(number, 64),
        // For other numbers, the result of OpenVINO depends on how many it converts.
        T::U32 if (-2_147_483_648.0..4_294_967_296.0).contains(&number) => number as i128,
        _ if to.is_packed() && number.is_finite() => return Interval::exact(number as i128),
        _ => return Interval::ANY,
    };
    Interval::exact(whole).wrapped(to)
}

/// Whole numbers converted to another integer type. In OpenVINO, the maximum of a type means unbounded and becomes the maximum
/// of the other; other numbers wrap around.
fn rewritten(from: ElementType, to: ElementType, number: Bounds<i64>) -> Interval {
    let span = Interval::of(from, number);
    match (LARGEST.has(from).then(|| most(from)), LARGEST.has(to)) {
        (Some(largest), true) if span == largest => most(to),
        _ => span.wrapped(to),
    }
}

/// The types whose maximum means unbounded.
const LARGEST: TypeSet = TypeSet::of(&[ElementType::I32, ElementType::U32, ElementType::I64, ElementType::U64]);

/// The maximum of one of these types.
fn most(ty: ElementType) -> Interval {
    let highest = ty.integer_range().map_or(i64::MAX, |(_, highest)| highest);
    Interval::exact(if ty == ElementType::U64 { u64::MAX.into() } else { highest.into() })
}

/// Whole numbers of type `from` converted to reals, through f32 for narrower types.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "rounds as Convert does")]
fn widened(from: ElementType, to: ElementType, number: Bounds<i64>) -> Bounds<f64> {
    let span = Interval::of(from, number);
    let end = |end: i128, missing: f64| match to {
        _ if far(end) => missing,
        ElementType::F64 => end as f64,
        _ => (end as f32).into(),
    };
    let bounds =
        Bounds::between(end(span.lower, f64::NEG_INFINITY), end(span.upper, f64::INFINITY)).with_symbol(span.symbol());
    // OpenVINO converts an i32 too large for f16 to the largest f16, and numbers of other types to infinity.
    match (from, to, bounds.value()) {
        (ElementType::I32, ElementType::F16, Some(exact)) => Bounds::exact(exact.clamp(-largest(to), largest(to))),
        _ => bounds,
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let convert = |data, to: &str| op("Convert", 1, [data]).attr("destination_type", to);
        convert("f32[2,?,3..4]", "f16").gives(["f16[2,?,3..4]"]);
        convert("string[...]", "U4").gives(["u4[...]"]);
        op("Convert", 1, ["f32[2]"])
            .fails("missing-attribute", "Convert has no `destination_type`")
            .fails_if_bounded("missing-attribute", "Convert has no `destination_type`")
            .passes(["dynamic[2]"]);
        convert("f32[2]", "dynamic")
            .fails("attribute-value", "`destination_type` of Convert is dynamic, wanted a type of elements")
            .passes(["dynamic[2]"]);
    }

    #[test]
    fn values() {
        let convert = |data, to: &str| op("Convert", 1, [data]).attr("destination_type", to);
        convert("i64[3] = 4,2..5,3..", "i32").gives(["i32[3] = 4,2..5,3..2147483647"]);
        convert("i32[2] = 3..2147483647,-5", "i64").gives(["i64[2] = 3..,-5"]);
        convert("i64[3] = 4,2..5,3..", "f32").gives(["f32[3] = 4,2..5,3.."]);
        convert("f32[4] = 4.7,-4.7,2.5..5.5,3..", "i64").gives(["i64[4] = 4,-4,2..5,3.."]);
        convert("i64[2] = 300,250..260", "u8").gives(["u8[2] = 44,0..255"]);
        convert("i64[2] = 16777217,70000", "f16").gives(["f16[2] = inf,inf"]);
        convert("i32[3] = 16777217,-70000,5..2147483647", "f16").gives(["f16[3] = 65504,-65504,5.."]);
        convert("i64[4] = 65519,-65520,5..70000,5..", "f16").gives(["f16[4] = 65504,-inf,?,5.."]);
        convert("f16[2] = inf,-inf", "i64").gives(["i64[2] = -9223372036854775808,-9223372036854775808"]);
        convert("i64[1] = 16777217", "f32").gives(["f32[1] = 16777216"]);
        convert("f32[2] = 1e20,NaN", "i32").gives(["i32[2] = -2147483648,-2147483648"]);
        convert("f32[6] = 1e20,NaN,-5.5,300.7,40000,-40000", "u8").gives(["u8[6] = 0,0,251,44,64,192"]);
        convert("f32[4] = 3e9,-40000,70000,200.5", "i16").gives(["i16[4] = 0,25536,4464,200"]);
        convert("f32[3] = 3e9,-5.5,-3e9", "u32").gives(["u32[3] = 3000000000,4294967291,0..4294967295"]);
        convert("f64[6] = -5.5,NaN,inf,-inf,1e19,1e25", "u64")
            .gives(["u64[6] = -5,-9223372036854775808,0,-9223372036854775808,-8446744073709551616,0"]);
        convert("i64[2] = 9223372036854775807,9223372036854775806", "i32").gives(["i32[2] = 2147483647,-2"]);
        convert("u32[1] = 4294967295", "i64").gives(["i64[1] = 9223372036854775807"]);
        convert("u64[1] = -1", "i32").gives(["i32[1] = 2147483647"]);
        convert("i64[1] = -3..5", "u64").gives(["u64[1]"]);
        convert("u64[2] = ?,3..", "i64").gives(["i64[2] = ?,3.."]);
        convert("i32[1] = 2147483647", "u64").gives(["u64[1] = -1"]);
        convert("i32[1] = 2147483647", "u16").gives(["u16[1] = 65535"]);
        convert("f32[3] = 0.5,0,-1..1", "boolean").gives(["boolean[3] = 1,0,0..1"]);
        convert("boolean[3] = 1,0,0..1", "i64").gives(["i64[3] = 1,0,0..1"]);
        convert("u8[2]", "i64").gives(["i64[2] = 0..255,0..255"]);
        convert("f32[1] = 0.1", "bf16").gives(["bf16[1] = 0.10009765625"]);
        convert("f32[1] = 1", "f8e4m3").gives(["f8e4m3[1]"]);
    }

    #[test]
    fn errors() {
        op("Convert", 1, ["f32[2]"])
            .attr("destination_type", "FP32")
            .fails("attribute-value", "`destination_type=\"FP32\"` of Convert must be an element type such as i64");
        op("Convert", 1, [])
            .attr("destination_type", "f16")
            .fails("wrong-input-count", "Convert takes 1 input, this layer has 0");
    }
}
